"""Earlier decisions on the same instrument, for a page."""

from __future__ import annotations

from dataclasses import dataclass

from tradingagents.reports.formatting import change


@dataclass(frozen=True, slots=True)
class EarlierDecision:
    """An earlier decision in this home on the same instrument."""

    trade_date: str
    action: str
    confidence: float
    strength: float | None
    """How strongly fixed rules speak, 0 to 1; None for a language model."""
    decided_by: str
    """`offline analysts`, or the model's name."""
    page: str
    """Link to the run's own page, relative to this one; empty if there is none."""
    outcome: float | None
    """Return of the stock over the decision's window, a fraction; None if it was not known by this page's day."""
    benchmark: float | None
    """The same of the benchmark."""
    until: str
    """Last day of the window; empty without an outcome."""

    @property
    def outcome_words(self) -> str:
        """The outcome in words: the stock's return, compared with its benchmark's if known."""
        if self.outcome is None:
            return "not settled by then"
        against = f", benchmark {change(self.benchmark * 100)}" if self.benchmark is not None else ""
        return f"{change(self.outcome * 100)}{against} by {self.until}"
