"""The kinds of runs there are: those of this package, and those of installed packages.

A kind is found where it is declared: every `kind.py` and `…_kind.py` in a folder of `graph/` or `features/` is looked
through, so that a new folder needs no entry anywhere. An installed package names its own by the entry point
`tradingagents.kinds`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from tradingagents.errors import ConfigurationError
from tradingagents.runtime.kind import RunKind

ENTRY_POINTS = "tradingagents.kinds"
"""Entry point group in which a package registers its kinds, by name."""
PLACES = ("tradingagents.graph", "tradingagents.features")
"""Packages whose folders may declare kinds."""


class NoSuchKind(ConfigurationError):
    """The run's kind is not installed."""


@cache
def built_in_kinds() -> Mapping[str, RunKind[Any, Any]]:
    """Return the kinds of this package by name.

    Raises:
        ValueError: Two share a name.
    """
    known: dict[str, RunKind[Any, Any]] = {}
    for kind in (kind for place in PLACES for kind in _declared_in(place)):
        if kind.name in known:
            raise ValueError(f"two kinds of runs are called {kind.name}")
        known[kind.name] = kind
    return known


def kind_of(name: str) -> RunKind[Any, Any]:
    """Return a kind by its name in manifests.

    Raises:
        NoSuchKind: It is not installed, or its package names something else.
    """
    if name in built_in_kinds():
        return built_in_kinds()[name]
    for point in entry_points(group=ENTRY_POINTS, name=name):
        found = point.load()
        if isinstance(found, RunKind) and found.name == name:
            return found
        raise NoSuchKind(f"The entry point {point.value} is no kind of run called {name}; fix or remove its package.")
    raise NoSuchKind(f"There is no kind of run called {name}; there are {', '.join(kind_names())}.")


def kind_names() -> tuple[str, ...]:
    """Return the names of the installed kinds, built-in ones first."""
    built_in = built_in_kinds()
    return (*built_in, *sorted({point.name for point in entry_points(group=ENTRY_POINTS)} - set(built_in)))


def _declared_in(place: str) -> Iterator[RunKind[Any, Any]]:
    """Find the kinds that the folders of a package declare."""
    for folder in pkgutil.iter_modules(import_module(place).__path__, f"{place}."):
        if not folder.ispkg:
            continue
        for module in pkgutil.iter_modules(import_module(folder.name).__path__, f"{folder.name}."):
            if module.name.endswith((".kind", "_kind")):
                yield from (value for value in vars(import_module(module.name)).values() if _is_of(value, module.name))


def _is_of(value: object, module: str) -> bool:
    """Return whether a value is a kind that this module declares; not one that it imports."""
    return isinstance(value, RunKind) and type(value).__module__ == module
