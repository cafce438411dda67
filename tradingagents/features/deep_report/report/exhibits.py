"""The charts of a deep report, each with title, unit, source and its numbers; one without data says so instead."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from statistics import median

from markupsafe import Markup

from tradingagents.features.deep_report.report.citations import citations_of
from tradingagents.features.deep_report.schemas.thesis import (
    DeepReportRecord,
    ExhibitRecord,
    ThesisIteration,
    ThesisValuation,
)
from tradingagents.features.valuation_report.sheets.inputs import label
from tradingagents.reports import formatting as words
from tradingagents.reports.charts.bar_chart import CompanyBar, bar_chart
from tradingagents.reports.charts.event_chart import event_chart
from tradingagents.reports.charts.grid_chart import grid_chart
from tradingagents.reports.charts.line_chart import ChartLine, line_chart
from tradingagents.reports.charts.plot import ChartNote
from tradingagents.reports.charts.scenario_tree import TreeBranch, scenario_tree
from tradingagents.reports.charts.value_bars import ValueBar, football_field
from tradingagents.reports.charts.value_grid import level_words
from tradingagents.reports.document import Exhibit, Table
from tradingagents.valuation import SensitivityGrid, ValuationInputs, grid

WIDTHS = (("wide", 760), ("narrow", 380))
LETTERS: Mapping[str, str] = {"earnings": "R", "filing": "F", "dividend": "D", "split": "S", "evidence": "E"}
_NAMED = {"earnings": "results", "filing": "filing", "dividend": "dividend", "split": "split", "evidence": "evidence"}
_DATED = frozenset({"filing", "call", "statement", "news", "insiders", "estimates"})
"""Types of source whose day says something: the others are computed on the day of the report."""
_MOST_PLACES = 15
_NOT_GATHERED = "the run ended before its data were gathered"
_SCENARIOS = {"bull": "Bull case", "base": "Base case", "bear": "Bear case"}
MOST_LINES = 6
FARTHEST = 4
"""Middle of a range, in prices, from which on it would make the others unreadable."""
Draw = Callable[[int], str]


class Exhibits:
    """The charts of one report, numbered in the order in which they are asked for."""

    def __init__(self, record: DeepReportRecord) -> None:
        """Read a record; nothing is drawn yet."""
        self._record, self._number = record, 0
        self._found = record.exhibits

    def football(self) -> Exhibit:
        """Return the ranges of value by method against the price."""
        value = self._record.valuation
        if value is None:
            return self._missing("Value ranges against the price", self._record.no_valuation)
        bars, distant = near_bars(value_bars(value, self._found), value.price)
        table = Table(
            ("Method", "Low", "Middle", "High", "How"),
            [
                (bar.label, words.price(bar.low), words.price(bar.middle), words.price(bar.high), how)
                for bar, how in bars
            ],
        )
        lacking = self._found.missing.get("ranges") if self._found is not None else None
        source = f"valuation of this report, kernel {value.kernel_version}; price of {value.price_day}"
        return self._drawn(
            "Value ranges against the price",
            f"{value.currency} a share; the mark in a bar is its middle, the dashed line the price",
            source + (f"; no multiples of peers: {lacking}" if lacking else "") + distant,
            lambda width: football_field(
                [bar for bar, _ in bars],
                price=value.price,
                currency=value.currency,
                name=self._record.name,
                width=width,
            ),
            table,
        )

    def tree(self) -> Exhibit:
        """Return the scenarios with their probabilities."""
        value = self._record.valuation
        if value is None:
            return self._missing("Scenarios", self._record.no_valuation)
        branches = [
            TreeBranch(
                case_name(scenario.name, scenario.value_per_share, value.price),
                scenario.probability,
                scenario.value_per_share,
            )
            for scenario in value.scenarios
        ]
        rows = [
            (
                branch.name,
                words.percent(branch.probability, 1),
                words.price(branch.value),
                _upside(branch.value, value.price),
            )
            for branch in branches
        ]
        rows.append(("Expected", "", words.price(value.expected_value), words.change(100 * value.upside)))
        return self._drawn(
            "Scenarios and their probabilities",
            f"{value.currency} a share; probabilities add up to 100%",
            "probabilities of the last synthesis; values by the valuation of this report",
            lambda width: scenario_tree(
                "Scenarios",
                branches,
                expected=value.expected_value,
                price=value.price,
                width=width,
            ),
            Table(("Scenario", "Probability", "Value per share", "Against the price"), rows),
        )

    def sensitivity(self) -> Exhibit:
        """Return the grid of values over cost of capital and terminal growth."""
        value = self._record.valuation
        if value is None:
            return self._missing("Sensitivity of the value", self._record.no_valuation)
        found = grid_of(value)
        names = (label(found.rows), label(found.columns))
        head = (
            f"{names[0]} down, {names[1].lower()} across",
            *(level_words(found.columns, float(level)) for level in found.column_levels),
        )
        rows = [
            (
                level_words(found.rows, float(level)),
                *(words.price(float(cell)) if math.isfinite(cell) else words.MISSING for cell in found.values[row]),
            )
            for row, level in enumerate(found.row_levels)
        ]
        return self._drawn(
            "Sensitivity of the value to cost of capital and terminal growth",
            f"{value.currency} a share, and the distance to the price of {words.price(value.price)}; "
            "framed: the inputs of this report",
            f"valuation of this report, kernel {value.kernel_version}",
            lambda width: grid_chart("Sensitivity of the value", found, value.price, names, width=width),
            Table(head, rows),
        )

    def prices(self) -> Exhibit:
        """Return the price of a year with what became known in it."""
        title = "Price with results, filings and evidence"
        if self._found is None or self._found.prices is None:
            return self._missing(title, self._why("prices"))
        shown = self._found.prices
        if not any(value is not None for value in shown.closes):
            return self._missing(title, "no close is known")
        days = [date.fromisoformat(day) for day in shown.days]
        notes = list(self._notes(days[0]))
        used = dict.fromkeys(note.letter for note in notes)
        key = ", ".join(f"{letter} {_NAMED[kind]}" for kind, letter in LETTERS.items() if letter in used)
        lacking = "".join(
            f"; {name} not marked: {self._found.missing[name]}" for name in ("filings",) if name in self._found.missing
        )
        rows = [(note.day.isoformat(), note.letter, note.text) for note in notes]
        return self._drawn(
            title,
            f"Close in {shown.currency or 'points'}, {days[0]} to {days[-1]}, adjusted for splits"
            + (f"; {key}" if key else ""),
            f"prices: {shown.source}{lacking}",
            lambda width: event_chart(self._record.ticker, shown.currency, days, shown.closes, notes, width=width),
            Table(("Day", "Mark", "What became known"), rows),
        )

    def margins(self) -> Exhibit:
        """Return the margins of the fiscal years."""
        title = "Margins over years"
        years = self._found.years if self._found is not None else []
        names = (
            ("Gross margin", "gross_margin"),
            ("Operating margin", "operating_margin"),
            ("Net margin", "net_margin"),
        )
        lines = [ChartLine(name, [year[key] for year in years]) for name, key in names]
        lines = [line for line in lines if any(value is not None for value in line.values)]
        if not lines:
            return self._missing(title, self._why("years") if not years else "the statements give no margins")
        places = [year.end[:7] for year in years]
        rows = [
            (year.end, words.figure(year.revenue), *(words.percent(year[key], 1) for _, key in names)) for year in years
        ]
        assert self._found is not None  # noqa: S101 - there are years
        return self._drawn(
            title,
            f"Percent of revenue over twelve months to the month named; the last to {years[-1].end}",
            self._found.years_source,
            lambda width: line_chart(title, places, lines, width=width),
            Table(("Twelve months to", f"Revenue, {years[-1].currency}", *(name for name, _ in names)), rows),
        )

    def growth(self) -> Exhibit:
        """Return the growth of revenue against the peers."""
        title = "Growth of revenue against peers"
        rows = self._found.growth if self._found is not None else []
        if self._found is None or not rows:
            return self._missing(title, self._why("growth"))
        own, peers = rows[0], sorted(rows[1:], key=lambda peer: -peer.growth)
        middle = median(peer.growth for peer in peers)
        bars = [
            CompanyBar(own.symbol, own.growth, own=True),
            *(CompanyBar(peer.symbol, peer.growth) for peer in peers),
        ]
        table = [(company.symbol, words.change(100 * company.growth), company.end) for company in (own, *peers)]
        ends = sorted(company.end for company in rows)
        return self._drawn(
            title,
            f"Newest quarter on the same quarter of the year before; quarters to {ends[0]}"
            + (f" … {ends[-1]}" if ends[0] != ends[-1] else ""),
            self._found.growth_source,
            lambda width: bar_chart(title, bars, ("Median of peers", middle), width=width),
            Table(("Company", "Growth", "Quarter to"), [*table, ("Median of peers", words.change(100 * middle), "")]),
        )

    def confidence(self) -> Exhibit:
        """Return the confidence after each iteration, of the whole and of each hypothesis."""
        title = "Confidence by iteration"
        notes = self._record.iterations
        if not notes:
            return self._missing(title, "no iteration was finished")
        titles = {hypothesis.id: hypothesis.title for hypothesis in self._record.hypotheses}
        lines = [ChartLine("All hypotheses", [note.confidence for note in notes])]
        lines += [
            ChartLine(titles[key], _by_iteration(notes, key), thin=True)
            for key in list(titles)[: MOST_LINES - 1]
            if any(key in note.confidences for note in notes)
        ]
        places = [str(note.number) for note in notes]
        rows = [
            (line.name, *(words.percent(value) if value is not None else "" for value in line.values)) for line in lines
        ]
        if len(places) == 1:
            return self._missing(title, f"there was one iteration; it ended at {words.percent(notes[0].confidence)}")
        return self._drawn(
            title,
            "Percent, computed from the evidence; 85% ends the research",
            "this report",
            lambda width: line_chart(title, places, lines, width=width),
            Table(("", *(f"Iteration {place}" for place in places)), rows) if len(places) <= _MOST_PLACES else None,
        )

    def _notes(self, first: date) -> Iterator[ChartNote]:
        """Yield the marks of the price chart: events, and days on which cited evidence became known."""
        assert self._found is not None  # noqa: S101 - its prices are drawn
        by_day: dict[tuple[str, str], list[str]] = {}
        for event in self._found.events:
            by_day.setdefault((event.day, event.kind), []).append(event.text)
        citations = citations_of(self._record)
        for key, item in citations.items.items():
            # What is computed on the day of the report became known on no other.
            if item["source"]["kind"] in _DATED and item["source"]["known_at"][:10] < self._record.cutoff[:10]:
                by_day.setdefault((item["source"]["known_at"][:10], "evidence"), []).append(citations.labels[key])
        for (day, kind), texts in sorted(by_day.items()):
            if date.fromisoformat(day) >= first and day <= self._record.as_of:
                text = ", ".join(dict.fromkeys(texts))
                yield ChartNote(
                    date.fromisoformat(day), LETTERS[kind], f"evidence {text}" if kind == "evidence" else text
                )

    def _why(self, chart: str) -> str:
        return _NOT_GATHERED if self._found is None else self._found.missing.get(chart, "no source has it")

    def _missing(self, title: str, why: str) -> Exhibit:
        self._number += 1
        return Exhibit(self._number, title, "", "", missing=why or _NOT_GATHERED)

    def _drawn(self, title: str, unit: str, source: str, draw: Draw, table: Table | None) -> Exhibit:
        self._number += 1
        charts = [(kind, Markup(draw(width))) for kind, width in WIDTHS]  # noqa: S704 - charts escape their texts
        return Exhibit(self._number, title, unit, source, charts, table)


def grid_of(value: ThesisValuation) -> SensitivityGrid:
    """Return the values over cost of capital and terminal growth around the report's inputs."""
    return grid(ValuationInputs.from_dict(value.inputs), "wacc", "stable_growth")


def case_name(scenario: str, worth: float, price: float) -> str:
    """Return what a scenario is called: a bear case can lose money, and a bull case can gain some.

    Args:
        scenario: bull, base or bear.
        worth: Its value per share.
        price: Of the share.
    """
    if scenario == "bear" and worth >= price:
        return "Low case"
    if scenario == "bull" and worth <= price:
        return "High case"
    return _SCENARIOS.get(scenario, scenario)


def _ends(value: ThesisValuation) -> str:
    """Return `bear to bull`, with the names that the scenarios have."""
    return " to ".join(name.removesuffix(" case").lower() for name in case_names(value))


def case_names(value: ThesisValuation) -> tuple[str, str]:
    """Return what the scenario with the lowest value and the one with the highest are called."""
    worth = {scenario.name: scenario.value_per_share for scenario in value.scenarios}
    low, high = worth.get("bear", 0.0), worth.get("bull", float("inf"))
    return case_name("bear", low, value.price), case_name("bull", high, value.price)


def value_bars(value: ThesisValuation, found: ExhibitRecord | None) -> list[tuple[ValueBar, str]]:
    """Return the ranges of value by method, each with how it was found."""
    cells = [float(cell) for cell in grid_of(value).values.ravel() if math.isfinite(cell)]
    cases = [scenario.value_per_share for scenario in value.scenarios]
    bars = [
        (
            ValueBar("Scenarios", min(cases), max(cases), value.expected_value),
            f"{_ends(value)}; the mark is the expected value",
        ),
    ]
    if cells:
        bar = ValueBar("Free cash flow, over the grid", min(cells), max(cells), value.value_per_share)
        bars.append((bar, "by cost of capital and terminal growth"))
    bars += [
        (ValueBar(peers.label, peers.low, peers.high, peers.middle), peers.note)
        for peers in (found.ranges if found is not None else ())
    ]
    closes = [close for close in (found.prices.closes if found and found.prices else ()) if close is not None]
    if closes:
        bars.append((ValueBar("Closes of the last year", min(closes), max(closes), None), "lowest and highest close"))
    return bars


def near_bars(bars: list[tuple[ValueBar, str]], price: float) -> tuple[list[tuple[ValueBar, str]], str]:
    """Return the ranges that can be read on one scale with the price, and which are left out, as the end of a line."""
    far = [bar for bar, _ in bars if bar.middle is not None and price > 0 and bar.middle > FARTHEST * price]
    named = ", ".join(f"{bar.label} ({words.price(bar.low)} to {words.price(bar.high)})" for bar in far)
    near = [(bar, how) for bar, how in bars if bar not in far]
    return near, f"; left out, over {FARTHEST} times the price: {named}" if far else ""


def _by_iteration(notes: Sequence[ThesisIteration], key: str) -> list[float | None]:
    """Return the confidence of a hypothesis after each iteration; an earlier one stays where it was not researched."""
    values: list[float | None] = []
    for note in notes:
        values.append(note.confidences.get(key, values[-1] if values else None))
    return values


def _upside(value: float, price: float) -> str:
    return words.change(100 * (value / price - 1)) if price > 0 else words.MISSING
