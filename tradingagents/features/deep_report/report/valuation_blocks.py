"""From evidence to value as blocks: what each item moves, scenarios, sensitivity, what the price needs, inputs."""

from __future__ import annotations

from tradingagents.features.deep_report.report.citations import Citations
from tradingagents.features.deep_report.report.exhibits import Exhibits, case_names
from tradingagents.features.deep_report.report.summary import money
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord, ThesisValuation
from tradingagents.features.valuation_report.sheets.inputs import label
from tradingagents.files.plain_text import one_line
from tradingagents.reports import formatting as words
from tradingagents.reports.document import Block, Bullets, Heading, Line, Notice, Table

DRIVERS = {
    "growth": "growth of revenue",
    "margin": "operating margin",
    "cost_of_capital": "cost of capital",
    "capital_intensity": "capital intensity",
}
_LEAST_STEP = 0.005
"""Money a share below which a change is not shown."""


def valuation_blocks(record: DeepReportRecord, citations: Citations, exhibits: Exhibits) -> list[Block]:
    """Return the valuation."""
    value = record.valuation
    if value is None:
        return [Notice(record.no_valuation)] if record.no_valuation else []
    shifts = [
        (
            label(bar["driver"]),
            f"{shift(bar['driver'], bar['low_shift'])} / {shift(bar['driver'], bar['high_shift'])}",
            _optional(value, bar["low"]),
            _optional(value, bar["high"]),
        )
        for bar in value.sensitivity
    ]
    needs = [
        (label(need["driver"]), level(need["driver"], need["base_level"]), level(need["driver"], need["level"]))
        for need in value.price_needs
    ]
    inputs = [(label(given["name"]), str(given["shown"]), str(given["source"])) for given in value.assumptions]
    return [
        *([Bullets(value.opening)] if value.opening else []),
        *_moved(value, citations),
        exhibits.tree(),
        *_past(value),
        exhibits.sensitivity(),
        Heading("One driver at a time"),
        Table(("Driver", "Shift", "Value at the lower level", "Value at the higher level"), shifts),
        Heading("What the price needs"),
        Line(
            f"What each driver alone would have to be for the value to equal {money(value, value.price)}, the price."
            " Growth is that of year 1, and every year is moved by as much."
        ),
        Table(("Driver", "In this report", "For the price"), needs),
        Heading("Inputs of the base case"),
        Table(("Input", "Value", "Source"), inputs),
        *([Bullets([one_line(note) for note in value.notes])] if value.notes else []),
    ]


def _moved(value: ThesisValuation, citations: Citations) -> list[Block]:
    """Return what the evidence moves, item by item."""
    base, worth = value.base_value, value.value_per_share
    steps = [
        (
            citations.mark(step.item),
            str(citations.items[step.item]["claim"]) if step.item in citations.items else "",
            DRIVERS[step.driver],
            change(step.driver, step.asked) + (" (limited)" if step.limited else ""),
            change(step.driver, step.weighted),
            f"{step.value_effect:+,.2f}",
        )
        for step in value.steps
    ]
    first = f"From data alone the share is worth {money(value, base)}."
    if not steps:
        return [Line(f"{first} No item of evidence moves a driver, so this is the value of the base case too.")]
    moved = f"{len(steps)} item{'' if len(steps) == 1 else 's'} of evidence"
    blocks: list[Block] = [
        Line(
            f"{first} With what {moved} say{'s' if len(steps) == 1 else ''} it is {money(value, worth)} "
            f"({worth - base:+,.2f})."
        ),
        Heading("What the evidence moves"),
        Table(("Evidence", "Claim", "Driver", "Change", "Times confidence", f"{value.currency} a share"), steps),
    ]
    if abs(value.interaction) >= _LEAST_STEP:
        blocks.append(
            Line(
                f"Drivers act on each other and sums are limited: {value.interaction:+,.2f} a share belongs to no "
                "single item."
            )
        )
    if value.limited_drivers:
        named = ", ".join(DRIVERS[driver] for driver in value.limited_drivers)
        blocks.append(Line(f"The sum of all changes was limited for: {named}."))
    return blocks


def _past(value: ThesisValuation) -> list[Block]:
    """Return what the bull and the bear case take from the company's own past."""
    if not value.past:
        return []
    low, high = case_names(value)
    rows = [
        (
            DRIVERS[past.driver].capitalize(),
            words.percent(past.base, 2),
            f"{words.percent(past.low, 2)}, {past.low_years}",
            f"{words.percent(past.high, 2)}, {past.high_years}",
            change(past.driver, past.bear_change) if past.bear_change else "none",
            change(past.driver, past.bull_change) if past.bull_change else "none",
        )
        for past in value.past
    ]
    return [
        Heading("What the cases take from the past"),
        Line(
            f"In addition to the evidence, the {high.removesuffix(' case').lower()} and the {low.lower()} take these "
            "levels, which the company's own years have shown, where they are farther from the base case than the "
            "evidence is."
        ),
        Table(("Driver", "Base case", "Lowest", "Highest", low, high), rows),
    ]


def change(driver: str, amount: float) -> str:
    """Write the change of a driver: points of a rate, percent of the capital that growth needs."""
    return f"{100 * amount:+.2f}%" if driver == "capital_intensity" else f"{100 * amount:+.2f} points"


def shift(driver: str, amount: float) -> str:
    """Write the shift of a driver of the kernel."""
    return f"{amount:g}x" if driver == "sales_to_capital" else f"{100 * amount:+g} points"


def level(driver: str, found: float | None) -> str:
    """Write the level of a driver of the kernel."""
    if found is None:
        return "no level explains it"
    return f"{found:.2f}x" if driver == "sales_to_capital" else words.percent(found, 2)


def _optional(value: ThesisValuation, amount: float | None) -> str:
    return words.MISSING if amount is None else money(value, amount)
