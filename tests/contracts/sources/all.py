"""Every source there is."""

from __future__ import annotations

import importlib
import pkgutil

import tests.contracts.sources as package
from tests.contracts.sources.source import Source


def every_source() -> tuple[Source, ...]:
    """Return the `SOURCE` of each file beside this one."""
    modules = (
        importlib.import_module(f"{package.__name__}.{found.name}") for found in pkgutil.iter_modules(package.__path__)
    )
    return tuple(module.SOURCE for module in modules if hasattr(module, "SOURCE"))
