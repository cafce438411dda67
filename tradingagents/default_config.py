"""`DEFAULT_CONFIG`: the documented dict of settings, derived from `Settings`, which is where each is explained."""

from __future__ import annotations

import copy
from typing import Any

from tradingagents.settings import Settings


class Config(dict[str, Any]):
    """A dict of settings whose `copy()` is deep, so that changing a copy's vendors leaves the defaults alone."""

    def copy(self) -> Config:
        """Return an independent copy, nested dicts included."""
        return copy.deepcopy(self)


DEFAULT_CONFIG: Config = Config(Settings().model_dump())
