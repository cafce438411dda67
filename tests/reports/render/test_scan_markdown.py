import json
from itertools import pairwise

import pytest
from markdown_it import MarkdownIt

from tests.reports.golden import assert_golden
from tests.reports.hostile import PAYLOADS, hostile_scan
from tests.reports.render.test_markdown import outline
from tests.reports.rendered import scan_report_files
from tests.reports.scan_sample import partial_scan, sample_scan
from tradingagents.memory.cohort import SIMULATED_MARKET

FILES = [
    "1_scanners/geopolitical.md",
    "1_scanners/market_movers.md",
    "1_scanners/sectors.md",
    "2_industries/industry_deep_dive.md",
    "3_synthesis/macro_scan_summary.json",
    "3_synthesis/macro_scan_summary.md",
    "complete_report.md",
]
CHAPTERS = [
    *("Summary", "Stocks to investigate", "Macro context", "Themes", "Sector returns", "Indices", "Reports"),
    *("Data sheet", "Warnings", "Model use"),
]


def complete(record):
    return scan_report_files(record)["complete_report.md"]


def chapters(markdown):
    return [title for level, title in outline(markdown) if level == 2]


def test_a_complete_scan_has_every_file_in_reading_order():
    assert list(scan_report_files(sample_scan())) == FILES


@pytest.mark.parametrize("name", FILES)
def test_the_files_read_as_agreed(name):
    assert_golden(f"scan/{name}", scan_report_files(sample_scan())[name])


def test_the_complete_report_puts_the_picks_first_and_nests_headings():
    report = complete(sample_scan())
    sections = outline(report)
    assert sections[0] == (1, "Market scan: 2025-03-14")
    assert chapters(report) == CHAPTERS
    assert (3, "1. VELQ: Velquist Semiconductors Corp.") in sections
    assert (5, "Risks") in sections
    assert all(after - before <= 1 for (before, _), (after, _) in pairwise(sections))
    assert report.endswith("This is research software: nothing in this report is investment advice.\n")


def test_the_json_has_the_documented_shape_and_says_the_same():
    summary = json.loads(scan_report_files(sample_scan())["3_synthesis/macro_scan_summary.json"])
    assert summary == sample_scan()["summary"]
    assert list(summary) == [
        *("timeframe", "executive_summary", "macro_context", "key_themes", "stocks_to_investigate", "risk_factors")
    ]


def test_a_scan_that_stopped_early_has_only_what_exists_and_says_so_at_the_top():
    files = scan_report_files(partial_scan())
    assert list(files) == [*FILES[:3], "complete_report.md"]
    assert files["complete_report.md"].splitlines()[2] == f"> **{SIMULATED_MARKET}**"
    assert files["complete_report.md"].splitlines()[4] == (
        "> **This is a partial report: the scan used up its budget and stopped. 0.05 of 0.05 USD are spent; raise "
        "budget_usd. Not written: industry deep dive, index table, summary.**"
    )
    assert_golden("scan/partial/complete_report.md", files["complete_report.md"])


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("done", "This is a partial report: some of the scan is missing. Not written: summary."),
        ("no_summary", "The scan ended without a summary: the model gave no usable one. Not written: summary."),
        ("failed", "This is a partial report: the scan failed. Not written: summary."),
        ("interrupted", "This is a partial report: the scan was interrupted. Not written: summary."),
        ("strange", "This is a partial report: the scan's status is strange. Not written: summary."),
    ],
)
def test_each_ending_is_told(status, words):
    record = sample_scan()
    record.update(status=status, summary=None)
    assert f"> **{words}**" in complete(record)


def test_a_complete_scan_carries_no_notice():
    assert complete(sample_scan()).count("> **") == complete(sample_scan()).count(f"> **{SIMULATED_MARKET}**") == 1


def test_a_failed_scan_with_nothing_still_makes_a_report():
    record = sample_scan()
    record.update(status="failed", summary=None, sectors=[], indices=[], reports={}, data_sheet=[], warnings=[])
    assert list(scan_report_files(record)) == ["complete_report.md"]
    assert chapters(complete(record)) == ["Model use"]


def test_lists_that_a_pick_lacks_are_left_out():
    record = sample_scan()
    record["summary"]["stocks_to_investigate"] = record["summary"]["stocks_to_investigate"][3:]
    report = complete(record)
    assert "**Catalysts**" not in report
    assert "**Risks**\n\n- A second warning\n- Weak consumers" in report


@pytest.mark.parametrize("payload", [*PAYLOADS, "a | b\n\n# Chapter", "```", "<!--", "---\n\n> "])
def test_texts_from_outside_cannot_break_the_outline_or_a_table(payload):
    record = hostile_scan(payload)
    record["status"] = "done"
    report = complete(record)
    assert chapters(report) == CHAPTERS
    assert [level for level, _ in outline(report)].count(1) == 1
    tokens = MarkdownIt("commonmark").enable("table").parse(report)
    assert not any(token.type == "html_block" for token in tokens)
    for title, columns in (("Sector returns", 7), ("Indices", 6), ("Data sheet", 9)):
        rows = report.split(f"## {title}\n\n")[1].split("\n\n")[0].splitlines()
        assert {len(row.replace("\\|", "").split("|")) for row in rows} == {columns + 2}
