"""`DEFAULT_CONFIG`: the documented dict of default settings, derived from `Settings`, which describes each."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from tradingagents.settings import Settings


class Config(dict[str, Any]):
    """A dict of settings whose `copy()` is deep, so that changes to a copy's vendors do not affect the defaults."""

    def copy(self) -> Config:
        """Return an independent copy, including nested dicts."""
        return copy.deepcopy(self)

    def __missing__(self, key: str) -> Any:
        """Return the value of a key that only the original TradingAgents has, for scripts that read it."""
        if key == "project_dir":
            return str(Path(__file__).parent)
        if key == "data_cache_dir":
            return str(Settings().home_dir / "cache")
        raise KeyError(key)


DEFAULT_CONFIG: Config = Config(Settings().model_dump())
