from itertools import pairwise

import pytest

from tests.reports.golden import assert_golden
from tests.reports.hostile import PAYLOADS, hostile_batch
from tests.reports.page import Page
from tests.reports.rendered import render_batch_html
from tests.reports.safe import assert_links_within, assert_safe, heading_levels
from tests.reports.scan_sample import partial_scan, sample_batch


def links(page):
    return [attrs["href"] for attrs in page.of("a") if not attrs["href"].startswith("#")]


def test_the_page_reads_as_agreed():
    assert_golden("batch/report.html", render_batch_html(sample_batch()))


def test_the_page_is_small_safe_and_leads_where_it_says():
    html = render_batch_html(sample_batch())
    page = assert_safe(html)
    assert len(html.encode()) < 100_000
    assert_links_within(page)


def test_headings_go_down_one_level_at_a_time():
    levels = heading_levels(Page(render_batch_html(sample_batch())))
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_links_lead_from_the_batchs_folder_to_the_scan_and_to_each_run_that_left_a_page():
    runs = [f"../../runs/20250314-210100-{name}-7f3a" for name in ("VELQ", "ORNE", "MAVO", "QFIX", "TILB", "WREN")]
    scan = "../../runs/20250314-210000-SCAN-4c1e"
    assert links(Page(render_batch_html(sample_batch()))) == [
        f"{folder}/reports/report.html" for folder in (scan, *runs, scan)
    ]


def test_whoever_serves_the_page_says_what_links_lead_to():
    page = Page(render_batch_html(sample_batch(), link=lambda path: f"https://desk.example/{path.split('/')[-3]}"))
    assert links(page)[1] == "https://desk.example/20250314-210100-VELQ-7f3a"


def test_a_link_that_cannot_be_given_leaves_the_words():
    page = Page(render_batch_html(sample_batch(), link=lambda path: ""))
    assert links(page) == []
    assert "VELQ Velquist Semiconductors Corp." in page.text()


def test_each_decision_is_told_with_its_terms_reason_and_disagreement():
    text = Page(render_batch_html(sample_batch())).text()
    for words in (
        "2 ▲ BUY 1 ▼ SELL 1 ◆ HOLD 1 ○ NO DECISION 1 ○ FAILED 1 ○ NOT BEGUN",
        "1 VELQ Velquist Semiconductors Corp. ▲ BUY 71% 121.27 114.60 134.50 5% 34% $0.1834 scan ●●● high conviction",
        "Revenue grew 14.20% over the year while the operating margin widened to 18.31%. The overruled side",
        "The overruled side has a point: At 31.05x earnings a weak quarter would cost the multiple.",
        "3 MAVO Mavora Retail Group ▼ SELL 66% n/a n/a n/a n/a 22% $0.1834 scan ●○○ low conviction",
        "○ NO DECISION n/a $0.1834 scan",
        "○ FAILED n/a $0.1834 watchlist No vendor has prices of WREN; name another symbol.",
        "ZEPH Zephyr Lines ○ NOT BEGUN n/a no run",
    ):
        assert words in text


def test_a_cost_that_is_not_known_is_not_zero():
    record = sample_batch()
    record["rows"][0]["cost_usd"] = None
    record["usage"]["cost_usd"] = None
    assert Page(render_batch_html(record)).text().count("price unknown") == 3


def test_a_partial_batch_says_so_before_anything_else():
    page = Page(render_batch_html(sample_batch()))
    assert [attrs for tag, attrs in page.elements if tag == "p"][1] == {"class": "notice", "role": "note"}


def test_a_batch_whose_scan_failed_still_makes_a_page():
    record = sample_batch()
    record.update(status="failed", rows=[], scan=partial_scan(), warnings=[])
    text = assert_safe(render_batch_html(record)).text()
    assert "The batch failed. 0.05 of 0.05 USD are spent; raise budget_usd." in text
    assert "The scan left no summary." in text


def test_a_batch_that_stands_on_no_scan_makes_a_page():
    record = sample_batch()
    record["scan"] = None
    page = assert_safe(render_batch_html(record))
    assert "scan" not in {attrs.get("id") for attrs in page.of("section")}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_text_field_can_become_markup(payload):
    page = assert_safe(render_batch_html(hostile_batch(payload)))
    clean = Page(render_batch_html(sample_batch()))
    assert [len(page.of(tag)) for tag in ("title", "style", "section", "table", "tr")] == [
        len(clean.of(tag)) for tag in ("title", "style", "section", "table", "tr")
    ]
