"""Marks of untraced figures."""

import time

import pytest
from markdown_it import MarkdownIt

from tests.reports.page import Page
from tests.reports.rendered import render_html, render_scan_html, report_files, scan_report_files
from tests.reports.safe import assert_safe
from tests.reports.sample import sample_record
from tests.reports.scan_sample import sample_scan
from tradingagents.reports.citation_marks import shown_in_html, shown_in_markdown, tally, with_marks
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.records import GroundingRecord


def missing(record, where, text, figure):
    """The record with one figure of a text that was not traced."""
    entry = {"report": "", "figure": figure, "text": figure, "where": where, "at": text.index(figure)}
    record["grounding"] = {"figures": 2, "matched": 1, "unmatched": [entry], "by_report": {}}
    return record


def test_a_figure_that_was_not_traced_is_marked_where_its_report_is_shown():
    files = report_files(sample_record())
    assert "at -0.42[?]." in files["1_analysts/market.md"]
    assert "at -0.42[?]." in files["complete_report.md"]
    assert "[?]" not in files["1_analysts/news.md"]
    page = Page(render_html(sample_record(), None))
    (mark,) = page.of("mark")
    assert mark["title"] == "Not found in the data this run was given."


def test_the_record_keeps_the_model_s_own_words():
    record = sample_record()
    report_files(record)
    render_html(record, None)
    assert record == sample_record()


def test_reports_tell_how_many_figures_could_be_traced():
    told = "23 of 24 figures in what the models wrote could be traced to this data."
    assert told in report_files(sample_record())["complete_report.md"]
    assert told in render_html(sample_record(), None)


def test_a_debate_s_turn_and_the_decision_s_own_texts_are_marked():
    record = sample_record()
    turn = record["debates"]["risk"][0]["text"]
    figure = next(word for word in turn.split() if word.isalpha())
    files = report_files(missing(record, "debates.risk.0.text", turn, figure))
    assert f"{figure}[?]" in files["4_risk/debate.md"]
    record = sample_record()
    rationale = record["decision"]["rationale"]
    record["reports"]["final_trade_decision"] = written = f"**Action:** BUY\n\n**Rationale:** {rationale}"
    figure = rationale.split()[3]
    files = report_files(missing(record, "reports.final_trade_decision", written, figure))
    assert f"{figure}[?]" in files["complete_report.md"]
    assert f"{figure}[?]" in files["5_decision/decision.md"]


def test_a_scan_s_picks_are_marked_and_its_json_is_not():
    record = sample_scan()
    rationale = record["summary"]["stocks_to_investigate"][0]["rationale"]
    figure = rationale.split()[1]
    record = missing(record, "summary.stocks_to_investigate.0.rationale", rationale, figure)
    files = scan_report_files(record)
    assert f"{figure}[?]" in files["3_synthesis/macro_scan_summary.md"]
    assert "[?]" not in files["3_synthesis/macro_scan_summary.json"]
    assert len(assert_safe(render_scan_html(record)).of("mark")) == 1


@pytest.mark.parametrize("after", ["(https://example.com)", "[2]", ": no"])
def test_a_mark_never_becomes_a_link(after):
    marked = shown_in_markdown(f"It is \ue0f1148.2\ue0f2{after}")
    assert "<a " not in MarkdownIt("commonmark").render(marked)
    assert "148.2[?]" in MarkdownIt("commonmark").render(marked)


def test_what_a_model_writes_makes_no_mark_that_is_not_ours():
    assert shown_in_html("a \ue0f1<b>1</b>\ue0f2 \ue0f2 \ue0f1") == "a <b>1</b>  "
    assert shown_in_markdown("\ue0f2x\ue0f1") == "x"


@pytest.mark.parametrize(
    ("where", "at"), [("reports.market_report", 5), ("reports.gone", 0), ("debates.risk.99.text", 0), ("reports", 0)]
)
def test_a_place_that_does_not_hold_the_figure_stays_unmarked(where, at):
    record = sample_record()
    entry = {"report": "", "figure": "-0.42", "text": "", "where": where, "at": at}
    record["grounding"] = {"figures": 1, "matched": 0, "unmatched": [entry], "by_report": {}}
    record = RunRecord.model_validate(record)
    assert with_marks(record)["reports"] == record["reports"]
    assert with_marks(record)["debates"] == record["debates"]


def test_a_record_without_figures_is_told_from_one_that_was_not_checked():
    assert tally(None) == ""
    assert tally(GroundingRecord(figures=0, matched=0, unmatched=[], by_report={})) == (
        "None of the figures below stands in what the models wrote: they name no figure."
    )
    all_traced = GroundingRecord(figures=1_204, matched=1_204, unmatched=[], by_report={})
    assert tally(all_traced) == "1,204 of 1,204 figures in what the models wrote could be traced to this data."


def test_marking_many_figures_takes_time_in_proportion():
    def seconds(count: int) -> float:
        figures = [f"{number}.25" for number in range(count)]
        text, at, unmatched = " ".join(figures), 0, []
        for figure in figures:
            unmatched.append({"where": "reports.market_report", "at": at, "figure": figure})
            at += len(figure) + 1
        entries = [{"report": "", "text": "", **entry} for entry in unmatched]
        grounding = {"figures": count, "matched": 0, "unmatched": entries, "by_report": {}}
        card = {**sample_record(), "grounding": grounding, "reports": {"market_report": text}}
        record = RunRecord.model_validate(card)
        began = time.process_time()
        marked = with_marks(record)
        took = time.process_time() - began
        assert marked["reports"]["market_report"].count(".25") == count
        assert shown_in_markdown(marked["reports"]["market_report"]).count("[?]") == count
        return took

    seconds(2_000)
    fewer, more = min(seconds(10_000) for _ in range(3)), min(seconds(80_000) for _ in range(3))
    assert more < 40 * max(fewer, 0.002), "eight times the figures; marking each anew in the whole text takes 64 times"
