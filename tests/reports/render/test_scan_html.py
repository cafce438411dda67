from itertools import pairwise

import pytest

from tests.reports.golden import assert_golden
from tests.reports.hostile import PAYLOADS, hostile_scan
from tests.reports.page import Page
from tests.reports.rendered import render_scan_html
from tests.reports.safe import assert_links_within, assert_safe, heading_levels
from tests.reports.scan_sample import partial_scan, sample_scan


def test_the_page_reads_as_agreed():
    assert_golden("scan/report.html", render_scan_html(sample_scan()))


def test_a_partial_page_reads_as_agreed():
    assert_golden("scan/partial/report.html", render_scan_html(partial_scan()))


def test_the_page_is_small_safe_and_leads_where_it_says():
    html = render_scan_html(sample_scan())
    page = assert_safe(html)
    assert len(html.encode()) < 100_000
    assert_links_within(page)
    assert [attrs["href"] for attrs in page.of("a") if attrs["href"].startswith("#") and "class" not in attrs] == [
        *("#picks", "#context", "#themes", "#sectors", "#indices", "#reports", "#data", "#use")
    ]


def test_headings_go_down_one_level_at_a_time():
    levels = heading_levels(Page(render_scan_html(sample_scan())))
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_a_pick_tells_what_it_rests_on():
    text = Page(render_scan_html(sample_scan())).text()
    for words in (
        "1 VELQ Velquist Semiconductors Corp. Information Technology momentum ●●● high conviction",
        "Leads the sector that fell most, and rose while it fell",
        "Catalysts Earnings on 2025-03-27 Capacity of the new plant from the second quarter Risks Export rules",
        "Rose 6.42% on 1.9 times its usual volume Market movers (day gainers)",
        "Seen in Market movers (day gainers) , Industry returns (technology) , Earnings calendar",
        "4 MAVO Mavora Retail Group Consumer Discretionary turnaround ●○○ low conviction",
    ):
        assert words in text


def test_every_sector_stands_in_the_heat_map_with_numbers_in_words_not_in_colour_alone():
    text = Page(render_scan_html(sample_scan())).text()
    for words in (
        "Sector 1 day 1 week 1 month YTD Utilities XLU deep dive 2 +0.91% +2.15% +5.77% +4.39%",
        "Information Technology XLK deep dive 1 -1.12% -3.08% -7.31% -9.45%",
        "Real Estate XLRE -0.33% -1.07% n/a n/a",
        "Strongest colour at ±1.35% ±4.15% ±7.31% ±11.32%",
    ):
        assert words in text


def test_cells_are_coloured_by_steps_of_the_columns_scale():
    cells = [attrs.get("class") for attrs in Page(render_scan_html(sample_scan())).of("td")]
    # Utilities: 0.91 / 1.35 = 0.67 -> 3; 2.15 / 4.15 = 0.52 -> 3; 5.77 / 7.31 = 0.79 -> 4; 4.39 / 11.32 = 0.39 -> 2
    assert cells[:4] == [f"right gain step{step}" for step in (3, 3, 4, 2)]
    assert cells[40:44] == ["right loss step1", "right loss step1", "right unknown", "right unknown"]


def test_an_index_stands_where_its_last_level_lies_within_the_year():
    marks = Page(render_scan_html(sample_scan())).of("svg")
    # (5,521.52 - 4,967.23) / (6,144.15 - 4,967.23) = 0.471
    assert marks[0]["aria-label"] == "47% of the way from low to high"
    assert len(marks) == 5


@pytest.mark.parametrize(("last", "place"), [(90.0, "0%"), (100.0, "0%"), (130.0, "75%"), (150.0, "100%")])
def test_an_index_beyond_its_year_stands_at_its_end(last, place):
    record = sample_scan()
    record["indices"] = record["indices"][:1]
    record["indices"][0].update(last=last, low_52w=100.0, high_52w=140.0)
    assert f"{place} of the way" in render_scan_html(record)


def test_an_index_whose_year_is_one_number_has_no_mark():
    record = sample_scan()
    record["indices"] = record["indices"][:1]
    record["indices"][0].update(last=100.0, low_52w=100.0, high_52w=100.0)
    assert Page(render_scan_html(record)).of("svg") == []


def test_the_reports_are_folded():
    details = [attrs for attrs in Page(render_scan_html(sample_scan())).of("details") if attrs.get("class")]
    assert len([attrs for attrs in details if attrs["class"] == "card text"]) == 4
    assert not any("open" in attrs for attrs in details)


def test_a_scan_that_stopped_early_says_so_before_anything_else():
    page = Page(render_scan_html(partial_scan()))
    assert [attrs for tag, attrs in page.elements if tag == "p"][1] == {"class": "notice", "role": "note"}
    assert "Not written: industry deep dive, index table, summary." in page.text()
    assert_links_within(page)


def test_a_failed_scan_with_nothing_still_makes_a_page():
    record = sample_scan()
    record.update(status="failed", summary=None, sectors=[], indices=[], reports={}, data_sheet=[], warnings=[])
    record.update(top_sectors=[], error="No vendor answered; run `tradingagents doctor`.")
    assert (
        "the scan failed. No vendor answered; run `tradingagents doctor`."
        in assert_safe(render_scan_html(record)).text()
    )


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_text_field_can_become_markup(payload):
    html = render_scan_html(hostile_scan(payload))
    page = assert_safe(html)
    assert [len(page.of(tag)) for tag in ("title", "style", "section", "table")] == [
        len(Page(render_scan_html(sample_scan())).of(tag)) for tag in ("title", "style", "section", "table")
    ]


def test_a_template_in_a_text_is_not_run():
    record = sample_scan()
    record["summary"]["stocks_to_investigate"][0]["name"] = "{{ 7 * 7 }}"
    assert "{{ 7 * 7 }}" in Page(render_scan_html(record)).text()
