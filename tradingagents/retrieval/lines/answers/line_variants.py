"""The bases on which a line is asked for, as adjusted and reported, or organic and its amount."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tradingagents.retrieval.lines.line_questions import LineQuestion, Qualifier
from tradingagents.retrieval.lines.rows.asked_line import TOLD_IN_ORDER, AskedLine
from tradingagents.retrieval.series.fact import Version

_TOLD_BY_ROWS = frozenset(TOLD_IN_ORDER)
_OF_GROWTH: frozenset[Qualifier] = frozenset({"organic", "constant currency"})


def line_variants(asked: LineQuestion, line: AskedLine) -> Iterator[AskedLine]:
    """Yield a line for each basis that is asked for: adjusted and as reported, first and last version."""
    measure = line.measure
    said = frozenset(measure.qualifiers if measure else asked.qualifiers)
    told = said & _TOLD_BY_ROWS
    both = bool(told) and "GAAP" in said
    grows = "growth" in asked.functions
    versions: tuple[Version, ...] = ("first", "latest") if "latest" in said and "originally reported" in said else ()
    if versions or "originally reported" in said:
        for version in versions or ("first",):
            yield replace(line, version=version, tells_version=True)
        return
    if grows and told & _OF_GROWTH:
        if asked.and_amount and not both and not told - _OF_GROWTH and (line.phrases or "organic" in told):
            yield replace(line, qualifiers=told)
        if asked.and_growth and line.phrases and not both and not told - _OF_GROWTH:
            yield line
        value_too = bool(told - _OF_GROWTH) or not both
        if both and measure is not None and asked.span.has_several:
            yield line  # revenue of some years, its reported change and that at constant currency
        if value_too and (not line.phrases or told - _OF_GROWTH) and measure is not None:
            of_value = told if "constant currency" in told and not told - _OF_GROWTH else told - _OF_GROWTH
            if "organic" not in told:
                yield replace(line, qualifiers=of_value)
        yield replace(line, qualifiers=told, growth=True)
        if both:
            yield replace(line, growth=True)
        return
    if grows and not told and "GAAP" in said and any(_OF_GROWTH & set(each.qualifiers) for each in asked.measures):
        yield replace(line, growth=True)  # the reported change beside the organic one, as the filing prints both
        return
    if told:
        yield replace(line, qualifiers=told)
    if both or not told:
        yield line
