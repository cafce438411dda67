"""`CompanyFacts`: what statements filed by a day and prices of that day say of a company, each with where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from statistics import median

from tradingagents.analytics.company.business import is_bank_or_insurer
from tradingagents.analytics.company.multiples import Valued, multiples
from tradingagents.analytics.company.period_age import may_be_priced
from tradingagents.analytics.company.statements import HALVES, QUARTERS, consecutive, gap_of, half_years
from tradingagents.analytics.company.trailing import Trailing, months_in_words, total, trailing
from tradingagents.analytics.least_history import short_window_note
from tradingagents.analytics.price.returns import last_day
from tradingagents.dataflows.models import Prices, Profile, Statement, StatementKind
from tradingagents.dataflows.reference.period_lengths import length_of
from tradingagents.errors import NoData
from tradingagents.valuation.company.claims import CLAIM_ITEMS, Claims, Sourced, claims_of, debt_of
from tradingagents.valuation.company.history import (
    MOST_YEARS,
    CapitalYear,
    capital_years,
    median_margin,
    past_growth,
    year_ends,
)
from tradingagents.valuation.company.methods.method_items import UNKNOWN, MethodItems, method_items

YEAR = timedelta(days=365)
TWO_YEARS = 2 * QUARTERS
UNUSUAL = 0.15
"""Margin of a quarter less the median of two years from which on it may hold what does not recur. Judgement."""
USED: Mapping[StatementKind, frozenset[str]] = {
    "income": frozenset(
        {
            "revenue",
            "operating_income",
            "net_income",
            "net_income_to_common",
            "interest_expense",
            "income_tax",
            "pretax_income",
            "depreciation_and_amortization",
            "ebitda",
            "shares_diluted",
            "shares_basic",
            "eps_diluted",
        }
    ),
    "balance": frozenset(
        {"cash", "equity", "total_debt", "long_term_debt", "short_term_debt", "total_liabilities", *CLAIM_ITEMS}
    ),
    "cashflow": frozenset({"free_cash_flow", "operating_cash_flow", "capital_expenditure"}),
}
"""Items that a valuation rests on. Where one is withheld, no default may stand for it."""
_WHAT_TO_DO = "Continue without it, or choose another vendor."


@dataclass(frozen=True, slots=True, kw_only=True)
class CompanyFacts:
    """A company on a day. Money in the currency of the price; None where it is not known."""

    symbol: str
    profile: Profile
    currency: str
    price: float
    price_day: date
    shares: Sourced | None
    revenue: Sourced | None
    operating_income: Sourced | None
    net_income: Sourced | None
    ebitda: float | None
    free_cash_flow: float | None
    tax_rate: Sourced | None
    """Taxes over income before tax, where both are positive."""
    interest: float | None
    debt: Sourced | None
    cash: Sourced | None
    equity: Sourced | None
    """Of the parent's shareholders, preferred stock included."""
    income_to_common: Sourced | None
    """Net income after preferred dividends."""
    growth: Sourced | None
    """Yearly growth of revenue over up to three years."""
    median_margin: Sourced | None
    """Median of the operating margin over twelve months, at the ends of up to five years."""
    dividend: float | None
    """Paid for each share in the last 365 days."""
    dividend_before: float | None
    """In the 365 days before; None where the prices do not reach back."""
    years: tuple[CapitalYear, ...] = ()
    """Newest first."""
    growth_gap: str = ""
    """The missing period that alone hides the growth, as a clause; empty where none does."""
    method_items: MethodItems = UNKNOWN
    """What single methods need."""
    claims: Claims = field(default_factory=lambda: claims_of(None))
    """Securities and stakes, and what comes before the common shares."""
    is_current: bool = True
    """Whether a multiple of the price may rest on the twelve months (`period_age.may_be_priced`)."""
    notes: tuple[str, ...] = ()
    withheld: tuple[str, ...] = field(default=())

    @property
    def market_value(self) -> float | None:
        """Price times shares."""
        return None if self.shares is None else self.price * self.shares.value

    @property
    def has_steady_dividends(self) -> bool:
        """Whether dividends were paid in both of the last two years without a cut."""
        return bool(self.dividend and self.dividend_before and self.dividend >= 0.98 * self.dividend_before)


@dataclass(frozen=True, slots=True)
class _StatedFigures:
    """A company's statements with the rate that turns their money into that of the price."""

    trailing: Trailing
    balance: tuple[Statement, ...]
    rate: float
    when: str
    """The months covered, in words."""

    def flow(self, name: str) -> Sourced | None:
        value = self.trailing.flows.get(name)
        return None if value is None else Sourced(value * self.rate, f"get_income_statement: {name}, {self.when}")

    def item(self, name: str) -> float | None:
        found = total([period.income.items.get(name) for period in self.trailing.periods])
        return None if found is None or not self.trailing.periods else found * self.rate

    def income(self, name: str) -> Sourced | None:
        value = self.item(name)
        return None if value is None else Sourced(value, f"get_income_statement: {name}, {self.when}")


def company_facts(
    prices: Prices,
    income: Sequence[Statement],
    balance: Sequence[Statement],
    cashflow: Sequence[Statement],
    profile: Profile,
    *,
    exchange_rate: float = 1.0,
) -> CompanyFacts:
    """Collect what is known of a company.

    Args:
        prices: As traded on the day, with splits and dividends up to it.
        income: Income statements filed by the day, quarterly and annual.
        balance: Balance sheets, likewise.
        cashflow: Cash-flow statements, likewise.
        exchange_rate: Units of the price's currency for one unit of the statements'.

    Raises:
        NoData: There are no twelve months of statements, or an item that the valuation rests on is withheld.
    """
    day = last_day(prices)
    found = trailing(income, balance, cashflow, profile, as_of=day)
    if not found.periods:
        raise _no_twelve_months(profile.symbol, found)
    _refuse_withheld(profile.symbol, found, (*income, *balance, *cashflow))
    current = may_be_priced(found.periods[0].end, [period.income for period in found.quarters], day)
    books = _StatedFigures(found, tuple(balance), exchange_rate, _months_of(found))
    valued = multiples(prices, found, tuple(income), profile, cashflow=cashflow, exchange_rate=exchange_rate)
    shares = valued.multiples.shares
    sheet, paid = found.balance, _dividends(prices)
    ends, claims = year_ends(found), claims_of(sheet, exchange_rate, is_firm=not _is_bank(profile))
    return CompanyFacts(
        symbol=profile.symbol,
        profile=profile,
        currency=prices.currency,
        price=float(prices.close[-1]),
        price_day=day,
        shares=None if shares is None else Sourced(shares, "get_income_statement: shares_diluted"),
        revenue=books.flow("revenue"),
        operating_income=books.flow("operating_income"),
        net_income=books.flow("net_income"),
        ebitda=_times(found.flows["ebitda"], exchange_rate),
        free_cash_flow=_times(found.flows["free_cash_flow"], exchange_rate),
        tax_rate=_tax_rate(books),
        interest=books.item("interest_expense"),
        debt=None if sheet is None else debt_of(sheet, exchange_rate),
        cash=_sheet_item(sheet, "cash", exchange_rate),
        equity=_sheet_item(sheet, "equity", exchange_rate),
        income_to_common=books.income("net_income_to_common"),
        growth=past_growth(ends),
        growth_gap=_growth_gap(found),
        median_margin=median_margin(ends),
        dividend=paid[0],
        dividend_before=paid[1],
        years=capital_years(balance, ends, exchange_rate),
        method_items=method_items(found, exchange_rate, books.when),
        claims=claims,
        is_current=current,
        notes=(*_notes(found, valued, day, current=current), *_beta_note(prices), *claims.notes),
        withheld=valued.withheld,
    )


def _is_bank(profile: Profile) -> bool:
    return is_bank_or_insurer(profile.sector, (profile.industry or "").lower())


def _no_twelve_months(symbol: str, found: Trailing) -> NoData:
    none = " ".join(("There are no twelve months of statements filed by the day.", *found.notes[:1]))
    why = found.withheld[0] if found.withheld else none
    return NoData(f"{symbol}: {why} {_WHAT_TO_DO}")


def _beta_note(prices: Prices) -> tuple[str, ...]:
    note = short_window_note(prices, "the beta, and what is worked out with it, are")
    return (note,) if note else ()


def _refuse_withheld(symbol: str, books: Trailing, statements: Sequence[Statement]) -> None:
    """Refuse to value a company on statements from which the data gate withholds what the valuation needs.

    Those of the years looked back on count: revenue of earlier years gives growth, their margins the usual one.

    Raises:
        NoData: Some is withheld; names the reason.
    """
    frequency = books.periods[0].income.frequency
    first = books.periods[0].end - (MOST_YEARS + 1) * YEAR
    for row in statements:
        is_used = row.frequency == frequency or row is books.balance
        gone = [name for name in row.withheld if name in USED[row.kind]]
        if is_used and gone and row.period_end > first:
            what = ", ".join(gone)
            why = row.withheld[gone[0]]
            raise NoData(f"{symbol} cannot be valued without {what} of {row.period_end}. {why} {_WHAT_TO_DO}")


def _growth_gap(books: Trailing) -> str:
    """Return which missing period alone hides the growth that a company's statements show; "" where none does."""
    incomes = [period.income for period in books.quarters]
    if books.basis != "ttm" or len(books.periods) not in (QUARTERS, HALVES):
        return ""
    run = half_years(incomes) if length_of(incomes[0]) == "half-year" else consecutive(incomes)
    is_hidden = len(books.periods) <= len(run) < min(2 * len(books.periods), len(incomes))
    return gap_of(incomes) if is_hidden else ""


def _notes(books: Trailing, valued: Valued, day: date, *, current: bool) -> tuple[str, ...]:
    quoted = (valued.quoted_note,) if valued.quoted_note else ()
    return (*books.notes, *quoted, *(() if current else (_old_year(books, day),)), *_unusual_quarter(books))


def _months_of(books: Trailing) -> str:
    """Return the months covered in words, such as `four quarters to 2024-12-28`."""
    ends = [period.end for period in books.periods]
    return f"{months_in_words(books.basis, ends)} to {ends[0]}"


def _old_year(books: Trailing, day: date) -> str:
    end = books.periods[0].end
    return f"The fiscal year valued ended {(day - end).days} days before the price: what was earned since is not in it."


def _unusual_quarter(books: Trailing) -> tuple[str, ...]:
    """Say which quarter of the twelve months has a margin far from those of two years, if one has."""
    margins = [
        (period.end, income / revenue)
        for period in books.quarters[:TWO_YEARS]
        if (income := period.flows["operating_income"]) is not None and (revenue := period.flows["revenue"] or 0.0) > 0
    ]
    if books.basis != "ttm" or len(books.periods) != QUARTERS or len(margins) < TWO_YEARS:
        return ()
    middle = median(margin for _, margin in margins)
    end, margin = max(margins[:QUARTERS], key=lambda one: abs(one[1] - middle))
    if abs(margin - middle) < UNUSUAL:
        return ()
    away = f"{100 * abs(margin - middle):.1f} points {'above' if margin > middle else 'below'}"
    told = f"The operating margin of the quarter to {end}, {margin:.1%}, is {away} the median of {TWO_YEARS} quarters"
    return (f"{told}: the figures of twelve months may hold what does not recur.",)


def _sheet_item(sheet: Statement | None, name: str, rate: float) -> Sourced | None:
    if sheet is None or name not in sheet.items:
        return None
    return Sourced(sheet.items[name] * rate, f"get_balance_sheet: {name}, {sheet.period_end}")


def _times(value: float | None, rate: float) -> float | None:
    return None if value is None else value * rate


def _tax_rate(books: _StatedFigures) -> Sourced | None:
    tax, before = books.item("income_tax"), books.item("pretax_income")
    if tax is None or before is None or before <= 0 or tax < 0:
        return None
    return Sourced(tax / before, f"get_income_statement: income_tax over pretax_income, {books.when}")


def _dividends(prices: Prices) -> tuple[float | None, float | None]:
    """Return the dividends of the last 365 days and of those before; None where the source lists none at all."""
    if not prices.dividends:
        return None, None
    end = last_day(prices)
    first = prices.days[0].item()
    last = sum(one.amount for one in prices.dividends if end - YEAR < one.day <= end)
    if first > end - 2 * YEAR + timedelta(days=7):
        return last, None
    return last, sum(one.amount for one in prices.dividends if end - 2 * YEAR < one.day <= end - YEAR)
