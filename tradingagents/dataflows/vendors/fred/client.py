"""FRED's web service: four endpoints and their errors.

https://fred.stlouisfed.org/docs/api/fred/
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from typing import Any

from tradingagents.dataflows.gateway.http import Web, unreadable
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.responses.lost_rows import not_listed
from tradingagents.dataflows.vendors.fred.parse import (
    Facts,
    Vintage,
    facts_of,
    is_as_published,
    release_days,
    release_number,
    vintages,
)
from tradingagents.errors import NoData, VendorNotConfigured

KEY = "FRED_API_KEY"
PAGE = 100_000
"""Maximum number of rows per response."""
MOST_ROWS = 2_000_000
"""Maximum plausible length of a series: the longest real-time windows we request have about ten thousand rows."""
RealTime = tuple[date, date]
"""First and last day of the real-time period: everything published in between, including changes."""


class NoVintages(NoData):
    """FRED has the series, or may have it, but not its values published in the requested real-time period."""


class FredClient:
    """Requests JSON from FRED. Thread-safe."""

    def __init__(self, access: Access) -> None:
        """Set up; sends nothing yet.

        Raises:
            VendorNotConfigured: The key isn't set.
        """
        self._name = access.name
        self._web = Web(access, secret_params={"api_key": access.key(KEY)}, key_variable=KEY, explain=_explained)

    def facts(self, series: str, on: date | None, about: str) -> Facts:
        """Return title, unit and frequency of a series as of a day; None: as of today.

        Raises:
            NoVintages: The series isn't archived for that day.
        """
        found = facts_of(self._get("series", series, (on, on) if on else None, about))
        if found is None:
            raise unreadable(self._name, about)
        return found

    def observations(
        self, series: str, start: date, end: date, real_time: RealTime | None, about: str
    ) -> tuple[Vintage, ...]:
        """Return the values for the days [start, end] with the real-time period of each; () for none.

        FRED cuts a row's period to the requested one: values known before its first day seem to begin there.

        Args:
            series: Its id.
            start: First reference day.
            end: Last reference day.
            real_time: Publication period; at most 2,000 days with publications, which is FRED's limit. None: the latest
                revision only.
            about: Description for messages.

        Raises:
            NoVintages: The series isn't archived for the period.
        """
        found: list[Vintage] = []
        read, total = 0, 1
        while read < total:
            more = {"observation_start": start, "observation_end": end, "limit": PAGE, "offset": read}
            page = self._get("series/observations", series, real_time, about, **more)
            rows, count = page.get("observations"), page.get("count")
            if not isinstance(rows, list) or not isinstance(count, int) or not 0 <= count <= MOST_ROWS:
                raise unreadable(self._name, about)
            total = count
            usable = vintages(rows)
            if usable is None or (not rows and read < total) or not is_as_published(series, rows):
                raise unreadable(self._name, about)
            found += usable
            due = min(total - read, _limit_of(page))
            if len(rows) < due and real_time is not None and real_time[0] < real_time[1]:
                raise unreadable(self._name, about)  # a lost version would leave an older one in its place
            not_listed("observation", due - len(rows))
            read += max(due, len(rows))
        return tuple(
            row for row in found if start <= row.day <= end and (real_time is None or row.first <= real_time[1])
        )

    def release_of(self, series: str) -> int:
        """Return the id of the release that contains a series."""
        about = f"the release of {series}"
        number = release_number(self._get("series/release", series, None, about))
        if number is None:
            raise unreadable(self._name, about)
        return number

    def release_days(self, release: int, start: date) -> tuple[date, ...]:
        """Return the past and scheduled days of a release on and after `start`, in order."""
        about = f"days of release {release}"
        params = {
            "release_id": release,
            "realtime_start": start,
            "realtime_end": date.max,
            "include_release_dates_with_no_data": "true",
            "sort_order": "asc",
        }
        found = release_days(self._json("release/dates", params, about))
        if found is None:
            raise unreadable(self._name, about)
        return tuple(sorted({day for day in found if day >= start}))

    def _get(self, page: str, series: str, real_time: RealTime | None, about: str, **more: object) -> Mapping[str, Any]:
        first, last = real_time or (None, None)
        return self._json(page, {"series_id": series, "realtime_start": first, "realtime_end": last, **more}, about)

    def _json(self, page: str, params: Mapping[str, object], about: str) -> Mapping[str, Any]:
        written = {name: value.isoformat() if isinstance(value, date) else value for name, value in params.items()}
        answer = self._web.get_json(f"fred/{page}", {**written, "file_type": "json"}, about=about)
        if not isinstance(answer, dict):
            raise unreadable(self._name, about)
        return answer


def _limit_of(page: Mapping[str, Any]) -> int:
    """Return the number of rows that a page may have, which FRED states; at most what was asked for."""
    stated = page.get("limit")
    return min(stated, PAGE) if isinstance(stated, int) and stated > 0 else PAGE


def _explained(status: int, body: bytes, about: str) -> Exception | None:
    """Return the error for status 400: an unknown series, an invalid key, or missing vintages."""
    if status != 400:
        return None
    try:
        message = str(json.loads(body)["error_message"]).lower()
    except (ValueError, KeyError, TypeError):
        return None
    if "api_key" in message:
        return VendorNotConfigured(
            f"fred refused the key when asked for {about} (HTTP 400); check the value of {KEY}: 32 lower-case letters "
            f"and digits."
        )
    if "does not exist in alfred" in message or "no vintage dates exist" in message:
        return NoVintages(f"fred has no vintages of {about}; ask for a later day.")
    return None
