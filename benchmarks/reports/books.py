"""The figures of companies, computed from their statements apart from the checker; statements with restatements."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.errors import TradingAgentsError

_KINDS: tuple[StatementKind, ...] = ("income", "balance", "cashflow")
_BOTH: tuple[Frequency, ...] = ("quarterly", "annual")
Unit = Literal["money", "%", "bps", "per_share", "price"]
MONEY = (
    *("revenue", "gross_profit", "operating_income", "net_income", "operating_cash_flow", "free_cash_flow"),
    *("research_and_development", "cash", "total_debt", "total_assets", "equity"),
)
SHEET = frozenset({"cash", "total_debt", "total_assets", "equity"})
MARGINS = {"gross_margin": "gross_profit", "operating_margin": "operating_income", "net_margin": "net_income"}
MARGIN_OF = {item: margin for margin, item in MARGINS.items()}
GROWTH, POINTS = "_growth", "_points"
"""Endings of the change of an item from the year before, in percent, and of a margin, in basis points."""


@dataclass(frozen=True, slots=True)
class Truth:
    """A figure of a company as the market has it."""

    symbol: str
    company: str
    metric: str
    period: tuple[int, str]
    """Fiscal year and Q1 … Q4 or FY."""
    end: date
    value: float
    unit: Unit

    @property
    def item(self) -> str:
        """The item or margin whose change it is, or itself."""
        return self.metric.removesuffix(GROWTH).removesuffix(POINTS)


class Books:
    """The figures of one company, computed from its statements one by one."""

    def __init__(self, data: MarketData, symbol: str) -> None:
        """Read the statements and the price."""
        self.symbol, self.company = symbol, data.profile(symbol).name
        self.by_period: dict[tuple[int, str], dict[str, Statement]] = {}
        self.earlier: dict[tuple[int, str], dict[str, Statement]] = {}
        for kind in _KINDS:
            for freq in _BOTH:
                try:
                    found = data.statement_versions(symbol, kind, freq)
                except TradingAgentsError:
                    continue
                for one in reversed(found):  # the last version of a period ends on top
                    key = (one.fiscal_year, one.fiscal_period)
                    sheets = self.by_period.setdefault(key, {})
                    if kind in sheets and sheets[kind].period_end == one.period_end:
                        self.earlier.setdefault(key, {})[kind] = sheets[kind]
                    sheets[kind] = one
        bars = data.prices(symbol, days=400)
        self.price, self.price_day = float(bars.close[-1]), bars.days[-1].item()

    def periods(self, most: int) -> list[tuple[int, str]]:
        """Return the newest quarters and years with an income statement."""
        known = [(sheets["income"].period_end, key) for key, sheets in self.by_period.items() if "income" in sheets]
        return [key for _, key in sorted(known, reverse=True)[:most]]

    def before(self, period: tuple[int, str], *, quarter: bool = False) -> tuple[int, str]:
        """Return the period a year, or a quarter, before another one."""
        year, part = period
        if not quarter or part == "FY":
            return year - 1, part
        return (year, f"Q{int(part[1]) - 1}") if part != "Q1" else (year - 1, "Q4")

    def truth(self, metric: str, period: tuple[int, str], *, earlier: bool = False) -> Truth | None:
        """Return a figure; None where the statements lack a part."""
        value = self._value(metric, period, earlier)
        if value is None or period not in self.by_period or "income" not in self.by_period[period]:
            return None
        unit: Unit = "%" if metric in MARGINS or metric.endswith(GROWTH) else "money"
        unit = "bps" if metric.endswith(POINTS) else "per_share" if metric == "eps_diluted" else unit
        end = self.by_period[period]["income"].period_end
        return Truth(self.symbol, self.company, metric, period, end, value, unit)

    def _value(self, metric: str, period: tuple[int, str], earlier: bool = False) -> float | None:
        if metric in MARGINS:
            part, whole = (self._item(name, period, earlier) for name in (MARGINS[metric], "revenue"))
            return 100 * part / whole if part is not None and whole else None
        item = metric.removesuffix(GROWTH).removesuffix(POINTS)
        if item != metric:
            now, then = (self._value(item, one, earlier) for one in (period, self.before(period)))
            if now is None or then is None:
                return None
            if metric.endswith(POINTS):
                return 100 * (now - then)
            return 100 * (now / then - 1) if then > 0 and now > 0 else None
        return self._item(metric, period, earlier)

    def _item(self, name: str, period: tuple[int, str], earlier: bool) -> float | None:
        for kind, sheet in self.by_period.get(period, {}).items():
            old = self.earlier.get(period, {}).get(kind)
            used = old if earlier and old is not None else sheet
            if name in used.items:
                return used.items[name]
        return None


def with_restatements(found: Sequence[Statement], seed: int) -> tuple[Statement, ...]:
    """Return statements with an earlier version of every third period, filed when it was; the later one restates it."""
    made: list[Statement] = []
    for one in found:
        made.append(one)
        rng = random.Random(f"{seed}{one.symbol}{one.period_end}{one.frequency}")  # noqa: S311
        if rng.random() < 0.35:
            later = one.known_at + timedelta(days=30)
            factor = 1 + rng.choice((-1, 1)) * rng.uniform(0.05, 0.2)
            items = {name: value * factor for name, value in one.items.items()}
            made[-1] = replace(one, items=items)
            made.append(replace(one, known_at=later))
    return tuple(made)
