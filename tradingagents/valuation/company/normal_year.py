"""What is normal for a company, from its own past: one-offs of the last year, its cycle, and its usual tax and return.

`norms_of` collects them from statements filed by the day. `operations.py` and `equity_inputs.py` choose with them;
which estimator predicts best is measured by `benchmarks.valuation_norms`. `cycle_of` is the one table of trades that
have a cycle, by the words of GICS and Yahoo alike; `stand_in_range` the percentile of a base year.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median
from typing import Literal

from tradingagents.analytics.company.business import is_bank_or_insurer
from tradingagents.analytics.company.statements import QUARTERS, consecutive
from tradingagents.analytics.company.trailing import Period, Trailing, total
from tradingagents.dataflows.models import Profile, Statement
from tradingagents.valuation.company.claims import Sourced, debt_of, operating_capital
from tradingagents.valuation.company.history import (
    LONGEST,
    MARGIN,
    TAX,
    OneOff,
    QuarterRate,
    find_one_offs,
    median_margin,
    returns_on_equity,
    without,
    yearly_growth,
    yearly_margins,
)

CycleKind = Literal["price", "volume"]
"""`price`: what the company sells has a price of the day, and revenue moves with it; `volume`: the number sold does."""
CYCLE_YEARS = 5
"""Years from which on a cycle is known: its normal margin is their median."""
FULL_PRICE_CYCLE = 8
"""Yearly growth rates from which on the growth of a price-driven company is read: fewer are a part of a price cycle."""

_PRICE_SECTORS = ("energy",)
_PRICE_WORDS = (
    *("steel", "aluminum", "aluminium", "copper", "gold", "silver", "metals", "mining", "coking coal", "thermal coal"),
    *("fertilizer", "agricultural inputs", "commodity chemicals", "chemicals", "lumber", "forest products", "timber"),
    *("paper & forest", "paper products", "uranium", "marine shipping", "marine transportation", "marine freight"),
    *("oil & gas", "semiconductor memory"),
)
_OWN_PRICES = (
    "specialty chemicals",
    "metal, glass",
    "metal fabrication",
    "pipeline",
    "midstream",
    "storage & transportation",
)
"""Trades with such words that set their prices themselves, or are paid for carrying: paints, cans, pipelines."""
_VOLUME_WORDS = (
    *("airline", "auto manufacturers", "automobile manufacturers", "auto parts", "automotive parts", "auto components"),
    *("aerospace", "farm & heavy", "construction machinery", "agricultural & farm machinery", "heavy transportation"),
    *("homebuilding", "residential construction", "semiconductor equipment", "semiconductor materials", "casinos"),
)
_MEMORY_MAKERS = ("micron", "sandisk", "western digital", "sk hynix", "kioxia", "nanya", "winbond")
"""No vendor's industry separates memory chips, which have a price of the day, from other chips: known by the name."""


@dataclass(frozen=True, slots=True)
class RangeStand:
    """Where a base year stands among a company's own years."""

    base: float
    percentile: int
    """0 to 100: the part of the years below, those alike counted half."""
    years: int
    lowest: float
    highest: float

    def in_words(self, what: str) -> str:
        """Say where the base year stands.

        >>> stand_in_range((0.13, 0.16, 0.09)).in_words("margin")
        "cyclical: the base year's margin of 13.0% is at the 50th percentile of its own 3 years (9.0% to 16.0%)"
        """
        return (
            f"cyclical: the base year's {what} of {self.base:.1%} is at the {_ordinal(self.percentile)} percentile of "
            f"its own {self.years} years ({self.lowest:.1%} to {self.highest:.1%})"
        )


def cycle_of(profile: Profile) -> CycleKind | None:
    """Return which kind of cycle a company's trade has; None for none, or where the profile does not say.

    Args:
        profile: With the sector as a key and the industry in the words of GICS or Yahoo.
    """
    industry, name = (profile.industry or "").lower(), profile.name.lower()
    if is_bank_or_insurer(profile.sector, industry):
        return None if "insur" in industry else "volume"
    if any(word in industry for word in _OWN_PRICES):
        return None
    if profile.sector in _PRICE_SECTORS or any(word in industry for word in _PRICE_WORDS):
        return "price"
    if any(word in industry for word in ("semiconductor", "hardware")) and any(one in name for one in _MEMORY_MAKERS):
        return "price"
    return "volume" if any(word in industry for word in _VOLUME_WORDS) else None


def stand_in_range(rates: Sequence[float]) -> RangeStand:
    """Return where the newest of yearly rates stands among all of them.

    Args:
        rates: Newest first, at least one.
    """
    base = rates[0]
    below = sum(rate < base for rate in rates) + sum(rate == base for rate in rates) / 2
    return RangeStand(base, round(100 * below / len(rates)), len(rates), min(rates), max(rates))


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


USUAL_TAX = (0.05, 0.40)
"""A tax rate of a company outside these is no usual one."""
SPOKEN_CHARGE = 0.01
"""Part of revenue from which on special charges are said."""
LEAST_KNOWN = 2
"""Profitable quarters, or years, from which on a tax rate or return on equity is known."""


@dataclass(frozen=True, slots=True)
class Norms:
    """What is normal for a company on a day."""

    cycle: CycleKind | None = None
    margins: tuple[float, ...] = ()
    """Operating margin of twelve months at up to ten yearly ends, newest first."""
    median_margin: Sourced | None = None
    """Their median over up to five years."""
    growth_years: int = 0
    """Yearly growth rates that are known."""
    margin: Sourced | None = None
    """Operating margin of the last twelve months without one-offs; None where there are none: as reported then."""
    tax: Sourced | None = None
    """Tax rate of the last twelve months without one-offs."""
    return_on_equity: Sourced | None = None
    """Median over up to ten years; None where fewer than two are known."""
    hidden_assets: float = 0.0
    """Assets of the newest sheet that may be goodwill, over the invested capital."""
    stand: str = ""
    """Where the base year of a cyclical company stands in its own range, as a sentence; empty for others."""
    one_offs: tuple[str, ...] = ()
    """Each one-off found, with its quarter, its size and what is done."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What an answer says of the norms."""
        return (*self.one_offs, *((self.stand,) if self.stand else ()))


def norms_of(
    books: Trailing,
    balance: Sequence[Statement],
    profile: Profile,
    ends: Sequence[tuple[date, float, float | None]],
    when: str,
    *,
    after_preferred: bool,
) -> Norms:
    """Collect what is normal for a company.

    Args:
        books: Its statements filed by the day.
        balance: Its balance sheets, likewise.
        profile: For its trade.
        ends: Revenue and operating income at yearly ends, newest first.
        when: The last twelve months in words.
        after_preferred: Whether a bank's return on equity is after preferred dividends (`returns_on_equity`).
    """
    cycle, margins = cycle_of(profile), yearly_margins(ends[:LONGEST])
    is_bank = is_bank_or_insurer(profile.sector, (profile.industry or "").lower())
    returns = returns_on_equity(books, balance, ends, after_preferred=after_preferred)
    margin, odd_margins = _margin(books, when) if cycle is None and not is_bank else (None, ())
    tax, odd_taxes = (None, ()) if is_bank else _tax(books, when)
    stand = (
        _stand("return on equity", [rate for _, rate in returns]) if is_bank else _stand("operating margin", margins)
    )
    return Norms(
        cycle=cycle,
        margins=margins,
        median_margin=median_margin(ends),
        growth_years=len(yearly_growth(ends)),
        margin=margin,
        tax=tax,
        return_on_equity=_return_on_equity(returns),
        hidden_assets=_hidden_assets(books.balance),
        stand=stand if cycle is not None else "",
        one_offs=(
            *(one.in_words(MARGIN) for one in odd_margins),
            *(one.in_words(TAX) for one in odd_taxes),
            *_special_charges(books, when),
        ),
    )


def _stand(what: str, rates: Sequence[float]) -> str:
    """Say where the base year of a cyclical company stands, and whether a cycle is known; "" where no year is."""
    if not rates:
        return ""
    if len(rates) == 1:
        return f"Cyclical: only the {what} of one year is known, {rates[0]:.1%}, which is no cycle."
    stand = stand_in_range(rates).in_words(what)
    few = "" if len(rates) >= CYCLE_YEARS else f"; {len(rates)} years are no cycle, so that none is known"
    return f"{stand[0].upper()}{stand[1:]}{few}."


def _margin(books: Trailing, when: str) -> tuple[Sourced | None, tuple[OneOff, ...]]:
    """Return the operating margin of the last twelve months without one-offs; None where there are none."""
    rates = [
        QuarterRate(quarter.end, income / revenue, revenue)
        for quarter in _run(books)
        if (income := quarter.flows["operating_income"]) is not None and (revenue := quarter.flows["revenue"] or 0) > 0
    ]
    found = find_one_offs(rates, MARGIN)
    if not found:
        return None, ()
    source = f"get_income_statement: operating_income/revenue, {when}{_where_replaced(found)}"
    return Sourced(without(rates[:QUARTERS], found), source), found


def _tax(books: Trailing, when: str) -> tuple[Sourced | None, tuple[OneOff, ...]]:
    """Return the tax rate of the profitable periods of twelve months without one-offs, where it is a usual one.

    Of a source with years alone, that of its usual years stands for one that is not.
    """
    found = find_one_offs(_taxed(_run(books)), TAX)
    taxed = _taxed(books.periods)
    rate = without(taxed, found) if len(taxed) >= min(LEAST_KNOWN, len(books.periods)) else None
    if rate is None or not _is_usual(rate):
        return _tax_of_years(books), found
    is_given = all("pretax_income" in period.income.items for period in books.periods)
    of = "pretax_income" if is_given else "net_income + income_tax"
    few = "" if len(taxed) == len(books.periods) else f", {len(taxed)} profitable quarters"
    return Sourced(rate, f"get_income_statement: income_tax over {of}, {when}{few}{_where_replaced(found)}"), found


def _tax_of_years(books: Trailing) -> Sourced | None:
    """Return the median tax rate of the fiscal years in which it was a usual one; None for fewer than two."""
    usual = [one for one in _taxed(books.years) if _is_usual(one.rate)][:CYCLE_YEARS]
    if len(usual) < LEAST_KNOWN:
        return None
    source = f"median of {len(usual)} fiscal years with a usual rate, {usual[-1].end} to {usual[0].end}"
    return Sourced(median(one.rate for one in usual), f"get_income_statement: income_tax over pretax_income, {source}")


def _is_usual(rate: float) -> bool:
    return USUAL_TAX[0] <= rate <= USUAL_TAX[1]


def _taxed(periods: Sequence[Period]) -> list[QuarterRate]:
    return [rate for period in periods if (rate := _tax_of(period)) is not None]


def _tax_of(period: Period) -> QuarterRate | None:
    """Return the tax rate of a profitable period; None where it made no profit or gives no tax."""
    items = period.income.items
    tax, after = items.get("income_tax"), items.get("net_income")
    before = items.get("pretax_income", after + tax if after is not None and tax is not None else None)
    return None if tax is None or before is None or before <= 0 else QuarterRate(period.end, tax / before, before)


def _special_charges(books: Trailing, when: str) -> tuple[str, ...]:
    """Say which special charges the source's operating income leaves out, and whether they come every year."""
    part = _special_part(books.periods)
    if part is None or abs(part) < SPOKEN_CHARGE:
        return ()
    years = [one for year in books.years[:CYCLE_YEARS] if (one := _special_part((year,))) is not None]
    often = sum(year * part > 0 and abs(year) >= SPOKEN_CHARGE for year in years)
    what = "charges" if part < 0 else "income"
    always = often == len(years) > 1
    said = (
        f"Special {what} of {abs(part):.1%} of revenue ({when}): not in the operating income of the source; such "
        f"{what} of {SPOKEN_CHARGE:.0%} or more came in {often} of {len(years)} fiscal years."
    )
    return (f"{said} The margin of a normal year holds them: give target_margin=…." if always else said,)


def _special_part(periods: Sequence[Period]) -> float | None:
    """Return special charges over revenue; None where a period gives none."""
    charges = total([period.income.items.get("special_charges") for period in periods])
    revenue = total([period.flows["revenue"] for period in periods])
    return charges / revenue if charges is not None and revenue is not None and revenue > 0 else None


def _run(books: Trailing) -> tuple[Period, ...]:
    """Return the newest consecutive quarters where they make the last twelve months, else ()."""
    incomes = [period.income for period in books.quarters]
    if books.basis != "ttm" or len(books.periods) != QUARTERS or books.periods != books.quarters[:QUARTERS]:
        return ()
    return books.quarters[: len(consecutive(incomes))]


def _where_replaced(found: Sequence[OneOff]) -> str:
    return "".join(f"; without a one-off: quarter to {one.end} at {one.usual:.1%}, its usual rate" for one in found)


def _return_on_equity(returns: Sequence[tuple[date, float]]) -> Sourced | None:
    if len(returns) < LEAST_KNOWN:
        return None
    span = f"median of {len(returns)} years, {returns[-1][0]} to {returns[0][0]}"
    source = f"get_income_statement: net income over book equity of common shares, {span}"
    return Sourced(median(rate for _, rate in returns), source)


def _hidden_assets(sheet: Statement | None) -> float:
    """Return assets that may be goodwill over the invested capital of a sheet; 0 where they are not known.

    That is what is left of all assets without the current ones, plant and securities.
    """
    debt = None if sheet is None else debt_of(sheet)
    if sheet is None or debt is None or "equity" not in sheet.items:
        return 0.0
    items, capital = sheet.items, operating_capital(sheet.items, debt.value)
    told = sum(items.get(name, 0.0) for name in ("current_assets", "fixed_assets", "long_term_investments"))
    return (items["total_assets"] - told) / capital if "total_assets" in items and capital > 0 else 0.0
