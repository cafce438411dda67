"""Questions about a company's books: ratios, screens, the three statements, trailing twelve months."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from tradingagents.analytics.company.company_info import (
    CompanyInfo,
    ResolvedInstruments,
    matching,
    resolved,
    starting_with,
    ticker_of,
)
from tradingagents.analytics.company.company_info import company_info as described
from tradingagents.analytics.company.dividend_history import DividendHistory, dividend_history
from tradingagents.analytics.company.earnings import EarningsHistory, TrailingForwardPE, earnings_history
from tradingagents.analytics.company.earnings import trailing_forward_pe as pe_ratios
from tradingagents.analytics.company.fundamental_screen import FundamentalScreen
from tradingagents.analytics.company.fundamental_screen import fundamental_screen as screened
from tradingagents.analytics.company.fundamentals import Fundamentals, fundamentals
from tradingagents.analytics.company.peers import PeerMultiples, no_multiples, peer_multiples
from tradingagents.analytics.company.quoted_shares import is_of_quoted_share
from tradingagents.analytics.company.screens import SCREEN_NAMES, ScreenName
from tradingagents.analytics.company.statements import StatementTable, statement_table
from tradingagents.analytics.company.ttm import TTMAnalysis, ttm
from tradingagents.capabilities.capability import capability, shared_part
from tradingagents.dataflows.gateway.financial_sources import STATEMENT_METHOD
from tradingagents.dataflows.gateway.share_basis import has_share_figures, local_day, without_share_figures
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import EarningsEvent, Prices, Ratios, Statement, StatementKind
from tradingagents.dataflows.reference.company_names import known_companies as listed_companies
from tradingagents.dataflows.reference.fiscal_periods import is_missing
from tradingagents.dataflows.reference.sectors import FUNDS, INDICES, PEERS, PEERS_VALUED, SECTOR_ETF, SECTORS
from tradingagents.dataflows.reference.symbols import change_hint, normalise
from tradingagents.errors import BadSymbol, DataError, NoData, VendorNotConfigured

Freq = Literal["quarterly", "annual"]
EARNINGS_DAYS, EARNINGS_DAYS_REMOTE = timedelta(days=1170), timedelta(days=100)
"""How far back results are read: eight quarters and those of the year before; a remote calendar has all companies in it
and is read for a quarter."""
EARNINGS_AHEAD = timedelta(days=60)
LONGEST_TEXT = 200
"""Characters of a text that may be the start of a name."""
LISTED_NAMES = "the library's list of names"
"""Where the names of instruments come from while the source of the data is not asked for them."""
STATEMENTS = tuple(STATEMENT_METHOD.values())
"""The vendor methods of the three statements."""
FUNDAMENTALS_FROM = ("get_stock_data", "get_profile", *STATEMENTS, "get_fundamentals")
"""The vendor methods that ratios are computed from."""


@capability(
    returns=Fundamentals,
    requires={"get_stock_data", "get_profile"},
    uses=(*STATEMENTS, "get_fundamentals"),
)
def get_fundamentals(data: MarketData, ticker: str, curr_date: date) -> Fundamentals:
    """Get valuation and quality ratios: market value, P/E, P/B, P/S, PEG, EV/EBITDA, yields, beta, 52-week range.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD.
    """
    return _fundamentals(data.as_of_date(curr_date), ticker)


@capability(
    title="Dividends",
    returns=DividendHistory,
    requires={"get_stock_data"},
    uses=("get_profile", *STATEMENTS, "get_fundamentals"),
)
def get_dividends(data: MarketData, ticker: str) -> DividendHistory:
    """Get a company's dividends per share by ex-date: the year's sum, yield, payout of earnings, growth on the year.

    Args:
        ticker: Ticker, for example KO.
    """
    prices = data.prices(ticker)
    ratios = _fundamentals(data, ticker)
    known_at = data.known_at_of(prices.symbol, prices.days[-1].item())
    return dividend_history(prices.upto(data.as_of), ratios, known_at=known_at)


@capability(
    title="Multiples of peers",
    returns=PeerMultiples,
    requires={"get_stock_data", "get_profile", "get_peers"},
    uses=(*STATEMENTS, "get_fundamentals"),
)
def get_peer_multiples(data: MarketData, ticker: str, curr_date: date | None = None) -> PeerMultiples:
    """Compare a company's P/E, P/S, P/B, EV/EBITDA and free cash flow yield with those of four peers of its sector.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
    """
    market = data.as_of_date(curr_date)
    own, instrument = _fundamentals(market, ticker), market.instrument(ticker)
    symbol, sector = instrument.symbol, instrument.sector
    if sector is None:
        raise NoData(f"The sector of {symbol} is not known, so it has no peers; continue without it.")
    if own.periods and own.shares is None and not own.withheld and not market.is_local("get_income_statement"):
        # So it is with every company of such a source: asking for the peers' books would cost requests for nothing.
        raise NoData(
            f"No multiples of {symbol} and its peers: the statements of {own.source} give no share count; "
            f"continue without it, or choose another vendor in tool_vendors."
        )
    chosen = [peer for peer in market.peers(symbol, sector) if peer != symbol][:PEERS_VALUED]
    if not chosen:
        raise NoData(f"No peers of {symbol} are known; continue without it.")
    found = _each(market, chosen)
    valued = {peer: ratios for peer, ratios in found.items() if isinstance(ratios, Fundamentals)}
    return peer_multiples(
        own,
        list(valued.values()),
        as_of=market.as_of,
        sector=sector,
        known_at=market.cutoff.instant,
        missing={peer: why for peer, why in found.items() if isinstance(why, str)},
    )


@capability(
    returns=FundamentalScreen,
    requires={"get_stock_data", "get_profile", *STATEMENTS},
    uses=("get_peers", "get_fundamentals"),
)
def fundamental_screen(
    data: MarketData, ticker: str, framework: Literal["all"] | ScreenName = "all"
) -> FundamentalScreen:
    """Screen a company's statements: Piotroski F, Altman Z, Beneish M, DuPont, Graham number, magic-formula rank.

    Each score comes with its signals and their inputs; what cannot be computed is named.

    Args:
        ticker: Ticker, for example AAPL.
        framework: One of piotroski_f, altman_z, beneish_m, dupont, graham_number, magic_formula, or all. Of a remote
            vendor the rank of magic_formula, which needs the statements of the peers, is computed only when named.
    """
    wanted = SCREEN_NAMES if framework == "all" else (framework,)
    rank = framework == "magic_formula" or (framework == "all" and data.is_local("get_income_statement"))
    own, statements = _fundamentals(data, ticker), every_statement(data, ticker)
    return screened(
        own,
        statements,
        as_of=data.as_of,
        known_at=data.cutoff.instant,
        frameworks=wanted,
        peers=_screened_peers(data, own) if rank else None,
    )


@capability(
    title="Trailing and forward P/E",
    returns=TrailingForwardPE,
    requires={"get_stock_data", "get_profile", *STATEMENTS},
    uses=("get_fundamentals",),
)
def trailing_forward_pe(data: MarketData, ticker: str) -> TrailingForwardPE:
    """Get a company's P/E on the last twelve months' earnings and, for the current day, on expected earnings.

    Args:
        ticker: Ticker, for example AAPL.
    """
    return pe_ratios(_fundamentals(data, ticker), as_of=data.as_of)


@capability(
    title="Company facts",
    returns=CompanyInfo,
    requires={"get_stock_data", "get_profile"},
    uses=(*STATEMENTS, "get_fundamentals", "get_peers"),
    quotes_documents=True,
)
def company_info(data: MarketData, ticker: str) -> CompanyInfo:
    """Describe a company: sector, industry, exchange, market value, peers, benchmark, how far its data reach.

    Args:
        ticker: Ticker, for example AAPL.
    """
    own, prices, instrument = _fundamentals(data, ticker), data.prices(ticker), data.instrument(ticker)
    return described(
        own,
        prices,
        data.profile(ticker),
        as_of=data.as_of,
        exchange=instrument.listed,
        benchmark=instrument.benchmark,
        sector_fund=instrument.sector_etf,
        peers=data.peers(instrument.symbol, instrument.sector) if instrument.sector else (),
    )


@capability(
    title="Earnings history",
    returns=EarningsHistory,
    requires={"get_earnings_calendar"},
    uses=FUNDAMENTALS_FROM,
)
def earnings(data: MarketData, ticker: str) -> EarningsHistory:
    """Get a company's quarterly results against the estimates before them, growth on the year, and the next date.

    Args:
        ticker: Ticker, for example AAPL.
    """
    symbol = normalise(ticker)
    days = EARNINGS_DAYS if data.is_local("get_earnings_calendar") else EARNINGS_DAYS_REMOTE
    first = data.as_of - days
    # Earlier ones, which a local calendar adds, are not on the share basis of the day.
    calendar = data.earnings_calendar(first, data.as_of + EARNINGS_AHEAD, symbol)
    events = [event for event in calendar if event.day >= first]
    doubt = share_doubt(data, symbol) if any(event.eps is not None for event in events) else None
    if doubt is not None:
        events = [replace(event, eps=None, withheld=doubt) if event.eps is not None else event for event in events]
    return earnings_history(
        [*events, *_missing_result(data, symbol, events)],
        symbol=symbol,
        as_of=data.as_of,
        fetched_at=data.asked_at,
        source=data.vendor_of("get_earnings_calendar"),
    )


def _missing_result(data: MarketData, symbol: str, events: Sequence[EarningsEvent]) -> tuple[EarningsEvent, ...]:
    """Return results that are out and whose income statement is missing: older ones must not stand for them."""
    if not events or not data.is_local("get_income_statement"):
        return ()
    newest = next(iter(_statements(data.with_new_sheet(), symbol, "income")), None)
    if newest is None or not is_missing(newest) or any(event.period_end == newest.period_end for event in events):
        return ()
    reason = next(iter(newest.withheld.values()))
    day = local_day(newest.known_at, symbol)
    return (
        replace(
            events[-1],
            day=day,
            known_at=newest.known_at,
            period_end=newest.period_end,
            fiscal_period=newest.fiscal_period,
            eps=None,
            eps_estimate=None,
            revenue=None,
            withheld=reason,
        ),
    )


@capability(
    title="Instruments found", returns=ResolvedInstruments, requires={"get_profile"}, uses={"get_industry_performance"}
)
def resolve(data: MarketData, ticker: str) -> ResolvedInstruments:
    """Find the instrument that a name or ticker means; where more than one fits, the candidates.

    Names are known of the companies that a local source holds; a remote source is asked for the ticker only.

    Args:
        ticker: Ticker or name, for example AAPL, Apple or Johnson & Johnson.
    """
    try:
        exact = data.profile(ticker)
    except (BadSymbol, NoData):
        exact = None
    known = [(exact.symbol, exact.name, exact.sector)] if exact is not None else known_companies(data)
    query = exact.symbol if exact is not None else ticker
    changed = change_hint(ticker.strip()) if exact is None else None
    if changed is not None:
        raise NoData(changed)
    candidates = matching(query, known)
    if not candidates:
        raise NoData(
            f"No instrument known to {data.vendor_of('get_profile')} is called {ticker[:60]!r}; name its ticker."
        )
    return resolved(
        ticker,
        candidates,
        as_of=data.as_of,
        source=data.vendor_of("get_profile"),
        fetched_at=data.asked_at,
    )


@capability(
    title="Instruments by the start of a name",
    returns=ResolvedInstruments,
    requires={"get_profile"},
    uses={"get_industry_performance"},
    example={"text": "{symbol}"},
)
def find_instruments(
    data: MarketData,
    text: Annotated[str, StringConstraints(max_length=LONGEST_TEXT)],
    limit: Annotated[int, Field(ge=1, le=50)] = 8,
) -> ResolvedInstruments:
    """List the instruments whose ticker or name begins as a text does, for completion while it is typed.

    A local source is searched for what it holds. Of a remote one nothing is asked: the library's own list of companies,
    funds, coins and indices is searched. Where nothing begins so and the text is written as a ticker, in capitals, that
    is the symbol of the answer.

    Args:
        text: What was typed so far, for example AAP or micros.
        limit: Most instruments to list.
    """
    candidates = starting_with(text, known_instruments(data), limit=limit)
    found = resolved(
        text.strip(),
        candidates,
        as_of=data.as_of,
        source=data.vendor_of("get_profile") if data.is_local("get_profile") else LISTED_NAMES,
        fetched_at=data.asked_at,
    )
    if candidates or text != text.upper():
        return found
    return found.model_copy(update={"symbol": ticker_of(text)})


def known_instruments(market: MarketData) -> list[tuple[str, str, str | None]]:
    """Return symbol, name and sector of all that can be named: what a local source holds, else the library's list."""
    if not market.is_local("get_profile"):
        return [(symbol, company.name, None) for company in listed_companies() for symbol in company.symbols]
    methods = ("get_profile", "get_industry_performance")
    return shared_part(market, ("known_instruments",), methods, _held_instruments)


def _held_instruments(view: MarketData) -> list[tuple[str, str, str | None]]:
    """Return the companies of a local source, the largest of the sectors first, then its indices and funds."""
    companies = known_companies(view)
    large = {symbol for some in PEERS.values() for symbol in some}
    companies.sort(key=lambda company: company[0] not in large)
    titles = {**INDICES, **FUNDS, **dict.fromkeys(SECTOR_ETF.values(), "")}
    profiles = {symbol: view.known_profile(symbol) for symbol in titles}
    others = [
        (symbol, titles[symbol] if profile.name == symbol else profile.name, None)
        for symbol, profile in profiles.items()
        if profile is not None
    ]
    return [*companies, *others]


def known_companies(market: MarketData) -> list[tuple[str, str, str | None]]:
    """Return symbol, name and sector of the companies that a local source lists by sector."""
    if not market.is_local("get_industry_performance"):
        return []
    view = market.with_new_sheet()
    found: list[tuple[str, str, str | None]] = []
    for sector in SECTORS:
        try:
            found += [(one.symbol, one.name, sector) for one in view.sector_members(sector)]
        except DataError:
            continue
    return found


def _screened_peers(market: MarketData, own: Fundamentals) -> dict[str, tuple[Fundamentals, tuple[Statement, ...]]]:
    """Return ratios and statements of the peers a company is ranked with; those without them are left out."""
    if own.sector is None or own.symbol is None:
        return {}
    found: dict[str, tuple[Fundamentals, tuple[Statement, ...]]] = {}
    for peer in market.peers(own.symbol, own.sector):
        try:
            found[peer] = _fundamentals(market, peer), every_statement(market, peer)
        except (BadSymbol, DataError):
            continue
        if len(found) == PEERS_VALUED:
            break
    return found


def every_statement(market: MarketData, ticker: str) -> tuple[Statement, ...]:
    """Return the statements of all kinds and frequencies that were filed by the market's day."""
    kinds: tuple[StatementKind, ...] = ("income", "balance", "cashflow")
    return tuple(statement for kind in kinds for statement in _statements(market, ticker, kind))


def per_quoted_share(market: MarketData, ticker: str, statements: Sequence[Statement]) -> tuple[Statement, ...]:
    """Return statements without counts and EPS where a share of theirs may be none that is quoted, with the reason."""
    doubt = share_doubt(market, ticker) if any(map(has_share_figures, statements)) else None
    if doubt is None:
        return tuple(statements)
    return tuple(
        without_share_figures(statement, doubt) if has_share_figures(statement) else statement
        for statement in statements
    )


def share_doubt(market: MarketData, ticker: str) -> str | None:
    """Return why one quoted share may not be one share of the statements; None where nothing says so.

    Looked at where it costs no request: of remote sources the ratios of the company say so alone.
    """
    if market.may_block(FUNDAMENTALS_FROM):
        return None
    try:
        own = _fundamentals(market.with_new_sheet(), ticker)
    except (BadSymbol, DataError, VendorNotConfigured):
        return None
    return next((reason for reason in own.withheld if is_of_quoted_share(reason)), None)


def _each(market: MarketData, symbols: Sequence[str]) -> dict[str, Fundamentals | str]:
    """Return each company's ratios, or why it has no multiple: in turn where that costs nothing, else at once."""

    def one(symbol: str) -> Fundamentals | str:
        try:
            ratios = _fundamentals(market, symbol)
        except NoData:
            return "the source has no prices or profile of it"
        except (BadSymbol, DataError):
            return "the source could not be asked about it"
        return no_multiples(ratios) or ratios

    return market.of_each(symbols, one, "get_income_statement")


def _fundamentals(market: MarketData, ticker: str) -> Fundamentals:
    """Return a company's ratios; on a past day each company's once for all runs, since it is a peer of many."""
    return shared_part(market, ("fundamentals", ticker), FUNDAMENTALS_FROM, lambda view: _ratios_of(view, ticker))


def _ratios_of(market: MarketData, ticker: str) -> Fundamentals:
    prices = market.prices(ticker)
    instrument = market.instrument(ticker)
    return fundamentals(
        prices,
        _statements(market, ticker, "income"),
        _statements(market, ticker, "balance"),
        _statements(market, ticker, "cashflow"),
        market.profile(ticker),
        as_of=market.as_of,
        benchmark=_prices(market, instrument.benchmark),
        known_at=market.cutoff.instant,
        ratios=_ratios(market, ticker),
    )


@capability(
    returns=StatementTable, requires={"get_balance_sheet"}, uses={"get_stock_data", *STATEMENTS} - {"get_balance_sheet"}
)
def get_balance_sheet(
    data: MarketData, ticker: str, freq: Freq = "quarterly", curr_date: date | None = None
) -> StatementTable:
    """Get balance sheets as filed by the day, newest first, at most eight.

    Args:
        ticker: Ticker, for example AAPL.
        freq: quarterly or annual.
        curr_date: Day by which they were filed, YYYY-MM-DD; none: the day of this study.
    """
    return _table(data.as_of_date(curr_date), ticker, "balance", freq)


@capability(returns=StatementTable, requires={"get_cashflow"}, uses={"get_stock_data", *STATEMENTS} - {"get_cashflow"})
def get_cashflow(
    data: MarketData, ticker: str, freq: Freq = "quarterly", curr_date: date | None = None
) -> StatementTable:
    """Get cash-flow statements as filed by the day, newest first, at most eight.

    Args:
        ticker: Ticker, for example AAPL.
        freq: quarterly or annual.
        curr_date: Day by which they were filed, YYYY-MM-DD; none: the day of this study.
    """
    return _table(data.as_of_date(curr_date), ticker, "cashflow", freq)


@capability(
    returns=StatementTable,
    requires={"get_income_statement"},
    uses=set(FUNDAMENTALS_FROM) - {"get_income_statement"},
)
def get_income_statement(
    data: MarketData, ticker: str, freq: Freq = "quarterly", curr_date: date | None = None
) -> StatementTable:
    """Get income statements as filed by the day, newest first, at most eight.

    Args:
        ticker: Ticker, for example AAPL.
        freq: quarterly or annual.
        curr_date: Day by which they were filed, YYYY-MM-DD; none: the day of this study.
    """
    return _table(data.as_of_date(curr_date), ticker, "income", freq)


@capability(
    title="Twelve months of statements",
    returns=TTMAnalysis,
    requires=STATEMENTS,
    uses={"get_stock_data", "get_profile"},
)
def get_ttm_analysis(data: MarketData, ticker: str, curr_date: date | None = None) -> TTMAnalysis:
    """Sum the last four reported quarters and show eight: growth, margins and their trend, leverage, cash flow.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day by which they were filed, YYYY-MM-DD; none: the day of this study.
    """
    market = data.as_of_date(curr_date)
    income = _statements(market, ticker, "income")
    balance = _statements(market, ticker, "balance")
    cashflow = _statements(market, ticker, "cashflow")
    if not (income or balance or cashflow):
        vendor, last = market.vendor_of("get_income_statement"), market.cutoff.session
        raise NoData(
            f"{vendor} has no statement of {ticker} from {last} or before; continue without it, or use another vendor."
        )
    return ttm(
        income,
        balance,
        cashflow,
        as_of=market.as_of,
        fetched_at=market.asked_at,
        profile=market.known_profile(ticker),
    )


def _table(market: MarketData, ticker: str, kind: StatementKind, freq: Freq) -> StatementTable:
    return statement_table(
        per_quoted_share(market, ticker, market.statements(ticker, kind, freq)),
        as_of=market.as_of,
        kind=kind,
        freq=freq,
        fetched_at=market.asked_at,
        profile=market.known_profile(ticker) if kind == "income" else None,
    )


def _statements(market: MarketData, ticker: str, kind: StatementKind) -> tuple[Statement, ...]:
    """Return quarterly and annual statements together: where a source has no quarters, the years must do."""
    found: list[Statement] = []
    for freq in ("quarterly", "annual"):
        try:
            found.extend(market.statements(ticker, kind, freq))
        except NoData:
            continue
    return tuple(found)


def _prices(market: MarketData, symbol: str | None) -> Prices | None:
    try:
        return market.prices(symbol) if symbol else None
    except DataError:
        return None


def _ratios(market: MarketData, ticker: str) -> Ratios | None:
    """Return the vendor's ratios of today; None for a past day, and for a vendor that has none."""
    try:
        return market.ratios(ticker)
    except DataError:
        return None
