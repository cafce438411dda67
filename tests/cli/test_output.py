"""The result as a person reads it."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import Any

import pytest
from rich.console import Console

from cli.output import print_results
from cli.text import bounded
from tests.cli.conftest import golden
from tests.cli.sample import sample_record
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.records import NOTHING_SCORED


def printed(*records: Mapping[str, Any], width: int = 80, height: int = 80, terminal: bool = False) -> str:
    console = Console(
        file=io.StringIO(),
        width=width,
        height=height,
        force_terminal=terminal,
        color_system=None,
        highlight=False,
        emoji=False,
    )
    print_results(console, [RunRecord.model_validate(record) for record in records])
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("width", [80, 160])
def test_a_result_on_a_terminal(width: int):
    golden(f"result_{width}.txt", printed(sample_record(), width=width, terminal=True))


@pytest.mark.parametrize(("width", "height"), [(80, 24), (160, 48), (100, 24), (80, 30)])
def test_a_result_fits_the_screen(width: int, height: int):
    record = sample_record()
    record["warnings"] = [f"Warning {number}: {'some words ' * 20}" for number in range(6)]
    record["paths"]["html"] = "/home/someone/runs/20250314T210000Z-VELQ-2025-03-14-4c1e/reports/report.html"
    shown = printed(record, width=width, height=height, terminal=True)
    assert len(shown.splitlines()) < height
    assert shown.splitlines()[1].startswith("│ BUY")
    for words in ("Entry", "Stop", "Target", "Would change", "Usage", "and 5 more" if height < 40 else "Warning 5"):
        assert words in shown.replace("\u00a0", " ")
    assert record["paths"]["html"] in shown  # on one line, whole


def test_a_short_result_reads_as_agreed():
    golden("result_80x24.txt", printed(sample_record(), height=24, terminal=True))


def test_a_terminal_is_told_where_a_path_leads():
    console = Console(file=io.StringIO(), width=80, height=24, force_terminal=True)
    print_results(console, [RunRecord.model_validate(sample_record())])
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "\x1b]8;id=" in shown
    assert "file:///" in shown


def test_a_result_in_a_pipe_is_plain_text():
    text = printed(sample_record())
    golden("result_plain.txt", text)
    assert "╭" not in text


def test_no_decision_says_why():
    record = sample_record()
    assert record["decision"]
    record["status"] = "no_decision"
    record["decision"].update(
        action="NO_DECISION", confidence=0.0, rationale="Risk Manager gave no usable decision: not JSON.",
        entry=None, stop=None, target=None, position_size=None, horizon_days=None, key_evidence=[],
    )  # fmt: skip
    text = printed(record)
    assert "NO DECISION\n\nRisk Manager gave no usable decision: not JSON." in text
    assert "confidence" not in text


def test_a_report_that_could_not_be_written_is_called_missing():
    record = sample_record()
    record["reports"]["news_report"] = "**Not available.** The News Analyst could not report: no answer."
    assert "✓ sentiment  ✗ news (missing)" in printed(record)


def test_a_report_that_found_nothing_is_not_ticked():
    record = sample_record()
    record["reports"]["news_report"] = f"## News report\n\nWritten by rules. {NOTHING_SCORED}"
    assert "✓ sentiment  · news (nothing known)" in printed(record)


def test_a_cost_that_is_not_known_is_not_called_nothing():
    record = sample_record()
    record["usage"]["cost_usd"] = None
    text = printed(record)
    assert "price unknown" in text
    assert "$" not in text


def test_paths_stand_on_one_line_each_however_long():
    record = sample_record()
    record["paths"]["html"] = "/home/" + "long/" * 40 + "report.html"
    assert f"Page          {record['paths']['html']}\n" in printed(record)


def test_a_message_that_repeats_what_it_was_given_keeps_its_beginning_and_its_end():
    said = bounded(f"{'y' * 140_000} is no symbol; write it like AAPL.")
    assert said.startswith("yyy")
    assert said.endswith("y… is no symbol; write it like AAPL.")
    assert len(said) < 600
    many = bounded(f"It has: {'column, ' * 20_000}; name one of them.")
    assert many.startswith("It has: column,")
    assert many.endswith("; name one of them.")
    assert len(many) < 3100
    assert bounded("A short message.") == "A short message."


def test_words_of_a_model_cannot_drive_the_terminal():
    record = sample_record()
    assert record["decision"]
    record["decision"]["rationale"] = "Buy\x1b[31m now\x07 [red]or\u202e never[/red]."
    text = printed(record, terminal=True)
    assert "Buy now [red]or never[/red]." in text
    assert "\x1b" not in text


def test_several_results_end_with_a_table_and_one_disclaimer():
    first, second = sample_record(), sample_record()
    second["ticker"], second["decision"], second["status"], second["error"] = "OMBZ", None, "budget", "Used up."
    text = printed(first, second)
    assert "No decision. Used up." in text
    assert [line.split()[:3] for line in text.splitlines() if line.startswith(("QFIX    ", "OMBZ    "))] == [
        ["QFIX", "2025-03-14", "BUY"],
        ["OMBZ", "2025-03-14", "BUDGET"],
    ]
    assert text.count("not investment advice") == 1


def test_figures_that_could_not_be_traced_are_named():
    record = sample_record()
    assert "not found in the data" not in printed(record)
    missing = [
        {"report": "market_report", "figure": figure, "text": "", "where": "reports.market_report", "at": 0}
        for figure in ("148.2", "12.3%", "148.2", "4.1x", "5", "6")
    ]
    record["grounding"] = {"figures": 90, "matched": 84, "unmatched": missing, "by_report": {}}  # type: ignore[typeddict-item]
    assert "Figures       6 of 90 not found in the data: 148.2, 12.3%, 4.1x, 5 …" in printed(record)


def test_a_run_whose_models_named_no_figure_says_so():
    record = sample_record()
    record["grounding"] = {"figures": 0, "matched": 0, "unmatched": [], "by_report": {}}
    assert "Figures       none: what the models wrote names no figure" in printed(record)
