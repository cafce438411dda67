"""A fourth set of planted faults, of issue 37: dividends that nobody paid, deciders that never differ, false ends.

Each is planted in the files or the decisions: it does not rest on how accounts come to their dividends and ends.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from tests.features.backtest.audit.made_backtests import (
    ASKED,
    EventfulVendor,
    MadeBacktest,
    by_chance,
    made,
    rewritten,
    services_of,
)
from tests.features.backtest.audit.planted import HOLDS, Audit, PlantedFault
from tradingagents.dataflows.models import Prices
from tradingagents.features.backtest.audit import AuditReport
from tradingagents.features.backtest.decisions.decide import DecisionSet
from tradingagents.features.backtest.variants import decided as decided_variants

FOURTH: list[PlantedFault] = []
STOPS = date(2024, 11, 20)
"""A Wednesday: the recording ends there, and the account goes on."""


def fourth(*kinds: str) -> Callable[[Audit], Audit]:
    """Add a fault, named by its function's docstring, to the fourth set."""

    def add(audit: Audit) -> Audit:
        FOURTH.append(PlantedFault((audit.__doc__ or "").strip().rstrip("."), frozenset(kinds), audit))
        return audit

    return add


class WithoutList(EventfulVendor):
    """Lists no dividend, though the adjusted closes contain them."""

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        return replace(super().get_stock_data(symbol, start, end), dividends=())


class Stopped(EventfulVendor):
    """Was recorded to a day for all companies, and goes on for the funds."""

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end)
        return found.upto(STOPS) if symbol in ASKED.tickers else found


def without_dividends(lines: list[Any]) -> None:
    """Take every dividend out of a ledger."""
    paid = 0
    for line in lines:
        own = [one for one in line["postings"] if one["kind"] == "dividend"]
        line["postings"] = [one for one in line["postings"] if one not in own]
        paid += len(own)
    assert paid, "the account holds nothing that pays: the fault is none"


@fourth("dividends_missing")
def _unlisted(home: Path) -> AuditReport:
    """No dividend is paid or listed, and the adjusted closes contain some."""
    tested = rewritten(made(home, HOLDS), without_dividends)
    return replace(tested, services=services_of(home, WithoutList())).audited()


@fourth("dividends_missing", "dividend_wrong")
def _half(home: Path) -> AuditReport:
    """Half of each dividend is paid, as of a list in another unit."""

    def halved(lines: list[Any]) -> None:
        for line in lines:
            for posting in line["postings"]:
                if posting["kind"] == "dividend":
                    posting |= {"value": posting["value"] // 2, "per_share": posting["per_share"] / 2}

    return rewritten(made(home, HOLDS), halved).audited()


def _deciding(home: Path, action: str) -> MadeBacktest:
    async def same(_services: Any, tickers: Sequence[str], days: Sequence[date], **_more: Any) -> DecisionSet:
        found = by_chance(tickers, days, 1)
        alike = {
            key: replace(one, decision=one.decision.model_copy(update={"action": action, "confidence": 0.6}))
            for key, one in found.found.items()
            if one.decision.action != "NO_DECISION"
        }
        none = {key: one for key, one in found.found.items() if key not in alike}
        return replace(found, found=alike | none)

    return made(home, patches=[(decided_variants, "decide", same)])


@fourth("constant_decider")
def _always_buy(home: Path) -> AuditReport:
    """Every decision is BUY."""
    return _deciding(home, "BUY").audited()


@fourth("constant_decider")
def _always_hold(home: Path) -> AuditReport:
    """Every decision is HOLD."""
    return _deciding(home, "HOLD").audited()


def _closed_on(lines: list[Any], day: str) -> int:
    """Close every position of a ledger on a day as delisted, and trade nothing after; return how many."""
    shares: dict[str, int] = {}
    closes: dict[str, float] = {}
    closed = 0
    for line in lines:
        if line["mark"]["day"] == day:
            line["postings"] = [
                {"kind": "delisting", "symbol": symbol, "shares": count, "price": closes[symbol],
                 "value": round(count * closes[symbol] * 100)}
                for symbol, count in sorted(shares.items()) if count
            ]  # fmt: skip
            closed, shares = len(line["postings"]), {}
        elif line["mark"]["day"] > day:
            line["postings"] = []
        for posting in line["postings"]:
            if posting["kind"] == "fill":
                shares[posting["symbol"]] = shares.get(posting["symbol"], 0) + posting["shares"]
            elif posting["kind"] == "split":
                shares[posting["symbol"]] = posting["shares"]
            elif posting["kind"] == "delisting":
                shares.pop(posting["symbol"], None)
        closes |= line["mark"]["prices"]
    return closed


@fourth("end_of_data_as_delisting")
def _stopped(home: Path) -> AuditReport:
    """The end of a recording is booked as the end of every company."""

    def closed(lines: list[Any]) -> None:
        assert _closed_on(lines, "2024-11-21") > 1

    tested = rewritten(made(home), closed)
    return replace(tested, services=services_of(home, Stopped())).audited()


@fourth("window_end_as_delisting", "end_of_data_as_delisting")
def _last_day(home: Path) -> AuditReport:
    """Every position is closed as delisted on the last recorded day."""
    tested = made(home)
    last = json.loads((tested.folder / "ledger.jsonl").read_text().splitlines()[-1])["mark"]["day"]
    return rewritten(tested, lambda lines: np.testing.assert_array_less(0, _closed_on(lines, last))).audited()
