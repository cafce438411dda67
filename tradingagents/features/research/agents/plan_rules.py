"""Rules that every research plan keeps, whoever wrote it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from graphlib import CycleError, TopologicalSorter

from tradingagents.features.research.agents.schemas import (
    MOST_TASKS,
    PlannedCall,
    ResearchTask,
    TaskPlan,
    TaskType,
    Understanding,
)

EXPORT_DESCRIPTION = "Gather numerical metrics in structured format for Excel export"
EXPORT_RATIONALE = "User intends to export to Excel"
HIGHEST_NUMBER = 99
"""Of a task's id."""
EXPORTED: Mapping[str, tuple[str, ...]] = {
    "get_ttm_analysis": (
        *("ttm_revenue", "ttm_gross_profit", "ttm_operating_income", "ttm_net_income", "ttm_free_cash_flow"),
        *("gross_margin", "operating_margin", "net_margin", "revenue_yoy", "total_debt", "equity", "debt_to_equity"),
    ),
    "get_fundamentals": ("price", "market_cap", "eps_ttm", "pe_ttm", "ps_ttm", "fcf_yield"),
    "get_financials": (
        *("revenue", "gross_profit", "operating_income", "net_income", "total_assets", "total_liabilities"),
        *("shareholders_equity", "operating_cash_flow", "free_cash_flow", "roa", "roe", "current_ratio"),
    ),
}
"""Figures that rules gather for a workbook, by capability."""
MOST_EXPORTED = 5
"""Companies whose figures rules gather for a workbook."""


def plan_problems(plan: TaskPlan) -> list[str]:
    """Return what is wrong with a plan, a sentence each; empty where it can be executed."""
    if plan.is_simple_query:
        return ["A simple query has no tasks; leave them out, or set is_simple_query to false."] if plan.tasks else []
    if not plan.tasks:
        return ["The plan has no task; give 1 to 10, or set is_simple_query to true."]
    problems = []
    if len(plan.tasks) > MOST_TASKS:
        problems.append(f"The plan has {len(plan.tasks)} tasks; give at most {MOST_TASKS}.")
    ids = Counter(task.id for task in plan.tasks)
    problems += [f"{name} is the id of two tasks; number them anew." for name, times in ids.items() if times > 1]
    for task in plan.tasks:
        problems += [
            f"{task.id} depends on {name}, which is no task of the plan; name tasks of this plan only."
            for name in task.depends_on
            if name not in ids
        ]
    if not problems and (circle := _circle(plan.tasks)):
        problems.append(f"The tasks {' → '.join(circle)} depend on each other in a circle; remove one dependency.")
    return problems


def running_order(tasks: Sequence[ResearchTask]) -> list[str]:
    """Return the ids in an order in which every task comes after those it depends on.

    Raises:
        graphlib.CycleError: They depend on each other in a circle.
    """
    return list(TopologicalSorter({task.id: task.depends_on for task in tasks}).static_order())


def with_export_task(plan: TaskPlan, understanding: Understanding) -> TaskPlan:
    """Add the task that gathers figures for a workbook, where the user wants one and the plan has none.

    A model's full plan stays as it is: the workbook is then made of what it gathers. A full plan of rules gives up the
    last of its tasks that gather something.
    """
    wanted = understanding.export_intent == "excel" and not plan.is_simple_query
    if not wanted or any(EXPORT_DESCRIPTION in task.description for task in plan.tasks):
        return plan
    by_rules = any(task.calls for task in plan.tasks)
    if len(plan.tasks) >= MOST_TASKS:
        if not by_rules:
            return plan
        plan = _with_room(plan)
    taken = {int(task.id.removeprefix("task_")) for task in plan.tasks}
    after = max(taken) + 1
    free = after if after <= HIGHEST_NUMBER else min(set(range(1, MOST_TASKS + 1)) - taken)
    task = ResearchTask(
        id=f"task_{free}",
        description=EXPORT_DESCRIPTION,
        task_type=TaskType.USE_TOOLS,
        rationale=EXPORT_RATIONALE,
        calls=_metric_calls(understanding.tickers) if by_rules else [],
    )
    return plan.model_copy(update={"tasks": [*plan.tasks, task]})


def without_calls(plan: TaskPlan) -> TaskPlan:
    """Return a plan without prescribed calls: frameworks and rules prescribe them, a language model chooses tools."""
    return plan.model_copy(update={"tasks": [task.model_copy(update={"calls": []}) for task in plan.tasks]})


def with_proposed_calls(edited: TaskPlan, proposed: TaskPlan) -> TaskPlan:
    """Return a plan as its user edited it; tasks that name no calls but kept their description make those proposed."""
    known = {task.description: task.calls for task in proposed.tasks}
    tasks = [
        task if task.calls else task.model_copy(update={"calls": known.get(task.description, [])})
        for task in edited.tasks
    ]
    return edited.model_copy(update={"tasks": tasks})


def _with_room(plan: TaskPlan) -> TaskPlan:
    """Return a plan without its last task that gathers something."""
    left_out = next(task.id for task in reversed(plan.tasks) if task.task_type is TaskType.USE_TOOLS)
    tasks = [
        task.model_copy(update={"depends_on": [name for name in task.depends_on if name != left_out]})
        for task in plan.tasks
        if task.id != left_out
    ]
    return plan.model_copy(update={"tasks": tasks})


def _metric_calls(tickers: Sequence[str]) -> list[PlannedCall]:
    """Return the calls that gather the figures of a workbook: results, valuation and statements of each company."""
    return [
        PlannedCall(capability=capability, arguments={"ticker": ticker}, figures=figures)
        for ticker in tickers[:MOST_EXPORTED]
        for capability, figures in EXPORTED.items()
    ]


def reuse_guidance(understanding: Understanding) -> str:
    """Return the guidance on companies that an earlier question of the session has researched; empty for none."""
    known = [ticker for ticker in understanding.tickers if ticker in understanding.prior_tickers_researched]
    return " ".join(f"{ticker} was researched earlier in session, reuse that data." for ticker in known)


def _circle(tasks: Sequence[ResearchTask]) -> list[str]:
    try:
        running_order(tasks)
    except CycleError as error:
        return list(error.args[1])
    return []
