"""The stored watch list, and the last decisions of stored runs, for watch list, book and brief."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from tradingagents.analytics.holdings.book_answers import BookOverview
from tradingagents.analytics.holdings.daily_brief import DailyBrief
from tradingagents.analytics.price.watch_overview import RecordedDecision, WatchOverview
from tradingagents.dataflows.results import Result
from tradingagents.errors import TradingAgentsError
from tradingagents.memory.cohort import cohort_of, cohort_of_card
from tradingagents.runtime.runs.run_folder import subject_of
from tradingagents.runtime.runs.run_index import IndexedRun, RunIndex
from tradingagents.runtime.runs.watch_list import WatchList
from tradingagents.settings import Settings

ACTIONS = ("BUY", "SELL", "HOLD")
MOST_READ = 8
"""Cards read for one symbol until one with a decision is found; each takes some milliseconds."""

logger = logging.getLogger(__name__)


def with_stored_list(arguments: Mapping[str, Any], settings: Settings) -> Mapping[str, Any]:
    """Fill in the stored watch list where no symbols are given.

    Raises:
        UnreadableFile: The list is damaged.
    """
    if arguments.get("symbols"):
        return arguments
    return {**arguments, "symbols": ",".join(WatchList(settings.home_dir).tickers)}


def with_last_decisions(result: Result, settings: Settings) -> Result:
    """Add the last decision on each symbol for the day of the answer or an earlier one."""
    if isinstance(result, BookOverview):
        symbols = [holding.symbol for holding in result.holdings]
    elif isinstance(result, WatchOverview):
        symbols = [row.symbol for row in result.symbols]
    elif isinstance(result, DailyBrief):
        symbols = list(result.symbols)
    else:
        raise TypeError("decisions belong to a watch list, a book or a brief")
    return result.with_decisions(last_decisions(settings, symbols, result.as_of))


def last_decisions(settings: Settings, symbols: Iterable[str], day: date) -> dict[str, RecordedDecision]:
    """Return the decision of the last run on each symbol for the day or an earlier one, on the market of the settings.

    A run for a day uses nothing that became known after it, whenever it is carried out. Decisions on the simulated and
    on the real market are never mixed.
    """
    subjects = {subject_of(symbol): symbol for symbol in symbols}
    runs: dict[str, list[IndexedRun]] = {}
    for run in RunIndex(settings.home_dir).newest_first():
        if run.subject in subjects and run.day <= day:
            runs.setdefault(subjects[run.subject], []).append(run)
    market = cohort_of(settings).market
    found: dict[str, RecordedDecision] = {}
    for symbol, some in runs.items():
        some.sort(key=lambda run: run.day, reverse=True)  # stable: for one day, the latest run first
        decisions = (_decision(run, symbol, market) for run in some[:MOST_READ])
        if (last := next((decision for decision in decisions if decision is not None), None)) is not None:
            found[symbol] = last
    return found


def _decision(run: IndexedRun, symbol: str, market: str) -> RecordedDecision | None:
    """Return a run's decision; None where it has none, is about another market, or its card is damaged."""
    try:
        card = run.card() or {}
    except TradingAgentsError as error:
        logger.debug("The card of %s cannot be read: %s", run.run_id, error)
        return None
    decision, cohort = card.get("decision"), cohort_of_card(card)
    if not isinstance(decision, dict) or cohort is None or cohort.market != market or card.get("ticker") != symbol:
        return None
    if decision.get("action") not in ACTIONS:
        return None
    return RecordedDecision(
        action=decision["action"],
        confidence=float(decision.get("confidence") or 0.0),
        strength=decision.get("strength"),
        trade_date=run.day,
        run_id=run.run_id,
    )
