"""Answers about what a company is worth: inputs, value, sensitivity, expectations, and the multiples of its peers."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from tradingagents.analytics.price.returns import times
from tradingagents.capabilities.business_peers import is_bank
from tradingagents.capabilities.valuation_case import (
    ValuationCase,
    facts_of,
    peers_of,
    sources_of,
    valuation_case,
)
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import NoData
from tradingagents.schemas.valuation_models import ModelName
from tradingagents.valuation.company.cases import cases_of
from tradingagents.valuation.company.doubts import doubts_of, is_doubt, why_debt_withholds, why_not_compared
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.opening import needed_margin, opening
from tradingagents.valuation.company.operations import outcomes
from tradingagents.valuation.company.results import (
    BetaEvidence,
    CompanyValuation,
    CompanyValuationInputs,
    PriceExpectations,
    RelativeValuation,
    ValuationSensitivity,
)
from tradingagents.valuation.dcf import KERNEL_VERSION, Valuation, project, value_company
from tradingagents.valuation.equity_models import EquityValuation, implied_rate, value_equity
from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.limited_liability import why_no_value, why_withheld
from tradingagents.valuation.relative import CompanyFigures, implied_ranges
from tradingagents.valuation.reverse import solve_driver
from tradingagents.valuation.sensitivity import DRIVERS, Driver, grid, tornado


def inputs_of(market: MarketData, ticker: str, model: ModelName, assumptions: str) -> CompanyValuationInputs:
    """Return the inputs of a valuation, each assumption with its source."""
    case = valuation_case(market, ticker, model, assumptions)
    why = _why_withheld(case.facts)
    return CompanyValuationInputs(
        **_shared(case),
        notes=(*case.facts.notes, *((why,) if why else ())),
        beta=_beta_evidence(case),
        capital=case.built.capital,
        history=case.facts.years,
    )


def value_of(market: MarketData, ticker: str, model: ModelName, assumptions: str) -> CompanyValuation:
    """Return what a company is worth, and what its price implies."""
    case = valuation_case(market, ticker, model, assumptions)
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
            not_compared=why_not_compared(case.built.assumptions),
        ),
        cases=cases_of(inputs, case.facts.record),
        notes=(*(note for note in case.facts.notes if not is_doubt(note)), *warnings),
        value_per_share=worth,
        upside=worth / price - 1,
        kernel_version=KERNEL_VERSION,
    )


def sensitivity_of(
    market: MarketData, ticker: str, drivers: tuple[Driver, Driver], assumptions: str
) -> ValuationSensitivity:
    """Return the value over two drivers, of the rows and of the columns, and the tornado."""
    case = valuation_case(market, ticker, "fcff", assumptions)
    inputs = _firm(case)
    _worth(case, value_company(inputs))
    table = grid(inputs, *drivers)
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


def expectations_of(market: MarketData, ticker: str, model: ModelName, assumptions: str) -> PriceExpectations:
    """Return what the price implies of each driver alone."""
    case = valuation_case(market, ticker, model, assumptions)
    inputs, price = case.built.inputs, case.facts.price
    if isinstance(inputs, ValuationInputs):
        chosen = [driver for driver in DRIVERS if driver != "stable_roic" or inputs.stable_roic is not None]
        drivers = tuple(solve_driver(inputs, one, price) for one in chosen)
        why = _why_none(case, value_company(inputs))
        return PriceExpectations(
            **_shared(case),
            notes=(*case.facts.notes, *((why,) if why else ())),
            base_value=None if why else drivers[0].base_value,
            drivers=tuple(replace(driver, base_value=None) for driver in drivers) if why else drivers,
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


def multiples_of_peers(market: MarketData, ticker: str) -> RelativeValuation:
    """Return the prices of a share at the multiples of its peers."""
    own, prices = facts_of(market, ticker)
    if not own.is_current:
        raise NoData(
            f"The newest twelve months known of {own.symbol} are of another time than its price, so that no multiple "
            f"fits: {own.notes[0]} Continue without it, or choose another vendor."
        )
    peers = [facts for facts, _ in peers_of(market, own) if facts.currency == own.currency]
    found = [peer for peer in peers if peer.is_current]
    older = [peer.symbol for peer in peers if not peer.is_current]
    left_out = (
        (f"Left out: {', '.join(older)}, whose newest twelve months known are of another time than the price.",)
        if older
        else ()
    )
    return RelativeValuation(
        symbol=own.symbol,
        as_of=market.as_of,
        source=sources_of(market),
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


def _shared(case: ValuationCase) -> dict[str, Any]:
    """Return what every answer about one company holds."""
    facts = case.facts
    return {
        "symbol": facts.symbol,
        "as_of": case.market.as_of,
        "source": sources_of(case.market),
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


def _firm(case: ValuationCase) -> ValuationInputs:
    assert isinstance(case.built.inputs, ValuationInputs)  # noqa: S101 - the model asked for
    return case.built.inputs


def _why_none(case: ValuationCase, found: Valuation | EquityValuation) -> str | None:
    """Return why an answer shows no value per share; None where it does."""
    return (
        _why_withheld(case.facts)
        or why_debt_withholds(case.built, case.facts)
        or why_no_value(case.built.inputs, found)
    )


def _why_withheld(facts: CompanyFacts) -> str | None:
    """Return which report is overdue, and what to give; None where none is."""
    return why_withheld(facts.figures_of, facts.overdue, facts.base_period) if facts.overdue else None


def _beta_evidence(case: ValuationCase) -> BetaEvidence:
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


def _worth(case: ValuationCase, found: Valuation | EquityValuation) -> float:
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


def _figures(facts: CompanyFacts) -> CompanyFigures:
    """Return what a company's multiples are made of.

    A debt that is only a default makes no enterprise value; a bank has neither that nor a free cash flow.
    """
    bank, shares = is_bank(facts.profile), facts.shares.value if facts.shares else None
    known = not bank and facts.debt is not None and not facts.debt.assumed and facts.cash is not None
    return CompanyFigures(
        symbol=facts.symbol,
        market_value=facts.market_value,
        net_debt=facts.debt.value - facts.cash.value if known and facts.debt and facts.cash else None,
        shares=shares,
        ebitda=facts.ebitda,
        sales=facts.revenue.value if facts.revenue else None,
        earnings=times(facts.eps, shares) if shares else None,
        equity=facts.priced_equity,
        free_cash_flow=None if bank else facts.free_cash_flow,
    )
