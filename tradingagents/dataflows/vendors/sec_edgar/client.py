"""EDGAR's pages: who files under a ticker, what it filed, its tagged figures, its documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from tradingagents.dataflows.gateway.http import Web, nothing, unreadable
from tradingagents.dataflows.gateway.lru import Memo
from tradingagents.dataflows.gateway.single_flight import SingleFlight
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.errors import VendorNotConfigured

IDENTITY = "EDGAR_IDENTITY"
DATA_HOST = "https://data.sec.gov"
WWW_HOST = "https://www.sec.gov"
KEPT_FOR = timedelta(minutes=10)
"""Three statements, quarterly and yearly, stand in the same two pages of several megabytes."""
COMPANIES_KEPT = 8
_ADDRESS = re.compile(r"[^\s@]+@[^\s@]+\.[^\s@]+")
_TICKER = re.compile(r"[A-Z]{1,5}(-[A-Z]{1,2})?")

T = TypeVar("T")


class Edgar:
    """The pages of both hosts. Thread-safe; what was read is kept for ten minutes, and asked for once at a time."""

    def __init__(self, access: Access, now: Callable[[], datetime]) -> None:
        """Check the identity; nothing is asked yet.

        Raises:
            VendorNotConfigured: `EDGAR_IDENTITY` is not set, or has no e-mail address in it.
        """
        identity = access.key(IDENTITY)
        if not _ADDRESS.search(identity):
            raise VendorNotConfigured(
                f"{IDENTITY} must hold a name and an e-mail address: EDGAR asks who is calling; "
                f"write it like Jane Doe jane@example.com."
            )
        self._name = access.name
        self._www = WWW_HOST if access.url == DATA_HOST else access.url
        self._web = Web(access, headers={"User-Agent": identity}, key_variable=IDENTITY)
        self._now = now
        self._kept = Memo(2 * COMPANIES_KEPT)
        self._flights = SingleFlight()

    def cik_of(self, symbol: str) -> int:
        """Return the number under which the company of a ticker files.

        Raises:
            NoData: No company files under it today, or it is no ticker of a US listing.
        """
        about = f"filings of {symbol}"
        if not _TICKER.fullmatch(symbol):
            raise nothing(self._name, about)
        found = self._once("tickers", self._tickers).get(symbol)
        if found is None:
            raise nothing(self._name, about)
        return found

    def submissions(self, cik: int, read: Callable[[Any], T], *, about: str) -> T:
        """Return what a company is and filed, as `read` makes of the page."""
        path = f"submissions/CIK{cik:010d}.json"
        return self._once(path, lambda: read(self._web.get_json(path, about=about)))

    def older_submissions(self, name: str) -> Any:
        """Return a further page of a company's filings, by the name that its first page gives it."""
        return self._web.get_json(f"submissions/{name}", about=f"filings in {name}")

    def facts(self, cik: int, read: Callable[[Any], T], *, about: str) -> T:
        """Return every figure a company tagged, as `read` makes of the page.

        Raises:
            NoData: It never tagged any: funds, and companies that stopped filing before 2009.
        """
        path = f"api/xbrl/companyfacts/CIK{cik:010d}.json"
        return self._once(path, lambda: read(self._web.get_json(path, about=about)))

    def document(self, path: str) -> bytes:
        """Return a document of the archive, by its path below `Archives`."""
        return self._web.get(f"{self._www}/Archives/{path}", about=f"document {path}")

    def _tickers(self) -> Mapping[str, int]:
        about = "list of tickers"
        page = self._web.get_json(f"{self._www}/files/company_tickers.json", about=about)
        rows = page.values() if isinstance(page, dict) else ()
        found: dict[str, int] = {}
        for row in rows:
            ticker, cik = (row.get("ticker"), row.get("cik_str")) if isinstance(row, dict) else (None, None)
            if isinstance(ticker, str) and isinstance(cik, int) and 0 < cik < 10**10:
                found.setdefault(ticker.upper(), cik)
        if not found:
            raise unreadable(self._name, about)
        return found

    def _once(self, key: str, make: Callable[[], T]) -> T:
        def fresh() -> T:
            kept: tuple[datetime, T] | None = self._kept.get(key)
            if kept is not None and self._now() - kept[0] < KEPT_FOR:
                return kept[1]
            made = make()
            self._kept.put(key, (self._now(), made))
            return made

        return self._flights.once(key, fresh)
