"""What is doubtful about a value, by its effect on it: `doubts_of` is the one list of them.

Defaults that stand for missing facts, assumptions at a bound, a base year unlike the company's own, a value that lies
after the forecast, the lean of the method (as far as the inputs show it, and as measured), and notes of the facts that
say so (`is_doubt`).

`valuation_lean.json` is written by `python -m benchmarks.valuation_range --write`: value over price by the default
inputs, of every recorded company with statements, on four days a year, older figures accepted. It describes the method
on large companies of today and moves no value. `lean_of` is the sentence about it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import cache
from importlib.resources import files
from typing import Any

from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.sectors import DISPLAY, sector_key
from tradingagents.valuation.company.answer_parts import ValuationAssumption
from tradingagents.valuation.company.assumptions import AnyInputs, BuiltInputs
from tradingagents.valuation.company.cases import earnings_moved, firm_spans
from tradingagents.valuation.company.claims import AT_BOUND, HAS_NONE
from tradingagents.valuation.company.facts import CompanyFacts
from tradingagents.valuation.company.history import OwnRecord, YearlyFigures
from tradingagents.valuation.dcf import value_company
from tradingagents.valuation.equity_models import ExcessReturnInputs
from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.limited_liability import NO_VALUE, share_value
from tradingagents.valuation.scenarios import growth_moved, margin_moved
from tradingagents.valuation.sensitivity import FACTORS, TORNADO_SHIFTS, Driver, tornado

FILE = "valuation_lean.json"
NEAR = (0.85, 1.15)
"""Medians of value over price within which the method finds companies neither dear nor cheap."""


@dataclass(frozen=True, slots=True)
class MeasuredLean:
    """Value over price of a group of companies."""

    companies: int
    values: int
    median: float

    @property
    def finding(self) -> str:
        """How the method finds them."""
        low, high = NEAR
        return "dear" if self.median < low else "cheap" if self.median > high else "near their value"


@dataclass(frozen=True, slots=True)
class LeanTable:
    """What was measured, on which days."""

    measured: date
    """Day on which the table was computed."""
    days: tuple[date, ...]
    """Days of the values, ascending."""
    every: MeasuredLean
    """All companies."""
    older: int
    """Values among them on figures whose successors were overdue, accepted as they were."""
    sectors: Mapping[str, MeasuredLean]
    """By the sector's name, those with enough companies and values."""


@cache
def lean_table() -> LeanTable:
    """Return the table of the package."""
    text = files("tradingagents.valuation.company").joinpath(FILE).read_text("utf-8")
    found: dict[str, Any] = json.loads(text)
    return LeanTable(
        measured=date.fromisoformat(found["measured"]),
        days=tuple(map(date.fromisoformat, found["days"])),
        every=MeasuredLean(**found["all"]),
        older=found["older"],
        sectors={name: MeasuredLean(**row) for name, row in found["sectors"].items()},
    )


def lean_of(sector: str | None, day: date, table: LeanTable | None = None) -> str:
    """Say how far the method's values of large companies lie from their prices, as a clause.

    Args:
        sector: Of the company valued, in the words of any source; None where it is not known.
        day: On which it is valued. Where the table was measured on later days, the clause says so.
        table: None: the package's.
    """
    found = table or lean_table()
    key = sector_key(sector)
    name = DISPLAY[key] if key else ""
    own = found.sectors.get(name)
    of_sector = "" if own is None else f" ({name} {own.median:.2f} of {own.values})"
    finds = f"this method finds large companies {found.every.finding}"
    if own is not None and own.finding != found.every.finding:
        finds += f", and those of this sector {own.finding}"
    first, last = found.days[0], found.days[-1]
    later = "; measured on later days too, it describes the method and no price of this day" if day < last else ""
    return (
        f"by default inputs the median of {found.every.values} values of {found.every.companies} large companies of "
        f"today, on {len(found.days)} days from {first} to {last}, was {found.every.median:.2f} of the price"
        f"{of_sector}: {finds}{later}"
    )


MOST_AFTER = 0.75
"""Part of the value of operations after the forecast from which on it is a doubt."""
MOST_ASSUMED_DEBT = 0.25
"""Part of the market value, or of the operations, from which on an assumed debt withholds the value."""
LEAST_LEAN = 0.001
"""Fall of a return on equity to its cost that is said."""
_BEGINNINGS = (
    _DOUBTFUL := "Doubtful: ",
    _CYCLICAL := "Cyclical: ",
    "One-off: ",
    "The fiscal year valued ended",
    "The figures are of the",
    "The operating margin of the quarter",
)
"""Of the notes of `CompanyFacts.notes` that are doubts; any note becomes one by the first of them."""
LEAST_OUTSIDE = 0.005
"""By which a driver must lie outside its quartiles to be said."""
_NOT_KNOWN = {
    "cash": "cash",
    "minority_interest": "interests of others",
    "preferred_equity": "preferred stock",
    "non_operating_assets": "long-term securities and stakes",
}
"""Items of the balance sheet that count as 0 where a source gives none."""
_STANDS_IN: Mapping[str, tuple[str, Driver | None]] = {
    "effective_tax": ("the tax rate is not a usual one or not known, and a convention stands for it", None),
    "growth_years_1_to_5": (
        "the growth of revenue does not follow from its own years, and a convention stands for it",
        "sales_growth",
    ),
    "turnover": ("revenue over capital is not known, and a convention stands for it", "sales_to_capital"),
    "gains_on_sales": ("gains on sales of property are not known, and count as 0", None),
    "impairments": ("write-downs of property are not known, and count as 0", None),
    "recurring_capital_expenditure": (
        "what keeps the buildings as they are is not known, and a part of depreciation stands for it",
        None,
    ),
}
_OF_ROW: Mapping[str, tuple[str, Driver]] = {
    "growth_years_1_to_5": ("the growth of revenue", "sales_growth"),
    "turnover": ("revenue over capital", "sales_to_capital"),
    "target_margin": ("the operating margin", "oper_margin"),
    "unlevered_beta": ("the beta", "wacc"),
    "wacc": ("the cost of capital", "wacc"),
}


NEEDED: Mapping[str, str] = {
    "cash": "no source gives the cash, which counts as 0 here",
    "debt": "no source gives the debt, so that other liabilities count as debt here",
}
"""Inputs that carry a comparison with the price only where they come from data."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """One thing that is doubtful about a value."""

    text: str
    """A clause that begins with a small letter, without its effect."""
    effect: float | None = None
    """Money a share by which the value may move with it; None where that is not known."""
    step: str = ""
    """What the effect is of, where the text does not say it."""


def doubts_of(built: BuiltInputs, facts: CompanyFacts) -> tuple[Doubt, ...]:
    """Return what is doubtful about a value, the largest effect first, those of unknown effect last.

    Args:
        built: Inputs with what they are based on.
        facts: What they are built from.
    """
    inputs = built.inputs
    found = [*_unlike_its_years(inputs, facts.record), *_noted(facts.notes, built)]
    if isinstance(inputs, ValuationInputs):
        moved = _Moved(inputs)
        found += [*_firm_defaults(built.assumptions, inputs, facts, moved), *_at_bounds(built.assumptions, moved)]
        found += [*_after_the_forecast(inputs, moved), *_lean_of_a_firm(built.assumptions, inputs, facts.price, moved)]
    else:
        found += [*_unknown_items(built.assumptions), *_lean_of_a_bank(built.assumptions, inputs, facts.price)]
    if isinstance(inputs, ValuationInputs | ExcessReturnInputs):
        found.append(Doubt(lean_of(facts.profile.sector, facts.price_day)))
    return tuple(sorted(found, key=lambda one: -(one.effect or 0.0)))


def why_not_compared(rows: Sequence[ValuationAssumption]) -> tuple[str, ...]:
    """Return why a value is not set against the price, as clauses: its cash or its debt is of no source."""
    assumed = {row.name for row in _defaults(rows)}
    return tuple(why for name, why in NEEDED.items() if name in assumed)


def why_debt_withholds(built: BuiltInputs, facts: CompanyFacts) -> str | None:
    """Return why an assumed debt leaves no value to show, and what to give; None where it is known, or small.

    All long-term liabilities stand for a debt that no source gives. They hold pensions, leases and taxes of later years
    too, and from `MOST_ASSUMED_DEBT` of the market value or of the operations on, the value is theirs, not the firm's.
    """
    inputs = built.inputs
    assumed = next((row.value for row in _defaults(built.assumptions) if row.name == "debt"), 0.0)
    if not isinstance(inputs, ValuationInputs) or not assumed:
        return None
    wholes = {
        "its market value": facts.price * inputs.shares_out,
        "the value of its operations": value_company(inputs).pv_after_failure,
    }
    whole, size = min(wholes.items(), key=lambda one: one[1])
    if size > 0 and assumed <= MOST_ASSUMED_DEBT * size:
        return None
    money = Figure("debt", assumed, facts.currency).text
    part = f", {assumed / size:.0%} of {whole}," if size > 0 else ","
    return (
        f"{NO_VALUE}: no source gives the debt of {facts.symbol}, and all its long-term liabilities, {money}{part} "
        f"would stand for it. Choose a vendor that has it, or give debt=…."
    )


class _Moved:
    """By how much the value moves with one step of each driver, at most of both directions."""

    def __init__(self, inputs: ValuationInputs) -> None:
        found = tornado(inputs)
        self._bars = {bar.driver: bar for bar in found.bars}
        self._base = found.base_value

    def by(self, driver: Driver | None) -> float | None:
        """Return the larger change of the value; None where the driver cannot be moved."""
        bar = self._bars.get(driver) if driver is not None else None
        ends = [one for one in (bar.low, bar.high) if one is not None] if bar is not None else []
        return max((abs(end - self._base) for end in ends), default=None)


def _firm_defaults(
    rows: Sequence[ValuationAssumption], inputs: ValuationInputs, facts: CompanyFacts, moved: _Moved
) -> Iterator[Doubt]:
    yield from _unknown_items(rows, facts.claims.may_hold / inputs.shares_out)
    for row in _defaults(rows):
        if row.name == "debt":
            yield Doubt(
                "the debt is not known, and all long-term liabilities count as debt", row.value / inputs.shares_out
            )
        elif row.name in _STANDS_IN:
            text, driver = _STANDS_IN[row.name]
            effect = moved.by(driver) if driver is not None else _five_points_of_tax(inputs)
            level = f"{row.value:.2f}" if row.name == "turnover" else f"{row.value:.1%}"
            yield Doubt(f"{text}, {level}", effect, "five points" if driver is None else _step_of(driver))


def _step_of(driver: Driver) -> str:
    return "a tenth of it" if driver in FACTORS else f"{100 * TORNADO_SHIFTS[driver][1]:g} point of it"


def _defaults(rows: Sequence[ValuationAssumption]) -> list[ValuationAssumption]:
    return [row for row in rows if row.kind == "default" and not row.source.startswith(HAS_NONE)]


def _unknown_items(rows: Sequence[ValuationAssumption], may_hold: float = 0.0) -> Iterator[Doubt]:
    """Say which items are not known and count as 0.

    Args:
        rows: Assumptions.
        may_hold: Other assets for each share that may hold the cash that a source does not give.
    """
    names = [row.name for row in _defaults(rows) if row.name in _NOT_KNOWN and not row.value]
    if may_hold and "cash" in names:
        hidden = [name for name in names if name in ("cash", "non_operating_assets")]
        listed = " and ".join(_NOT_KNOWN[name] for name in hidden)
        yield Doubt(f"{listed} are not known and count as 0; other assets may hold them", may_hold)
        names = [name for name in names if name not in hidden]
    if names:
        listed = " and ".join(_NOT_KNOWN[name] for name in names)
        yield Doubt(
            f"{listed} {'is' if len(names) == 1 else 'are'} not known and count{'s' if len(names) == 1 else ''} as 0"
        )


def _five_points_of_tax(inputs: ValuationInputs) -> float:
    more = inputs.with_values(
        tax_rate=tuple(one + 0.05 for one in inputs.tax_rate), stable_tax=inputs.stable_tax + 0.05
    )
    return abs(share_value(inputs) - share_value(more))


def _at_bounds(rows: Sequence[ValuationAssumption], moved: _Moved) -> Iterator[Doubt]:
    for row in rows:
        if AT_BOUND in row.source and row.name in _OF_ROW:
            name, driver = _OF_ROW[row.name]
            own = row.source.rpartition("; ")[2]
            level = f"{row.value:.2f}" if row.name in ("turnover", "unlevered_beta") else f"{row.value:.1%}"
            yield Doubt(f"{name} stands at a bound, {level} ({own})", moved.by(driver), _step_of(driver))


def _unlike_its_years(inputs: AnyInputs, record: OwnRecord) -> Iterator[Doubt]:
    """Say which driver lies outside the quartiles of the company's own years, and what their median would give."""
    if isinstance(inputs, ValuationInputs):
        growth, margin = firm_spans(inputs, record)
        yield from _unlike("growth of revenue", growth.base, record.growth, inputs, growth_moved)
        yield from _unlike("operating margin", margin.base, record.margin, inputs, margin_moved)
    elif isinstance(inputs, ExcessReturnInputs):
        base = inputs.return_on_equity[0]
        yield from _unlike("return on equity", base, record.return_on_equity, inputs, earnings_moved)


def _unlike(
    name: str, base: float, own: YearlyFigures, inputs: AnyInputs, move: Callable[..., AnyInputs]
) -> Iterator[Doubt]:
    if own.quartiles is None or own.median is None:
        return
    low, high = own.quartiles
    if low - LEAST_OUTSIDE <= base <= high + LEAST_OUTSIDE:
        return
    side = "above" if base > high else "below"
    there = share_value(move(inputs, own.median - base))
    text = (
        f"the {name} of {base:.1%} lies {side} the middle half of its own {own.years} years ({low:.1%} to {high:.1%})"
    )
    yield Doubt(
        f"{text}; at their median, {own.median:.1%}, the value would be {there:,.2f}", abs(there - share_value(inputs))
    )


def _after_the_forecast(inputs: ValuationInputs, moved: _Moved) -> Iterator[Doubt]:
    share = value_company(inputs).terminal_share
    if share is not None and share > MOST_AFTER:
        yield Doubt(
            f"{share:.0%} of the value of operations lies after the forecast",
            moved.by("stable_growth"),
            "half a point of growth there",
        )


def _lean_of_a_firm(
    rows: Sequence[ValuationAssumption], inputs: ValuationInputs, price: float, moved: _Moved
) -> Iterator[Doubt]:
    """Say that the method leans low where the value is below the price and an advantage in returns fades by rule."""
    stable = {row.name: row for row in rows if row.kind == "default"}
    roic, cost = stable.get("stable_roic"), stable.get("stable_wacc")
    if roic is not None and cost is not None and roic.value > cost.value and share_value(inputs) < price:
        text = "the method leans low: after the forecast at most half of today's advantage in returns is left"
        yield Doubt(
            f"{text}, {roic.value:.1%} on a cost of {cost.value:.1%}", moved.by("stable_roic"), "two points of it"
        )


def _lean_of_a_bank(rows: Sequence[ValuationAssumption], inputs: AnyInputs, price: float) -> Iterator[Doubt]:
    """Say what the fading of the return on equity to its cost, a convention, takes or adds on the way to the price."""
    by_rule = any(row.name == "stable_return_on_equity" and row.kind == "default" for row in rows)
    if not isinstance(inputs, ExcessReturnInputs) or not by_rule:
        return
    now, later, worth = inputs.return_on_equity[0], inputs.stable_return_on_equity, share_value(inputs)
    if abs(now - later) < LEAST_LEAN or now <= inputs.stable_growth or (now > later) != (worth < price):
        return
    held = replace(inputs, return_on_equity=(now,) * len(inputs.payout), stable_return_on_equity=now)
    lean, moves = ("low", "falls") if now > later else ("high", "rises")
    there, years = share_value(held), len(inputs.payout)
    text = f"the method leans {lean}: the return on equity of {now:.1%} {moves} to its cost of {later:.1%} within"
    yield Doubt(f"{text} {years} years; held for ever the value would be {there:,.2f}", abs(there - worth))


def is_doubt(note: str) -> bool:
    """Return whether a note of the facts is a doubt, which the opening says in place of the notes."""
    return note.startswith(_BEGINNINGS)


def _noted(notes: Sequence[str], built: BuiltInputs) -> Iterator[Doubt]:
    for note in filter(is_doubt, notes):
        text = note.removeprefix(_DOUBTFUL).rstrip(".")
        effect = _of_the_base_year(built) if note.startswith(_CYCLICAL) else None
        yield Doubt(f"{text[0].lower()}{text[1:]}", effect)


def _of_the_base_year(built: BuiltInputs) -> float | None:
    """Return by how much the value changes where the margin of the last twelve months is the one for ever."""
    levels = {row.name: row.value for row in built.assumptions}
    inputs, last = built.inputs, levels.get("margin_t0")
    if last is None or not isinstance(inputs, ValuationInputs):
        return None
    return abs(share_value(margin_moved(inputs, last - inputs.stable_margin)) - share_value(inputs)) or None
