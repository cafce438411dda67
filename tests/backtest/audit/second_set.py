"""A second set of planted faults, written after the checks and without them: how many are found the first time."""

from __future__ import annotations

from tests.backtest.audit.planted import PlantedFault

SECOND: list[PlantedFault] = []
