"""Names for people, links between figures and data, the analysts' strip, grouped answers, earlier decisions."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tests.reports.page import Page
from tests.reports.rendered import render_html, render_scan_html
from tests.reports.sample import sample_prices, sample_record
from tests.reports.scan_sample import sample_scan
from tradingagents.agents.states import NOT_AVAILABLE
from tradingagents.analytics.price.indicators import benchmark_line
from tradingagents.capabilities.registry import registry, titles
from tradingagents.dataflows.vendor import METHODS
from tradingagents.reports import stances as strip
from tradingagents.reports.direction import good_or_bad
from tradingagents.reports.earlier import EarlierDecision
from tradingagents.reports.model_text import as_html, as_inline_html, first_words
from tradingagents.reports.names import for_people, tool_label
from tradingagents.reports.sheet_groups import sheet_groups
from tradingagents.reports.stances import stances
from tradingagents.schemas.records import DataSheetRecord


def test_every_tool_and_every_vendor_method_has_a_title():
    known = titles()
    assert known.keys() == {*registry(), *METHODS}
    assert known["get_ttm_analysis"] == "Twelve months of statements"  # declared by the capability
    assert known["get_social_posts"] == "Social media posts"  # declared by the vendor method
    assert known["get_market_movers"] == "Market movers"  # the words of its name
    assert not [title for title in known.values() if "_" in title or not title[0].isupper()]
    assert tool_label("get_new_thing") == "New thing"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("rests on close_200_sma 85.40 USD", "rests on 200-day average 85.40 USD"),
        ("atr 3.70 USD, vix 27.38", "average true range 3.70 USD, VIX 27.38"),
        ("the atr of a stock", "the atr of a stock"),
        ("see get_ttm_analysis (fundamentals_report)", "see twelve months of statements (fundamentals report)"),
        ("a my_own_name and https://example.com/close_200_sma", "a my_own_name and https://example.com/close_200_sma"),
        ("plain words", "plain words"),
    ],
)
def test_short_names_become_what_people_call_them(text: str, told: str):
    assert for_people(text) == told


def test_the_short_name_stays_as_the_title():
    assert as_inline_html("close_200_sma 85.40") == (
        '<span class="named" title="close_200_sma">200-day average</span> 85.40'
    )


def test_code_that_is_more_than_a_name_stays_code():
    assert str(as_html("`x = close_200_sma + 1`", under=2)) == "<p><code>x = close_200_sma + 1</code></p>\n"


def test_a_value_with_its_unit_stays_on_one_line():
    page = Page(str(as_html("| a | b |\n|---|---|\n| x | 111.21 USD |\n| y | two words here |", under=2)))
    assert [attrs.get("class") for attrs in page.of("td")] == [None, "value", None, None]


def test_the_opening_words_pass_over_where_an_answer_comes_from():
    text = "## Macro regime\n\n(source simulated, as of 2025-03-14, 6600 rows)\n\nRegime: transition (score 0 of 6)"
    assert first_words(text) == "Regime: transition (score 0 of 6)"


def test_a_figure_links_to_its_row_and_the_row_back_to_the_report():
    page = Page(render_html(sample_record(), None))
    links = [attrs["href"] for attrs in page.of("a")]
    ids = [attrs["id"] for _, attrs in page.elements if "id" in attrs]
    assert "#figure-indicators-rsi" in links
    assert "figure-indicators-rsi" in ids
    assert links.count("#report-market-report") >= 2  # the strip, and the data sheet's way back
    assert len(ids) == len(set(ids))


def test_a_tool_that_the_data_sheet_lacks_is_no_link():
    record = sample_record()
    record["data_sheet"] = []
    page = Page(render_html(record, None))
    assert not [attrs for attrs in page.of("a") if attrs["href"].startswith(("#data-", "#figure-"))]
    assert "Technical indicators" in page.text()


HOSTILE = '"><script>alert(1)</script><a class="inner" href="#decision">x</a>'


def test_a_source_cannot_become_markup():
    record = sample_record()
    record["decision"]["key_evidence"] = [{"claim": HOSTILE, "source": source} for source in (HOSTILE, "get_news:<b>")]
    record["data_sheet"][0]["figures"] = {HOSTILE: 1.0}
    record["data_sheet"][0]["method"] = HOSTILE
    html = render_html(record, None)
    page = Page(html)
    assert not page.of("script")
    assert "<b>" not in html
    assert "alert(1)" in page.text()


def sheet(**changes: Any) -> DataSheetRecord:
    row = dict.fromkeys(DataSheetRecord.model_fields)
    row |= {"method": "get_stock_data", "symbol": "AAA", "vendor": "yfinance", "start": "2024-01-02"}
    row |= {"end": "2025-03-14", "rows": 300, "known_at": "2025-03-14T20:00:00+00:00", "figures": {}, "notes": []}
    row |= {"fetched_at": "2026-11-22T02:24:43.686290+00:00", "inputs": []}
    return DataSheetRecord.model_validate({**row, **changes})


def test_answers_that_differ_in_their_symbol_only_are_one_line():
    rows = [sheet(symbol=symbol) for symbol in ("AAA", "BBB", "CCC")] + [sheet(symbol="DDD", rows=20)]
    (group,) = sheet_groups(rows)
    assert [line.symbols for line in group.lines] == [("AAA", "BBB", "CCC"), ("DDD",)]
    assert (group.symbols, group.fetched, group.title) == (4, "2026-11-22", "Prices")


def test_answers_are_grouped_by_tool_and_vendor_and_figures_have_one_id():
    rows = [
        sheet(figures={"rsi": 50.0}),
        sheet(symbol="BBB", figures={"rsi": 60.0}),
        sheet(vendor="snapshot", figures={"rsi": 70.0}),
    ]
    first, second = sheet_groups(rows)
    assert [(figure.anchor, figure.value) for figure in first.figures] == [
        ("figure-stock-data-rsi", 50.0),
        ("", 60.0),
    ]
    assert (second.anchor, [figure.anchor for figure in second.figures]) == ("", [""])


def test_the_simulated_market_is_computed_whatever_instant_its_rows_carry():
    rows = [
        sheet(vendor="simulated", fetched_at="2025-03-14T20:00:00+00:00"),
        sheet(vendor="simulated", symbol="BBB"),
    ]
    (group,) = sheet_groups(rows)
    assert group.fetched == "computed"
    assert len(group.lines) == 1


def test_the_strip_shows_what_the_four_reports_come_to():
    reports = {
        "market_report": "## Market\n\n**Overall: bullish +0.10** (derived, -1 to 1)",
        "sentiment_report": f"{NOT_AVAILABLE} No posts.",
        "news_report": "A report of a model that gives no score.",
        "fundamentals_report": "Overall: Bearish, \u22120.45.",
        "macro_regime_report": "Overall: bullish +1.00",
    }
    found = stances(reports)
    assert [(one.section.title, one.words, one.score) for one in found] == [
        ("Market", "bullish", 0.10),
        ("News", "no score given", None),
        ("Fundamentals", "bearish", -0.45),
    ]
    assert strip.NOT_AVAILABLE == NOT_AVAILABLE
    assert found[2].place == pytest.approx(27.5)


def test_a_rising_fear_index_is_no_gain():
    assert [good_or_bad("^VIX", change) for change in (20.0, -5.0, 0.0, None, math.nan)] == ["bad", "good", "", "", ""]
    assert [good_or_bad("^GSPC", change) for change in (1.0, -1.0)] == ["good", "bad"]
    record = sample_scan()
    record["indices"] = [{**record["indices"][0], "symbol": "^VIX", "name": "VIX", "change_pct": 20.0}]
    cells = [attrs.get("class") for attrs in Page(render_scan_html(record)).of("td")]
    assert "right bad" in cells
    assert "right good" not in cells


def test_the_benchmark_starts_at_the_price_of_the_stock():
    stock, market = sample_prices(60), sample_prices(60)
    market.close[:] = market.close * 3 + 7
    line = benchmark_line(stock, market, 40)
    assert math.isnan(line[19])
    assert line[20] == pytest.approx(stock.close[20])
    assert line[-1] / line[20] == pytest.approx(market.close[-1] / market.close[20])


def test_a_benchmark_without_a_common_day_draws_no_line():
    stock, market = sample_prices(60), sample_prices(60).upto(sample_prices(60).days[0].item())
    market.close[:] = math.nan
    assert all(math.isnan(value) for value in benchmark_line(stock, market, 40))
    assert "from the same start" not in render_html(sample_record(), stock, benchmark=market)


def test_earlier_decisions_stand_on_the_page_with_what_was_known():
    earlier = [
        EarlierDecision(
            "2025-02-14", "BUY", 0.61, None, "gpt-5.2", "../../x/reports/report.html", 0.054, 0.012, "2025-03-12"
        ),
        EarlierDecision("2025-01-10", "SELL", 0.49, 0.63, "offline analysts", "", None, None, ""),
    ]
    page = Page(render_html(sample_record(), sample_prices(), earlier=earlier))
    assert "2025-02-14 ▲ BUY 61% gpt-5.2 +5.40%, benchmark +1.20% by 2025-03-12" in page.text()
    assert "2025-01-10 ▼ SELL 0.63 offline analysts not settled by then" in page.text()
    assert "../../x/reports/report.html" in [attrs["href"] for attrs in page.of("a")]
