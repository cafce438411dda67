"""The report of a valuation: value beside price, what the price implies, how far it may move, and every source."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from markupsafe import Markup

from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.features.valuation_report.sheets.inputs import held_label, label
from tradingagents.reports import formatting as words
from tradingagents.reports.charts.value_bars import ValueBar, bars_css, football_field, tornado_chart
from tradingagents.reports.charts.value_grid import level_words, value_grid
from tradingagents.reports.document import (
    Block,
    Bullets,
    Card,
    Document,
    Line,
    Masthead,
    Section,
    Table,
    one_line_of_markdown,
)
from tradingagents.valuation import ImpliedDriver, SensitivityGrid, TornadoBar, worth_nothing
from tradingagents.valuation.company.answer_parts import ValuationAssumption, ValueCases
from tradingagents.valuation.company.doubts import why_not_compared
from tradingagents.valuation.company.results import NOTHING_LEFT
from tradingagents.valuation.sensitivity import FACTORS

_WIDTHS = (("wide", 960), ("narrow", 380))
_RATES = (
    *("growth", "margin", "tax", "risk_free", "premium", "wacc", "spread", "roic", "return", "payout", "cost"),
    *("probability", "proceeds", "volatility", "yield", "weight", "debt_share"),
)
"""Parts of the names of rates."""
_SHAPES = {"normal": ("mean", "deviation"), "uniform": ("low", "high"), "triangular": ("low", "mode", "high")}
"""Names of the parameters of a distribution."""
_KINDS = {"data": "from the data", "default": "default", "given": "given"}


def valuation_document(report: ValuationReport) -> Document:
    """Return the report of a valuation."""
    inputs, found = report.inputs, report.valuation
    facts = [
        ("As of", str(inputs.as_of or "")),
        ("Price of", str(report.price_day or "")),
        ("Currency", inputs.currency),
        ("Model", "Free cash flow of the firm"),
    ]
    return Document(
        title=f"Valuation: {report.name}",
        facts=facts,
        masthead=Masthead(
            title=f"Valuation of {report.name}",
            eyebrow="Valuation",
            heading=report.name,
            detail=inputs.ticker,
            facts=[(name, value) for name, value in facts if value],
            identity=f"Computed without a language model, kernel {found.kernel_version}",
            versions=report.versions,
        ),
        sections=[
            Section("Value", [*_opening(report), *_summary(report)], id="value", menu="Value"),
            Section("Warnings", [Card("warnings", (report.warnings,))] if report.warnings else [], only="page"),
            Section("Warnings", [Bullets(report.warnings)] if report.warnings else [], only="file"),
            Section("Football field", _football(report), id="field", menu="Football field"),
            Section("Cases", case_blocks(report.cases) if report.cases else [], id="cases"),
            Section("What the price implies", _implied(report), id="implied", menu="Expectations"),
            Section("Sensitivity", _grid(report), id="grid", menu="Sensitivity"),
            Section("Tornado", _tornado(report), id="tornado", menu="Tornado"),
            Section("Scenarios", _scenarios(report), id="scenarios", menu="Scenarios" if report.scenarios else ""),
            Section(
                "Distribution",
                _distribution(report),
                id="distribution",
                menu="Distribution" if report.distribution else "",
            ),
            Section("From operations to the share", [_bridge(report)], id="bridge", menu="Bridge"),
            Section("Forecast", [_forecast(report)], id="forecast", menu="Forecast"),
            Section("Assumptions and sources", assumption_table(report.sourced), id="sources", menu="Sources"),
            Section("Not available", [Bullets(report.refusals)] if report.refusals else [], id="missing"),
        ],
        style="valuation.css",
        inline_styles=(bars_css(),),
    )


def _opening(report: ValuationReport) -> list[Block]:
    """Return the words that open the answer; nothing without a price."""
    return [Bullets(report.opening)] if report.opening else []


def _summary(report: ValuationReport) -> list[Block]:
    found, money = report.valuation, report.inputs.currency
    terms = [("Value per share", f"{words.price(found.value_per_share)} {money}".strip(), "")]
    if report.price is not None:
        upside = found.value_per_share / report.price - 1 if report.price > 0 else None
        day = f"close of {report.price_day}" if report.price_day else ""
        terms += [
            ("Price", f"{words.price(report.price)} {money}".strip(), day),
            ("Value over price", *over_price(upside, why_not_compared(report.sourced))),
        ]
    terms.append(("After the forecast", words.percent(found.terminal_share), "part of the value of operations"))
    growth = next((solved for solved in report.implied if solved.driver == "sales_growth"), None)
    if growth is not None:
        told = "no growth explains the price" if growth.level is None else "by the price, year 1"
        terms.append(("Implied growth", level_words("sales_growth", growth.level), told))
    plain = Table(
        ("Figure", "Value"), [(name, f"{value} ({gloss})" if gloss else value) for name, value, gloss in terms]
    )
    return [Card("value_terms", (terms,), [plain])]


def over_price(upside: float | None, not_compared: Sequence[str]) -> tuple[str, str]:
    """Return value over price with a gloss; no figure where the cash or the debt of the company is not known."""
    if not_compared:
        return "no verdict", "; ".join(not_compared)
    return words.change(None if upside is None else 100 * upside), ""


def _bars(report: ValuationReport) -> list[tuple[ValueBar, str]]:
    """Return the ranges of value by method, each with how it was found."""
    bars = [] if report.cases is None else [case_bar(report.cases)]
    cells = [float(value) for value in report.grid.values.ravel() if math.isfinite(value)]
    if cells and report.cases is None:
        across = f"{label(report.grid.rows).lower()} and {label(report.grid.columns).lower()}"
        middle = report.valuation.value_per_share
        bars.append((ValueBar("Free cash flow, over the grid", min(cells), max(cells), middle), f"by {across}"))
    if report.scenarios is not None:
        values = [scenario.value_per_share for scenario in report.scenarios.scenarios]
        bar = ValueBar("Scenarios", min(values), max(values), report.scenarios.expected_value)
        bars.append((bar, f"{len(values)} scenarios; the mark is the expected value"))
    if report.distribution is not None:
        by_chance = dict(report.distribution.quantiles)
        bar = ValueBar("Simulation, 5% to 95%", by_chance[0.05], by_chance[0.95], by_chance[0.5])
        bars.append(
            (bar, f"{report.distribution.draws:,} draws, seed {report.distribution.seed}; the mark is the median")
        )
    bars += [(ValueBar(one.label, one.low, one.high, one.middle), one.note) for one in report.ranges]
    return bars


def case_bar(cases: ValueCases) -> tuple[ValueBar, str]:
    """Return the range over the cases with how it was found, the base marked."""
    low, base, high = (case.value_per_share for case in cases.all)
    return ValueBar("Cases, low to high", low, high, base), "the cases below; the mark is the base"


def case_blocks(cases: ValueCases) -> list[Block]:
    """Return the cases with their numbers, and where these come from."""
    head = ("Case", *(f"{name[0].upper()}{name[1:]}" for name, _ in cases.base.levels), "Value per share")
    rows = [
        (
            case.name.capitalize(),
            *(words.percent(level, 1) for _, level in case.levels),
            words.price(case.value_per_share),
        )
        for case in cases.all
    ]
    return [Line(cases.basis), Table(head, rows)]


def _distribution(report: ValuationReport) -> list[Block]:
    """Return the quantiles of the simulated values, and what was drawn."""
    found = report.distribution
    if found is None:
        return []
    rows = [(words.percent(chance), words.price(value)) for chance, value in found.quantiles]
    rows.append(("Mean", words.price(found.mean)))
    if found.above_price is not None:
        rows.append(("Part of the values above the price", words.percent(found.above_price)))
    drawn = [
        (
            label(driver),
            distribution.shape,
            ", ".join(
                f"{name} {number:g}"
                for name, number in zip(_SHAPES[distribution.shape], distribution.parameters, strict=True)
            ),
            "multiplies it" if driver in FACTORS else "is added to it",
        )
        for driver, distribution in found.drivers
    ]
    some = "draw has" if found.without_value == 1 else "draws have"
    left_out = f" {words.count(found.without_value)} {some} no value." if found.without_value else ""
    if found.worth_nothing:
        left_out += f" {worth_nothing(found.worth_nothing, 'the draws')}"
    note = f"{found.draws:,} draws with seed {found.seed}, the drivers independent of each other.{left_out}"
    return [
        Line(note),
        Table(("Quantile", "Value per share"), rows),
        Table(("Driver", "Distribution", "Parameters", "What is drawn"), drawn),
    ]


def _football(report: ValuationReport) -> list[Block]:
    return football_blocks(_bars(report), report.price, report.inputs.currency, report.name)


def football_blocks(bars: Sequence[tuple[ValueBar, str]], price: float | None, money: str, name: str) -> list[Block]:
    """Return the football field as a chart and as a table; nothing without bars.

    Args:
        bars: One a method, each with how it was found.
        price: Price of the share; None for none.
        money: Currency of all values.
        name: What is valued.
    """
    if not bars:
        return []
    chosen = [bar for bar, _ in bars]
    charts = _drawn(football_field(chosen, price=price, currency=money, name=name, width=width) for _, width in _WIDTHS)
    rows = [
        (bar.label, words.price(bar.low), words.price(bar.middle), words.price(bar.high), _against(bar, price), how)
        for bar, how in bars
    ]
    table = Table(("Method", "Low", "Middle", "High", "Price lies", "How"), rows)
    return [Card("chart", (charts,)), table]


def _against(bar: ValueBar, price: float | None) -> str:
    """Say where the price lies against a range."""
    if price is None:
        return words.MISSING
    return "above" if price > bar.high else "below" if price < bar.low else "within"


def _drawn(charts: Iterable[str]) -> list[tuple[str, Markup]]:
    return [(kind, Markup(one)) for (kind, _), one in zip(_WIDTHS, charts, strict=True)]  # noqa: S704 - texts are escaped


def _implied(report: ValuationReport) -> list[Block]:
    if report.price is None:
        return [Line("No price was given, so that none is explained.")]
    rows = [_implied_row(solved) for solved in report.implied]
    lead = f"What each driver would have to be for the value to equal the price of {words.price(report.price)}."
    return [
        Line(f"{lead} The others stay as they are."),
        Table(("Driver", "In the inputs", "Implied by the price"), rows),
    ]


def _implied_row(one: ImpliedDriver) -> tuple[str, str, str]:
    name = {"sales_growth": "Growth of revenue, all years of the forecast (year 1)"}.get(one.driver, label(one.driver))
    if one.level is None:
        reach = f"{words.price(one.lowest_value)} and {words.price(one.highest_value)}"
        implied = f"no level explains the price: the value stays between {reach}"
    else:
        implied = level_words(one.driver, one.level)
        implied += f" (nearest of {one.solutions})" if one.solutions > 1 else ""
    return name, level_words(one.driver, one.base_level), implied


def _grid(report: ValuationReport) -> list[Block]:
    found = report.grid
    shown = value_grid(found, report.price, label)
    rows = [(level, *(f"**{cell.text}**" if cell.base else cell.text for cell in cells)) for level, cells in shown.rows]
    plain = Table((shown.corner, *shown.columns), rows)
    blocks: list[Block] = [Card("value_grid", (shown,), [plain])]
    reasons = _reasons(found)
    if reasons:
        blocks.append(Line(f"Cells without a value: {'; '.join(reasons)}."))
    if (found.values <= 0).any():
        blocks.append(Line(f"Cells of 0: {(found.values <= 0).sum()}. {NOTHING_LEFT}"))
    return blocks


def _reasons(found: SensitivityGrid) -> list[str]:
    every = (found.reason(row, column) for row, column in zip(*found.causes.nonzero(), strict=True))
    return list(dict.fromkeys(reason for reason in every if reason))


def _tornado(report: ValuationReport) -> list[Block]:
    bars = [
        ValueBar(label(bar.driver), bar.low, bar.high, None, _shift(bar, bar.low_shift), _shift(bar, bar.high_shift))
        for bar in report.tornado.bars
        if bar.low is not None and bar.high is not None
    ]
    rows = [
        (
            label(bar.driver),
            f"{_shift(bar, bar.low_shift)} / {_shift(bar, bar.high_shift)}",
            words.price(bar.low),
            words.price(bar.high),
            words.price(bar.swing) if bar.reason is None else bar.reason,
        )
        for bar in report.tornado.bars
    ]
    table = Table(("Driver", "Shift", "At low", "At high", "Swing"), rows)
    if not bars:
        return [table]
    base, money = report.tornado.base_value, report.inputs.currency
    charts = _drawn(
        tornado_chart(bars, base=base, currency=money, name=report.name, width=width) for _, width in _WIDTHS
    )
    key = Line("Orange: the driver at its low shift. Blue: at its high shift. The others stay as they are.")
    return [Card("chart", (charts,)), Card("line", (key,)), table]


def _shift(bar: TornadoBar, shift: float) -> str:
    return f"{shift:g}x" if bar.driver == "sales_to_capital" else f"{100 * shift:+g} points"


def _scenarios(report: ValuationReport) -> list[Block]:
    if report.scenarios is None:
        return []
    rows = [
        (scenario.name, words.percent(scenario.probability, 1), words.price(scenario.value_per_share))
        for scenario in report.scenarios.scenarios
    ]
    rows.append(("Expected", "", words.price(report.scenarios.expected_value)))
    table = Table(("Scenario", "Probability", "Value per share"), rows)
    often = report.scenarios.worth_nothing
    return [table, Line(worth_nothing(often, "the scenarios"))] if often else [table]


def _bridge(report: ValuationReport) -> Table:
    given, found = report.inputs, report.valuation
    steps = [
        ("Present value of the years", found.pv_explicit),
        ("Present value of the terminal value", found.pv_terminal),
        ("Value of operations", found.pv_operating),
        ("Failure", found.pv_after_failure - found.pv_operating),
        (held_label("debt", report.assumptions), -given.debt),
        ("Net debt", -(given.net_debt or 0.0)),
        (held_label("minority_interest", report.assumptions), -given.minority_interest),
        (held_label("cash", report.assumptions), given.cash),
        ("Non-operating assets", given.non_operating_assets),
        ("Value of the equity", found.equity_value),
        ("Employee options", -found.option_value),
        ("Shares", given.shares_out),
    ]
    rows = [(name, words.figure(value)) for name, value in steps if value]
    return Table(("Step", "Amount"), [*rows, ("Value per share", words.price(found.value_per_share))])


def _forecast(report: ValuationReport) -> Table:
    head = ("Year", "Revenue", "Growth", "Margin", "Operating income", "Tax", "Reinvestment", "Free cash flow")
    years = [(str(year.t), year) for year in report.projection.years]
    rows = [
        (
            name,
            words.figure(year.revenue),
            words.percent(year.growth, 1),
            words.percent(year.margin, 1),
            words.figure(year.ebit),
            words.figure(year.tax),
            words.figure(year.reinvestment),
            words.figure(year.fcff),
            words.percent(year.wacc, 2),
            f"{year.discount_factor:.4f}",
            words.figure(year.pv),
        )
        for name, year in (*years, ("Terminal", report.projection.terminal))
    ]
    return Table((*head, "Cost of capital", "Discount factor", "Present value"), rows)


def assumption_table(sourced: Sequence[ValuationAssumption]) -> list[Block]:
    """Return numbers with their kinds and sources."""
    rows = [
        (label(number.name), _number(number), _KINDS.get(number.kind, number.kind), number.source) for number in sourced
    ]
    return [Table(("Assumption", "Value", "Kind", "Source"), [tuple(map(one_line_of_markdown, row)) for row in rows])]


def _number(one: ValuationAssumption) -> str:
    rate = any(part in one.name for part in _RATES) and abs(one.value) < 10
    return words.percent(one.value, 2) if rate else words.figure(one.value)
