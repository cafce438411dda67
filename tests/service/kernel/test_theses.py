"""Saved theses: written with their figures by every face, read as of a day, confirmed where outside text was read."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.support.research import DAY, research_services, researched, simulated_vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import ApprovalNeeded, NotFound, UsageError
from tradingagents.features.deep_report.capabilities.theses import SavedTheses, SavedThesis, save_thesis
from tradingagents.features.deep_report.schemas.saved_thesis import StoredThesis
from tradingagents.features.deep_report.theses import ThesisStore
from tradingagents.features.research.run import ResearchAnswer
from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.runs.run_folder import NoSuchRun
from tradingagents.service.kernel.caller import Caller
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.settings import load_settings


def kernel(home: Path) -> Kernel:
    return Kernel(load_settings({"data_vendor": "simulated", "home": home}, environ={}), vendors=simulated_vendors())


def saved(home: Path, *, as_of: str = DAY, caller: Caller | None = None, **given: Any) -> StoredThesis:
    result = kernel(home).ask("save_thesis", {"ticker": "VELQ", **given}, as_of=as_of, caller=caller or Caller())
    assert isinstance(result, SavedThesis)
    assert result.stored is not None
    return result.stored


def listed(home: Path, as_of: str = DAY, ticker: str = "") -> tuple[str, ...]:
    result = kernel(home).ask("saved_theses", {"ticker": ticker}, as_of=as_of)
    assert isinstance(result, SavedTheses)
    return tuple(one.thesis for one in result.theses)


@pytest.fixture(scope="module")
def research(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, ResearchAnswer]:
    import asyncio

    home = tmp_path_factory.mktemp("theses")
    return home, asyncio.run(researched(research_services(home), "Give me an overview of VELQ"))


def test_the_answer_of_a_run_is_saved_with_its_figures(research: tuple[Path, ResearchAnswer]):
    home, answer = research
    run_id = answer.record["run_id"]

    thesis = saved(home, run_id=run_id[:20], breakers="the margin falls below 40%; growth ends")

    assert thesis.thesis in answer.text
    assert "Sources:" not in thesis.thesis
    assert (thesis.ticker, thesis.known_on, thesis.run_id) == ("VELQ", date(2025, 3, 14), run_id)
    assert thesis.breakers == ("the margin falls below 40%", "growth ends")
    margin = next(one for one in thesis.figures if one.name == "operating_margin")
    assert (margin.value, margin.unit, margin.source) == (
        52.18,
        "%",
        "Twelve months of statements (get_ttm_analysis), simulated",
    )
    assert ThesisStore(home).get(thesis.thesis_id) == thesis
    assert saved(home, run_id=run_id, breakers="the margin falls below 40%; growth ends").thesis_id == thesis.thesis_id


def test_theses_of_a_later_day_are_not_read(tmp_path: Path):
    saved(tmp_path, thesis="late", as_of="2025-03-14")
    saved(tmp_path, thesis="early", as_of="2024-06-03")

    assert listed(tmp_path) == ("late", "early")
    assert listed(tmp_path, "2025-03-13") == ("early",)
    assert listed(tmp_path, "2024-06-02") == ()
    assert listed(tmp_path, ticker="OMBZ") == ()


def test_a_run_of_a_later_day_is_refused(research: tuple[Path, ResearchAnswer]):
    home, answer = research
    with pytest.raises(UsageError, match="lies after 2025-03-13"):
        saved(home, run_id=answer.record["run_id"], as_of="2025-03-13")


def test_nothing_to_save_is_refused(tmp_path: Path):
    with pytest.raises(UsageError, match="needs words or a run"):
        saved(tmp_path)
    with pytest.raises(UsageError, match="at most 20000"):
        saved(tmp_path, thesis="w" * 20_001)
    with pytest.raises(NoSuchRun):
        saved(tmp_path, run_id="1999")
    assert not (tmp_path / "theses").exists()


def test_an_agent_that_read_outside_text_asks_first(tmp_path: Path):
    reader = Caller(agent="assistant", outside_text_seen=True, auto_approve=True)
    with pytest.raises(ApprovalNeeded, match="text written by others was read"):
        saved(tmp_path, thesis="buy", caller=reader)
    assert not (tmp_path / "theses").exists()
    assert saved(tmp_path, thesis="hold", caller=Caller(agent="assistant")).thesis == "hold"
    assert kernel(tmp_path).info("saved_theses").policy.outside_text
    assert kernel(tmp_path).info("save_thesis").policy.writes


def test_the_capability_itself_writes_nothing(tmp_path: Path):
    market = MarketData(load_settings({"data_vendor": "simulated", "home": tmp_path}, environ={}), date(2025, 3, 14),
                        vendors=simulated_vendors())  # fmt: skip
    assert save_thesis.ask(market, ticker="VELQ", thesis="x").stored is None
    assert not (tmp_path / "theses").exists()


def test_a_damaged_file_is_named_and_an_unknown_id_said(tmp_path: Path):
    thesis = saved(tmp_path, thesis="one")
    path = tmp_path / "theses" / f"{thesis.thesis_id}.json"
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), "ticker": 7}), "utf-8")
    with pytest.raises(UnreadableFile, match="1 fields are wrong"):
        ThesisStore(tmp_path).get(thesis.thesis_id)
    for wrong in ("nothing", "../x", ""):
        with pytest.raises(NotFound):
            ThesisStore(tmp_path).get(wrong)
