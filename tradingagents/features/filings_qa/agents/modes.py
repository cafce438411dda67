"""Answer modes: how long a question is worked on, and how sure its answer must be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum


class AnswerMode(StrEnum):
    """How thorough an answer is to be."""

    DIRECT = "direct"
    STANDARD = "standard"
    DETAILED = "detailed"
    DEEP_SEARCH = "deep_search"


@dataclass(frozen=True, slots=True)
class ModeLimits:
    """The limits of a mode."""

    max_iterations: int
    """Assessments of the answer; after the last no further search is made."""
    max_tokens: int
    """Length of the answer, at most."""
    confidence_threshold: float
    """Confidence, 0 to 1, from which an answer is final."""


ANSWER_MODES: Mapping[AnswerMode, ModeLimits] = {
    AnswerMode.DIRECT: ModeLimits(2, 2000, 0.70),
    AnswerMode.STANDARD: ModeLimits(3, 6000, 0.80),
    AnswerMode.DETAILED: ModeLimits(4, 16_000, 0.90),
    AnswerMode.DEEP_SEARCH: ModeLimits(10, 20_000, 0.95),
}
DEEP_SEARCH_REQUESTS = (
    *("search thoroughly", "dig deep", "dig deeper", "exhaustive search", "search exhaustively", "find everything"),
    "deep search",
)
"""What a person says who wants `deep_search`; without one of these it is not chosen."""
NUDGE = "Want me to search thoroughly? Ask again in the mode deep_search."
"""Added to an answer that stayed below its mode's confidence."""

SEC_MAX_ITERATIONS = 5
"""Rounds of the search in filings."""
SEC_CONFIDENCE = 0.90
"""Share of quality at which the search in filings ends."""
DEFAULT_MAX_ITERATIONS = 4
"""Iterations where no mode is known."""
DEFAULT_CONFIDENCE = 0.90
"""Confidence where no mode is known."""
CHUNKS_PER_QUARTER = 15
"""Passages read from one call, at most."""
MAX_QUARTERS = 12
MAX_TICKERS = 8
SEARCH_WORKERS = 6
"""Searches that run side by side."""
MAX_NEWS = 5


def asks_for_deep_search(question: str) -> bool:
    """Tell whether a question asks for an exhaustive search in so many words."""
    lowered = question.lower()
    return any(request in lowered for request in DEEP_SEARCH_REQUESTS)


def limits_of(mode: AnswerMode | None) -> ModeLimits:
    """Return the limits of a mode; the general ones where none is known."""
    if mode is None:
        return ModeLimits(DEFAULT_MAX_ITERATIONS, 6000, DEFAULT_CONFIDENCE)
    return ANSWER_MODES[mode]
