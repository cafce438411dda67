"""HTTP for vendors: rate-limited, with time limits, and with typed errors that never contain the key."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import httpx

from tradingagents.dataflows.gateway.vendor_config import Access, trusted_certificates
from tradingagents.dataflows.responses.shapes import note_response
from tradingagents.errors import DataError, NoData, NotInPlan, RateLimited, VendorDown, VendorNotConfigured
from tradingagents.files.json_text import parse_json

MAX_REDIRECTS = 5
MAX_BYTES = 64_000_000
"""Maximum size of a response: the largest known one, a bank's company facts, has about 10 MB."""


class Web:
    """HTTP client of one vendor. Thread-safe; connections are reused.

    Keys are sent in headers or added to the query below httpx, which would otherwise log them. They are sent to the
    vendor's own site only, whatever a response or redirect says; other hosts aren't contacted.
    """

    def __init__(
        self,
        access: Access,
        *,
        headers: Mapping[str, str] | None = None,
        secret_params: Mapping[str, str] | None = None,
        key_variable: str | None = None,
        explain: Callable[[int, bytes, str], Exception | None] | None = None,
    ) -> None:
        """Prepare a client; sends nothing yet.

        Args:
            headers: Sent with every request.
            secret_params: Query parameters added to every request and never shown.
            key_variable: The variable that holds the key, for messages about a refused one.
            explain: Interprets a refusal (4xx, 5xx) of this vendor from status, body and request, if the status alone
                doesn't; None for the usual meaning.
        """
        self._access = access
        self._key_variable = key_variable
        self._explain = explain
        self._client = httpx.Client(
            headers=dict(headers or {}),
            timeout=access.timeout,
            follow_redirects=True,
            max_redirects=MAX_REDIRECTS,
            transport=_Keyed(access, dict(secret_params or {})),
        )

    def get_json(self, path: str, params: Mapping[str, Any] | None = None, *, about: str) -> Any:
        """Return the JSON that a page answers.

        Args:
            path: Below the vendor's address, or a whole address of the same site (`www.sec.gov` beside `data.sec.gov`).
            params: The query; None values are skipped.
            about: Description of the request for messages: `prices of AAPL`.

        Raises:
            NoData: 404.
            RateLimited: 429, or our own rate limit is used up.
            VendorNotConfigured: 401 or 403.
            VendorDown: Everything else that is no answer: 5xx, silence, a page that is no JSON, a body that breaks off.
        """
        return self.read_json(self.get(path, params, about=about), about=about)

    def get(self, path: str, params: Mapping[str, Any] | None = None, *, about: str) -> bytes:
        """Return the response body. Raises as `get_json` does."""
        return self._send("GET", path, about=about, params=params)

    def post_json(self, path: str, body: Any, *, about: str, headers: Mapping[str, str] | None = None) -> Any:
        """Return the JSON response to a JSON body. Raises as `get_json` does."""
        return self.read_json(self._send("POST", path, about=about, json=body, headers=headers), about=about)

    def post_form(self, path: str, fields: Mapping[str, str], *, about: str) -> Any:
        """Return the JSON response to a form. Raises as `get_json` does."""
        return self.read_json(self._send("POST", path, about=about, data=dict(fields)), about=about)

    def read_json(self, body: bytes, *, about: str) -> Any:
        """Parse a body as JSON.

        Raises:
            VendorDown: It isn't JSON.
        """
        try:
            return parse_json(body)
        except ValueError:
            raise unreadable(self._access.name, about) from None

    def _send(self, method: str, path: str, *, about: str, **options: Any) -> bytes:
        name = self._access.name
        if params := options.get("params"):
            options["params"] = {key: value for key, value in params.items() if value is not None}
        url = path if "://" in path else f"{self._access.url}/{path.lstrip('/')}"
        try:
            with self._client.stream(method, url, **options) as response:
                if response.status_code >= 400:
                    raise self._refused(response, about)
                return self._heard(response, about)
        except AnotherHost:
            raise VendorDown(
                f"{name} sends the request for {about} to another host, which is not asked since it is not {name}'s; "
                f"try again later."
            ) from None
        except httpx.TransportError as error:
            # The cause would show the request, and for some vendors the key.
            raise unreachable(name, about, self._access.timeout, type(error).__name__) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise VendorDown(
                f"{name} sends the request for {about} astray ({type(error).__name__}); try again later."
            ) from None

    def _heard(self, response: httpx.Response, about: str) -> bytes:
        body = self._body(response, about)
        url = response.request.url
        note_response(url.path, tuple(url.params), response.status_code, body)
        return body

    def _refused(self, response: httpx.Response, about: str) -> Exception:
        body = self._heard(response, about)
        meant = self._explain(response.status_code, body, about) if self._explain else None
        return meant or refusal(
            self._access.name,
            response.status_code,
            about=about,
            retry_after=wait_asked(response.headers.get("Retry-After")),
            key_variable=self._key_variable,
        )

    def _body(self, response: httpx.Response, about: str) -> bytes:
        # httpx limits each wait for more data; this limits the total time.
        parts, size, latest = [], 0, time.monotonic() + self._access.timeout
        for part in response.iter_bytes():
            size += len(part)
            if time.monotonic() > latest:
                raise unreachable(self._access.name, about, self._access.timeout, "answer too slow")
            if size > MAX_BYTES:
                raise VendorDown(f"{self._access.name}'s answer for {about} is too long to be one; try again later.")
            parts.append(part)
        return b"".join(parts)


class AnotherHost(httpx.RequestError):
    """A URL outside the vendor's site: it isn't requested, since it would receive the key."""


class _Keyed(httpx.HTTPTransport):
    """Sends each request, redirects included, within the rate limit, with the key, and to the vendor's site only."""

    def __init__(self, access: Access, params: Mapping[str, str]) -> None:
        super().__init__(verify=trusted_certificates(), proxy=_proxy_of(access))
        self._access = access
        self._params = params
        self._home = httpx.URL(access.url)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if not _same_site(request.url, self._home):
            raise AnotherHost("not asked", request=request)
        self._access.wait_turn()
        if not self._params:
            return super().handle_request(request)
        keyed = httpx.Request(
            request.method,
            request.url.copy_merge_params(self._params),
            headers=request.headers,
            stream=request.stream,
            extensions=request.extensions,
        )
        return super().handle_request(keyed)


def _same_site(url: httpx.URL, home: httpx.URL) -> bool:
    return (url.scheme, url.port, _site(url.host)) == (home.scheme, home.port, _site(home.host))


def _site(host: str) -> str:
    """Return the registered domain of a host: sec.gov for www.sec.gov; an IP address unchanged."""
    labels = host.lower().split(".")
    if ":" in host or labels[-1].isdecimal():
        return host
    second_level = len(labels) > 2 and len(labels[-1]) == 2 and len(labels[-2]) <= 3  # co.uk, com.au
    return ".".join(labels[-3 if second_level else -2 :])


def _proxy_of(access: Access) -> str | None:
    """Return the environment's proxy for the vendor: httpx reads it for its own transports only."""
    parts, proxies = urlsplit(access.url), getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy or proxy_bypass(parts.hostname or ""):
        return None
    if not proxy.startswith(("http://", "https://")):
        raise VendorNotConfigured(
            f"{access.name} cannot be reached through a proxy of this kind ({proxy.partition(':')[0]}); name one of "
            f"http:// or https:// in HTTPS_PROXY, or except its host in NO_PROXY."
        )
    return proxy


def refusal(
    vendor: str, status: int, *, about: str, retry_after: float | None = None, key_variable: str | None = None
) -> Exception:
    """Return the error for an HTTP status of 4xx or 5xx."""
    if status == 429:
        return RateLimited(
            f"{vendor} limits the rate of requests and refused {about}; try again later.", retry_after=retry_after
        )
    if status == 402 and key_variable is not None:
        return NotInPlan(
            f"The plan of {key_variable} does not include {about} at {vendor} (HTTP 402); choose another vendor."
        )
    if status in (401, 403, 407):
        if key_variable is None:
            return VendorDown(f"{vendor} refused {about} (HTTP {status}); try again later, or choose another vendor.")
        return VendorNotConfigured(
            f"{vendor} refused {about} (HTTP {status}); check the value of {key_variable} and what its plan includes."
        )
    if status in (400, 404, 410, 422):
        return nothing(vendor, about)
    return VendorDown(f"{vendor} failed (HTTP {status}) when asked for {about}; try again later.")


def nothing(vendor: str, about: str) -> NoData:
    """Return the error for a response that reports no data."""
    return NoData(f"{vendor} has no {about}; check the spelling and the dates, or choose another vendor.")


def unreachable(vendor: str, about: str, timeout: float, how: str) -> DataError:
    """Return the error for a request without a response."""
    return VendorDown(
        f"{vendor} could not be reached within {timeout:g} s for {about} ({how}); check the network or try again later."
    )


def unreadable(vendor: str, about: str) -> DataError:
    """Return the error for a response of an unexpected shape."""
    return VendorDown(f"{vendor}'s answer for {about} cannot be read; try again later, or update tradingagents.")


def wait_asked(header: str | None) -> float | None:
    """Return the seconds of a `Retry-After` header, given as seconds or as a date; None if it is neither."""
    if not header:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
