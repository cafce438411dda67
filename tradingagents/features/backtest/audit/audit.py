"""`audit`: convicts a backtest and its data: of knowing the future, of wrong books, of wrong figures, of bad data."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import pandas as pd
from pydantic import TypeAdapter, ValidationError

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.router import ask_vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices, StatementKind
from tradingagents.dataflows.reference.calendar import Sessions, exchange_of, sessions
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendor_method import VendorMethod
from tradingagents.errors import BadSymbol, DataError, UsageError, VendorNotConfigured
from tradingagents.features.backtest.audit import (
    holding_check,
    paper_check,
    plan_check,
    price_data,
    row_data,
    score_check,
)
from tradingagents.features.backtest.audit.book_check import LedgerCheck
from tradingagents.features.backtest.audit.findings import AuditFinding, AuditReport
from tradingagents.features.backtest.audit.futures import RULES, Decider, FutureAudit, decide_alone
from tradingagents.features.backtest.audit.order_check import OrderCheck
from tradingagents.features.backtest.audit.result_folder import DECISIONS, RecordedBacktest, read_backtest
from tradingagents.features.backtest.audit.second.bills import SecondBills, second_bills
from tradingagents.features.backtest.audit.second.prices import SymbolHistory, history_of, with_dividends_of_ratio
from tradingagents.features.backtest.audit.second.rates import in_account_currency, known_rates, second_rates
from tradingagents.features.backtest.engines.decision_store import DecisionStore
from tradingagents.features.backtest.financing.joint_sessions import joint_sessions
from tradingagents.features.backtest.pages.report import backtest_report
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.run import backtest_id
from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.services import Services

Part = Literal["accounts", "data", "futures"]
PARTS: tuple[Part, ...] = ("accounts", "data", "futures")
SAMPLE = 6
AFTER_END = timedelta(days=30)
"""So far beyond the end prices are read, to tell a delisting from the end."""
_STATEMENTS: Mapping[StatementKind, str] = {
    "income": "get_income_statement",
    "balance": "get_balance_sheet",
    "cashflow": "get_cashflow",
}
"""The question by which each kind of statement is routed to its vendor."""
SERIES = ("CPIAUCSL", "UNRATE", "PAYEMS", "A191RL1Q225SBEA", "DGS10")


async def audit(
    services: Services,
    subject: Path | BacktestRequest,
    *,
    parts: Sequence[Part] = PARTS,
    sample: int = SAMPLE,
    decider: Decider = decide_alone,
    rerun_models: bool = False,
) -> AuditReport:
    """Audit a finished backtest, or the data and decisions of a requested one.

    Args:
        services: Settings, models and vendors as the backtest used them.
        subject: The folder of a backtest or of a paper account, or a request. A paper account is one part: its books,
            and the bars it saw against those of the vendors.
        parts: What to check. `accounts`: books, orders and figures of a folder, from outside. `data`: the prices and
            rows that the vendors give. `futures`: decisions made again with tampered futures.
        sample: Decisions that are made again, evenly over days and tickers; 0 for all.
        decider: Decides on a ticker and a day; by default as a backtest does. Pass your own to audit it.
        rerun_models: Whether language models decide again, too, which costs what three decisions cost, each; without,
            their tools are asked with tampered futures, and rules alone decide.

    Raises:
        NotFound, UsageError: The folder is no backtest, or the request is wrong.
        DataError: Prices are missing.
    """
    if isinstance(subject, Path) and (subject / paper_check.PLAN).is_file():
        return audit_paper(services, subject)
    told = read_backtest(subject) if isinstance(subject, Path) else None
    case = _AuditCase(services, told, _request(subject, told), sample)
    if told is not None:
        case.found += told.faults
    if "accounts" in parts:
        case.accounts()
    if "data" in parts:
        case.data()
    if "futures" in parts:
        free = all(label.startswith(RULES) for label in services.models.labels.values())
        await case.futures(decider, decides=free or rerun_models or decider is not decide_alone)
    name = str(subject) if isinstance(subject, Path) else f"the request {case.request.start} to {case.request.end}"
    return AuditReport(name, tuple(_in_order(case.found)), case.checked, case.not_checked)


def audit_paper(services: Services, folder: Path) -> AuditReport:
    """Audit a paper account: its ledger, every fill from the bars it saw, and these against what vendors give now.

    Raises:
        UsageError: The folder is no paper account.
    """
    told = paper_check.read_paper(folder)
    if not told.sessions:
        return AuditReport(str(folder), told.faults, {}, {"ledger": "the account has no session yet"})
    found = list(paper_check.check_paper(told))
    checked = {"ledger": f"{len(told.sessions)} sessions, every fill from the bars that the account saw"}
    first, last = told.sessions[0].day, told.sessions[-1].day
    request = BacktestRequest(tickers=tuple(sorted(paper_check.symbols_of(told))), start=first, end=last)
    case = _AuditCase(services, None, request, 0)
    case.home = told.request["currency"]
    histories = case.histories(request.tickers, {one: case.calendar_of(one) for one in request.tickers})
    for symbol, history in histories.items():
        found += paper_check.check_bars(told, symbol, history)
    checked["bars"] = f"those of {len(histories)} symbols against the vendors'"
    return AuditReport(str(folder), tuple(_in_order(found)), checked, case.not_checked)


def _request(subject: Path | BacktestRequest, told: RecordedBacktest | None) -> BacktestRequest:
    if isinstance(subject, BacktestRequest):
        return subject
    try:
        return TypeAdapter(BacktestRequest).validate_python(dict(told.request) if told is not None else {})
    except ValidationError as error:
        raise UsageError(f"The request in {subject} cannot be read: {error.errors()[0]['msg']}.") from error


def _in_order(found: Sequence[AuditFinding]) -> list[AuditFinding]:
    """Return the findings by severity, each once."""
    rank = {"error": 0, "warning": 1, "note": 2}
    return sorted(dict.fromkeys(found), key=lambda one: rank[one.severity])


@dataclass
class _AuditCase:
    """One audit in progress."""

    services: Services
    told: RecordedBacktest | None
    request: BacktestRequest
    sample: int
    found: list[AuditFinding] = field(default_factory=list)
    checked: dict[str, str] = field(default_factory=dict)
    not_checked: dict[str, str] = field(default_factory=dict)
    home: str | None = None
    """The currency of the account; None: that of the prices."""
    foreign: frozenset[str] = frozenset()
    """Tickers and funds whose prices are in another."""
    _prices: dict[str, Prices] = field(default_factory=dict)

    @property
    def calendar(self) -> Sessions:
        """The sessions of the tickers' exchanges."""
        return joint_sessions(map(exchange_of, self.request.tickers))

    # Accounts

    def accounts(self) -> None:
        """Check books, orders and figures of the folder."""
        told = self.told
        if told is None:
            self.not_checked["accounts"] = "a request has no ledger and no result yet"
            return
        self._same_request(told)
        self._plan(told)
        self.home = told.record["currency"]
        histories = self.histories((*told.tickers, *told.record.get("funds", ())))
        traded_abroad = self.foreign & {*told.tickers}
        bills = self._bills(told)
        check = LedgerCheck(told, histories, self._days(), foreign=traded_abroad, bills=bills)
        self.found += check.run()
        self.checked["ledger"] = f"{len(told.sessions)} sessions against the prices of {len(histories)} symbols"
        self._decisions(told, check, histories)
        self.found += score_check.check_totals(told, check.state.book)
        self.found += score_check.check_metrics(told, bills)
        self.found += score_check.check_comparison(told)
        funds = tuple(told.record.get("funds", ()))
        self.found += holding_check.check_income(told, self._prices)
        self.found += holding_check.check_fund_income(told, self._prices, funds)
        self.checked["dividends"] = f"those of the account and of {len(funds)} funds against adjusted closes"
        sectors = [one for one in funds if one in SECTOR_ETF.values()]
        baselines = score_check.constant_plans(told, funds, sectors, histories)
        baselines |= score_check.rule_plans(told, {one: self._prices[one] for one in told.tickers if one in histories})
        if bills is not None or told.record.get("bills") is None:
            self.found += score_check.check_baselines(told, histories, baselines, self.foreign, bills)
        self.found += score_check.check_disclosure(told)
        self._report(told)
        self.checked["figures"] = (
            f"{len(told.record['strategies'])} strategies from {len(set(told.equity_rows))} closes"
        )

    def _same_request(self, told: RecordedBacktest) -> None:
        own = backtest_id(self.services, self.request)
        if told.record.get("id") != own:
            expected = f"{own}, from these settings, data and models"
            self.found.append(
                AuditFinding("other_request", "result.json id", expected, str(told.record.get("id")), "warning")
            )

    def _plan(self, told: RecordedBacktest) -> None:
        """Compare a result with the plan that was sealed before."""
        if told.record.get("plan_hash") is None:
            if told.record.get("planned"):
                self.found.append(AuditFinding("plan_not_of_result", "result.json plan_hash", "a hash", "none"))
            return
        path = plan_check.find_plan(told, self.services.settings.home_dir)
        if path is None:
            self.not_checked["plan"] = "no plan of this hash or request lies under plans/ of the home folder"
            return
        self.found += plan_check.check_plan(told, path)
        self.checked["plan"] = f"the seal of plans/{path.name}, and what the result says of it"

    def _bills(self, told: RecordedBacktest) -> SecondBills | None:
        """Return the bill rates of a result that counts with them."""
        if told.record.get("bills") is None:
            return None
        own = {*self._inside(told), *told.equity_rows, *(one.day for one in told.sessions)}
        days = [day for day in self.calendar.between(min(own), max(own)) if day in own]
        since = days[0] - timedelta(days=150)
        found = second_bills(
            told.currency,
            {day: self.calendar.close_of(day) for day in days[:-1]},
            lambda name: self._ask(Vendor.get_macro_indicators, name, since, days[-1]) or None,
            lambda name: self._ask(Vendor.get_stock_data, name, since, days[-1]) or None,
        )
        if found is None:
            self.not_checked["bill rates"] = (
                "no vendor has those that the result counts with, so ratios and baselines are not worked out again"
            )
        return found

    def _report(self, told: RecordedBacktest) -> None:
        """Compare the report with what the result gives; another version may word it differently."""
        path = told.folder / "report.md"
        if not path.is_file():
            self.not_checked["report"] = "the folder has no report.md"
        elif path.read_text("utf-8") != backtest_report(told.record):
            found = "other words or figures"
            self.found.append(AuditFinding("report_edited", "report.md", "the report of result.json", found, "warning"))

    def _decisions(self, told: RecordedBacktest, check: LedgerCheck, histories: Mapping[str, SymbolHistory]) -> None:
        if told.decisions is None:
            self.not_checked["orders and coverage"] = (
                f"the folder has no {DECISIONS}; run the backtest again to write it"
            )
            return
        self.found += self._stored(told)
        inside = self._inside(told)
        self.found += score_check.check_coverage(told, inside)
        self.found += score_check.check_variety(told)
        self.found += score_check.check_calls(told, histories)
        self.found += score_check.check_costs(told, cache(self._dollar))  # many decisions a day
        self.checked["decisions"] = f"{len(told.decisions)} against the store, coverage, calls and charges"
        self.found += OrderCheck(told, histories, self._sectors(), check.opening).run()
        self.checked["orders"] = f"{len(told.by_day)} decision days: weights, limits and orders worked out again"

    def _inside(self, told: RecordedBacktest) -> list[date]:
        last = date.fromisoformat(told.record["last_session"])
        return [day for day in self.calendar.between(self.request.start, self.request.end) if day <= last]

    def _stored(self, told: RecordedBacktest) -> Iterator[AuditFinding]:
        """Compare the decisions of the folder with those of the store."""
        store = DecisionStore(self.services)
        for one in told.decisions or ():
            try:
                kept = store.get(one.ticker, one.day)
            except UnreadableFile as error:
                yield AuditFinding("decision_store_edited", "decisions/", "the decision that was tested", str(error),
                                   "error", one.ticker, str(one.day))  # fmt: skip
                continue
            if kept is None or not one.action:
                continue
            own = (kept.decision.action, kept.decision.confidence, kept.content)
            plan = tuple((one.whole["decision"] or {}).get(name) for name in ("stop", "target"))
            if own != (one.action, one.confidence, one.content) or plan != (kept.decision.stop, kept.decision.target):
                yield AuditFinding(
                    "decision_store_edited", "decisions/", f"{one.action} {one.confidence:.3g}",
                    f"{own[0]} {own[1]:.3g}", "error", one.ticker, str(one.day),
                )  # fmt: skip

    # Prices

    def _days(self) -> tuple[date, ...]:
        """Return the sessions from before the period to the end of the recorded prices."""
        first = self.request.start - timedelta(days=self.services.settings.price_history_days)
        ends = [one.days[-1].item() for one in self._prices.values() if len(one)]
        inside = self.calendar.between(self.request.start, self.request.end)
        return tuple(self.calendar.between(first, max([*ends, inside[-1]])))

    def histories(
        self, symbols: Sequence[str], calendars: Mapping[str, Sequence[date]] | None = None
    ) -> dict[str, SymbolHistory]:
        """Return prices by session in the account's currency, as far as vendors and rates are there.

        Args:
            symbols: Of the account.
            calendars: The sessions of each; None: those of the request for all.
        """
        self._read(symbols)
        merged = {
            one.ended.into for one in self._prices.values() if one.ended is not None and one.ended.into is not None
        }
        symbols = [*symbols, *sorted(merged - {*symbols})]
        self._read(symbols)
        self._prices |= {one: with_dividends_of_ratio(self._prices[one]) for one in symbols if one in self._prices}
        self._convert(symbols)
        days = () if calendars else self._days()
        found = {one: self._prices[one] for one in symbols if one in self._prices}
        return {name: history_of(one, calendars[name] if calendars else days) for name, one in found.items()}

    def calendar_of(self, symbol: str) -> tuple[date, ...]:
        """Return the sessions of a symbol's exchange over the period."""
        return tuple(sessions(exchange_of(symbol)).between(self.request.start, self.request.end))

    def _convert(self, symbols: Sequence[str]) -> None:
        """Put prices of other currencies into that of the account."""
        others = {one for one in symbols if one in self._prices and self._prices[one].currency != self.home}
        for symbol in sorted(others) if self.home else ():
            prices = self._prices[symbol]
            rates = second_rates(prices.currency, str(self.home), self._pair)
            if rates is None:
                del self._prices[symbol]
                self.not_checked[f"prices of {symbol}"] = f"no rate from {prices.currency} to {self.home} is known"
                continue
            cost = self.request.costs.conversion
            self._prices[symbol] = in_account_currency(prices, rates, str(self.home), cost)
            self.foreign |= {symbol}

    def _dollar(self, day: date) -> float:
        """Return what a dollar was worth in the account's currency at the close of a day; NaN where it is not known."""
        rates = second_rates("USD", str(self.home), self._pair)
        return (
            math.nan if rates is None else float(known_rates(rates, pd.Series([self.calendar.close_of(day)])).iloc[0])
        )

    def _pair(self, symbol: str) -> Prices | None:
        with suppress(BadSymbol):
            self._read([symbol])
        self.not_checked.pop(f"prices of {symbol}", None)  # the other pair may have the rate
        return self._prices.pop(symbol, None)

    def _read(self, symbols: Sequence[str]) -> None:
        first = self.request.start - timedelta(days=self.services.settings.price_history_days)
        last = min(self.calendar.last_closed(utc_now()), self.request.end + AFTER_END)
        vendors = self.services.vendors
        for symbol in symbols:
            if symbol in self._prices:
                continue

            def ask(name: str, symbol: str = symbol) -> Prices:
                return vendors.answer(name, Vendor.get_stock_data, symbol, first, last)

            try:
                found, _ = ask_vendors(
                    Vendor.get_stock_data, ask, settings=self.services.settings, vendors=vendors, past=last
                )
            except (DataError, VendorNotConfigured) as error:
                self.not_checked[f"prices of {symbol}"] = str(error)
                continue
            self._prices[symbol] = found.upto(last)

    def _sectors(self) -> dict[str, str | None]:
        data = self._market(self.request.end)
        profiles = {ticker: data.known_profile(ticker) for ticker in self.request.tickers}
        return {ticker: one.sector if one is not None else None for ticker, one in profiles.items()}

    def _market(self, day: date) -> MarketData:
        services = self.services
        return MarketData(services.settings, day, vendors=services.vendors, cache=services.cache, memo=services.memo)

    # Data

    def data(self) -> None:
        """Check prices and dated rows of the tickers."""
        funds = tuple(self.told.record.get("funds", ())) if self.told is not None else ()
        self._prices.clear()  # as they are, not converted
        self._read((*self.request.tickers, *funds))
        first = self.request.start - timedelta(days=self.services.settings.price_history_days)
        last = max((one.days[-1].item() for one in self._prices.values() if len(one)), default=self.request.end)
        days = self.calendar.between(first, last)
        for symbol, one in self._prices.items():
            self.found += price_data.check_bars(one, sessions(exchange_of(symbol)).between(first, last))
        own = {name: one for name, one in self._prices.items() if name in self.request.tickers}
        market = next((one for one in funds if one not in (*score_check.BONDS, *SECTOR_ETF.values())), "")
        self.found += price_data.check_together(self._prices, days, market, mixed=self.request.currency is not None)
        self.found += price_data.check_survivors(own, last)
        self.checked["prices"] = f"{sum(map(len, self._prices.values()))} bars of {len(self._prices)} symbols"
        rows = sum(self._rows(ticker) for ticker in self.request.tickers) + self._economy()
        self.checked["rows"] = f"{rows} statements, articles, insider trades and economic values"

    def _rows(self, ticker: str) -> int:
        """Check the dated rows of a ticker and return how many there are."""
        start, end = self.request.start - timedelta(days=400), self.request.end
        since, until = (datetime.combine(day, time(), UTC) for day in (self.request.start, end))
        filings = self._ask(Vendor.get_filings, ticker, start, end)
        count = 0
        for kind, name in _STATEMENTS.items():
            rows = self._ask(Vendor.get_statements.named(name), ticker, kind, "quarterly")
            self.found += row_data.check_statements(ticker, rows, filings)
            count += len(rows)
        news = self._ask(Vendor.get_news, ticker, since, until)
        self.found += row_data.check_news(ticker, news)
        trades = self._ask(Vendor.get_insider_transactions, ticker)
        self.found += row_data.check_insiders(ticker, trades)
        return count + len(news) + len(trades)

    def _economy(self) -> int:
        since, until = (datetime.combine(day, time(), UTC) for day in (self.request.start, self.request.end))
        count = 0
        for name in SERIES:
            series = self._ask(Vendor.get_macro_indicators, name, self.request.start, self.request.end)
            if series:
                self.found += row_data.check_macro(series)
                count += len(series)
        news = self._ask(Vendor.get_global_news, since, until)
        self.found += row_data.check_news("", news)
        return count + len(news)

    def _ask(self, method: VendorMethod[..., Any], *arguments: Any) -> Any:
        """Return what the run's vendor answers, uncut; an empty tuple where it has none."""
        vendors = self.services.vendors

        def ask(name: str) -> Any:
            return vendors.answer(name, method, *arguments)

        with suppress(DataError, VendorNotConfigured):
            return ask_vendors(method, ask, settings=self.services.settings, vendors=vendors, past=self.request.end)[0]
        return ()

    # Futures

    async def futures(self, decider: Decider, *, decides: bool) -> None:
        """Decide again with tampered futures."""
        recorded = {(one.ticker, one.day): one for one in (self.told.decisions or ())} if self.told is not None else {}
        days = self.calendar.between(self.request.start, self.request.end)[:-1][:: self.request.every]
        last = self.told.record["last_session"] if self.told is not None else str(self.request.end)
        every = [(ticker, day) for day in days if str(day) < last for ticker in self.request.tickers]
        wanted = spread(every, self.sample)
        with TemporaryDirectory(prefix="tradingagents-audit-") as scratch:
            again = FutureAudit(self.services, Path(scratch), decider, decides)
            self.found += await again.run(wanted, recorded)
        how = "decided again" if decides else "tools asked again"
        self.checked["futures"] = f"{again.done} of {len(every)} decisions {how}, later rows changed and removed"
        if not decides:
            self.not_checked["decisions with tampered futures"] = "language models decide again only if asked to"


def spread(every: Sequence[tuple[str, date]], count: int) -> list[tuple[str, date]]:
    """Return so many tickers and days, evenly over both; all for 0."""
    if count <= 0 or count >= len(every):
        return list(every)
    step = len(every) / count
    return [every[min(len(every) - 1, int((place + 0.5) * step))] for place in range(count)]
