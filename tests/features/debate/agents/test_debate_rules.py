"""Quotations and bands: what code checks of a debate."""

from __future__ import annotations

import pytest

from tradingagents.features.debate.agents.debate_rules import band_of, is_quoted, statements_of
from tradingagents.features.debate.agents.statements import breaker_line, conviction_line
from tradingagents.features.debate.schemas import DebateVerdict, RebuttalRecord

SAID = "Sales grew by 20.74%, and the margin “widened”."


@pytest.mark.parametrize(
    ("quote", "verbatim"),
    [
        ("Sales grew by 20.74%", True),
        ("Sales  grew\nby 20.74%", True),
        ('"and the margin "widened"."', True),
        ("Sales grew by 20.75%", False),
        ("sales grew by 20.74%", False),
        ("Sales grew", False),
        ("Sales grew by ... the margin", False),
        ("", False),
    ],
)
def test_a_quotation_is_verbatim(quote: str, verbatim: bool):
    assert is_quoted(quote, SAID) is verbatim


def test_a_short_statement_is_quoted_whole():
    assert is_quoted("It is not.", "It is not.")
    assert not is_quoted("not", "It is not.")


def test_the_bands_of_conviction():
    bands = ["strong bear"] * 3 + ["lean bear", "neutral", "lean bull"] + ["strong bull"] * 4
    assert [band_of(number) for number in range(1, 11)] == bands


def test_statements_are_answered_by_their_ids():
    point = {"claim": "Sales grew by 20.74%.", "evidence": ["E1"], "strength": "strong"}
    cases = {"bear": {"summary": "The case of the bear.", "points": [point, point], "confidence": 0.5}}
    said = [RebuttalRecord(side="bear", round=1, counters=[{"reply": "No."}, {"reply": "Never."}])]
    assert list(statements_of("bear", cases, said)) == ["bear-1", "bear-2", "bear-r1a", "bear-r1b"]
    assert statements_of("bull", cases, said) == {}


def test_the_lines_read_as_documented_however_the_clauses_begin():
    verdict = DebateVerdict(
        contentions=[],
        conviction=6,
        because="Because growth pays.",
        other_conviction=3,
        other_if="if sales shrink.",
        thesis="the growth thesis.",
        breaks_if="If margins halve.",
    )
    assert conviction_line(verdict) == "6 because growth pays, would be 3 if sales shrink."
    assert breaker_line(verdict) == "The growth thesis breaks if margins halve."
