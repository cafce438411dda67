"""What the agents of a question are sent, and what a reader is shown, as agreed files."""

from __future__ import annotations

from pathlib import Path

from tests.support.filings import REPLIES, answerer, answering, call, filing
from tests.support.golden_files import assert_golden
from tests.support.graph_factory import role_of
from tradingagents.features.filings_qa.report import answer_markdown, answer_page
from tradingagents.features.filings_qa.schemas import FilingsRecord
from tradingagents.llm_clients.scripted import ScriptedCall

QUESTION = "What drove Acme's gross margin in fiscal 2024, and what did management say about it?"
ANALYSIS = {**REPLIES["Question Analyzer"], "data_source": "hybrid"}
PLAN = {
    "sub_questions": [
        {"phrase": "gross profit net sales", "kind": "table"},
        {"phrase": "gross margin increase driven by", "kind": "text", "items": ["7"]},
    ]
}
ANSWER = (
    "Gross margin rose to 40.0% in 2024, driven by lower freight costs [10K2].\n\n"
    "- Management guides to about 41% [T1].\n- Freight will stay cheap for years."
)


def _asked(home: Path) -> tuple[FilingsRecord, tuple[ScriptedCall, ...]]:
    model = answering({"Question Analyzer": ANALYSIS, "Filings Search Planner": PLAN, "Answer Writer": ANSWER})
    with answerer(home, model, filing(), call(year=2024, quarter=3)) as agent:
        record = agent.ask(QUESTION, as_of="2025-06-13").record
    return record, tuple(model.calls)


def test_every_agent_is_sent_what_was_agreed(tmp_path: Path) -> None:
    _, calls = _asked(tmp_path)
    shown = [
        f"# {role_of(one.messages)}, may call {', '.join(one.tools) or 'nothing'}\n\n"
        + "\n\n".join(f"## {message.type}\n\n{message.text}" for message in one.messages)
        for one in calls
    ]
    assert_golden("prompts/filings_qa.md", "\n\n".join(shown) + "\n")


def test_the_report_and_the_page_read_as_agreed(tmp_path: Path) -> None:
    record, _ = _asked(tmp_path)
    fixed = record.model_copy(update={"run_id": "20250613T200000Z-FILINGS_QA-2025-06-13-abc123"})
    assert_golden("reports/filings/complete_report.md", answer_markdown(fixed))
    assert_golden("reports/filings/report.html", answer_page(fixed))


def test_the_page_shows_hostile_text_as_text_and_needs_nothing_from_outside(tmp_path: Path) -> None:
    record, _ = _asked(tmp_path)
    script = "<script>alert(1)</script>"
    sources = [
        source.model_copy(update={"text": f"{script} {source.text}", "name": script, "url": "javascript:alert(1)"})
        for source in record.sources
    ]
    changed = {"question": script, "answer": f"{script} [10K2]", "sources": sources}
    page = answer_page(record.model_copy(update=changed))
    assert "<script" not in page
    assert "javascript:" not in page
    assert "default-src &#39;none&#39;" in page
