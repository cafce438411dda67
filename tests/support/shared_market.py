"""One simulated market for all graphs of a test process: a market is the same whoever makes it, and takes 0.5 to 1.5 s.

What it answered is kept too, where finding the answer takes milliseconds: hundreds of runs of one day ask the same.

The tests of the simulated market itself (`tests/dataflows/vendors/test_simulated*.py`) compare markets that were made
separately; they carry the marker `own_market`.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from datetime import UTC, datetime
from functools import wraps
from typing import Any

import pytest

from tradingagents.dataflows.gateway.lru import Memo
from tradingagents.dataflows.vendors.simulated import SimulatedVendor

KEPT = 3
"""Markets kept at a time, by seed; one takes up to 30 MB."""
WORLD = (("world",), ("archive",), ("global",), ("world-news",), ("economy",))
"""What a vendor makes from the seed alone."""
SEARCHED = ("get_topic_news", "get_market_movers", "get_news", "get_global_news", "get_social_posts")
"""Questions whose answers, tuples of frozen rows, are kept."""
ANSWERS_KEPT = 256
"""Answers kept of one market."""


class SharedMarkets:
    """What the simulated vendors of a process have made, by seed."""

    def __init__(self) -> None:
        """Begin with none."""
        self.shared = True
        """Whether vendors made from now on share."""
        self._markets: OrderedDict[int, SimulatedVendor] = OrderedDict()

    def share(self, patch: pytest.MonkeyPatch) -> None:
        """Have vendors of one seed share what they make, until the patch is undone.

        A vendor of a derived class shares what no method of its own can change. One with another calendar makes its
        own market.
        """
        make = SimulatedVendor.__init__

        def shared(vendor: SimulatedVendor, seed: int = 7, **options: Any) -> None:
            make(vendor, seed, **options)
            if not self.shared or options.get("calendar") is not None:
                return
            if type(vendor) is not SimulatedVendor:
                vendor._made.update(_of_the_world(SimulatedVendor(seed)))
            else:
                first = self._markets.setdefault(seed, vendor)
                vendor.__dict__.update(_made=first._made, _companies=first._companies, _lock=first._lock)
                vendor.__dict__["answered"] = first.__dict__.setdefault("answered", Memo(ANSWERS_KEPT))
                self._keep(seed)

        patch.setattr(SimulatedVendor, "__init__", shared)
        for name in SEARCHED:
            patch.setattr(SimulatedVendor, name, _answered_once(getattr(SimulatedVendor, name)))

    def _keep(self, seed: int) -> None:
        self._markets.move_to_end(seed)
        while len(self._markets) > KEPT:
            self._markets.popitem(last=False)


def _of_the_world(vendor: SimulatedVendor) -> dict[tuple[str, ...], Any]:
    """Return what is made from the world alone, asking no method that a derived class may have of its own."""
    day = datetime(2025, 1, 2, tzinfo=UTC)
    vendor.get_topic_news("energy", day, day)
    vendor.get_economic_calendar(day.date(), day.date())
    return {key: vendor._made[key] for key in WORLD}


def _answered_once(ask: Callable[..., Any]) -> Callable[..., Any]:
    """Return a vendor's method that gives a question's first answer again, on vendors that share."""

    @wraps(ask)
    def asked(vendor: SimulatedVendor, *arguments: Any, **named: Any) -> Any:
        memo = vendor.__dict__.get("answered")
        if memo is None or named:
            return ask(vendor, *arguments, **named)
        key = (ask.__name__, *arguments)
        found = memo.get(key)
        if found is None:
            found = ask(vendor, *arguments)
            memo.put(key, found)
        return found

    return asked
