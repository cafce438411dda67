"""The workflows there are, by kind: our own, and those of installed packages (entry points)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from tradingagents.errors import ConfigurationError

if TYPE_CHECKING:
    from tradingagents.runtime.workflow import Workflow

ENTRY_POINTS = "tradingagents.workflows"
"""Group of entry points under which a package names its workflows, by kind."""
BUILT_IN: Mapping[str, str] = {
    "trading": "tradingagents.workflows.trading:TRADING",
    "scan": "tradingagents.workflows.scan:SCAN",
}
"""Module and name of each workflow of ours, imported when first asked for."""


class NoSuchWorkflow(ConfigurationError):
    """A run is of a kind that is not installed."""


def workflow_of(kind: str) -> Workflow[Any, Any]:
    """Return the workflow of a kind.

    Raises:
        NoSuchWorkflow: There is none.
    """
    from tradingagents.runtime.workflow import Workflow

    if kind in BUILT_IN:
        module, _, name = BUILT_IN[kind].partition(":")
        own: Workflow[Any, Any] = getattr(import_module(module), name)
        return own
    for point in entry_points(group=ENTRY_POINTS, name=kind):
        found = point.load()
        if isinstance(found, Workflow) and found.kind == kind:
            return found
        raise NoSuchWorkflow(
            f"The entry point {point.value} is no workflow of kind {kind}; mend or remove its package."
        )
    raise NoSuchWorkflow(f"There is no workflow of kind {kind}; there are {', '.join(kinds())}.")


def kinds() -> tuple[str, ...]:
    """Return the kinds there are, our own first."""
    return (*BUILT_IN, *sorted({point.name for point in entry_points(group=ENTRY_POINTS)} - set(BUILT_IN)))
