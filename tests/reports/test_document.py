"""The document model: a run kind that knows plain blocks only has both kinds of report."""

from __future__ import annotations

import pytest

from tests.reports.hostile import PAYLOADS
from tests.reports.page import Page
from tests.reports.safe import assert_safe
from tradingagents.reports.document import (
    Bullets,
    Card,
    Document,
    File,
    Heading,
    Masthead,
    Notice,
    Prose,
    Section,
    Table,
    labelled,
)
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import markdown_files


def answer(text: str) -> Card:
    """A block that no template knows."""
    table = Table(("Filing", "Page"), [("10-K 2024", "17 | 18")])
    bullets = Bullets(["first", "second"])
    return Card("answer", (), [Heading("Answer"), Prose(text), table, bullets, *labelled("Doubt", "None *so far*.")])


def questions(text: str = "Revenue **grew**.\n\n# Why\n\nPrices.") -> Document:
    head = Masthead("Tab", "Questions", "VELQ", "2025-03-14", facts=[("Asked", text)], identity="Run 1")
    return Document(
        title="Questions: VELQ",
        facts=[("Asked", text), ("Nothing", "")],
        masthead=head,
        notice=f"Partial: {text}",
        sections=[
            Section("Answers", [answer(text), Notice(text)], id="answers", menu="Answers"),
            Section("Empty", [], id="empty", menu="Empty"),
            Section("On the page", [Prose("seen here")], id="page", only="page"),
            Section("In the file", [Prose("read there")], only="file"),
        ],
        files=[File("answers/1.md", "Answer 1", [Prose(text, under=1)])],
        attachments={"answers.json": "{}\n"},
    )


def test_a_new_kind_of_report_has_both_forms_from_plain_blocks():
    files = markdown_files(questions())
    assert list(files) == ["answers.json", "answers/1.md", "complete_report.md"]
    assert files["answers/1.md"] == "# Answer 1\n\nRevenue **grew**.\n\n## Why\n\nPrices.\n"
    complete = files["complete_report.md"]
    assert "## Answers\n\n### Answer\n\nRevenue **grew**.\n\n#### Why\n\nPrices.\n\n| Filing | Page |" in complete
    assert "| 10-K 2024 | 17 \\| 18 |\n\n- first\n- second\n\n**Doubt**\n\nNone *so far*." in complete
    assert "Nothing" not in complete
    assert "Empty" not in complete
    page = Page(to_html(questions()))
    shown = page.text()
    assert "Answer Revenue grew . Why Prices. Filing Page 10-K 2024 17 | 18 first second Doubt None so far ." in shown
    assert [attrs["href"] for attrs in page.of("a")] == ["#answers"]


def test_each_medium_has_the_sections_that_are_meant_for_it():
    complete, page = markdown_files(questions())["complete_report.md"], to_html(questions())
    assert ("seen here" in complete, "read there" in complete) == (False, True)
    assert ("seen here" in page, "read there" in page) == (True, False)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_text_in_a_plain_block_can_become_markup(payload: str):
    assert_safe(to_html(questions(payload)))
