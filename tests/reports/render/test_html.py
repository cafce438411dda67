import base64
import hashlib
import re
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from tests.reports.golden import assert_golden
from tests.reports.hostile import PAYLOADS, hostile_record
from tests.reports.page import Page
from tests.reports.render.test_markdown import stopped_record
from tests.reports.rendered import render_html
from tests.reports.safe import ATTRIBUTES, TAGS
from tests.reports.sample import sample_prices, sample_record


def test_the_page_reads_as_agreed():
    assert_golden("report.html", render_html(sample_record(), sample_prices()))


def test_a_partial_page_reads_as_agreed():
    assert_golden("partial/report.html", render_html(stopped_record(), None))


def test_the_page_is_well_formed_small_and_asks_nobody_for_anything():
    html = render_html(sample_record(), sample_prices())
    page = Page(html)
    assert len(html.encode()) < 250_000
    assert {tag for tag, _ in page.elements} <= TAGS
    assert not any("src" in attrs or "style" in attrs for _, attrs in page.elements)
    assert "url(" not in html
    assert "@import" not in html


def test_the_charts_are_well_formed_xml():
    html = render_html(sample_record(), sample_prices())
    charts = re.findall(r"<svg xmlns.*?</svg>(?=</figure>)", html, flags=re.DOTALL)
    assert len(charts) == 2
    roots = [ET.fromstring(chart) for chart in charts]  # noqa: S314 - our own text
    columns = [[path for path in root.iter() if path.get("class") == "hit"] for root in roots]
    assert [len(found) for found in columns] == [130, 0]


def test_links_within_the_page_lead_somewhere():
    page = Page(render_html(sample_record(), sample_prices()))
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert len(ids) == len(set(ids))
    inner = {attrs["href"][1:] for attrs in page.of("a") if attrs["href"].startswith("#")}
    assert {"decision", "chart", "analysts", "research", "trading", "risk", "data", "use"} <= inner
    assert {"data-ttm-analysis", "figure-indicators-rsi", "report-market-report"} <= inner
    assert inner <= set(ids)


def test_the_policy_allows_our_style_sheets_and_nothing_else():
    html = render_html(sample_record(), sample_prices())
    (policy,) = [attrs["content"] for attrs in Page(html).of("meta") if attrs.get("http-equiv")]
    directives = dict(part.strip().split(" ", 1) for part in policy.split(";"))
    sheets = set(re.findall(r"<style>(.*?)</style>", html, flags=re.DOTALL))
    hashes = {f"'sha256-{base64.b64encode(hashlib.sha256(sheet.encode()).digest()).decode()}'" for sheet in sheets}
    assert directives == {
        "default-src": "'none'",
        "style-src": directives["style-src"],
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    assert set(directives["style-src"].split()) == hashes


def test_the_decision_is_told_in_words_and_numbers():
    text = Page(render_html(sample_record(), sample_prices())).text()
    for words in (
        "▲ BUY Confidence 62%",
        "Entry 121.27 USD",
        "Stop 114.60 USD -5.5% from entry",
        "Target 134.50 USD +10.9% from entry",
        "Reward to risk 2.0",  # (134.50 - 121.27) / (121.27 - 114.60) = 1.98
        "Position size 5% of equity",
        "Horizon 30 days",
        "Rank 2 of 8 among its peers over three months Peer comparison",
        "Cut-off 2025-03-14 20:00 UTC",
        "This is research software: nothing in this report is investment advice.",
        "The run took 1 min 14 s",
    ):
        assert words in text


def test_what_a_decision_lacks_is_left_out():
    record = sample_record()
    record["decision"].update(entry=None, stop=None, target=None, position_size=None, horizon_days=None)
    page = Page(render_html(record, None))
    assert "terms" not in {attrs.get("class") for attrs in page.of("dl")}
    record["decision"]["stop"] = 114.6
    text = Page(render_html(record, None)).text()
    assert "Confidence 62% Stop 114.60 USD Revenue grew" in text


def test_a_market_scan_handed_over_stands_after_the_analysts():
    record = sample_record()
    record["reports"]["macro_scan_summary"] = "Money leaves **growth**."
    page = Page(render_html(record, None))
    titles = [text for tag, text in page.texts if tag == "h3"]
    assert titles.index("Market scan") == titles.index("Macro regime") + 1
    assert "Market scan Macro Synthesis Money leaves growth." in page.text()


def test_turns_alternate_in_order():
    turns = [attrs["class"] for attrs in Page(render_html(sample_record(), None)).of("li") if "class" in attrs]
    assert turns == [
        *("turn buy left", "turn sell right") * 2,
        *("turn buy left", "turn sell right", "turn hold middle"),
    ]


def test_headings_go_down_one_level_at_a_time():
    levels = [int(tag[1]) for tag, _ in Page(render_html(sample_record(), None)).elements if re.fullmatch(r"h\d", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_a_price_that_is_not_known_is_not_zero():
    record = sample_record()
    record["usage"]["cost_usd"] = None
    assert "price unknown" in Page(render_html(record, None)).text()


def test_an_offline_run_costs_nothing():
    record = sample_record()
    record["usage"]["cost_usd"] = 0.0
    assert "$0.00" in Page(render_html(record, None)).text()


def test_a_run_that_stopped_early_says_so_before_anything_else():
    page = Page(render_html(stopped_record(), sample_prices()))
    assert [attrs for tag, attrs in page.elements if tag == "p"][1] == {"class": "notice", "role": "note"}
    assert "Not written: fundamentals, macro regime, investment plan, trading plan, decision." in page.text()


def test_an_empty_record_still_makes_a_page():
    record = sample_record()
    record.update(status="failed", decision=None, reports={}, debates={}, data_sheet=[], warnings=[])
    record["usage"] = {"llm_calls": 0, "input_tokens": 0, "output_tokens": 0, "cached_tokens": 0, "cost_usd": 0.0}
    assert "the run failed" in Page(render_html(record, None)).text()


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_text_field_can_become_markup(payload):
    html = render_html(hostile_record(payload), sample_prices())
    page = Page(html)
    assert {tag for tag, _ in page.elements} <= TAGS
    assert {name for _, attrs in page.elements for name in attrs} <= ATTRIBUTES
    links = [attrs["href"] for attrs in page.of("a")]
    assert all(link.startswith(("#", "https://")) for link in links)
    assert len(page.of("title")) == len(Page(render_html(sample_record(), sample_prices())).of("title"))
    assert html.count("<style>") == 3


def test_a_template_in_a_text_is_not_run():
    record = sample_record()
    record["instrument"]["name"] = "{{ 7 * 7 }}"
    assert "{{ 7 * 7 }}" in Page(render_html(record, None)).text()
