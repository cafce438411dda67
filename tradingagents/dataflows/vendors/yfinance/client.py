"""The yfinance library, made safe to share: serialized calls with a time limit, and typed errors.

yfinance keeps its session, cookie, crumb, answer cache, time-zone cache and configuration once per process, and a 4xx
response in one thread discards the cookie that another thread is about to send. So the calls of all vendors of a
process are serialized.
"""

from __future__ import annotations

import logging
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import parse_qs, urlsplit

import peewee
from curl_cffi.requests import Response, Session

from tradingagents.dataflows.responses.shapes import note_response
from tradingagents.dataflows.vendors.yfinance.answers import OddAnswer, check_answer
from tradingagents.errors import DataError, NoData, RateLimited, VendorDown, VendorNotConfigured
from tradingagents.files.user_folders import cache_folder

if cache_folder() is None:  # yfinance looks for the folder when it is imported, and fails without a word of ours
    raise VendorNotConfigured("yfinance needs a folder for its cache; set HOME or XDG_CACHE_HOME to one.")
with warnings.catch_warnings():  # yfinance enables its own deprecation warnings for the whole process
    import yfinance as yf
    from yfinance.data import YfData
    from yfinance.exceptions import YFDataException, YFException, YFRateLimitError

if TYPE_CHECKING:
    import pandas as pd

_TURN = threading.Lock()
PATIENCE = 4
"""Number of time limits that a call waits for its turn before Yahoo counts as unreachable."""

CALENDAR_PAGE = 100
"""Maximum rows of a calendar per response."""

CRUMB_PATH = "/getcrumb"
"""Where the token comes from that Yahoo wants with most requests."""
COOKIE_HOST = "fc.yahoo.com"
"""A URL that returns an error page with the required cookie."""

UNREADABLE = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RuntimeError, AssertionError)
"""Exceptions of yfinance's parsers for an unexpected response: Yahoo's pages have no schema."""


def _at_once() -> None:
    """Don't wait."""


class ServerFailed(OSError):
    """Yahoo returned 5xx. yfinance would parse the page, or treat it as a delisted symbol."""


class YahooSession(Session[Response]):
    """The session given to yfinance: enforces a call's time limit and records how the last request ended.

    yfinance keeps the last session it was given: any other use of yfinance in this process goes through it too, and
    between our calls sees an ordinary session.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(impersonate="chrome", **options)
        self.last_status: int | None = None
        """HTTP status of the last request; None if there was no response."""
        self.retry_after: float | None = None
        """Seconds the last response asks to wait."""
        self.currency: str | None = None
        """The currency of the amounts of the call's time series, as they state it."""
        self.odd: OddAnswer | None = None
        """The answer of the call that cannot be used."""
        self._deadline: float | None = None
        self._wait_turn: Callable[[], None] = _at_once

    @contextmanager
    def limited(self, seconds: float, wait_turn: Callable[[], None]) -> Iterator[None]:
        """Make a call: all its requests together may take `seconds`, and each waits for the rate limit."""
        self.last_status = self.retry_after = self.odd = self.currency = None
        self._deadline = time.monotonic() + seconds
        self._wait_turn = wait_turn
        try:
            yield
        finally:
            self._deadline = None

    def request(self, method: Any, url: str, *args: Any, **options: Any) -> Response:
        """Send one request. It may take half of the call's remaining time, since yfinance has a second method to try.

        Raises:
            TimeoutError: No time is left.
            RateLimited: Our own rate limit is used up.
            ServerFailed: The response is 5xx.
            OddAnswer: The response is none, or contradicts itself.
        """
        if self._deadline is None:
            return super().request(method, url, *args, **options)
        self.last_status = self.retry_after = None
        self._wait_turn()
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("no time left for another request")
        options["timeout"] = min(options.get("timeout") or left, left / 2)
        response = super().request(method, url, *args, **options)
        self.last_status = response.status_code
        asked = urlsplit(url)
        named = (*parse_qs(asked.query), *(options.get("params") or ()))
        if asked.hostname != COOKIE_HOST and not asked.path.endswith(CRUMB_PATH):
            note_response(asked.path, named, response.status_code, response.content)
        wait = response.headers.get("Retry-After") or ""
        self.retry_after = float(wait) if wait.isdecimal() else None
        if response.status_code >= 500 and urlsplit(url).hostname != COOKIE_HOST:
            raise ServerFailed(f"HTTP {response.status_code}")
        if response.status_code == 200:
            try:
                self.currency = check_answer(urlsplit(url).path, response.content) or self.currency
            except OddAnswer as odd:
                self.odd = odd  # yfinance may take it for a missing symbol
                raise
        return response


class Yahoo:
    """Requests available during one turn."""

    def __init__(self, session: YahooSession, seconds: float) -> None:
        self._session = session
        self._seconds = seconds

    @property
    def series_currency(self) -> str | None:
        """The currency that the statements of this call state; None where they state none."""
        return self._session.currency

    def ticker(self, symbol: str) -> Any:
        """Return yfinance's `Ticker`."""
        return yf.Ticker(symbol, session=self._session)

    def search_news(self, query: str, count: int) -> list[dict[str, Any]]:
        """Return the articles of Yahoo's search, in Yahoo's format."""
        found = yf.Search(
            query,
            max_results=0,
            news_count=count,
            lists_count=0,
            include_cb=False,
            recommended=0,
            session=self._session,
            timeout=self._seconds,
        )
        return found.news  # type: ignore[no-any-return]

    def screen(self, name: str, count: int) -> list[dict[str, Any]]:
        """Return the quotes of one of Yahoo's own screens, in Yahoo's format."""
        return yf.screen(name, count=count, session=self._session)["quotes"]  # type: ignore[no-any-return]

    def top_companies(self, page: str) -> pd.DataFrame | None:
        """Return the largest companies of a sector page: name, rating and market weight by symbol; None for none."""
        return yf.Sector(page, session=self._session).top_companies  # type: ignore[no-any-return]

    def calendar(
        self, kind: Literal["sp_earnings", "economic_event"], start: date, end: date
    ) -> Iterator[pd.DataFrame]:
        """Yield the pages of a calendar of the days [start, end] (UTC), an empty one if it has no rows.

        Earnings are sorted by market value, largest first; economic releases newest first.
        """
        # Yahoo interprets a bound as that day's midnight.
        calendars = yf.Calendars(start=start, end=end + timedelta(days=1), session=self._session)
        offset, rows = 0, CALENDAR_PAGE
        while rows == CALENDAR_PAGE:
            page = _calendar_page(calendars, kind, offset)
            yield page
            offset, rows = offset + CALENDAR_PAGE, len(page)


class YahooClient:
    """yfinance for one vendor."""

    def __init__(
        self, *, timeout: float, cache_dir: Path | None, session: YahooSession | None, wait_turn: Callable[[], None]
    ) -> None:
        """Set up; sends nothing yet.

        Args:
            timeout: Maximum seconds of a whole call, however many requests it makes.
            cache_dir: Where yfinance stores time zones and its cookie, for the whole process; None: the user's cache
                folder.
            session: Sends the requests; None: the one shared by all clients of the process.
            wait_turn: Waits until the rate limit allows one more request.
        """
        self._timeout = timeout
        self._wait_turn = wait_turn
        self._cache_dir = cache_dir
        self._session = session or _shared_session()

    @contextmanager
    def asking(self, about: str) -> Iterator[Yahoo]:
        """Hold the turn while calling Yahoo.

        Args:
            about: Description for messages: `prices of AAPL`.

        Raises:
            NoData: Yahoo doesn't know the symbol or has no such data.
            RateLimited: Yahoo's rate limit.
            VendorDown: Yahoo is unreachable or slow, or its answer is unreadable.
        """
        with self._turn(about), _quiet_log(), self._session.limited(self._timeout, self._wait_turn):
            try:
                yield Yahoo(self._session, self._timeout)
            except OddAnswer as odd:
                raise _unusable(odd, about) from odd
            except (YFException, OSError, peewee.PeeweeException, *UNREADABLE) as error:
                raise self._translated(error, about) from error
            if self._session.odd is not None:
                raise _unusable(self._session.odd, about)
            if self._session.last_status is not None and self._session.last_status >= 400:
                raise self._refused(self._session.last_status, about)

    @contextmanager
    def _turn(self, about: str) -> Iterator[None]:
        if not _TURN.acquire(timeout=PATIENCE * self._timeout):
            raise VendorDown(f"Yahoo was too slow to be asked for {about}; try again later.")
        hidden = yf.config.debug.hide_exceptions
        try:
            if self._cache_dir is not None:
                _keep_caches_in(str(self._cache_dir))
            yf.config.debug.hide_exceptions = False  # otherwise a lost connection looks like a delisted symbol
            YfData.cache_get.cache_clear()  # it would cache refusals and old news for the life of the process
            yield
        finally:
            yf.config.debug.hide_exceptions = hidden
            _TURN.release()

    def _translated(self, error: Exception, about: str) -> DataError:
        status = self._session.last_status
        if self._session.odd is not None:
            return _unusable(self._session.odd, about)
        if isinstance(error, YFRateLimitError):
            return self._refused(429, about)
        if isinstance(error, peewee.PeeweeException):
            return VendorDown(f"yfinance cannot use its cache in {self._cache_dir}; free or empty that folder.")
        if isinstance(error, ServerFailed):
            return VendorDown(f"Yahoo failed ({error}) when asked for {about}; try again later.")
        if status is not None and status >= 400:
            return self._refused(status, about)
        if isinstance(error, OSError):
            return VendorDown(
                f"Yahoo could not be reached within {self._timeout:g} s for {about} ({type(error).__name__}); "
                f"check the network or try again later."
            )
        if isinstance(error, YFException) and not isinstance(error, YFDataException):
            return _nothing(about)
        return VendorDown(
            f"Yahoo's answer for {about} cannot be read ({type(error).__name__}); "
            f"try again later, or update yfinance if it lasts."
        )

    def _refused(self, status: int, about: str) -> DataError:
        if status == 429:
            return RateLimited(
                f"Yahoo limits the rate of requests and refused {about}; wait some minutes.",
                retry_after=self._session.retry_after,
            )
        if status in (401, 403, 407):
            return VendorDown(
                f"Yahoo refused {about} (HTTP {status}); try again later, or update yfinance if it lasts."
            )
        return _nothing(about)


def _calendar_page(calendars: Any, kind: str, offset: int) -> pd.DataFrame:
    try:
        if kind == "sp_earnings":
            return calendars.get_earnings_calendar(  # type: ignore[no-any-return]
                filter_most_active=False, limit=CALENDAR_PAGE, offset=offset, force=True
            )
        return calendars.get_economic_events_calendar(  # type: ignore[no-any-return]
            limit=CALENDAR_PAGE, offset=offset, force=True
        )
    except KeyError:
        page: pd.DataFrame | None = calendars.calendars.get(kind)
        if page is None or not page.empty:
            raise
        return page  # yfinance sorts by a column that a response without rows may lack


def _unusable(odd: OddAnswer, about: str) -> VendorDown:
    return VendorDown(f"Yahoo's answer for {about} cannot be used: {odd}; try again later, or choose another vendor.")


def _nothing(about: str) -> NoData:
    return NoData(f"Yahoo has no {about}; check the spelling, or choose another vendor with data_vendors.")


@cache
def _shared_session() -> YahooSession:
    """Return the process's session: yfinance has one crumb per process, valid only with its own cookies."""
    return YahooSession()


@cache
def _keep_caches_in(folder: str) -> None:
    """Set once where yfinance stores its SQLite caches; the folder set before the first request counts."""
    yf.set_tz_cache_location(folder)


@contextmanager
def _quiet_log() -> Iterator[None]:
    """Keep yfinance's log messages in this thread off the terminal, unless the program set that logger's level."""
    logger, thread = logging.getLogger("yfinance"), threading.get_ident()

    def is_shown(record: logging.LogRecord) -> bool:
        return record.thread != thread or record.levelno >= logging.CRITICAL

    if logger.level == logging.NOTSET:
        logger.addFilter(is_shown)
    try:
        yield
    finally:
        logger.removeFilter(is_shown)
