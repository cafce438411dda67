"""`ask`: answers a capability with what the home folder adds to it, and writes the files that an answer makes.

A capability answers from market data only, and writes nothing: so it can be called by a model in the middle of a run.
Where a person or a program asks, a step before the answer may fill in arguments (the stored watch list), and a step
after it may complete the result (decisions of stored runs) or write files (charts).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from tradingagents.capabilities.ask import ask as answer
from tradingagents.capabilities.registry import by_name
from tradingagents.dataflows.config import current_settings
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.results import Result
from tradingagents.kernel.watch_list import with_last_decisions, with_stored_list
from tradingagents.settings import Settings

Arguments = Mapping[str, Any]


def _unchanged_arguments(arguments: Arguments, settings: Settings) -> Arguments:  # noqa: ARG001 - as other steps
    return arguments


def _unchanged_result(result: Result, settings: Settings) -> Result:  # noqa: ARG001 - as other steps
    return result


@dataclass(frozen=True, slots=True)
class HomeSteps:
    """What happens around the answer of one capability."""

    before: Callable[[Arguments, Settings], Arguments] = _unchanged_arguments
    after: Callable[[Result, Settings], Result] = _unchanged_result


def _with_chart_files(result: Result, settings: Settings) -> Result:
    from tradingagents.kernel.charts import with_chart_files  # the renderers are loaded for charts only

    return with_chart_files(result, settings)


HOME_STEPS: Mapping[str, HomeSteps] = {
    "open_chart": HomeSteps(after=_with_chart_files),
    "watchlist": HomeSteps(before=with_stored_list, after=with_last_decisions),
}
"""By capability. Those that are not listed read and write nothing in the home folder."""


def ask(
    name: str,
    /,
    *,
    as_of: str | date | None = None,
    settings: Settings | None = None,
    vendors: Vendors | None = None,
    **arguments: Any,
) -> Result:
    """Answer a capability: `ask("get_fundamentals", ticker="AAPL", as_of="2025-03-14")`.

    Args:
        name: Name or alias of the capability.
        as_of: Day of the question; nothing known only later is in the answer. None: the latest date among the
            arguments, else the last session that has closed.
        settings: Chooses the vendors and the home folder; None: those of `dataflows.config`.
        vendors: Open vendors; None opens them.
        **arguments: As the capability declares them; values may be text.

    Returns:
        The typed result; `to_markdown()` shows it.

    Raises:
        UsageError: There is no such capability, or it takes other arguments; the message names the right ones.
        TradingAgentsError: As the vendor and the analytics raise, or as files of the home folder cannot be used.
    """
    settings = settings or current_settings()
    steps = HOME_STEPS.get(by_name(name).name, HomeSteps())
    result = answer(name, as_of=as_of, settings=settings, vendors=vendors, **steps.before(arguments, settings))
    return steps.after(result, settings)
