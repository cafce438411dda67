"""A weak model is never worse than none: where it gives nothing usable, rules answer a question about filings."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.openai_server import Answer, OpenAIServer
from tests.support.filings import ANALYSIS, GOOD, answerer, answering, filing
from tests.support.served_runs import server_config
from tradingagents.features.filings_qa.schemas import FilingsRecord
from tradingagents.graph.filings_answerer import FilingsAnswerer

QUESTION = "What was Acme's gross margin in fiscal 2024?"
CANNOT = {**GOOD, "completeness_score": 5, "specificity_score": 5, "accuracy_score": 5, "clarity_score": 20}


def by_rules(home: Path, question: str = QUESTION) -> str:
    """The answer without a model."""
    with answerer(home / "offline", None, filing()) as agent:
        return agent.ask(question).text


def assert_answered_by_rules(record: FilingsRecord, why: str, offline: str) -> None:
    said, _, rest = record["answer"].partition("\n\n")
    assert said.startswith("Fixed rules answer, since the language model gave no usable answer. ")
    assert why in said
    assert rest == offline
    assert (record["status"], record["written_by"], record["confidence"]) == ("done", "rules", 0.91)
    assert record["cited"] != []
    shown: Any = record
    (gap,) = [one for one in shown["degraded"] if one["kind"] == "by_rules"]
    assert why in gap["detail"]
    assert said in shown["warnings"]


def test_a_server_that_talks_nonsense_leaves_the_answer_of_the_rules(tmp_path: Path) -> None:
    with OpenAIServer() as server:
        server.always(Answer(text="The market is a place of dreams."))
        config = server_config(server, tmp_path)
        with FilingsAnswerer(config) as agent:
            agent.store.add(filing())
            record = agent.ask(QUESTION).record
        assert server.calls == 2
    why = "Question Analyzer: the model gave no usable answer in two attempts: the answer contains no JSON object"
    assert_answered_by_rules(record, why, by_rules(tmp_path))


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"Question Analyzer": "no"}, "Question Analyzer: the model gave no usable answer"),
        ({"Question Analyzer": {**ANALYSIS, "valid": False, "reason": "No."}}, "the model refused it"),
        ({"Question Analyzer": {**ANALYSIS, "companies": ["Globex"]}}, "read other companies from it"),
        ({"Research Planner": ""}, "Research Planner: the model's reply was empty, twice"),
        ({"Answer Writer": ""}, "Answer Writer: the model's reply was empty, twice"),
        ({"Answer Writer": "Margins rose because of hard work."}, "cites none of the sources"),
        ({"Answer Writer": "Margins rose on luck [10K7]."}, "cites none of the sources"),
        ({"Answer Assessor": CANNOT}, "has a confidence of 6%"),
        ({"Answer Assessor": "Fine."}, "Answer Assessor: the model gave no usable answer"),
    ],
)
def test_rules_answer_where_any_step_gives_nothing_usable(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    with answerer(tmp_path, answering(changes), filing()) as agent:
        record = agent.ask(QUESTION).record
    assert_answered_by_rules(record, why, by_rules(tmp_path))


def test_what_neither_model_nor_rules_can_answer_is_no_answer(tmp_path: Path) -> None:
    both = (filing(), filing("GLBX", "Globex Corp"))
    with answerer(tmp_path, answering({"Answer Writer": "Luck."}), *both) as agent:
        record = agent.ask("What was the gross margin in fiscal 2024?").record
    assert (record["status"], record["written_by"], record["cited"]) == ("no_answer", "rules", [])
    said, _, rest = record["answer"].partition("\n\n")
    assert "cites none of the sources" in said
    assert rest.startswith("The figure cannot be given: The question names no company")
    page = (tmp_path / "runs" / record["run_id"] / "reports" / "report.html").read_text("utf-8")
    assert "The answer cannot be given." in page


def test_a_good_answer_of_a_model_is_not_replaced(tmp_path: Path) -> None:
    with answerer(tmp_path, answering(), filing()) as agent:
        record = agent.ask(QUESTION).record
    assert (record["written_by"], record["degraded"]) == ("model", [])  # type: ignore[typeddict-item]


def test_a_conversation_goes_on_with_the_model_after_an_answer_by_rules(tmp_path: Path) -> None:
    model = answering({"Answer Writer": ["Luck.", "Gross margin rose to 40.0% on lower freight costs [10K1]."]})
    with answerer(tmp_path, model, filing()) as agent:
        first = agent.ask(QUESTION, conversation="talk").record
        second = agent.ask(QUESTION, conversation="talk").record
    assert (first["written_by"], second["written_by"]) == ("rules", "model")
    assert all("larger model" not in message.text for call in model.calls for message in call.messages)
