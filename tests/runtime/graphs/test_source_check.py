"""Answers show no figure without a source: one repair by the model, then the figure is withheld and counted."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.features.compare.test_compare import compared
from tests.support.debate import CONTENTION, MODERATOR, RESPONDENT, VERDICT, asked_about, debated, debating
from tests.support.graph_factory import role_of
from tests.support.research import INCOMPLETE, research_services, researched, scripted
from tradingagents.errors import BudgetReached, ModelUnreachable
from tradingagents.events import Event
from tradingagents.llm_clients.scripted import ScriptedChatModel
from tradingagents.provenance.figure_check import Given
from tradingagents.runtime.graphs.source_check import WITHHELD, withheld_from, withheld_note
from tradingagents.schemas.records import WithheldRecord

RIGHT, WRONG = "VELQ keeps 52.18% of its revenue as operating income.", "VELQ keeps 77.77% of its revenue."


def writers(model: ScriptedChatModel, role: str = "Synthesizer") -> list[Any]:
    return [call for call in model.calls if role_of(call.messages) == role]


async def test_the_model_is_told_which_figures_have_no_source_and_its_repair_is_the_answer(tmp_path: Path):
    model, seen = scripted({"Synthesizer": [WRONG, RIGHT]}), list[Event]()
    record = (await researched(research_services(tmp_path, model), watch=seen.append)).record
    first, second = writers(model)
    assert second.messages[: len(first.messages)] == first.messages, "the repair extends the first prompt"
    assert second.messages[-2].text == WRONG
    assert "- 77.77% in: VELQ keeps 77.77% of its revenue." in second.messages[-1].text
    assert record["answer"].startswith(RIGHT)
    assert record["withheld"] == []
    assert record["grounding"]["unmatched"] == []
    (again,) = [event for event in seen if event.type == "retry"]
    assert again.node == "Synthesizer", "who shows the draft begins anew"


async def test_a_figure_that_stays_without_a_source_is_withheld_counted_and_recorded(tmp_path: Path):
    told = f"{RIGHT} {WRONG}"
    model = scripted({"Synthesizer": told})
    answer = await researched(research_services(tmp_path, model))
    record = answer.record
    assert len(writers(model)) == 2, "one repair, whatever the model writes"
    assert f"VELQ keeps {WITHHELD} of its revenue." in answer.text
    assert "52.18%" in answer.text
    assert "77.77" not in answer.text
    assert "**Withheld:** 1 figure has no source in the data of this run." in answer.text
    assert record.withheld == [WithheldRecord(report="answer", figures=["77.77%"], written=told)]
    assert record["grounding"]["unmatched"] == []
    folder = tmp_path / "runs" / record["run_id"]
    for name in ("complete_report.md", "answer.md", "report.html"):
        page = (folder / "reports" / name).read_text()
        assert WITHHELD in page
        assert "77.77" not in page
    assert json.loads((folder / "run.json").read_text())["withheld"] == record.as_json()["withheld"]


async def test_a_worse_repair_is_not_taken(tmp_path: Path):
    model = scripted({"Synthesizer": [f"{RIGHT} {WRONG}", f"{WRONG} Its gross margin is 88.88%."]})
    record = (await researched(research_services(tmp_path, model))).record
    assert "52.18%" in record["answer"]
    assert record["withheld"][0]["figures"] == ["77.77%"]


@pytest.mark.parametrize("failure", ["budget", "model"])
async def test_without_a_repair_the_figure_is_withheld_and_the_answer_stands(tmp_path: Path, failure: str):
    changes: dict[str, Any] = {"Synthesizer": f"{RIGHT} {WRONG}"}
    settings: dict[str, Any] = {"max_llm_calls": 7}  # all that the loop makes without the repair
    if failure == "model":
        changes["Synthesizer"], settings = [f"{RIGHT} {WRONG}", ModelUnreachable("gone")], {"llm_max_retries": 0}
    model = scripted(changes)
    record = (await researched(research_services(tmp_path, model, **settings))).record
    assert record["status"] == "done"
    assert record["withheld"][0]["figures"] == ["77.77%"]
    assert "52.18%" in record["answer"]


async def test_a_partial_answer_withholds_what_its_findings_made_up(tmp_path: Path):
    def executor(messages: Any, tools: tuple[str, ...]) -> Any:
        from tests.support.research import executes

        reply = executes(messages, tools)
        return f"{reply} Its market share is 77.77%." if isinstance(reply, str) else reply

    model = scripted({"Task Executor": executor, "Reflector": INCOMPLETE})
    services = research_services(tmp_path, model, max_llm_calls=6)
    with pytest.raises(BudgetReached):
        await researched(services)
    (folder,) = (tmp_path / "runs").iterdir()
    record = json.loads((folder / "run.json").read_text())
    assert "52.18%" in record["answer"]
    assert "77.77" not in record["answer"]
    assert WITHHELD in record["answer"]
    assert set(record["withheld"][0]["figures"]) == {"77.77%"}


async def test_a_comparison_and_an_answer_about_a_debate_show_no_figure_without_a_source(tmp_path: Path):
    def synthesizer(*_: Any) -> str:
        return RIGHT

    model = scripted({"Synthesizer": synthesizer, "Comparer": WRONG})
    record = (await compared(research_services(tmp_path, model), ("VELQ", "PIXZ"), ("margins",))).record
    assert len(writers(model, "Comparer")) == 2
    assert WITHHELD in record["answer"]
    assert record["withheld"][0]["figures"] == ["77.77%"]
    debater = debating({RESPONDENT: WRONG})
    services = research_services(tmp_path / "debate", debater)
    debate = (await debated(services)).record
    assert debate["withheld"] == []
    told = (await asked_about(services, debate["run_id"], "What would change your mind?")).record
    assert told["answer"] == (
        f"VELQ keeps {WITHHELD} of its revenue.\n\n**Withheld:** 1 figure has no source in the data of this run."
    )
    assert told["withheld"][0]["figures"] == ["77.77%"]


async def test_a_verdict_shows_no_figure_without_a_source_but_its_conditions(tmp_path: Path):
    wrong = {
        **VERDICT,
        "because": "margins of 77.77% pay for growth",
        "contentions": [{**CONTENTION, "bull": "Its gross margin is 88.88%."}, CONTENTION],
        "breaks_if": "the operating margin falls below 33.33%",
    }
    model = debating({MODERATOR: wrong})
    record = (await debated(research_services(tmp_path, model))).record
    assert record["withheld"][0]["figures"] == ["88.88%", "77.77%"]
    assert record["verdict"]["because"] == f"margins of {WITHHELD} pay for growth"
    assert record["verdict"]["breaks_if"].endswith("33.33%"), "a condition is the moderator's own"
    assert record["reports"]["verdict"].endswith("**Withheld:** 2 figures have no source in the data of this run.")
    assert "77.77" not in record["reports"]["verdict"]
    repaired = debating({MODERATOR: [wrong, VERDICT]})
    record = (await debated(research_services(tmp_path / "repaired", repaired))).record
    assert record["withheld"] == []
    assert record["verdict"]["because"] == VERDICT["because"]


def test_the_note_on_withheld_figures_is_itself_no_figure_and_a_marker_begins_no_link():
    shown = withheld_from("A 77.77%(see) and 5 more.", [(2, 8)], "answer")
    assert shown.text == f"A {WITHHELD} (see) and 5 more."
    for count in (1, 5, 14, 900):
        note = withheld_note([WithheldRecord(report="answer", figures=["1.1%"] * count, written="")])
        assert note
        assert not Given(()).places(note)
    assert withheld_note([]) == ""
