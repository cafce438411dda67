"""`Access`: how one remote vendor is reached: its address, its key, its time limit and its turn."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Mapping
from functools import cached_property
from urllib.parse import quote, quote_plus

from tradingagents.dataflows.gateway.limits import RateLimiter, parse_rates
from tradingagents.errors import VendorNotConfigured
from tradingagents.settings import Settings

_LOGS_ADDRESSES = ("urllib3.connectionpool", "httpx", "httpcore.http11", "httpcore.http2", "httpcore.proxy")
"""Loggers that write whole addresses, in which some vendors want their key, or repeat it in a redirect."""


class Access:
    """What a vendor is made with. Keys are read from the environment and never shown."""

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
        """Prepare the way to a vendor; nothing is asked yet.

        Args:
            name: The vendor.
            settings: Time limit, and what stands in for `url` and `rates`.
            environ: Where keys are read.
            url: Base address, without a slash at the end.
            variables: Names of the variables that hold its keys; its count of requests is per value of them.
            rates: How often it may be asked, `5/second, 500/day`; empty: no limit.
            limiter: Keeps the count; None keeps none.
            sign_up: Where a key is had, for messages.
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
            VendorNotConfigured: It is not set; names it and says where a key is had.
        """
        value = self.optional_key(variable)
        if value is None:
            where = f"; a key is had at {self._sign_up}" if self._sign_up else ""
            raise VendorNotConfigured(f"{self.name} needs {variable}: set it in the environment or in .env{where}.")
        return value

    def optional_key(self, variable: str) -> str | None:
        """Return the value of a variable; None where it is not set.

        Raises:
            VendorNotConfigured: It cannot be sent in a header or an address.
        """
        value = self._environ.get(variable, "").strip() or None
        if value is None:
            return None
        if not (value.isascii() and value.isprintable()):
            raise VendorNotConfigured(
                f"{variable} holds a line break, or a letter or sign beyond plain ASCII; copy its value for "
                f"{self.name} again."
            )
        for name in _LOGS_ADDRESSES:
            logging.getLogger(name).addFilter(_Hides(value))
        return value

    def wait_turn(self) -> None:
        """Wait until the vendor may be sent one more request; call it before each.

        Raises:
            RateLimited: That is too far away.
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
    """Strikes a key out of what a library logs."""

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
