"""Forty planted faults: each is a small, realistic mistake of a vendor, a broker, a book, a score or a result.

They are put in from outside: by a subclass in the place of a part, or by changing what a backtest wrote.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from tests.features.backtest.audit.made_backtests import (
    ASKED,
    EventfulVendor,
    MadeBacktest,
    edited,
    made,
    returns_of,
    rewritten,
    services_of,
    taken,
)
from tradingagents.analytics.performance import metrics
from tradingagents.dataflows.models import InsiderTransaction, MacroSeries, NewsItem, Prices, Statement
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.features.backtest import advance, market, run, score
from tradingagents.features.backtest.audit import AuditReport, audit
from tradingagents.features.backtest.audit.futures import decide_alone
from tradingagents.features.backtest.book import Book
from tradingagents.features.backtest.broker import TradingCosts
from tradingagents.features.backtest.financing.bills import BillRates
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.strategies import decision_targets
from tradingagents.features.backtest.traded_prices import CashDividend, SessionBar, TradedPrices
from tradingagents.features.backtest.variants import accounts
from tradingagents.graph.start import analyze
from tradingagents.graph.trading.run import Run
from tradingagents.memory.situations import FinancialSituationMemory
from tradingagents.runtime.services import Services


@dataclass(frozen=True)
class PlantedFault:
    """A fault, and the kinds of finding that name it rightly."""

    name: str
    kinds: frozenset[str]
    audit: Callable[[Path], AuditReport]

    def named(self, report: AuditReport) -> bool:
        """Tell whether the audit found it by its name."""
        return bool(self.kinds & report.kinds)


PLANTED: list[PlantedFault] = []
Audit = Callable[[Path], AuditReport]


def planted(*kinds: str) -> Callable[[Audit], Audit]:
    """Add a fault, named by its function's docstring, to the table."""

    def add(audit: Audit) -> Audit:
        PLANTED.append(PlantedFault((audit.__doc__ or "").strip().rstrip("."), frozenset(kinds), audit))
        return audit

    return add


SHORT = BacktestRequest(tickers=("VELQ",), start=date(2025, 3, 10), end=date(2025, 3, 17), every=3)


def future_of(home: Path, vendor: Vendor) -> AuditReport:
    """Run a backtest on a vendor that leaks, and audit it with tampered futures."""
    return made(home, SHORT, vendor=vendor, decided=True).audited("futures", sample=1)


def data_of(home: Path, vendor: Vendor, asked: BacktestRequest = SHORT) -> AuditReport:
    """Audit a vendor with bad data as a backtest would read them; the data gate refuses to run one on some of them."""
    return asyncio.run(audit(services_of(home, vendor), asked, parts=("data",)))


# Vendors that know the future


class NextClose(SimulatedVendor):
    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end + timedelta(days=7))
        close, adjusted = (np.append(one[1:], one[-1]) for one in (found.close, found.adj_close))
        high, low = (
            np.maximum(found.high, close),
            np.minimum(found.low, close),
        )  # as of one session, or the gate sees it
        return replace(found, close=close, adj_close=adjusted, high=high, low=low).upto(end)


@planted("leak_prices")
def _next_close(home: Path) -> AuditReport:
    """A vendor gives the next session's close."""
    return future_of(home, NextClose())


class CenteredVolume(SimulatedVendor):
    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end + timedelta(days=10))
        smooth = np.convolve(found.volume, np.ones(5) / 5, mode="same")
        return replace(found, volume=smooth).upto(end)


@planted("leak_prices")
def _centered_volume(home: Path) -> AuditReport:
    """A vendor smooths volumes with sessions on both sides."""
    return future_of(home, CenteredVolume())


class AtPeriodEnd(SimulatedVendor):
    def get_statements(self, symbol: str, kind: Any, freq: Any) -> tuple[Statement, ...]:
        return tuple(
            replace(one, known_at=datetime.combine(one.period_end, time(21), one.known_at.tzinfo))
            for one in super().get_statements(symbol, kind, freq)
        )


@planted("leak_fundamentals")
def _at_period_end(home: Path) -> AuditReport:
    """Statements are known at their period's end."""
    return future_of(home, AtPeriodEnd())


class RestatedAsFirst(SimulatedVendor):
    def get_statements(self, symbol: str, kind: Any, freq: Any) -> tuple[Statement, ...]:
        found = super().get_statements(symbol, kind, freq)
        last = {one.period_end: one.items for one in sorted(found, key=lambda one: one.known_at)}
        first: dict[date, Statement] = {}
        for statement in sorted(found, key=lambda one: one.known_at):
            first.setdefault(statement.period_end, replace(statement, items=last[statement.period_end]))
        return tuple(sorted(first.values(), key=lambda one: one.period_end, reverse=True))


@planted("leak_fundamentals")
def _restated(home: Path) -> AuditReport:
    """Restated figures are given as first reported."""
    return future_of(home, RestatedAsFirst())


class NewsByDay(SimulatedVendor):
    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        found = super().get_news(symbol, start, end + timedelta(days=3))
        early = timedelta(days=3)
        return tuple(
            replace(one, published_at=one.published_at - early, known_at=one.known_at - early) for one in found
        )


@planted("leak_news")
def _news_early(home: Path) -> AuditReport:
    """Articles are dated three days early."""
    return future_of(home, NewsByDay())


class GlobalNewsOfTheDay(SimulatedVendor):
    def get_global_news(self, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        found = super().get_global_news(start, end + timedelta(days=2))
        return tuple(replace(one, published_at=start, known_at=start) for one in found)


@planted("leak_news")
def _global_news(home: Path) -> AuditReport:
    """Market news carry the start of the window as their time."""
    return future_of(home, GlobalNewsOfTheDay())


class LastRevision(SimulatedVendor):
    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        found = super().get_macro_indicators(series, start, end + timedelta(days=120))
        last = {one.day: one.value for one in sorted(found.observations, key=lambda one: one.known_at)}
        rows = tuple(replace(one, value=last[one.day]) for one in found.observations if one.day <= end)
        return replace(found, observations=rows)


@planted("leak_macro")
def _last_revision(home: Path) -> AuditReport:
    """The last revision of an economic figure stands for its first print."""
    return future_of(home, LastRevision())


class AtReferenceDay(SimulatedVendor):
    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        found = super().get_macro_indicators(series, start, end + timedelta(days=60))
        rows = tuple(
            replace(one, known_at=datetime.combine(one.day, time(9), one.known_at.tzinfo))
            for one in found.observations
            if one.day <= end
        )
        return replace(found, observations=rows)


@planted("leak_macro")
def _at_reference_day(home: Path) -> AuditReport:
    """Economic figures are known on their reference day."""
    return future_of(home, AtReferenceDay())


class EarlyInsiders(SimulatedVendor):
    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        early = timedelta(days=60)
        return tuple(
            replace(one, known_at=one.known_at - early, transaction_date=one.transaction_date - early)
            for one in super().get_insider_transactions(symbol)
        )


@planted("leak_insiders")
def _insiders(home: Path) -> AuditReport:
    """Insider trades are dated two months early."""
    return future_of(home, EarlyInsiders())


async def _remembers(services: Services, ticker: str, day: date) -> Run:
    class Unguarded(FinancialSituationMemory):
        def get_memories(self, current_situation: str, n_matches: int = 2, *, as_of: date | None = None) -> Any:
            return super().get_memories(current_situation, n_matches, as_of=date(2999, 1, 1) if as_of else None)

    memories = {name: Unguarded(name, services.lessons) for name in services.memories}
    return await analyze(replace(services, memories=memories), ticker, day, persist="none")


@planted("leak_memory")
def _memory(home: Path) -> AuditReport:
    """An agent remembers lessons of later days."""
    return made(home, SHORT, vendor=SimulatedVendor(), decided=True).audited("futures", sample=1, decider=_remembers)


async def _peeks(services: Services, ticker: str, day: date) -> Run:
    found = await decide_alone(services, ticker, day)
    later = services.vendors.get("simulated").get_stock_data(ticker, day, day + timedelta(days=10))
    rises = len(later) > 1 and later.close[-1] > later.close[0] * (later.splits[-1].ratio if later.splits else 1)
    assert found.record.decision is not None
    decision = found.record.decision.model_copy(update={"action": "BUY" if rises else "SELL"})
    return replace(found, record=found.record.model_copy(update={"decision": decision}))


@planted("leak_decision")
def _peek(home: Path) -> AuditReport:
    """A strategy looks at next week's prices behind the tools' back."""
    return made(home, SHORT, vendor=SimulatedVendor(), decided=True).audited("futures", sample=1, decider=_peeks)


# Data that are wrong


class FilledHalt(EventfulVendor):
    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super(EventfulVendor, self).get_stock_data(symbol, start, end)
        if symbol != "OMBZ":
            return found
        names, at = (
            ("open", "high", "low", "close", "adj_close"),
            int(np.searchsorted(found.days, np.datetime64("2024-10-23"))),
        )
        columns = {name: getattr(found, name).copy() for name in (*names, "volume")}
        for place in range(at, at + 3):
            for name in names:
                columns[name][place] = found.close[at - 1] if name != "adj_close" else found.adj_close[at - 1]
            columns["volume"][place] = 0.0
        return replace(found, **columns)


@planted("halt_filled")
def _filled_halt(home: Path) -> AuditReport:
    """A halt is filled with the last close, as days of 0 %."""
    return data_of(home, FilledHalt(), ASKED)


class RawSplit(EventfulVendor):
    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super(EventfulVendor, self).get_stock_data(symbol, start, end)
        factor = np.where(found.days < np.datetime64("2024-10-15"), 3.0, 1.0) if symbol == "HELQ" else 1.0
        names = ("open", "high", "low", "close", "adj_close")
        return replace(found, **{name: getattr(found, name) * factor for name in names}, volume=found.volume / factor)


@planted("unadjusted_split")
def _raw_split(home: Path) -> AuditReport:
    """A split is in the prices and not in the list of splits."""
    return data_of(home, RawSplit(), ASKED)


class AdjustedAsRaw(SimulatedVendor):
    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end)
        factor = found.adj_close / found.close
        return replace(found, **{name: getattr(found, name) * factor for name in ("open", "high", "low", "close")})


@planted("adjusted_where_raw")
def _adjusted(home: Path) -> AuditReport:
    """Prices adjusted for dividends are said to be as traded."""
    return data_of(home, AdjustedAsRaw(), replace(SHORT, tickers=("HELQ",)))


class OtherZone(SimulatedVendor):
    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end)
        return replace(found, days=found.days + np.timedelta64(1, "D"))


@planted("bar_without_session", "shifted_by_a_day")
def _other_zone(home: Path) -> AuditReport:
    """Bars are dated by another time zone, a day late."""
    return data_of(home, OtherZone())


class RepeatedBar(SimulatedVendor):
    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end)
        places = np.sort(np.append(np.arange(len(found)), len(found) // 2))
        return taken(found, places)


@planted("duplicate_session")
def _repeated(home: Path) -> AuditReport:
    """A session has two bars."""
    return data_of(home, RepeatedBar(), replace(SHORT, tickers=("HELQ",)))


class SilentMoves(SimulatedVendor):
    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end)
        return replace(found, volume=np.where(np.arange(len(found)) % 9 == 4, 0.0, found.volume))


@planted("zero_volume_move")
def _silent_moves(home: Path) -> AuditReport:
    """Prices move in sessions without volume."""
    return data_of(home, SilentMoves())


@planted("filed_too_early")
def _filed_early(home: Path) -> AuditReport:
    """Statements carry their period's end as filing time."""
    return data_of(home, AtPeriodEnd())


class DayAsMidnight(SimulatedVendor):
    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        found = super().get_news(symbol, start, end)
        return tuple(replace(one, known_at=datetime.combine(one.published_at.date(), time(), one.known_at.tzinfo))
                     for one in found)  # fmt: skip


@planted("news_too_early")
def _midnight(home: Path) -> AuditReport:
    """Articles are known at midnight before their publication."""
    return data_of(home, DayAsMidnight(), replace(SHORT, start=date(2025, 2, 3)))


# A broker that is wrong


class AtLastClose(TradedPrices):
    def bar(self, symbol: str, day: date) -> SessionBar | None:
        own, place = super().bar(symbol, day), self.days.index(day)
        before = super().bar(symbol, self.days[place - 1]) if place else None
        return replace(own, open=before.close) if own is not None and before is not None else own


class AtLastOpen(TradedPrices):
    def bar(self, symbol: str, day: date) -> SessionBar | None:
        own, place = super().bar(symbol, day), self.days.index(day)
        before = super().bar(symbol, self.days[place - 1]) if place else None
        return replace(own, open=before.open) if own is not None and before is not None else own


class AtOwnClose(TradedPrices):
    def bar(self, symbol: str, day: date) -> SessionBar | None:
        own = super().bar(symbol, day)
        return replace(own, open=own.close) if own is not None else None


class TradesInHalt(TradedPrices):
    def bar(self, symbol: str, day: date) -> SessionBar | None:
        place = self.days.index(day)
        bars = (
            super(TradesInHalt, self).bar(symbol, one) for one in reversed(self.days[max(0, place - 5) : place + 1])
        )
        return next((bar for bar in bars if bar is not None), None)


def with_table(home: Path, table: type[TradedPrices], **more: Any) -> AuditReport:
    """Run a backtest with another table of prices, and audit its books."""
    return made(home, patches=[(market, "TradedPrices", table)], **more).audited()


@planted("fill_at_close")
def _last_close(home: Path) -> AuditReport:
    """Orders are filled at the close on which they were decided."""
    return with_table(home, AtLastClose)


@planted("fill_before_next_open")
def _last_open(home: Path) -> AuditReport:
    """Orders are filled at the open before the close on which they were decided."""
    return with_table(home, AtLastOpen)


@planted("fill_at_close")
def _own_close(home: Path) -> AuditReport:
    """Orders are filled at the next session's close."""
    return with_table(home, AtOwnClose)


@planted("fill_in_halt")
def _in_halt(home: Path) -> AuditReport:
    """Orders are filled in a halt."""
    return with_table(home, TradesInHalt, asked=replace(ASKED, every=1))


PLAIN_EXECUTE = advance.execute


def with_costs(home: Path, asked: BacktestRequest = ASKED, **costs: float) -> AuditReport:
    """Run a backtest whose broker has other costs than stated, and audit its books."""

    def execute(symbol: str, shares: int, bar: Any, stated: TradingCosts, cash: int, **more: Any) -> Any:
        return PLAIN_EXECUTE(symbol, shares, bar, replace(stated, **costs), cash, **more)

    return made(home, asked, patches=[(advance, "execute", execute)]).audited()


@planted("fill_beyond_volume")
def _volume(home: Path) -> AuditReport:
    """Orders take all they want of a session's volume."""
    small = replace(ASKED, costs=TradingCosts(max_participation=1e-7))
    return with_costs(home, small, max_participation=1e3)


@planted("commission_left_out")
def _commission(home: Path) -> AuditReport:
    """The commission is left out."""
    return with_costs(home, commission_per_share=0.0, min_commission=0.0)


@planted("costs_left_out")
def _spread(home: Path) -> AuditReport:
    """Half the spread is left out."""
    return with_costs(home, half_spread=0.0)


@planted("costs_left_out")
def _sign(home: Path) -> AuditReport:
    """Spread and impact go in favour of the order."""
    return with_costs(home, half_spread=-0.0002, impact=-0.02)


@planted("negative_cash")
def _overdraft(home: Path) -> AuditReport:
    """Purchases may overdraw the account."""

    def execute(symbol: str, shares: int, bar: Any, stated: TradingCosts, cash: int, **more: Any) -> Any:
        return PLAIN_EXECUTE(symbol, shares, bar, stated, cash + 10**12, **more)

    full = replace(ASKED, every=1, scheme="equal", limits=RiskLimits(15, 1.0, 1.0, 0.0))
    plain = Book.apply

    def apply(self: Book, day: date, posting: Any) -> None:
        self.cash += 10**12
        plain(self, day, posting)
        self.cash -= 10**12

    return made(home, full, patches=[(advance, "execute", execute), (Book, "apply", apply)]).audited()


@planted("borrow_fee_wrong")
def _free_loans(home: Path) -> AuditReport:
    """Borrowed shares cost nothing."""
    short = replace(ASKED, shorts=ShortRules())
    return made(home, short, patches=[(advance, "borrow_fees", lambda *_: [])]).audited()


@planted("fractional_shares")
def _fractions(home: Path) -> AuditReport:
    """Half a share is bought."""

    def half(lines: list[Any]) -> None:
        fill = next(one for line in lines for one in line["postings"] if one["kind"] == "fill" and one["shares"] > 1)
        fill["shares"] -= 0.5
        fill["value"] = round(fill["shares"] * fill["price"] * 100)

    return rewritten(made(home), half).audited()


# Corporate actions that are wrong


class LooksEveryDay(TradedPrices):
    def with_actions(self, symbols: Collection[str], before: date | None, day: date) -> list[str]:
        return sorted(symbols)


class PaysTwice(LooksEveryDay):
    def dividend(self, symbol: str, before: date | None, day: date) -> CashDividend | None:
        own = super().dividend(symbol, before, day)
        if own is None and before is not None:
            place = self.days.index(before)
            return super().dividend(symbol, self.days[place - 1], before)
        return own


HOLDS = replace(ASKED, tickers=("HELQ", "OMBZ", "LEDQ"), every=1)


@planted("dividend_twice")
def _twice(home: Path) -> AuditReport:
    """Each dividend is paid again the day after."""
    return with_table(home, PaysTwice, asked=HOLDS)


@planted("dividend_wrong")
def _wrong_shares(home: Path) -> AuditReport:
    """A dividend is paid on the shares after the day's trades."""

    def pay(lines: list[Any]) -> None:
        for line in lines:
            traded = {one["symbol"]: one["shares"] for one in line["postings"] if one["kind"] == "fill"}
            for posting in line["postings"]:
                if posting["kind"] == "dividend":
                    posting["shares"] += traded.get(posting["symbol"], 100)
                    posting["value"] = round(posting["shares"] * posting["per_share"] * 100)

    return rewritten(made(home, HOLDS), pay).audited()


class WrongRatio(TradedPrices):
    def split(self, symbol: str, before: date | None, day: date) -> Fraction | None:
        own = super().split(symbol, before, day)
        return own if own is None else Fraction(3, 2)


@planted("split_wrong")
def _ratio(home: Path) -> AuditReport:
    """A split two for one is booked as three for two."""
    return with_table(home, WrongRatio, asked=HOLDS)


class SplitLate(LooksEveryDay):
    def split(self, symbol: str, before: date | None, day: date) -> Fraction | None:
        place = self.days.index(day)
        return super().split(symbol, self.days[place - 2], self.days[place - 1])


@planted("split_wrong_day")
def _late(home: Path) -> AuditReport:
    """A split is booked a day late."""
    return with_table(home, SplitLate, asked=HOLDS)


class EndIsGone(LooksEveryDay):
    def is_gone(self, symbol: str, day: date) -> bool:
        return day >= ASKED.end or super().is_gone(symbol, day)


@planted("window_end_as_delisting")
def _window_end(home: Path) -> AuditReport:
    """The end of the period counts as a delisting."""
    return with_table(home, EndIsGone)


class NeverGone(LooksEveryDay):
    def is_gone(self, symbol: str, day: date) -> bool:
        return False


@planted("delisting_wrong")
def _never_gone(home: Path) -> AuditReport:
    """A delisted position stays at its last close."""
    return with_table(home, NeverGone, asked=replace(ASKED, tickers=("SANQ", "VELQ"), every=9), seed=3)


# Decisions that are not followed


@planted("no_decision_traded")
def _none_as_sell(home: Path) -> AuditReport:
    """NO_DECISION is traded as SELL."""

    def targets(decisions: Any, *rest: Any, **more: Any) -> Any:
        told = {
            day: {ticker: one.model_copy(update={"action": "SELL"}) if one.action == "NO_DECISION" else one
                  for ticker, one in of_day.items()}
            for day, of_day in decisions.items()
        }  # fmt: skip
        return decision_targets(told, *rest, **more)

    return made(home, patches=[(accounts, "decision_targets", targets)]).audited()


@planted("limit_exceeded")
def _no_limits(home: Path) -> AuditReport:
    """Limits are stated and not applied."""

    def apply(_self: Any, weights: Mapping[str, float], *_more: Any) -> Any:
        return {one: weight for one, weight in weights.items() if weight > 0}, []

    tight = replace(ASKED, scheme="equal", limits=RiskLimits(2, 0.15, 0.35, 0.05))
    return made(home, tight, patches=[(RiskLimits, "apply", apply)]).audited()


@planted("order_without_decision")
def _day_early(home: Path) -> AuditReport:
    """Decisions are traded a session before they were made."""

    def targets(decisions: Any, scheme: Any, limits: Any, table: TradedPrices, *more: Any) -> Any:
        early = {table.days[table.days.index(day) - 1]: made_then for day, made_then in decisions.items()}
        return decision_targets(early, scheme, limits, table, *more)

    return made(home, patches=[(accounts, "decision_targets", targets)]).audited()


# Scores that are wrong


@planted("warm_up_counted")
def _warm_up(home: Path) -> AuditReport:
    """Sessions before the first decision count as performance."""
    plain = run.read_market

    def with_warm_up(services: Services, asked: BacktestRequest) -> Any:
        found = plain(services, asked)
        first = found.table.days.index(found.days[0])
        return replace(found, days=(*found.table.days[first - 40 : first], *found.days))

    return made(home, patches=[(run, "read_market", with_warm_up)]).audited()


@planted("annualised_wrong")
def _calendar_days(home: Path) -> AuditReport:
    """Annual figures count 365 days a year on sessions."""
    patches = [(metrics, "SESSIONS_PER_YEAR", 365), (score, "SESSIONS_PER_YEAR", 365)]
    return made(home, patches=[one for one in patches if hasattr(one[0], one[1])]).audited()


def _shift(path: Path, name: str) -> None:
    rows = [row.split(",") for row in path.read_text().splitlines()]
    place = rows[0].index(name)
    values = [row[place] for row in rows[1:]]
    for row, value in zip(rows[1:], [values[0], *values[:-1]], strict=True):
        row[place] = value
    path.write_text("".join(f"{','.join(row)}\n" for row in rows))


def figures_again(tested: MadeBacktest, name: str) -> None:
    """Write a strategy's figures anew from its equity, so that they agree with it."""
    rows = [row.split(",") for row in (tested.folder / "equity.csv").read_text().splitlines()]
    equity = np.array([float(row[rows[0].index(name)]) for row in rows[1:]])
    days = [date.fromisoformat(row[0]) for row in rows[1:]]

    def write(record: Any) -> None:
        own = record["strategies"][name]
        returns, excess = returns_of(tested, record["currency"], days, equity)
        found = metrics.performance(returns, risk_free=returns - excess)
        if record["bills"] is not None:
            own["beyond_bills"] = float(excess.mean()) * 252
        names = ("total_return", "annual_volatility", "sharpe", "sortino", "max_drawdown", "value_at_risk")
        own |= {key: getattr(found, key) for key in names} | {"final_equity": equity[-1], "ci": None}
        own["extrapolated_annual_return"] = (1 + found.total_return) ** (252 / (len(equity) - 1)) - 1

    edited(tested, "result.json", write)


@planted("benchmark_shifted")
def _benchmark_shifted(home: Path) -> AuditReport:
    """The benchmark is a session late."""
    tested = made(home)
    _shift(tested.folder / "equity.csv", "benchmark")
    figures_again(tested, "benchmark")
    return tested.audited()


@planted("benchmark_sign")
def _sign_of_gap(home: Path) -> AuditReport:
    """The gap to buy and hold has the wrong sign."""
    plain = score.paired_test

    def paired(returns: Any, benchmark: Any, **more: Any) -> Any:
        return plain(benchmark, returns, **more)

    return made(home, patches=[(score, "paired_test", paired)]).audited()


@planted("metrics_wrong")
def _other_period(home: Path) -> AuditReport:
    """Figures are those of the second half of the period."""
    plain = metrics.performance

    def half(returns: Any, risk_free: Any) -> Any:
        return plain(returns[len(returns) // 2 :], risk_free=risk_free[len(returns) // 2 :])

    return made(home, patches=[(score, "performance", half)]).audited()


@planted("ledger_chain")
def _ledger_edited(home: Path) -> AuditReport:
    """A line of the ledger is edited by hand."""
    tested = made(home)
    path = tested.folder / "ledger.jsonl"
    lines = path.read_text().splitlines()
    whole = json.loads(lines[20])
    whole["mark"]["cash"] += 100_000
    whole["mark"]["equity"] += 100_000
    lines[20] = json.dumps(whole, sort_keys=True, separators=(",", ":"))
    path.write_text("".join(f"{line}\n" for line in lines))
    return tested.audited()


@planted("fill_price", "fill_at_close", "costs_left_out")
def _ledger_rewritten(home: Path) -> AuditReport:
    """A fill gets a better price, and everything after it is written anew."""

    def better(lines: list[Any]) -> None:
        fill = next(one for line in lines for one in line["postings"] if one["kind"] == "fill")
        fill["price"] *= 0.97
        fill["value"] = round(fill["shares"] * fill["price"] * 100)

    return rewritten(made(home), better).audited()


@planted("decision_store_edited")
def _store_edited(home: Path) -> AuditReport:
    """A decision in the store is edited before the backtest is scored."""
    first = made(home, SHORT, vendor=SimulatedVendor(), decided=True)
    for path in sorted((home / "decisions").glob("*/*.json")):
        whole = json.loads(path.read_text())
        whole["decision"]["action"] = "SELL" if whole["decision"]["action"] == "BUY" else "BUY"
        path.write_text(json.dumps(whole))
    again = made(home, SHORT, services=first.services, decided=True)
    return again.audited("futures", sample=1)


@planted("interest_wrong")
def _interest_of_tomorrow(home: Path) -> AuditReport:
    """Cash earns the rate of the next session, which nobody knows yet."""
    plain = BillRates.accrual

    def early(self: BillRates, before: date, day: date) -> float | None:
        return plain(self, min((one for one in self.rates if one > before), default=before), day)

    return made(home, patches=[(BillRates, "accrual", early)]).audited()


@planted("interest_wrong")
def _weekend_left_out(home: Path) -> AuditReport:
    """Cash earns nothing on Saturdays and Sundays."""
    plain = BillRates.accrual

    def sessions_only(self: BillRates, before: date, day: date) -> float | None:
        return plain(self, before, before + timedelta(days=1))

    return made(home, patches=[(BillRates, "accrual", sessions_only)]).audited()


@planted("interest_wrong")
def _interest(home: Path) -> AuditReport:
    """Cash earns interest a second time."""

    def earn(lines: list[Any]) -> None:
        for line in lines[1:]:
            line["postings"].append({"kind": "interest", "value": round(line["mark"]["cash"] * 0.05 / 252)})

    return rewritten(made(home), earn).audited()


@planted("model_cost_left_out")
def _models_free(home: Path) -> AuditReport:
    """The cost of the models is not charged."""
    return made(home, patches=[(accounts, "model_charges", lambda *_: {})]).audited()


@planted("no_decision_counted")
def _none_counted(home: Path) -> AuditReport:
    """NO_DECISION counts as a decision that was made."""

    def count(record: Any) -> None:
        coverage = record["coverage"]
        coverage["made"] += coverage["no_decision"]
        coverage["no_decision"] = 0
        coverage["share"] = coverage["made"] / coverage["wanted"]

    return edited(made(home), "result.json", count).audited()


@planted("survivorship_untold")
def _untold(home: Path) -> AuditReport:
    """The result does not warn of survivorship."""
    return edited(made(home), "result.json", lambda record: record.update(warnings=["All is well."])).audited()


def every() -> Sequence[PlantedFault]:
    """Return the faults in their order."""
    return PLANTED
