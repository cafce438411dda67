"""The finnhub-python client with our rules: key in a header, rate limit, time and size limits, typed errors.

The rules are implemented in the transport (`_Transport`), so that the library itself is unchanged; only its session,
which holds the transport, has no public name.
"""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from typing import Any, TypeVar
from urllib.parse import parse_qs, urlsplit

import finnhub
import requests
import urllib3
from finnhub.exceptions import FinnhubAPIException, FinnhubRequestException
from requests.adapters import HTTPAdapter

from tradingagents.dataflows.gateway.http import MAX_BYTES, refusal, unreachable, unreadable, wait_asked
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.responses.shapes import note_response
from tradingagents.errors import NotInPlan

KEY = "FINNHUB_API_KEY"
NAME = "finnhub"
_PREMIUM = "have access"
"""Finnhub's message for a request outside the plan: you don't have access to this resource."""
T = TypeVar("T")


class FinnhubClient(finnhub.Client):  # type: ignore[misc]  # finnhub has no types
    """finnhub-python's client. Its session is shared by threads: requests keeps a pool of connections."""

    def __init__(self, access: Access) -> None:
        """Prepare a session; sends nothing yet.

        Raises:
            VendorNotConfigured: There is no key.
        """
        key = access.key(KEY)
        super().__init__(api_key=key)
        # The library puts the key into the query, where URLs in logs and errors would show it.
        self.api_key = None
        self.API_URL = access.url
        self.DEFAULT_TIMEOUT = access.timeout
        for scheme in ("https://", "http://"):
            self._session.mount(scheme, _Transport(access, key))


class _MalformedRefusal(FinnhubAPIException):  # type: ignore[misc]  # finnhub has no types
    """A refusal whose body isn't a JSON object, which the library's own exception can't parse."""

    def __init__(self, response: requests.Response) -> None:
        Exception.__init__(self)
        self.message, self.status_code, self.response = "", response.status_code, response


class _Transport(HTTPAdapter):
    """Sends a request within the rate limit, with the key in a header, and limits time and length of the response.

    requests limits each wait for more data, not the total. Redirects are refused, so that the key isn't sent elsewhere.
    """

    def __init__(self, access: Access, key: str) -> None:
        super().__init__()
        self._access, self._key = access, key

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:  # type: ignore[override]
        self._access.wait_turn()
        latest = time.monotonic() + self._access.timeout
        request.url = (request.url or "").replace(f"{self._access.url}//", f"{self._access.url}/", 1)
        request.headers["X-Finnhub-Token"] = self._key
        response = super().send(request, **{**options, "stream": True})
        body = self._body(response, latest)
        response.raw = io.BytesIO(body)
        asked = urlsplit(request.url or "")
        note_response(asked.path, tuple(parse_qs(asked.query)), response.status_code, body)
        if response.is_redirect:
            raise FinnhubRequestException("redirected")
        try:
            found = response.json()
        except RecursionError:
            found = None
        except ValueError:
            return response
        if not response.ok and not isinstance(found, dict):
            raise _MalformedRefusal(response)
        if found is None:
            raise FinnhubRequestException("no answer")
        return response

    @staticmethod
    def _body(response: requests.Response, latest: float) -> bytes:
        body = bytearray()
        try:
            while part := response.raw.read1(decode_content=True):
                body += part
                if time.monotonic() > latest:
                    raise requests.Timeout("answer too slow", request=response.request)
                if len(body) > MAX_BYTES:
                    raise FinnhubRequestException("answer too long")
        except urllib3.exceptions.HTTPError as error:
            raise requests.ConnectionError(type(error).__name__, request=response.request) from None
        finally:
            response.raw.close()
        return bytes(body)


def asking(client: FinnhubClient, about: str, ask: Callable[[FinnhubClient], T], *, timeout: float) -> T:
    """Call the client and convert every failure to a typed error.

    Args:
        about: Description for messages: `prices of AAPL`.
        timeout: Seconds per request, for messages.

    Raises:
        NoData: Finnhub doesn't know the symbol.
        NotInPlan: The key's plan excludes the request.
        RateLimited: Finnhub's rate limit.
        VendorNotConfigured: It refuses the key.
        VendorDown: It is unreachable, slow, or its answer is unreadable.
    """
    try:
        return ask(client)
    except FinnhubAPIException as error:
        raise _refused(error, about) from None
    except (FinnhubRequestException, requests.exceptions.JSONDecodeError):
        raise unreadable(NAME, about) from None
    except requests.RequestException as error:
        raise unreachable(NAME, about, timeout, type(error).__name__) from None


def _refused(error: FinnhubAPIException, about: str) -> Exception:
    if error.status_code == 403 and _PREMIUM in str(error.message):
        return NotInPlan(f"Finnhub's plan of this key has no {about}; choose another vendor, or another plan.")
    return refusal(
        NAME,
        error.status_code,
        about=about,
        retry_after=wait_asked(error.response.headers.get("Retry-After")),
        key_variable=KEY,
    )
