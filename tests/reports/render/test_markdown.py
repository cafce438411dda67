from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.reports.golden import assert_golden
from tests.reports.hostile import PAYLOADS, hostile_record
from tests.reports.rendered import report_files
from tests.reports.sample import sample_record
from tradingagents.memory.cohort import SIMULATED_MARKET
from tradingagents.reports.document import Table
from tradingagents.reports.render.markdown import block_markdown

FILES = [
    "1_analysts/fundamentals.md",
    "1_analysts/macro_regime.md",
    "1_analysts/market.md",
    "1_analysts/news.md",
    "1_analysts/social.md",
    "2_research/debate.md",
    "2_research/investment_plan.md",
    "3_trading/trader.md",
    "4_risk/debate.md",
    "5_decision/decision.md",
    "complete_report.md",
]


def outline(markdown):
    tokens = MarkdownIt("commonmark").enable("table").parse(markdown)
    return [
        (int(token.tag[1]), tokens[at + 1].content)
        for at, token in enumerate(tokens)
        if token.type == "heading_open" and token.level == 0
    ]


def stopped_record():
    """A run that used up its budget in the first debate, with one analyst's report missing."""
    record = sample_record()
    record.update(status="budget", decision=None, error="2.00 of 2.00 USD are spent; raise budget_usd and resume.")
    record["reports"] = {
        "market_report": record["reports"]["market_report"],
        "sentiment_report": "**Not available.** The model did not answer.",
        "fundamentals_report": "",
    }
    record["debates"] = {"research": record["debates"]["research"][:1], "risk": []}
    record["settings"] = {"analysts": ["market", "social", "fundamentals"]}
    return record


def test_a_complete_run_has_every_file():
    assert list(report_files(sample_record())) == FILES


@pytest.mark.parametrize("name", FILES)
def test_the_files_read_as_agreed(name):
    assert_golden(name, report_files(sample_record())[name])


def test_the_complete_report_puts_the_decision_first_and_nests_headings():
    sections = outline(report_files(sample_record())["complete_report.md"])
    assert sections[0] == (1, "Trading report: Quillon Fictional Instruments Inc. (QFIX), 2025-03-14")
    assert [title for level, title in sections if level == 2] == [
        *("Decision", "Analysts", "Research", "Trading", "Risk", "Data sheet", "Warnings", "Model use")
    ]
    assert (4, "Market report") in sections
    assert (5, "Momentum") in sections
    assert all(after - before <= 1 for (before, _), (after, _) in pairwise(sections))


def test_a_market_scan_handed_over_stands_after_the_analysts_and_has_its_file():
    record = sample_record()
    record["reports"]["macro_scan_summary"] = "# Summary\n\nMoney leaves growth."
    files = report_files(record)
    assert next(iter(files)) == "0_scan/market_scan.md"
    assert files["0_scan/market_scan.md"].startswith("# Market scan: Quillon Fictional Instruments Inc. (QFIX)")
    sections = [title for level, title in outline(files["complete_report.md"]) if level in (2, 3)]
    assert sections[6:9] == ["Macro regime (Market Analyst)", "Market scan (Macro Synthesis)", "Research"]


def test_a_run_that_came_from_no_scan_lacks_nothing():
    assert "partial" not in report_files(sample_record())["complete_report.md"]
    assert "market scan" not in report_files(stopped_record())["complete_report.md"].lower()


def test_every_report_says_that_it_is_no_advice():
    assert "nothing in this report is investment advice" in report_files(stopped_record())["complete_report.md"]


def test_a_run_that_stopped_early_has_only_what_exists_and_says_so_at_the_top():
    files = report_files(stopped_record())
    assert list(files) == ["1_analysts/market.md", "1_analysts/social.md", "2_research/debate.md", "complete_report.md"]
    assert files["complete_report.md"].splitlines()[2] == f"> **{SIMULATED_MARKET}**"
    assert files["complete_report.md"].splitlines()[4] == (
        "> **This is a partial report: the run used up its budget and stopped. 2.00 of 2.00 USD are spent; raise "
        "budget_usd and resume. Not written: fundamentals, macro regime, investment plan, trading plan, decision.**"
    )
    assert_golden("partial/complete_report.md", files["complete_report.md"])


@pytest.mark.parametrize(
    ("status", "words"),
    [
        ("no_decision", "The run ended without a decision."),
        ("failed", "This is a partial report: the run failed."),
        ("interrupted", "This is a partial report: the run was interrupted."),
        ("done", "This is a partial report: the run recorded no decision."),
        ("strange", "This is a partial report: the run's status is strange."),
    ],
)
def test_each_ending_is_told(status, words):
    record = sample_record()
    record.update(status=status, decision=None)
    assert f"> **{words}**" in report_files(record)["complete_report.md"]


def test_no_decision_is_never_shown_as_hold_and_has_no_confidence():
    record = sample_record()
    reason = "The model gave no usable answer."
    record["decision"].update(
        action="NO_DECISION", confidence=0.0, rationale=reason, entry=None, stop=None, target=None, horizon_days=None
    )
    record["decision"].update(position_size=None, key_evidence=[], dissent=None, would_change=None)
    record["status"] = "no_decision"
    del record["reports"]["final_trade_decision"]
    decision = report_files(record)["5_decision/decision.md"]
    assert decision == (
        "# Decision: Quillon Fictional Instruments Inc. (QFIX), 2025-03-14\n\n**NO DECISION**\n\n" + reason + "\n"
    )
    assert "HOLD" not in report_files(record)["complete_report.md"]


def test_an_empty_record_still_makes_a_report():
    record = sample_record()
    record.update(status="failed", decision=None, reports={}, debates={}, data_sheet=[], warnings=[])
    assert list(report_files(record)) == ["complete_report.md"]


@pytest.mark.parametrize("payload", [*PAYLOADS, "a | b\n\n# Chapter", "```", "<!--", "---\n\n> "])
def test_texts_from_outside_cannot_break_the_outline_or_a_table(payload):
    clean, hostile = sample_record(), hostile_record(payload)
    hostile["status"] = "done"
    expected = [title for level, title in outline(report_files(clean)["complete_report.md"]) if level == 2]
    report = report_files(hostile)["complete_report.md"]
    assert [title for level, title in outline(report) if level == 2] == expected
    assert [level for level, _ in outline(report)].count(1) == 1
    tokens = MarkdownIt("commonmark").enable("table").parse(report)
    assert not any(token.type == "html_block" for token in tokens)
    tally, _, sheet = report.split("## Data sheet\n\n")[1].split("\n\n## Warnings")[0].partition("\n\n")
    assert tally.startswith("23 of 24 figures")
    assert {len(line.replace("\\|", "").split("|")) for line in sheet.splitlines()} == {11}


def test_a_report_of_an_analyst_who_was_not_asked_is_not_missing():
    record = stopped_record()
    record["settings"] = {"analysts": ["fundamentals"]}
    assert "Not written: fundamentals, investment plan," in report_files(record)["complete_report.md"]


@given(
    st.lists(st.lists(st.text(st.sampled_from("ab|<> \t\n\\1é\u00a0")) | st.text(), min_size=1, max_size=4), max_size=4)
)
def test_a_row_of_a_table_reads_as_if_each_cell_had_been_looked_at(rows: list[list[str]]):
    lines = block_markdown(Table(("h",), rows)).split("\n")[2:]
    cells = [[" ".join(cell.split()).replace("<", "&lt;").replace("|", "\\|") for cell in row] for row in rows]
    assert lines == ["| " + " | ".join(row) + " |" for row in cells]
