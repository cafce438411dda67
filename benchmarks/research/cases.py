"""Questions with their expected answers: those of the generator, and those written by hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any, Literal

import yaml

Intent = Literal["quick_lookup", "research", "valuation", "comparison", "screen", "filings"]
INTENTS: tuple[Intent, ...] = ("quick_lookup", "research", "valuation", "comparison", "screen", "filings")
BY_HAND = Path(__file__).parent / "by_hand.yaml"
DAY = date(2025, 3, 14)


@dataclass(frozen=True, slots=True)
class ExpectedValue:
    """A number that the first paragraph of an answer must state."""

    value: float
    unit: str = ""
    """`%`, `x`, `money` or empty for a plain number."""
    subject: str = ""
    """Company that it belongs to, where more than one is asked about."""
    tolerance: float = 0.005
    """Relative; half a unit of the last digit that is written is allowed besides."""


@dataclass(frozen=True, slots=True)
class ResearchCase:
    """A question with the answer that was computed without the library."""

    id: str
    intent: Intent
    question: str
    as_of: date
    values: tuple[ExpectedValue, ...] = ()
    winner: str = ""
    """Symbol that the answer must name first, as the highest or lowest."""
    met: tuple[str, ...] | None = None
    """Symbols that pass a bound, of a screen; None where none is set."""
    words: tuple[str, ...] = ()
    """Words of which one must stand in the answer; empty: none need to."""
    gap: bool = False
    """Whether the right answer says that it is not known."""
    derivation: str = ""
    """How the values were computed."""
    real_data: bool = False
    anywhere: bool = False
    """Whether the numbers may stand anywhere in the answer: of a report that does not answer the question."""
    subjects: tuple[str, ...] = field(default=())
    """Companies of a comparison or screen."""
    pages: tuple[str, ...] = ()
    """Pages of filings of which the sources must name one; empty: none need to."""


def read_cases(path: Path = BY_HAND) -> list[ResearchCase]:
    """Return the questions of a file."""
    return [_case(row) for row in yaml.safe_load(path.read_text(encoding="utf-8"))]


def _case(row: dict[str, Any]) -> ResearchCase:
    values = tuple(ExpectedValue(**one) for one in row.pop("values", ()))
    fields: dict[str, Any] = {"as_of": DAY, **row, "values": values}
    for name in ("met", "words", "subjects"):
        if name in fields:
            fields[name] = tuple(fields[name])
    return ResearchCase(**fields)
