"""`CompanyFacts`: what statements filed by a day and prices of that day say of a company, each with where it stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any

from tradingagents.analytics.company.business import is_bank_or_insurer
from tradingagents.analytics.company.multiples import Valued, multiples, priced_equity
from tradingagents.analytics.company.reported_periods import may_be_priced, next_report, overdue_report
from tradingagents.analytics.company.share_counts import CountedShares, no_shares_because
from tradingagents.analytics.company.statements import HALVES, QUARTERS, consecutive, gap_of, half_years
from tradingagents.analytics.company.trailing import Period, Trailing, months_in_words, total, trailing
from tradingagents.analytics.least_history import short_window_note
from tradingagents.analytics.price.returns import last_day, times
from tradingagents.dataflows.models import Prices, Profile, Statement, StatementKind
from tradingagents.dataflows.reference.fiscal_periods import LARGE_FILER, length_of
from tradingagents.dataflows.reference.line_items import OWN_TERMS
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.share_classes import receipt_of
from tradingagents.errors import NoData
from tradingagents.valuation.company.answer_parts import CapitalYear
from tradingagents.valuation.company.claims import (
    CLAIM_ITEMS,
    SPOKEN,
    Claims,
    Convertible,
    Sourced,
    claims_of,
    convertible,
    counted_once,
    debt_of,
    shares_of,
    without_convertible,
)
from tradingagents.valuation.company.history import (
    MOST_YEARS,
    OwnRecord,
    capital_years,
    own_record,
    past_growth,
    year_ends,
)
from tradingagents.valuation.company.normal_year import Norms, norms_of


@dataclass(frozen=True, slots=True)
class MethodItems:
    """Items of twelve months, in the currency of the price."""

    depreciation: Sourced | None
    """And amortisation: of buildings, for nearly all of a trust's are; None where it is not known."""
    gains: Sourced
    """On sales of property, in the net income; 0 where none is given, and the source says whether that is known."""
    impairment: Sourced
    """Write-downs of property, in the net income; likewise."""
    capital_expenditure: Sourced | None
    """All of it, what keeps the buildings and what adds to them; None where it is not known."""
    total_assets: float | None = None
    """Of the newest balance sheet; None where it is not known."""


UNKNOWN = MethodItems(
    None, Sourced(0.0, "default: 0, not known", True), Sourced(0.0, "default: 0, not known", True), None
)


def method_items(books: Trailing, rate: float, when: str) -> MethodItems:
    """Read the items from the twelve months.

    Args:
        books: The statements.
        rate: Units of the price's currency for one of the statements'.
        when: The months in words.
    """
    worn = total([period.income.items.get("depreciation_and_amortization") for period in books.periods])
    operating, free = books.flows["operating_cash_flow"], books.flows["free_cash_flow"]
    assets = None if books.balance is None else books.balance.items.get("total_assets")
    spent = None if operating is None or free is None else (operating - free) * rate
    return MethodItems(
        None if worn is None else Sourced(worn * rate, f"get_income_statement: depreciation_and_amortization, {when}"),
        _now_and_then(books.periods, "gain_on_property_sales", rate, when),
        _now_and_then(books.periods, "property_impairment", rate, when),
        None if spent is None else Sourced(spent, f"get_cashflow: capital_expenditure, {when}"),
        None if assets is None else assets * rate,
    )


def _now_and_then(periods: Sequence[Period], name: str, rate: float, when: str) -> Sourced:
    """Add up an item that a period without one leaves out; say whether the source would give it."""
    found = [period.income.items[name] for period in periods if name in period.income.items]
    if found:
        return Sourced(sum(found) * rate, f"get_income_statement: {name}, {when}")
    sources = {period.income.source for period in periods}
    if all(name in OWN_TERMS.get(source, frozenset()) for source in sources):
        return Sourced(0.0, f"get_income_statement: no {name}, {when}")
    return Sourced(0.0, f"default: 0, not known: {', '.join(sorted(sources))} gives no such item", assumed=True)


YEAR = timedelta(days=365)
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
            "special_charges",
            "gain_on_property_sales",
            "property_impairment",
        }
    ),
    "balance": frozenset(
        {
            "cash",
            "equity",
            "total_debt",
            "long_term_debt",
            "short_term_debt",
            "convertible_debt",
            "total_liabilities",
            "total_assets",
            "current_assets",
            "fixed_assets",
            "goodwill_and_intangibles",
            *CLAIM_ITEMS,
        }
    ),
    "cashflow": frozenset({"free_cash_flow", "operating_cash_flow", "capital_expenditure"}),
}
"""Items that a valuation rests on. Where one is withheld, no default may stand for it."""
_WHAT_TO_DO = "Continue without it, or choose another vendor."
DAYS_OF_A_MONTH = 365.25 / 12


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
    interest: float | None
    debt: Sourced | None
    cash: Sourced | None
    equity: Sourced | None
    """Of the parent's shareholders, preferred stock included."""
    income_to_common: Sourced | None
    """Net income after preferred dividends."""
    eps: float | None = None
    """Diluted earnings of the twelve months for one quoted share, as every P/E divides by (`analytics.multiples`)."""
    priced_equity: float | None = None
    """Equity that a price of the day may be set against; None where it is too old, though `equity` has it."""
    growth: Sourced | None
    """Median of the yearly growth of revenue over up to ten years."""
    dividend: float | None
    """Paid for each share in the last 365 days."""
    dividend_before: float | None
    """In the 365 days before; None where the prices do not reach back."""
    years: tuple[CapitalYear, ...] = ()
    """Newest first."""
    norms: Norms = field(default_factory=Norms)
    """What is normal for the company, from its own past."""
    record: OwnRecord = field(default_factory=OwnRecord)
    """Growth, margin and return on equity of the company's own years."""
    growth_gap: str = ""
    """The missing period that alone hides the growth, as a clause; empty where none does."""
    method_items: MethodItems = UNKNOWN
    """What single methods need."""
    claims: Claims = field(default_factory=lambda: claims_of(None))
    """Securities and stakes, and what comes before the common shares."""
    is_current: bool = True
    """Whether a multiple of the price may rest on the twelve months (`period_age.may_be_priced`)."""
    base_period: date
    """Last day of the twelve months that the figures are of."""
    figures_of: str
    """The twelve months in words, such as `four quarters to 2024-12-28`; with their age where a report is overdue."""
    overdue: str = ""
    """Which report since was due by the day and is not known, as a clause; empty where none is. A value per share and
    what rests on it are then withheld, unless a person gives `base_period`."""
    notes: tuple[str, ...] = ()
    withheld: tuple[str, ...] = field(default=())

    @property
    def tax_rate(self) -> Sourced | None:
        """Taxes over income before tax of twelve months without one-offs."""
        return self.norms.tax

    @property
    def median_margin(self) -> Sourced | None:
        """Median of the operating margin over twelve months, at the ends of up to five years."""
        return self.norms.median_margin

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
    books = _StatedFigures(found, tuple(balance), exchange_rate, _months_of(found))
    base = found.periods[0].end
    current = may_be_priced(base, [period.income for period in found.quarters], day)
    valued = multiples(prices, found, tuple(income), profile, cashflow=cashflow, exchange_rate=exchange_rate)
    shares, price = valued.multiples.shares, float(prices.close[-1])
    lent = convertible(valued, found.balance, price, exchange_rate)
    overdue = _overdue(found, prices, shares)
    is_bank = is_bank_or_insurer(profile.sector, (profile.industry or "").lower())
    ends, claims = year_ends(found), claims_of(found.balance, exchange_rate, is_firm=not is_bank)
    norms = norms_of(found, balance, profile, ends, books.when, after_preferred=claims.knows_preferred)
    said = _notes(found, valued, day, current=current)
    return CompanyFacts(
        symbol=profile.symbol,
        profile=profile,
        currency=prices.currency,
        price=price,
        price_day=day,
        shares=None if valued.counted is None or shares is None else shares_of(valued.counted, shares, lent),
        **_stated(books, prices, lent),
        eps=valued.multiples.eps_ttm,
        priced_equity=times(priced_equity(prices, found), exchange_rate),
        growth=past_growth(ends),
        growth_gap=_growth_gap(found),
        years=capital_years(balance, ends, exchange_rate),
        norms=norms,
        record=own_record(found, ends, balance, after_preferred=claims.knows_preferred),
        method_items=method_items(found, exchange_rate, books.when),
        claims=claims,
        is_current=current,
        base_period=base,
        figures_of=books.when + (_age(base, day) if overdue else ""),
        overdue=overdue,
        notes=(*said, *norms.notes, *_beta_note(prices), *_claim_notes(books, claims, lent, is_bank=is_bank)),
        withheld=valued.withheld or _no_count(found, valued),
    )


def _stated(books: _StatedFigures, prices: Prices, lent: Convertible | None) -> dict[str, Any]:
    """Return the facts that are sums of twelve months, items of the newest balance sheet, or dividends, by name."""
    sheet, flows, paid = books.trailing.balance, books.trailing.flows, _dividends(prices)
    return {
        "revenue": books.flow("revenue"),
        "operating_income": books.flow("operating_income"),
        "net_income": books.flow("net_income"),
        "ebitda": _times(flows["ebitda"], books.rate),
        "free_cash_flow": _times(flows["free_cash_flow"], books.rate),
        "interest": books.item("interest_expense"),
        "debt": None if sheet is None else without_convertible(debt_of(sheet, books.rate), lent),
        "cash": _sheet_item(sheet, "cash", books.rate),
        "equity": _sheet_item(sheet, "equity", books.rate),
        "income_to_common": books.income("net_income_to_common"),
        "dividend": paid[0],
        "dividend_before": paid[1],
    }


def _claim_notes(books: _StatedFigures, claims: Claims, lent: Convertible | None, *, is_bank: bool) -> tuple[str, ...]:
    own = claims.notes if lent is None else (*counted_once(claims.notes), lent.note)
    return (*own, *(_preferred_dividends(books, claims) if is_bank else ()))


def _preferred_dividends(books: _StatedFigures, claims: Claims) -> tuple[str, ...]:
    """Say what a bank pays on preferred stock where its source gives the dividends and not the stock."""
    income, common = books.flow("net_income"), books.income("net_income_to_common")
    paid = None if income is None or common is None else income.value - common.value
    if claims.knows_preferred or income is None or paid is None or paid < SPOKEN * abs(income.value):
        return ()
    told = (
        f"Preferred dividends and the like of {Figure('dividends', paid).text} are in the income, and the preferred "
        f"stock, which the source does not give, is in the equity; give preferred_equity=…."
    )
    return (told,)


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
    if valued.counted is not None:
        quoted = (*quoted, *_count_notes(valued.counted, books))
    return (*books.notes, *quoted, *(() if current else (_old_year(books, day),)))


def _count_notes(counted: CountedShares, books: Trailing) -> tuple[str, ...]:
    """Say which counts contradict each other, and that the count is older than the figures where it is."""
    old = f"The share count is the average of the period to {counted.period.end}: no newer one is usable."
    return (*((counted.note,) if counted.note else ()), *((old,) if counted.period.end < books.periods[0].end else ()))


def _no_count(books: Trailing, valued: Valued) -> tuple[str, ...]:
    if valued.multiples.shares is not None:
        return ()
    why = no_shares_because((*books.quarters, *books.years))
    return (f"No usable share count: {why}. A company's report prints one in its note on earnings per share.",)


def _months_of(books: Trailing) -> str:
    """Return the months covered in words, such as `four quarters to 2024-12-28`."""
    ends = [period.end for period in books.periods]
    return f"{months_in_words(books.basis, ends)} to {ends[0]}"


def _old_year(books: Trailing, day: date) -> str:
    end = books.periods[0].end
    return f"The fiscal year valued ended {(day - end).days} days before the price: what was earned since is not in it."


def _age(end: date, day: date) -> str:
    return f", {(day - end).days / DAYS_OF_A_MONTH:.1f} months old"


def _overdue(books: Trailing, prices: Prices, shares: float | None) -> str:
    """Return which report after the twelve months was due by the day and is not known; "" where none is."""
    day, income = last_day(prices), books.periods[0].income
    is_domestic = prices.currency == income.currency == "USD" and receipt_of(prices.symbol, day) is None
    is_large = is_domestic and shares is not None and shares * float(prices.close[-1]) >= LARGE_FILER
    known = [period.income for period in (*books.quarters, *books.years)]
    end = books.periods[0].end
    report = overdue_report(end, known, day, is_large=is_large)
    if report is not None:
        return f"{report.words} and is not known"
    newest = max(one.period_end for one in known)
    if newest > end and next_report(end, known, is_large=is_large).due < day:
        return f"statements to {newest} are known and make no twelve months, for one before is missing"
    return ""


def _sheet_item(sheet: Statement | None, name: str, rate: float) -> Sourced | None:
    if sheet is None or name not in sheet.items:
        return None
    return Sourced(sheet.items[name] * rate, f"get_balance_sheet: {name}, {sheet.period_end}")


def _times(value: float | None, rate: float) -> float | None:
    return None if value is None else value * rate


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
