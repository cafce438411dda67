"""The capabilities there are: those of this library, and those of installed packages.

A capability is found where it is declared: every module here, and in the folder `capabilities` of each feature, is
looked through, so that a new file needs no entry anywhere. An installed package names its own by the entry point
`tradingagents.capabilities`, either one capability or a module of them.
"""

from __future__ import annotations

import logging
import pkgutil
import sys
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any

from tradingagents import capabilities as _package
from tradingagents.capabilities.capability import Capability
from tradingagents.dataflows.gateway.registry import all_methods
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.results import Result
from tradingagents.errors import NotFound, UsageError
from tradingagents.settings import Settings, nearest

ENTRY_POINTS = "tradingagents.capabilities"
FEATURES = "features"
"""Folder of the features, each of which may have a folder of capabilities."""
_LOG = logging.getLogger(__name__)


class CapabilityRegistry(Mapping[str, Capability]):
    """Capabilities by name. It never changes."""

    def __init__(self, known: Iterable[Capability] = ()) -> None:
        """Hold capabilities, in their order.

        Raises:
            ValueError: Two of them share a name or an alias.
        """
        self._known: dict[str, Capability] = {}
        self._called: dict[str, Capability] = {}
        for capability in known:
            for name in (capability.name, *capability.aliases):
                if name in self._called:
                    raise ValueError(f"two capabilities are called {name}")
                self._called[name] = capability
            self._known[capability.name] = capability

    def by_name(self, name: str) -> Capability:
        """Return a capability by its name or one of its aliases.

        Raises:
            NotFound: There is none of that name; names the nearest.
        """
        if found := self._called.get(name):
            return found
        close = nearest(name, self._called)
        hint = f"did you mean {close}?" if close else f"the list has all {len(self._known)}."
        raise NotFound(f"There is no tool {name!r}; {hint}")

    def __getitem__(self, name: str) -> Capability:
        return self._known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)


def declared_in(module: ModuleType) -> tuple[Capability, ...]:
    """Return the capabilities that a module declares, in the order of its source; not those that it imports."""
    values = vars(module).values()
    return tuple(
        value for value in values if isinstance(value, Capability) and value.answer.__module__ == module.__name__
    )


@cache
def built_in() -> CapabilityRegistry:
    """Return the capabilities of this library, by the names of their modules and in the order of their source."""
    modules = map(import_module, sorted(_modules(), key=lambda name: name.rpartition(".")[2]))
    return CapabilityRegistry(capability for module in modules for capability in declared_in(module))


def _modules() -> Iterator[str]:
    """Yield the names of the modules that may declare capabilities, without importing them."""
    library, _, own = _package.__name__.rpartition(".")
    yield from (f"{library}.{own}.{info.name}" for info in pkgutil.iter_modules(_package.__path__))
    for path in _package.__path__:
        for folder in (Path(path).parent / FEATURES).glob(f"*/{own}"):
            found = pkgutil.iter_modules([str(folder)])
            yield from (f"{library}.{FEATURES}.{folder.parent.name}.{own}.{info.name}" for info in found)


def registry() -> CapabilityRegistry:
    """Return the capabilities of this package, then those of installed packages, which cannot take a name of ours."""
    return _installed(tuple(sys.path))


def title(name: str) -> str | None:
    """Return what reports and pages call the answers of a tool or a vendor method; None for another name.

    Tools that nobody has loaded are loaded for a name that no vendor method and no loaded tool has.
    """
    return _title(name, tuple(sys.path))


@lru_cache(maxsize=1024)
def _title(name: str, path: tuple[str, ...]) -> str | None:
    if method := all_methods().get(name):
        return method.title
    loaded = (
        capability for module in _loaded_modules() for capability in declared_in(module) if capability.name == name
    )
    found = next(loaded, None) or _installed(path).get(name)
    return found.known_as if found else None


def titles() -> Mapping[str, str]:
    """Return the titles of all tools and vendor methods, by name."""
    known = {name: method.title for name, method in all_methods().items()}
    return {**{name: capability.known_as for name, capability in registry().items()}, **known}


def _loaded_modules() -> Iterator[ModuleType]:
    """Yield the modules of this library that may declare capabilities and are loaded."""
    library, _, own = _package.__name__.rpartition(".")
    for name, module in tuple(sys.modules.items()):
        if name.startswith((f"{library}.{own}.", f"{library}.{FEATURES}.")) and f".{own}." in name:
            yield module


@cache
def _installed(path: tuple[str, ...]) -> CapabilityRegistry:  # noqa: ARG001 - a changed path may hold other packages
    found = dict(built_in())
    taken = {name for capability in found.values() for name in (capability.name, *capability.aliases)}
    for point in sorted(entry_points(group=ENTRY_POINTS), key=lambda point: (point.name, point.value)):
        for capability in _loaded(point):
            if names := taken & {capability.name, *capability.aliases}:
                name = min(names)
                _LOG.warning("%s", f"{point.value} offers a tool {name!r}, which there is already; it is not used.")
            else:
                found[capability.name] = capability
                taken |= {capability.name, *capability.aliases}
    return CapabilityRegistry(found.values())


def _loaded(point: EntryPoint) -> tuple[Capability, ...]:
    """Return what an entry point names; one that cannot be loaded disturbs no other."""
    try:
        named = point.load()
    except Exception as error:  # noqa: BLE001 - whatever a package's code does
        _LOG.warning("%s", f"The tools of {point.value} cannot be loaded ({type(error).__name__}: {error}).")
        return ()
    if isinstance(named, ModuleType):
        return declared_in(named)
    if isinstance(named, Capability):
        return (named,)
    _LOG.warning("%s", f"{point.value} is no tradingagents capability, and no module of capabilities.")
    return ()


def by_name(name: str) -> Capability:
    """Return a capability of the registry by its name or one of its aliases.

    Raises:
        UsageError: There is none of that name; names the nearest.
    """
    return registry().by_name(name)


def ask_named(
    name: str, /, *args: Any, settings: Settings | None = None, vendors: Vendors | None = None, **kwargs: Any
) -> Result:
    """Answer a capability by name, outside a run; `capabilities.standalone` says as of which day.

    Args:
        name: The capability.
        *args: Its arguments, in their order.
        settings: Chooses the vendors; None: those of `dataflows.config`.
        vendors: Where they live; None makes them.
        **kwargs: Its arguments, by name.

    Raises:
        UsageError: There is no such capability, or it takes other arguments.
        TradingAgentsError: As the vendor and the analytics raise.
    """
    asked = by_name(name)
    fields = list(asked.arguments.model_fields)
    if len(args) > len(fields) or set(fields[: len(args)]) & set(kwargs) or not set(kwargs) <= set(fields):
        raise UsageError(f"{name} takes {', '.join(fields) or 'no arguments'}; give these, in their order or by name.")
    given = {**dict(zip(fields, args, strict=False)), **kwargs}
    return asked.ask_standalone(given, settings=settings, vendors=vendors)
