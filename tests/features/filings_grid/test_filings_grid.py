"""A grid of documents and questions: cited figures, quotations, absent cells, conflicts; killed and resumed."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

from tests.support.filings import INCOME, answering, call, filing
from tests.support.research import research_services
from tests.support.warm import fork
from tradingagents.errors import BudgetReached, NoData, UsageError
from tradingagents.events import Event
from tradingagents.features.filings_grid.kind import FILINGS_GRID, FilingsGridRequest, questions_in
from tradingagents.features.filings_grid.report import grid_document, grid_text
from tradingagents.features.filings_grid.schemas import FilingsCell, GridRecord
from tradingagents.reports.render.html import to_html
from tradingagents.retrieval.models import SourceDocument
from tradingagents.retrieval.store import open_store
from tradingagents.runtime.executor import RunOptions, resume, start
from tradingagents.runtime.manifest import read_manifest
from tradingagents.runtime.services import Services

DAY = date(2025, 6, 30)
REVENUE, MARGIN = "What was revenue?", "What was the gross margin?"
GLOBEX = INCOME.replace("12,400", "9,000").replace("7,440", "4,500").replace("4,960", "4,500")
AMENDED = INCOME.replace("12,400", "12,300").replace("4,960", "4,860")


def stored(services: Services, *documents: SourceDocument) -> Services:
    with open_store(services.settings) as store:
        for document in documents:
            store.add(document)
    return services


def both() -> tuple[SourceDocument, SourceDocument]:
    return filing(), filing("GLBX", "Globex Corp", pages=(GLOBEX, "Item 1. Business\nWe sell globes in Paris."))


def grid(services: Services, *questions: str, companies: Sequence[str] = ("ACME", "GLBX"), **more: Any) -> GridRecord:
    watch = more.pop("watch", None)
    request = FilingsGridRequest(companies=tuple(companies), questions=questions, day=DAY, **more)
    options = RunOptions(subscribers=(watch,) if watch else ())

    async def read() -> GridRecord:
        return (await start(FILINGS_GRID, request, services, options).result()).record

    try:
        return asyncio.run(read())
    finally:
        services.close()


def cells_of(record: GridRecord) -> dict[tuple[str, int], FilingsCell]:
    return {(record.documents[cell.row].symbol, cell.column): cell for cell in record.cells}


def test_each_cell_is_of_its_own_document_with_its_line(tmp_path: Path) -> None:
    record = grid(stored(research_services(tmp_path), *both()), REVENUE, MARGIN, "What was inventory?")
    cells = cells_of(record)
    assert record.status == "done"
    assert record.answer == "2 documents, 3 questions: 4 values, 2 absent."
    assert [(cells[symbol, 0].value, cells[symbol, 0].unit) for symbol in ("ACME", "GLBX")] == [
        (12_400, "USD millions"),
        (9_000, "USD millions"),
    ]
    assert cells["ACME", 1].value == pytest.approx(40.0)  # 4,960 / 12,400
    assert cells["GLBX", 1].value == pytest.approx(50.0)  # 4,500 / 9,000
    assert [passage.text for passage in cells["GLBX", 0].passages] == [
        "Net sales                          $ 9,000  $ 11,300  $ 10,900"
    ]
    for symbol in ("ACME", "GLBX"):
        assert cells[symbol, 2].status == "absent"
        assert cells[symbol, 2].reason == "The filing has no balance sheet that could be read."


PARTS = """Note 3. Revenue
The following table shows net sales by kind:
                                           Years ended December 31,
(In millions, except percentages)          2024       2023     Change
Equipment                               $ 9,400    $ 8,700      8%
Services                                  3,000      2,600     15%
Net sales                              $ 12,400   $ 11,300     10%
"""


def test_a_part_of_an_item_is_of_the_row_that_names_it_or_absent(tmp_path: Path) -> None:
    services = stored(research_services(tmp_path), filing(pages=(INCOME, PARTS)))
    asked = ("What was services revenue?", "What was advertising revenue?", "What was the cost of sales amount?")
    given, unnamed, whole = grid(services, *asked, companies=("ACME",)).cells
    assert (given.status, given.value, given.unit) == ("value", 3_000, "USD millions")
    assert [passage.text.split() for passage in given.passages] == [["Services", "3,000", "2,600", "15%"]]
    assert (unnamed.status, unnamed.value) == ("absent", None)
    assert unnamed.reason == "No row of it gives: advertising."
    assert (whole.status, whole.value) == ("value", 7_440)


def test_a_question_about_one_company_is_absent_from_the_others(tmp_path: Path) -> None:
    record = grid(stored(research_services(tmp_path), *both()), "What was Globex's revenue?")
    cells = cells_of(record)
    assert (cells["GLBX", 0].status, cells["GLBX", 0].value) == ("value", 9_000)
    assert cells["ACME", 0].status == "absent"
    assert cells["ACME", 0].reason == "The question is about GLBX, and the document is of ACME."


def test_without_a_model_the_nearest_sentence_is_quoted_as_such_or_nothing(tmp_path: Path) -> None:
    questions = ("Which new contracts took effect for freight costs?", "Who audits the accounts?")
    record = grid(stored(research_services(tmp_path), *both()), *questions, companies=("ACME",))
    quoted, absent = record.cells
    assert quoted.status == "quoted"
    assert "after new contracts took effect" in quoted.answer
    assert absent.status == "absent"
    assert "nearest sentence: " in grid_text(record)


def test_documents_of_one_company_that_differ_on_a_period_conflict_and_others_do_not(tmp_path: Path) -> None:
    later = filing(form="10-K/A", known_at=datetime(2025, 4, 1, tzinfo=UTC), pages=(AMENDED,))
    services = stored(research_services(tmp_path), filing(), later, both()[1])
    record = grid(services, REVENUE, "What was revenue in fiscal 2023?", latest=2)
    statuses = {(record.documents[cell.row].form, cell.column): cell.status for cell in record.cells if cell.row < 2}
    assert statuses == {
        ("10-K/A", 0): "conflict",
        ("10-K", 0): "conflict",
        ("10-K/A", 1): "value",
        ("10-K", 1): "value",
    }
    (cell,) = (cell for cell in record.cells if record.documents[cell.row].form == "10-K/A" and cell.column == 0)
    assert cell.value == 12_300
    assert [other.shown for other in cell.others] == ["ACME 10-K 2024: Revenue: 12,400.00 USD millions"]
    page = to_html(grid_document(record))
    assert "but ACME 10-K 2024: Revenue: 12,400.00 USD millions" in page


SUMMARY = """Item 7. Management's Discussion and Analysis
Selected results
(In millions)
                                       2024      2023      2022
Net sales                          $ 12,040  $ 11,300  $ 10,900
Gross profit                          4,960     4,294     3,924
"""


def test_a_document_that_prints_a_figure_twice_conflicts_with_both_passages(tmp_path: Path) -> None:
    record = grid(
        stored(research_services(tmp_path), filing(pages=(INCOME, SUMMARY)), both()[1]),
        *(REVENUE, MARGIN, "What was revenue in fiscal 2023?"),
    )
    cells = cells_of(record)
    assert {place: cell.status for place, cell in cells.items() if cell.status != "value"} == {
        ("ACME", 0): "conflict",
        ("ACME", 1): "conflict",
    }
    cell = cells["ACME", 0]
    assert cell.value == 12_400
    assert [(passage.page, passage.text.split()[-3:]) for passage in cell.passages] == [
        (0, ["11,300", "$", "10,900"]),
        (1, ["11,300", "$", "10,900"]),
    ]
    said = "Net sales (2024) is 12,400 on page 1, but Net sales (2024) is 12,040 on page 2."
    assert [other.shown for other in cell.others] == [f"ACME 10-K 2024: The filing contradicts itself: {said}"]
    assert said in to_html(grid_document(record))
    assert said in grid_text(record)


def test_a_document_that_was_not_yet_known_is_no_row(tmp_path: Path) -> None:
    later = filing(year=2025, known_at=datetime(2026, 2, 14, tzinfo=UTC))
    record = grid(stored(research_services(tmp_path), filing(), later), REVENUE, companies=("ACME", "NOPE"), latest=5)
    assert [document.fiscal_year for document in record.documents] == [2024]
    assert record.missing == ["NOPE"]


def test_no_document_and_too_many_cells_begin_no_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NoData, match="tradingagents filings add TICKER"):
        grid(stored(research_services(tmp_path), filing()), REVENUE, companies=("NOPE",))
    with pytest.raises(NoData, match="no 10-Q of ACME"):
        grid(stored(research_services(tmp_path), filing()), REVENUE, companies=("ACME",), forms=("10-Q",))
    monkeypatch.setattr("tradingagents.features.filings_grid.kind.MOST_CELLS", 1)
    with pytest.raises(UsageError, match="would have 2 cells; the most is 1"):
        grid(stored(research_services(tmp_path), *both()), REVENUE)
    assert list(tmp_path.glob("runs/*")) == []


@pytest.mark.parametrize("questions", [(), ("",), ("x" * 501,), tuple(f"What was revenue {n}?" for n in range(61))])
def test_what_is_no_list_of_questions_is_refused(questions: tuple[str, ...]) -> None:
    with pytest.raises(UsageError):
        FilingsGridRequest(companies=("ACME",), questions=questions)


def test_questions_stand_in_a_file_or_in_the_text(tmp_path: Path) -> None:
    file = tmp_path / "questions.txt"
    file.write_text("# about margins\nWhat was revenue, in dollars?\n\nWhat was COGS; or cost of sales?\n")
    assert questions_in(str(file)) == ("What was revenue, in dollars?", "What was COGS; or cost of sales?")
    for wrong in ("no-such.txt", str(tmp_path / "none")):
        with pytest.raises(UsageError, match="There is no file"):
            questions_in(wrong)
    assert questions_in("Umsatz?") == ("Umsatz?",)
    assert questions_in("What was revenue, net? What was capex; what was tax") == (
        "What was revenue, net?",
        "What was capex",
        "what was tax",
    )


READING = "Cell Reader"


def read_as(answer: Mapping[str, Any] | list[Any] | str) -> Any:
    return answering({READING: answer})


def test_a_model_reads_what_rules_cannot_and_is_held_to_its_citation(tmp_path: Path) -> None:
    question = "What drove gross margin?"
    good = {"found": True, "answer": "Lower freight costs and a richer mix of services [10K1]."}
    record = grid(stored(research_services(tmp_path / "a", read_as(good)), filing()), question, companies=("ACME",))
    (cell,) = record.cells
    assert (cell.status, cell.written_by) == ("value", "model")
    assert cell.answer == good["answer"]
    assert [passage.label for passage in cell.passages] == ["10K1"]
    for number, wrong in enumerate(
        ("Freight costs fell by 77.7% [10K1].", "Freight costs fell a lot [10K9].", "Luck and work.")
    ):
        services = research_services(tmp_path / f"w{number}", read_as({"found": True, "answer": wrong}))
        (cell,) = grid(stored(services, filing()), question, companies=("ACME",)).cells
        assert (cell.status, cell.answer) == ("failed", "")
        assert "does not stand at its citation" in cell.reason
    services = research_services(tmp_path / "n", read_as({"found": False}))
    (cell,) = grid(stored(services, filing()), question, companies=("ACME",)).cells
    assert (cell.status, cell.reason) == ("absent", "The passages nearest to the question do not say.")


def test_figures_that_rules_read_cost_no_call(tmp_path: Path) -> None:
    record = grid(stored(research_services(tmp_path, read_as("no call is made")), *both()), REVENUE, MARGIN)
    assert record.usage.llm_calls == 0
    assert {cell.status for cell in record.cells} == {"value"}


def test_a_grid_stops_at_its_budget_and_shows_what_was_read(tmp_path: Path) -> None:
    replies = {"found": True, "answer": "Lower freight costs [10K1]."}
    services = stored(research_services(tmp_path, read_as(replies), max_llm_calls=1), *both())
    with pytest.raises(BudgetReached):
        grid(services, REVENUE, "What drove gross margin?", "What drove freight?", "Who leads?")
    (card,) = tmp_path.glob("runs/*/run.json")
    record = FILINGS_GRID.read(json.loads(card.read_text()))
    assert record.status == "budget"


def test_a_call_is_a_document_too(tmp_path: Path) -> None:
    question = "What did they say about margins and demand for heat pumps in every region?"
    record = grid(stored(research_services(tmp_path), call()), question, companies=("ACME",), forms=("call",))
    (cell,) = record.cells
    assert cell.status == "quoted"
    assert "demand for heat pumps is strong" in cell.answer


def test_text_of_documents_is_no_markup_of_the_page(tmp_path: Path) -> None:
    pages = (
        INCOME,
        "Item 7. Discussion\nFreight costs of <script>alert(1)</script> compressors fell by 12% last year.\n",
    )
    record = grid(
        stored(research_services(tmp_path), filing(pages=pages)),
        "How did freight costs of compressors fall?",
        companies=("ACME",),
    )
    assert "<script>alert" not in to_html(grid_document(record))


def killed_at(home: str, number: int) -> None:
    """Read a grid, and be killed when the n-th cell has been read."""
    seen = 0

    def watch(event: Event) -> None:
        nonlocal seen
        seen += "cell" in event.data
        if seen == number:
            os.kill(os.getpid(), signal.SIGKILL)

    grid(stored(research_services(Path(home)), *both()), *TWENTY, watch=watch)


QUESTIONS = (REVENUE, MARGIN, "What was net income?", "What was cost of sales?", "What drove freight costs?")


MORE = ("What was operating income?", "What was gross profit?", "Who leads the firm?", "What were interest costs?")
TWENTY = (*QUESTIONS, *MORE, "How were freight costs in the year?")
"""Questions of a grid of twenty cells."""


@pytest.mark.process
@pytest.mark.parametrize("number", [2, 9, 17])
def test_a_killed_grid_goes_on_and_reads_no_cell_twice(tmp_path: Path, number: int) -> None:
    assert_no_cell_is_read_twice(tmp_path, number)


@pytest.mark.nightly
@pytest.mark.process
@pytest.mark.parametrize("number", range(1, 21))
def test_a_grid_that_is_killed_at_any_cell_reads_none_twice(tmp_path: Path, number: int) -> None:
    assert_no_cell_is_read_twice(tmp_path, number)


def assert_no_cell_is_read_twice(tmp_path: Path, number: int) -> None:
    process = fork(killed_at, str(tmp_path), number)
    process.join(120)
    assert process.exitcode == -signal.SIGKILL
    (folder,) = (tmp_path / "runs").iterdir()
    services = research_services(tmp_path)

    async def resumed() -> Any:
        return await resume(FILINGS_GRID, read_manifest(tmp_path, folder.name), services).result()

    record = asyncio.run(resumed()).record
    services.close()
    lines = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
    read = Counter(
        (line["data"]["cell"]["row"], line["data"]["cell"]["column"]) for line in lines if "cell" in line["data"]
    )
    assert set(read.values()) == {1}
    assert len(read) == 20
    whole = grid(stored(research_services(tmp_path / "whole"), *both()), *TWENTY)
    assert [cell.as_json() for cell in record.cells] == [cell.as_json() for cell in whole.cells]
