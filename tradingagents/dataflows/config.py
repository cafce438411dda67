"""`get_config` and `set_config`: the configuration of calls that are given none, such as a plain `route_to_vendor`.

Nothing here is global: the configuration is a context variable. It holds for the thread or the asyncio task that set
it, and for what that task starts; other threads and tasks see the environment and the defaults. Graphs never read it:
each has the settings it was made with. Keys and vendor names of the original TradingAgents are translated.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from tradingagents.default_config import DEFAULT_CONFIG, Config
from tradingagents.settings import (
    CATEGORIES,
    DEFAULT_DATA_VENDORS,
    DEFAULT_TOOL_VENDORS,
    Settings,
    environment,
    load_settings,
)

__all__ = ["DEFAULT_CONFIG", "current_settings", "get_config", "set_config"]


class LegacyConfigWarning(UserWarning):
    """A configuration key or value has another name here, or no effect."""


IGNORED: Mapping[str, str] = {
    "data_cache_dir": "caches are kept in `home`; set `home` to move them",
    "project_dir": "nothing is written into the package; set `home` to say where runs and caches go",
    "online_tools": "vendors are chosen by `data_vendor` or `data_vendors`; recorded data by data_vendor='snapshot'",
}
"""Keys without effect, and what to use instead."""
OLD_VENDORS: Mapping[str, str] = {"local": "snapshot"}
"""Current names of renamed vendors."""
GONE_VENDORS = frozenset({"openai", "google"})
"""Vendors that asked a language model for news; replaced by the default vendors of the category."""


def translated(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a configuration with current names; warn about each key or value that was translated."""
    given = dict(config or {})
    for key, instead in IGNORED.items():
        if key in given:
            del given[key]
            _warn(f"{key} has no effect: {instead}.")
    for key, default in (("data_vendors", DEFAULT_DATA_VENDORS), ("tool_vendors", DEFAULT_TOOL_VENDORS)):
        if isinstance(given.get(key), Mapping):
            given[key] = {name: _vendors(key, name, text, default.get) for name, text in given[key].items()}
            given[key] = {name: text for name, text in given[key].items() if text is not None}
    return given


def _vendors(key: str, name: Any, text: Any, default: Callable[[Any], str | None]) -> Any:
    """Return the current names of the vendors for a category or tool; `None` means the defaults."""
    if not isinstance(text, str):
        return text
    named = [vendor.strip() for vendor in text.split(",") if vendor.strip()]
    kept = [OLD_VENDORS.get(vendor, vendor) for vendor in named if vendor not in GONE_VENDORS]
    if kept == named:
        return text
    usual = default(name) or (DEFAULT_DATA_VENDORS[CATEGORIES[0]] if key == "data_vendors" else None)
    now = ",".join(kept) or usual
    _warn(f"{key}[{name!r}]={text!r} is not known here and is read as {now or 'the default'!r}; write that instead.")
    return now


def _warn(message: str) -> None:
    warnings.warn(message, LegacyConfigWarning, stacklevel=4)


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
