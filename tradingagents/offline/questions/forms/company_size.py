"""`The largest bank`: companies of a sector put in order by their market value, where nothing else is named."""

from __future__ import annotations

from dataclasses import replace

from tradingagents.retrieval.questions.aspects import AskedAspects

LARGE = frozenset(
    {
        *("largest", "biggest", "smallest", "größte", "größten", "größter", "größtes", "grösste", "grössten"),
        *("kleinste", "kleinsten", "kleinster", "最大", "最大的", "最小", "最小的"),
    }
)
"""Words that ask of companies for the one of the most or the least market value, where nothing else is named."""


def by_size(asked: AskedAspects, words: frozenset[str], sector: str, span: str) -> AskedAspects:
    """Return `the largest bank` as asked for by market value: a sector's companies are listed by their moves else.

    Args:
        asked: What the question says.
        words: Its words.
        sector: The sector that it names; empty for none.
        span: Its words for days; empty for none.
    """
    sized = bool(sector) and not span and bool({"most", "least"} & asked.asks) and bool(LARGE & words)
    whole = sized and set(asked.aspects) <= {"members"} and not (asked.claims or asked.left)
    return replace(asked, aspects=("market_cap",)) if whole else asked
