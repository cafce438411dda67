"""Each test module has one tier, and a unit test stays within its process."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.conftest import pytest_collection_modifyitems, pytest_ignore_collect
from tests.support.tiers import FAST_EXAMPLES, examples, sampled, tier_of

TESTS = Path(__file__).parent


@pytest.mark.parametrize(
    ("place", "tier"),
    [
        ("analytics/price/test_returns.py", "unit"),
        ("files/test_lock.py", "integration"),  # it starts processes
        ("analytics/test_real_data.py", "integration"),
        ("cli/test_options.py", "integration"),
        ("graph/test_resume.py", "process"),
        ("fuzz/test_settings.py", "chaos"),
        ("docs/test_docs.py", "docs"),
    ],
)
def test_the_tier_of_a_module_comes_from_its_folder_and_from_what_it_uses(place: str, tier: str):
    assert (TESTS / place).is_file()
    assert tier_of(TESTS / place, TESTS) == tier


@pytest.mark.parametrize(
    ("chosen", "ignored"), [("unit", True), ("integration", None), ("unit or integration", None), ("", None)]
)
def test_where_one_tier_is_chosen_no_module_of_another_is_imported(chosen: str, ignored: bool | None):
    config: Any = SimpleNamespace(getoption=lambda name: chosen if name == "markexpr" else "")
    assert pytest_ignore_collect(TESTS / "files" / "test_lock.py", config) is ignored
    assert pytest_ignore_collect(TESTS / "files", config) is None


@pytest.mark.parametrize(("backwards", "order"), [(False, ["first", "second"]), (True, ["second", "first"])])
def test_the_last_test_runs_first_where_that_is_asked_for(backwards: bool, order: list[str]):
    config: Any = SimpleNamespace(
        getoption=lambda name: name == "--backwards" and backwards,
        hook=SimpleNamespace(pytest_deselected=lambda items: None),
    )
    items: Any = [
        SimpleNamespace(name=name, path=TESTS / "test_tiers.py", add_marker=str, get_closest_marker=lambda _: None)
        for name in ("first", "second")
    ]
    pytest_collection_modifyitems(config, items)
    assert [item.name for item in items] == order


def test_of_a_law_few_examples_are_tried_unless_all_are_asked_for(request: pytest.FixtureRequest):
    everything = request.config.getoption("--all")
    assert examples(60) == (60 if everything else FAST_EXAMPLES)
    assert examples(60, fast=8) == (60 if everything else 8)
    assert examples(3) == 3


def test_a_test_carries_its_tier(request: pytest.FixtureRequest):
    assert request.node.get_closest_marker("integration")


@pytest.mark.unit
def test_a_unit_test_that_starts_a_process_or_a_server_fails():
    with pytest.raises(AssertionError, match="starts no process"):
        subprocess.run([sys.executable, "--version"], check=True)
    with socket.socket() as server, pytest.raises(AssertionError, match="no server"):
        server.listen()


def test_of_sampled_cases_one_in_so_many_runs_each_time():
    marks = [bool(case.marks) for case in sampled("abcde", every=3)]
    assert marks == [False, True, True, False, True]
