"""Scores answers strictly: the first paragraph must state the expected numbers, with sources."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from benchmarks.research.cases import ExpectedValue, ResearchCase

Verdict = Literal["right", "gap", "wrong"]
"""gap: the answer says that it does not know what is asked."""
_SCALES = {
    "t": 1e12,
    "b": 1e9,
    "m": 1e6,
    "k": 1e3,
    "trillion": 1e12,
    "billion": 1e9,
    "bn": 1e9,
    "million": 1e6,
    "mn": 1e6,
    "thousand": 1e3,
}
_NOT_VALUES = re.compile(
    r"\d{4}-\d\d-\d\d|\b(?:fiscal(?: year)?|FY|Q[1-4])[ -]?(?:of )?(?:fiscal )?\d{4}\b|\bQ[1-4]\b"
    r"|\b(?:19|20)\d\d\b(?![.,]\d|%|x)"
    r"|\b\d+-(?:day|week|month|year)\b|\b\d+ (?:quarters|months|years|days)\b|\b\d+-[KQ]\b|\bP/E|\b1-day",
    re.IGNORECASE,
)
_NUMBER = re.compile(
    r"(?P<sign>[-\u2212])?(?P<money>[$€£])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)"
    r"\s?(?P<scale>trillion|billion|bn|million|mn|thousand|[TBMK](?![a-z]))?\s?(?P<unit>%|percent\b|x\b|times\b)?",
    re.IGNORECASE,
)
_GAP = re.compile(
    r"not known|unknown|no rule|cannot be answered|could not be answered|not available|not been filed|does not give"
    r"|has no (?:statement|close|price)|do not know|don't know|no data|not found|cannot be (?:determined|found)|n/a"
    r"|which company do you mean|cannot say|not (?:yet )?(?:reported|filed)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Stated:
    value: float
    half_digit: float
    unit: str
    at: int


def score(case: ResearchCase, answer: str, *, refused: bool = False) -> Verdict:
    """Score an answer.

    Args:
        case: The question.
        answer: As written, with its sources.
        refused: Whether the run ended without an answer.
    """
    lead = first_paragraph(answer)
    gap = refused or bool(_GAP.search(lead))
    if case.gap:
        return "right" if gap else "wrong"
    if _is_right(case, lead):
        return "right"
    return "gap" if gap else "wrong"


def first_paragraph(answer: str) -> str:
    """Return the first paragraph, without the words that say who wrote it."""
    first = answer.strip().split("\n\n")[0]
    return first.partition("no language model:")[2].strip() if "no language model:" in first else first


def _is_right(case: ResearchCase, lead: str) -> bool:
    if case.words and not any(word.lower() in lead.lower() for word in case.words):
        return False
    if case.anywhere:
        numbers = stated_numbers(lead)
        return all(any(_is_of_kind(one, each) and _close(one, each) for each in numbers) for one in case.values)
    if not all(_is_stated(one, lead, case.subjects) for one in case.values):
        return False
    if case.winner and not _names_winner(case, lead):
        return False
    return case.met is None or _names_met(case, lead)


def _is_stated(expected: ExpectedValue, lead: str, subjects: tuple[str, ...]) -> bool:
    """Tell whether the first number of the expected kind, of its company, is the expected one."""
    part = lead
    if expected.subject:
        begin = re.search(rf"\b{re.escape(expected.subject)}\b", lead)
        if begin is None:
            return False
        others = "|".join(re.escape(one) for one in subjects if one != expected.subject)
        rest = lead[begin.end() :]
        end = re.search(rf"\b(?:{others})\b", rest) if others else None
        part = rest[: end.start()] if end else rest
    same = [one for one in stated_numbers(part) if _is_of_kind(expected, one)]
    return bool(same) and _close(expected, same[0])


def stated_numbers(text: str) -> list[_Stated]:
    """Return the values of a text in order; dates, years, quarters and windows are none."""
    found = []
    plain = _NOT_VALUES.sub(lambda match: " " * len(match.group()), text)
    for match in _NUMBER.finditer(plain):
        if match.start() and (plain[match.start() - 1].isalnum() or plain[match.start() - 1] == "."):
            continue
        digits = match["digits"].replace(",", "")
        scale = _SCALES.get((match["scale"] or "").lower(), 1.0)
        unit = {"percent": "%", "times": "x"}.get((match["unit"] or "").lower(), (match["unit"] or "").lower())
        money = match["money"] or match["scale"] or plain[match.end() : match.end() + 4].strip().startswith("USD")
        sign = -1.0 if match["sign"] else 1.0
        decimals = len(digits.partition(".")[2])
        found.append(
            _Stated(
                sign * float(digits) * scale,
                0.5 * scale * 10.0**-decimals,
                unit or ("money" if money else ""),
                match.start(),
            )
        )
    return found


def _is_of_kind(expected: ExpectedValue, stated: _Stated) -> bool:
    return _kind(stated.unit) == _kind(expected.unit)


def _kind(unit: str) -> str:
    return "plain" if unit in ("", "x") else unit


def _close(expected: ExpectedValue, stated: _Stated) -> bool:
    allowed = max(expected.tolerance * abs(expected.value), stated.half_digit, 0.0051 if expected.unit == "%" else 0.0)
    if expected.unit == "money" and stated.half_digit > 0.05 * abs(expected.value):
        allowed = expected.tolerance * abs(expected.value)  # a number rounded to nothing is no answer
    return abs(stated.value - expected.value) <= allowed * (1 + 1e-9)


def _names_winner(case: ResearchCase, lead: str) -> bool:
    side = r"(?:highest|higher|lowest|lower|largest|smallest|best|worst|cheapest|cheaper)"
    said = re.search(
        rf"\b({'|'.join(map(re.escape, case.subjects))})\b (?:has|had|is|was|shows|reached)[^.;]*?\b{side}\b", lead
    )
    if said is not None:
        return said.group(1) == case.winner
    first = re.search(rf"\b({'|'.join(map(re.escape, case.subjects))})\b", lead)
    return first is not None and first.group(1) == case.winner


def _names_met(case: ResearchCase, lead: str) -> bool:
    """Tell whether the last clause names exactly the companies that pass."""
    clause = re.split(r";\s", lead)[-1]
    named = {one for one in case.subjects if re.search(rf"\b{re.escape(one)}\b", clause)}
    return named == set(case.met or ())
