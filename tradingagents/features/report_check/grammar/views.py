"""Tells the figures that a sentence states from views, expectations and ranges."""

from __future__ import annotations

import re
from itertools import pairwise

from tradingagents.features.report_check.grammar.patterns import DIVIDER, RANGE
from tradingagents.features.report_check.grammar.structure import Structure
from tradingagents.provenance.numbers import Number

_SAID_OF_VIEW = re.compile(r"\s(?:is|was|stood|were|had been)\s(?:(?:for|at|about|around|just|only)\s)*", re.IGNORECASE)
"""Between a word of expectation and its figure: `the average estimate was for $1.71`."""


def is_range(sentence: Structure, number: Number) -> bool:
    """Tell whether a number is an end of a range: `10-12%`, `between $5bn and $6bn`."""
    for left, right in pairwise(sentence.numbers):
        if (
            number in (left, right)
            and left.unit == right.unit
            and RANGE.fullmatch(sentence.text[left.end : right.start])
        ):
            before = sentence.text[max(0, left.start - 12) : left.start].rstrip()
            return not re.search(r"\bfrom$", before) or sentence.text[left.end : right.start].strip() != "to"
    for left, right in pairwise(sentence.numbers):
        if number in (left, right) and sentence.text[left.end : right.start].strip() == "and":
            return re.search(r"\bbetween\s+$", sentence.text[max(0, left.start - 10) : left.start]) is not None
    return False


def is_view(sentence: Structure, number: Number) -> bool:
    """Tell whether a number is somebody's view: a word of expectation governs it."""
    for view in sentence.views:
        if view.end <= number.start:
            between = sentence.text[view.end : number.start]
            if _strong_between(sentence, view.end, number.start):
                continue
            if "beside" in view.means:
                if _SAID_OF_VIEW.fullmatch(between):
                    return True
                if DIVIDER.search(between.replace(": ", " ", 1)) or len(between) > 35 or _is_told(between):
                    continue
                return True
            base = sentence.base_of(number.start)
            if base is not None and view.end <= base[0] and _has_own_period(sentence, base):
                continue
            if _is_told(between) and "," in between:
                continue
            return True
        same = sentence.bracket_of(number.start) == sentence.bracket_of(view.start)
        if same and view.start >= number.end and view.start - number.end < 28:
            between = sentence.text[number.end : view.start]
            if (
                not DIVIDER.search(between)
                and not any(mark.start < view.start and mark.start >= number.end for mark in sentence.metrics)
                and (
                    "beside" in view.means
                    or sentence.text[view.start : view.end].lower()
                    in ("expected", "forecast", "estimated", "projected")
                )
                and not re.search(
                    r"\b(?:beat|above|ahead|topp|below|miss|in line|against|vs|versus|than|exceed)",
                    between,
                    re.IGNORECASE,
                )
            ):
                return True
    return False


def _strong_between(sentence: Structure, left: int, right: int) -> bool:
    return any(left <= at < right for at in sentence.strong)


def _has_own_period(sentence: Structure, base: tuple[int, int]) -> bool:
    return any(base[0] <= period.start < base[1] and not period.forecast for period in sentence.periods)


def _is_told(between: str) -> bool:
    return (
        re.search(
            r"\b(?:was|were|came|reported|posted|reached|stood|printed|delivered|booked|rose|fell|grew|recorded|earned|generated|closed)\b",
            between,
        )
        is not None
    )
