"""Falsifiers: conditions on figures that prove a hypothesis wrong, and what became of them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, computed_field, model_validator

Comparison = Literal["below", "above"]
FalsifierOrigin = Literal["model", "thesis", "evidence"]
"""Who named it: a model in its own field, the words of the hypothesis, or its evidence, by rule."""
FalsifierState = Literal["open", "fired", "expired"]


class FalsifierDraft(BaseModel):
    """A falsifier as a model proposes it; unknown fields are ignored."""

    model_config = ConfigDict(frozen=True, allow_inf_nan=False)

    figure: str = Field(max_length=60, description="Name of a watched figure, such as gross_margin")
    comparison: Comparison
    threshold: float = Field(description="In percent for margins, growth and returns, else in the unit of the figure")
    by: date | None = Field(
        None, description="Last day of the last quarter, or last session, that counts; null: a year"
    )


class Falsifier(BaseModel):
    """A condition that proves a hypothesis wrong once it holds of a figure that was not known at the time."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    hypothesis: str
    """Id of the hypothesis."""
    figure: str
    """Name of a watched figure, see `tradingagents.features.deep_report.evidence.watched_figures`."""
    comparison: Comparison
    threshold: float
    """In `unit`; 43 is 43 %."""
    unit: str
    """`%`, `x`, or a currency."""
    after: date
    """Last day of the last period that was known, or of the last session: only later ones count."""
    by: date
    """Last day of a period, or session, that counts."""
    origin: FalsifierOrigin
    reason: str
    """Why this figure and this threshold, in one sentence."""
    value_then: float
    """The figure when the condition was made."""

    @model_validator(mode="before")
    @classmethod
    def _without_id(cls, given: Any) -> Any:
        """Leave the id of what was stored out: it follows from the rest."""
        return {name: value for name, value in given.items() if name != "id"} if isinstance(given, Mapping) else given

    @model_validator(mode="after")
    def _in_order(self) -> Falsifier:
        if self.by <= self.after:
            raise ValueError("by does not lie after the last period that was known")
        return self

    @computed_field  # type: ignore[prop-decorator]
    @property
    def id(self) -> str:
        """Address of the condition by its content."""
        parts = (self.hypothesis, self.figure, self.comparison, repr(self.threshold), str(self.after), str(self.by))
        return "F-" + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:12]

    def holds(self, value: float) -> bool:
        """Tell whether a value meets the condition."""
        return value < self.threshold if self.comparison == "below" else value > self.threshold


class FigureSource(BaseModel):
    """One cell of a statement, or one close, from which a watched figure follows."""

    model_config = ConfigDict(frozen=True)

    item: str
    value: float
    """Unscaled, in the currency of the statement."""
    period_end: date
    """Last day of the period, or the session of a close."""
    known_at: datetime
    """Instant of filing, or the session's close, UTC."""
    source: str
    """Vendor or recorder that gave it."""


class MeasuredFigure(BaseModel):
    """A watched figure of one period as it was known at one instant."""

    model_config = ConfigDict(frozen=True)

    figure: str
    value: float
    period_end: date
    known_at: datetime
    """Instant from which it could be known: that of the last filing it needs."""
    cells: tuple[FigureSource, ...]


class FalsifierOutcome(BaseModel):
    """What became of a falsifier by an instant."""

    model_config = ConfigDict(frozen=True)

    falsifier: Falsifier
    state: FalsifierState
    """`fired`: the condition held; `expired`: every period that counts was published and none met it."""
    event: MeasuredFigure | None = None
    """The first figure that met the condition."""
    last: MeasuredFigure | None = None
    """The newest figure that counts; None before the first."""
