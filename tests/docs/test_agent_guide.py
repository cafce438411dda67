"""The analyst of the guide works: one file, installed as a package, appears wherever agents are listed."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from cli.flags import Flags, read_settings
from cli.progress import RunProgress, trading_roster
from tests.docs.blocks import ROOT, python_blocks
from tests.support.graph_factory import COMPANY, DAY, Watch, role_of, scripted, trading_graph
from tests.support.prompt_reader import prescribed_in
from tradingagents.agents.roster import analyst_sections, authors, labels, roster, trading_reports
from tradingagents.errors import SettingsError, UsageError
from tradingagents.graph.contextual import messages_of
from tradingagents.graph.estimates.estimate import estimate_analyze
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.reports import sections
from tradingagents.runtime.prompt_hashes import prompt_hashes
from tradingagents.settings import ANALYSTS, analyst_choices, load_settings

GUIDE = ROOT / "docs" / "guides" / "adding-an-agent.md"
CHOSEN = ("market", "calendar")
SECTIONS = (sections.analysts, sections.decision_texts, sections.every_section, sections.scan_sections)
AGENT, KEY = "Calendar Analyst", "calendar_report"
SAID = "Results are due on 2025-04-24."


def forget_roster() -> None:
    """Have the roster read anew: a package was installed or removed."""
    for cached in (roster, authors, labels, analyst_sections, trading_reports, *SECTIONS):
        cached.cache_clear()


def install(site: Path, monkeypatch: pytest.MonkeyPatch, points: str, **modules: str) -> None:
    """Leave a package in a folder as pip would, and let it be found."""
    info = site / "tradingagents_calendar-1.0.dist-info"
    info.mkdir(parents=True)
    for name, text in modules.items():
        (site / f"{name}.py").write_text(text, encoding="utf-8")
    (info / "METADATA").write_text(
        "Metadata-Version: 2.1\nName: tradingagents-calendar\nVersion: 1.0\n", encoding="utf-8"
    )
    (info / "entry_points.txt").write_text(points, encoding="utf-8")
    monkeypatch.syspath_prepend(str(site))
    forget_roster()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "site"
    forget_roster()
    for module in ("tradingagents_calendar", "tradingagents_broken"):
        sys.modules.pop(module, None)


@pytest.fixture
def calendar(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The guide's package."""
    (block,) = python_blocks(GUIDE)
    points = GUIDE.read_text("utf-8").split("```toml\n")[1].split("```")[0]
    points = points.replace('[project.entry-points."tradingagents.agents"]', "[tradingagents.agents]").replace('"', "")
    install(site, monkeypatch, points, tradingagents_calendar=block.text)


@pytest.mark.usefixtures("calendar")
def test_it_runs_is_read_and_stands_in_record_report_and_page(tmp_path: Path) -> None:
    model, watch = scripted({AGENT: SAID}), Watch()
    run = trading_graph(model, home=tmp_path, analysts=CHOSEN).run(COMPANY, DAY, subscribers=[watch])
    own = [call for call in model.calls if role_of(call.messages) == AGENT]
    assert own[0].tools == ("get_earnings_calendar", "get_economic_calendar")
    assert [one.name for one in prescribed_in(own[0].messages) if one.type == "tool"] == list(own[0].tools)
    for reader in ("Bull Researcher", "Research Manager", "Risk Manager"):
        prompt = next(call for call in model.calls if role_of(call.messages) == reader).messages[-1].text
        assert f'<report name="{KEY}" by="{AGENT}">\n{SAID}' in prompt
    assert run.state[KEY] == SAID  # type: ignore[literal-required]
    assert run.record["reports"][KEY] == SAID
    assert run.record["prompts"].keys() >= {AGENT, "Market Analyst"}
    assert [message.name for message in messages_of(run.state)][:2] == ["Market_Analyst", "Calendar_Analyst"]
    reports = Path(run.record["paths"]["folder"]) / "reports"
    assert SAID in (reports / "1_analysts" / "calendar.md").read_text("utf-8")
    assert SAID in (reports / "complete_report.md").read_text("utf-8")
    page = (reports / "report.html").read_text("utf-8")
    assert SAID in page
    assert 'id="report-calendar-report"' in page
    progress = RunProgress.waiting(COMPANY, trading_roster(CHOSEN))
    for event in watch.events:
        progress.apply(event)
    assert progress.agents[AGENT].state == "done"


@pytest.mark.usefixtures("calendar")
def test_a_run_that_does_not_select_it_is_as_it_was() -> None:
    assert analyst_choices() == (*ANALYSTS, "calendar")
    assert load_settings(environ={}).analysts == ANALYSTS
    assert AGENT not in prompt_hashes()
    assert AGENT in prompt_hashes(CHOSEN)


@pytest.mark.usefixtures("calendar")
def test_the_command_line_offers_it_and_runs_it_offline(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from cli.main import main

    with pytest.raises(UsageError, match="market, social, news, fundamentals, calendar"):
        read_settings(Flags(analysts="market,calender"), {})
    arguments = [
        "analyze",
        COMPANY,
        DAY,
        "--offline",
        "--analysts",
        "market,calendar",
        "--json",
        "--home",
        str(tmp_path),
    ]
    monkeypatch.setattr(sys, "argv", ["tradingagents", *arguments])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code in (0, None)
    said = capsys.readouterr().out
    assert f'"{KEY}"' in said
    assert "| results_due |" in said or "| results due |" in said, "its own rule wrote the report"


@pytest.mark.usefixtures("calendar")
async def test_an_estimate_counts_it(tmp_path: Path) -> None:
    settings = load_settings({"data_vendor": "simulated", "analysts": CHOSEN, "home": tmp_path}, environ={})
    estimate = await estimate_analyze(settings, [COMPANY], date.fromisoformat(DAY))
    assert [agent["agent"] for agent in estimate["parts"][0]["agents"]][:2] == ["Market Analyst", AGENT]


@pytest.mark.usefixtures("calendar")
def test_the_reference_page_lists_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    pages: Any = importlib.import_module("pages.agents")
    page = pages.agents_page(importlib.import_module("pages.watched").watch_a_run())
    row = next(line for line in page.splitlines() if line.startswith(f"| [{AGENT}]"))
    assert row.count("|") == 7
    assert "`get_earnings_calendar`" in row
    assert f"`{KEY}`" in row
    assert "agent_node(tradingagents_calendar.SPEC, llm)" in page


def test_a_package_that_cannot_be_loaded_disturbs_only_who_selects_it(
    site: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    points = "[tradingagents.agents]\nbroken = tradingagents_broken:SPEC\nmarket = tradingagents_broken:SPEC\n"
    install(site, monkeypatch, points, tradingagents_broken="raise RuntimeError('not today')")
    assert set(roster().analysts) == set(ANALYSTS)
    settings = {"llm_provider": "offline", "data_vendor": "simulated", "home": tmp_path, "analysts": ("broken",)}
    with pytest.raises(SettingsError, match="RuntimeError: not today; repair or uninstall"):
        TradingAgentsGraph(config=settings).propagate(COMPANY, DAY)


def test_a_package_cannot_take_the_key_of_another_agent(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (block,) = python_blocks(GUIDE)
    taken = block.text.replace(KEY, "news_report")
    install(
        site,
        monkeypatch,
        "[tradingagents.agents]\ncalendar = tradingagents_calendar:SPEC\n",
        tradingagents_calendar=taken,
    )
    assert "another agent" in roster().broken["calendar"]
