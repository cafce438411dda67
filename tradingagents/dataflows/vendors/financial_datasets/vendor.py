"""Financial Datasets: statements, profiles, insider trades and the newest headlines. Requires a paid key.

https://docs.financialdatasets.ai
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, ClassVar, TypeVar
from urllib.parse import parse_qsl, urlsplit

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.http import Web, nothing, unreadable
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import Frequency, InsiderTransaction, NewsItem, Profile, Statement, StatementKind
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.financial_datasets import parse as rows
from tradingagents.errors import NotInPlan

KEY = "FINANCIAL_DATASETS_API_KEY"
PAGES: Mapping[str, tuple[str, str]] = {
    "income": ("financials/income-statements", "income_statements"),
    "balance": ("financials/balance-sheets", "balance_sheets"),
    "cashflow": ("financials/cash-flow-statements", "cash_flow_statements"),
    "insiders": ("insider-trades", "insider_trades"),
    "news": ("news", "news"),
    "profile": ("company/facts", "company_facts"),
}
"""The path of each method, and the field of its answer."""
PERIODS: Mapping[Frequency, int] = {"annual": 10, "quarterly": 40}
"""Statements per request. Ten fit in a request, and each request costs money."""
TRADES = 100
ARTICLES = 10
"""Maximum number available."""
MAX_PAGES = 10
T = TypeVar("T")
_US_STOCK = re.compile(r"([A-Z]{1,5})(?:-([A-Z]{1,2}))?")


class FinancialDatasetsVendor(Vendor):
    """US-listed companies. Statements as last filed: the first version of a restated period isn't available."""

    name: ClassVar[str] = "financial_datasets"
    live_only: ClassVar[frozenset[str]] = frozenset({"get_news"})
    """News can't be requested by date: only the ten newest articles are available."""
    unconfirmed: ClassVar[Mapping[str, str]] = {"get_news": "number and times of these articles"}

    def __init__(self, access: Access, *, now: Callable[[], datetime] = utc_now) -> None:  # noqa: ARG002 - as all are made
        """Set up; sends nothing yet.

        Args:
            now: The clock; unused.

        Raises:
            VendorNotConfigured: `FINANCIAL_DATASETS_API_KEY` isn't set.
        """
        headers = {"X-API-KEY": access.key(KEY)}
        self._web = Web(access, headers=headers, key_variable=KEY, explain=_explained)

    def get_profile(self, symbol: str) -> Profile:
        """Return the symbol's profile.

        Raises:
            NoData: It isn't a known US listing.
        """
        about = f"profile of {symbol}"
        path, name = PAGES["profile"]
        answer = self._web.get_json(path, {"ticker": self._ticker(symbol, about)}, about=about)
        profile = rows.profile_of(symbol, answer.get(name)) if isinstance(answer, dict) else None
        if profile is None:
            raise unreadable(self.name, about)
        return profile

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        """Return the last ten years of statements of one kind and frequency, newest period first.

        Raises:
            NoData: The source has none.
        """
        about = f"{freq} {kind} statements of {symbol}"
        given = self._list(kind, symbol, PERIODS[freq], about, period=freq)
        if not given:
            raise nothing(self.name, about)
        return self._usable(rows.statements_of(symbol, kind, freq, given), given, about)

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return the last hundred reported trades, newest first; () for none."""
        about = f"insider trades of {symbol}"
        given = self._list("insiders", symbol, TRADES, about)
        return self._usable(rows.insiders_of(symbol, given), given, about)

    def get_news(self, symbol: str, start: datetime, end: datetime) -> tuple[NewsItem, ...]:
        """Return the articles among the ten newest that were published in [start, end] (UTC), newest first."""
        about = f"news of {symbol}"
        given = self._list("news", symbol, ARTICLES, about)
        found = self._usable(rows.news_of(symbol, given), given, about)
        return tuple(item for item in found if start <= item.published_at <= end)

    def _list(self, page: str, symbol: str, limit: int, about: str, **more: str) -> list[Any]:
        """Return the rows of a page and of the following ones, at most `limit`."""
        path, name = PAGES[page]
        asked: dict[str, Any] = {"ticker": self._ticker(symbol, about), "limit": limit, **more}
        found: list[Any] = []
        for _ in range(MAX_PAGES):
            answer = self._web.get_json(path, asked, about=about)
            given = answer.get(name) if isinstance(answer, dict) else None
            if not isinstance(given, list):
                raise unreadable(self.name, about)
            found += given
            following = _query_of(answer.get("next_page_url"))
            if not given or len(found) >= limit or following in ({}, asked):
                break
            asked = following
        return found[:limit]

    def _usable(self, found: tuple[T, ...], given: list[Any], about: str) -> tuple[T, ...]:
        if given and not found:
            raise unreadable(self.name, about)
        return found

    def _ticker(self, symbol: str, about: str) -> str:
        """Return the source's spelling: BRK.B for BRK-B.

        Raises:
            NoData: It isn't a US listing.
        """
        share = _US_STOCK.fullmatch(symbol)
        if share is None:
            raise nothing(self.name, about)
        return f"{share[1]}.{share[2]}" if share[2] else share[1]


def _query_of(url: Any) -> dict[str, Any]:
    """Return the query of the next page's URL; {} for none. Its host is ignored, since it would receive the key."""
    if not isinstance(url, str):
        return {}
    try:
        return dict(parse_qsl(urlsplit(url).query))
    except ValueError:
        return {}


def _explained(status: int, body: bytes, about: str) -> Exception | None:  # noqa: ARG001 - the status says it all
    """Return the error for status 402: each request costs money, and few companies are free."""
    if status == 402:
        return NotInPlan(
            f"financial_datasets wants payment for {about} (HTTP 402); add credit at https://financialdatasets.ai, "
            f"or choose another vendor."
        )
    return None
