"""Questions about what a company is worth: inputs, value, sensitivity, expectations, multiples; and the index."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any, Literal

import numpy as np

from tradingagents.analytics.company.statements import QUARTERS, as_labelled
from tradingagents.analytics.price.beta_estimate import DAILY_SESSIONS, daily_regression
from tradingagents.analytics.price.returns import too_many_lost
from tradingagents.capabilities.business_peers import by_business, is_bank
from tradingagents.capabilities.capability import capability
from tradingagents.capabilities.documents import read_stored_figures
from tradingagents.capabilities.filed_balance import with_balance
from tradingagents.dataflows.gateway.financial_sources import STATEMENT_METHOD
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices, Profile, Statement, StatementKind
from tradingagents.dataflows.reference.currencies import is_stated
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.errors import BadSymbol, DataError, NoData, VendorNotConfigured
from tradingagents.valuation.company.assumptions import MARGINAL_TAX, BuiltInputs, ValuationAssumption
from tradingagents.valuation.company.build import build_for_model
from tradingagents.valuation.company.cases import cases_of
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.discount_rates.index_premium import IndexPayout, implied_return
from tradingagents.valuation.company.discount_rates.premium import equity_premium
from tradingagents.valuation.company.discount_rates.rates import LEAST_PEERS, MarketRates, PeerBeta, peer_beta
from tradingagents.valuation.company.doubts import doubts_of, is_doubt, why_debt_withholds
from tradingagents.valuation.company.facts import CompanyFacts, company_facts
from tradingagents.valuation.company.kind import ModelChoice, ModelName, choose_model
from tradingagents.valuation.company.methods.path_to_profit import outcomes
from tradingagents.valuation.company.opening import needed_margin, opening
from tradingagents.valuation.company.results import (
    BetaEvidence,
    CompanyValuation,
    CompanyValuationInputs,
    IndexValuation,
    PriceExpectations,
    RelativeValuation,
    ValuationSensitivity,
    each_once,
)
from tradingagents.valuation.dcf import KERNEL_VERSION, Valuation, project, value_company
from tradingagents.valuation.drivers import DRIVERS
from tradingagents.valuation.equity_models import EquityValuation, implied_rate, value_equity
from tradingagents.valuation.inputs import InadmissibleInput, ValuationInputs
from tradingagents.valuation.limited_liability import why_no_value, why_withheld
from tradingagents.valuation.overrides import read_override
from tradingagents.valuation.relative import CompanyFigures, implied_ranges
from tradingagents.valuation.reverse import solve_driver
from tradingagents.valuation.sensitivity import grid, tornado

STATEMENTS = tuple(STATEMENT_METHOD.values())
NEEDS = {"get_stock_data", "get_profile", *STATEMENTS}
RATES = {"get_macro_indicators", "get_peers", "get_industry_performance"}
MOST_PEERS_LOCAL, MOST_PEERS_REMOTE = 6, 5
"""Peers whose multiples are computed: each costs up to seven requests where the vendor is remote."""
MOST_BETAS_LOCAL, MOST_SIZED = 10, 20
"""Peers whose betas are used, and most companies of which those nearest in size are looked for."""
RISK_FREE_SERIES = {
    "USD": "DGS10",
    **{
        currency: f"IRLTLT01{country}M156N"
        for currency, country in (
            *(("EUR", "DE"), ("GBP", "GB"), ("JPY", "JP"), ("CHF", "CH"), ("CAD", "CA"), ("AUD", "AU"), ("NZD", "NZ")),
            *(("SEK", "SE"), ("NOK", "NO"), ("DKK", "DK"), ("KRW", "KR"), ("MXN", "MX"), ("ILS", "IL"), ("ZAR", "ZA")),
        )
    },
}
"""Ten-year government yields by currency as series of the macro vendor: of the treasury by day, else of the OECD by
month; of the euro Germany's."""
RISK_FREE_INDEX = "^TNX"
"""The ten-year treasury as a price in percent, where there is no series."""
RATE_WINDOW, MONTHLY_WINDOW = timedelta(days=30), timedelta(days=120)
BASE_PERIOD = "base_period"
"""Among the assumptions: the day to which the figures known reach, by which a person accepts them as they are."""
LEAST_YIELD = 2e-4
"""Of a dividend that an adjusted close shows; less is rounding."""
YEAR, WEEK = timedelta(days=365), timedelta(days=7)
INDEX, INDEX_FUND = "^GSPC", "SPY"
BUYBACKS = 1.5
"""Buybacks of the index's companies over their dividends, the usual ratio of the last ten years."""
INDEX_GROWTH_BOUNDS = (0.0, 0.10)
Driver = Literal["wacc", "stable_growth", "sales_growth", "oper_margin", "sales_to_capital", "stable_roic"]


@capability(title="Inputs of a valuation", returns=CompanyValuationInputs, requires=NEEDS, uses=RATES)
def build_valuation_inputs(
    data: MarketData, ticker: str, curr_date: date | None = None, model: ModelName = "auto", assumptions: str = ""
) -> CompanyValuationInputs:
    """Build the inputs of a valuation from what was known by a day; each assumption says where it comes from.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
        model: fcff, excess_returns (banks, insurers, utilities), funds_from_operations (REITs), dividend_discount, or
            auto, which chooses by the kind of company.
        assumptions: Numbers to use instead, such as wacc=0.09; growth=0.08; separated by semicolons.
    """
    case = _case(data.as_of_date(curr_date), ticker, model, assumptions)
    why = _why_withheld(case.facts)
    return CompanyValuationInputs(
        **_shared(case),
        notes=(*case.facts.notes, *((why,) if why else ())),
        beta=_beta_evidence(case),
        capital=case.built.capital,
        history=case.facts.years,
    )


@capability(returns=CompanyValuation, requires=NEEDS, uses=RATES)
def valuation(
    data: MarketData, ticker: str, curr_date: date | None = None, model: ModelName = "auto", assumptions: str = ""
) -> CompanyValuation:
    """Value a company without a language model: value per share, bridge, and the growth its price implies.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
        model: fcff, excess_returns (banks, insurers, utilities), funds_from_operations (REITs), dividend_discount, or
            auto, which chooses by the kind of company.
        assumptions: Numbers to use instead, such as wacc=0.09; growth=0.08; separated by semicolons.
    """
    case = _case(data.as_of_date(curr_date), ticker, model, assumptions)
    inputs, price = case.built.inputs, case.facts.price
    if isinstance(inputs, ValuationInputs):
        firm = value_company(inputs)
        values: dict[str, Any] = {
            "valuation": firm,
            "projection": project(inputs),
            "implied_name": "growth_years_1_to_5",
            "implied": solve_driver(inputs, "sales_growth", price).level,
        }
        worth, warnings = _worth(case, firm), firm.warnings
        if inputs.failure_probability:
            warnings = (outcomes(inputs, case.facts.currency), *warnings)
    else:
        equity = value_equity(inputs)
        name, _, implied = implied_rate(inputs, price)
        values = {"valuation": equity, "projection": None, "implied_name": name, "implied": implied}
        worth, warnings = _worth(case, equity), ()
    return CompanyValuation(
        **_shared(case),
        **values,
        opening=opening(
            inputs,
            price=price,
            currency=case.facts.currency,
            record=case.facts.record,
            doubts=doubts_of(case.built, case.facts),
            figures_of=case.facts.figures_of,
        ),
        cases=cases_of(inputs, case.facts.record),
        notes=(*(note for note in case.facts.notes if not is_doubt(note)), *warnings),
        value_per_share=worth,
        upside=worth / price - 1,
        kernel_version=KERNEL_VERSION,
    )


@capability(title="Sensitivity of the valuation", returns=ValuationSensitivity, requires=NEEDS, uses=RATES)
def sensitivity(
    data: MarketData,
    ticker: str,
    curr_date: date | None = None,
    rows: Driver = "wacc",
    columns: Driver = "stable_growth",
    assumptions: str = "",
) -> ValuationSensitivity:
    """Show how a company's value per share changes with two drivers, and with each driver alone.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
        rows: Driver of the rows.
        columns: Driver of the columns, another one.
        assumptions: Numbers to use instead, such as wacc=0.09; growth=0.08; separated by semicolons.
    """
    case = _case(data.as_of_date(curr_date), ticker, "fcff", assumptions)
    inputs = _firm(case)
    _worth(case, value_company(inputs))
    table = grid(inputs, rows, columns)
    cells = tuple(tuple(None if cell != cell else float(cell) for cell in row) for row in table.values)
    used = sorted({int(cause) for cause in table.causes.ravel() if cause})
    return ValuationSensitivity(
        **_shared(case),
        notes=case.facts.notes,
        rows_driver=table.rows,
        columns_driver=table.columns,
        row_levels=table.row_levels,
        column_levels=table.column_levels,
        values=cells,
        reasons=tuple(table.reasons[cause - 1] for cause in used),
        base_value=table.base_value,
        tornado=tornado(inputs).bars,
        kernel_version=KERNEL_VERSION,
    )


@capability(returns=PriceExpectations, requires=NEEDS, uses=RATES)
def reverse_valuation(
    data: MarketData, ticker: str, curr_date: date | None = None, model: ModelName = "auto", assumptions: str = ""
) -> PriceExpectations:
    """Find what the price of a share implies: growth, margin, cost of capital, each with the others unchanged.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
        model: fcff, excess_returns (banks, insurers, utilities), funds_from_operations (REITs), dividend_discount, or
            auto, which chooses by the kind of company.
        assumptions: Numbers to use instead, such as wacc=0.09; growth=0.08; separated by semicolons.
    """
    case = _case(data.as_of_date(curr_date), ticker, model, assumptions)
    inputs, price = case.built.inputs, case.facts.price
    if isinstance(inputs, ValuationInputs):
        chosen = [one for one in DRIVERS if one != "stable_roic" or inputs.stable_roic is not None]
        drivers = tuple(solve_driver(inputs, one, price) for one in chosen)
        why = _why_none(case, value_company(inputs))
        return PriceExpectations(
            **_shared(case),
            notes=(*case.facts.notes, *((why,) if why else ())),
            base_value=None if why else drivers[0].base_value,
            drivers=tuple(replace(one, base_value=None) for one in drivers) if why else drivers,
        )
    worth = value_equity(inputs)
    why = _why_none(case, worth)
    return PriceExpectations(
        **_shared(case),
        notes=(*case.facts.notes, *((why,) if why else ())),
        base_value=None if why else worth.value_per_share,
        drivers=(),
        implied_rates=(implied_rate(inputs, price),),
    )


@capability(returns=RelativeValuation, requires=NEEDS, uses={"get_peers", "get_industry_performance"})
def relative_valuation(data: MarketData, ticker: str, curr_date: date | None = None) -> RelativeValuation:
    """Find the price of a share at its peers' EV/EBITDA, EV/sales, P/E, P/B and P/FCF, with quartiles.

    Args:
        ticker: Ticker, for example AAPL.
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
    """
    market = data.as_of_date(curr_date)
    own, prices = _facts(market, ticker)
    if not own.is_current:
        raise NoData(
            f"The newest twelve months known of {own.symbol} are of another time than its price, so that no multiple "
            f"fits: {own.notes[0]} Continue without it, or choose another vendor."
        )
    peers = [facts for facts, _ in _peers(market, own) if facts.currency == own.currency]
    found = [one for one in peers if one.is_current]
    older = [one.symbol for one in peers if not one.is_current]
    left_out = (
        (f"Left out: {', '.join(older)}, whose newest twelve months known are of another time than the price.",)
        if older
        else ()
    )
    return RelativeValuation(
        symbol=own.symbol,
        as_of=market.as_of,
        source=_sources(market),
        currency=own.currency,
        known_at=market.cutoff.instant,
        fetched_at=prices.fetched_at,
        end=own.price_day,
        rows=1 + len(found),
        inputs=tuple(one.symbol for one in found),
        notes=(
            *own.notes,
            *own.withheld,
            *left_out,
            *(() if found else ("No peers with recent statements are known.",)),
            *(reason for peer in found for reason in peer.withheld),
        ),
        name=own.profile.name,
        figures_of=own.figures_of,
        sector=own.profile.sector,
        price=own.price,
        ranges=implied_ranges(_figures(own), [_figures(one) for one in found]),
    )


@capability(
    title="Valuation of the S&P 500",
    returns=IndexValuation,
    requires={"get_stock_data"},
    uses={"get_macro_indicators"},
    example={"assumptions": "payout_yield=0.03; growth=0.05"},
)
def sp500_dcf(data: MarketData, curr_date: date | None = None, assumptions: str = "") -> IndexValuation:
    """Find the return and the equity risk premium that the level of the S&P 500 implies, from what its companies pay.

    Args:
        curr_date: Day to value at, YYYY-MM-DD; none: the day of this study.
        assumptions: Numbers to use instead: payout_yield, growth, risk_free; such as payout_yield=0.03; growth=0.06.
    """
    market, given = data.as_of_date(curr_date), _given(assumptions)
    known = ("payout_yield", "growth", "risk_free")
    for name in given:
        if name not in known:
            raise InadmissibleInput(name, f"there is no such assumption; known are {', '.join(known)}.")
    level, fund, rows = market.prices(INDEX), _fund(market), []

    def take(name: str, find: Callable[[], Sourced]) -> float:
        if name in given:
            rows.append(ValuationAssumption(name, float(given[name]), "given", "given"))
        else:
            found = find()
            kind: Literal["data", "default"] = "default" if found.assumed else "data"
            rows.append(ValuationAssumption(name, found.value, kind, found.source))
        return rows[-1].value

    risk_free = take("risk_free", lambda: _risk_free(market, "USD"))
    payout = take("payout_yield", lambda: _payout_yield(fund)) * float(level.close[-1])
    growth = take("growth", lambda: _payout_growth(fund))
    worth = IndexPayout(level=float(level.close[-1]), payout=payout, growth=growth, risk_free=risk_free)
    found = implied_return(worth)
    return IndexValuation(
        symbol=INDEX,
        as_of=market.as_of,
        source=_sources(market),
        known_at=market.cutoff.instant,
        fetched_at=level.fetched_at,
        end=level.days[-1].item(),
        rows=len(level),
        inputs=(INDEX_FUND,) if fund is not None else (),
        level=worth.level,
        payout=payout,
        implied_return=found,
        risk_free=risk_free,
        implied_premium=found - risk_free,
        published_premium=_published(market.as_of),
        assumptions=tuple(rows),
    )


@dataclass(frozen=True, slots=True)
class _Case:
    """A company on a day with the inputs built for it."""

    market: MarketData
    facts: CompanyFacts
    prices: Prices
    rates: MarketRates
    built: BuiltInputs
    choice: ModelChoice


def _case(market: MarketData, ticker: str, model: ModelName, assumptions: str) -> _Case:
    given = _given(assumptions)
    accepted = given.pop(BASE_PERIOD, None)
    profile = market.profile(ticker)
    choose_model(model, profile)  # before anything is asked for
    facts, prices = _facts(market, ticker)
    facts = _with_filed_balance(market, facts if accepted is None else _accepted(facts, accepted))
    choice = choose_model(model, profile, facts=facts, given=given)
    facts = replace(facts, notes=(*choice.why, *facts.notes))
    rates = _rates(market, facts, prices, given)
    margins = _margins_of_industry(market, profile) if choice.kind == "no_profit_yet" else {}
    built = build_for_model(
        choice.model, facts, rates, given, as_of=market.as_of, kind=choice.kind, peer_margins=margins
    )
    return _Case(market, facts, prices, rates, built, choice)


def _margins_of_industry(market: MarketData, profile: Profile) -> dict[str, float]:
    """Return the operating margins of companies of the same industry that earn, as many as the source knows."""
    found: dict[str, float] = {}
    for symbol in market.peers(profile.symbol, profile.sector) if profile.sector and profile.industry else ():
        other = market.known_profile(symbol)
        if symbol == profile.symbol or other is None or other.industry != profile.industry:
            continue
        try:
            facts, _ = _facts(market, symbol, is_peer=True, with_cashflow=False)
        except (DataError, BadSymbol):
            continue
        income, revenue = facts.operating_income, facts.revenue
        if income is not None and revenue is not None and income.value > 0 and revenue.value > 0:
            found[symbol] = income.value / revenue.value
    return found


def _accepted(facts: CompanyFacts, period: object) -> CompanyFacts:
    """Return facts whose base a person accepts although a newer report is overdue; a note says so.

    Raises:
        InadmissibleInput: The figures known are of another period.
    """
    if period != facts.base_period.isoformat():
        raise InadmissibleInput(BASE_PERIOD, f"the newest figures known are of the {facts.figures_of}, not {period}.")
    if not facts.overdue:
        return facts
    note = f"The figures are of the {facts.figures_of}, as accepted by {BASE_PERIOD}={period}: {facts.overdue}."
    return replace(facts, overdue="", notes=(note, *facts.notes))


def _given(assumptions: str) -> dict[str, Any]:
    """Read `name=value; name=value`."""
    return dict(read_override(part) for part in assumptions.split(";") if part.strip())


def _shared(case: _Case) -> dict[str, Any]:
    """Return what every answer about one company holds."""
    facts = case.facts
    return {
        "symbol": facts.symbol,
        "as_of": case.market.as_of,
        "source": _sources(case.market),
        "currency": facts.currency,
        "known_at": case.market.cutoff.instant,
        "fetched_at": case.prices.fetched_at,
        "end": facts.price_day,
        "rows": len(case.prices),
        "kernel_inputs": case.built.inputs,
        "name": facts.profile.name,
        "kind": case.choice.kind,
        "model": case.built.model,
        "price": facts.price,
        "price_day": facts.price_day,
        "base_period": facts.base_period,
        "figures_of": facts.figures_of,
        "assumptions": case.built.assumptions,
    }


def _firm(case: _Case) -> ValuationInputs:
    assert isinstance(case.built.inputs, ValuationInputs)  # noqa: S101 - the model asked for
    return case.built.inputs


def _why_none(case: _Case, found: Valuation | EquityValuation) -> str | None:
    """Return why an answer shows no value per share; None where it does."""
    return (
        _why_withheld(case.facts)
        or why_debt_withholds(case.built, case.facts)
        or why_no_value(case.built.inputs, found)
    )


def _why_withheld(facts: CompanyFacts) -> str | None:
    """Return which report is overdue, and what to give; None where none is."""
    return why_withheld(facts.figures_of, facts.overdue, facts.base_period) if facts.overdue else None


def _beta_evidence(case: _Case) -> BetaEvidence:
    rates, rows = case.rates, {row.name: row.value for row in case.built.assumptions}
    capital = case.built.capital
    return BetaEvidence(
        regression=rates.regression,
        benchmark=rates.benchmark,
        sector_unlevered=rates.sector_unlevered,
        peers=rates.peers,
        standard_error=rates.standard_error,
        returns=rates.returns,
        peers_of=rates.peers_of,
        peers_mean=rows.get("beta_peers"),
        weight=rows.get("beta_weight"),
        used=capital.levered_beta if capital is not None else rows.get("beta"),
    )


def _worth(case: _Case, found: Valuation | EquityValuation) -> float:
    """Return a value per share that an answer may show.

    Raises:
        NoData: The figures give none; says why, what to set, and which margin the price would need.
    """
    inputs, price = case.built.inputs, case.facts.price
    why = _why_none(case, found)
    if why is None:
        return found.value_per_share
    doubtful = why_debt_withholds(case.built, case.facts) is not None  # and so is any margin that fits it
    needed = needed_margin(inputs, price) if isinstance(inputs, ValuationInputs) and not doubtful else None
    also = f" The price of {price:,.2f} would need an operating margin of {needed:.1%}." if needed is not None else ""
    raise NoData(f"{why}{also}")


def _facts(
    market: MarketData, ticker: str, *, is_peer: bool = False, with_cashflow: bool = True
) -> tuple[CompanyFacts, Prices]:
    """Return what is known of a company; of a peer less is asked for."""
    prices = market.prices(ticker)
    income, balance = (_filed(market, ticker, kind, is_peer=is_peer) for kind in ("income", "balance"))
    cashflow = _filed(market, ticker, "cashflow", is_peer=is_peer) if with_cashflow else ()
    given = (*income, *balance, *cashflow)
    rate = _exchange_rate(market, given[0].currency, prices.currency) if given else 1.0
    profile = market.profile(ticker)
    return company_facts(prices, income, balance, cashflow, profile, exchange_rate=rate), prices


def _with_filed_balance(market: MarketData, facts: CompanyFacts) -> CompanyFacts:
    """Return facts with cash and debt from the newest stored filing where the statements give no cash or no debt."""
    if facts.cash is not None and facts.debt is not None and not facts.debt.assumed:
        return facts
    filed = read_stored_figures(market, facts.symbol)
    sheet = filed.balance
    if sheet is None or sheet.cells[0].unit != facts.currency:
        return facts
    found = with_balance(facts, sheet, market.as_of)
    return found if found is facts else replace(found, notes=(*found.notes, *filed.notes))


def _filed(market: MarketData, ticker: str, kind: StatementKind, *, is_peer: bool) -> tuple[Statement, ...]:
    """Return quarterly and annual statements together; of a peer the years only where a source has no four quarters."""
    found: list[Statement] = []
    for freq in ("quarterly", "annual"):
        if is_peer and len(as_labelled(found)) >= QUARTERS:
            break
        try:
            found.extend(market.statements(ticker, kind, freq))
        except NoData:
            continue
    return tuple(found)


def _exchange_rate(market: MarketData, books: str, price: str) -> float:
    """Return what one unit of the statements' currency is worth in the currency of the price, on the day."""
    unstated = [what for what, code in (("statements", books), ("price", price)) if not is_stated(code)]
    if unstated:
        raise NoData(
            f"The currency of the {' and the '.join(unstated)} is not stated, so that they are not set against each "
            f"other ({reference('currency-unknown')}). Choose another vendor, or add the currency to the data."
        )
    if books == price:
        return 1.0
    try:
        return float(market.prices(f"{books}{price}=X").close[-1])
    except (DataError, BadSymbol):
        raise NoData(
            f"The statements are in {books}, the price in {price}, and no exchange rate of the day is known; "
            f"choose a vendor that has {books}{price}=X."
        ) from None


def _rates(market: MarketData, facts: CompanyFacts, prices: Prices, given: Mapping[str, Any]) -> MarketRates:
    benchmark = market.instrument(facts.symbol).benchmark
    index = _prices(market, benchmark)
    own = daily_regression(prices, index) if index is not None else None
    peers, common = ((), "") if index is None or "beta" in given else _peer_betas(market, facts, index)
    return MarketRates(
        risk_free=Sourced(0.0, "given") if "risk_free" in given else _risk_free(market, facts.currency),
        equity_premium=Sourced(0.0, "given") if "equity_premium" in given else _premium(market.as_of),
        regression=own.beta if own is not None else None,
        benchmark=benchmark or "",
        peers=peers,
        standard_error=own.standard_error if own is not None else None,
        returns=own.returns if own is not None else 0,
        peers_of=common,
        regression_withheld="" if own is not None else _why_no_beta(prices, index),
    )


def _why_no_beta(prices: Prices, index: Prices | None) -> str:
    """Return why the bars a company and its benchmark have give no beta; empty where one of them is only young."""
    window = DAILY_SESSIONS + 1
    for one in (prices, *((index,) if index is not None else ())):
        whose = "" if one is prices else f": {one.symbol}, its benchmark, lacks bars"
        if one.lacks(window):
            return f"The beta of {prices.symbol} is withheld{whose}. {one.withheld_note}"
        if np.isnan(one.adj_close[-window:]).any():
            what = f"the adjusted closes of {one.symbol} in the last {DAILY_SESSIONS} sessions are not all sound"
            return f"The beta of {prices.symbol} is withheld: {what}. {' '.join(one.gate_notes)}".rstrip()
        if too_many_lost(one, window):
            what = f"too many of the last {DAILY_SESSIONS} sessions of {one.symbol} have no bar"
            return f"The beta of {prices.symbol} is withheld: {what}."
    return ""


def _risk_free(market: MarketData, currency: str) -> Sourced:
    """Return the yield of the ten-year treasury as published by the day; of other currencies the long government yield.

    Raises:
        NoData: No vendor has it.
    """
    series, window = RISK_FREE_SERIES.get(currency, ""), RATE_WINDOW if currency == "USD" else MONTHLY_WINDOW
    try:
        if series:
            last = market.macro_series(series, market.as_of - window).observations[-1]
            return Sourced(last.value / 100, f"get_macro_indicators: {series}, {last.day}")
    except (DataError, VendorNotConfigured):
        pass
    if currency != "USD":
        raise NoData(f"The risk-free rate of {currency} is not known; give it, such as risk_free=0.03.")
    index = _prices(market, RISK_FREE_INDEX)
    if index is None:
        raise NoData("The risk-free rate of the day is not known; give it, such as risk_free=0.04.")
    return Sourced(float(index.close[-1]) / 100, f"get_stock_data: {RISK_FREE_INDEX}, {index.days[-1].item()}")


def _premium(day: date) -> Sourced:
    found = equity_premium(day)
    return Sourced(found.value, f"default: {found.source}", assumed=True)


def _published(day: date) -> float | None:
    try:
        return equity_premium(day).value
    except NoData:
        return None


def _peers(market: MarketData, own: CompanyFacts) -> list[tuple[CompanyFacts, Prices]]:
    """Return the companies of the nearest business that have statements."""
    most = MOST_PEERS_LOCAL if market.is_local("get_income_statement") else MOST_PEERS_REMOTE
    found: list[tuple[CompanyFacts, Prices]] = []
    for peer in by_business(market, own.profile):
        if len(found) == most:
            break
        known = _peer_facts(market, peer.symbol, with_cashflow=True)
        if known is not None:
            found.append(known)
    return found


def _peer_facts(market: MarketData, symbol: str, *, with_cashflow: bool) -> tuple[CompanyFacts, Prices] | None:
    try:
        return _facts(market, symbol, is_peer=True, with_cashflow=with_cashflow)
    except (DataError, BadSymbol):
        return None


def _peer_betas(market: MarketData, own: CompanyFacts, index: Prices) -> tuple[tuple[PeerBeta, ...], str]:
    """Return the betas of the companies of the nearest business, and what these have in common.

    Those of the industry where it has five, the nearest in market value first; else the sector's too.
    """
    most = MOST_BETAS_LOCAL if market.is_local("get_income_statement") else MOST_PEERS_REMOTE
    peers = by_business(market, own.profile)
    industry = [peer.symbol for peer in peers if peer.same_industry]
    found = _betas(market, own, index, industry, most)
    if len(found) >= LEAST_PEERS:
        return found, f"the industry {own.profile.industry}"
    others = [peer.symbol for peer in peers if not peer.same_industry]
    more = _betas(market, own, index, others, most - len(found)) if others else ()
    few = f", as the industry {own.profile.industry} has {len(found)} other" if own.profile.industry else ""
    return (*found, *more), f"the sector {own.profile.sector}{few}" if found or more else ""


def _betas(
    market: MarketData, own: CompanyFacts, index: Prices, symbols: Sequence[str], most: int
) -> tuple[PeerBeta, ...]:
    """Return at most so many betas of companies; where more are known, of those nearest in market value first."""
    rows: list[tuple[float, PeerBeta]] = []
    is_local = market.is_local("get_income_statement")
    for symbol in symbols if is_local and len(symbols) <= MOST_SIZED else symbols[: 2 * most]:
        prices = _prices(market, symbol)
        slope = daily_regression(prices, index) if prices is not None else None
        if slope is None:
            continue
        known = _peer_facts(market, symbol, with_cashflow=False)
        facts = known[0] if known is not None and known[0].currency == own.currency else None
        is_known = facts is not None and facts.debt is not None and not facts.debt.assumed
        debt = facts.debt.value if is_known and facts and facts.debt else None
        worth = facts.market_value if facts is not None else None
        beta = peer_beta(
            symbol, slope.beta, debt, worth, MARGINAL_TAX, standard_error=slope.standard_error, returns=slope.returns
        )
        rows.append((_distance(worth, own.market_value), beta))
        if len(rows) == most and not is_local:
            break
    return tuple(beta for _, beta in sorted(rows, key=lambda row: row[0])[:most])


def _distance(worth: float | None, own: float | None) -> float:
    """Return how far a market value is from another, by their ratio; infinite where one is not known."""
    return abs(math.log(worth / own)) if worth and own and worth > 0 and own > 0 else math.inf


def _prices(market: MarketData, symbol: str | None) -> Prices | None:
    try:
        return market.prices(symbol) if symbol else None
    except (DataError, BadSymbol):
        return None


def _figures(facts: CompanyFacts) -> CompanyFigures:
    """Return what a company's multiples are made of.

    A debt that is only a default makes no enterprise value; a bank has neither that nor a free cash flow.
    """
    bank = is_bank(facts.profile)
    known = not bank and facts.debt is not None and not facts.debt.assumed and facts.cash is not None
    return CompanyFigures(
        symbol=facts.symbol,
        market_value=facts.market_value,
        net_debt=facts.debt.value - facts.cash.value if known and facts.debt and facts.cash else None,
        shares=facts.shares.value if facts.shares else None,
        ebitda=facts.ebitda,
        sales=facts.revenue.value if facts.revenue else None,
        net_income=facts.net_income.value if facts.net_income else None,
        equity=facts.equity.value if facts.equity else None,
        free_cash_flow=None if bank else facts.free_cash_flow,
    )


def _fund(market: MarketData) -> Prices | None:
    return _prices(market, INDEX_FUND)


def _year_paid(fund: Prices, years_ago: int) -> float | None:
    """Return what a fund paid for each share in a year; from its adjusted close where its dividends are not listed.

    None where the prices do not reach back so far, or are adjusted for dividends themselves.
    """
    end = fund.days[-1].item() - YEAR * years_ago
    start = end - YEAR
    if fund.days[0].item() > start + WEEK:
        return None
    if not np.isfinite(fund.adj_close[fund.days > np.datetime64(start, "D")]).all():
        return None  # its dividends and its adjusted closes contradict each other
    if fund.dividends:
        return sum(one.amount for one in fund.dividends if start < one.day <= end)
    if fund.basis != "split_adjusted":
        return None
    year = (fund.days > np.datetime64(start, "D")) & (fund.days <= np.datetime64(end, "D"))
    kept = (fund.adj_close[1:] / fund.adj_close[:-1]) / (fund.close[1:] / fund.close[:-1]) - 1
    paid = np.where(kept > LEAST_YIELD, kept * fund.close[:-1], 0.0)
    return float(paid[year[1:]].sum())


def _payout_yield(fund: Prices | None) -> Sourced:
    paid = _year_paid(fund, 0) if fund is not None else None
    if fund is None or not paid or paid <= 0:
        raise NoData(f"The dividends of {INDEX_FUND} are not known; give payout_yield=….")
    share = paid / float(fund.close[-1]) * (1 + BUYBACKS)
    return Sourced(share, f"get_stock_data: dividends of {INDEX_FUND}, with buybacks of {BUYBACKS:g} times as much")


def _payout_growth(fund: Prices | None) -> Sourced:
    paid = (_year_paid(fund, 0), _year_paid(fund, 1)) if fund is not None else (None, None)
    if not paid[0] or not paid[1] or paid[1] <= 0:
        return Sourced(0.05, "default: 5 %, earlier dividends are not known", assumed=True)
    low, high = INDEX_GROWTH_BOUNDS
    grown = paid[0] / paid[1] - 1
    return Sourced(min(max(grown, low), high), f"get_stock_data: dividends of {INDEX_FUND} over a year ({grown:.1%})")


def _sources(market: MarketData) -> str:
    """Return the vendors that answered, in the order of the questions."""
    return "+".join(each_once(row.vendor for row in market.sheet.rows))
