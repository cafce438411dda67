"""Rules of plans: what cannot be carried out is named; order and chains are those of the dependencies."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.support.research import UNDERSTOOD, plan_of, task
from tradingagents.features.research.agents.plan_rules import (
    plan_problems,
    reuse_guidance,
    running_order,
    with_export_task,
)
from tradingagents.features.research.agents.schemas import ReflectionResult, TaskPlan, Understanding


def problems(*tasks: Any, simple: bool = False) -> list[str]:
    return plan_problems(TaskPlan.model_validate(plan_of(*tasks, simple=simple)))


@pytest.mark.parametrize(
    ("tasks", "simple", "said"),
    [
        ([], False, "has no task"),
        ([task(1)], True, "A simple query has no tasks"),
        ([task(number) for number in range(1, 12)], False, "has 11 tasks"),
        ([task(1), task(1)], False, "task_1 is the id of two tasks"),
        ([task(1, after=[7])], False, "depends on task_7, which is no task"),
        ([task(1, after=[1])], False, "in a circle"),
        ([task(1, after=[2]), task(2, after=[3]), task(3, after=[1])], False, "in a circle"),
    ],
)
def test_a_plan_that_cannot_be_carried_out_is_named(tasks: list[Any], simple: bool, said: str):
    found = problems(*tasks, simple=simple)
    assert len(found) == 1
    assert said in found[0]


def test_good_plans_have_no_problem():
    assert problems(simple=True) == []
    assert problems(task(1)) == []
    assert problems(*(task(number) for number in range(1, 11))) == []
    assert problems(task(2, after=[1]), task(1)) == []


@st.composite
def forward_plans(draw: st.DrawFn) -> TaskPlan:
    size = draw(st.integers(1, 10))
    tasks = [
        task(number, after=sorted(draw(st.sets(st.integers(1, number - 1), max_size=3))) if number > 1 else [])
        for number in range(1, size + 1)
    ]
    return TaskPlan.model_validate(plan_of(*draw(st.permutations(tasks))))


@given(forward_plans())
def test_every_task_comes_after_those_it_depends_on(plan: TaskPlan):
    assert plan_problems(plan) == []
    order = running_order(plan.tasks)
    assert sorted(order) == sorted(one.id for one in plan.tasks)
    for one in plan.tasks:
        assert all(order.index(name) < order.index(one.id) for name in one.depends_on)


def understood(**changes: Any) -> Understanding:
    return Understanding.model_validate({**UNDERSTOOD, **changes})


def test_an_export_to_excel_adds_the_documented_task_once():
    plan = TaskPlan.model_validate(plan_of(task(3)))
    added = with_export_task(plan, understood(export_intent="excel"))
    assert added.tasks[-1].id == "task_4"
    assert added.tasks[-1].description == "Gather numerical metrics in structured format for Excel export"
    assert added.tasks[-1].rationale == "User intends to export to Excel"
    assert with_export_task(added, understood(export_intent="excel")) == added
    assert with_export_task(plan, understood(export_intent="pdf")) == plan
    full = TaskPlan.model_validate(plan_of(*(task(number) for number in range(1, 11))))
    assert with_export_task(full, understood(export_intent="excel")) == full
    last = TaskPlan.model_validate(plan_of(task(99), task(1)))
    assert with_export_task(last, understood(export_intent="excel")).tasks[-1].id == "task_2"


@pytest.mark.parametrize("name", ["task_1 and more", "xtask_1", "task_0", "task_100", "1", "task_1\n", "TASK_1"])
def test_an_id_is_that_of_a_task_and_nothing_else(name: str):
    with pytest.raises(ValidationError):
        TaskPlan.model_validate(plan_of({**task(1), "id": name}))


def test_texts_that_are_too_long_are_shortened_and_not_refused():
    plan = TaskPlan.model_validate(plan_of(task(1, "long " * 200), summary="word " * 500))
    assert (len(plan.summary), len(plan.tasks[0].description)) == (600, 400)
    judged = ReflectionResult.model_validate({"is_complete": True, "reasoning": "a" * 5000, "guidance": "b" * 5000})
    assert (len(judged.reasoning), len(judged.guidance)) == (800, 800)


def test_companies_of_the_session_are_reused():
    told = reuse_guidance(understood(tickers=["VELQ", "MODZ"], prior_tickers_researched=["VELQ"]))
    assert told == "VELQ was researched earlier in session, reuse that data."
    assert reuse_guidance(understood()) == ""
