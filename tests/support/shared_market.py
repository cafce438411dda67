"""One simulated market for all graphs of a test process: a market is the same whoever makes it, and takes 0.5 to 1.5 s.

The tests of the simulated market itself (`tests/dataflows/vendors/test_simulated*.py`) compare markets that were made
separately; they carry the marker `own_market`.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest

from tradingagents.dataflows.vendors.simulated import SimulatedVendor

KEPT = 3
"""Markets kept at a time, by seed; one takes up to 30 MB."""


class SharedMarkets:
    """What the simulated vendors of a process have made, by seed."""

    def __init__(self) -> None:
        """Begin with none."""
        self.shared = True
        """Whether vendors made from now on share."""
        self._markets: OrderedDict[int, SimulatedVendor] = OrderedDict()

    def share(self, patch: pytest.MonkeyPatch) -> None:
        """Have vendors of one seed share what they make, until the patch is undone.

        A vendor of another class, or with another calendar, makes its own.
        """
        make = SimulatedVendor.__init__

        def shared(vendor: SimulatedVendor, seed: int = 7, **options: Any) -> None:
            make(vendor, seed, **options)
            if self.shared and type(vendor) is SimulatedVendor and options.get("calendar") is None:
                first = self._markets.setdefault(seed, vendor)
                vendor.__dict__.update(_made=first._made, _companies=first._companies, _lock=first._lock)
                self._keep(seed)

        patch.setattr(SimulatedVendor, "__init__", shared)

    def _keep(self, seed: int) -> None:
        self._markets.move_to_end(seed)
        while len(self._markets) > KEPT:
            self._markets.popitem(last=False)
