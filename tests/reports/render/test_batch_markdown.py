import pytest
from markdown_it import MarkdownIt

from tests.reports.golden import assert_golden
from tests.reports.hostile import PAYLOADS, hostile_batch
from tests.reports.render.test_markdown import outline
from tests.reports.rendered import batch_report
from tests.reports.scan_sample import partial_scan, sample_batch

CHAPTERS = ["Decisions", "Reasons", "Failures", "Market scan", "Warnings", "Model use"]


def chapters(markdown):
    return [title for level, title in outline(markdown) if level == 2]


def test_the_report_reads_as_agreed():
    assert_golden("batch/complete_report.md", batch_report(sample_batch()))


def test_the_decisions_come_first():
    report = batch_report(sample_batch())
    assert outline(report)[0] == (1, "Batch: 2025-03-14")
    assert chapters(report) == CHAPTERS


def test_a_row_tells_the_decision_its_terms_and_links_to_its_report():
    assert (
        "| 2 | ORNE | Orne Ridge Petroleum plc | scan, portfolio (high conviction) | BUY | 58% | 1,048.00 | 990.25 | "
        "n/a | 2.5% | 47% | $0.1834 | [report](../../runs/20250314-210100-ORNE-7f3a/reports/report.html) |"
    ) in batch_report(sample_batch())


def test_what_has_no_decision_has_no_rank_no_confidence_and_no_terms():
    report = batch_report(sample_batch())
    assert "|  | ZEPH | Zephyr Lines | scan (high conviction) | NOT BEGUN |  |  |  |  |  | n/a |  |  |" in report
    assert "|  | TILB | Tilbury Grid & Power Co. | scan (medium conviction) | NO DECISION |  |  |" in report
    assert "0%" not in report.split("TILB | Tilbury")[1].splitlines()[0]


def test_failures_are_told_with_their_error():
    assert "## Failures\n\n- WREN: No vendor has prices of WREN; name another symbol." in batch_report(sample_batch())


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("partial", "This is a partial report: some tickers failed."),
        ("budget", "This is a partial report: the batch used up its budget and stopped."),
        ("interrupted", "This is a partial report: the batch was interrupted."),
        ("failed", "The batch failed."),
        ("strange", "This is a partial report: the batch's status is strange."),
    ],
)
def test_each_ending_is_told_with_what_has_no_decision(status, words):
    record = sample_batch()
    record["status"] = status
    undecided = "Without a decision: TILB (no decision), WREN (failed), ZEPH (not begun)."
    assert batch_report(record).splitlines()[2] == f"> **{words} {undecided}**"


def test_a_complete_batch_carries_no_notice():
    record = sample_batch()
    record.update(status="done", rows=record["rows"][:4])
    assert "> **" not in batch_report(record)


def test_a_batch_whose_scan_ended_early_says_why():
    record = sample_batch()
    record.update(status="failed", rows=[], scan=partial_scan())
    report = batch_report(record)
    assert report.splitlines()[2] == "> **The batch failed. 0.05 of 0.05 USD are spent; raise budget_usd.**"
    assert chapters(report) == ["Market scan", "Warnings", "Model use"]


def test_a_batch_that_stands_on_no_scan_makes_a_report():
    record = sample_batch()
    record["scan"] = None
    assert "Market scan" not in chapters(batch_report(record))


@pytest.mark.parametrize("payload", [*PAYLOADS, "a | b\n\n# Chapter", "```", "<!--", "---\n\n> "])
def test_texts_from_outside_cannot_break_the_outline_or_a_table(payload):
    report = batch_report(hostile_batch(payload))
    assert chapters(report) == CHAPTERS
    assert [level for level, _ in outline(report)].count(1) == 1
    tokens = MarkdownIt("commonmark").enable("table").parse(report)
    assert not any(token.type == "html_block" for token in tokens)
    rows = report.split("## Decisions\n\n")[1].split("\n\n")[0].splitlines()
    assert {len(row.replace("\\|", "").split("|")) for row in rows} == {15}
