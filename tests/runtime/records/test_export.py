"""Exports of finished runs: every kind in every format, from Python and by a question that asks for a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pypdfium2
import pytest

from tests.reports.sample import sample_record
from tests.reports.spreadsheet import Spreadsheet
from tests.support.research import DAY, UNDERSTOOD, plan_of, research_services, researched, scripted, task
from tradingagents.errors import ConfigurationError, UsageError
from tradingagents.features.research.agents.plan_rules import EXPORT_DESCRIPTION, EXPORT_RATIONALE
from tradingagents.files.atomic import as_json
from tradingagents.graph.start import analyze, scan
from tradingagents.runtime.records import export
from tradingagents.runtime.records.export import check_export, export_record, export_run, format_of
from tradingagents.runtime.registry import record_of
from tradingagents.runtime.runs.run_folder import NoSuchRun
from tradingagents.runtime.runs.run_index import RunIndex


def pdf_words(content: bytes) -> str:
    file = pypdfium2.PdfDocument(content)
    try:
        return " ".join(" ".join(page.get_textpage().get_text_range() for page in file).split())
    finally:
        file.close()


async def test_a_finished_question_is_exported_in_every_format(tmp_path: Path):
    answer = await researched(research_services(tmp_path), "Give me an overview of VELQ")
    run = RunIndex(tmp_path).find(answer.record["run_id"])

    assert export_run(run, "md") == (run.path / "reports" / "complete_report.md").read_bytes()
    assert export_run(run, "html") == (run.path / "reports" / "report.html").read_bytes()
    pdf = export_run(run, "pdf")
    assert pdf == export_run(run, "pdf")
    words = pdf_words(pdf)
    assert words.index("Give me an overview of VELQ") < words.index("52.18%") < words.index("Data sheet")
    book = Spreadsheet(export_run(run, "xlsx"))
    assert 0.5218 in [round(book.cell(cell), 4) for cell in book.formulas()]

    assert answer.export(tmp_path / "a.pdf").read_bytes() == pdf
    with pytest.raises(UsageError, match="is there already"):
        answer.export(tmp_path / "a.pdf")
    assert answer.export(tmp_path / "a.pdf", force=True) == tmp_path / "a.pdf"
    with pytest.raises(UsageError, match="can be exported as md, html, pdf, xlsx, not as 'doc'"):
        answer.export(tmp_path / "a.doc")


async def test_a_run_that_left_no_file_is_exported_from_its_record(tmp_path: Path):
    answer = await researched(research_services(tmp_path), persist="none")

    assert "# What are the margins of VELQ?" in answer.export(tmp_path / "a.md").read_text("utf-8")
    assert "<h1" in answer.export(tmp_path / "a.html").read_text("utf-8")
    assert "52.18%" in pdf_words(answer.export(tmp_path / "a.pdf").read_bytes())


async def test_a_question_for_excel_gathers_figures_and_leaves_a_workbook(tmp_path: Path):
    answer = await researched(research_services(tmp_path), "Give me an overview of VELQ as an Excel workbook")
    record = answer.record

    (plan,) = [note["plan"] for note in record["iterations"]]
    added = plan["tasks"][-1]
    assert (added["description"], added["rationale"]) == (EXPORT_DESCRIPTION, EXPORT_RATIONALE)
    (done,) = [one for one in record["tasks"] if one["task_id"] == added["id"]]
    assert done["status"] == "completed"
    assert {figure["name"] for fact in done["facts"] for figure in fact["figures"]} >= {"revenue", "net_income"}
    path = Path(record["paths"]["export"])
    assert path == tmp_path / "runs" / record["run_id"] / "reports" / "report.xlsx"
    assert path.read_bytes() == export_run(RunIndex(tmp_path).find(record["run_id"]), "xlsx")


async def test_a_full_offline_plan_makes_room_for_the_figures(tmp_path: Path):
    record = (await researched(research_services(tmp_path), "Build a thesis on VELQ for Excel")).record

    tasks = record["iterations"][0]["plan"]["tasks"]
    assert len(tasks) == 10
    assert [one["description"] for one in tasks].count(EXPORT_DESCRIPTION) == 1
    assert {one["status"] for one in record["tasks"]} == {"completed"}


async def test_the_word_pdf_is_no_company_and_a_pdf_is_left(tmp_path: Path):
    record = (await researched(research_services(tmp_path), "What are the margins of VELQ and OMBZ? Make a PDF")).record

    assert record["understanding"]["tickers"] == ["VELQ", "OMBZ"]
    assert record["paths"]["export"].endswith("report.pdf")
    assert "52.18%" in pdf_words(Path(record["paths"]["export"]).read_bytes())


async def test_a_model_that_reads_the_intent_gets_the_task_the_instruction_and_the_file(tmp_path: Path):
    model = scripted(
        {"Question Reader": {**UNDERSTOOD, "export_intent": "excel"}, "Planner": plan_of(task(1, "Margins"))}
    )

    record = (await researched(research_services(tmp_path, model))).record

    assert [one["description"] for one in record["tasks"]] == ["Margins", EXPORT_DESCRIPTION]
    last = "\n".join(message.text for message in model.calls[-1].messages)
    assert "a workbook" in last
    assert Path(record["paths"]["export"]).name == "report.xlsx"


async def test_a_missing_extra_costs_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(export._NEEDS, "pdf", ("no_such_module",))  # type: ignore[index]

    record = (await researched(research_services(tmp_path), "What are the margins of VELQ? Make a PDF")).record

    assert record["status"] == "done"
    assert "export" not in record["paths"]
    assert any("pip install 'tradingagents[pdf]'" in line for line in record["warnings"])
    with pytest.raises(ConfigurationError, match=r"pip install 'tradingagents\[pdf\]'"):
        check_export(tmp_path / "x.pdf")


async def test_analyses_and_scans_are_exported_too(tmp_path: Path):
    services = research_services(tmp_path)
    run = await analyze(services, "VELQ", DAY)
    found = await scan(services, DAY)

    for result in (run, found):
        name = result.record["run_id"]
        words = pdf_words(result.export(tmp_path / f"{name}.pdf").read_bytes())
        assert ("Decision" in words and "Charts" in words) or "Stocks to investigate" in words
        book = Spreadsheet(result.export(tmp_path / f"{name}.xlsx").read_bytes())
        assert len([at for sheet, at in book.cells if sheet == "Figures" and at.startswith("D")]) > 20


TURN = {**sample_record(), "kind": "assistant_turn"}


def write_run(home: Path, run_id: str, card: dict[str, Any] | None, report: str = "") -> Any:
    folder = home / "runs" / run_id
    (folder / "reports").mkdir(parents=True)
    if card is not None:
        (folder / "run.json").write_text(as_json(card), "utf-8")
    if report:
        (folder / "reports" / "complete_report.md").write_text(report, "utf-8")
    return RunIndex(home).find(run_id)


def test_a_kind_without_a_document_is_exported_from_its_markdown(tmp_path: Path):
    run_id = "20250314T210000Z-VELQ-2025-03-14-7f3a"
    run = write_run(tmp_path, run_id, TURN, "# A title\n\n## Part\n\nSome words.\n")

    words = pdf_words(export_run(run, "pdf"))

    assert words.index("A title") < words.index("Part") < words.index("Some words.")
    assert ("Summary", "A1") in Spreadsheet(export_run(run, "xlsx")).cells


def test_a_run_without_a_report_says_so(tmp_path: Path):
    with pytest.raises(NoSuchRun, match="has no report yet"):
        export_run(write_run(tmp_path, "20250314T210000Z-VELQ-2025-03-14-7f3a", None), "pdf")
    with pytest.raises(UsageError, match="has no report to export"):
        export_run(
            write_run(tmp_path, "20250314T210000Z-VELQ-2025-03-14-7f3b", TURN),
            "pdf",
        )


def test_an_older_card_without_a_kind_is_an_analysis():
    record: dict[str, Any] = dict(sample_record())
    record.pop("kind", None)

    assert "BUY with confidence 62%" in pdf_words(export_record(record_of(record), "pdf"))


def test_the_ending_chooses_the_format():
    assert format_of(Path("a.PDF")) == "pdf"
    with pytest.raises(UsageError, match="not as ''"):
        format_of(Path("report"))
