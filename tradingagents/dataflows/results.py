"""Results: what a question about the market is answered with. Frozen, dated, sourced, honest about doubts."""

from __future__ import annotations

from abc import abstractmethod
from datetime import date, datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.reference.metrics import Figure, figures_table
from tradingagents.files.notebook_html import markdown_html
from tradingagents.schemas.derivation import Derivation


class Result(BaseModel):
    """A typed answer. It shows itself as Markdown for a model or a person, and as JSON for a program."""

    # Validators are built when a result is first made: most programs use a few of the many kinds.
    model_config = ConfigDict(frozen=True, arbitrary_types_allowed=True, ser_json_inf_nan="null", defer_build=True)

    tabulated: ClassVar[bool] = False
    """True where the body's tables show every figure, so that no list of figures stands above them."""

    symbol: str | None = None
    """None for the whole market."""
    as_of: date
    """The day the answer would have been given."""
    source: str
    """Vendor that answered; several are joined by +."""
    currency: str | None = None
    known_at: datetime | None = None
    """Latest instant at which anything in the answer became known, UTC; never after the cut-off."""
    fetched_at: datetime
    """When the vendor delivered it, UTC."""
    start: date | None = None
    """First day covered; None where the answer is no series."""
    end: date | None = None
    rows: int = 0
    """Source rows the answer stands on: bars, statements, articles."""
    inputs: tuple[str, ...] = ()
    """Other symbols whose data went into the answer."""
    notes: tuple[str, ...] = ()
    """Doubts and gaps, one sentence each: assumed filing dates, clamped dates, short histories."""

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader of the run's report must see: figures that were withheld, and why."""
        return ()

    @property
    def faults(self) -> tuple[Fault, ...]:
        """The faults of data, by kind, that only the answer as a whole shows: figures that do not fit each other."""
        return ()

    @property
    @abstractmethod
    def title(self) -> str:
        """What the answer is, for a heading."""

    @property
    def subject(self) -> str | None:
        """What the data sheet files the answer under: its symbol, or a word of the question where it has none."""
        return self.symbol

    @abstractmethod
    def figures(self) -> tuple[Figure, ...]:
        """Return the numbers worth quoting; the data sheet keeps them as shown."""

    def derivation(self, name: str) -> Derivation | None:  # noqa: ARG002
        """Return how one of its figures follows from cells; None where the result is the source itself."""
        return None

    def lead(self) -> str:
        """Return what the answer says first, in words, above the figures; empty for nothing."""
        return ""

    def body(self) -> str:
        """Return further Markdown below the figures: tables, lists; empty for none."""
        return ""

    def kept(self) -> dict[str, Any]:
        """Return what a run's state keeps of the answer beside its words, JSON-able, by state key; {} for nothing."""
        return {}

    def to_markdown(self) -> str:
        """Return the answer as a model reads it: heading, provenance, lead, figures, body, notes."""
        figures = () if self.tabulated else self.figures()
        parts = [
            f"## {self.title}",
            self._provenance(),
            self.lead(),
            figures_table(figures) if figures else "",
            self.body(),
            "\n".join(f"Note: {note}" for note in self.notes),
        ]
        return "\n\n".join(part for part in parts if part)

    def _repr_html_(self) -> str:
        """Return the answer as a notebook shows it."""
        return markdown_html(self.to_markdown())

    def _provenance(self) -> str:
        facts = [f"source {self.source}", f"as of {self.as_of.isoformat()}"]
        if self.start and self.end:
            facts.append(f"{self.start.isoformat()} to {self.end.isoformat()}")
        if self.rows:
            facts.append(f"{self.rows} rows")
        if self.known_at:
            facts.append(f"known by {self.known_at:%Y-%m-%d %H:%M} UTC")
        if self.currency:
            facts.append(self.currency)
        return f"({', '.join(facts)})"
