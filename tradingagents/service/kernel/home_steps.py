"""What the home folder and the session add to answers: the watch list, last decisions, chart files, the open view.

A capability answers from market data only, and writes nothing: so it can be called by a model in the middle of a run.
The kernel wraps some of them in two steps: one before the answer may fill in arguments, one after it may complete the
result or write files.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tradingagents.dataflows.results import Result
from tradingagents.schemas.workspace import SessionInfo
from tradingagents.service.kernel.watch_list import with_last_decisions, with_stored_list
from tradingagents.settings import Settings

Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class HomeContext:
    """What the steps may use."""

    settings: Settings
    session: SessionInfo | None = None
    """None outside a session."""
    files: bool = True
    """Whether the files that the answer makes are wanted."""


def _unchanged_arguments(arguments: Arguments, context: HomeContext) -> Arguments:  # noqa: ARG001 - as other steps
    return arguments


def _unchanged_result(result: Result, context: HomeContext) -> Result:  # noqa: ARG001 - as other steps
    return result


def _no_files(result: Result) -> tuple[Path, ...]:  # noqa: ARG001 - as other steps
    return ()


@dataclass(frozen=True, slots=True)
class HomeSteps:
    """What happens around the answer of one capability."""

    before: Callable[[Arguments, HomeContext], Arguments] = _unchanged_arguments
    after: Callable[[Result, HomeContext], Result] = _unchanged_result
    files: Callable[[Result], tuple[Path, ...]] = _no_files
    """Files that the step after the answer wrote; each becomes an artifact."""
    reads_session: bool = False
    """Whether the answer is about the session that asks."""


def _with_chart_files(result: Result, context: HomeContext) -> Result:
    if not context.files:
        return result
    from tradingagents.service.kernel.charts import with_chart_files  # the renderers are loaded for charts only

    return with_chart_files(result, context.settings)


def _result_files(result: Result) -> tuple[Path, ...]:
    return tuple(Path(path) for path in getattr(result, "files", ()))


def _with_view(result: Result, context: HomeContext) -> Result:
    if context.session is None:
        return result
    view = context.session.view
    return result.model_copy(
        update={
            "symbols": view.symbols or context.session.symbols,
            "page": view.page,
            "run_id": view.run_id,
            "document_id": view.document_id,
            "chart": view.chart,
            "selection": view.note,
            "linked": True,
        }
    )


def _with_thesis_saved(result: Result, context: HomeContext) -> Result:
    from tradingagents.service.kernel.theses import with_thesis_saved  # reads records of runs, which few questions need

    return with_thesis_saved(result, context.settings)


def _with_saved_theses(result: Result, context: HomeContext) -> Result:
    from tradingagents.service.kernel.theses import with_saved_theses

    return with_saved_theses(result, context.settings)


def _with_saved_backtests(result: Result, context: HomeContext) -> Result:
    from tradingagents.service.kernel.backtests import with_saved_backtests

    return with_saved_backtests(result, context.settings)


def _with_paper_accounts(result: Result, context: HomeContext) -> Result:
    from tradingagents.service.kernel.paper import with_paper_accounts  # loads the renderers

    return with_paper_accounts(result, context.settings)


def _with_forward_records(result: Result, context: HomeContext) -> Result:
    from tradingagents.service.kernel.forward_records import with_forward_records  # loads what decides and trades

    return with_forward_records(result, context.settings)


def _with_sessions_revealed(result: Result, context: HomeContext) -> Result:
    from tradingagents.service.kernel.forward_records import with_sessions_revealed

    return with_sessions_revealed(result, context.settings)


HOME_STEPS: Mapping[str, HomeSteps] = {
    "paper_accounts": HomeSteps(after=_with_paper_accounts),
    "forward_records": HomeSteps(after=_with_forward_records),
    "reveal_forward_record": HomeSteps(after=_with_sessions_revealed),
    "saved_backtests": HomeSteps(after=_with_saved_backtests, files=_result_files),
    "current_view_context": HomeSteps(after=_with_view, reads_session=True),
    "save_thesis": HomeSteps(after=_with_thesis_saved),
    "saved_theses": HomeSteps(after=_with_saved_theses),
    "open_chart": HomeSteps(after=_with_chart_files, files=_result_files),
    "book": HomeSteps(after=lambda result, context: with_last_decisions(result, context.settings)),
    **dict.fromkeys(
        ("watchlist", "daily_brief"),
        HomeSteps(
            before=lambda arguments, context: with_stored_list(arguments, context.settings),
            after=lambda result, context: with_last_decisions(result, context.settings),
        ),
    ),
}
"""By capability. Those that are not listed read and write nothing in the home folder."""
