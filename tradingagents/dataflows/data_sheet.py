"""The data sheet: what a run was given, by whom, over which window, known by when."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime

from tradingagents.dataflows.gateway.faults import Fault
from tradingagents.dataflows.results import Result
from tradingagents.schemas.records import DataFaultRecord, DataSheetRecord


@dataclass(frozen=True, slots=True)
class DataSheetRow:
    """One answer of the market."""

    method: str
    symbol: str | None
    vendor: str
    rows: int
    fetched_at: datetime
    start: date | None = None
    end: date | None = None
    known_at: datetime | None = None
    figures: Mapping[str, float] = field(default_factory=dict)
    """The numbers the answer showed, as it showed them."""
    notes: tuple[str, ...] = ()
    inputs: tuple[str, ...] = ()
    instead_of: tuple[str, ...] = ()
    """Vendors that come first and were unavailable."""
    warnings: tuple[str, ...] = ()
    """What a reader of the report must see."""
    lost: tuple[str, ...] = ()
    """What of the vendor's answer could not be read, one sentence an answer: also for whoever reads the answer."""
    faults: tuple[Fault, ...] = ()
    """What the data gate found in the vendor's answer, without the rows, and what the answer's figures show."""

    @property
    def substitution(self) -> str | None:
        """Who answered instead of whom, as a sentence; None where the vendor was the first choice."""
        if not self.instead_of:
            return None
        absent = f"{' and '.join(self.instead_of)} {'was' if len(self.instead_of) == 1 else 'were'}"
        return f"{self.method} was answered by {self.vendor} since {absent} unavailable."

    def to_record(self) -> DataSheetRecord:
        """Return the row as JSON."""
        return DataSheetRecord(
            method=self.method,
            symbol=self.symbol,
            vendor=self.vendor,
            start=self.start.isoformat() if self.start else None,
            end=self.end.isoformat() if self.end else None,
            rows=self.rows,
            known_at=self.known_at.isoformat() if self.known_at else None,
            fetched_at=self.fetched_at.isoformat(),
            figures=dict(self.figures),
            notes=[*dict.fromkeys((*self.notes, *self.warnings)), *([self.substitution] if self.substitution else [])],
            inputs=list(self.inputs),
        )


class DataSheet:
    """Rows in the order in which they were given out; the same answer given twice is one row. Thread-safe."""

    def __init__(self) -> None:
        self._rows: dict[tuple[object, ...], DataSheetRow] = {}
        self._lock = threading.Lock()
        self._keep: Callable[[DataSheetRow], None] | None = None
        self._sorted: tuple[DataSheetRow, ...] | None = ()
        """The rows in order; None where some were added since."""

    def keep_with(self, keep: Callable[[DataSheetRow], None]) -> None:
        """Hand every row, those there are and those to come, to whoever keeps them for a run that may be killed."""
        with self._lock:
            self._keep = keep
            for row in self._rows.values():
                keep(row)

    def add(self, row: DataSheetRow) -> None:
        """Record an answer; its figures join those of the same question asked before."""
        key = (row.method, row.symbol, row.vendor, row.start, row.end)
        with self._lock:
            known = self._rows.get(key)
            if known:
                absent = row.instead_of or known.instead_of
                warnings = tuple(dict.fromkeys((*known.warnings, *row.warnings)))
                faults = (*known.faults, *(fault for fault in row.faults if fault not in known.faults))
                figures = {**known.figures, **row.figures}
                lost = tuple(dict.fromkeys((*known.lost, *row.lost)))
                row = replace(row, figures=figures, instead_of=absent, warnings=warnings, lost=lost, faults=faults)
            self._rows[key], self._sorted = row, None
            if self._keep is not None:
                self._keep(row)

    def add_result(self, method: str, result: Result, figures: Mapping[str, float]) -> None:
        """Record a typed result with the figures it shows."""
        self.add(
            DataSheetRow(
                method=method,
                symbol=result.subject,
                vendor=result.source,
                rows=result.rows,
                fetched_at=result.fetched_at,
                start=result.start,
                end=result.end,
                known_at=result.known_at,
                figures=figures,
                notes=result.notes,
                inputs=result.inputs,
                warnings=result.warnings,
                faults=result.faults,
            )
        )

    @property
    def rows(self) -> tuple[DataSheetRow, ...]:
        """Return the rows so far, ordered by method, symbol and window, whatever order threads asked in."""
        with self._lock:
            if self._sorted is None:
                rows = self._rows.values()
                order = sorted(rows, key=lambda row: (row.method, row.symbol or "", str(row.start), str(row.end)))
                self._sorted = tuple(order)
            return self._sorted

    @property
    def substitutions(self) -> tuple[str, ...]:
        """Return a sentence for each method that another vendor than the first choice answered."""
        return tuple(dict.fromkeys(sentence for row in self.rows if (sentence := row.substitution)))

    @property
    def warnings(self) -> tuple[str, ...]:
        """Return what a reader of the report must see, each once."""
        return tuple(dict.fromkeys(sentence for row in self.rows for sentence in row.warnings))

    @property
    def faults(self) -> list[DataFaultRecord]:
        """Return what the data gate found, each fault once."""
        found: list[DataFaultRecord] = []
        for row in self.rows:
            records = (fault.to_record(row.method, row.vendor) for fault in row.faults)
            found += [record for record in records if record not in found]
        return found

    def to_records(self) -> list[DataSheetRecord]:
        """Return the sheet as JSON."""
        return [row.to_record() for row in self.rows]


def shown_figures(result: Result) -> dict[str, float]:
    """Return a result's figures by name, rounded as it shows them; those not known are left out."""
    return {figure.name: value for figure in result.figures() if (value := figure.rounded) is not None}
