"""The alpha_vantage library with requests sent through `Web` and refusals converted to typed errors.

Alpha Vantage refuses with status 200 and a sentence. The sentence selects the error; it is never shown, since it may
repeat the key.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from alpha_vantage.alphavantage import AlphaVantage
from alpha_vantage.fundamentaldata import FundamentalData
from alpha_vantage.timeseries import TimeSeries

from tradingagents.dataflows.gateway.http import Web, nothing, unreadable
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.vendors.alpha_vantage.fields import NAME
from tradingagents.errors import NotInPlan, RateLimited, VendorDown, VendorNotConfigured

KEY = "ALPHA_VANTAGE_API_KEY"
NO_ARTICLES = "no articles found"
"""The message of an answer without articles, which isn't a refusal."""
_PLACEHOLDER = "added-by-web"
"""Placeholder key for the library, which would put the real one into its URLs."""
_SENTENCES = ("Note", "Information", "Error Message")
_PREMIUM = re.compile(r"is a premium (?:endpoint|feature)")
_RATE = re.compile(r"rate limit|call frequency|(?:requests?|calls?) per (?:second|minute|day)")
_FIRST_RATE = re.compile(r"per (second|minute|day)")
"""The exceeded rate is named first; the sentence about bursts also advertises more requests per day."""
_WAITS = {"second": 2.0, "minute": 60.0}
"""Seconds until a rate limit is free again; waiting for a daily one is useless."""
_KEY = re.compile(r"api ?key")
_UNKNOWN = re.compile(r"invalid api call|invalid inputs|symbol")


def connect(access: Access) -> Web:
    """Create the HTTP client for Alpha Vantage, which expects its key in the query.

    Raises:
        VendorNotConfigured: There is no key.
    """
    return Web(access, secret_params={"apikey": access.key(KEY)}, key_variable=KEY)


class AlphaVantageClient(TimeSeries, FundamentalData):  # type: ignore[misc]  # they have no types
    """The library's calls, and the API's functions, for one request.

    All raise NoData (an unknown symbol), NotInPlan (a premium function), RateLimited, VendorNotConfigured (a refused
    key) and VendorDown.
    """

    def __init__(self, web: Web, about: str) -> None:
        """Prepare a request; sends nothing yet.

        Args:
            web: The HTTP client.
            about: Description for messages: `prices of AAPL`.
        """
        AlphaVantage.__init__(self, key=_PLACEHOLDER, output_format="json")
        self._append_type = False
        self._web = web
        self._about = about

    def bars(self, symbol: str, *, full: bool) -> Any:
        """Return daily bars by day, as traded: the full history, or the last hundred."""
        return self._data(lambda: self.get_daily(symbol, outputsize="full" if full else "compact"))

    def overview(self, symbol: str) -> Any:
        """Return today's company overview; an empty object for an unknown symbol."""
        return self._data(lambda: self.get_company_overview(symbol))

    def raw(self, function: str, **params: str) -> Any:
        """Return the whole JSON answer of an API function.

        For functions without a library method, and for lists: the library converts those to frames with the fields of
        the first row as columns, so that rows with other fields get wrong names.
        """
        return self._read(self._send({"function": function, **params}))

    def text(self, function: str, **params: str) -> str:
        """Return the CSV answer of an API function."""
        body = self._send({"function": function, **params})
        if body.lstrip().startswith(b"{"):
            self._read(body)
            raise unreadable(NAME, self._about)
        return body.decode("utf-8", errors="replace")

    def _data(self, ask: Callable[[], tuple[Any, Any]]) -> Any:
        try:
            data, _ = ask()
        except (LookupError, TypeError, ValueError):
            raise unreadable(NAME, self._about) from None
        return data

    def _handle_api_call(self, url: str) -> Any:
        """Replaces the library's own request, which has no time limit and the key in the URL."""
        query = dict(parse_qsl(urlsplit(url).query))
        del query["apikey"]
        return self._read(self._send(query))

    def _send(self, query: Mapping[str, str]) -> bytes:
        return self._web.get("query", query, about=self._about)

    def _read(self, body: bytes) -> Any:
        answer = self._web.read_json(body, about=self._about)
        if not isinstance(answer, dict):
            raise unreadable(NAME, self._about)
        if sentence := _sentence(answer):
            raise _meaning(sentence.lower(), self._about)
        return answer


def _sentence(answer: Mapping[str, Any]) -> str | None:
    """Return the message in an answer without data; None if it has data."""
    if len(answer) > 2:
        return None
    said = next((answer[name] for name in _SENTENCES if isinstance(answer.get(name), str)), None)
    return None if said and NO_ARTICLES in said.lower() else said


def _meaning(said: str, about: str) -> Exception:
    """Return the error for a message in lower case."""
    premium = NotInPlan(f"Alpha Vantage has {about} for premium plans only; choose another vendor or another plan.")
    if _PREMIUM.search(said):
        return premium
    if _RATE.search(said):
        rate = _FIRST_RATE.search(said)
        return RateLimited(
            f"Alpha Vantage limits the rate of requests and refused {about}; wait, or raise the plan of the key.",
            retry_after=_WAITS.get(rate[1]) if rate else None,
        )
    if "premium" in said:
        return premium
    if _KEY.search(said):
        return VendorNotConfigured(f"Alpha Vantage refused the key when asked for {about}; check the value of {KEY}.")
    if _UNKNOWN.search(said):
        return nothing(NAME, about)
    return VendorDown(f"Alpha Vantage answered {about} with a sentence instead of data; try again later.")
