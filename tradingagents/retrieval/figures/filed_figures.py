"""Figures that a company's newest filings print: liquid means, debt, the year's flows, and the parts of revenue."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict

from tradingagents.dataflows.reference.currencies import UNSTATED_UNIT
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.files.plain_text import one_line


class FiledCell(BaseModel):
    """A figure of a stored filing, as printed, with the line that prints it."""

    model_config = ConfigDict(frozen=True)

    name: str
    """Line item, such as `cash` or `share_repurchases`; `part` for a part of revenue."""
    label: str
    """The row's label as filed."""
    column: str
    """The column's header."""
    value: float
    """In `unit`, unscaled; outflows are positive."""
    before: float | None = None
    """The same row a year earlier, where the filing prints it."""
    unit: str
    scale: float = 1.0
    """Factor from the printed figure to the unit: 1e6 where the table says in millions."""
    text: str
    """The figure as printed."""
    document: str
    """Short name of the filing."""
    key: str
    page: int
    """Counted from 1."""
    line: str
    """The line of the page that prints it, word for word; empty where it cannot be told."""
    start: int = 0
    """First character of the line on the page."""
    known_at: datetime


class FiledBalance(BaseModel):
    """Liquid means and debt on one balance sheet."""

    model_config = ConfigDict(frozen=True)

    end: date | None
    """Day of the balance sheet; None where its header names none."""
    column: str
    cells: tuple[FiledCell, ...]

    def total(self, *names: str) -> float | None:
        """Return the sum of the cells of some items; None where there is none of them."""
        found = [cell.value for cell in self.cells if cell.name in names]
        return sum(found) if found else None

    @property
    def cash(self) -> float | None:
        """Cash and short-term investments; None without cash."""
        return self.total("cash", "short_term_investments") if self.total("cash") is not None else None

    @property
    def debt(self) -> float | None:
        """Short-term and long-term debt; None where the sheet prints no long-term debt."""
        return self.total("short_term_debt", "long_term_debt") if self.total("long_term_debt") is not None else None

    @property
    def long_term_investments(self) -> float | None:
        """Marketable securities that are not current."""
        return self.total("long_term_investments")


class NamedRisk(BaseModel):
    """A risk that the risk factors of a filing name more often than annual reports usually do."""

    model_config = ConfigDict(frozen=True)

    theme: str
    """In our words, such as `tariffs`."""
    mentions: int
    times_usual: float
    """Mentions for the length of the text, over those of the median annual report."""
    document: str
    """Short name of the filing."""


PartsKind = Literal["segments", "regions"]


class FiledFigures(Result):
    """What a company's newest stored filings print of its balance sheet, its year, and the parts of its revenue."""

    balance: FiledBalance | None
    year: int | None
    """Fiscal year of `flows` and `parts`."""
    flows: tuple[FiledCell, ...]
    parts: tuple[FiledCell, ...]
    """Parts that add up to revenue."""
    parts_are: PartsKind | None = None
    """Products or segments, or regions; None without parts."""
    risks: tuple[NamedRisk, ...] = ()
    """The most unusual first."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Figures of {self.symbol} as filed"

    def figures(self) -> tuple[Figure, ...]:
        """Return liquid means, debt and the year's flows."""
        balance, unit = self.balance, self.currency or (UNSTATED_UNIT if any(self.cells()) else "")
        found = [
            Figure("filed_cash", balance.cash if balance else None, unit),
            Figure("filed_long_term_investments", balance.long_term_investments if balance else None, unit),
            Figure("filed_debt", balance.debt if balance else None, unit),
        ]
        return (*found, *(Figure(f"filed_{cell.name}", cell.value, cell.unit or unit) for cell in self.flows))

    def cells(self) -> Iterable[FiledCell]:
        """Yield all cells."""
        if self.balance is not None:
            yield from self.balance.cells
        yield from self.flows
        yield from self.parts

    def body(self) -> str:
        """Return a row for each cell with the page that prints it."""
        rows = [
            f"| {one_line(cell.label)} | {one_line(cell.column)} | {Figure('', cell.value, cell.unit).text} | "
            f"{Figure('', cell.before, cell.unit).text if cell.before is not None else 'n/a'} | {cell.document}, "
            f"page {cell.page} |"
            for cell in self.cells()
        ]
        if not rows:
            return "The store has no filing of the company whose statements could be read."
        named = ", ".join(f"{risk.theme} ({risk.times_usual:g} times the usual)" for risk in self.risks)
        risks = ["", f"Risks named more often than usual in its risk factors: {named}."] if named else []
        return "\n".join(("| Row | Period | Value | A year earlier | Filing |", "|---|---|---|---|---|", *rows, *risks))
