"""Alpha Vantage's answers as our rows. Its numbers are texts, and what it lacks is the text `None`."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Literal
from zoneinfo import ZoneInfo

import numpy as np

from tradingagents.dataflows.calendar import exchange_of, sessions
from tradingagents.dataflows.filing_dates import assumed_known_at, assumed_reported_at
from tradingagents.dataflows.fiscal_periods import fiscal_quarter, fiscal_year
from tradingagents.dataflows.rows import (
    Dividend,
    EarningsEvent,
    Frequency,
    InsiderTransaction,
    Mover,
    NewsItem,
    Prices,
    Profile,
    Ratios,
    Split,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.sectors import sector_key

NAME = "alpha_vantage"
_EASTERN = ZoneInfo("America/New_York")
_TICKER = re.compile(r"[A-Z]{1,5}(?:-[A-Z])?")
_NONE = frozenset({"", "none", "-", "null", "nan", "n/a"})

ITEMS: Mapping[StatementKind, Mapping[str, tuple[str, ...]]] = {
    "income": {
        "revenue": ("totalRevenue",),
        "cost_of_revenue": ("costOfRevenue", "costofGoodsAndServicesSold"),
        "gross_profit": ("grossProfit",),
        "research_and_development": ("researchAndDevelopment",),
        "selling_general_administrative": ("sellingGeneralAndAdministrative", "sellingGeneralAdministrative"),
        "operating_expenses": ("operatingExpenses", "totalOperatingExpense"),
        "operating_income": ("operatingIncome",),
        "depreciation_and_amortization": ("depreciationAndAmortization",),
        "ebitda": ("ebitda",),
        "interest_expense": ("interestExpense",),
        "pretax_income": ("incomeBeforeTax",),
        "income_tax": ("incomeTaxExpense", "taxProvision"),
        "net_income": ("netIncome",),
    },
    "balance": {
        "cash": ("cashAndCashEquivalentsAtCarryingValue",),
        "receivables": ("currentNetReceivables",),
        "inventory": ("inventory",),
        "current_assets": ("totalCurrentAssets",),
        "fixed_assets": ("propertyPlantEquipment",),
        "total_assets": ("totalAssets",),
        "accounts_payable": ("currentAccountsPayable",),
        "short_term_debt": ("shortTermDebt", "currentDebt"),
        "current_liabilities": ("totalCurrentLiabilities",),
        "long_term_debt": ("longTermDebtNoncurrent", "longTermDebt"),
        "total_debt": ("shortLongTermDebtTotal",),
        "total_liabilities": ("totalLiabilities",),
        "equity": ("totalShareholderEquity",),
    },
    "cashflow": {
        "operating_cash_flow": ("operatingCashflow",),
        "capital_expenditure": ("capitalExpenditures",),
        "investing_cash_flow": ("cashflowFromInvestment",),
        "financing_cash_flow": ("cashflowFromFinancing",),
        "dividends_paid": ("dividendPayout", "dividendPayoutCommonStock"),
        "share_repurchases": ("paymentsForRepurchaseOfCommonStock", "paymentsForRepurchaseOfEquity"),
        "net_change_in_cash": ("changeInCashAndCashEquivalents",),
    },
}
"""Our items and Alpha Vantage's names for them, the preferred one first."""
_MONEY_OUT = frozenset({"capital_expenditure", "dividends_paid", "share_repurchases"})
"""Positive there, negative here."""

_RATIOS: Mapping[str, tuple[str, float]] = {
    "MarketCapitalization": ("market_cap", 1.0),
    "PERatio": ("pe_ttm", 1.0),
    "ForwardPE": ("forward_pe", 1.0),
    "PriceToSalesRatioTTM": ("ps_ttm", 1.0),
    "PriceToBookRatio": ("pb", 1.0),
    "PEGRatio": ("peg", 1.0),
    "EVToEBITDA": ("ev_ebitda", 1.0),
    "DilutedEPSTTM": ("eps_ttm", 1.0),
    "Beta": ("beta", 1.0),
    "DividendYield": ("dividend_yield", 100.0),
    "ReturnOnAssetsTTM": ("roa", 100.0),
    "52WeekHigh": ("high_52w", 1.0),
    "52WeekLow": ("low_52w", 1.0),
    "50DayMovingAverage": ("sma_50", 1.0),
    "200DayMovingAverage": ("sma_200", 1.0),
}
"""What OVERVIEW has, our names, and the factor to our units: fractions become percent."""


class Unreadable(ValueError):
    """An answer in another shape than agreed."""


def prices_of(
    symbol: str,
    daily: Any,
    splits: Sequence[Split],
    dividends: Sequence[Dividend],
    *,
    start: date,
    end: date,
    now: datetime,
) -> Prices | None:
    """Return the bars of [start, end]; None where there are none.

    Alpha Vantage's free series is as traded. Ours is adjusted for splits until today, `adj_close` for dividends too: on
    each ex-date what came before is multiplied by 1 - dividend / close of the session before, as CRSP and Yahoo do.

    Args:
        symbol: Whose they are.
        daily: Bars by day, as Alpha Vantage words them.
        splits: Every split until today.
        dividends: Every dividend until today, as paid.
        start: First day.
        end: Last day.
        now: When they were read.
    """
    read = sorted(row for day, bar in _object(daily).items() if (row := _bar(day, bar)) is not None)
    if daily and not read:
        raise Unreadable
    bars = [row for row in read if row[0] >= start]
    if not any(row[0] <= end for row in bars):
        return None
    days = [row[0] for row in bars]
    factor = np.array([_shares_since(day, splits) for day in days])
    opened, high, low, close, volume = (np.array(column) for column in list(zip(*bars, strict=True))[1:])
    adjusted = close / factor
    paid = tuple(Dividend(one.day, one.amount / _shares_since(one.day, splits)) for one in dividends)
    whole = Prices(
        symbol=symbol,
        days=np.array(days, dtype="datetime64[D]"),
        open=opened / factor,
        high=high / factor,
        low=low / factor,
        close=adjusted,
        adj_close=adjusted * _kept_after(days, adjusted, paid),
        volume=volume * factor,
        currency="USD",
        vendor=NAME,
        fetched_at=now,
        splits=tuple(splits),
        dividends=tuple(one for one in paid if days[0] <= one.day <= days[-1]),
    )
    return whole.upto(end)


def splits_of(answer: Any, *, today: date) -> tuple[Split, ...]:
    """Return the splits in force, oldest first; those to come have touched no price yet."""
    found = ((day_of(one.get("effective_date")), number(one.get("split_factor"))) for one in _data(answer))
    return tuple(sorted((Split(day, ratio) for day, ratio in found if day and ratio and day <= today), key=_by_day))


def dividends_of(answer: Any, *, today: date) -> tuple[Dividend, ...]:
    """Return the dividends whose ex-date has come, oldest first, as paid."""
    found = ((day_of(one.get("ex_dividend_date")), number(one.get("amount"))) for one in _data(answer))
    return tuple(sorted((Dividend(day, paid) for day, paid in found if day and paid and day <= today), key=_by_day))


def profile_of(symbol: str, overview: Any) -> Profile | None:
    """Return who the symbol is; None for the empty object that stands for nobody."""
    found = _object(overview)
    name = _text(found.get("Name"))
    if name is None:
        if found:
            raise Unreadable
        return None
    industry = _text(found.get("Industry"))
    return Profile(
        symbol=symbol,
        name=name,
        kind="etf" if _text(found.get("AssetType")) == "ETF" else "stock",
        sector=_sector(_text(found.get("Sector"))),
        industry=industry.title() if industry and industry.isupper() else industry,
        exchange=exchange_of(symbol),
        currency=_text(found.get("Currency")) or "USD",
    )


def ratios_of(symbol: str, overview: Any, *, now: datetime) -> Ratios:
    """Return the ratios of today; `values` is empty where there are none."""
    found = _object(overview)
    values = {
        ours: value * unit
        for theirs, (ours, unit) in _RATIOS.items()
        if (value := number(found.get(theirs))) is not None
    }
    currency = _text(found.get("Currency")) or "USD"
    return Ratios(symbol=symbol, values=values, vendor=NAME, fetched_at=now, currency=currency)


def statements_of(
    symbol: str, kind: StatementKind, freq: Frequency, reports: Any, *, year_end: date | None
) -> tuple[Statement, ...]:
    """Return statements, newest period first. Filing dates are assumed: Alpha Vantage has none.

    Args:
        symbol: Whose they are.
        kind: Which statement.
        freq: Quarters or years.
        reports: As Alpha Vantage words them.
        year_end: Last day of some fiscal year; None: calendar years are assumed.
    """
    given = _objects(reports)
    found = []
    for report in given:
        period_end = day_of(report.get("fiscalDateEnding"))
        items = _items(kind, report)
        if period_end is None or not items:
            continue
        annual = freq == "annual"
        year, period = (fiscal_year(period_end), "FY") if annual else fiscal_quarter(period_end, year_end=year_end)
        found.append(
            Statement(
                symbol=symbol,
                kind=kind,
                frequency=freq,
                fiscal_year=year,
                fiscal_period=period,
                period_end=period_end,
                known_at=assumed_known_at(period_end, annual=period in ("FY", "Q4")),
                known_at_assumed=True,
                currency=_text(report.get("reportedCurrency")) or "USD",
                source=NAME,
                items=items,
            )
        )
    if given and not found:
        raise Unreadable
    return tuple(sorted(found, key=lambda one: one.period_end, reverse=True))


def news_of(answer: Any, *, symbol: str | None) -> tuple[NewsItem, ...]:
    """Return articles in Alpha Vantage's order; those without a title or an instant are left out.

    An answer that has a sentence in place of a feed says that there are none.
    """
    found = _object(answer)
    given = [] if "feed" not in found and "Information" in found else _objects(found.get("feed"))
    items = []
    for article in given:
        title, published = _text(article.get("title")), _published(article.get("time_published"))
        if title is None or published is None:
            continue
        items.append(
            NewsItem(
                title=" ".join(title.split()),
                published_at=published,
                known_at=published,
                source=_text(article.get("source")),
                summary=_text(article.get("summary")),
                url=_text(article.get("url")),
                symbol=symbol,
            )
        )
    if given and not items:
        raise Unreadable
    return tuple(items)


def insiders_of(symbol: str, answer: Any) -> tuple[InsiderTransaction, ...]:
    """Return insider trades, newest first. The day of filing is assumed: only that of the trade is told."""
    given = _data(answer)
    rows = []
    for trade in given:
        name, traded = _text(trade.get("executive")), day_of(trade.get("transaction_date"))
        shares = number(trade.get("shares"))
        if name is None or traded is None or not shares:
            continue
        price = number(trade.get("share_price"))
        side, security = _text(trade.get("acquisition_or_disposal")), _text(trade.get("security_type")) or ""
        rows.append(
            InsiderTransaction(
                symbol=symbol,
                insider=name,
                relation=_text(trade.get("executive_title")) or "",
                kind=_kind(side, security, price),
                shares=abs(shares),
                value=abs(shares) * price if price else None,
                transaction_date=traded,
                known_at=assumed_reported_at(traded),
                known_at_assumed=True,
                text=f"{'Acquired' if side == 'A' else 'Disposed of'} {security}".strip(),
            )
        )
    if given and not rows:
        raise Unreadable
    return tuple(sorted(rows, key=lambda row: (row.transaction_date, row.insider), reverse=True))


def movers_of(answer: Any, listed: str, *, session: date) -> tuple[Mover, ...]:
    """Return the stocks of one list, in its order; () where the list is of an earlier session than asked for."""
    found = _object(answer)
    stamp = re.match(r"(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d:\d\d))?", str(found.get("last_updated")))
    if stamp is None:
        raise Unreadable
    day = date.fromisoformat(stamp[1])
    calendar = sessions()
    taken = datetime.fromisoformat(f"{stamp[1]}T{stamp[2] or '23:59:59'}").replace(tzinfo=_EASTERN).astimezone(UTC)
    known_at = min(taken, calendar.close_of(calendar.on_or_before(day)))
    given = _objects(found.get(listed))
    movers = []
    for one in given:
        ticker, price = _text(one.get("ticker")), number(one.get("price"))
        change, volume = number(str(one.get("change_percentage")).rstrip("%")), number(one.get("volume"))
        if ticker is None or price is None or change is None or volume is None:
            continue
        if _TICKER.fullmatch(ticker):  # warrants, units and rights are no stocks
            movers.append(Mover(ticker, ticker, price, change, volume, known_at))
    if given and not movers and not any(_text(one.get("ticker")) for one in given):
        raise Unreadable
    return tuple(movers) if calendar.on_or_before(day) >= session else ()


def announced_of(text: str, *, start: date, end: date, now: datetime) -> tuple[EarningsEvent, ...]:
    """Return the results announced for the days [start, end], by day; known since the last close."""
    reader = csv.DictReader(io.StringIO(text))
    if not {"symbol", "reportDate"} <= set(reader.fieldnames or ()):
        raise Unreadable
    closed = sessions().close_of(sessions().last_closed(now))
    events = []
    for row in reader:
        symbol, day = _text(row.get("symbol")), day_of(row.get("reportDate"))
        if symbol is None or day is None or not start <= day <= end:
            continue
        events.append(
            EarningsEvent(
                symbol=symbol.replace(".", "-"),
                name=_text(row.get("name")) or symbol,
                day=day,
                known_at=closed,
                period_end=day_of(row.get("fiscalDateEnding")),
                eps_estimate=number(row.get("estimate")),
                currency=_text(row.get("currency")) or "USD",
            )
        )
    return tuple(sorted(events, key=lambda event: (event.day, event.symbol)))


def number(value: Any) -> float | None:
    """Read a finite number from its text; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    try:
        read = float(value)
    except ValueError:
        return None
    return read if math.isfinite(read) else None


def day_of(value: Any) -> date | None:
    """Read a day; None for anything else."""
    try:
        return date.fromisoformat(value)
    except (TypeError, ValueError):
        return None


def _bar(day: Any, bar: Any) -> tuple[date, float, float, float, float, float] | None:
    read = day_of(day)
    if read is None or not isinstance(bar, dict):
        return None
    numbers = [number(bar.get(name)) for name in ("1. open", "2. high", "3. low", "4. close", "5. volume")]
    if any(one is None for one in numbers) or not numbers[3]:
        return None
    opened, high, low, close, volume = (one or 0.0 for one in numbers)
    return read, opened, high, low, close, volume


def _shares_since(day: date, splits: Sequence[Split]) -> float:
    """Return how many shares of today one share of a day has become."""
    return math.prod(split.ratio for split in splits if split.day > day)


def _kept_after(days: Sequence[date], close: Any, dividends: Sequence[Dividend]) -> Any:
    """Return what each session's close is multiplied by for the dividends that came after it."""
    kept = np.ones(len(days))
    ordinals = np.array([day.toordinal() for day in days])
    for paid in dividends:
        at = int(np.searchsorted(ordinals, paid.day.toordinal(), side="left"))
        if 0 < at < len(days) and paid.amount < close[at - 1]:
            kept[:at] *= 1.0 - paid.amount / close[at - 1]
    return kept


def _items(kind: StatementKind, report: Mapping[str, Any]) -> dict[str, float]:
    items: dict[str, float] = {}
    for item, names in ITEMS[kind].items():
        value = next((read for name in names if (read := number(report.get(name))) is not None), None)
        if value is not None:
            items[item] = -abs(value) if item in _MONEY_OUT else value
    if "operating_cash_flow" in items and "capital_expenditure" in items:
        items["free_cash_flow"] = items["operating_cash_flow"] + items["capital_expenditure"]
    return items


def _kind(
    side: str | None, security: str, price: float | None
) -> Literal["buy", "sell", "grant", "gift", "exercise", "other"]:
    """Tell what a trade was, as far as side, security and price tell it: a transaction code there is none."""
    if "common" not in security.lower() or side not in ("A", "D"):
        return "other"
    if not price:
        return "grant" if side == "A" else "other"
    return "buy" if side == "A" else "sell"


def _sector(name: str | None) -> str | None:
    usual = {"life sciences": "healthcare", "finance": "financials", "trade & services": "consumer-discretionary"}
    return usual.get(name.lower(), sector_key(name)) if name else None


def _published(value: Any) -> datetime | None:
    try:
        return datetime.strptime(value, "%Y%m%dT%H%M%S").replace(tzinfo=UTC)
    except (TypeError, ValueError):
        return None


def _text(value: Any) -> str | None:
    return value.strip() if isinstance(value, str) and value.strip().lower() not in _NONE else None


def _by_day(one: Split | Dividend) -> date:
    return one.day


def _object(value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise Unreadable
    return value


def _data(answer: Any) -> list[Mapping[str, Any]]:
    return _objects(_object(answer).get("data"))


def _objects(value: Any) -> list[Mapping[str, Any]]:
    if not isinstance(value, list):
        raise Unreadable
    found: Iterable[Any] = value
    return [one if isinstance(one, dict) else {} for one in found]
