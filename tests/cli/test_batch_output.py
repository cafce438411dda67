"""A batch as a person reads it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from cli.batch_output import print_batch
from cli.batch_session import outcome_words
from tests.cli.conftest import golden
from tests.reports.scan_sample import sample_batch
from tradingagents.schemas.batches import BatchRecord, BatchRow


def printed(record: dict[str, Any], *, width: int = 80, terminal: bool = False) -> str:
    console = Console(
        file=io.StringIO(), width=width, force_terminal=terminal, color_system=None, highlight=False, emoji=False
    )
    print_batch(console, BatchRecord.model_validate(record))
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("width", [80, 160])
def test_a_batch_on_a_terminal(width: int):
    text = printed(sample_batch(), width=width, terminal=True)
    assert all(len(line) <= width for line in text.splitlines() if "/home/" not in line)
    golden(f"batch_{width}.txt", text)


def test_a_batch_in_a_pipe_is_plain_text():
    text = printed(sample_batch())
    golden("batch_plain.txt", text)
    assert "╭" not in text


COLUMNS_AT = {30: 2, 40: 3, 60: 5, 70: 6}
"""How many columns there is room for, by the terminal's width."""


@pytest.mark.parametrize("width", COLUMNS_AT)
def test_on_a_narrow_terminal_columns_are_left_out_and_none_is_cut(width: int):
    _, _, below = printed(sample_batch(), width=width).partition("\nTicker ")
    table = [line for line in f"Ticker {below}".splitlines() if line.startswith(("Ticker", "VELQ", "ORNE", "WREN"))]
    assert table[0].split() == ["Ticker", "Decision", "Confidence", "Contested", "Cost", "From"][: COLUMNS_AT[width]]
    assert [line.split()[:2] for line in table[1:]] == [["VELQ", "BUY"], ["ORNE", "BUY"], ["WREN", "FAILED"]]
    assert all(len(line) <= width for line in table)


def test_what_contested_means_is_said_where_it_stands():
    meaning = "Contested     uncertainty of the research manager between bull and bear"
    record = sample_batch()
    assert meaning in printed(record)
    record["rows"] = record["rows"][-2:]
    assert meaning not in printed(record)


def test_rows_keep_their_rank_and_say_why_they_are_there():
    lines = printed(sample_batch(), width=160).splitlines()
    tickers = [line.split()[0] for line in lines if line[:4].isupper() and line[4:6] == "  "]
    assert tickers == ["VELQ", "ORNE", "MAVO", "QFIX", "TILB", "WREN", "ZEPH"]
    assert "scan (high), portfolio" in next(line for line in lines if line.startswith("ORNE"))


def test_a_holding_the_scan_thinks_little_of_says_so():
    record = sample_batch()
    record["rows"] = record["rows"][3:4]
    record["rows"][0]["conviction"] = "low"
    assert "portfolio, scan: low only" in printed(record)


def test_a_row_that_failed_says_why_and_one_that_never_began_costs_nothing():
    text = printed(sample_batch())
    assert "No vendor has prices of WREN; name another symbol." in text
    waiting = next(line for line in text.splitlines() if line.startswith("ZEPH"))
    assert waiting.split() == ["ZEPH", "NOT", "BEGUN", "scan", "(high)"]


def test_a_complete_batch_opens_with_what_the_scan_found():
    record = sample_batch()
    record["status"], record["rows"] = "done", record["rows"][:4]
    text = printed(record)
    assert "partial" not in text
    assert "Money leaves growth for defence and energy" in text
    assert "In all        2 BUY, 1 SELL, 1 HOLD" in text


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (0, "BUY (confidence 71%)"),
        (4, "NO_DECISION (confidence 0%)"),
        (5, "No vendor has prices of WREN; name another symbol."),
        (6, "not begun"),
    ],
)
def test_an_outcome_in_words(number: int, words: str):
    assert outcome_words(BatchRow.model_validate(sample_batch()["rows"][number])) == words
