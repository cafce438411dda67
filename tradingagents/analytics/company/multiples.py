"""Valuation multiples: price relative to twelve months of earnings, sales and cash flow, and to equity.

A fiscal year that ended too long ago to stand for the last twelve months (`period_age`) gives no multiple of the day.
Its multiples are kept apart under names of their own (`pe_fy`), to be shown and never scored or compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from datetime import date

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.analytics.company.quoted_shares import (
    WITHHELD,
    QuotedShares,
    quoted_shares,
    reason,
    unstated_currency,
)
from tradingagents.analytics.company.reported_periods import may_be_priced
from tradingagents.analytics.company.share_counts import (
    CountedShares,
    earnings_per_share,
    newest_shares,
    no_shares_because,
)
from tradingagents.analytics.company.statements import consecutive, gap_of
from tradingagents.analytics.company.trailing import Period, Trailing, total_debt
from tradingagents.analytics.price.returns import last_day, percent, ratio, times
from tradingagents.dataflows.gateway.checks.row_checks import SUSPECTS, beyond_bounds
from tradingagents.dataflows.gateway.checks.share_jumps import Jump, count_jump, count_jumps, price_jump, usable_shares
from tradingagents.dataflows.gateway.share_basis import has_share_figures, is_share_split, local_day
from tradingagents.dataflows.models import Prices, Profile, Split, Statement
from tradingagents.dataflows.reference.data_faults import reference
from tradingagents.dataflows.reference.fiscal_periods import is_withheld
from tradingagents.dataflows.reference.line_items import PER_SHARE


@dataclass(frozen=True, slots=True)
class Multiples:
    """Multiples at one price; None when a part is missing or the multiple has no meaning."""

    shares: float | None = None
    """Adjusted to the share basis of the day."""
    market_cap: float | None = None
    eps_ttm: float | None = None
    pe_ttm: float | None = None
    ps_ttm: float | None = None
    pb: float | None = None
    peg: float | None = None
    ev_ebitda: float | None = None
    fcf_yield: float | None = None
    """Percent."""


@dataclass(frozen=True, slots=True)
class Valued:
    """Multiples with their notes."""

    multiples: Multiples
    notes: tuple[str, ...] = ()
    withheld: tuple[str, ...] = ()
    """Why computable multiples were withheld, one sentence each; these must be visible in the report."""
    quoted_note: str | None = None
    """What one quoted share stands for, where that is no share of the statements; `notes` holds it too."""
    counted: CountedShares | None = None
    """The statements' count that `Multiples.shares` is made of; None where there is none."""
    of_year: Mapping[str, float] = field(default_factory=dict)
    """Multiples of a fiscal year that ended too long ago, by the names of `OF_YEAR`; empty where there are current
    ones."""


OF_YEAR: Mapping[str, str] = {
    "eps_ttm": "eps_fy",
    "pe_ttm": "pe_fy",
    "ps_ttm": "ps_fy",
    "peg": "peg_fy",
    "ev_ebitda": "ev_ebitda_fy",
    "fcf_yield": "fcf_yield_fy",
}
"""Multiples over twelve months, with their names where the twelve months are a fiscal year that is not the last
twelve months."""


def multiples(
    prices: Prices,
    books: Trailing,
    history: Sequence[Statement],
    profile: Profile | None = None,
    *,
    cashflow: Sequence[Statement] = (),
    exchange_rate: float = 1.0,
    vendor_value: float | None = None,
) -> Valued:
    """Return the multiples at the last close, in the currency of the prices.

    Args:
        prices: As traded on the day of the last bar, with the splits up to it.
        books: The last twelve months filed by then, on the share basis of that day.
        history: All known income statements, on the same share basis.
        profile: Who it is; None where that is not known.
        cashflow: All known cash-flow statements, likewise; they show what was paid to all shares.
        exchange_rate: Units of the prices' currency for one unit of the statements'.
        vendor_value: The market value of today in the words of a vendor; None where there is none.
    """
    unlike = unstated_currency(prices, history) or _another_basis(prices, history)
    if unlike is not None:
        return Valued(Multiples(), withheld=(unlike,))
    counted = newest_shares((*books.quarters, *books.years), books.balance)
    count_doubt = _basis_doubt(_newest(books)) or _missing_count(books) or _count_doubt(prices, books, counted)
    quoted = QuotedShares()
    if counted is not None and count_doubt is None:
        quoted = quoted_shares(prices, profile, counted.value, books, cashflow=cashflow, vendor_value=vendor_value)
        count_doubt = quoted.withheld
    eps_doubt = None if count_doubt else _eps_doubt(books)
    before_doubt = None if count_doubt or eps_doubt else _growth_doubt(books)
    counts = _PerShare(
        shares=counted.value / quoted.counted_for_one if counted and not count_doubt else None,
        eps=None if count_doubt or eps_doubt else earnings_per_share(books.periods),
        before=None if before_doubt else earnings_per_share(books.before),
    ).scaled(quoted.counted_for_one * exchange_rate)
    equity = times(priced_equity(prices, books), exchange_rate)
    found, enterprise, growth = _figures(float(prices.close[-1]), counts, books, equity, exchange_rate)
    withheld = tuple(doubt for doubt in (count_doubt, eps_doubt, before_doubt) if doubt)
    missing = [] if withheld else _missing_notes(found, books, counts.before, growth)
    notes = (
        *((quoted.note,) if quoted.note else ()),
        *missing,
        *_balance_notes(found, books, equity, enterprise),
        *_count_notes(prices.splits, counted, books),
    )
    sound, beyond = _within_bounds(found, prices)
    used = counted if sound.shares is not None else None
    return _of_the_day(Valued(sound, notes, (*withheld, *beyond), quoted.note, used), books, last_day(prices))


@dataclass(frozen=True, slots=True)
class _PerShare:
    """What is counted in shares, or for one."""

    shares: float | None
    eps: float | None
    before: float | None
    """Earnings per share of the twelve months before."""

    def scaled(self, factor: float) -> _PerShare:
        """Return it with earnings per share times a factor."""
        return self if factor == 1 else replace(self, eps=times(self.eps, factor), before=times(self.before, factor))


def _figures(
    price: float, counts: _PerShare, books: Trailing, equity: float | None, rate: float
) -> tuple[Multiples, float | None, float | None]:
    """Return the multiples, the enterprise value, and the growth of earnings per share in percent."""
    eps, before = counts.eps, counts.before
    cap = times(counts.shares, price)
    pe = ratio(price, _positive(eps))
    debt = times(total_debt(books.balance)[0], rate) if books.balance else None
    cash = times(books.balance.items.get("cash"), rate) if books.balance else None
    enterprise = cap + debt - cash if cap is not None and debt is not None and cash is not None else None
    growth = 100 * (eps / before - 1) if eps is not None and before is not None and before > 0 else None
    flows = {name: times(books.flows[name], rate) for name in ("revenue", "ebitda", "free_cash_flow")}
    found = Multiples(
        shares=counts.shares,
        market_cap=cap,
        eps_ttm=eps,
        pe_ttm=pe,
        ps_ttm=ratio(cap, _positive(flows["revenue"])),
        pb=ratio(cap, _positive(equity)),
        peg=ratio(pe, _positive(growth)),
        ev_ebitda=ratio(enterprise, _positive(flows["ebitda"])),
        fcf_yield=percent(ratio(flows["free_cash_flow"], cap)),
    )
    return found, enterprise, growth


_WITH_IT: Mapping[str, tuple[str, ...]] = {
    "market_cap": tuple(field.name for field in fields(Multiples)),
    "ps_ttm": tuple(field.name for field in fields(Multiples)),
    "pe_ttm": ("pe_ttm", "peg"),
    "earnings_yield": ("eps_ttm", "pe_ttm", "peg"),
}
"""What is withheld with a figure beyond its bounds: sales show the size of a company, so that a market value which
does not fit them leaves nothing that rests on the share count."""


def _within_bounds(found: Multiples, prices: Prices) -> tuple[Multiples, tuple[str, ...]]:
    """Return the multiples without those that no company ever had, and why they are withheld."""
    yields = percent(ratio(found.eps_ttm, float(prices.close[-1])))
    for name in ("market_cap", "ps_ttm", "earnings_yield", "pe_ttm", "pb", "ev_ebitda", "fcf_yield"):
        value = yields if name == "earnings_yield" else getattr(found, name)
        beyond = beyond_bounds(name, value, prices.currency)
        if beyond is None:
            continue
        gone = _WITH_IT.get(name, (name,))
        what = WITHHELD if "market_cap" in gone else f"withheld {'is' if len(gone) == 1 else 'are'} {_listed(gone)}"
        why = reason(f"{prices.symbol}: {beyond}; suspected is {SUSPECTS}; {what}", "out-of-range")
        rest, more = _within_bounds(replace(found, **dict.fromkeys(gone)), prices)
        return rest, (why, *more)
    return found, ()


def _listed(names: Sequence[str]) -> str:
    return ", ".join(metric_label(name) for name in names)


def _of_the_day(valued: Valued, books: Trailing, day: date) -> Valued:
    """Keep the multiples of a fiscal year apart where it ended too long before the day."""
    interims = [period.income for period in books.quarters]
    if books.basis != "annual" or may_be_priced(books.periods[0].end, interims, day):
        return valued
    of_year = {OF_YEAR[name]: value for name in OF_YEAR if (value := getattr(valued.multiples, name)) is not None}
    end = books.periods[0].end
    old = (
        f"The newest twelve months known are the fiscal year to {end}, {(day - end).days} days before the price of "
        f"{day}: P/E, P/S, PEG, EV/EBITDA and free cash flow yield of the last twelve months are withheld."
    )
    current = replace(valued.multiples, **dict.fromkeys(OF_YEAR))
    withheld = (*valued.withheld, old) if of_year else valued.withheld
    return replace(valued, multiples=current, withheld=withheld, of_year=of_year)


def priced_equity(prices: Prices, books: Trailing) -> float | None:
    """Return the equity that a price of the day may be set against; None where none is given or it is too old."""
    sheet = books.balance
    if sheet is None or not may_be_priced(
        sheet.period_end, [period.income for period in books.quarters], last_day(prices)
    ):
        return None
    return sheet.items.get("equity")


def _another_basis(prices: Prices, history: Sequence[Statement]) -> str | None:
    """Return why prices and share counts are not on the same basis; None if they are.

    Prices adjusted for unlisted splits only fit statements that were restated for the same splits.
    """
    as_filed = any(statement.shares_as_of is None for statement in history if has_share_figures(statement))
    if prices.splits_listed or not as_filed:
        return None
    return (
        f"{prices.vendor} adjusts the prices of {prices.symbol} for splits that it does not list, and the statements "
        f"count shares as filed: market cap, EPS and the multiples are withheld. A list of its splits settles it."
    )


def _count_doubt(prices: Prices, books: Trailing, counted: CountedShares | None) -> str | None:
    """Return why the newest share count may be off by the ratio of a split; None if nothing indicates it."""
    if counted is None:
        return None
    period = counted.period
    same = books.quarters if any(quarter is period for quarter in books.quarters) else books.years
    older = (span.income for span in same if span.end < period.end and usable_shares(span.income) is not None)
    neighbour = next(older, None)
    jump = count_jump(period.income, neighbour) if neighbour is not None else None
    if jump is not None:
        return _jump_note((jump,), "market cap, EPS and the multiples")
    fell = price_jump(prices, local_day(period.income.known_at, prices.symbol))
    if fell is None:
        return None
    return (
        f"The close went from {fell.before:.2f} on {fell.from_day} to {fell.after:.2f} on {fell.to_day}, and the "
        f"source lists no split of {fell.words} that explains it: market cap, EPS and the multiples are withheld."
    )


def _basis_doubt(periods: Sequence[Period]) -> str | None:
    """Return why the gateway withholds share figures of some periods for their share basis; None where it does not."""
    reasons = (reason for period in periods for reason in period.income.withheld.values())
    return next((reason for reason in reasons if reference("share-basis") in reason), None)


def _missing_count(books: Trailing) -> str | None:
    """Return why the newest share count is not known: all of the newest income statement is withheld; else None."""
    found = (why for period in _newest(books) if is_withheld(period.income) for why in period.income.withheld.values())
    return next((f"{why} Market cap, EPS and the multiples are withheld with them." for why in found), None)


def _newest(books: Trailing) -> tuple[Period, ...]:
    """Return the newest period: it has the count of the market value."""
    return tuple(sorted((*books.quarters[:1], *books.years[:1]), key=lambda period: period.end)[-1:])


def _eps_doubt(books: Trailing) -> str | None:
    """Return why earnings of the last twelve months do not add up; None if they do."""
    return _basis_doubt(books.periods) or _jump_note(count_jumps(_incomes(books.periods)), "EPS, P/E and PEG")


def _growth_doubt(books: Trailing) -> str | None:
    """Return why earnings of the previous year are not comparable; None if they are."""
    if (doubt := _basis_doubt(books.before)) is not None:
        return doubt
    if not books.before:
        return None
    incomes = _incomes((*books.periods, *books.before))
    if any(not PER_SHARE.isdisjoint(statement.withheld) for statement in incomes):
        return "EPS of quarters that its growth rests on are withheld, and growth may be near zero: PEG is withheld."
    return _jump_note(count_jumps(incomes), "PEG")


def _incomes(periods: Sequence[Period]) -> list[Statement]:
    return [period.income for period in periods]


def _jump_note(jumps: Sequence[Jump], what: str) -> str | None:
    if not jumps:
        return None
    text = jumps[0].text
    return f"{text[0].upper()}{text[1:]}: {what} {'is' if what == 'PEG' else 'are'} withheld."


def _positive(value: float | None) -> float | None:
    return value if value is not None and value > 0 else None


def _missing_notes(found: Multiples, books: Trailing, before: float | None, growth: float | None) -> list[str]:
    notes = []
    if found.shares is None:
        why = no_shares_because((*books.quarters, *books.years))
        notes.append(f"No usable share count: {why}. Market cap and what rests on it are n/a.")
    if found.eps_ttm is not None and found.eps_ttm <= 0:
        notes.append("The last twelve months made a loss: there is no P/E and no PEG.")
    elif found.pe_ttm is not None and before is None:
        gap = "" if books.before else _gap_before(books)
        notes.append(f"No PEG: earnings of the twelve months before are not known{gap}.")
    elif found.pe_ttm is not None and (growth is None or growth <= 0):
        notes.append("No PEG: earnings per share did not grow from a profit.")
    return notes


def _gap_before(books: Trailing) -> str:
    """Return which quarter is missing among those known; "" where none is, or the twelve months are a fiscal year."""
    incomes = _incomes(books.quarters)
    if books.basis != "ttm" or len(consecutive(incomes)) == len(incomes):
        return ""
    return f": {gap_of(incomes)}"


def _balance_notes(found: Multiples, books: Trailing, equity: float | None, enterprise: float | None) -> list[str]:
    notes = []
    if equity is not None and equity <= 0:
        notes.append("Equity is not positive: there is no P/B.")
    if books.balance is not None and equity is None and "equity" in books.balance.items:
        notes.append(f"No P/B: the newest equity known is of {books.balance.period_end}.")
    if found.shares is not None and enterprise is None and books.balance is not None:
        notes.append("No EV/EBITDA: debt or cash is not given.")
    return notes


def _count_notes(splits: Sequence[Split], counted: CountedShares | None, books: Trailing) -> list[str]:
    """Return notes on the age of the share count, and on how splits since the oldest statement were handled."""
    if counted is None:
        return []
    notes = [counted.note] if counted.note else []
    if not books.periods or counted.period.end < books.periods[0].end:
        notes.append(f"The share count is of the period to {counted.period.end}.")
    used = [period.income for period in (*(books.periods or (counted.period,)), *books.before)]
    oldest = min(local_day(statement.known_at, statement.symbol) for statement in used)
    for split in splits:
        if split.day > oldest and is_share_split(split):
            notes.append(f"Split of {split.ratio:g} for 1 on {split.day}: older share counts are in shares after it.")
        elif split.day > oldest:
            notes.append(
                f"The ratio {split.ratio:g} of {split.day} is taken for a spin-off and leaves share counts alone."
            )
    return notes
