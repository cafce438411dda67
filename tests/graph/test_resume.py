"""A killed run goes on: what was finished is not asked again, and what comes of it is what would have come of it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.support.kill_resume import (
    Server,
    Whole,
    boundaries,
    inside,
    kill_and_go_on,
    named,
    uninterrupted,
)
from tests.support.tiers import sampled


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest.fixture(scope="module")
def whole(server: Server, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Whole]:
    return {kind: uninterrupted(kind, server, tmp_path_factory.mktemp(kind)) for kind in ("trading", "scan")}


@pytest.mark.parametrize("moment", sampled(inside("trading"), every=29), ids=named)
def test_a_trading_run_killed_inside_a_node_goes_on(
    moment: dict[str, Any], server: Server, tmp_path: Path, whole: dict[str, Whole]
):
    kill_and_go_on("trading", moment, server, tmp_path, whole["trading"])


@pytest.mark.parametrize("moment", sampled(boundaries("trading"), every=15), ids=named)
def test_a_trading_run_killed_between_nodes_goes_on(
    moment: dict[str, Any], server: Server, tmp_path: Path, whole: dict[str, Whole]
):
    kill_and_go_on("trading", moment, server, tmp_path, whole["trading"])


@pytest.mark.parametrize("moment", sampled(inside("scan"), every=16), ids=named)
def test_a_scan_killed_inside_a_node_goes_on(
    moment: dict[str, Any], server: Server, tmp_path: Path, whole: dict[str, Whole]
):
    kill_and_go_on("scan", moment, server, tmp_path, whole["scan"])


@pytest.mark.parametrize("moment", sampled(boundaries("scan"), every=10), ids=named)
def test_a_scan_killed_between_nodes_goes_on(
    moment: dict[str, Any], server: Server, tmp_path: Path, whole: dict[str, Whole]
):
    kill_and_go_on("scan", moment, server, tmp_path, whole["scan"])


@pytest.mark.parametrize("kind", ["trading", "scan"])
def test_a_run_killed_once_it_has_told_its_result_tells_it_once(
    kind: str, server: Server, tmp_path: Path, whole: dict[str, Whole]
):
    kill_and_go_on(kind, {"event": "result"}, server, tmp_path, whole[kind])
    (log,) = tmp_path.glob("runs/*/events.jsonl")
    events = [json.loads(line) for line in log.read_text("utf-8").splitlines()]
    told = Counter(event["type"] for event in events)
    assert (told["run_start"], told["result"]) == (1, 1)
    assert [event["seq"] for event in events] == list(range(len(events)))
