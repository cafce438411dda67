"""Strict scoring of answers: a figure is right if it is the expected one to 1 %, or to the last digit printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal, Protocol

Verdict = Literal["right", "wrong", "refused", "unscored"]
"""`unscored`: the expected answer is no bare figure, and no judge is there to read it."""

TOLERANCE = 0.01
_SCALES = {"thousand": 1e3, "million": 1e6, "mn": 1e6, "billion": 1e9, "bn": 1e9}
_FIGURE = re.compile(
    r"(?P<open>\()?(?P<sign>[-\u2212\u2013])?\s?(?P<money>(?:US)?[$€£])?\s?(?P<minus>[-\u2212])?"
    r"(?P<number>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(?P<close>\))?"
    r"\s?(?P<unit>%|percent\b|(?:USD\s)?(?:thousand|million|billion|mn|bn)s?\b|times\b|x\b|days\b)?",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure as an answer states it."""

    value: float
    """With its sign; without the scale."""
    percent: bool
    scale: float
    """1e6 where the answer itself says million; 1 where it names none."""
    half_digit: float
    """Half a unit of the last digit printed."""
    money: bool


class Judge(Protocol):
    """Decides by reading whether an answer says what is expected."""

    def __call__(self, question: str, expected: str, answer: str) -> bool:
        """Return whether the answer is right."""
        ...


def figures(text: str) -> tuple[Figure, ...]:
    """Return the figures of a text in order."""
    return tuple(_figure(match) for match in _FIGURE.finditer(text))


def expected_figure(text: str) -> Figure | None:
    """Return the figure that an expected answer consists of; None where it says more than a figure."""
    match = _FIGURE.fullmatch(text.strip().rstrip("."))
    return _figure(match) if match else None


def score_value(expected: Figure, value: float | None, unit: str = "") -> Verdict:
    """Score a figure in the unit that the question asks for; None is a refusal.

    Args:
        expected: The expected figure.
        value: The answer, a percentage as 4.8 for 4.8 %.
        unit: `percent`, or the unit of an amount such as `USD millions`; tells a percentage from a plain ratio.
    """
    if value is None:
        return "refused"
    named = next((scale for word, scale in _SCALES.items() if word in unit.lower()), 1.0)
    given = value * named / expected.scale if expected.scale != 1.0 else value
    if expected.percent and unit != "percent":
        given *= 100
    if unit == "percent" and not expected.percent:
        given /= 100
    return "right" if _close(expected, given) else "wrong"


def score_text(expected: Figure, text: str) -> Verdict:
    """Score an answer in words: its first figure of the expected kind counts; an answer without one is a refusal."""
    kind = [figure for figure in figures(text) if figure.percent == expected.percent and not _is_year(figure)]
    if not kind:
        return "refused"
    first = kind[0]
    given = first.value * first.scale / expected.scale if expected.scale != 1.0 else first.value
    return "right" if _close(expected, given) else "wrong"


def score(question: str, expected: str, answer: str, *, refused: bool, judge: Judge | None = None) -> Verdict:
    """Score an answer in words against an expected one: by figure where it is one, else by a judge."""
    if refused:
        return "refused"
    figure = expected_figure(expected)
    if figure is not None:
        return score_text(figure, answer)
    if judge is None:
        return "unscored"
    return "right" if judge(question, expected, answer) else "wrong"


def _close(expected: Figure, given: float) -> bool:
    if expected.value and given and (expected.value > 0) != (given > 0):
        return False
    allowed = max(TOLERANCE * abs(expected.value), expected.half_digit)
    return abs(given - expected.value) <= allowed * (1 + 1e-9)


def _is_year(figure: Figure) -> bool:
    plain = not figure.percent and not figure.money and figure.scale == 1.0 and figure.half_digit == 0.5
    return plain and 1990 <= figure.value <= 2060


def _figure(match: re.Match[str]) -> Figure:
    digits = match.group("number").replace(",", "")
    negative = bool(match.group("sign") or match.group("minus") or (match.group("open") and match.group("close")))
    unit = (match.group("unit") or "").lower().removeprefix("usd ").rstrip("s")
    decimals = len(digits.partition(".")[2])
    return Figure(
        value=-float(digits) if negative else float(digits),
        percent=unit in ("%", "percent"),
        scale=_SCALES.get(unit, 1.0),
        half_digit=0.5 * 10.0**-decimals,
        money=match.group("money") is not None,
    )
