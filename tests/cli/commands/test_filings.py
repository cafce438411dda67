"""`tradingagents filings`: documents come in, are listed, shown, searched and asked about, and go out."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from tests.cli.conftest import Command
from tests.support.filings import DISCUSSION, INCOME, RISKS

QUESTION = "What drove Acme's gross margin in fiscal 2024?"
FIGURE = "What was Acme's gross margin in FY2024? Round to one decimal place."


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "own"
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(home))
    return home


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """One 10-K as text, with the list that tells when it was filed."""
    folder = tmp_path / "files"
    folder.mkdir()
    cover = (
        "UNITED STATES\nSECURITIES AND EXCHANGE COMMISSION\nFORM 10-K\n"
        "For the fiscal year ended December 31, 2024\nAcme Corp\n"
    )
    folder.joinpath("acme.txt").write_text("\f".join((cover, INCOME, DISCUSSION, RISKS)), encoding="utf-8")
    folder.joinpath("index.csv").write_text("file,symbol,form,filed\nacme.txt,ACME,10-K,2025-02-14\n", encoding="utf-8")
    return folder


@pytest.fixture
def filled(command: Command, home: Path, folder: Path) -> Command:
    assert command("filings", "add", "--from", str(folder), "--quiet").code == 0
    return command


def test_a_folder_is_read_once(command: Command, home: Path, folder: Path) -> None:
    first = json.loads(command("filings", "add", "--from", str(folder), "--json").out)
    assert [(one["symbol"], one["form"], one["fiscal_year"], one["new"]) for one in first["added"]] == [
        ("ACME", "10-K", 2024, True)
    ]
    assert first["added"][0]["known_at"] == "2025-02-15T05:00:00+00:00"
    again = command("filings", "add", "--from", str(folder))
    assert again.code == 0
    assert "Added 0 of 1." in again.out


def test_documents_are_listed_shown_and_removed(filled: Command) -> None:
    listed = json.loads(filled("filings", "list", "--json").out)["documents"]
    assert len(listed) == 1
    shown = filled("filings", "show", listed[0]["key"][:8], "--page", "2")
    assert "Gross profit" in shown.out
    assert filled("filings", "show", "nothing").code == 4
    assert filled("filings", "remove", listed[0]["key"][:8]).code == 0
    assert json.loads(filled("filings", "list", "--json").out)["documents"] == []


def test_a_search_prints_passages_with_their_pages(filled: Command) -> None:
    found = json.loads(filled("filings", "search", "freight costs contracts", "--json").out)["hits"]
    assert found[0]["page"] == 3
    assert "Freight costs fell" in found[0]["text"]
    assert filled("filings", "search", "freight", "--symbol", "OTHR").code == 4
    assert filled("filings", "search", "freight", "--as-of", "2025-01-15").code == 4
    assert filled("filings", "search", "freight", "--as-of", "2025-02-18").code == 0


def test_a_question_is_answered_with_its_sources(filled: Command) -> None:
    outcome = filled("filings", "ask", "What happened to Acme's freight costs after new contracts?", "--offline")
    assert outcome.code == 0
    assert "Freight costs fell" in outcome.out
    assert "ACME 10-K 2024, page 3" in outcome.out
    assert "plan: I need to find" in outcome.err


def test_an_answer_below_the_bar_is_not_found_and_shows_the_nearest_passages(filled: Command) -> None:
    outcome = filled("filings", "ask", "Why did Acme's gross margin rise in fiscal 2024?", "--offline")
    assert outcome.code == 5
    assert "The answer was not found" in outcome.out
    assert "Nearest passages:" in outcome.out
    assert "[10K2] ACME 10-K 2024, page 3" in outcome.out


def test_a_figure_is_computed_from_statement_cells(filled: Command) -> None:
    record = json.loads(filled("filings", "ask", FIGURE, "--offline", "--json").out)
    assert "40.0 %" in record["answer"]
    assert "X1" in record["cited"]
    calculation = next(one for one in record["sources"] if one["kind"] == "calculation")
    assert {"4,960", "12,400"} <= set(calculation["text"].replace("$", " ").replace(";", " ").split())
    cells = [one for one in record["sources"] if one["label"] in calculation["operands"]]
    assert [one["page"] for one in cells] == [1]


def test_a_question_of_an_earlier_day_sees_nothing(filled: Command) -> None:
    record = json.loads(filled("filings", "ask", FIGURE, "--offline", "--as-of", "2025-01-15", "--json").out)
    assert record["sources"] == []


def test_a_question_off_topic_ends_with_code_5(filled: Command) -> None:
    outcome = filled("filings", "ask", "how do you boil an egg", "--offline")
    assert outcome.code == 5


def test_a_conversation_reads_a_question_a_line(filled: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{QUESTION}\n{FIGURE}\n\n"))
    outcome = filled("filings", "chat", "--offline", "--session", "talk")
    assert outcome.code == 0
    assert "40.0 %" in outcome.out
    assert "--session talk" in outcome.err


@pytest.mark.parametrize(
    "wrong",
    [
        ("add",),
        ("add", "ACME", "--from", "x"),
        ("add", "--from", "no/such/folder"),
        ("ask", "a question", "--mode", "huge"),
        ("ask", " "),
        ("show", "x", "--item", "7", "--page", "2"),
        ("chat", "--session", "../x"),
    ],
)
def test_a_wrong_use_is_refused(command: Command, home: Path, wrong: tuple[str, ...]) -> None:
    outcome = command("filings", *wrong)
    assert outcome.code == 2
    assert len(outcome.errors) == 1


def test_an_earlier_question_is_listed_and_shown(filled: Command) -> None:
    asked = json.loads(filled("filings", "ask", FIGURE, "--offline", "--json").out)
    rows = json.loads(filled("runs", "list", "--kind", "filings_qa", "--json").out)["runs"]
    assert [row["run_id"] for row in rows] == [asked["run_id"]]
    assert "filings qa" in filled("runs", "list").out
    shown = filled("runs", "show", asked["run_id"])
    assert FIGURE in shown.out
    assert "40.0 %" in shown.out
