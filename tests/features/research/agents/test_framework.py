"""Frameworks: the library's can be carried out; the user's are read from YAML and checked."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from tradingagents.capabilities.ask import completed
from tradingagents.capabilities.registry import registry
from tradingagents.features.research.agents.framework import (
    FrameworkError,
    library_frameworks,
    load_frameworks,
    read_framework,
    unknown_tools,
)
from tradingagents.features.research.agents.schemas import TaskType
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
OWN = """
name: cash_first
title: Cash first
summary: free cash flow before everything else
words: [cash first]
tasks:
  - description: "Free cash flow of {ticker} by {day}"
    calls: [{capability: get_ttm_analysis, arguments: {ticker: "{ticker}"}, figures: [ttm_free_cash_flow]}]
  - {description: "Say whether it pays", task_type: reason, depends_on: [1]}
"""


@pytest.mark.parametrize("name", sorted(library_frameworks()))
def test_a_framework_of_the_library_names_tools_and_arguments_that_exist(name: str):
    framework = library_frameworks()[name]
    assert unknown_tools(framework, registry()) == []
    for one in framework.tasks_for("VELQ", DAY):
        assert "{" not in one.description
        assert (one.task_type is TaskType.REASON) == (not one.calls)
        for call in one.calls:
            capability = registry()[call.capability]
            capability.checked(completed(capability, call.arguments, DAY))


def test_piotroski_has_nine_tasks_one_for_each_signal():
    tasks = library_frameworks()["piotroski"].tasks_for("VELQ", DAY)
    assert [one.id for one in tasks] == [f"task_{number}" for number in range(1, 10)]
    signals = {call.figures[0] for one in tasks for call in one.calls}
    assert len(signals) == 9
    assert all(signal.startswith("f_") for signal in signals)


def test_tasks_are_numbered_from_where_they_are_told():
    last = library_frameworks()["dupont"].tasks_for("VELQ", DAY, first=4)[-1]
    assert (last.id, last.depends_on) == ("task_7", ["task_4", "task_5", "task_6"])


def test_the_user_adds_a_framework_as_a_file(tmp_path: Path):
    folder = tmp_path / "frameworks"
    folder.mkdir()
    (folder / "cash.yaml").write_text(OWN)
    found = load_frameworks(load_settings({"home": tmp_path}, environ={}))
    assert set(found) == {*library_frameworks(), "cash_first"}
    assert found["cash_first"].tasks_for("VELQ", DAY)[0].description == "Free cash flow of VELQ by 2025-03-14"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: [", "no valid YAML"),
        ("- a\n- b", "holds no fields"),
        (OWN.replace("cash_first", "Cash First"), "name"),
        (OWN.replace("depends_on: [1]", "depends_on: [9]"), "which is no task of the plan"),
        (OWN.replace("depends_on: [1]", "depends_on: [2]"), "circle"),
        (OWN + "more: 1\n", "more"),
        ("a: &x 1\nb: *x\n", "aliases"),
        ("a: !!python/object:os.system 1\n", "no valid YAML"),
    ],
)
def test_a_file_that_is_no_framework_is_refused_in_words(tmp_path: Path, text: str, said: str):
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(FrameworkError, match=r"mine\.yaml") as caught:
        read_framework(path)
    assert said in str(caught.value)


def test_a_framework_that_names_no_capability_is_refused(tmp_path: Path):
    folder = tmp_path / "frameworks"
    folder.mkdir()
    (folder / "mine.yaml").write_text(OWN.replace("get_ttm_analysis", "get_ttm"))
    with pytest.raises(FrameworkError, match="there is no capability 'get_ttm'"):
        load_frameworks(load_settings({"home": tmp_path}, environ={}))


def test_a_framework_cannot_take_the_name_of_another(tmp_path: Path):
    folder = tmp_path / "frameworks"
    folder.mkdir()
    (folder / "mine.yaml").write_text(OWN.replace("cash_first", "dcf"))
    with pytest.raises(FrameworkError, match="there is a framework dcf already"):
        load_frameworks(load_settings({"home": tmp_path}, environ={}))
