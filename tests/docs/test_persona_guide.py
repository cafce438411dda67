"""The persona of the guide works: its file is found, consulted with its tools only, and its memo handed over."""

from __future__ import annotations

from pathlib import Path

from tests.docs.blocks import ROOT
from tests.features.assistant.test_consultations import Cast
from tests.support.assistant_bench import COMPANY, AssistantBench, calls, memo
from tradingagents.features.assistant.agents.prompts import SUBMIT

GUIDE = ROOT / "docs" / "guides" / "adding-a-persona.md"


async def test_the_persona_of_the_guide_is_consulted(tmp_path: Path):
    written = GUIDE.read_text("utf-8").split("```yaml\n")[1].split("```")[0]
    folder = tmp_path / "personas"
    folder.mkdir()
    (folder / "income.yaml").write_text(
        written.replace("You judge", "By the method associated with Income Investor, you judge"), encoding="utf-8"
    )
    cast = Cast(
        assistant=[
            calls(("open_tools", {"topics": ["investors"]})),
            calls(("consult_income_investor", {"question": f"Is the dividend of {COMPANY} safe?"})),
            "It is.",
        ],
        income_investor=[
            calls(("get_cashflow", {"ticker": COMPANY})),
            memo(thesis="Earnings grow.", key_evidence=["Sales rise"], risks=["Sales fall"]),
            memo(thesis="Free cash flow covers the payout."),
        ],
    )
    async with AssistantBench(tmp_path, cast) as bench:
        await bench.say("Is the dividend safe?")
        assert cast.tools["income_investor"] == ("get_financials", "get_cashflow", "trailing_forward_pe", SUBMIT)
        assert "open_tools" in cast.tools["assistant"]  # shows the tool by which it is consulted
        assert "left out: cover, durability" in cast.seen["income_investor"][2][-1].text
        data = bench.of("memo")[0].data
        assert (data["guru"], data["fit_note"], data["supported"]) == ("income_investor", "", True)


async def test_by_fixed_rules_it_abstains(tmp_path: Path):
    written = GUIDE.read_text("utf-8").split("```yaml\n")[1].split("```")[0]
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "income.yaml").write_text(written, encoding="utf-8")
    async with AssistantBench(tmp_path) as bench:
        await bench.say(f"What would the income investor say about {COMPANY}?")
        assert bench.of("memo")[0].data["stance"] == "abstain"
