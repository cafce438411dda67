"""What the contract tests need to know of a vendor."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from tests.support.vendor_server import VendorServer
from tradingagents.dataflows.gateway.registry import registration_of
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.vendor import Vendor
from tradingagents.settings import load_settings

SYMBOL = "ACMQ"
"""The company of every source: a technology company that the snapshot of `tests.support.snapshot_folder` knows too."""
AS_OF = date(2025, 3, 14)
"""The Friday on which the look-ahead test stands."""
LATER = date(2025, 6, 13)
NOW = datetime(2025, 6, 30, 22, tzinfo=UTC)
"""The vendors' clock in the look-ahead test."""


@dataclass(frozen=True)
class Source:
    """One vendor, as the contract tests see it."""

    kind: type[Vendor]
    """Made as `kind(access, now=clock)`."""
    fill: Callable[[VendorServer, date | None], None]
    """Fills the server with what is asked below. Given a day, adds poison that was known only after that day's close:
    wild bars, a split, restated and new statements, articles with the word POISON, insider trades, events."""
    asks: Mapping[str, tuple[Any, ...]]
    """Every method of `Vendor` that it answers, by the vendor's name of it, with arguments that the filled server has
    rows for."""
    environ: Mapping[str, str] = field(default_factory=dict)
    """The variables with its keys. A value is long and has SECRET in it, so that it can be searched for."""
    lacks: frozenset[str] = frozenset()
    """Capabilities that cannot be answered from it at all, because it lacks the symbols or the figures they need."""
    unshown: frozenset[str] = frozenset()
    """Capabilities whose answer in the test's market shows none of its rows or none of its poison: the stocks they
    compare come from the recorded market, or its poison lies outside the days they show."""
    silent_on_refusal: frozenset[str] = frozenset()
    """Methods for which 401 and 403 mean something else than a refused key; tested in the vendor's own file."""

    @property
    def name(self) -> str:
        return self.kind.name

    def open(
        self,
        server: VendorServer,
        tmp_path: Path,
        *,
        now: Callable[[], datetime] = lambda: NOW,
        timeout: float = 5.0,
    ) -> Vendor:
        """Make the vendor against a server."""
        settings = load_settings(
            {"vendor_urls": {self.name: server.url}, "vendor_timeout": timeout, "home": tmp_path}, environ={}
        )
        known = registration_of(self.name)
        access = Access(
            self.name, settings=settings, environ=self.environ, variables=(*known.needs, *known.takes), url=known.url
        )
        return self.kind(access, now=now)  # type: ignore[call-arg]
