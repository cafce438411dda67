"""`DEFAULT_CONFIG`: the documented dict of settings, derived from `Settings`, which is where each is explained."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

from tradingagents.settings import Settings


class Config(dict[str, Any]):
    """A dict of settings whose `copy()` is deep, so that changing a copy's vendors leaves the defaults alone."""

    def copy(self) -> Config:
        """Return an independent copy, nested dicts included."""
        return copy.deepcopy(self)

    def __missing__(self, key: str) -> Any:
        """Return the value of a key that the public predecessor has, for scripts that read it; it changes nothing."""
        if key == "project_dir":
            return str(Path(__file__).parent)
        if key == "data_cache_dir":
            return str(Settings().home_dir / "cache")
        raise KeyError(key)


DEFAULT_CONFIG: Config = Config(Settings().model_dump())
