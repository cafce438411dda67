"""The kinds of runs there are: those of this package, and those of installed packages.

A kind is found where it is declared: every `kind.py` and `…_kind.py` in a folder of `graph/` or `features/` is looked
through, so that a new folder needs no entry anywhere. An installed package names its own by the entry point
`tradingagents.kinds`.
"""

from __future__ import annotations

import logging
import pkgutil
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from tradingagents.errors import ConfigurationError

if TYPE_CHECKING:
    from tradingagents.runtime.kind import RunKind
    from tradingagents.schemas.cards import CardRecord

ENTRY_POINTS = "tradingagents.kinds"
"""Entry point group in which a package registers its kinds, by name."""
PLACES = ("tradingagents.graph", "tradingagents.features")
"""Packages whose folders may declare kinds."""
_LOG = logging.getLogger(__name__)


class NoSuchKind(ConfigurationError):
    """The run's kind is not installed."""


@cache
def built_in_kinds() -> Mapping[str, RunKind[Any, Any, Any]]:
    """Return the kinds of this package by name.

    Raises:
        ValueError: Two share a name.
    """
    known: dict[str, RunKind[Any, Any, Any]] = {}
    for kind in (kind for module in kind_modules() for kind in kinds_in(module)):
        if kind.name in known:
            raise ValueError(f"two kinds of runs are called {kind.name}")
        known[kind.name] = kind
    return known


def kind_of(name: str) -> RunKind[Any, Any, Any]:
    """Return a kind by its name in manifests.

    Raises:
        NoSuchKind: It is not installed, or its package names something else.
    """
    if name in built_in_kinds():
        return built_in_kinds()[name]
    for point in entry_points(group=ENTRY_POINTS, name=name):
        return _loaded(point)
    raise NoSuchKind(f"There is no kind of run called {name}; there are {', '.join(kind_names())}.")


def installed_kinds() -> Iterator[RunKind[Any, Any, Any]]:
    """Return the kinds of installed packages; one that cannot be loaded disturbs no other."""
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        if point.name in built_in_kinds():
            continue
        try:
            yield _loaded(point)
        except Exception as error:  # noqa: BLE001 - whatever a package's code does
            why = f"{type(error).__name__}: {error}"
            _LOG.warning("%s", f"The kind of run of {point.value} cannot be loaded ({why}).")


def _loaded(point: EntryPoint) -> RunKind[Any, Any, Any]:
    """Return the kind of an entry point. Raises NoSuchKind where it names something else."""
    from tradingagents.runtime.kind import RunKind  # the help of the command line lists kinds without pydantic

    found = point.load()
    if isinstance(found, RunKind) and found.name == point.name:
        return found
    raise NoSuchKind(f"The entry point {point.value} is no kind of run called {point.name}; fix or remove its package.")


def record_of(card: Mapping[str, Any]) -> CardRecord:
    """Return the record that the card of a run of any kind holds.

    Raises:
        NoSuchKind: Its kind is not installed.
        UnreadableFile: It was damaged or edited.
    """
    record: CardRecord = kind_of(str(card.get("kind") or "trading")).read(card)
    return record


def kind_names() -> tuple[str, ...]:
    """Return the names of the installed kinds, built-in ones first."""
    built_in = built_in_kinds()
    return (*built_in, *sorted({point.name for point in entry_points(group=ENTRY_POINTS)} - set(built_in)))


def kind_modules(places: Sequence[str] = PLACES) -> Iterator[str]:
    """Find the modules that declare kinds in the folders of these packages, without importing one."""
    for place in places:
        for folder in pkgutil.iter_modules(import_module(place).__path__, f"{place}."):
            found = find_spec(folder.name) if folder.ispkg else None
            for module in pkgutil.iter_modules(
                found.submodule_search_locations or () if found else (), f"{folder.name}."
            ):
                if module.name.endswith((".kind", "_kind")):
                    yield module.name


def kinds_in(module: str) -> tuple[RunKind[Any, Any, Any], ...]:
    """Return the kinds that a module declares; not those that it imports."""
    from tradingagents.runtime.kind import RunKind

    declared = (value for value in vars(import_module(module)).values() if isinstance(value, RunKind))
    return tuple(kind for kind in declared if type(kind).__module__ == module)
