"""`Access`: how one remote vendor is reached: address, key, time limit and rate limit; and the certificates for TLS."""

from __future__ import annotations

import hashlib
import logging
import os
import ssl
from collections.abc import Mapping
from functools import cached_property, lru_cache
from urllib.parse import quote, quote_plus

import httpx

from tradingagents.dataflows.gateway.limits import RateLimiter, parse_rates
from tradingagents.errors import VendorNotConfigured
from tradingagents.settings import Settings


def trusted_certificates() -> ssl.SSLContext:
    """Return the TLS context that all HTTP clients share.

    It follows SSL_CERT_FILE and SSL_CERT_DIR as httpx does, and is made anew when one of them changes.
    """
    return _read(os.environ.get("SSL_CERT_FILE", ""), os.environ.get("SSL_CERT_DIR", ""))


@lru_cache(maxsize=1)
def _read(_file: str, _folder: str) -> ssl.SSLContext:
    return httpx.create_ssl_context()


_LOGS_ADDRESSES = ("urllib3.connectionpool", "httpx", "httpcore.http11", "httpcore.http2", "httpcore.proxy")
"""Loggers that write whole URLs, which contain the key for some vendors, or repeat it in a redirect."""


class Access:
    """A vendor's configuration. Keys are read from the environment and never shown."""

    def __init__(
        self,
        name: str,
        *,
        settings: Settings,
        environ: Mapping[str, str],
        url: str = "",
        variables: tuple[str, ...] = (),
        rates: str = "",
        limiter: RateLimiter | None = None,
        sign_up: str = "",
    ) -> None:
        """Prepare the configuration; sends nothing yet.

        Args:
            name: The vendor.
            settings: Time limit, and overrides for `url` and `rates`.
            environ: Source of keys.
            url: Base address, without a trailing slash.
            variables: Names of the variables that hold its keys; requests are counted per value of them.
            rates: Rate limits such as `5/second, 500/day`; empty: no limit.
            limiter: The rate limiter; None: no limit.
            sign_up: Where to get a key, for messages.
        """
        self.name = name
        self.settings = settings
        self.timeout = settings.vendor_timeout
        self.url = settings.vendor_urls.get(name, url).rstrip("/")
        self._environ = environ
        self._variables = variables
        self._rates = parse_rates(settings.vendor_rates.get(name, rates))
        self._limiter = limiter
        self._sign_up = sign_up

    def key(self, variable: str) -> str:
        """Return the value of a variable.

        Raises:
            VendorNotConfigured: It isn't set; names it and says where to get a key.
        """
        value = self.optional_key(variable)
        if value is None:
            where = f"; get a key at {self._sign_up}" if self._sign_up else ""
            raise VendorNotConfigured(f"{self.name} needs {variable}: set it in the environment or in .env{where}.")
        return value

    def optional_key(self, variable: str) -> str | None:
        """Return the value of a variable; None if it isn't set.

        Raises:
            VendorNotConfigured: It can't be sent in a header or a URL.
        """
        value = self._environ.get(variable, "").strip() or None
        if value is None:
            return None
        if not (value.isascii() and value.isprintable()):
            raise VendorNotConfigured(
                f"{variable} holds a line break, or a character that isn't ASCII; copy its value for {self.name} again."
            )
        for name in _LOGS_ADDRESSES:
            logging.getLogger(name).addFilter(_Hides(value))
        return value

    def wait_turn(self) -> None:
        """Wait until the rate limits allow one more request; call it before each.

        Raises:
            RateLimited: The wait would be too long.
        """
        if self._limiter is not None:
            self._limiter.wait(self._bucket, self._rates, patience=self.timeout)

    @cached_property
    def _bucket(self) -> str:
        held = "\n".join(self._environ.get(variable, "") for variable in self._variables)
        return f"{self.name}:{hashlib.sha256(held.encode()).hexdigest()[:16]}"

    def __repr__(self) -> str:
        return f"Access({self.name!r}, url={self.url!r})"


class _Hides(logging.Filter):
    """Removes a key from log records of libraries."""

    def __init__(self, secret: str) -> None:
        super().__init__()
        self._secrets = frozenset((secret, quote(secret, safe=""), quote(secret), quote_plus(secret)))

    def filter(self, record: logging.LogRecord) -> bool:
        message = shown = record.getMessage()
        for secret in self._secrets:
            shown = shown.replace(secret, "***")
        if shown != message:
            record.msg, record.args = shown, ()
        return True

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Hides) and other._secrets == self._secrets

    def __hash__(self) -> int:
        return hash(self._secrets)
