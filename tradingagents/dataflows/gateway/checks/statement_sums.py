"""Items of one statement against each other: sums, parts that exceed their whole, and signs.

What differs between honest sources passes: a gain on a sale exceeds revenue, minority holders own a part of equity, a
source's cost leaves out a part. What no books can show is withheld: which of the items is wrong is not known, so all of
the violated relation are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from itertools import product
from statistics import median

from tradingagents.dataflows.gateway.checks.share_jumps import SMALLEST_TESTABLE_EPS
from tradingagents.dataflows.gateway.checks.statement_units import POWERS, SUMS, sum_holds
from tradingagents.dataflows.models import Statement, StatementKind
from tradingagents.dataflows.reference.data_faults import FaultKind
from tradingagents.dataflows.reference.line_items import SHARES

Items = Mapping[str, float]
ROUNDING = 0.02
"""Of the whole, by which a part may exceed it."""
GROSS_TOLERANCE = 0.10
"""Of revenue: some sources leave amortization or royalties out of the cost of revenue."""
OPERATING_LIMIT = 10.0
"""Times revenue: operating income beyond it is no income from operations."""
GAIN = 2.0
"""Times revenue: a profit beyond it is noted; sales of businesses and holdings give such."""
MIRRORED = 1.5
"""Factor within which earnings per share times shares are net income with its sign turned; what preferred shares take
from a small profit is not of its size."""
DILUTION = 0.10
"""By which basic shares may exceed diluted ones, which sources average differently, before both are withheld."""
FAR, LEAST_EPS = 10.0, 0.05
"""Factor from which on basic and diluted earnings per share are in two units; sizes up to which they are rounding."""
BALANCE_TOLERANCE = 0.03
"""Of total assets: liabilities and equity may exceed them by rounding and by items between the two."""
MINORITY_CHANGE = 0.10
"""Of total assets: by how much the part of minority holders and of mezzanine may change from the usual one."""
NO_GAP, LONE_GAP = 0.001, 0.003
"""Of total assets: a gap of less is none; one of more, where the balance sheets before and after have none, is a doubt,
as minority holders who come with an acquisition stay in the balance sheets after it."""
LEAST_FORMER = 4
"""Balance sheets without a gap from which on one of the newest is a doubt, where the source states minority holders."""
LONE_PART = 0.05
"""Of equity: a positive gap of less may be holders of a subsidiary's shares that is soon separated."""
CASH_TOLERANCE, MOST_OWN_TERMS = 0.05, 0.25
"""Of the largest cash flow: how far free cash flow may be from its definition, and up to where it alone is withheld."""
UNIT_GAP, NEARER = 0.10, 0.5
"""Of the largest cash flow: how far the sum of the flows must be off, and what part of that may be left with one of
them a thousand times greater, nearer to its usual size too. Exchange rates and restricted cash leave a rest."""
MOST_FLOW = 10.0
"""Times the others: a cash flow that is not paid from, or into, another one cannot be."""
EXACT = 0.005
"""Of the largest part: how well a sum must hold with an item in another unit."""
EXACT_PART, LEAST_PART = 0.05, 0.002
"""The same of the item itself, up to what exchange rates do to cash; and the part of the largest below which an item
is rounding."""
LEAST_OFF = 0.9 * LEAST_PART
"""Of the largest: what a sum is off by at least where an item above `LEAST_PART` has to be a thousand times greater, or
less, for it to hold but for `EXACT_PART`."""
OTHER_SIZE = 250.0
"""Times, up or down, from earnings per share times shares to net income: more than receipts of 100 shares, splits and
preferred dividends make."""
NEAR_USUAL = 3.0
"""Times the usual revenue, up or down, within which a negative one is the usual one with its sign turned."""
MOST_MINORITY = 0.60
"""Of total assets: their part where no other balance sheet says what is usual."""


@dataclass(frozen=True, slots=True)
class ItemDoubt:
    """What is wrong with items of a row."""

    what: str
    """Without the figures: what is withheld shall not be cited from its reason."""
    items: tuple[str, ...]
    """The items withheld; () where it is noted only."""
    kind: FaultKind = "items-disagree"


def item_doubts(row: Statement, others: Sequence[Statement]) -> tuple[ItemDoubt, ...]:
    """Return what is wrong among the items of a statement.

    Args:
        row: Without items that are withheld already.
        others: Statements of the same kind and frequency, for what is usual.
    """
    found = [*_signs(row), *_scaled_parts(row)]
    taken = {name for doubt in found for name in doubt.items}
    items = {name: value for name, value in row.items.items() if name not in taken} if taken else row.items
    found += _CHECKS[row.kind](items, others)
    if row.kind == "balance" and _has_lone_gap(row, items, others):
        found.append(_unbalanced(_gap(items) or 0.0))
    return tuple(dict.fromkeys(found))


def _signs(row: Statement) -> list[ItemDoubt]:
    items = row.items
    found = [
        ItemDoubt(f"{name} is negative", (name,)) for name in _NEVER_NEGATIVE[row.kind] if items.get(name, 0.0) < 0
    ]
    if row.kind == "income":
        odd = [name for name in ("shares_basic", "shares_diluted") if items.get(name, 1.0) <= 0]
        found += [ItemDoubt(f"{name} is not above zero", (name,), "share-count") for name in odd]
    found += [
        ItemDoubt(f"{name}, which is money out, is positive", tuple(item for item in with_it if item in items))
        for name, with_it in _OUTFLOWS[row.kind].items()
        if items.get(name, 0.0) > 0
    ]
    return found


def _scaled_parts(row: Statement) -> list[ItemDoubt]:
    """Return the single item with which a sum within the row holds only in another unit."""
    items = row.items
    for signs in SUMS[row.kind]:
        if not signs.keys() <= items.keys() or sum_holds(items, signs, LEAST_OFF):
            continue
        is_off = not sum_holds(items, signs, GROSS_TOLERANCE)
        for name, power in product(signs, (*POWERS, *(-power for power in POWERS)) if is_off else ()):
            if sum_holds({**items, name: items[name] * 10.0**power}, signs, EXACT):
                what = (
                    f"{name} fits {_words(signs)} only {10 ** abs(power):,} times {'greater' if power > 0 else 'less'}"
                )
                return [ItemDoubt(what, (name,), "unit-jump")]
        if (small := _small_part(items, signs)) is not None:
            return [small]
    return []


def _small_part(items: Items, signs: Mapping[str, int]) -> ItemDoubt | None:
    """Return the item whose size in another unit is what a sum lacks, or has too much; None where none is.

    A sum may be off by little, and then by an item that is small beside the others.
    """
    off, largest = sum(sign * items[name] for name, sign in signs.items()), max(abs(items[name]) for name in signs)
    found: list[tuple[float, str, int]] = []
    for name, power in product(signs, (3, 6, -3, -6)):
        scaled = items[name] * 10.0**power
        rest = abs(off + signs[name] * (scaled - items[name]))
        if max(abs(scaled), abs(items[name])) > LEAST_PART * largest and rest <= EXACT_PART * abs(scaled):
            found.append((rest, name, power))
    if not found:
        return None
    _, name, power = min(found)
    what = f"{name} fits {_words(signs)} only {10 ** abs(power):,} times {'greater' if power > 0 else 'less'}"
    return ItemDoubt(what, (name,), "unit-jump")


def _income_doubts(items: Items, others: Sequence[Statement]) -> list[ItemDoubt]:
    found = [*_share_doubts(items), *_sign_doubts(items, others)]
    revenue = items.get("revenue")
    if revenue is None or revenue == 0:
        return found
    if revenue < 0:
        return [*found, _negative_revenue(revenue, items, others)]
    gross = items.get("gross_profit")
    if gross is not None and not any("cost_of_revenue" in doubt.items for doubt in found):
        found += _gross_doubts(revenue, items.get("cost_of_revenue"), gross)
    if items.get("operating_income", 0.0) > OPERATING_LIMIT * revenue:
        what = f"operating_income is more than {OPERATING_LIMIT:g} times revenue"
        return [*found, ItemDoubt(what, ("revenue", "operating_income"))]
    if items.get("net_income", 0.0) > GAIN * revenue:
        what = f"net_income is more than {GAIN:g} times revenue, as after the sale of a business"
        found.append(ItemDoubt(what, ()))
    return found


def _sign_doubts(items: Items, others: Sequence[Statement]) -> list[ItemDoubt]:
    """Return the doubts of a profit whose sign earnings per share lack, and of costs below zero."""
    found = []
    income, shares = items.get("net_income", 0.0), items.get("shares_diluted", items.get("shares_basic"))
    if shares is None:
        counts = [count for other in others if (count := other.items.get("shares_diluted")) is not None and count > 0]
        shares = median(counts) if counts else 0.0
    per_share = items.get("eps_diluted", items.get("eps_basic", 0.0))
    size = abs(per_share * shares / income) if income and abs(per_share) >= SMALLEST_TESTABLE_EPS else 0.0
    if size and not 1 / OTHER_SIZE < size < OTHER_SIZE:
        names = tuple(name for name in ("net_income", "eps_basic", "eps_diluted", *SHARES) if name in items)
        what = (
            f"net_income is more than {OTHER_SIZE:g} times {'less' if size > 1 else 'greater'} than earnings per share"
        )
        found.append(ItemDoubt(f"{what} times shares", names, "unit-jump"))
    elif (
        income
        and shares
        and (
            -MIRRORED < per_share * shares / income < -1 / MIRRORED
            or income < 0 < SMALLEST_TESTABLE_EPS <= per_share  # preferred shares take more, and give nothing
        )
    ):
        names = tuple(name for name in ("net_income", "eps_basic", "eps_diluted") if name in items)
        found.append(ItemDoubt("net_income and earnings per share have opposite signs", names))
    elif _is_turned(items):
        names = tuple(name for name in ("net_income", "eps_basic", "eps_diluted") if name in items)
        found.append(ItemDoubt("net_income is pretax_income less income_tax with the opposite sign", names))
    if items.get("cost_of_revenue", 0.0) < -ROUNDING * abs(items.get("revenue", 0.0)):
        names = tuple(name for name in ("cost_of_revenue", "gross_profit") if name in items)
        found.append(ItemDoubt("cost_of_revenue is negative", names))
    if items.get("depreciation_and_amortization", 0.0) < 0:
        names = tuple(name for name in ("depreciation_and_amortization", "ebitda") if name in items)
        found.append(ItemDoubt("depreciation_and_amortization is negative", names))
    return found


def _is_turned(items: Items) -> bool:
    """Return whether net income is a profit as large as the loss that pretax income and tax give, or the reverse."""
    signs = {"net_income": -1, "pretax_income": 1, "income_tax": -1}
    if not signs.keys() <= items.keys() or not items["net_income"] or sum_holds(items, signs, GROSS_TOLERANCE):
        return False
    return sum_holds({**items, "net_income": -items["net_income"]}, signs, EXACT)


def _gross_doubts(revenue: float, cost: float | None, gross: float) -> list[ItemDoubt]:
    if gross > (1 + ROUNDING) * revenue and (cost is None or cost >= 0):
        items = ("revenue", "gross_profit", *(("cost_of_revenue",) if cost is not None else ()))
        return [ItemDoubt("gross_profit exceeds revenue", items)]
    if cost is not None and abs(revenue - cost - gross) > GROSS_TOLERANCE * revenue:
        what = "gross_profit is not revenue less cost_of_revenue"
        return [ItemDoubt(what, ("revenue", "cost_of_revenue", "gross_profit"))]
    return []


def _negative_revenue(revenue: float, items: Items, others: Sequence[Statement]) -> ItemDoubt:
    """Return the doubt of a negative revenue, which losses on investments make; a turned sign is withheld."""
    usual = [value for other in others if (value := other.items.get("revenue")) is not None and value > 0]
    mended = {**items, "revenue": -revenue}
    turned = bool(usual) and 1 / NEAR_USUAL < -revenue / median(usual) < NEAR_USUAL
    turned = turned or any(
        signs.keys() <= items.keys() and sum_holds(mended, signs) and not sum_holds(items, signs)
        for signs in SUMS["income"]
        if "revenue" in signs
    )
    return ItemDoubt("revenue is negative", ("revenue",) if turned else ())


def _share_doubts(items: Items) -> list[ItemDoubt]:
    earned, of_all = items.get("eps_basic"), items.get("eps_diluted")
    if earned is not None and of_all is not None and _are_far_apart(earned, of_all):
        return [ItemDoubt("eps_basic and eps_diluted are not of one size", ("eps_basic", "eps_diluted"))]
    basic, diluted = items.get("shares_basic"), items.get("shares_diluted")
    if basic is None or diluted is None or not 0 < diluted < (1 - DILUTION) * basic:
        return []
    return [ItemDoubt("shares_diluted is less than shares_basic", ("shares_basic", "shares_diluted"), "share-count")]


def _are_far_apart(basic: float, diluted: float) -> bool:
    """Tell whether earnings per share are of other sizes than dilution explains."""
    return basic * diluted > 0 and max(abs(basic), abs(diluted)) > LEAST_EPS and not 1 / FAR < basic / diluted < FAR


def _balance_doubts(items: Items, others: Sequence[Statement]) -> list[ItemDoubt]:
    found = [
        ItemDoubt(f"{part} exceeds {whole}", (part, whole))
        for part, whole in _PARTS
        if part in items and whole in items and items[part] > (1 + ROUNDING) * items[whole]
    ]
    gap = _gap(items)
    if gap is None or -BALANCE_TOLERANCE <= gap <= MINORITY_CHANGE:
        return found
    usual = [one for other in others if (one := _gap(other.items)) is not None]
    limit = median(usual) + MINORITY_CHANGE if usual else MOST_MINORITY
    if 0 < gap <= limit:
        return found
    return [*found, _unbalanced(gap)]


def _unbalanced(gap: float) -> ItemDoubt:
    what = f"total_liabilities plus equity {'fall short of' if gap > 0 else 'exceed'} total_assets"
    return ItemDoubt(what, ("total_assets", "total_liabilities", "equity"))


def _has_lone_gap(row: Statement, items: Items, others: Sequence[Statement]) -> bool:
    """Return whether a balance sheet does not balance where the ones directly before and after it do.

    Of the newest, that all before it do counts, where the part of minority holders is stated and is not the gap.
    """
    gap = _gap(items)
    if gap is None or abs(gap) <= LONE_GAP:
        return False
    former = [other for other in others if other.period_end < row.period_end]
    later = [other for other in others if other.period_end > row.period_end]
    if not later:
        return (
            len(former) >= LEAST_FORMER
            and all(map(_balances, (statement.items for statement in former)))
            and _is_unfilled(items)
        )
    if 0 < gap * items["total_assets"] <= LONE_PART * abs(items["equity"]):
        return False
    before = max(former, key=_age, default=None)
    after_end = min((statement.period_end for statement in later), default=None)
    after = max((statement for statement in later if statement.period_end == after_end), key=_age, default=None)
    gaps = [_gap(statement.items) for statement in (before, after) if statement is not None]
    return len(gaps) == 2 and all(one is not None and abs(one) <= NO_GAP for one in gaps)


def _balances(items: Items) -> bool:
    """Return whether liabilities and equity are the assets, alone or with the part of minority holders."""
    gap = _gap(items)
    return gap is not None and min(abs(gap), abs(gap - _minority(items))) <= NO_GAP


def _is_unfilled(items: Items) -> bool:
    """Return whether the part of minority holders is stated and does not fill the gap of a balance sheet."""
    return "minority_interest" in items and abs((_gap(items) or 0.0) - _minority(items)) > LONE_GAP


def _minority(items: Items) -> float:
    """Return the stated part of minority holders, of total assets."""
    return items.get("minority_interest", 0.0) / items["total_assets"]


def _age(row: Statement) -> tuple[date, datetime]:
    return row.period_end, row.known_at


def _gap(items: Items) -> float | None:
    """Return the part of the assets that is neither a liability nor the owners' equity; None where it is not known."""
    assets, liabilities, equity = (items.get(name) for name in ("total_assets", "total_liabilities", "equity"))
    if assets is None or liabilities is None or equity is None or assets <= 0:
        return None
    return (assets - liabilities - equity) / assets


def _thousandth_flow(items: Items, others: Sequence[Statement]) -> ItemDoubt | None:
    """Return the cash flow that is a thousandth, or a millionth, of its usual size where the sum lacks as much."""
    signs = SUMS["cashflow"][1]
    largest, off = max(abs(items[name]) for name in signs), sum(sign * items[name] for name, sign in signs.items())
    if abs(off) <= UNIT_GAP * largest:
        return None
    for name, sign in signs.items():
        usual = [abs(value) for other in others if (value := other.items.get(name))]
        for power in (3, 6):
            scaled = items[name] * 10.0**power
            rest = abs(off + sign * (scaled - items[name]))
            of_usual = abs(scaled) / median(usual) if usual else 0.0
            if rest <= NEARER * abs(off) and 1 / MOST_FLOW < of_usual < MOST_FLOW:
                what = f"{name} is about a {10**power:,}th of its usual size, which {_words(signs)} lacks"
                with_it = (name, *(("free_cash_flow",) if name == "operating_cash_flow" else ()))
                return ItemDoubt(what, tuple(item for item in with_it if item in items), "unit-jump")
    return None


def _cashflow_doubts(items: Items, others: Sequence[Statement]) -> list[ItemDoubt]:
    free, of_cash = SUMS["cashflow"]
    found: list[ItemDoubt] = []
    if of_cash.keys() <= items.keys():
        found += [doubt] if (doubt := _thousandth_flow(items, others)) is not None else []
        largest, *rest = sorted(of_cash, key=lambda name: -abs(items[name]))
        if abs(items[largest]) > MOST_FLOW * sum(abs(items[name]) for name in rest) > 0:
            with_it = (largest, *(("free_cash_flow",) if "free_cash_flow" in items and largest in free else ()))
            found.append(ItemDoubt(f"{largest} exceeds all other cash flows {MOST_FLOW:g} times", with_it))
    if found or not free.keys() <= items.keys() or sum_holds(items, free, CASH_TOLERANCE):
        return found
    # Some sources take leases or dividends from it; beyond that any of the three may be wrong.
    items_of = tuple(free) if not sum_holds(items, free, MOST_OWN_TERMS) else ("free_cash_flow",)
    return [ItemDoubt("free_cash_flow is not operating_cash_flow plus capital_expenditure", items_of)]


def _words(signs: Mapping[str, int]) -> str:
    """Return a sum in words, such as `gross_profit = revenue - cost_of_revenue`."""
    whole, first, *rest = signs
    return f"{whole} = {first} {' '.join(f'{_SIGN[signs[name]]} {name}' for name in rest)}"


_SIGN = {1: "+", -1: "-"}
_NEVER_NEGATIVE: Mapping[StatementKind, tuple[str, ...]] = {
    "income": (),
    "balance": ("cash", "current_assets", "total_assets", "total_liabilities", "total_debt"),
    "cashflow": (),
}
"""Polygon gives some banks a negative `current_liabilities`, which no figure of a bank rests on."""
_OUTFLOWS: Mapping[StatementKind, Mapping[str, tuple[str, ...]]] = {
    "income": {},
    "balance": {},
    "cashflow": {
        "capital_expenditure": ("capital_expenditure", "free_cash_flow"),
        "dividends_paid": ("dividends_paid",),
    },
}
"""Items that are money out and therefore negative, with the items that rest on them."""
_PARTS = (
    ("cash", "current_assets"),
    ("cash", "total_assets"),
    ("current_assets", "total_assets"),
    ("fixed_assets", "total_assets"),
    ("inventory", "current_assets"),
    ("receivables", "current_assets"),
    ("accounts_payable", "current_liabilities"),
    ("equity", "total_assets"),
    ("current_liabilities", "total_liabilities"),
    ("long_term_debt", "total_liabilities"),
    ("short_term_debt", "total_liabilities"),
    ("total_debt", "total_liabilities"),
)
_CHECKS: Mapping[StatementKind, Callable[[Items, Sequence[Statement]], list[ItemDoubt]]] = {
    "income": _income_doubts,
    "balance": _balance_doubts,
    "cashflow": _cashflow_doubts,
}
