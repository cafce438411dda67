"""`get_config` and `set_config`: the configuration of calls that are given none, such as a plain `route_to_vendor`.

Nothing here is global: the configuration is a context variable. It holds for the thread or the asyncio task that set
it, and for what that task starts; other threads and tasks see the environment and the defaults. Graphs never read it:
each has the settings it was made with.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from typing import Any

from tradingagents.dataflows.legacy_config import translated
from tradingagents.default_config import DEFAULT_CONFIG, Config
from tradingagents.settings import Settings, environment, load_settings

__all__ = ["DEFAULT_CONFIG", "current_settings", "get_config", "set_config"]

_CONFIG: ContextVar[Mapping[str, Any] | None] = ContextVar("tradingagents_config", default=None)


def set_config(config: Mapping[str, Any]) -> None:
    """Set the configuration of plain calls in this context; keys not given stay as they were.

    Raises:
        SettingsError: An unknown setting, or a value it cannot have.
    """
    merged = {**(_CONFIG.get() or {}), **translated(config)}
    load_settings(merged, environ=environment())
    _CONFIG.set(merged)


def get_config() -> Config:
    """Return a copy of the configuration in force here, by the names of `DEFAULT_CONFIG`."""
    return Config(current_settings().model_dump())


def current_settings() -> Settings:
    """Return the settings of plain calls in this context: from `set_config`, the environment and the defaults."""
    return load_settings(_CONFIG.get(), environ=environment())
