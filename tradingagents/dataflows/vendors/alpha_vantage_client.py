"""The alpha_vantage library, held to our rules: each request in its turn and bounded in time, every failure our error.

Alpha Vantage refuses with status 200 and a sentence. The sentence decides what is raised; it is never shown, for it may
repeat the key.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

import requests
from alpha_vantage.alphaintelligence import AlphaIntelligence
from alpha_vantage.alphavantage import AlphaVantage
from alpha_vantage.fundamentaldata import FundamentalData
from alpha_vantage.timeseries import TimeSeries

from tradingagents.dataflows.access import Access
from tradingagents.dataflows.web import nothing, refusal, unreachable, unreadable, wait_asked
from tradingagents.errors import NotInPlan, RateLimited, VendorDown, VendorNotConfigured

NAME = "alpha_vantage"
KEY = "ALPHA_VANTAGE_API_KEY"
_PLACEHOLDER = "in-the-session"
"""What the library takes for the key; the key itself is added where the request is sent."""
_SENTENCES = ("Note", "Information", "Error Message")
_RATE = re.compile(r"rate limit|call frequency|requests? per (?:second|minute|day)|calls per (?:second|minute|day)")
_KEY = re.compile(r"api ?key")
NO_ARTICLES = "no articles found"
"""How a quiet time is told: no refusal, but an answer without articles."""
_WAITS = (("per second", 2.0), ("per minute", 60.0))
"""How long a rate lasts; one of a day is no use waiting for."""
T = TypeVar("T")


class AlphaVantageClient(TimeSeries, FundamentalData, AlphaIntelligence):  # type: ignore[misc]  # they have no types
    """The library's calls, sent by a session of ours. Safe to use from several threads."""

    def __init__(self, access: Access) -> None:
        """Prepare a session; nothing is asked yet.

        Args:
            access: The way to the vendor.

        Raises:
            VendorNotConfigured: There is no key.
        """
        self._secret = access.key(KEY)
        AlphaVantage.__init__(self, key=_PLACEHOLDER, output_format="json")
        self._append_type = False
        self._access = access
        self._session = requests.Session()

    def ask(self, about: str, ask: Callable[[AlphaVantageClient], T]) -> T:
        """Ask something by one of the library's methods.

        Args:
            about: What is asked, for messages: `prices of AAPL`.
            ask: The call.

        Raises:
            NoData: Alpha Vantage does not know the symbol.
            NotInPlan: The question wants a premium plan.
            RateLimited: It refuses for now.
            VendorNotConfigured: It refuses the key.
            VendorDown: It is unreachable, slow, or answers something unreadable.
        """
        try:
            return ask(self)
        except Refused as refused:
            raise refused.explained(about) from None
        except (LookupError, TypeError, ValueError, AttributeError):
            raise unreadable(NAME, about) from None

    def raw(self, function: str, **params: str) -> Any:
        """Return what a function of the API answers, whole.

        For functions that the library has no method for, and for lists: those it turns into frames whose columns are
        the fields of the first row, so that a row with other fields is read under wrong names.
        """
        return self._handle_api_call(f"{self._ALPHA_VANTAGE_API_URL}{urlencode({'function': function, **params})}")

    def text(self, function: str, **params: str) -> str:
        """Return what a function of the API answers in CSV."""
        body = self._send(urlencode({"function": function, **params}))
        if body.lstrip().startswith(b"{"):
            self._read(body)
            raise Refused(lambda about: unreadable(NAME, about))
        return body.decode("utf-8", errors="replace")

    def _handle_api_call(self, url: str) -> Any:
        """Send what the library would send by itself, without a time limit and with the key in the address."""
        return self._read(self._send(url.partition("?")[2].replace(f"&apikey={_PLACEHOLDER}", "")))

    def _send(self, query: str) -> bytes:
        self._access.wait_turn()
        timeout = self._access.timeout
        try:
            response = self._session.get(
                f"{self._access.url}/query?{query}",
                params={"apikey": self._secret},
                timeout=timeout,
                allow_redirects=False,
            )
        except requests.RequestException as error:
            how = type(error).__name__
            raise Refused(lambda about: unreachable(NAME, about, timeout, how)) from None
        if response.status_code >= 300:
            status, wait = response.status_code, wait_asked(response.headers.get("Retry-After"))
            raise Refused(lambda about: refusal(NAME, status, about=about, retry_after=wait, key_variable=KEY))
        return response.content

    def _read(self, body: bytes) -> Any:
        try:
            answer = json.loads(body)
        except ValueError:
            raise Refused(lambda about: unreadable(NAME, about)) from None
        if not isinstance(answer, dict):
            raise Refused(lambda about: unreadable(NAME, about))
        if sentence := _sentence(answer):
            raise Refused(lambda about: _meaning(sentence, about))
        return answer


class Refused(Exception):
    """A request without an answer; what it is about is known one level up."""

    def __init__(self, explained: Callable[[str], Exception]) -> None:
        super().__init__()
        self.explained = explained


def _sentence(answer: Mapping[str, Any]) -> str | None:
    """Return what the answer says instead of data; None where it has data."""
    if len(answer) > 2:
        return None
    said = next((answer[name] for name in _SENTENCES if isinstance(answer.get(name), str)), None)
    return None if said and NO_ARTICLES in said.lower() else said


def _meaning(sentence: str, about: str) -> Exception:
    said = sentence.lower()
    if _RATE.search(said):
        wait = next((seconds for words, seconds in _WAITS if words in said and "per day" not in said), None)
        return RateLimited(
            f"Alpha Vantage limits the rate of requests and refused {about}; wait, or raise the plan of the key.",
            retry_after=wait,
        )
    if "premium" in said:
        return NotInPlan(f"Alpha Vantage has {about} for premium plans only; choose another vendor or another plan.")
    if _KEY.search(said):
        return VendorNotConfigured(f"Alpha Vantage refused the key when asked for {about}; check the value of {KEY}.")
    if any(words in said for words in ("invalid api call", "invalid inputs", "symbol")):
        return nothing(NAME, about)
    return VendorDown(f"Alpha Vantage answered {about} with a sentence instead of data; try again later.")
