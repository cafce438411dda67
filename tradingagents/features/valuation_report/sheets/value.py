"""The sheet of the value: terminal value, failure, bridge to the equity, options, and value per share."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.features.valuation_report.sheets.forecast import Forecast
from tradingagents.reports.workbook import Cell, Format, Look, Sheet
from tradingagents.valuation.company.answer_parts import sum_words
from tradingagents.valuation.inputs import LEAST_SPREAD, LONGEST_LAG, EmployeeOptions, ValuationInputs

NORMAL = "_xlfn.NORM.S.DIST({},TRUE)"
NO_NUMBER = "NA()"


class _Lines:
    """Places a named result a row."""

    def __init__(self, sheet: Sheet, names: dict[str, str]) -> None:
        self.sheet, self.names, self.row = sheet, names, 2

    def group(self, title: str) -> None:
        """Begin a group."""
        self.row += 1
        self.sheet.text(self.row, 0, title, "group")
        self.row += 1

    def line(
        self,
        name: str,
        title: str,
        value: float | str,
        formula: str,
        *,
        kind: Format = "money",
        look: Look = "result",
    ) -> None:
        """Place a result."""
        self.sheet.text(self.row, 0, title, "total" if look == "total" else "label")
        self.names[name] = self.sheet.put(self.row, 1, Cell(value, formula=formula, look=look, format=kind))
        self.sheet.text(self.row, 2, name, "note")
        self.row += 1


def value_sheet(report: ValuationReport, forecast: Forecast, names: dict[str, str]) -> Sheet:
    """Return the value as formulas over the forecast and the inputs; results get names of their own."""
    sheet = Sheet("Value", widths=(44, 20, 26))
    money = report.inputs.currency or "the unit of the inputs"
    sheet.text(0, 0, f"Value of {report.name}", "title")
    sheet.text(1, 0, f"Money in {money}.", "note")
    lines = _Lines(sheet, names)
    _operations(report, forecast, lines)
    _failure(report, lines)
    _bridge(report, lines)
    lines.group("Per share")
    if report.inputs.options is not None:
        _employee_options(report.inputs.options, report, lines)
    else:
        lines.line("options_total", "Value of employee options", report.inputs.option_value, "option_value")
    lines.line(
        "problem",
        "Why the inputs cannot be valued",
        "",
        problem_formula(report, forecast),
        kind="text",
    )
    per_share = report.valuation.value_per_share
    formula = f'IF(problem="",(equity_value-options_total)/shares_out,{NO_NUMBER})'
    lines.line("value_per_share", "Value per share", per_share, formula, look="total")
    if report.price is not None and report.price > 0:
        lines.line("price_shown", "Price of the share", report.price, "price")
        upside: float | str = per_share / report.price - 1 if per_share > 0 else "no value"
        formula = 'IF(value_per_share>0,value_per_share/price-1,"no value")'
        lines.line("upside", "Value over price, less 1", upside, formula, kind="percent")
    lines.group("As written")
    sheet.text(lines.row, 0, f"Value per share by the kernel, version {report.valuation.kernel_version}")
    written = sheet.put(lines.row, 1, Cell(per_share, format="money"))
    lines.row += 1
    lines.line("change", "Change since, by changed inputs", 0.0, f"value_per_share-{written}")
    return sheet


def problem_formula(report: ValuationReport, forecast: Forecast) -> str:
    """Return the formula of the first reason why the inputs cannot be valued; an empty text where they can."""
    path = forecast.inputs.path_name
    rules = [
        ("shares_out<=0", "shares_out must be greater than 0"),
        (f"MIN({path('sales_growth')})<=-1", "sales_growth must be greater than -1"),
        (f"MIN({path('tax_rate')},stable_tax)<0", "tax_rate must lie between 0 and 1"),
        (f"MAX({path('tax_rate')},stable_tax)>1", "tax_rate must lie between 0 and 1"),
        (f"MIN({path('sales_to_capital')})<=0", "sales_to_capital must be greater than 0"),
        (f"MIN({path('wacc')},stable_wacc)<=0", "wacc must be greater than 0"),
        ("stable_growth<=-1", "stable_growth must be greater than -1"),
        (
            f"stable_growth>=stable_wacc-{LEAST_SPREAD}",
            f"stable_growth must stay at least {LEAST_SPREAD} below stable_wacc",
        ),
        ("MIN(failure_probability,distress_proceeds)<0", "failure_probability must lie between 0 and 1"),
        ("MAX(failure_probability,distress_proceeds)>1", "failure_probability must lie between 0 and 1"),
        ("reinvestment_lag<0", "reinvestment_lag must not be negative"),
        (f"reinvestment_lag>{LONGEST_LAG}", f"reinvestment_lag must be {LONGEST_LAG} at most"),
    ]
    last = "stable_roic" if report.inputs.stable_roic is not None else "stable_sales_to_capital"
    rules.append((f"{last}<=0", f"{last} must be greater than 0"))
    formula = '""'
    for condition, reason in reversed(rules):
        formula = f'IF({condition},"{reason}",{formula})'
    return formula


def bridge_formula(operating: str, inputs: ValuationInputs) -> str:
    """Return the equity value as a formula over where an operating value stands."""
    book = inputs.book_capital is not None
    recovered = f'IF(distress_basis="book",book_capital,{operating})' if book else operating
    net_debt = "-net_debt" if inputs.net_debt is not None else ""
    adjusted = f"{operating}*(1-failure_probability)+failure_probability*distress_proceeds*{recovered}"
    return f"{adjusted}-debt{net_debt}-minority_interest+cash+non_operating_assets"


def option_formulas(diluted: str, equity: str) -> tuple[str, str]:
    """Return the diluted share, and the value of employee options, as formulas.

    Args:
        diluted: Where the diluted share stands, for the second formula.
        equity: Where the equity value stands, for the first.
    """
    spread = "(options_volatility*options_years^0.5)"
    carry = "(options_risk_free-options_dividend_yield+options_volatility^2/2)*options_years"
    first = f"(LN({diluted}/options_strike)+{carry})/{spread}"
    worth = f"{diluted}*EXP(-options_dividend_yield*options_years)*{NORMAL.format(first)}"
    paid = f"options_strike*EXP(-options_risk_free*options_years)*{NORMAL.format(f'{first}-{spread}')}"
    return f"{equity}/(shares_out+options_count)", f"IF({diluted}>0,options_count*({worth}-{paid}),0)"


def _operations(report: ValuationReport, forecast: Forecast, lines: _Lines) -> None:
    found, last = report.valuation, forecast.years
    lines.group("Operations")
    lines.line("pv_explicit", "Present value of the years", found.pv_explicit, f"SUM({forecast.row('pv', 1, last)})")
    flow = report.projection.terminal.fcff
    lines.line("terminal_fcff", "Free cash flow of the terminal year", flow, forecast.cell("fcff", last + 1))
    perpetual = "terminal_fcff/(stable_wacc-stable_growth)"
    lines.line("terminal_value", "Terminal value", found.terminal_value, perpetual)
    discounted = f"terminal_value*{forecast.cell('discount_factor', last)}"
    lines.line("pv_terminal", "Present value of the terminal value", found.pv_terminal, discounted)
    lines.line("pv_operating", "Value of operations", found.pv_operating, "pv_explicit+pv_terminal", look="total")
    share = "n/a" if found.terminal_share is None else found.terminal_share
    formula = 'IF(pv_operating>0,pv_terminal/pv_operating,"n/a")'
    lines.line("terminal_share", "Part that lies after the forecast", share, formula, kind="percent")


def _failure(report: ValuationReport, lines: _Lines) -> None:
    given, found = report.inputs, report.valuation
    lines.group("Failure")
    book = given.book_capital is not None
    basis = given.book_capital if book and given.distress_basis == "book" else found.pv_operating
    formula = 'IF(distress_basis="book",book_capital,pv_operating)' if book else "pv_operating"
    lines.line("recovery_basis", "What a part of is recovered on failure", basis or 0.0, formula)
    weighted = "pv_operating*(1-failure_probability)+failure_probability*distress_proceeds*recovery_basis"
    lines.line("pv_after_failure", "Value of operations after failure", found.pv_after_failure, weighted, look="total")


def _bridge(report: ValuationReport, lines: _Lines) -> None:
    given = report.inputs
    debt, others, cash = (sum_words(name, report.assumptions) for name in ("debt", "minority_interest", "cash"))
    lines.group("From operations to the equity")
    steps: Sequence[tuple[str, str, str, float]] = (
        ("less_debt", f"Less {debt}", "-debt", -given.debt),
        ("less_minority", f"Less {others}", "-minority_interest", -given.minority_interest),
        ("plus_cash", f"Plus {cash}", "cash", given.cash),
        ("plus_non_operating", "Plus non-operating assets", "non_operating_assets", given.non_operating_assets),
    )
    if given.net_debt is not None:
        steps = (*steps, ("less_net_debt", "Less net debt", "-net_debt", -given.net_debt))
    for name, title, formula, value in steps:
        lines.line(name, title, value + 0.0, formula)
    total = "+".join(("pv_after_failure", *(name for name, *_ in steps)))
    lines.line("equity_value", "Value of the equity", report.valuation.equity_value, total, look="total")


def _employee_options(options: EmployeeOptions, report: ValuationReport, lines: _Lines) -> None:
    share, total = option_formulas("diluted_share", "equity_value")
    diluted = report.valuation.equity_value / (report.inputs.shares_out + options.count)
    lines.line("diluted_share", "Share with the options exercised", diluted, share)
    lines.line("options_total", "Value of employee options", report.valuation.option_value, total)
