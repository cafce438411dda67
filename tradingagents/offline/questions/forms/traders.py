"""`Who sold Soapstone shares this week?`: of the insiders who report it, as of nobody else it is known."""

from __future__ import annotations

from dataclasses import replace

from tradingagents.retrieval.questions.aspects import AskedAspects

_SHARES = frozenset({"share", "shares", "stock", "aktie", "aktien", "anteile", "股票", "股份"})
"""Without them a company may be who buys: `who is Salesforce buying?`."""
_WHO = frozenset({"who", "wer", "谁", "哪些人"})


def by_whom(asked: AskedAspects, words: frozenset[str]) -> AskedAspects:
    """Return a question who bought or sold shares of a company as one on its insiders; any other as it is.

    Args:
        asked: What the question says.
        words: Its words.
    """
    trades = {"bought", "sold"} & asked.asks and not asked.aspects
    return replace(asked, aspects=("insiders",)) if trades and _WHO & words and _SHARES & words else asked
