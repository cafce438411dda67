"""Runs comparisons from the terminal: each company's research as a task on stderr, the answer on stdout."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

from .research_display import COMPARING
from .research_session import print_answer, shown_research
from .workflow_session import WorkflowSession

if TYPE_CHECKING:
    from tradingagents.events import Subscriber
    from tradingagents.features.compare.run import Comparison
    from tradingagents.runtime.kind import RunKind


class CompareSession(WorkflowSession):
    """One comparison, run and printed."""

    noun = "comparison"
    redraws = True

    @staticmethod
    def workflows() -> tuple[RunKind[Any, Any], ...]:
        """Return the comparison."""
        from tradingagents.features.compare.kind import COMPARE

        return (COMPARE,)

    def display(self, resumed: str | None) -> AbstractContextManager[Subscriber]:  # noqa: ARG002 - it begins anew
        """Show the companies as tasks."""
        return shown_research(self.terminal, plain=self._plain, words=COMPARING)

    def answer(self, said: Mapping[str, Any] | None, *, waits: bool, run_id: str) -> None:
        """Return nothing: a comparison never waits."""

    def print_text(self, done: Comparison) -> None:
        """Print the table and the answer."""
        print_answer(self.terminal, done.record)
