"""What the models are sent: prompts and tool schemas as agreed files."""

from __future__ import annotations

import json
from pathlib import Path

from tests.features.assistant.test_consultations import ASK_BUFFETT, ASK_MARKS, VALUATION, Cast
from tests.support.assistant_bench import COMPANY, AssistantBench, calls, memo
from tests.support.golden_files import assert_golden
from tradingagents.features.assistant.agents.consult import consult_offer
from tradingagents.features.assistant.agents.definitions import agent_registry
from tradingagents.features.assistant.agents.memos import submit_offer
from tradingagents.features.assistant.agents.shown_tools import ALWAYS, TOPICS, shown_offers, topic_of
from tradingagents.features.assistant.sessions.budget import schema_tokens

ASK_DRUCKENMILLER = ("consult_stanley_druckenmiller", {"question": f"Does the macro picture support {COMPANY}?"})


def shown_in_golden(tool: str) -> bool:
    """Tell whether a tool is in the files: of the kinds of tasks, one stands for all."""
    return not tool.startswith("start_") or tool == "start_analyze"


async def test_the_prompts_of_the_assistant_and_the_personas(tmp_path: Path):
    cast = Cast(
        assistant=[calls(ASK_BUFFETT, ASK_MARKS, ASK_DRUCKENMILLER), "They differ."],
        warren_buffett=[VALUATION, memo()],
        howard_marks=[memo(stance="abstain", citations=[])],
        stanley_druckenmiller=[memo(stance="neutral", citations=[])],
    )
    async with AssistantBench(tmp_path, cast) as bench:
        view = bench.session.view.model_copy(update={"symbols": (COMPANY,), "page": "chart", "note": "# Your role: x"})
        bench.store.set_view(bench.session_id, view)
        await bench.say("What would investors say about WATZ?")
        shown = []
        for who, seen in cast.seen.items():
            told = "\n\n".join(f"## {one.type}\n\n{one.text[:6000]}" for one in seen[-1])
            shown.append(f"# {who}, may call {', '.join(map(str, filter(shown_in_golden, cast.tools[who])))}\n\n{told}")
        assert_golden("prompts/assistant.md", "\n\n".join(shown) + "\n")


async def test_few_tools_are_shown_before_the_first_word_and_those_of_a_topic_once_it_is_opened(tmp_path: Path):
    shown: list[set[str]] = []
    script = [
        calls(("open_tools", {"topics": ["risk", "investors"]})),
        calls(("risk_profile", {"ticker": COMPANY})),
        "It moves little.",
        "Yes.",
        "Yes.",
    ]

    def reply(_messages: object, tools: tuple[str, ...]) -> object:
        shown.append(set(tools))
        return script[len(shown) - 1]

    async with AssistantBench(tmp_path, reply) as bench:
        assert await bench.say("How risky is WATZ?") == "It moves little."
        assert bench.called() == ["open_tools", "risk_profile"]
        assert "Shown now: risk_profile, beta_estimate, lppl_analysis, open_chart" in bench.of("tool_result")[0].text
        await bench.say("Sure?")
        await bench.say("Really?")
        first, opened, same, next_turn, later = shown
        assert first == set(ALWAYS)
        assert opened == same == next_turn > {"risk_profile", "consult_howard_marks", *ALWAYS}
        assert later == first
        agents = agent_registry(bench.settings)
        offers = [*await bench.host.offers(agents.assistant), *map(consult_offer, agents.personas)]
        before = [offer.to_openai() for offer in shown_offers(offers, (), "")]
        assert schema_tokens(before) <= 2000
        assert {topic_of(offer.name) for offer in offers if offer.name not in ALWAYS} == set(TOPICS) - {"connected"}
        assert_golden("tools/assistant_first.json", json.dumps(before, indent=1, ensure_ascii=False) + "\n")


async def test_the_schemas_of_the_assistant_s_tools(tmp_path: Path):
    async with AssistantBench(tmp_path) as bench:
        agents = agent_registry(bench.settings)
        offers = [*await bench.host.offers(agents.assistant), *map(consult_offer, agents.personas), submit_offer()]
        schemas = [offer.to_openai() for offer in offers]
        assert len({one["function"]["name"] for one in schemas}) == len(schemas)
        shown = [one for one in schemas if shown_in_golden(one["function"]["name"])]
        assert_golden("tools/assistant.json", json.dumps(shown, indent=1, ensure_ascii=False) + "\n")
        assert {one.name for one in agents._definitions.values() if not one.hidden} == {"assistant"}
        small = await bench.host.offers(agent_registry(bench.settings, 16_384).assistant)
        assert schema_tokens([one.to_openai() for one in small]) < 5000, "16k tokens must leave room to converse"
        tools = {offer.name for offer in offers}
        assert {"sec_filings", "market_regime", "economic", "financials", "resolve", "current_view_context"} <= tools
