"""Forward records of the home folder: a list of all, and revealing what one has committed."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import ClassVar

from pydantic import BaseModel, ConfigDict, computed_field

from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.files.plain_text import one_line


class RecordStatus(BaseModel):
    """Where a record stands."""

    model_config = ConfigDict(frozen=True)

    name: str
    committed: int
    late: int
    """Committed when the next session had opened already: they prove nothing."""
    revealed: int
    first: str
    """First session committed; empty where there is none."""
    last: str
    total_return: float | None
    """Fraction, from the deposit to the last session revealed; None where none is."""
    head: str
    """Hash of the last line of its chain, whatever the day of the question."""

    @computed_field
    def said(self) -> str:
        """The same in a sentence."""
        worth = "nothing revealed" if self.total_return is None else f"{self.total_return:+.2%}"
        sessions = f"{self.first} to {self.last}, " if self.committed else ""
        late = f", {self.late} too late" if self.late else ""
        return f"{self.name}: {sessions}{self.committed} committed{late}, {self.revealed} revealed; {worth}"


class ForwardRecords(Result):
    """Every record ever begun, the oldest first, with its sessions until the day of the question."""

    tabulated: ClassVar[bool] = True

    records: tuple[RecordStatus, ...] = ()

    @property
    def title(self) -> str:
        """Heading."""
        return "Forward records"

    def figures(self) -> tuple[Figure, ...]:
        """Return no figures: those of a record belong to its own chain."""
        return ()

    def body(self) -> str:
        """Return the list."""
        none = "There is no forward record; `tradingagents record start` begins one."
        return "\n".join(f"- {record.said}" for record in self.records) or none


class RevealedSessions(Result):
    """The sessions of a record that were revealed by this answer."""

    tabulated: ClassVar[bool] = True

    record: str
    revealed: tuple[date, ...] | None = None
    """None outside a home folder, where nothing is revealed."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Forward record {one_line(self.record)}"

    def figures(self) -> tuple[Figure, ...]:
        """Return no figures: those of a record belong to its own chain."""
        return ()

    def body(self) -> str:
        """Return the sessions."""
        if self.revealed is None:
            return ""
        days = ", ".join(map(str, self.revealed)) or "none"
        return f"Revealed: {days}. What may be revealed depends on the clock, not on the day of the question."


@capability(title="Forward records", returns=ForwardRecords, requires=())
def forward_records(data: MarketData) -> ForwardRecords:
    """List every forward record ever begun in the home folder, with what it came to by the day of the question."""
    return ForwardRecords(as_of=data.as_of, source="home folder", fetched_at=datetime.now(UTC))


@capability(
    title="Forward record",
    returns=RevealedSessions,
    requires=(),
    example={"record": "alpha"},
    writes=True,
)
def reveal_forward_record(data: MarketData, record: str) -> RevealedSessions:
    """Reveal the committed sessions of a forward record whose next session has opened; they stay revealed.

    Args:
        record: Name of the record.
    """
    return RevealedSessions(as_of=data.as_of, source="home folder", fetched_at=datetime.now(UTC), record=record.strip())
