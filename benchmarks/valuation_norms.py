"""Which estimator predicts a company's margin, tax rate, growth and return: `python -m benchmarks.valuation_norms --data-dir DIR`.

For each quarter with five years before it and three to four years after it, in the recorded quarters of large companies,
every estimator sees the quarters up to then alone; its error is the distance to what the years after brought. A
company's error is the mean over its quarters, a group's the mean over its companies, in percentage points. The companies are split
in two halves, "tune" and "test"; both were seen while the rules were chosen, so that neither is a clean test. Of each
quarter the version recorded last is used, which a later report may have restated.
"""  # noqa: E501

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from statistics import fmean, linear_regression, median

from tradingagents.analytics.company.business import is_bank_or_insurer
from tradingagents.analytics.company.statements import NEXT_QUARTER, QUARTERS
from tradingagents.analytics.company.trailing import Period, trailing
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.errors import NoData
from tradingagents.settings import load_settings
from tradingagents.valuation.company.assumptions import MARGINAL_TAX
from tradingagents.valuation.company.history import MARGIN, TAX, OneOffRule, QuarterRate, find_one_offs, without
from tradingagents.valuation.company.normal_year import USUAL_TAX, cycle_of
from tradingagents.valuation.company.operations import EARLIER_YEARS, GROWTH_BOUNDS, GROWTH_WEIGHT

DAY = date(2025, 8, 10)
COMPANIES = (
    *("AAPL", "AMGN", "AMZN", "AXP", "BA", "CAT", "CRM", "GS", "HD", "HON"),
    *("IBM", "JNJ", "JPM", "MCD", "MSFT", "PG", "SHW", "TRV", "UNH", "V"),
)
PAST, AHEAD, LEAST_AHEAD = 5 * QUARTERS, 4 * QUARTERS, 3 * QUARTERS
ECONOMY = 0.04
"""Growth of the economy in nominal terms, over the years recorded."""
Quarters = Sequence[Period]
"""Consecutive quarters, newest first."""
Estimator = Callable[[Quarters], float | None]


@dataclass(frozen=True, slots=True)
class Company:
    """One company of the benchmark."""

    symbol: str
    is_bank: bool
    is_cyclical: bool
    quarters: tuple[Period, ...]
    """The longest run of consecutive quarters, newest first."""


def company(data: MarketData, symbol: str) -> Company:
    """Return a company with its longest run of quarters."""
    profile = data.profile(symbol)
    books = trailing(_filed(data, symbol, "income"), (), (), profile, as_of=DAY)
    runs: list[list[Period]] = [[]]
    for quarter in books.quarters:
        if runs[-1] and not NEXT_QUARTER[0] <= (runs[-1][-1].end - quarter.end).days <= NEXT_QUARTER[1]:
            runs.append([])
        runs[-1].append(quarter)
    is_bank = is_bank_or_insurer(profile.sector, (profile.industry or "").lower())
    longest: list[Period] = max(runs, key=len)
    equity = {sheet.period_end: sheet.items.get("equity") for sheet in _filed(data, symbol, "balance")}
    known = (replace(one, flows={**one.flows, "equity": equity.get(one.end)}) for one in longest)
    return Company(symbol, is_bank, cycle_of(profile) is not None, tuple(known))


def _filed(data: MarketData, symbol: str, kind: StatementKind) -> tuple[Statement, ...]:
    try:
        return data.statements(symbol, kind, "quarterly")
    except NoData:
        return ()


def yearly(quarters: Quarters, name: str) -> list[float]:
    """Return sums over twelve months at yearly ends, newest first, up to the first with a gap."""
    sums = []
    for first in range(0, len(quarters) - QUARTERS + 1, QUARTERS):
        parts = [_item(quarter, name) for quarter in quarters[first : first + QUARTERS]]
        if any(part is None for part in parts):
            break
        sums.append(sum(part for part in parts if part is not None))
    return sums[:11]


def _item(quarter: Period, name: str) -> float | None:
    return quarter.flows[name] if name in quarter.flows else quarter.income.items.get(name)


def margins(quarters: Quarters) -> list[float]:
    """Return the operating margin at yearly ends."""
    pairs = zip(yearly(quarters, "operating_income"), yearly(quarters, "revenue"), strict=False)
    return [income / revenue for income, revenue in pairs if revenue > 0]


def growth(quarters: Quarters) -> list[float]:
    """Return the yearly growth of revenue."""
    return [now / before - 1 for now, before in pairwise(yearly(quarters, "revenue")) if before > 0]


def returns(quarters: Quarters) -> list[float]:
    """Return net income over the equity at its end, at yearly ends up to the first without an equity."""
    found = []
    for first, income in enumerate(yearly(quarters, "net_income")):
        equity = _item(quarters[first * QUARTERS], "equity")
        if not equity or equity <= 0:
            break
        found.append(income / equity)
    return found


def taxed(quarters: Quarters) -> list[QuarterRate]:
    """Return the tax rate of each quarter with a profit."""
    found = []
    for quarter in quarters:
        tax, before = _item(quarter, "income_tax"), _item(quarter, "pretax_income")
        if tax is not None and before is not None and before > 0:
            found.append(QuarterRate(quarter.end, tax / before, before))
    return found


def _earned(quarters: Quarters) -> list[QuarterRate]:
    found = []
    for quarter in quarters:
        income, revenue = _item(quarter, "operating_income"), _item(quarter, "revenue")
        if income is not None and revenue is not None and revenue > 0:
            found.append(QuarterRate(quarter.end, income / revenue, revenue))
    return found


def _cleaned(rates: list[QuarterRate], rule: OneOffRule) -> float | None:
    return without(rates[:QUARTERS], find_one_offs(rates, rule)) if len(rates) >= QUARTERS else None


def _usual(rate: float | None) -> float:
    """Return a tax rate as the inputs take it: one that is not usual gives way to the convention."""
    return rate if rate is not None and USUAL_TAX[0] <= rate <= USUAL_TAX[1] else MARGINAL_TAX


def _low_raised(quarters: Quarters) -> float | None:
    now, years = _cleaned(_earned(quarters), MARGIN), margins(quarters)
    low = now is not None and now < min(years[1 : 1 + EARLIER_YEARS])
    return (now + median(years[:5])) / 2 if low and now is not None else now


def _trend(quarters: Quarters) -> float:
    years = margins(quarters)[:5][::-1]
    line = linear_regression(range(5), years)
    return line.intercept + 6 * line.slope


def _between(rate: float) -> float:
    return min(max(rate, GROWTH_BOUNDS[0]), GROWTH_BOUNDS[1])


def _fitted(quarters: Quarters) -> float:
    logs = [math.log(one) for one in yearly(quarters, "revenue") if one > 0][::-1]
    return _between(math.exp(linear_regression(range(len(logs)), logs).slope) - 1)


def _weighted(quarters: Quarters) -> float:
    rates = growth(quarters)[:10]
    return (_between(median(rates)) * len(rates) + ECONOMY * GROWTH_WEIGHT) / (len(rates) + GROWTH_WEIGHT)


MARGINS: Mapping[str, Estimator] = {
    "last twelve months": lambda past: margins(past)[0],
    "median of 5 years": lambda past: median(margins(past)[:5]),
    "median of 10 years": lambda past: median(margins(past)[:10]),
    "midway of last and 5 years": lambda past: (margins(past)[0] + median(margins(past)[:5])) / 2,
    "trend of 5 years": _trend,
    "last without one-offs": lambda past: _cleaned(_earned(past), MARGIN),
    "the same, very low ones raised": _low_raised,
}
TAXES: Mapping[str, Estimator] = {
    "last twelve months": lambda past: _usual(without(taxed(past)[:QUARTERS], ())),
    "median of 8 quarters": lambda past: _usual(median(one.rate for one in taxed(past)[:8])),
    "median of 20 quarters": lambda past: _usual(median(one.rate for one in taxed(past)[:20])),
    "25 %": lambda _: MARGINAL_TAX,
    "21 %": lambda _: 0.21,
    "last without one-offs": lambda past: _usual(_cleaned(taxed(past), TAX)),
}
GROWTHS: Mapping[str, Estimator] = {
    "between the ends of 3 years": lambda past: _between(
        (yearly(past, "revenue")[0] / yearly(past, "revenue")[3]) ** (1 / 3) - 1
    ),
    "last year": lambda past: _between(growth(past)[0]),
    "median of 5 years": lambda past: _between(median(growth(past)[:5])),
    "median of 10 years": lambda past: _between(median(growth(past)[:10])),
    "line through the logarithm": _fitted,
    "4 %, the economy": lambda _: ECONOMY,
    "median of 10 weighed with 4 %": _weighted,
}
RETURNS: Mapping[str, Estimator] = {
    "last twelve months": lambda past: returns(past)[0],
    "median of 3 years": lambda past: median(returns(past)[:3]),
    "median of 5 years": lambda past: median(returns(past)[:5]),
    "median of 10 years": lambda past: median(returns(past)),
    "midway of last and 5 years": lambda past: (returns(past)[0] + median(returns(past)[:5])) / 2,
}


def actual_margin(ahead: Quarters) -> float | None:
    """Return what came: the operating margin over the quarters ahead."""
    rates = _earned(ahead)
    return without(rates, ()) if len(rates) == len(ahead) else None


def actual_tax(ahead: Quarters) -> float | None:
    """Return what came: taxes over income before tax of the profitable quarters ahead."""
    rates = taxed(ahead)
    return without(rates, ()) if len(rates) >= 2 * QUARTERS else None


def errors(one: Company, estimators: Mapping[str, Estimator], kind: str) -> dict[str, list[float]]:
    """Return the errors of each estimator at each quarter of a company at which all of them give a number."""
    found: dict[str, list[float]] = {name: [] for name in estimators}
    for at in range(LEAST_AHEAD, len(one.quarters) - PAST + 1):
        past, ahead = one.quarters[at:], one.quarters[max(at - AHEAD, 0) : at]
        came = _came(kind, past, ahead)
        if came is None or len(growth(past)) < 4 or (kind == "margin" and len(margins(past)) < 5):
            continue
        if kind == "return on equity" and len(returns(past)) < 5:
            continue
        if kind == "tax" and len(taxed(past[:PAST])) < 2 * QUARTERS:
            continue
        guesses = {name: estimate(past) for name, estimate in estimators.items()}
        if None in guesses.values():
            continue
        for name, guess in guesses.items():
            found[name].append(abs((guess or 0.0) - came))
    return found


def _came(kind: str, past: Quarters, ahead: Quarters) -> float | None:
    if kind == "margin":
        return actual_margin(ahead)
    if kind == "tax":
        return actual_tax(ahead)
    years = len(ahead) // QUARTERS
    if kind == "return on equity":
        rates = returns(ahead[-years * QUARTERS :])
        return fmean(rates) if len(rates) == years else None
    sums = yearly(ahead[-years * QUARTERS :], "revenue")
    return (sums[0] / yearly(past, "revenue")[0]) ** (1 / years) - 1 if len(sums) == years else None


def table(companies: Sequence[Company], estimators: Mapping[str, Estimator], kind: str) -> str:
    """Return a Markdown table of errors in percentage points."""
    found = {one.symbol: errors(one, estimators, kind) for one in companies}
    known = [one for one in companies if all(found[one.symbol].values())]
    groups = {
        "tune": known[::2],
        "test": known[1::2],
        "cyclical": [one for one in known if one.is_cyclical],
        "others": [one for one in known if not one.is_cyclical],
    }
    lines = [
        f"| {kind} | {' | '.join(f'{name} ({len(group)})' for name, group in groups.items())} |",
        "|---|--:|--:|--:|--:|",
    ]
    for name in estimators:
        cells = [
            f"{100 * fmean(fmean(found[one.symbol][name]) for one in group):.2f}" if group else ""
            for group in groups.values()
        ]
        lines.append(f"| {name} | {' | '.join(cells)} |")
    count = sum(len(next(iter(found[one.symbol].values()))) for one in known)
    return "\n".join((*lines, "", f"{count} quarters of {len(known)} companies."))


def main() -> None:
    """Print the tables of margin, tax and growth."""
    parser = argparse.ArgumentParser(description="Which estimator predicts what is normal for a company.")
    parser.add_argument("--data-dir", type=Path, required=True, help="folder of recorded data")
    given = parser.parse_args()
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(given.data_dir)}, environ={})
    data = MarketData(settings, DAY, vendors=Vendors(settings))
    companies = [company(data, symbol) for symbol in COMPANIES]
    firms = [one for one in companies if not one.is_bank]
    banks = [one for one in companies if one.is_bank]
    print(table(firms, MARGINS, "margin"), table(firms, TAXES, "tax"), table(companies, GROWTHS, "growth"), sep="\n\n")
    print("", table(banks, RETURNS, "return on equity"), sep="\n")


if __name__ == "__main__":
    main()
