"""A thesis on a company as it is saved: what is believed, on which figures, and what would prove it wrong."""

from __future__ import annotations

from datetime import date, datetime

from tradingagents.schemas.facts import FigureOfTool
from tradingagents.schemas.workspace import WireModel


class ThesisFigure(FigureOfTool):
    """One figure that a thesis rests on."""


class StoredThesis(WireModel):
    """A saved thesis."""

    thesis_id: str
    ticker: str
    thesis: str
    breakers: tuple[str, ...] = ()
    """What would prove it wrong, one condition each."""
    figures: tuple[ThesisFigure, ...] = ()
    known_on: date
    """Day of the study: nothing known only later went into it."""
    run_id: str | None = None
    """Run that it was drawn from."""
    saved_at: datetime
