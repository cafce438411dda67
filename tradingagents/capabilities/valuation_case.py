"""A company on a day with the inputs of its valuation: what is known of it, rates of the market, betas of its peers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any

import numpy as np

from tradingagents.analytics.company.statements import QUARTERS, as_labelled
from tradingagents.analytics.price.beta_estimate import DAILY_SESSIONS, daily_regression
from tradingagents.analytics.price.returns import too_many_lost
from tradingagents.capabilities.business_peers import by_business
from tradingagents.capabilities.documents import read_stored_figures
from tradingagents.capabilities.filed_balance import with_balance
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices, Profile, Statement, StatementKind
from tradingagents.dataflows.reference.currencies import is_stated
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.errors import BadSymbol, DataError, NoData, VendorNotConfigured
from tradingagents.schemas.valuation_models import ModelName
from tradingagents.valuation.company.answer_parts import PeerBeta
from tradingagents.valuation.company.assumptions import MARGINAL_TAX, BuiltInputs
from tradingagents.valuation.company.build import build_for_model
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts, company_facts
from tradingagents.valuation.company.kind import ModelChoice, choose_model
from tradingagents.valuation.company.market_rates import (
    LEAST_PEERS,
    MarketRates,
    equity_premium,
    peer_beta,
)
from tradingagents.valuation.company.results import (
    each_once,
)
from tradingagents.valuation.inputs import InadmissibleInput
from tradingagents.valuation.paths import read_override

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


@dataclass(frozen=True, slots=True)
class ValuationCase:
    """A company on a day with the inputs built for it."""

    market: MarketData
    facts: CompanyFacts
    prices: Prices
    rates: MarketRates
    built: BuiltInputs
    choice: ModelChoice


def valuation_case(market: MarketData, ticker: str, model: ModelName, assumptions: str) -> ValuationCase:
    """Return a company on the market's day with the inputs built for it.

    Raises:
        NoData: What no model does without is not known; says what to give.
        UsageError: The model does not fit the kind of company.
    """
    given = given_values(assumptions)
    accepted = given.pop(BASE_PERIOD, None)
    profile = market.profile(ticker)
    choose_model(model, profile)  # before anything is asked for
    facts, prices = facts_of(market, ticker)
    facts = _with_filed_balance(market, facts if accepted is None else _accepted(facts, accepted))
    choice = choose_model(model, profile, facts=facts, given=given)
    facts = replace(facts, notes=(*choice.why, *facts.notes))
    rates = _rates(market, facts, prices, given)
    margins = _margins_of_industry(market, profile) if choice.kind == "no_profit_yet" else {}
    built = build_for_model(
        choice.model, facts, rates, given, as_of=market.as_of, kind=choice.kind, peer_margins=margins
    )
    return ValuationCase(market, facts, prices, rates, built, choice)


def _margins_of_industry(market: MarketData, profile: Profile) -> dict[str, float]:
    """Return the operating margins of companies of the same industry that earn, as many as the source knows."""
    found: dict[str, float] = {}
    for symbol in market.peers(profile.symbol, profile.sector) if profile.sector and profile.industry else ():
        other = market.known_profile(symbol)
        if symbol == profile.symbol or other is None or other.industry != profile.industry:
            continue
        try:
            facts, _ = facts_of(market, symbol, is_peer=True, with_cashflow=False)
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


def given_values(assumptions: str) -> dict[str, Any]:
    """Read `name=value; name=value`."""
    return dict(read_override(part) for part in assumptions.split(";") if part.strip())


def facts_of(
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
    index = known_prices(market, benchmark)
    own = daily_regression(prices, index) if index is not None else None
    peers, common = ((), "") if index is None or "beta" in given else _peer_betas(market, facts, index)
    return MarketRates(
        risk_free=Sourced(0.0, "given") if "risk_free" in given else risk_free_of(market, facts.currency),
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
    for bars in (prices, *((index,) if index is not None else ())):
        whose = "" if bars is prices else f": {bars.symbol}, its benchmark, lacks bars"
        if bars.lacks(window):
            return f"The beta of {prices.symbol} is withheld{whose}. {bars.withheld_note}"
        if np.isnan(bars.adj_close[-window:]).any():
            what = f"the adjusted closes of {bars.symbol} in the last {DAILY_SESSIONS} sessions are not all sound"
            return f"The beta of {prices.symbol} is withheld: {what}. {' '.join(bars.gate_notes)}".rstrip()
        if too_many_lost(bars, window):
            what = f"too many of the last {DAILY_SESSIONS} sessions of {bars.symbol} have no bar"
            return f"The beta of {prices.symbol} is withheld: {what}."
    return ""


def risk_free_of(market: MarketData, currency: str) -> Sourced:
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
    index = known_prices(market, RISK_FREE_INDEX)
    if index is None:
        raise NoData("The risk-free rate of the day is not known; give it, such as risk_free=0.04.")
    return Sourced(float(index.close[-1]) / 100, f"get_stock_data: {RISK_FREE_INDEX}, {index.days[-1].item()}")


def _premium(day: date) -> Sourced:
    found = equity_premium(day)
    return Sourced(found.value, f"default: {found.source}", assumed=True)


def peers_of(market: MarketData, own: CompanyFacts) -> list[tuple[CompanyFacts, Prices]]:
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
        return facts_of(market, symbol, is_peer=True, with_cashflow=with_cashflow)
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
        prices = known_prices(market, symbol)
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


def known_prices(market: MarketData, symbol: str | None) -> Prices | None:
    """Return prices; None where there is no symbol, or no vendor knows any."""
    try:
        return market.prices(symbol) if symbol else None
    except (DataError, BadSymbol):
        return None


def sources_of(market: MarketData) -> str:
    """Return the vendors that answered, in the order of the questions."""
    return "+".join(each_once(row.vendor for row in market.sheet.rows))
