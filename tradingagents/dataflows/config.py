"""`get_config` and `set_config`: the configuration of calls that are given none, such as a plain `route_to_vendor`.

Nothing here is global: the configuration is a context variable. It holds for the thread or the asyncio task that set
it, and for what that task starts; other threads and tasks see the environment and the defaults. Graphs never read it:
each has the settings it was made with. Keys and vendor names of the original TradingAgents are translated.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any

from tradingagents.default_config import DEFAULT_CONFIG, Config
from tradingagents.errors import SettingsError
from tradingagents.files.redaction import Redactor, shown_value
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
    "memory_log_path": "decisions, outcomes and lessons are kept in `home`, or in the database of `database_url`",
    "memory_log_max_entries": "all lessons are kept, and an agent is shown the few that fit its situation best",
    "global_news_queries": "market news are those of the vendors in data_vendors['news_data'], which take no queries",
    "benchmark_map": "the benchmark follows the exchange; set `benchmark_ticker` for one of all tickers",
}
"""Keys without effect, and what to use instead."""
RENAMED: Mapping[str, str] = {
    "max_tokens": "max_output_tokens",
    "quick_think_provider": "quick_think_llm_provider",
    "deep_think_provider": "deep_think_llm_provider",
}
"""Our names of keys that mean the same."""
TRADING_DAYS = "holding_period_days"
"""The original's time until a decision is judged, in sessions; ours is `outcome_days`, in calendar days."""
NONE_IS_DEFAULT = frozenset({"llm_max_retries", "memory_log_max_entries"})
"""Keys that are None in the original's defaults, which means its default and says nothing."""
GONE_CATEGORIES: Mapping[str, str] = {
    "prediction_markets": "no vendor of prediction markets is available; agents read none",
}
"""Categories of vendors that do not exist here."""
OLD_VENDORS: Mapping[str, str] = {"local": "snapshot"}
"""Current names of renamed vendors."""
GONE_VENDORS = frozenset({"openai", "google"})
"""Vendors that asked a language model for news; replaced by the default vendors of the category."""


def translated(config: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return a configuration with current names; warn about each key or value that was translated.

    Raises:
        SettingsError: Both the old and the current name of a key are given, with different values.
    """
    given = dict(config or {})
    given = {key: value for key, value in given.items() if not (value is None and key in NONE_IS_DEFAULT)}
    for key, instead in IGNORED.items():
        if key in given:
            del given[key]
            _warn(f"{key} has no effect: {instead}.")
    for key, name in RENAMED.items():
        if key in given:
            _rename(given, key, name, given[key])
    if TRADING_DAYS in given:
        _rename(given, TRADING_DAYS, "outcome_days", calendar_days(given[TRADING_DAYS]))
    for key, default in (("data_vendors", DEFAULT_DATA_VENDORS), ("tool_vendors", DEFAULT_TOOL_VENDORS)):
        if isinstance(given.get(key), Mapping):
            given[key] = {name: _vendors(key, name, text, default.get) for name, text in given[key].items()}
            given[key] = {name: text for name, text in given[key].items() if text is not None}
    return given


def calendar_days(sessions: Any) -> int:
    """Return the calendar days that so many sessions take, weekends included.

    Raises:
        SettingsError: It is no positive whole number.
    """
    if isinstance(sessions, bool) or not isinstance(sessions, int) or sessions < 1:
        raise SettingsError(f"{TRADING_DAYS} cannot be {shown_value(sessions, Redactor({}))}: give a number of days.")
    return math.ceil(sessions * 7 / 5)


def _rename(given: dict[str, Any], key: str, name: str, value: Any) -> None:
    """Replace a key by ours; a key of ours that differs from its default wins only if it says the same."""
    del given[key]
    if value is None:
        return
    if given.get(name) not in (None, value, DEFAULT_CONFIG[name]):
        raise SettingsError(f"{key} is {name} here, and both are given with different values; give {name} alone.")
    given[name] = value
    _warn(f"{key} is read as {name}={value!r}; write that instead.")


def _vendors(key: str, name: Any, text: Any, default: Callable[[Any], str | None]) -> Any:
    """Return the current names of the vendors for a category or tool; `None` means the defaults."""
    if key == "data_vendors" and name in GONE_CATEGORIES:
        _warn(f"data_vendors[{name!r}] has no effect: {GONE_CATEGORIES[name]}.")
        return None
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
