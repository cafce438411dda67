"""The prompts of the deep report's agents as models get them."""

from __future__ import annotations

import asyncio
import re

import pytest

from tests.agents.shown_prompts import shown
from tests.features.deep_report.test_guidance_sources import VAGUE, store_calls
from tests.support.golden_files import assert_golden
from tests.support.graph_factory import role_of
from tests.support.research import research_services
from tests.support.thesis import reported, thesis_model
from tradingagents.features.deep_report.agents.prompts import AGENTS, thesis_prompts
from tradingagents.llm_clients.scripted import ScriptedCall

SHOWN_LINES = 6
"""Lines of a source that a golden file shows."""


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> dict[str, ScriptedCall]:
    """The last call of each agent of a report."""
    model = thesis_model()
    services = research_services(tmp_path_factory.mktemp("home"), model)
    asyncio.run(reported(services, min_iterations=2, max_iterations=2))
    services.close()
    return {role_of(call.messages): call for call in [*model.calls, *_with_stored_calls(tmp_path_factory)]}


def _with_stored_calls(tmp_path_factory: pytest.TempPathFactory) -> list[ScriptedCall]:
    """The calls of the agent that is asked only where a call is stored of which rules leave sentences."""
    home = tmp_path_factory.mktemp("home")
    store_calls(home, VAGUE)
    model = thesis_model({"Guidance Reader": lambda _messages, _tools: {"ranges": []}})
    services = research_services(home, model)
    asyncio.run(reported(services, min_iterations=1, max_iterations=1))
    services.close()
    return [call for call in model.calls if role_of(call.messages) == "Guidance Reader"]


@pytest.mark.parametrize("agent", [spec.name for spec in AGENTS])
def test_the_prompt_of_an_agent(calls: dict[str, ScriptedCall], agent: str):
    text = "\n\n".join(f"## {message.type}\n\n{_without_sources(shown(message))}" for message in calls[agent].messages)
    assert_golden(f"prompts/thesis/{agent.lower().replace(' ', '_')}.md", f"{text}\n")


def test_every_instruction_is_in_the_fingerprint_of_prompts(calls: dict[str, ScriptedCall]):
    told = thesis_prompts()
    assert set(told) == {"Deep Report", *calls}
    assert told["Deep Report"].partition("{")[0] in calls["Refiner"].messages[0].text


def _without_sources(text: str) -> str:
    """Return a prompt with the first sources, and their first lines only."""

    def short(found: re.Match[str]) -> str:
        lines = found[2].splitlines()
        more = ["…"] if len(lines) > SHOWN_LINES else []
        return "\n".join([found[1], *lines[:SHOWN_LINES], *more, "</source>"])

    sources = re.sub(r"(<source [^>]*>)\n(.*?)\n</source>", short, text, flags=re.DOTALL)
    first, between, rest = sources.partition("</source>\n<source ")
    if not between:
        return sources
    return f"{first}</source>\n…{rest[rest.rindex('</source>') + len('</source>') :]}"
