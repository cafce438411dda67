"""Whether a reply tells the figures that its question names: `gross margin` is told by no operating margin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tradingagents.offline.questions.conversation import ToolFact
from tradingagents.retrieval.questions.aspects import words_of_aspects
from tradingagents.retrieval.questions.figures import named_measures
from tradingagents.retrieval.questions.names import in_english

_TOLD_BY: Mapping[str, tuple[str, ...]] = {
    "eps_diluted": ("eps", "earnings_per_share", "pe_ttm"),
    "eps_basic": ("eps", "earnings_per_share", "pe_ttm"),
    "dividends_paid": ("dividend", "payout", "total_return"),
    **dict.fromkeys(("total_debt", "long_term_debt"), ("debt", "liabilities")),
    "equity": ("equity", "pb"),
    "net_debt": ("total_debt",),
    "cash": ("cash",),
    "net_income": ("net_income", "net_margin", "eps", "profit"),
}
"""Parts of the names of figures that tell one of the statements besides its own name."""


def figures_untold(said: str, reply: str, results: Sequence[ToolFact]) -> tuple[tuple[str, ...], bool]:
    """Return the words for figures that a question names and its reply does not tell, and whether it tells none.

    A figure is told where the reply names it, be it as one that is not known, or holds its value.

    Args:
        said: The question in small letters, names of figures in English.
        reply: The reply, in any language.
        results: What the tools gave.
    """
    asked = {key: said[start:end] for start, end, _, key in named_measures(said) if not _is_person(said[start:end])}
    if not asked or any(fact.failed and fact.reason and fact.reason in reply for fact in results):
        return (), False  # what is missing is said
    named = {key for _, _, _, key in named_measures(in_english(reply).lower())}
    held = {name for fact in results for name, value in fact.shown.items() if value in reply}
    untold = tuple(words for key, words in asked.items() if key not in named and not _is_held(key, held))
    return untold, len(untold) == len(asked)


def _is_person(words: str) -> bool:
    """Tell whether words name who does something, as `cfo` does besides a cash flow."""
    return words_of_aspects().get(words, "").endswith(".people")


def _is_held(key: str, held: set[str]) -> bool:
    return any(part in name for part in _TOLD_BY.get(key, (key,)) for name in held)
