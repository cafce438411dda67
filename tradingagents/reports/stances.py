"""The analysts at a glance: the direction and score stated in each report."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from tradingagents.agents.roster import roster
from tradingagents.reports.sections import TextSection, section_of

_OVERALL = re.compile(
    r"\bOverall:?\W{0,6}(bullish|bearish|neutral)\W{1,4}?([+\-\u2212]?[01](?:\.\d+)?)(?![\d.]*\d|%)", re.I
)
_SEARCHED = 1500
"""Number of characters at the start of a report in which its overall score is searched."""
NOT_AVAILABLE = "**Not available.**"
"""Start of the notice in place of a report that an agent could not write, see `agents.builders.node`."""


@dataclass(frozen=True, slots=True)
class Stance:
    """The direction and score of one analyst's report."""

    section: TextSection
    direction: str
    """bullish, bearish or neutral; empty if the report gives no score."""
    score: float | None
    """-1 to 1; None if the report gives none."""

    @property
    def words(self) -> str:
        """The stance in words."""
        return self.direction or "no score given"

    @property
    def place(self) -> float:
        """Position of the score on a scale from 0 (bearish) to 100 (bullish)."""
        return 50.0 * (1 + (self.score or 0.0))


def stances(reports: Mapping[str, str]) -> list[Stance]:
    """Return the stances of the analysts' reports; missing reports are left out."""
    sections = [section_of(spec) for spec in roster().analysts.values()]
    return [
        _stance(section, text)
        for section in sections
        if (text := reports.get(section.key, "").strip()) and not text.startswith(NOT_AVAILABLE)
    ]


def _stance(section: TextSection, text: str) -> Stance:
    return Stance(section, *_overall(text[:_SEARCHED]))


@lru_cache(maxsize=256)
def _overall(opening: str) -> tuple[str, float | None]:
    found = _OVERALL.search(opening)
    if found is None:
        return "", None
    score = float(found[2].replace("\u2212", "-"))
    return found[1].lower(), max(-1.0, min(1.0, score))
