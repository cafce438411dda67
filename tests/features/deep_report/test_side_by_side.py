"""Hypotheses are researched side by side, three at once; the filter's and the reader's calls of one do not wait."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.messages import BaseMessage

from tests.support.graph_factory import role_of
from tests.support.research import research_services
from tests.support.thesis import reported, thesis_model
from tradingagents.events import Event
from tradingagents.features.deep_report.graph.context import SIDE_BY_SIDE


async def test_three_hypotheses_are_researched_at_once_and_no_more(tmp_path: Path):
    under_way: set[str] = set()
    most = 0

    def watch(event: Event) -> None:
        nonlocal most
        if event.type == "iteration_start":
            under_way.add(event.data["hypothesis"])
            most = max(most, len(under_way))
        elif event.type == "iteration_complete":
            under_way.discard(event.data["hypothesis"])

    batches: dict[str, list[int]] = defaultdict(list)

    def note(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Any:
        prompt = messages[-1].text
        batches[prompt.partition('<hypothesis id="')[2][:10]].append(len(re.findall("<source label", prompt)))
        return {"scores": []}

    model = thesis_model({"Source Filter": note}, delay=0.01)
    services = research_services(tmp_path, model)
    await reported(services, min_iterations=1, max_iterations=1, watch=watch, persist="none")
    services.close()
    assert most == SIDE_BY_SIDE == 3
    assert not under_way
    assert all(size <= 10 for sizes in batches.values() for size in sizes)  # batches of ten
    assert len(batches) == 5
    assert model.most_at_once > SIDE_BY_SIDE  # the batches of one hypothesis are scored at once
    assert {role_of(call.messages) for call in model.calls} >= {"Source Filter", "Hypothesis Generator"}
