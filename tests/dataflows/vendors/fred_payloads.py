"""A small FRED: series with what was published when, answered as the real one does; every number is made up."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tests.support.vendor_server import Reply, Request, VendorServer

FOREVER = date.max
Published = tuple[str, str, float | str]
"""What a value is about, the day it was published, the value."""


@dataclass
class Series:
    """One series of the small FRED."""

    rows: Sequence[Published]
    title: str = "Made-Up Rate"
    units: str = "Percent"
    units_short: str = "%"
    frequency: str = "M"
    adjustment: str = "Seasonally Adjusted"
    release: int = 50
    archived: bool = True
    """Whether it is in ALFRED: else every real-time period but today's is refused."""


@dataclass
class SmallFred:
    """Series by id, and the days of each release."""

    today: date
    series: dict[str, Series] = field(default_factory=dict)
    days: dict[int, Sequence[str]] = field(default_factory=dict)
    page: int = 100_000
    """Rows given at once."""
    cut: bool = True
    """Whether it keeps to the real-time period; else it sends what was published later, too."""

    def serve(self, server: VendorServer) -> None:
        """Answer the four pages."""
        server.answer("/fred/series", self._facts)
        server.answer("/fred/series/observations", self._observations)
        server.answer("/fred/series/release", lambda asked: self._of(asked, self._release))
        server.answer("/fred/release/dates", self._dates)

    def _of(self, asked: Request, answer: Any) -> Any:
        found = self.series.get(asked.query["series_id"])
        return refused("Bad Request.  The series does not exist.") if found is None else answer(found)

    def _release(self, series: Series) -> Any:
        return {"releases": [{"id": series.release, "name": "A made-up release"}]}

    def _facts(self, asked: Request) -> Any:
        return self._of(asked, lambda series: self._refusal(series, asked) or {"seriess": [facts(series)]})

    def _dates(self, asked: Request) -> Any:
        number = int(asked.query["release_id"])
        return {"release_dates": [{"release_id": number, "date": day} for day in self.days.get(number, ())]}

    def _observations(self, asked: Request) -> Any:
        return self._of(asked, lambda series: self._refusal(series, asked) or self._rows(series, asked))

    def _refusal(self, series: Series, asked: Request) -> Reply | None:
        start, end = self._real_time(asked)
        if end > self.today and end != FOREVER:
            return refused("Bad Request.  Variable realtime_end can not be after today's date.")
        published = [date.fromisoformat(row[1]) for row in series.rows]
        if "realtime_start" in asked.query and (not series.archived or min(published) > end):
            return refused("Bad Request.  The series does not exist in ALFRED but may exist in FRED.")
        within = {day for day in published if start <= day <= end}
        return refused(f"Bad Request.  There are {len(within)} vintage dates.") if len(within) > 2000 else None

    def _rows(self, series: Series, asked: Request) -> Any:
        start, end = self._real_time(asked)
        first, last = asked.query["observation_start"], asked.query["observation_end"]
        rows = [row for row in _stood(series.rows) if first <= row["date"] <= last]
        if self.cut:
            rows = [
                {
                    **row,
                    "realtime_start": max(row["realtime_start"], start.isoformat()),
                    "realtime_end": min(row["realtime_end"], end.isoformat()),
                }
                for row in rows
                if row["realtime_start"] <= end.isoformat() and row["realtime_end"] >= start.isoformat()
            ]
        offset = int(asked.query["offset"])
        return page(rows[offset : offset + self.page], len(rows), self.page)

    def _real_time(self, asked: Request) -> tuple[date, date]:
        start, end = (asked.query.get(name, self.today.isoformat()) for name in ("realtime_start", "realtime_end"))
        return date.fromisoformat(start), date.fromisoformat(end)


def facts(series: Series) -> dict[str, Any]:
    """A row of `fred/series`."""
    return {
        "title": series.title,
        "units": series.units,
        "units_short": series.units_short,
        "frequency_short": series.frequency,
        "seasonal_adjustment": series.adjustment,
    }


def row(day: str, published: str, value: Any, until: str = "9999-12-31") -> dict[str, Any]:
    """A row of `fred/series/observations`."""
    return {"realtime_start": published, "realtime_end": until, "date": day, "value": value}


def page(rows: Sequence[Any], count: int | None = None, limit: int = 100_000) -> dict[str, Any]:
    """A page of `fred/series/observations`."""
    return {"count": len(rows) if count is None else count, "offset": 0, "limit": limit, "observations": list(rows)}


def refused(message: str, status: int = 400) -> Reply:
    """FRED's way to refuse."""
    return Reply({"error_code": status, "error_message": message}, status=status)


def _stood(rows: Iterable[Published]) -> list[dict[str, Any]]:
    """Each value with the days on which it stood, by the day it is about."""
    found = []
    every = sorted(rows)
    for number, (day, published, value) in enumerate(every):
        later = every[number + 1] if number + 1 < len(every) and every[number + 1][0] == day else None
        until = FOREVER if later is None else date.fromordinal(date.fromisoformat(later[1]).toordinal() - 1)
        found.append(row(day, published, str(value), until.isoformat()))
    return found
