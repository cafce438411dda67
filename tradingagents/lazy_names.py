"""Package-level names that are imported on first use, so that importing the package stays fast."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from typing import Any


def lazy_names(package: str, modules: Mapping[str, str]) -> Callable[[str], Any]:
    """Return a `__getattr__` function for a package.

    Args:
        package: The package's full name.
        modules: The module of each name: by its name in the package, any other by its full name.
    """

    def load(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = modules[name]
        full = module if module.startswith("tradingagents.") else f"{package}.{module}"
        return getattr(importlib.import_module(full), name)

    return load
