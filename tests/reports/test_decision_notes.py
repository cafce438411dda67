"""What a degraded run is said to lack."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from cli.output import print_result
from tests.reports.rendered import render_html, run_of
from tests.reports.sample import sample_record
from tradingagents.reports.decision_notes import degraded_notice
from tradingagents.schemas.records import DegradedRecord


def lacks(kind: str, agent: str, detail: str = "busy.") -> DegradedRecord:
    return DegradedRecord(kind=kind, agent=agent, detail=detail)


def test_a_run_that_lacked_nothing_says_nothing():
    assert degraded_notice([]) == ""


def test_each_lack_is_told_once_with_everyone_it_befell():
    found = [
        lacks("fallback_model", "Bull Researcher", "openai/gpt-5-nano"),
        lacks("silent_debater", "Neutral Debator", "empty answers."),
        lacks("silent_debater", "Neutral Debator", "another reason."),
        lacks("fallback_model", "Trader", "anthropic/claude"),
        lacks("missing_report", "News Analyst", "one."),
        lacks("missing_report", "Market Analyst", "two."),
        lacks("missing_report", "Social Media Analyst", "three."),
        lacks("fallback_model", "Risk Manager", "openai/gpt-5-nano"),
    ]
    assert degraded_notice(found) == (
        "This is a degraded run: the News Analyst, the Market Analyst and the Social Media Analyst could not report; "
        "the Neutral Debator did not speak in every turn; "
        "openai/gpt-5-nano answered in place of the model of the Bull Researcher and the Risk Manager; "
        "anthropic/claude answered in place of the model of the Trader."
    )


def test_a_models_name_is_no_markup_and_no_template():
    record = sample_record()
    record["degraded"] = [lacks("fallback_model", "Trader", "x/<b>{agents}</b>[red]")]
    assert "x/<b>{agents}</b>[red] answered in place" in degraded_notice(record["degraded"])
    page = render_html(record, None)
    assert "x/&lt;b&gt;{agents}&lt;/b&gt;[red] answered in place" in page
    shown = StringIO()
    print_result(Console(file=shown, width=400), run_of(record))
    assert "This is a degraded run: x/<b>{agents}</b>[red] answered" in shown.getvalue()
