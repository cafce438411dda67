"""Results of the simulated market say in every form that their companies are made up; those of a real one do not."""

from __future__ import annotations

import io
from pathlib import Path

import openpyxl
import pypdfium2
import pytest

from tests.cli.conftest import Command
from tests.reports.rendered import run_of
from tests.reports.sample import sample_record
from tests.support.snapshot_folder import write_snapshot
from tradingagents.memory.cohort import SIMULATED_MARKET, market_note, note_on_market

DAY = "2025-03-14"
SMALL = ("--offline", "--debate-rounds", "1", "--risk-rounds", "1", "--analysts", "market")
COMMANDS = {
    "analyze": ("analyze", "VELQ", DAY, *SMALL),
    "scan": ("scan", DAY, "--offline", "--picks", "3"),
    "auto": ("auto", DAY, "--picks", "3", *SMALL),
    "value": ("value", "VELQ", DAY, "--offline"),
    "debate": ("debate", "VELQ", "--as-of", DAY, "--offline"),
    "research": ("research", "How profitable is VELQ?", "--as-of", DAY, "--offline"),
    "compare": ("compare", "VELQ", "OMBZ", "--as-of", DAY, "--offline"),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_terminal_and_every_file_say_so_at_the_top(name: str, command: Command, home: Path) -> None:
    done = command(*COMMANDS[name])
    assert done.code == 0, done.err
    assert SIMULATED_MARKET in done.out[:1500]
    pages = [*home.glob("runs/*/reports/report.html"), *home.glob("auto/*/index.html")]
    assert bool(pages) == (name != "value")
    for page in pages:
        text = page.read_text("utf-8")
        assert SIMULATED_MARKET in text[text.index("<main>") :][:200]
    for report in home.glob("runs/*/reports/complete_report.md"):
        assert SIMULATED_MARKET in report.read_text("utf-8")[:600]


def test_chat_says_so_before_its_reply(command: Command) -> None:
    done = command("chat", "What is VELQ trading at?", "--as-of", DAY, "--offline")
    assert SIMULATED_MARKET in done.err
    assert SIMULATED_MARKET not in done.out  # stdout is the reply as it is stored


def test_exports_say_so(command: Command, home: Path, tmp_path: Path) -> None:
    command(*COMMANDS["debate"])
    (run,) = home.glob("runs/*")
    for ending in ("pdf", "xlsx"):
        target = tmp_path / f"report.{ending}"
        assert command("runs", "export", run.name, "--out", str(target)).code == 0
        content = target.read_bytes()
        if ending == "pdf":
            shown = " ".join(pypdfium2.PdfDocument(content)[0].get_textpage().get_text_range().split())
        else:
            sheet = openpyxl.load_workbook(io.BytesIO(content)).worksheets[0]
            shown = " ".join(str(cell) for row in sheet.iter_rows(values_only=True) for cell in row if cell)
        assert SIMULATED_MARKET in shown
    assert command("value", "VELQ", DAY, "--offline", "--html", str(tmp_path / "value.html")).code == 0
    assert SIMULATED_MARKET in (tmp_path / "value.html").read_text("utf-8")


def test_recorded_data_say_nothing_of_it(command: Command, home: Path, tmp_path: Path) -> None:
    folder = write_snapshot(tmp_path / "data")
    done = command("analyze", "ACMQ", DAY, *SMALL, "--data-dir", str(folder))
    assert done.code == 0, done.err
    assert "imulated" not in done.out
    (page,) = home.glob("runs/*/reports/report.html")
    assert "made up" not in page.read_text("utf-8")


def test_the_sentence_comes_from_the_sources_of_the_data() -> None:
    def note(**fields: object) -> str | None:
        return market_note(run_of({**sample_record(), "data_sheet": [], "settings": {}, **fields}))

    def row(vendor: str) -> dict[str, object]:
        return {**sample_record()["data_sheet"][0], "vendor": vendor}

    assert note(data_sheet=[row("simulated+recorded")]) == SIMULATED_MARKET
    assert note_on_market("simulated-7") == SIMULATED_MARKET
    assert note(settings={"data_vendor": "simulated"}) == SIMULATED_MARKET
    assert note(data_sheet=[row("snapshot")], settings={"data_vendor": "snapshot"}) is None
    assert note() is None
