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
