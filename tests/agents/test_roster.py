"""The roster: every agent declared once, in its own file, and read from there by everything else."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest

from tests.docs.blocks import ROOT
from tradingagents.agents.builders.debate_state import order_of
from tradingagents.agents.debates import RESEARCH, RISK
from tradingagents.agents.roster import (
    agent_of,
    analyst,
    authors,
    copied_texts,
    judge_of,
    phases,
    report_keys,
    roster,
    scan_agents,
    trading_agents,
    trading_texts,
)
from tradingagents.errors import SettingsError
from tradingagents.memory.situations import MEMORY_NAMES
from tradingagents.settings import ANALYSTS


def literals(folder: Path, names: Collection[str]) -> Iterator[tuple[str, str]]:
    """Yield every string literal of the Python files below a folder that contain one of some names, with its file."""
    for path in folder.rglob("*.py"):
        text = path.read_text("utf-8")
        if not any(name in text for name in names):  # parsing all takes six seconds
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield path.relative_to(ROOT).as_posix(), node.value


def test_an_agent_s_name_stands_in_its_own_file_only() -> None:
    known = roster()
    own = {name: module.replace(".", "/") + ".py" for name, module in known.modules.items()}
    strays = {
        (path, value)
        for folder in ("tradingagents", "cli")
        for path, value in literals(ROOT / folder, own)
        if value in own and path != own[value]
    }
    assert strays == set()


def test_every_agent_has_one_name_one_text_and_a_memory_that_exists() -> None:
    agents = roster().every
    assert len({spec.name for spec in agents}) == len(agents) == 17
    keys = [section.key for spec in agents for section in spec.sections]
    assert len(keys) == len(set(keys)) == len(authors())
    assert {spec.memory for spec in agents} - {None} == set(MEMORY_NAMES)
    assert all(spec.duty for spec in agents if spec.memory)
    assert all(spec.prompt_template.strip() for spec in agents)


def test_texts_stand_in_the_order_of_a_run() -> None:
    assert trading_texts() == (
        *("market_report", "sentiment_report", "news_report", "fundamentals_report", "macro_regime_report"),
        *(
            "valuation_report",
            "macro_scan_summary",
            "investment_plan",
            "trader_investment_plan",
            "final_trade_decision",
        ),
    )
    assert copied_texts() == ("macro_regime_report", "valuation_report")
    assert report_keys(["scanners"]) == ("geopolitical_report", "market_movers_report", "sector_performance_report")


def test_agents_by_phase() -> None:
    assert phases(trading_agents(("news", "market"))) == {
        "analysts": ("News Analyst", "Market Analyst"),
        "research": ("Bull Researcher", "Bear Researcher", "Research Manager"),
        "trading": ("Trader",),
        "risk": ("Aggressive Debator", "Conservative Debator", "Neutral Debator"),
        "decision": ("Risk Manager",),
    }
    assert list(phases(scan_agents())) == ["scanners", "industries", "synthesis"]


def test_a_debate_has_its_speakers_and_its_judge() -> None:
    assert (order_of(RESEARCH), judge_of(RESEARCH).name) == (("Bull Researcher", "Bear Researcher"), "Research Manager")
    assert judge_of(RISK).output_key == "final_trade_decision"
    assert agent_of("trader_investment_plan").name == "Trader"
    with pytest.raises(KeyError):
        agent_of("nobody_s_key")


def test_an_unknown_analyst_is_refused_with_the_nearest() -> None:
    with pytest.raises(SettingsError, match=r"'markets'; did you mean market\? Analysts are: market, social"):
        analyst("markets")
    assert tuple(roster().analysts)[: len(ANALYSTS)] == ANALYSTS


@pytest.mark.parametrize(
    ("code", "absent"),
    [
        ("from tradingagents.agents.roster import roster; roster()", ("langchain_core", "langgraph")),
        ("import tradingagents.agents.roster", ("tradingagents.agents.spec", "numpy")),
        ("import sys; sys.argv = ['x', 'analyze', '--help']; import cli.main", ("tradingagents.agents",)),
    ],
)
def test_declarations_load_no_model_library(code: str, absent: tuple[str, ...]) -> None:
    check = f"{code}\nimport sys\nprint([name for name in {absent!r} if name in sys.modules])"
    ran = subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ran.stdout.strip() == "[]"
