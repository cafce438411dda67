"""The kinds of tasks there are: those of this package, a run of every kind of run, and those of installed packages.

A kind is found where it is declared: the modules that declare kinds of runs may declare kinds of tasks, too, and so may
those of the service itself. An installed package names its own by the entry point `tradingagents.task_kinds`, either
one kind or a module of them.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from types import ModuleType
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.runtime import registry as runs
from tradingagents.runtime.task_kind import TaskKind
from tradingagents.service.tasks.run_task import RunTask
from tradingagents.settings import nearest

ENTRY_POINTS = "tradingagents.task_kinds"
PLACES = (*runs.PLACES, "tradingagents.service")
"""Packages whose folders may declare kinds."""
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_LOG = logging.getLogger(__name__)


class TaskKindRegistry(Mapping[str, TaskKind[Any]]):
    """Kinds by name. It never changes; `with_kinds` returns a larger one."""

    def __init__(self, known: Iterable[TaskKind[Any]] = ()) -> None:
        """Hold kinds, in their order.

        Raises:
            ValueError: Two share a name, or a name cannot be part of a task's id.
        """
        self._known: dict[str, TaskKind[Any]] = {}
        for kind in known:
            if _NAME.fullmatch(kind.name) is None:
                raise ValueError(f"{kind.name!r} cannot name a kind of task: use lower-case letters, digits and _")
            if kind.name in self._known:
                raise ValueError(f"two kinds of tasks are called {kind.name}")
            self._known[kind.name] = kind

    def with_kinds(self, more: Iterable[TaskKind[Any]]) -> TaskKindRegistry:
        """Return a registry that holds further kinds too. Raises ValueError as the constructor does."""
        return TaskKindRegistry((*self._known.values(), *more))

    def by_name(self, name: str) -> TaskKind[Any]:
        """Return a kind by its name.

        Raises:
            UsageError: There is none of that name; names the nearest.
        """
        if isinstance(name, str) and (found := self._known.get(name)):
            return found
        close = nearest(str(name)[:80], self._known)
        hint = f"did you mean {close}?" if close else f"known are: {', '.join(sorted(self._known))}."
        raise UsageError(f"There is no kind of task {str(name)[:40]!r}; {hint}")

    def __getitem__(self, name: str) -> TaskKind[Any]:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def declared_kinds(module: ModuleType) -> tuple[TaskKind[Any], ...]:
    """Return the kinds that a module declares, in the order of its source; not those that it imports."""
    values = vars(module).values()
    return tuple(value for value in values if isinstance(value, TaskKind) and type(value).__module__ == module.__name__)


@cache
def built_in_kinds() -> TaskKindRegistry:
    """Return the kinds of this package."""
    declared = [kind for module in runs.kind_modules(PLACES) for kind in declared_kinds(import_module(module))]
    tasks = [RunTask(kind) for kind in runs.built_in_kinds().values() if kind.task]
    return TaskKindRegistry(sorted((*declared, *tasks), key=lambda kind: kind.name))


def task_kinds() -> TaskKindRegistry:
    """Return the kinds of this package, then those of installed packages, which cannot take a name of ours."""
    return _installed(tuple(sys.path))


@cache
def _installed(path: tuple[str, ...]) -> TaskKindRegistry:  # noqa: ARG001 - a changed path may hold other packages
    known = built_in_kinds()
    points = sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value))
    declared = [(point.value, kind) for point in points for kind in _loaded(point)]
    of_runs = [(type(kind).__module__, RunTask(kind)) for kind in runs.installed_kinds() if kind.task]
    for origin, kind in (*of_runs, *declared):
        try:
            known = known.with_kinds((kind,))
        except ValueError as error:
            _LOG.warning("%s", f"The kind of task of {origin} is not used: {error}.")
    return known


def _loaded(point: EntryPoint) -> tuple[TaskKind[Any], ...]:
    """Return what an entry point names; one that cannot be loaded disturbs no other."""
    try:
        named = point.load()
    except Exception as error:  # noqa: BLE001 - whatever a package's code does
        _LOG.warning("%s", f"The kinds of tasks of {point.value} cannot be loaded ({type(error).__name__}: {error}).")
        return ()
    if isinstance(named, ModuleType):
        return declared_kinds(named)
    if isinstance(named, TaskKind):
        return (named,)
    _LOG.warning("%s", f"{point.value} is no kind of task, and no module of kinds.")
    return ()
