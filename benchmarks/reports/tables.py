"""Tables in the layouts of a house."""

from __future__ import annotations

import random
from collections.abc import Sequence

from benchmarks.reports.books import GROWTH, MARGINS, MONEY, Books, Truth
from benchmarks.reports.house import House, Layout, _period_words
from benchmarks.reports.planting import Planted, Planter

_FLOWS = ("revenue", "gross_profit", "operating_income", "net_income", "free_cash_flow")


class TableWriter:
    """Writes one table after another."""

    def __init__(self, house: House, rng: random.Random, planter: Planter) -> None:
        """Set the house, the chance and what plants errors."""
        self._house, self._rng, self._planter = house, rng, planter
        self._lines: list[str] = []
        self._figures: list[Planted] = []

    def write(self, company: Books, companies: Sequence[Books]) -> tuple[list[str], list[Planted]]:
        """Return the lines of a table and its figures in order."""
        self._lines, self._figures = [], []
        layout = self._rng.choice(list(self._house.layouts))
        shapes = {
            "periods across": self._across, "periods down": self._down, "against last year": self._against,
            "list": self._list, "growth rows": self._growth_rows,
        }  # fmt: skip
        if layout.shape.startswith("companies"):
            self._companies(companies, layout, down=layout.shape.endswith("down"))
        else:
            shapes[layout.shape](company, layout)
        return self._lines, self._figures

    def _head(self, layout: Layout, company: Books, period: str, heads: Sequence[str], corner: str) -> None:
        if layout.caption:
            self._lines += [layout.caption.format(company=company.company, period=period), ""]
        self._lines += [f"| {corner} | {' | '.join(heads)} |", f"|---|{'---:|' * len(heads)}"]

    def _metrics(self) -> list[str]:
        return [*self._rng.sample(_FLOWS, 4), self._rng.choice(list(MARGINS)), "eps_diluted"]

    def _periods(self, company: Books) -> list[tuple[int, str]]:
        quarterly = self._rng.random() < 0.6
        found = [one for one in company.periods(14) if (one[1] == "FY") != quarterly]
        return (found or company.periods(14))[:4]

    def _across(self, company: Books, layout: Layout) -> None:
        periods = self._periods(company)
        self._head(layout, company, "", [self._title(company, one, layout) for one in periods], layout.corner)
        for metric in self._metrics():
            cells = [self._cell(company.truth(metric, one), layout) for one in periods]
            self._lines.append(f"| {self._label(metric, layout)} | {' | '.join(cells)} |")

    def _growth_rows(self, company: Books, layout: Layout) -> None:
        """Write each metric with a row of its growth below."""
        periods = self._periods(company)
        self._head(layout, company, "", [self._title(company, one, layout) for one in periods], layout.corner)
        for metric in self._rng.sample(_FLOWS, 3):
            for name, label in (
                (metric, self._label(metric, layout)),
                (metric + GROWTH, self._rng.choice(("y/y", "growth y/y"))),
            ):
                cells = [self._cell(company.truth(name, one), layout) for one in periods]
                self._lines.append(f"| {label} | {' | '.join(cells)} |")

    def _down(self, company: Books, layout: Layout) -> None:
        metrics = self._metrics()
        self._head(layout, company, "", [self._label(one, layout) for one in metrics], layout.corner)
        for period in self._periods(company):
            cells = [self._cell(company.truth(one, period), layout) for one in metrics]
            self._lines.append(f"| {self._title(company, period, layout)} | {' | '.join(cells)} |")

    def _against(self, company: Books, layout: Layout) -> None:
        """Write one period, the same a year before, and the change."""
        period = self._rng.choice(self._periods(company)[:2])
        before = company.before(period)
        heads = [self._title(company, one, layout) for one in (period, before)]
        self._head(layout, company, heads[0], [*heads, self._rng.choice(("y/y", "Change"))], layout.corner)
        for metric in self._rng.sample(_FLOWS, 4):
            truths = [
                company.truth(metric, period),
                company.truth(metric, before),
                company.truth(metric + GROWTH, period),
            ]
            self._lines.append(
                f"| {self._label(metric, layout)} | {' | '.join(self._cell(one, layout) for one in truths)} |"
            )

    def _list(self, company: Books, layout: Layout) -> None:
        """Write one period, a metric a line."""
        period = self._rng.choice(self._periods(company)[:3])
        name = self._title(company, period, layout)
        self._head(layout, company, name, ["Value" if "{period}" in layout.caption else name], layout.corner)
        for metric in self._metrics():
            self._lines.append(
                f"| {self._label(metric, layout)} | {self._cell(company.truth(metric, period), layout)} |"
            )

    def _companies(self, companies: Sequence[Books], layout: Layout, *, down: bool) -> None:
        common = set.intersection(*(set(one.periods(14)) for one in companies))
        years = sorted((one for one in common if one[1] == "FY"), reverse=True) or sorted(common, reverse=True)
        if not years:
            return
        period, metrics = years[0], ["revenue", "net_income", "gross_margin", "net_margin"]
        name = self._title(companies[0], period, layout)
        if down:
            self._head(layout, companies[0], name, [self._label(one, layout) for one in metrics], layout.corner)
            for one in companies:
                cells = [self._cell(one.truth(metric, period), layout) for metric in metrics]
                self._lines.append(f"| {one.company} ({one.symbol}) | {' | '.join(cells)} |")
            return
        self._head(layout, companies[0], name, [one.company for one in companies], layout.corner)
        for metric in metrics:
            cells = [self._cell(one.truth(metric, period), layout) for one in companies]
            self._lines.append(f"| {self._label(metric, layout)} | {' | '.join(cells)} |")

    def _title(self, company: Books, period: tuple[int, str], layout: Layout) -> str:
        truth = company.truth("revenue", period)
        if truth is None:
            return f"{period[1]} FY{period[0]}"
        return (layout.fiscal_year if period[1] == "FY" else layout.quarter).format(**_period_words(truth))

    def _label(self, metric: str, layout: Layout) -> str:
        name = self._house.name_of(self._rng, metric)
        note = (
            layout.money_note
            if metric in MONEY
            else layout.share_note
            if metric == "eps_diluted"
            else layout.percent_note
        )
        return f"{name[:1].upper()}{name[1:]}{note}"

    def _cell(self, truth: Truth | None, layout: Layout) -> str:
        if truth is None or truth.value == 0 or (truth.unit == "%" and abs(truth.value) < 0.25):
            return "n/a"
        value, error = self._planter.value(truth)
        size = abs(value)
        shown = f"{size:.2f}" if truth.unit == "per_share" else format(size / layout.scale, layout.form)
        if truth.unit == "%":
            shown = f"{size:.1f}" if layout.percent_note and truth.metric in MARGINS else f"{size:.1f}%"
        if value < 0:
            shown = f"({shown})" if layout.brackets else f"-{shown}"
        self._figures.append(Planted(shown, error, truth))
        return shown
