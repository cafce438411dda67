"""EDGAR's pages: company numbers by ticker, filings, tagged figures, documents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, TypeVar

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.gateway.http import Web, nothing, unreadable
from tradingagents.dataflows.gateway.vendor_call import SingleFlight
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.responses.lost_rows import Lost, note_again, noting_lost_rows
from tradingagents.errors import VendorNotConfigured

IDENTITY = "EDGAR_IDENTITY"
DATA_HOST = "https://data.sec.gov"
WWW_HOST = "https://www.sec.gov"
KEPT_FOR = timedelta(minutes=5)
"""Three statements, quarterly and yearly, come from the same two pages of several megabytes."""
COMPANIES_KEPT = 8
_ADDRESS = re.compile(r"[^\s@]@[^\s@.]{1,200}\.[^\s@]")
_TICKER = re.compile(r"[A-Z]{1,5}(-[A-Z]{1,2})?")

T = TypeVar("T")


class Edgar:
    """Client for both hosts. Thread-safe; pages are cached for five minutes, and requested once at a time."""

    def __init__(self, access: Access, now: Callable[[], datetime]) -> None:
        """Check the identity; sends nothing yet.

        Raises:
            VendorNotConfigured: `EDGAR_IDENTITY` isn't set, or contains no e-mail address.
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
        """Return the company number (CIK) of a ticker.

        Raises:
            NoData: No company files under it today, or it isn't the ticker of a US listing.
        """
        about = f"filings of {symbol}"
        if not _TICKER.fullmatch(symbol):
            raise nothing(self._name, about)
        found = self._once("tickers", self._tickers).get(symbol)
        if found is None:
            raise nothing(self._name, about)
        return found

    def submissions(self, cik: int, read: Callable[[Any], T], *, about: str) -> T:
        """Return a company's index of filings, as parsed by `read`."""
        path = f"submissions/CIK{cik:010d}.json"
        return self._once(path, lambda: read(self._web.get_json(path, about=about)))

    def older_submissions(self, name: str) -> Any:
        """Return a further page of a company's filings, by its name on the first page."""
        return self._web.get_json(f"submissions/{name}", about=f"filings in {name}")

    def facts(self, cik: int, read: Callable[[Any], T], *, about: str) -> T:
        """Return all figures a company tagged, as parsed by `read`.

        Raises:
            NoData: It never tagged any: funds, and companies that stopped filing before 2009.
        """
        path = f"api/xbrl/companyfacts/CIK{cik:010d}.json"
        return self._once(path, lambda: read(self._web.get_json(path, about=about)))

    def document(self, path: str) -> bytes:
        """Return a document of the archive, by its path below `Archives`."""
        return self._web.get(f"{self._www}/Archives/{path}", about=f"document {path}")

    @staticmethod
    def public_url(path: str) -> str:
        """Return the public address of a document, whichever host was used."""
        return f"{WWW_HOST}/Archives/{path}"

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
            kept: tuple[datetime, T, Lost] | None = self._kept.get(key)
            if kept is None or self._now() - kept[0] >= KEPT_FOR:
                with noting_lost_rows() as noted:
                    made = make()
                kept = self._now(), made, noted
                self._kept.put(key, kept)
            note_again(kept[2])
            return kept[1]

        return self._flights.once(key, fresh)
