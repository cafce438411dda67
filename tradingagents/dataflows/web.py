"""HTTP for vendors: one request in its turn, bounded in time, and every failure one of our errors, without the key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from tradingagents.dataflows.access import Access
from tradingagents.errors import DataError, NoData, RateLimited, VendorDown, VendorNotConfigured

MOST_BYTES = 64_000_000
"""A longer answer is given up: the largest we know of, a bank's company facts, has some 10 MB."""


class Web:
    """A vendor's pages. Thread-safe; connections are kept.

    Keys travel in headers or are added to the query below httpx, which would otherwise write them into its log.
    """

    def __init__(
        self,
        access: Access,
        *,
        headers: Mapping[str, str] | None = None,
        secret_params: Mapping[str, str] | None = None,
        key_variable: str | None = None,
    ) -> None:
        """Prepare a client; nothing is asked yet.

        Args:
            access: The way to the vendor.
            headers: Sent with every request.
            secret_params: Query parameters added to every request and shown nowhere.
            key_variable: The variable that holds the key, for messages about a refused one.
        """
        self._access = access
        self._key_variable = key_variable
        self._client = httpx.Client(
            headers=dict(headers or {}),
            timeout=access.timeout,
            follow_redirects=True,
            transport=_Keyed(dict(secret_params or {})),
        )

    def get_json(self, path: str, params: Mapping[str, Any] | None = None, *, about: str) -> Any:
        """Return the JSON that a page answers.

        Args:
            path: Below the vendor's address, or a whole address.
            params: The query; None values are left out.
            about: What is asked for, for messages: `prices of AAPL`.

        Raises:
            NoData: 404.
            RateLimited: 429, or our own count is used up.
            VendorNotConfigured: 401 or 403.
            VendorDown: Everything else that is no answer: 5xx, silence, a page that is no JSON, a body that breaks off.
        """
        return self.read_json(self.get(path, params, about=about), about=about)

    def get(self, path: str, params: Mapping[str, Any] | None = None, *, about: str) -> bytes:
        """Return the body that a page answers. Raises as `get_json` does."""
        return self._send("GET", path, about=about, params=params)

    def post_json(self, path: str, body: Any, *, about: str, headers: Mapping[str, str] | None = None) -> Any:
        """Return the JSON answered to a body of JSON. Raises as `get_json` does."""
        return self.read_json(self._send("POST", path, about=about, json=body, headers=headers), about=about)

    def read_json(self, body: bytes, *, about: str) -> Any:
        """Read a body as JSON.

        Raises:
            VendorDown: It is none.
        """
        try:
            return json.loads(body)
        except ValueError:
            raise unreadable(self._access.name, about) from None

    def _send(self, method: str, path: str, *, about: str, **options: Any) -> bytes:
        name = self._access.name
        if params := options.get("params"):
            options["params"] = {key: value for key, value in params.items() if value is not None}
        url = path if "://" in path else f"{self._access.url}/{path.lstrip('/')}"
        self._access.wait_turn()
        try:
            with self._client.stream(method, url, **options) as response:
                if response.status_code >= 400:
                    raise refusal(
                        name,
                        response.status_code,
                        about=about,
                        retry_after=wait_asked(response.headers.get("Retry-After")),
                        key_variable=self._key_variable,
                    )
                return self._body(response, about)
        except httpx.TransportError as error:
            # The cause would show the request, and with it, for some vendors, the key.
            raise unreachable(name, about, self._access.timeout, type(error).__name__) from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise VendorDown(
                f"{name} sends the request for {about} astray ({type(error).__name__}); try again later."
            ) from None

    def _body(self, response: httpx.Response, about: str) -> bytes:
        parts, size = [], 0
        for part in response.iter_bytes():
            size += len(part)
            if size > MOST_BYTES:
                raise VendorDown(f"{self._access.name}'s answer for {about} is too long to be one; try again later.")
            parts.append(part)
        return b"".join(parts)


class _Keyed(httpx.HTTPTransport):
    def __init__(self, params: Mapping[str, str]) -> None:
        super().__init__()
        self._params = params

    def handle_request(self, request: httpx.Request) -> httpx.Response:
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


def refusal(
    vendor: str, status: int, *, about: str, retry_after: float | None = None, key_variable: str | None = None
) -> Exception:
    """Return the error that an HTTP status of 4xx or 5xx stands for."""
    if status == 429:
        return RateLimited(
            f"{vendor} limits the rate of requests and refused {about}; try again later.", retry_after=retry_after
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
    """Return the error for an answer that there is none."""
    return NoData(f"{vendor} has no {about}; check the spelling and the dates, or choose another vendor.")


def unreachable(vendor: str, about: str, timeout: float, how: str) -> DataError:
    """Return the error for a request that got no answer."""
    return VendorDown(
        f"{vendor} could not be reached within {timeout:g} s for {about} ({how}); check the network or try again later."
    )


def unreadable(vendor: str, about: str) -> DataError:
    """Return the error for an answer in another shape than agreed."""
    return VendorDown(f"{vendor}'s answer for {about} cannot be read; try again later, or update tradingagents.")


def wait_asked(header: str | None) -> float | None:
    """Return the seconds a `Retry-After` asks to wait: written as seconds or as a date; None for neither."""
    if not header:
        return None
    if header.strip().isdecimal():
        return float(header)
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None
