"""Falsifiers of the newest deep report on each watched ticker: which a filing or a close has met."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from datetime import date
from typing import Any

from tradingagents.capabilities.standalone import open_market
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.errors import DataError, TradingAgentsError, VendorNotConfigured
from tradingagents.features.deep_report.capabilities.falsifiers import described, figure_history
from tradingagents.features.deep_report.evidence.falsifiers import condition, outcome_of
from tradingagents.features.deep_report.evidence.watched_figures import WATCHED
from tradingagents.features.deep_report.kind import DEEP_REPORT
from tradingagents.features.deep_report.schemas.falsifiers import FalsifierOutcome
from tradingagents.features.deep_report.schemas.thesis import HypothesisRecord
from tradingagents.memory.cohort import cohort_of, cohort_of_card
from tradingagents.runtime.runs.run_folder import subject_of
from tradingagents.runtime.runs.run_index import RunIndex
from tradingagents.schemas.batches import FalsifierNotice
from tradingagents.settings import Settings

MOST_READ = 60
"""Cards of a ticker that are read until one is a deep report."""
logger = logging.getLogger(__name__)


def falsifier_notices(
    settings: Settings,
    tickers: Iterable[str],
    day: date,
    *,
    vendors: Vendors | None = None,
    since: str | None = None,
) -> list[FalsifierNotice]:
    """Return what became of the falsifiers of the newest deep report on each ticker by the close of a day.

    Args:
        settings: Choose the vendors and the home folder.
        tickers: Symbols.
        day: Reports of later days, and whatever was filed later, are not looked at.
        vendors: Open vendors; None opens them.
        since: Day of the previous watch: what was met after it is new. None: everything that was met is.
    """
    vendors = vendors or Vendors(settings)
    found: list[FalsifierNotice] = []
    for ticker in tickers:
        card = _newest_report(settings, ticker, day)
        if card is not None:
            found += _notices(settings, ticker, day, card, vendors, since)
    return found


def _newest_report(settings: Settings, ticker: str, day: date) -> Mapping[str, Any] | None:
    """Return the card of the newest deep report on a ticker on the same market; None where there is none."""
    market, subject = cohort_of(settings).market, subject_of(ticker)
    runs = [run for run in RunIndex(settings.home_dir).newest_first() if run.subject == subject and run.day <= day]
    for run in sorted(runs, key=lambda run: run.day, reverse=True)[:MOST_READ]:  # stable: of one day the latest first
        try:
            card = run.card() or {}
        except TradingAgentsError as error:
            logger.debug("The card of %s cannot be read: %s", run.run_id, error)
            continue
        cohort = cohort_of_card(card)
        same = cohort is None or cohort.market == market
        if card.get("kind") == DEEP_REPORT.name and card.get("status") == "done" and same:
            return card
    return None


def _notices(
    settings: Settings, ticker: str, day: date, card: Mapping[str, Any], vendors: Vendors, since: str | None
) -> list[FalsifierNotice]:
    armed = [
        (hypothesis.title, falsifier)
        for hypothesis in map(HypothesisRecord.model_validate, card.get("hypotheses") or ())
        for falsifier in hypothesis.falsifiers or ()
    ]
    if not armed:
        return []
    data = open_market({"ticker": ticker}, as_of=day, settings=settings, vendors=vendors)
    by_session = [falsifier.after for _, falsifier in armed if WATCHED[falsifier.figure].basis == "session"]
    days = max(((data.as_of - first).days + 400 for first in by_session), default=0)
    try:
        history = figure_history(data, ticker, days=days)
    except (DataError, VendorNotConfigured) as error:
        logger.warning("The falsifiers of %s were not looked up: %s", ticker, error)
        return []
    until = data.cutoff.instant
    return [
        _notice(ticker, card, title, outcome_of(falsifier, history, until), since)
        for title, falsifier in armed
        if falsifier.figure in WATCHED
    ]


def _notice(
    ticker: str, card: Mapping[str, Any], title: str, outcome: FalsifierOutcome, since: str | None
) -> FalsifierNotice:
    figure, falsifier = outcome.event or outcome.last, outcome.falsifier
    met = outcome.event is not None and (since is None or outcome.event.known_at.date().isoformat() > since)
    return FalsifierNotice(
        ticker=ticker,
        run_id=str(card.get("run_id", "")),
        hypothesis=title,
        id=falsifier.id,
        condition=condition(falsifier),
        state=outcome.state,
        figure=described(falsifier, figure) if figure is not None else "",
        period_end=figure.period_end.isoformat() if figure is not None else None,
        known_at=figure.known_at.isoformat() if figure is not None else None,
        new=met,
    )
