"""`tradingagents value`: what a company is worth, computed without a model, with the growth that its price implies."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tradingagents.errors import NoData, UsageError
from tradingagents.schemas.valuation_models import MODEL_NAMES

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import DateOption, day_asked, one_day
from ..value_files import write_files

if TYPE_CHECKING:
    from rich.text import Text

    from tradingagents.valuation import (
        ScenarioValues,
        SensitivityGrid,
        Tornado,
        Valuation,
        ValuationInputs,
        ValueDistribution,
    )
    from tradingagents.valuation.company.results import CompanyValuation

_FILES = {"html": "page", "xlsx": "workbook"}
_ASSUMPTIONS, _SHOWN = options.HelpPanel("Assumptions"), options.HelpPanel("Shown")
_LARGEST_FILE = 1_000_000
_SHADES = ((-0.30, "white on red"), (-0.10, "red"), (0.10, ""), (0.30, "green"))
"""Style of a cell by its value over the reference, up to each bound; above the last: white on green."""


@with_options(options.ASK, lambda given: {"ticker": given["ticker"], "as_of": day_asked(given)})
def value(
    ticker: Annotated[str | None, typer.Argument(metavar="[TICKER]", help="Company, for example AAPL.")] = None,
    day: Annotated[
        str | None, typer.Argument(metavar="[DATE]", help="Day to value at; default: the last session.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        _ASSUMPTIONS.option(
            "--set NAME=VALUE", "Use this instead of what the data say, such as wacc=0.09; may be repeated."
        ),
    ] = None,
    target_margin: Annotated[
        str | None,
        _ASSUMPTIONS.option(
            "--target-margin RATE", "Operating margin of a normal year, reached in year 5 and held, such as 12%."
        ),
    ] = None,
    model: Annotated[str, _ASSUMPTIONS.option("--model NAME", f"{', '.join(MODEL_NAMES)}.")] = "auto",
    inputs: Annotated[
        Path | None,
        _ASSUMPTIONS.option(
            "--inputs FILE", "Value these inputs, a JSON object, instead of a company; no data are asked for."
        ),
    ] = None,
    scenarios: Annotated[
        Path | None,
        _ASSUMPTIONS.option(
            "--scenarios FILE", 'Value scenarios: a JSON list of {"name", "probability", "set": {name: value}}.'
        ),
    ] = None,
    axes: Annotated[str, _SHOWN.option("--grid ROWS,COLUMNS", "Drivers of the grid.")] = "wacc,stable_growth",
    distribution: Annotated[
        int | None,
        _SHOWN.option(
            "--distribution DRAWS",
            "Simulate the value so many times over normal distributions of its drivers, and show the quantiles.",
        ),
    ] = None,
    seed: Annotated[int, _SHOWN.option("--seed N", "Seed of the simulation.", min=0)] = 0,
    html: Annotated[
        Path | None,
        _SHOWN.option("--html FILE", "Write a page, too; it needs no network. A file of that name is replaced."),
    ] = None,
    xlsx: Annotated[
        Path | None,
        _SHOWN.option(
            "--xlsx FILE", "Write a workbook with live formulas, too (extra xlsx). A file of that name is replaced."
        ),
    ] = None,
    date_option: DateOption = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Say what a company is worth, with the bridge to its share and the growth that its price implies.

    No language model is asked. Every assumption is shown with its source, and --set replaces it.
    """
    if (ticker is None) == (inputs is None):
        raise UsageError("Name a company, such as AAPL, or give --inputs FILE; not both.")
    day, (rows, columns) = one_day(day, date_option), _axes(axes)
    if target_margin is not None:
        name = "target_margin" if inputs is None else "oper_margin"
        changes = [*(changes or ()), f"{name}={target_margin}"]
    with terminal.loading():
        if inputs is not None:
            if model not in ("auto", "fcff"):
                raise UsageError("--inputs are those of the model fcff; leave out --model.")
            company: CompanyValuation | None = None
            base: ValuationInputs | None = _changed(_read_inputs(inputs), changes or ())
        else:
            company = _valued(ticker or "", day, changes or (), model, flags)
            base = _firm_inputs(company)
        drawn = None if distribution is None else _drawn(company, base, distribution, seed)
        found = _ValuationView(company, base, rows, columns, scenarios, drawn)
        files = write_files(
            company, base, found.scenarios, drawn, (rows, columns), changes or (), flags, html=html, xlsx=xlsx
        )
    if terminal.json:
        terminal.print_json(found.to_json() | ({"files": files} if files else {}))
        return 0
    if company is not None:
        _print_market(flags, terminal)
    found.print(terminal)
    if not terminal.quiet:
        for kind, path in files.items():
            terminal.print_text(f"Wrote the {_FILES[kind]}: {path}")
    return 0


class _ValuationView:
    """A valuation with what is computed beside it."""

    def __init__(
        self,
        company: CompanyValuation | None,
        inputs: ValuationInputs | None,
        rows: str,
        columns: str,
        scenarios: Path | None,
        distribution: ValueDistribution | None = None,
    ) -> None:
        from tradingagents.valuation import grid, tornado, value_company, why_no_value

        self.company, self.inputs, self.distribution = company, inputs, distribution
        if inputs is None and scenarios is not None:
            raise UsageError("--scenarios vary the inputs of the model fcff, and this company has another model.")
        self.valuation: Valuation | None = None if inputs is None else value_company(inputs)
        if inputs is not None and self.valuation is not None and (why := why_no_value(inputs, self.valuation)):
            raise NoData(why)
        self.grid: SensitivityGrid | None = None if inputs is None else grid(inputs, rows, columns)
        self.tornado: Tornado | None = None if inputs is None else tornado(inputs)
        self.scenarios: ScenarioValues | None = (
            None if inputs is None or scenarios is None else _valued_scenarios(inputs, scenarios)
        )

    @property
    def currency(self) -> str:
        """Currency of the value per share."""
        if self.company is not None:
            return self.company.currency or ""
        return self.inputs.currency if self.inputs is not None else ""

    def to_json(self) -> dict[str, Any]:
        """Return everything as one object."""
        from tradingagents.valuation import KERNEL_VERSION, project
        from tradingagents.valuation.canonical import plain

        company = self.company
        found: dict[str, Any] = {"kernel_version": KERNEL_VERSION, "currency": self.currency}
        if company is not None:
            found |= {
                "ticker": company.symbol,
                "as_of": company.as_of.isoformat(),
                "model": company.model,
                "base_period": company.base_period.isoformat(),
                "figures_of": company.figures_of,
                "price": company.price,
                "upside": company.upside,
                "value_per_share": company.value_per_share,
                "implied": {"name": company.implied_name, "value": company.implied},
                "opening": list(company.opening),
                "cases": plain(company.cases),
                "inputs": plain(company.kernel_inputs),
                "assumptions": plain(company.assumptions),
                "valuation": plain(company.valuation),
                "bridge": plain(dict(company.bridge())),
                "source": company.source,
                "notes": list(company.notes),
            }
        elif self.inputs is not None and self.valuation is not None:
            found |= {
                "model": "fcff",
                "value_per_share": self.valuation.value_per_share,
                "inputs": plain(self.inputs),
                "valuation": plain(self.valuation),
                "notes": list(self.valuation.warnings),
            }
        if self.inputs is not None:
            found["series"] = plain(project(self.inputs))
        for name in ("grid", "tornado", "scenarios", "distribution"):
            if getattr(self, name) is not None:
                found[name] = plain(getattr(self, name))
        return found

    def print(self, terminal: Terminal) -> None:
        """Print value, bridge, grid, tornado and scenarios."""
        from ..text import clean

        if self.company is not None:
            terminal.print_text(clean(self.company.to_markdown()))
        elif self.inputs is not None and self.valuation is not None:
            name = self.inputs.company or self.inputs.ticker or "these inputs"
            worth = f"{self.valuation.value_per_share:.4f} {self.currency}".rstrip()
            terminal.print_text(clean(f"Value per share of {name}: {worth}"))
            _print_sums(terminal, self.valuation)
            for warning in self.valuation.warnings:
                terminal.print_text(f"Note: {warning}")
        if self.grid is not None:
            reference = self.company.price if self.company is not None else self.grid.base_value
            _print_grid(terminal, self.grid, reference, priced=self.company is not None)
        if self.tornado is not None:
            _print_tornado(terminal, self.tornado)
        if self.scenarios is not None:
            _print_scenarios(terminal, self.scenarios)
        if self.distribution is not None:
            _print_distribution(terminal, self.distribution)


def _print_market(flags: Flags, terminal: Terminal) -> None:
    """Say of which market the figures are, where it is not the real one of today."""
    from tradingagents.memory.cohort import market_note_of

    if told := market_note_of(read_both(flags)[0]):
        terminal.print_text(told)


def _axes(text: str) -> tuple[str, str]:
    names = [name.strip() for name in text.split(",")]
    if len(names) != 2:
        raise UsageError("--grid takes two drivers, such as wacc,stable_growth.")
    return names[0], names[1]


def _valued(ticker: str, day: str | None, changes: list[str] | tuple[str, ...], model: str, flags: Flags) -> Any:
    """Value a company from the data of a day."""
    from tradingagents.service.kernel.ask import ask

    settings, _ = read_both(flags)
    return ask("valuation", as_of=day, settings=settings, ticker=ticker, model=model, assumptions="; ".join(changes))


def _drawn(
    company: CompanyValuation | None, inputs: ValuationInputs | None, draws: int, seed: int
) -> ValueDistribution:
    """Simulate the value over the default distributions of the drivers.

    Raises:
        UsageError: The company has another model, or the number of draws cannot be.
    """
    from tradingagents.valuation import default_distributions, simulate

    if inputs is None:
        raise UsageError("--distribution varies the inputs of the model fcff, and this company has another model.")
    price = None if company is None else company.price
    return simulate(inputs, default_distributions(inputs), draws=draws, seed=seed, price=price)


def _firm_inputs(company: CompanyValuation) -> ValuationInputs | None:
    from tradingagents.valuation import ValuationInputs

    return company.kernel_inputs if isinstance(company.kernel_inputs, ValuationInputs) else None


def _changed(inputs: ValuationInputs, changes: list[str] | tuple[str, ...]) -> ValuationInputs:
    from tradingagents.valuation import apply_overrides, read_override

    return apply_overrides(inputs, dict(map(read_override, changes)))


def _read_inputs(path: Path) -> ValuationInputs:
    from tradingagents.valuation import read_inputs

    return read_inputs(_read_file(path, "--inputs"))


def _read_file(path: Path, flag: str) -> bytes:
    try:
        with path.expanduser().open("rb") as file:
            text = file.read(_LARGEST_FILE + 1)
    except OSError as error:
        raise UsageError(f"Cannot read {path} ({error.strerror}); name another file with {flag}.") from None
    if len(text) > _LARGEST_FILE:
        raise UsageError(f"{path} is larger than a megabyte; {flag} takes a small JSON file.")
    return text


def _valued_scenarios(inputs: ValuationInputs, path: Path) -> ScenarioValues:
    """Read scenarios and value them.

    Raises:
        UsageError: The file is no list of scenarios, or one of them cannot be valued.
    """
    from tradingagents.files.json_text import parse_json
    from tradingagents.valuation import Scenario, apply_overrides, value_scenarios

    try:
        given = parse_json(_read_file(path, "--scenarios"))
    except ValueError as error:
        raise UsageError(f"{path} is not JSON ({error}).") from None
    listed = given.get("scenarios") if isinstance(given, dict) else given
    if not isinstance(listed, list) or not all(_is_scenario(scenario) for scenario in listed):
        raise UsageError(f'{path} must hold a list of {{"name": …, "probability": …, "set": {{…}}}}.')
    return value_scenarios(
        [
            Scenario(scenario["name"], scenario["probability"], apply_overrides(inputs, scenario.get("set", {})))
            for scenario in listed
        ]
    )


def _is_scenario(scenario: Any) -> bool:
    chance = scenario.get("probability") if isinstance(scenario, dict) else None
    return (
        isinstance(chance, int | float)
        and not isinstance(chance, bool)
        and isinstance(scenario.get("name"), str)
        and isinstance(scenario.get("set", {}), dict)
        and not set(scenario) - {"name", "probability", "set"}
    )


def _print_sums(terminal: Terminal, valuation: Valuation) -> None:
    from rich.table import Table

    table = Table.grid(padding=(0, 2))
    table.add_column()
    table.add_column(justify="right")
    for name in ("pv_explicit", "pv_terminal", "pv_operating", "pv_after_failure", "equity_value", "option_value"):
        table.add_row(name, f"{getattr(valuation, name):,.3f}")
    terminal.out.print(table)


def _print_grid(terminal: Terminal, grid: SensitivityGrid, reference: float, *, priced: bool) -> None:
    """Print the grid as a heat map against the price, or against the base value where there is no price."""
    from rich.table import Table
    from rich.text import Text

    from tradingagents.valuation.company.results import NOTHING_LEFT, level_text

    table = Table(box=None, padding=(0, 1))
    table.add_column("")
    for level in grid.column_levels:
        table.add_column(level_text(grid.columns, level), justify="right")
    for row, level in enumerate(grid.row_levels):
        cells = [
            _shaded(float(cell), reference, (row, number) == grid.base_cell)
            for number, cell in enumerate(grid.values[row])
        ]
        table.add_row(Text(level_text(grid.rows, level), style="bold"), *cells)
    heading = Text(f"Value per share: {grid.rows} down, {grid.columns} across", style="bold")
    terminal.out.print()
    terminal.out.print(heading, soft_wrap=True)
    terminal.out.print(table)
    what = f"the price {reference:.2f}" if priced else f"the base value {reference:.2f}"
    note = f"Green lies more than 10 % above {what}, red more than 10 % below; the base is underlined."
    if (grid.values <= 0).any():
        note += f" 0.00: {NOTHING_LEFT}"
    terminal.out.print(Text(note, style="dim"), soft_wrap=True)


def _shaded(cell: float, reference: float, base: bool) -> Text:
    from rich.text import Text

    if cell != cell:
        return Text("n/a", style="dim")
    distance = cell / reference - 1 if reference > 0 else 0.0
    style = next((style for bound, style in _SHADES if distance <= bound), "white on green")
    return Text(f"{cell:.2f}", style=f"{style} underline".strip() if base else style)


def _print_tornado(terminal: Terminal, tornado: Tornado) -> None:
    from rich.table import Table

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column("Driver")
    for name in ("Shift", "At low", "At high"):
        table.add_column(name, justify="right")
    for bar in tornado.bars:
        low, high = ("n/a" if worth is None else f"{worth:.2f}" for worth in (bar.low, bar.high))
        table.add_row(bar.driver, f"{bar.low_shift:g} / {bar.high_shift:g}", low, high)
    terminal.out.print()
    terminal.out.print(table)


def _print_scenarios(terminal: Terminal, found: ScenarioValues) -> None:
    from rich.table import Table

    from tradingagents.valuation import worth_nothing

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column("Scenario")
    table.add_column("Probability", justify="right")
    table.add_column("Value per share", justify="right")
    for scenario in found.scenarios:
        table.add_row(scenario.name, f"{scenario.probability:.1%}", f"{scenario.value_per_share:.2f}")
    table.add_row("expected", "", f"{found.expected_value:.2f}", style="bold")
    terminal.out.print()
    terminal.out.print(table)
    if found.worth_nothing:
        terminal.print_text(worth_nothing(found.worth_nothing, "the scenarios"))


def _print_distribution(terminal: Terminal, found: ValueDistribution) -> None:
    from rich.table import Table
    from rich.text import Text

    from tradingagents.valuation import worth_nothing

    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold", pad_edge=False)
    table.add_column("Quantile")
    table.add_column("Value per share", justify="right")
    for chance, worth in found.quantiles:
        table.add_row(f"{chance:.0%}", f"{worth:.2f}")
    table.add_row("mean", f"{found.mean:.2f}", style="bold")
    terminal.out.print()
    terminal.out.print(table)
    above = "" if found.above_price is None else f" {found.above_price:.1%} of the values lie above the price."
    some = "draw has" if found.without_value == 1 else "draws have"
    left_out = f" {found.without_value:,} {some} no value." if found.without_value else ""
    drivers = ", ".join(name for name, _ in found.drivers)
    if found.worth_nothing:
        left_out += f" {worth_nothing(found.worth_nothing, 'the draws')}"
    note = f"{found.draws:,} draws of {drivers}, independent of each other, seed {found.seed}.{above}{left_out}"
    terminal.out.print(Text(note, style="dim"), soft_wrap=True)
