"""Earlier decisions on an instrument, for the report page of a later run.

Earlier means: for an earlier trade date, whenever the decision was made. Decisions on the simulated and on the real
market are never listed together, and a return is shown only if it was known by the page's trade date. People read this
list; no agent sees it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from datetime import date
from typing import Any

from tradingagents.errors import TradingAgentsError
from tradingagents.memory.cohort import cohort_of_card
from tradingagents.memory.lesson_store import memory_address
from tradingagents.memory.outcome import Outcome
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.reports.earlier import EarlierDecision
from tradingagents.reports.links import links_from, page_of
from tradingagents.runtime.runs.run_folder import subject_of
from tradingagents.runtime.runs.run_index import IndexedRun, RunIndex
from tradingagents.settings import Settings

MOST = 8
"""Decisions listed."""
MAX_READ = 24
"""Maximum number of cards to read; each takes some milliseconds."""
OFFLINE = "offline analysts"

logger = logging.getLogger(__name__)


def earlier_decisions(
    settings: Settings, symbol: str, trade_date: date, *, market: str, page: str
) -> list[EarlierDecision]:
    """Return the decisions of a home on a symbol for earlier days, latest day first, one per day and analyst type.

    Args:
        settings: Name the home and the database of outcomes.
        symbol: The instrument.
        trade_date: Only decisions for days before this one.
        market: Only decisions on this market, see `Cohort.market`.
        page: Path of the page that will link to the runs.
    """
    newest = RunIndex(settings.home_dir).newest_first(subject=subject_of(symbol))
    runs = [run for run in newest if run.day < trade_date]
    if not runs:
        return []
    runs.sort(key=lambda run: run.day, reverse=True)  # stable: for one day, the latest run first
    outcomes = _outcomes(settings, symbol, trade_date)
    found: dict[tuple[str, str], EarlierDecision] = {}
    for card in _cards(runs[:MAX_READ], symbol, market):
        one = _earlier(card, outcomes.get(card["run_id"]), page)
        found.setdefault((one.trade_date, one.decided_by), one)
        if len(found) == MOST:
            break
    return list(found.values())


def _outcomes(settings: Settings, symbol: str, known_by: date) -> dict[str, Outcome]:
    """Return the outcomes of decisions on a symbol, by run; none if the database doesn't answer."""
    try:
        return {one.run_id: one for one in OutcomeStore(memory_address(settings)).list(ticker=symbol, as_of=known_by)}
    except TradingAgentsError as error:
        logger.debug("The outcomes of earlier decisions cannot be read: %s", error)
        return {}


def _cards(runs: list[IndexedRun], symbol: str, market: str) -> Iterator[dict[str, Any]]:
    """Yield the cards of runs that decided on a symbol of a market; unreadable ones are skipped."""
    for run in runs:
        try:
            card = run.card()
        except TradingAgentsError as error:
            logger.debug("The card of %s cannot be read: %s", run.run_id, error)
            continue
        decision = (card or {}).get("decision")
        if not card or not isinstance(decision, dict) or card.get("ticker") != symbol:
            continue
        of = cohort_of_card(card)
        if of is not None and of.market == market and decision.get("action") in ("BUY", "SELL", "HOLD"):
            yield card


def _earlier(card: dict[str, Any], outcome: Outcome | None, page: str) -> EarlierDecision:
    decision, model = card["decision"], (card.get("models") or {}).get("deep", "")
    return EarlierDecision(
        trade_date=card["trade_date"],
        action=decision["action"],
        confidence=float(decision.get("confidence") or 0.0),
        strength=decision.get("strength"),
        decided_by=OFFLINE if model.startswith("offline") or not model else model.partition("/")[2] or model,
        page=page_of(card.get("paths") or {}, links_from(page)),
        outcome=outcome.total_return if outcome else None,
        benchmark=outcome.benchmark_return if outcome else None,
        until=outcome.end.isoformat() if outcome else "",
    )
