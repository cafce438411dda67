"""A scan as a person reads it."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.console import Console

from cli.layout import cut, signed
from cli.scan_output import has_findings, print_scan
from tests.cli.conftest import golden
from tests.reports.rendered import scan_of
from tests.reports.scan_sample import partial_scan, sample_scan


def printed(record: dict[str, Any], *, width: int = 80, terminal: bool = False) -> str:
    console = Console(
        file=io.StringIO(), width=width, force_terminal=terminal, color_system=None, highlight=False, emoji=False
    )
    print_scan(console, scan_of(record))
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("width", [80, 160])
def test_a_scan_on_a_terminal(width: int):
    text = printed(sample_scan(), width=width, terminal=True)
    assert all(len(line) <= width for line in text.splitlines() if "/home/" not in line)
    golden(f"scan_{width}.txt", text)


def test_a_terminal_too_narrow_for_any_of_it_is_no_error():
    assert "VELQ" in printed(sample_scan(), width=24, terminal=True)


def test_a_scan_in_a_pipe_is_plain_text():
    text = printed(sample_scan())
    golden("scan_plain.txt", text)
    assert "╭" not in text


def test_a_partial_scan_says_why_and_shows_what_there_is():
    text = " ".join(printed(partial_scan()).split())
    assert "No summary. This is a partial report: the scan used up its budget and stopped." in text
    assert "raise --budget-usd" in text
    assert "Information Technology • -1.12%" in text
    assert "Ticker" not in text
    assert "S&P 500" not in text


def test_a_scan_whose_agents_all_failed_has_nothing_to_read():
    record = partial_scan()
    record["sectors"] = []
    assert has_findings(scan_of(record))
    record["reports"] = {"geopolitical_report": "**Not available.** The model did not answer."}
    assert not has_findings(scan_of(record))


def test_a_return_that_is_not_known_is_said_so():
    line = next(line for line in printed(sample_scan()).splitlines() if line.startswith("Real Estate"))
    assert line.split() == ["Real", "Estate", "-0.33%", "-1.07%", "n/a", "n/a"]


@pytest.mark.parametrize(
    ("percentage", "text", "style"),
    [(1.0, "+1.00%", "green"), (-2.314, "-2.31%", "red"), (0.001, "0.00%", "dim"), (None, "n/a", "dim")],
)
def test_colour_and_sign_of_a_change_agree(percentage: float | None, text: str, style: str):
    shown = signed(percentage)
    assert (shown.plain, shown.style) == (text, style)


def test_words_of_a_model_cannot_drive_the_terminal():
    record = sample_scan()
    assert record["summary"]
    pick = record["summary"]["stocks_to_investigate"][0]
    pick["name"] = "Vel\x1b[2J\nquist"
    pick["rationale"] = "Up\x1b]0;owned\x07 [red]much[/red]."
    text = printed(record, terminal=True)
    assert "Vel quist" in text
    assert "Up [red]much[/red]." in text
    assert "\x1b[2J" not in text
    assert "owned" not in text


def test_words_are_cut_between_words():
    assert cut("one **two** three", 8) == "one two …"
    assert cut("one two", 8) == "one two"
