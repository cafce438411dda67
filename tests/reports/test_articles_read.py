"""What was read: collected from a run's events, listed in both kinds of report, with links that are safe."""

from __future__ import annotations

from typing import Any, cast

from tests.reports.rendered import (
    articles_markdown,
    complete_report,
    complete_scan_report,
    render_html,
    render_scan_html,
    run_of,
)
from tests.reports.safe import assert_links_within, assert_safe
from tests.reports.sample import sample_prices, sample_record
from tests.reports.scan_sample import sample_scan
from tradingagents.events import Event, EventStream
from tradingagents.reports.articles_read import ArticlesRead, article_groups
from tradingagents.schemas.cards import RunRecord, ScanRecord

LINK = "https://news.example.com/a_(b)c"


def article(title: str, **changes: Any) -> dict[str, Any]:
    plain = {
        "asked": "News: QFIX",
        "title": title,
        "publisher": "The Gazette",
        "published_at": "2025-03-14T12:30:00+00:00",
        "day_only": False,
        "url": "https://news.example.com/1",
        "symbol": None,
        "relevance": 0.75,
        "weak": False,
        "reason": "named in the title",
    }
    return {**plain, **changes}


def events(*answers: tuple[str, str, list[dict[str, Any]]]) -> list[Event]:
    stream = EventStream("run")
    found: list[Event] = []
    stream.subscribe(found.append)
    for agent, tool, articles in answers:
        stream.emit("tool_end", "gist", node=agent, tool=tool, call="1", status="success", articles=articles)
    stream.emit("tool_end", "gist", node="Market Analyst", tool="get_stock_data", call="2", status="success")
    return found


def read(*answers: tuple[str, str, list[dict[str, Any]]]) -> list[dict[str, Any]]:
    collected = ArticlesRead()
    for event in events(*answers):
        collected.recall(event)
    return cast(list[dict[str, Any]], collected.to_records())


def test_an_article_that_two_agents_were_shown_is_one_entry():
    own = [article("Quarks up"), article("Quarks down", relevance=0.9)]
    found = read(("Social Media Analyst", "get_news", own), ("News Analyst", "get_news", own[:1]))
    assert [(one["title"], one["agents"]) for one in found] == [
        ("Quarks down", ["Social Media Analyst"]),
        ("Quarks up", ["News Analyst", "Social Media Analyst"]),
    ]


def test_the_order_does_not_depend_on_which_tool_was_faster():
    one = ("News Analyst", "get_news", [article("a"), article("b")])
    two = ("News Analyst", "get_global_news", [article("c", asked="Market news")])
    assert read(one, two) == read(two, one)
    assert [entry["tool"] for entry in read(one, two)] == ["get_global_news", "get_news", "get_news"]


def records(*articles: dict[str, Any]) -> tuple[RunRecord, ScanRecord]:
    listed = read(("News Analyst", "get_news", list(articles)))
    return (
        cast(RunRecord, {**sample_record(), "articles_read": listed}),
        cast(ScanRecord, {**sample_scan(), "articles_read": listed}),
    )


def test_both_kinds_of_report_list_articles_with_links_relevance_and_readers():
    run, scan = records(article("Quarks up"), article("Quarks | down", url=LINK, relevance=0.3, weak=True))
    for text in (complete_report(run), complete_scan_report(scan)):
        assert "## What was read" in text
        assert (
            "| [Quarks up](https://news.example.com/1) | The Gazette | 2025-03-14 12:30 UTC | 0.75 | News Analyst |"
            in text
        )
        assert "| [Quarks \\| down](https://news.example.com/a_%28b%29c) |" in text
        assert "| 0.30 (weak) |" in text
    for html in (render_html(run, sample_prices()), render_scan_html(scan)):
        page = assert_safe(html)
        assert_links_within(page)
        links = [attrs for attrs in page.of("a") if attrs["href"].startswith("http")]
        assert {"https://news.example.com/1", LINK} <= {attrs["href"] for attrs in links}
        assert all("noopener" in attrs["rel"] for attrs in links if "news.example" in attrs["href"])


def test_a_link_that_is_none_is_no_link_whatever_a_card_says():
    run, scan = records(article("Quarks up", url="javascript:alert(1)"), article("[x](http://a.b)<script>", url=None))
    assert [row.link for group in article_groups(run_of(run)) for row in group.rows] == ["", ""]
    assert "javascript:alert" not in complete_report(run) + render_html(run, None) + complete_scan_report(scan)
    assert "(x)(http://a.b)&lt;script>" in articles_markdown(article_groups(run_of(run)))
    assert_safe(render_html(run, sample_prices()))


def test_a_run_that_read_no_article_has_no_such_chapter():
    run, _ = records()
    assert "What was read" not in complete_report(run)
    assert "What was read" not in render_html(run, None)
    earlier = {key: value for key, value in run.items() if key != "articles_read"}
    assert article_groups(run_of(earlier)) == []
