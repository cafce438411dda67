"""FRED, the economic data of the Federal Reserve Bank of St. Louis, with vintages (ALFRED). Free key."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import ClassVar
from zoneinfo import ZoneInfo

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.http import nothing
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import EconomicEvent, MacroSeries
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.macro_series import series_id
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.fred.calendar import (
    FIGURES,
    TARGET_SERIES,
    FredFigure,
    decisions,
    releases,
    scheduled,
)
from tradingagents.dataflows.vendors.fred.client import FredClient, NoVintages
from tradingagents.dataflows.vendors.fred.parse import Facts, assumed, published
from tradingagents.errors import NoData

MAX_DAYS = 2000
"""Days of vintages requested: FRED refuses a real-time period with more than 2,000 publication days, and a daily series
has nearly one every day."""
LEAD = timedelta(days=400)
"""How far back a calendar reads before its window: shows when recurring releases are due, and costs no request."""
BASE = timedelta(days=550)
"""How far before the earliest release values are read: a yearly change, four months late, and the previous one."""
_ST_LOUIS = ZoneInfo("America/Chicago")


class FredVendor(Vendor):
    """Economic series with all vintages, and the economic calendar derived from them.

    Requests end at the last requested day: later publications aren't even sent.
    """

    name: ClassVar[str] = "fred"

    def __init__(self, access: Access, *, now: Callable[[], datetime] = utc_now) -> None:
        """Set up; sends nothing yet.

        Raises:
            VendorNotConfigured: FRED_API_KEY isn't set.
        """
        self._fred = FredClient(access)
        self._now = now
        self._releases: dict[str, int] = {}

    def get_macro_indicators(self, series: str, start: date, end: date) -> MacroSeries:
        """Return the values of a series for [start, end] in every vintage published by `end`.

        Of vintages more than 2,000 days before `end` the last one counts, and seems to begin there. A series without
        vintages is returned in its latest revision, each value known from its assumed publication day.

        Raises:
            NoData: FRED has no such series, or the name is unknown.
        """
        name, end = series_id(series), min(end, self._today())
        start = min(start, end)
        about = f"{name} from {start} to {end}"
        since = max(start, end - timedelta(days=MAX_DAYS - 1))
        facts = self._facts(name, end, about)
        try:
            observations = published(self._fred.observations(name, start, end, (since, end), about))
            vintages, read_at = True, None
        except NoVintages:
            observations = assumed(self._fred.observations(name, start, end, None, about), facts.frequency)
            vintages, read_at = False, self._now()
        if not observations:
            raise nothing(self.name, about)
        return MacroSeries(name, facts.title, observations, facts.unit, facts.frequency, vintages, read_at)

    def get_economic_calendar(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        """Return the releases of the days [start, end] and of 400 days before, and those scheduled by `end`, by day.

        Values are as first published. The schedule is today's, known since the last close, so it is useless for a past
        day.

        Raises:
            NoData: FRED has none of the figures.
        """
        found: list[EconomicEvent] = []
        for figure in FIGURES:
            released = self._released(figure, start, end)
            found += (*released, *self._scheduled(figure, start, end, released))
        found += self._decided(start, end)
        if not found:
            raise nothing(self.name, f"economic releases from {start} to {end}")
        return tuple(sorted(found, key=lambda event: (event.day, event.name, event.known_at)))

    def _released(self, figure: FredFigure, start: date, end: date) -> tuple[EconomicEvent, ...]:
        # The first requested day only shows what was known before the others.
        since, until = start - LEAD - timedelta(days=1), min(end, self._today())
        if since >= until:
            return ()
        about = f"{figure.series} as published from {since} to {until}"
        try:
            rows = self._fred.observations(figure.series, since - BASE, until, (since, until), about)
        except NoData:  # the archive begins later: what was known then is unknown
            return ()
        return tuple(releases(figure, rows))

    def _scheduled(
        self, figure: FredFigure, start: date, end: date, released: tuple[EconomicEvent, ...]
    ) -> tuple[EconomicEvent, ...]:
        calendar = sessions()
        closed = calendar.last_closed(self._now())
        if end < closed:
            return ()
        try:
            days = self._fred.release_days(self._release(figure.series), max(start, closed))
        except NoData:
            return ()
        due = [day for day in days if day <= end]
        return tuple(scheduled(figure, due, released, calendar.close_of(closed)))

    def _decided(self, start: date, end: date) -> tuple[EconomicEvent, ...]:
        since, until = start - LEAD, min(end, self._today())
        if since >= until:
            return ()
        try:
            rows = self._fred.observations(
                TARGET_SERIES, since, until, None, f"{TARGET_SERIES} from {since} to {until}"
            )
        except NoData:
            return ()
        return tuple(decisions(rows))

    def _facts(self, series: str, on: date, about: str) -> Facts:
        try:
            return self._fred.facts(series, on, about)
        except NoVintages:
            return self._fred.facts(series, None, about)

    def _release(self, series: str) -> int:
        number = self._releases.get(series)
        if number is None:  # two threads may both request it, with equal results
            number = self._releases[series] = self._fred.release_of(series)
        return number

    def _today(self) -> date:
        """Return the day in St. Louis, the last one that FRED accepts in a real-time period."""
        return self._now().astimezone(_ST_LOUIS).date()
