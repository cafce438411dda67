"""Translation of configuration keys and vendor names of the original TradingAgents."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping
from typing import Any

from tradingagents.settings import CATEGORIES, DEFAULT_DATA_VENDORS, DEFAULT_TOOL_VENDORS


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
