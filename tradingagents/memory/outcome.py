"""The outcome of a decision, and what each deciding agent had decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from tradingagents.memory.cohort import Cohort


@dataclass(frozen=True, slots=True)
class Said:
    """The decision of one agent."""

    action: str
    """BUY, SELL, HOLD or NO_DECISION."""
    confidence: float
    sell_means: str | None = None
    """Meaning of a SELL, short or close; `None` for other actions, and for a SELL of earlier versions (short)."""
    strength: float | None = None
    """How strongly rules speak; `None` for a language model, and for outcomes of earlier versions."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one run's decision. Returns are fractions, defined in `analytics.decisions.outcome`."""

    run_id: str
    ticker: str
    trade_date: date
    start: date
    """Session of the as-of price; of the first open after the cut-off where the run knew of later news."""
    end: date
    """Session whose close ends the window."""
    settled_on: date
    """First day on which the outcome may be used; see `days.first_day_known`."""
    horizon_days: int
    """Calendar days of the window."""
    action: str
    """BUY, SELL or HOLD."""
    confidence: float
    as_of_price: float
    """The last close that the run knew, as traded then."""
    total_return: float
    """Return of the stock, including dividends and splits."""
    benchmark: str | None
    benchmark_return: float | None
    """`None` without a benchmark, or when its prices are missing."""
    drawdown: float
    """Largest decline of the stock within the window; 0 or negative."""
    position_drawdown: float
    """Largest decline of the position's value within the window."""
    vendor: str
    """Vendor of the prices."""
    models: Mapping[str, str]
    """`provider/model` of the run, by tier."""
    vintage: str
    """Library version and prompt fingerprint of the run."""
    agents: Mapping[str, Said]
    """The decision of each deciding agent, by agent."""
    cohort: Cohort
    """The market the run studied, and the kind of analyst that decided."""
    stop_hit: date | None = None
    """First session of the window in which the decision's stop would have closed its position; None where it held, for
    a decision without a stop, and for outcomes of earlier versions."""

    @property
    def final(self) -> Said:
        """The run's final decision; the meaning of SELL is the same for all agents of a run."""
        meanings = (said.sell_means for said in self.agents.values() if said.action == self.action)
        return Said(self.action, self.confidence, next(meanings, None))


@dataclass(frozen=True, slots=True)
class Hits:
    """Number of calls, and how many were right."""

    calls: int
    right: int
