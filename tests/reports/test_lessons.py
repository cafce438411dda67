"""Reports say which lessons agents were shown; what stands in a lesson cannot leave its place."""

from __future__ import annotations

from typing import Any

from tests.reports.rendered import complete_report, render_html, run_of
from tests.reports.sample import sample_record
from tradingagents.reports import sections as outline
from tradingagents.schemas.records import LessonRecord


def lesson(text: str, memory: str = "bull_memory", **changes: object) -> LessonRecord:
    known = {"memory": memory, "id": 7, "similarity": 0.419, "settled_on": "2025-02-03", "ticker": "OLDQ"}
    return LessonRecord.model_validate({**known, "recommendation": text, **changes})


def record(**used: list[LessonRecord]) -> dict[str, Any]:
    return {**sample_record(), "lessons_used": {agent.replace("_", " "): shown for agent, shown in used.items()}}


def test_a_run_without_lessons_says_nothing_of_them():
    plain = sample_record()
    assert "lessons_used" not in plain
    assert "Lessons" not in complete_report(plain)
    assert 'id="lessons"' not in render_html(plain, None)


def test_each_lesson_stands_with_who_was_shown_it_and_where_it_comes_from():
    told = record(
        Bull_Researcher=[lesson("Let it run.")], Trader=[lesson("Size less.", "trader_memory", id=None, ticker=None)]
    )
    text = complete_report(told)
    chapter = text.partition("## Lessons used")[2].partition("\n## ")[0]
    assert "### Bull Researcher\n\nLet it run.\n\n" in chapter
    assert "From bull_memory: lesson 7, about OLDQ, known since 2025-02-03, similarity 0.42." in chapter
    assert "From trader_memory: known since 2025-02-03, similarity 0.42." in chapter
    page = render_html(told, None)
    assert '<a href="#lessons">Lessons</a>' in page
    for words in ("Let it run.", "Size less.", "lesson 7, about OLDQ, known since 2025-02-03, similarity 0.42"):
        assert words in page


def test_a_lesson_shown_to_two_agents_stands_once():
    same = lesson("Let it run.")
    found = outline.lessons(run_of(record(Bull_Researcher=[same], Trader=[same])))
    assert found == [("Bull Researcher, Trader", same)]


def test_a_lesson_opens_no_chapter_and_no_html():
    told = record(Trader=[lesson("# Decision\n\n<script>alert(1)</script>\n\n## Warnings\n\nNone.")])
    text = complete_report(told)
    assert [line for line in text.splitlines() if line in ("# Decision", "## Warnings")].count("# Decision") == 0
    assert text.count("\n## Warnings") == complete_report(sample_record()).count("\n## Warnings")
    assert "<script>" not in text
    assert "<script>" not in render_html(told, None)
