"""What stands between a company's operations and its common shareholders, item by item as a balance sheet gives it.

`claims_of` reads the items; each says where it stands, that the statement has none, or that the source cannot say.

The diluted count holds the shares of a convertible bond whatever the price (US GAAP), and the bond stands in the debt.
Where a source gives both by name, `convertible` tells which of them the price makes worth more; the other is left out.
Where it gives the debt alone, the two cannot be told apart: a note of `claims` says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from tradingagents.analytics.company.multiples import Valued
from tradingagents.analytics.company.share_counts import CountedShares
from tradingagents.analytics.company.trailing import total_debt
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.line_items import OWN_TERMS
from tradingagents.dataflows.reference.metrics import Figure

CLAIM_ITEMS = (
    "short_term_investments",
    "long_term_investments",
    "equity_method_investments",
    "preferred_equity",
    "minority_interest",
    "temporary_equity",
    "finance_leases",
    "pension_deficit",
)
"""Items that the claims are made of."""
UNCOUNTED = (
    "restricted_cash",
    "dividends_payable",
    "assets_held_for_sale",
    "liabilities_held_for_sale",
    "pension_surplus",
    "derivative_assets",
    "derivative_liabilities",
)
"""Items that no input of a valuation holds: tied to others of its trade, or of a value that the sheet does not show."""
_MAY_HOLD_CASH = ("other_current_assets", "other_noncurrent_assets")
SPOKEN = 0.02
"""Part of the equity from which on an item that is not counted is said."""
HAS_NONE = "0: the balance sheet"
"""Beginning of the source of an item that a source would give, and that a balance sheet lacks."""

AT_BOUND = "taken within"
"""Within the source of an assumption that was cut to a bound, after its own level: `…; 50.5%, taken within …`."""


@dataclass(frozen=True, slots=True)
class Sourced:
    """A number and where it comes from."""

    value: float
    source: str
    """A cell of the data sheet, such as `get_income_statement: revenue, four quarters to 2024-12-28`, or a default."""
    assumed: bool = False
    """True where it is no reported figure."""


@dataclass(frozen=True, slots=True)
class Claims:
    """Assets beside the operations, and claims that come before the common shares. Money in the price's currency."""

    short_term_investments: Sourced
    """Securities that `cash` leaves out."""
    investments: Sourced
    """Securities and stakes held for longer than a year, those by equity method included."""
    minority_interest: Sourced
    """Shares of others in subsidiaries, redeemable ones included."""
    preferred_equity: Sourced
    """Preferred stock, which the equity includes."""
    pension_deficit: Sourced
    finance_leases: Sourced
    """Leases that the debt leaves out."""
    knows_preferred: bool = False
    """Whether the source would say if there was preferred stock."""
    may_hold: float = 0.0
    """Other assets of more than `SPOKEN` of the equity that may hold cash and securities, where a source gives none."""
    notes: tuple[str, ...] = ()
    """Items of more than `SPOKEN` of the equity that are not counted, or perhaps twice."""


def claims_of(sheet: Statement | None, rate: float = 1.0, *, is_firm: bool = True) -> Claims:
    """Read what comes between operations and common shares from a balance sheet.

    Args:
        sheet: None where there is none: nothing is known then.
        rate: Units of the price's currency for one unit of the sheet's.
        is_firm: False for a bank or insurer, whose equity is what remains of the whole sheet: nothing is left out.
    """
    minority = _sum(sheet, ("minority_interest", "temporary_equity"), rate)
    if minority.value < 0:
        minority = Sourced(0.0, f"default: 0, for below zero ({minority.source})", assumed=True)
    return Claims(
        short_term_investments=_sum(sheet, ("short_term_investments",), rate),
        investments=_investments(sheet, rate),
        minority_interest=minority,
        preferred_equity=_sum(sheet, ("preferred_equity",), rate),
        pension_deficit=_sum(sheet, ("pension_deficit",), rate),
        finance_leases=_sum(sheet, ("finance_leases",), rate),
        knows_preferred=sheet is not None and _has_term(sheet, "preferred_equity"),
        may_hold=0.0 if sheet is None or not is_firm else _may_hold(sheet) * rate,
        notes=() if sheet is None or not is_firm else _notes(sheet, rate),
    )


def operating_capital(items: Mapping[str, float], debt: float) -> float:
    """Return what owners and lenders have in the operations.

    That is equity, interests of others, debt, leases and pensions less cash and securities.

    >>> items = {"equity": 300.0, "minority_interest": 10.0, "cash": 40.0, "long_term_investments": 20.0}
    >>> operating_capital(items, 100.0)
    350.0
    """
    others = items.get("minority_interest", 0.0) + items.get("temporary_equity", 0.0)
    held = items.get("long_term_investments", items.get("equity_method_investments", 0.0))
    spare = items.get("cash", 0.0) + items.get("short_term_investments", 0.0) + held
    later = items.get("finance_leases", 0.0) + items.get("pension_deficit", 0.0)
    return items["equity"] + others + debt + later - spare


def acquired_intangibles(sheet: Statement) -> float | None:
    """Return goodwill and other intangibles, which growth without acquisitions does not cost; None where not known."""
    if "goodwill_and_intangibles" in sheet.items:
        return sheet.items["goodwill_and_intangibles"]
    return 0.0 if _has_term(sheet, "goodwill_and_intangibles") else None


def _has_term(sheet: Statement, name: str) -> bool:
    return name in OWN_TERMS.get(sheet.source, frozenset())


def _investments(sheet: Statement | None, rate: float) -> Sourced:
    whole = sheet is None or "long_term_investments" in sheet.items or "equity_method_investments" not in sheet.items
    return _sum(sheet, ("long_term_investments" if whole else "equity_method_investments",), rate)


def _sum(sheet: Statement | None, names: tuple[str, ...], rate: float) -> Sourced:
    """Add up items of a sheet, or say why none of them is there; facts refuse a sheet with some of them withheld."""
    if sheet is None:
        return Sourced(0.0, "default: 0, no balance sheet is known", assumed=True)
    given = [name for name in names if name in sheet.items]
    if given:
        total = sum(sheet.items[name] for name in given) * rate
        return Sourced(total, f"get_balance_sheet: {' + '.join(given)}, {sheet.period_end}")
    if _has_term(sheet, names[0]):
        return Sourced(0.0, f"{HAS_NONE} of {sheet.period_end} has none", assumed=True)
    return Sourced(0.0, f"default: 0, not known: {sheet.source} gives no such item", assumed=True)


def _may_hold(sheet: Statement) -> float:
    items = sheet.items
    least = SPOKEN * abs(items.get("equity", 0.0))
    known = [items.get(name, 0.0) for name in _MAY_HOLD_CASH]
    return 0.0 if "cash" in items else sum(size for size in known if size > least)


def _notes(sheet: Statement, rate: float) -> tuple[str, ...]:
    """Say which items of size are not counted, or perhaps twice."""
    unknown = () if "cash" in sheet.items else _MAY_HOLD_CASH
    others, uncounted, convertible = (
        _of_size(sheet, names, rate) for names in (unknown, UNCOUNTED, ("convertible_debt",))
    )
    found = (
        others
        and f"Not counted: {others}, which may hold cash and securities, for the source gives no cash; give cash=… and "
        f"non_operating_assets=….",
        uncounted and f"Not counted: {uncounted}.",
        convertible
        and f"Counted as debt: {convertible}; where the diluted shares hold its shares too, give debt=… without it.",
    )
    return tuple(one for one in found if one)


def _of_size(sheet: Statement, names: tuple[str, ...], rate: float) -> str:
    """Return the items above `SPOKEN` of the equity in words; empty for none."""
    least = SPOKEN * abs(sheet.items.get("equity", 0.0))
    found = [(name, sheet.items[name]) for name in names if abs(sheet.items.get(name, 0.0)) > least]
    shown = " and ".join(f"{name} {Figure(name, size * rate).text}" for name, size in found)
    return f"{shown} of {sheet.period_end}" if shown else ""


def debt_of(sheet: Statement, rate: float = 1.0) -> Sourced | None:
    """Return interest-bearing debt; where the source gives none, all long-term liabilities stand for it."""
    debt, _ = total_debt(sheet)
    if debt is not None:
        return Sourced(debt * rate, f"get_balance_sheet: debt, {sheet.period_end}")
    items = sheet.items
    if "total_liabilities" in items and "current_liabilities" in items:
        later = items["total_liabilities"] - items["current_liabilities"]
        return Sourced(
            max(later, 0.0) * rate,
            f"default: no debt is given, so all long-term liabilities of {sheet.period_end} count as debt",
            assumed=True,
        )
    return None


ITEM = "convertible_debt"


@dataclass(frozen=True, slots=True)
class Convertible:
    """Convertible debt with the shares that the diluted count holds for it."""

    debt: float
    """In the currency of the price."""
    shares: float
    """Of what is quoted."""
    price: float

    @property
    def is_shares(self) -> bool:
        """Whether its holders would take the shares: these are worth as much as the debt, or more."""
        return self.shares * self.price >= self.debt

    @property
    def note(self) -> str:
        """Say as what it counts."""
        debt, worth, shares = (Figure("size", one).text for one in (self.debt, self.shares * self.price, self.shares))
        counts = "as shares, not as debt" if self.is_shares else "as debt, not as shares"
        return (
            f"Convertible debt of {debt} is worth {worth} in the {shares} shares that the diluted count holds for it: "
            f"it counts {counts}."
        )


def convertible(valued: Valued, sheet: Statement | None, price: float, rate: float) -> Convertible | None:
    """Return the convertible debt that is in the diluted count too; None where the source does not give both.

    Args:
        valued: The share count, with the statement it is of.
        sheet: The newest balance sheet; None where there is none.
        price: Of a share.
        rate: Units of the price's currency for one unit of the sheet's.
    """
    counted, shares = valued.counted, valued.multiples.shares
    if counted is None or shares is None or sheet is None:
        return None
    debt = sheet.items.get(ITEM, 0.0)
    held = counted.period.income.items.get("convertible_shares", 0.0)
    if debt <= 0 or not 0 < held < counted.value:
        return None
    return Convertible(debt * rate, held * shares / counted.value, price)


def shares_of(counted: CountedShares, shares: float, lent: Convertible | None) -> Sourced:
    """Return the shares to divide by, without those of debt that counts as debt.

    Args:
        counted: The statements' count.
        shares: The same in what is quoted.
        lent: Convertible debt that the count holds too; None for none.
    """
    if lent is None or lent.is_shares:
        return Sourced(shares, counted.source)
    return Sourced(shares - lent.shares, f"{counted.source}, less convertible_shares")


def without_convertible(debt: Sourced | None, lent: Convertible | None) -> Sourced | None:
    """Return the debt without that which counts as shares."""
    if debt is None or lent is None or not lent.is_shares:
        return debt
    return replace(debt, value=max(debt.value - lent.debt, 0.0), source=f"{debt.source} less {ITEM}")


def counted_once(notes: Iterable[str]) -> tuple[str, ...]:
    """Return notes on the claims without the one that convertible debt may count twice."""
    return tuple(note for note in notes if ITEM not in note)
