"""The sheet of inputs: a named cell for each number, and the paths year by year."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tradingagents.features.valuation_report.report import GIVEN, NOT_GIVEN, ValuationReport
from tradingagents.reports.workbook import Cell, Format, Look, Sheet
from tradingagents.valuation import CostOfCapital
from tradingagents.valuation.company.answer_parts import SUMMED, ValuationAssumption, sum_words
from tradingagents.valuation.company.capital_cost import BELOW_RISK_FREE, STABLE_SPREAD
from tradingagents.valuation.inputs import PATHS, EmployeeOptions
from tradingagents.valuation.paths import HIGH_YEARS, converging_path, fading_path, flat_path

_FIRST_WACC = "wacc_years_1_to_5"
FIRST_YEAR = 5
"""Column of year 1 in the table of paths."""
_NAME, _VALUE, _UNIT, _SOURCE = 1, 2, 3, 4
_CELL_NAME = re.compile(r"(?!([a-z]{1,3}\d+|r\d*|c\d*|r\d*c\d*)$)[a-z_][a-z0-9_]*")
"""A name that a spreadsheet takes for no cell of its own."""
_SAME = 1e-12
_WORDS = re.compile(r"[a-z_]\w*")
"""Names within a formula; functions are written in capitals."""
LABELS: Mapping[str, str] = {
    "revenue_t0": "Revenue of the last twelve months",
    "shares_out": "Shares outstanding",
    "sales_growth": "Growth of revenue",
    "oper_margin": "Operating margin",
    "tax_rate": "Tax rate",
    "sales_to_capital": "Sales to capital",
    "wacc": "Cost of capital",
    "stable_growth": "Terminal growth",
    "stable_margin": "Terminal operating margin",
    "stable_tax": "Terminal tax rate",
    "stable_wacc": "Terminal cost of capital",
    "stable_roic": "Terminal return on new capital",
    "stable_sales_to_capital": "Terminal sales to capital",
    "discounting": "Discounting: end or midyear",
    "reinvestment_lag": "Years from reinvestment to revenue",
    "nol_t0": "Losses carried forward",
    "failure_probability": "Probability of failure",
    "distress_proceeds": "Part recovered on failure",
    "distress_basis": "Recovered part is of: value or book",
    "book_capital": "Invested capital at the start",
    "debt": "Debt",
    "minority_interest": "Minority interest",
    "finance_leases": "Finance leases",
    "pension_deficit": "Pension deficit",
    "short_term_investments": "Short-term securities",
    "preferred_equity": "Preferred stock",
    "cash": "Cash",
    "non_operating_assets": "Non-operating assets",
    "net_debt": "Net debt",
    "option_value": "Value of employee options",
    "risk_free": "Risk-free rate",
    "equity_premium": "Equity risk premium",
    "growth_years_1_to_5": "Growth of revenue, years 1 to 5",
    "margin_t0": "Operating margin of the last twelve months",
    "target_margin": "Operating margin to reach in year 5",
    "effective_tax": "Effective tax rate",
    "marginal_tax": "Marginal tax rate",
    "turnover": "Sales to capital of the company",
    "unlevered_beta": "Beta without debt",
    "levered_beta": "Beta with debt",
    "target_debt_share": "Share of debt after the last year",
    "wacc_years_1_to_5": "Cost of capital, years 1 to 5",
    "price": "Price of the share",
    "pv_explicit": "Present value of the years",
    "pv_terminal": "Present value of the terminal value",
    "equity_value": "Value of the equity",
    "value_per_share": "Value per share",
}
_FORMATS: Mapping[str, Format] = {
    **dict.fromkeys(("revenue_t0", "nol_t0", "book_capital", "debt", "minority_interest", "cash"), "money"),
    **dict.fromkeys(("non_operating_assets", "net_debt", "option_value", "price", "options.strike"), "money"),
    **dict.fromkeys(("sales_to_capital", "stable_sales_to_capital", "turnover"), "ratio"),
    **dict.fromkeys(("unlevered_beta", "levered_beta", "beta", "beta_regression", "beta_peers"), "ratio"),
    **dict.fromkeys(("market_debt", "market_equity"), "money"),
    **dict.fromkeys(("reinvestment_lag",), "whole"),
    **dict.fromkeys(("shares_out", "options.count", "options.years"), "number"),
}
_CHOICES: Mapping[str, tuple[str | int, ...]] = {
    "discounting": ("end", "midyear"),
    "distress_basis": ("value", "book"),
    "reinvestment_lag": (0, 1, 2, 3),
}
_TERMINAL = ("stable_growth", "stable_margin", "stable_tax", "stable_wacc", "stable_roic", "stable_sales_to_capital")
_PLACED = (
    *("revenue_t0", "shares_out", "nol_t0", "price", "debt", "net_debt", "minority_interest", "cash"),
    *("non_operating_assets", "option_value", "failure_probability", "distress_proceeds"),
)
"""Inputs with a group of their own."""
_DERIVED: Mapping[str, str] = {
    "stable_growth": "risk_free",
    "stable_wacc": "risk_free+equity_premium",
    "stable_roic": "stable_wacc",
    "stable_margin": "target_margin",
    "stable_tax": "marginal_tax",
    "target_margin": "margin_t0",
}
"""What a default is by convention, as a formula over other inputs."""


@dataclass(frozen=True, slots=True)
class _Recipe:
    """How a path follows from assumptions."""

    starts: tuple[str, ...]
    """Assumptions that its first year may be, in order of preference."""
    end: str
    """What it moves to."""
    shape: str
    """`fade`, `converge` or `flat`."""


_RECIPES: Mapping[str, _Recipe] = {
    "sales_growth": _Recipe(("growth_years_1_to_5", "sales_growth"), "stable_growth", "fade"),
    "oper_margin": _Recipe(("margin_t0",), "target_margin", "converge"),
    "tax_rate": _Recipe(("effective_tax", "tax_rate"), "stable_tax", "fade"),
    "sales_to_capital": _Recipe(("turnover", "sales_to_capital"), "", "flat"),
    "wacc": _Recipe((_FIRST_WACC, "wacc"), "stable_wacc", "fade"),
}


class InputsSheet:
    """The sheet of inputs with the addresses of what other sheets need."""

    def __init__(self, report: ValuationReport, names: dict[str, str]) -> None:
        self.sheet = Sheet("Inputs", widths=(40, 26, 18, 14, 58, *(11,) * report.inputs.years), frozen=(3, 0))
        self._names = names
        self._inputs = report.inputs
        self._sources: dict[str, ValuationAssumption] = {
            assumption.name: assumption for assumption in report.assumptions
        }
        self._formulas: dict[str, str] = {}
        if report.capital is not None and report.price is not None:
            self._build_capital(report.capital, report.price)
        self._build_after()
        self._row = 0
        self._head(report)
        for title, chosen in self._groups(report):
            self._group(title, chosen)
        self._paths()

    def path_cell(self, name: str, year: int) -> str:
        """Return where a path's year stands, years counted from 1."""
        return self.sheet.address(self._path_rows[name], FIRST_YEAR + year - 1)

    def _head(self, report: ValuationReport) -> None:
        inputs = report.inputs
        facts = (inputs.ticker, inputs.currency, f"as of {inputs.as_of}" if inputs.as_of else "")
        self.sheet.text(0, 0, f"Inputs: {', '.join(part for part in (report.name, *facts) if part)}", "title")
        self.sheet.text(1, 0, "Shaded blue numbers are inputs: change one and every sheet is computed anew.", "note")
        for column, title in enumerate(("Input", "Name", "Value", "Unit", "Source")):
            self.sheet.text(2, column, title, "head")
        self._row = 3

    def _groups(self, report: ValuationReport) -> Iterator[tuple[str, Mapping[str, Any]]]:
        """Yield headings with the cells below them, by name."""
        given = self._inputs
        yield "Base", {name: getattr(given, name) for name in ("revenue_t0", "shares_out", "nol_t0")}
        built = self._build_from()
        if built:
            yield "What the years are built from", built
        yield "After the last year", {name: one for name in _TERMINAL if (one := getattr(given, name)) is not None}
        method: dict[str, Any] = {"discounting": given.discounting, "reinvestment_lag": given.reinvestment_lag}
        if given.book_capital is not None:
            method["book_capital"] = given.book_capital
        yield "Method", method
        failure: dict[str, Any] = {
            "failure_probability": given.failure_probability,
            "distress_proceeds": given.distress_proceeds,
        }
        if given.book_capital is not None:
            failure["distress_basis"] = given.distress_basis
        yield "Failure", failure
        bridge = ("debt", "net_debt", "minority_interest", "cash", "non_operating_assets", "option_value")
        values = {name: one for name in bridge if (one := getattr(given, name)) is not None}
        if given.options is not None:
            del values["option_value"]
            values |= {f"options.{name}": getattr(given.options, name) for name in EmployeeOptions.__slots__}
        yield "From operations to the share", values
        if report.price is not None:
            yield "Comparison", {"price": report.price}

    def _build_from(self) -> dict[str, float]:
        """Return the assumptions that paths and terminal values follow from, each after what it follows from."""
        wanted: list[str] = list(_TERMINAL)
        for path in PATHS:
            start = self._start(path)
            if start:
                wanted += [start, *([_RECIPES[path].end] if _RECIPES[path].shape == "converge" else [])]
        found: dict[str, float] = {}
        for name in wanted:
            self._collect(name, found)
        return found

    def _collect(self, name: str, found: dict[str, float]) -> None:
        for part in _WORDS.findall(self._derivation(name)):
            self._collect(part, found)
        if name not in (*_TERMINAL, *_PLACED):
            found[name] = self._sources[name].value

    def _start(self, path: str) -> str:
        """Return the assumption a path starts from by its recipe; empty where it has another shape."""
        recipe, years = _RECIPES[path], len(getattr(self._inputs, path))
        for start in recipe.starts:
            if start not in self._sources:
                continue
            first = self._sources[start].value
            if recipe.shape == "flat":
                found = flat_path(first, years)
            elif recipe.shape == "fade":
                found = fading_path(first, getattr(self._inputs, recipe.end), years)
            elif recipe.end in self._sources:
                found = converging_path(first, self._sources[recipe.end].value, HIGH_YEARS, years)
            else:
                continue
            if _same(found, getattr(self._inputs, path)):
                return start
        return ""

    def _derivation(self, name: str) -> str:
        """Return the formula of a default that follows from other inputs; empty where it is a number of its own."""
        if name in self._formulas:
            return self._formulas[name]
        formula = _DERIVED.get(name, "")
        if not formula:
            return ""
        own = self._sources.get(name)
        if own is not None and own.kind != "default":
            return ""
        parts = _WORDS.findall(formula)
        known = [self._number(part) for part in parts]
        if own is None and name not in ("stable_margin", "stable_tax"):
            return ""
        mine = own.value if own is not None else float(getattr(self._inputs, name))
        return formula if None not in known and _same((math.fsum(one or 0.0 for one in known),), (mine,)) else ""

    def _number(self, name: str) -> float | None:
        """Return a number that a derived default may follow from: an assumption, or a terminal input."""
        if name in self._sources:
            return self._sources[name].value
        return getattr(self._inputs, name) if name.startswith("stable_") else None

    def _build_capital(self, capital: CostOfCapital, price: float) -> None:
        """Add the cost of capital as formulas over its parts, where they give the number that was used."""
        parts = ("risk_free", "equity_premium", "effective_tax", "debt_spread")
        if any(name not in self._sources for name in parts):
            return
        risk_free, premium, tax, spread = (self._sources[name].value for name in parts)
        equity, debt = price * self._inputs.shares_out, capital.market_debt
        weight = equity / (equity + debt)
        levered = self._sources["beta"].value if "beta" in self._sources else None
        if levered is None and "unlevered_beta" in self._sources:
            levered = self._sources["unlevered_beta"].value * (1 + (1 - tax) * debt / equity)
        if levered is None:
            return
        wacc = weight * (risk_free + levered * premium) + (1 - weight) * (risk_free + spread) * (1 - tax)
        if not _same((wacc,), (capital.wacc,)):
            return
        self._add("market_debt", debt, "market value of the debt, one bond that pays the interest of a year")
        self._add("market_equity", equity, formula="price*shares_out")
        relevered = "unlevered_beta*(1+(1-effective_tax)*market_debt/market_equity)"
        self._add("levered_beta", levered, formula="beta" if "beta" in self._sources else relevered)
        self._add("cost_of_equity", risk_free + levered * premium, formula="risk_free+levered_beta*equity_premium")
        self._add("cost_of_debt", risk_free + spread, formula="risk_free+debt_spread")
        self._add(
            _FIRST_WACC,
            capital.wacc,
            formula="(market_equity*cost_of_equity+market_debt*cost_of_debt*(1-effective_tax))"
            "/(market_equity+market_debt)",
        )

    def _build_after(self) -> None:
        """Keep what defaults after the last year are made of as formulas, where that gives the number that was used."""
        known = {name: row.value for name, row in self._sources.items()}
        if "effective_tax" in known:
            self._follow("marginal_tax", known["effective_tax"], "effective_tax")
        parts = ("target_debt_share", "risk_free", "equity_premium", "marginal_tax")
        if all(name in known for name in parts):
            share, risk_free, premium, tax = (known[name] for name in parts)
            cost = (1 - share) * (risk_free + premium) + share * (risk_free + STABLE_SPREAD) * (1 - tax)
            debt = f"target_debt_share*(risk_free+{STABLE_SPREAD})*(1-marginal_tax)"
            self._follow("stable_wacc", cost, f"(1-target_debt_share)*(risk_free+equity_premium)+{debt}")
        if "risk_free" in known:
            self._follow("stable_growth", known["risk_free"] - BELOW_RISK_FREE, f"risk_free-{BELOW_RISK_FREE}")

    def _follow(self, name: str, value: float, formula: str) -> None:
        """Keep a default as a formula if its value is that of the formula."""
        own = self._sources.get(name)
        if own is not None and own.kind == "default" and _same((own.value,), (value,)):
            self._formulas[name] = formula

    def _add(self, name: str, value: float, source: str = "", formula: str = "") -> None:
        self._sources[name] = ValuationAssumption(name, value, "default", source or formula)
        if formula:
            self._formulas[name] = formula

    def _group(self, title: str, values: Mapping[str, Any]) -> None:
        self.sheet.text(self._row, 0, title, "group")
        self._row += 1
        for name, value in values.items():
            self._line(name, value)
        self._row += 1

    def _line(self, name: str, value: float | str) -> None:
        formula = self._derivation(name)
        named = name.replace(".", "_")
        kind = "text" if isinstance(value, str) else _FORMATS.get(name, "percent")
        self.sheet.text(self._row, 0, held_label(name, self._sources.values()))
        self.sheet.text(self._row, _NAME, named, "note")
        look: Look = "result" if formula else "input"
        cell = Cell(value, formula=formula, look=look, format=kind, choices=_CHOICES.get(name, ()))
        address = self.sheet.put(self._row, _VALUE, cell)
        self.sheet.text(self._row, _UNIT, self._unit(name, kind))
        self.sheet.text(self._row, _SOURCE, self._source(name))
        if _CELL_NAME.fullmatch(named):
            self._names[named] = address
        self._row += 1

    def _unit(self, name: str, kind: Format) -> str:
        money = self._inputs.currency or "money"
        if kind == "money":
            return f"{money} a share" if name in ("price", "options.strike") else money
        words = {"percent": "rate", "ratio": "times", "whole": "years", "text": "choice"}
        return words.get(kind, "years" if name == "options.years" else "count")

    def _source(self, name: str) -> str:
        found: ValuationAssumption | None = self._sources.get(name)
        if found is not None:
            added = [self._sources[part] for part in SUMMED.get(name, ()) if part in self._sources]
            return " + ".join((found.source, *(f"{one.name} ({one.source})" for one in added if one.value)))
        if self._derivation(name):
            return _DERIVED[name]
        by_default = {"discounting": "end", "distress_basis": "value"}.get(name, 0)
        return NOT_GIVEN if getattr(self._inputs, name, None) == by_default else GIVEN

    def _paths(self) -> None:
        years = self._inputs.years
        self.sheet.text(self._row, 0, "Year by year", "group")
        for year in range(1, years + 1):
            self.sheet.put(self._row, FIRST_YEAR + year - 1, Cell(year, look="head", format="whole"))
        self._row += 1
        self._year_row = self._row - 1
        self._path_rows: dict[str, int] = {}
        self._path_names: dict[str, str] = {}
        for name in PATHS:
            self._path_rows[name] = self._row
            self._path(name)
            self._row += 1

    def path_name(self, name: str) -> str:
        """Return the name of a path's range."""
        return self._path_names[name]

    def _path(self, name: str) -> None:
        path: Sequence[float] = getattr(self._inputs, name)
        start = self._start(name)
        # A path and the assumption it starts from may have one name: the range then gets another one.
        named = self._path_names[name] = f"{name}_path" if name in self._names else name
        kind = _FORMATS.get(name, "percent")
        self.sheet.text(self._row, 0, label(name))
        self.sheet.text(self._row, _NAME, named, "note")
        self.sheet.text(self._row, _UNIT, self._unit(name, kind))
        self.sheet.text(self._row, _SOURCE, self._path_source(name, start))
        for year, value in enumerate(path, start=1):
            formula = self._path_formula(name, start, year)
            look: Look = "result" if formula else "input"
            self.sheet.put(self._row, FIRST_YEAR + year - 1, Cell(value, formula=formula, look=look, format=kind))
        self._names[named] = self.sheet.row_address(self._row, FIRST_YEAR, FIRST_YEAR + len(path) - 1)

    def _path_source(self, name: str, start: str) -> str:
        if start:
            recipe = _RECIPES[name]
            words = {
                "flat": f"{start} every year",
                "fade": f"{start} for five years, then in a straight line to {recipe.end}",
                "converge": f"from {start} in a straight line to {recipe.end} in year {HIGH_YEARS}",
            }
            return words[recipe.shape]
        parts = [one for one in ("unlevered_beta", name) if one in self._sources and name == "wacc"]
        if parts:
            return "built from the assumptions on the sheet Sources: beta, premium, debt and spread"
        return self._sources[name].source if name in self._sources else GIVEN

    def _path_formula(self, name: str, start: str, year: int) -> str:
        if not start:
            return ""
        recipe, head = _RECIPES[name], self.sheet.address(self._year_row, FIRST_YEAR + year - 1)
        if recipe.shape == "flat" or (recipe.shape == "fade" and year <= HIGH_YEARS):
            return start
        if recipe.shape == "fade":
            fade = self._inputs.years - HIGH_YEARS
            return f"{start}+({recipe.end}-{start})*({head}-{HIGH_YEARS})/{fade}"
        if year >= HIGH_YEARS:
            return recipe.end
        return f"{recipe.end}-({recipe.end}-{start})*({HIGH_YEARS}-{head})/{HIGH_YEARS}"


def label(name: str) -> str:
    """Return what a reader calls an input."""
    if name.startswith("options."):
        return f"Employee options: {name.removeprefix('options.').replace('_', ' ')}"
    return LABELS.get(name, name.replace("_", " ").capitalize())


def held_label(name: str, rows: Iterable[ValuationAssumption]) -> str:
    """Return what a reader calls an input that may be a sum: all that it holds by the assumptions."""
    words = sum_words(name, rows) if name in SUMMED else label(name)
    return f"{words[0].upper()}{words[1:]}"


def _same(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(abs(a - b) <= _SAME for a, b in zip(one, other, strict=True))
