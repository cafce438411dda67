"""The installed workflows by kind: built-in ones, and those of packages (entry points)."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any

from tradingagents.errors import ConfigurationError

if TYPE_CHECKING:
    from tradingagents.runtime.workflow import Workflow

ENTRY_POINTS = "tradingagents.workflows"
"""Entry point group in which a package registers its workflows, by kind."""
BUILT_IN: Mapping[str, str] = {
    "trading": "tradingagents.graph.trading.run:TRADING",
    "scan": "tradingagents.graph.scan.run:SCAN",
    "filings_qa": "tradingagents.features.filings_qa.run:FILINGS_QA",
    "research": "tradingagents.features.research.run:RESEARCH",
    "company_comparison": "tradingagents.features.compare.run:COMPARE",
    "deep_report": "tradingagents.features.deep_report.run:DEEP_REPORT",
    "debate": "tradingagents.features.debate.run:DEBATE",
    "debate_question": "tradingagents.features.debate.question_run:DEBATE_QUESTION",
    "assistant_turn": "tradingagents.features.assistant.run:ASSISTANT_TURN",
}
"""Module and name of each built-in workflow, imported on first use."""


class NoSuchWorkflow(ConfigurationError):
    """The run's kind isn't installed."""


def workflow_of(kind: str) -> Workflow[Any, Any]:
    """Return the workflow of a kind.

    Raises:
        NoSuchWorkflow: Unknown kind.
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
            f"The entry point {point.value} is not a workflow of kind {kind}; fix or remove its package."
        )
    raise NoSuchWorkflow(f"There is no workflow of kind {kind}; there are {', '.join(kinds())}.")


def kinds() -> tuple[str, ...]:
    """Return the installed kinds, built-in ones first."""
    return (*BUILT_IN, *sorted({point.name for point in entry_points(group=ENTRY_POINTS)} - set(BUILT_IN)))
