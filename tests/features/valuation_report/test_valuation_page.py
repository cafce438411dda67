"""The page and the Markdown of a valuation: everything is told in words and tables, and nothing leaves its place."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import pytest

from tests.features.valuation_report.valuation_sample import sample_valuation
from tests.reports.golden import assert_golden
from tests.reports.hostile import PAYLOADS
from tests.reports.page import Page
from tests.reports.safe import assert_links_within, assert_safe, heading_levels
from tests.valuation.cases import FULL, SMALL
from tradingagents.features.valuation_report.report import ValuationReport
from tradingagents.features.valuation_report.valuation import valuation_document
from tradingagents.features.valuation_report.workbook import valuation_workbook
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import to_markdown
from tradingagents.reports.workbook import column_letters
from tradingagents.schemas.facts import PriceRange
from tradingagents.valuation.company.answer_parts import ValuationAssumption


def html_of(report: ValuationReport) -> str:
    return to_html(valuation_document(report))


def markdown_of(report: ValuationReport) -> str:
    return to_markdown(valuation_document(report))


def test_the_page_reads_as_agreed():
    assert_golden("valuation/report.html", html_of(sample_valuation()))


def test_the_markdown_reads_as_agreed():
    assert_golden("valuation/report.md", markdown_of(sample_valuation()))


def test_the_cells_of_the_workbook_read_as_agreed():
    lines = []
    book = valuation_workbook(sample_valuation())
    for sheet in book.sheets:
        lines.append(f"## {sheet.title}")
        for row, cells in sheet.rows():
            for column, cell in cells:
                value = f"{cell.value:.9g}" if isinstance(cell.value, float) else cell.value
                formula = f" ={cell.formula}" if cell.formula else ""
                lines.append(f"{column_letters(column)}{row + 1} [{cell.look}] {value}{formula}".rstrip())
    lines += ["## Names", *(f"{name} {address}" for name, address in book.names.items())]
    assert_golden("valuation/workbook.txt", "\n".join(lines) + "\n")


def test_the_page_is_safe_needs_nothing_and_leads_where_it_says():
    html = html_of(sample_valuation())
    page = assert_safe(html)
    assert_links_within(page)
    assert len(html.encode()) < 80_000
    levels = heading_levels(page)
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))


def test_each_chart_is_told_in_words_and_stands_beside_a_table_with_its_numbers():
    report = sample_valuation()
    page = Page(html_of(report))
    drawn = [attrs for attrs in page.of("svg") if attrs.get("class") == "value-bars"]
    assert len(drawn) == 4  # two charts, wide and narrow
    assert all(attrs["role"] == "img" and len(attrs["aria-label"]) > 80 for attrs in drawn)
    cells = {text.strip() for tag, text in page.texts if tag == "td"}
    assert {"18.50", "22.00", "27.50", "P/E of peers"} <= cells
    for bar in report.tornado.bars:
        assert {f"{bar.low:,.2f}", f"{bar.high:,.2f}"} <= cells


@pytest.mark.parametrize("render", [html_of, markdown_of])
def test_value_price_expectations_sources_warnings_and_refusals_are_shown(render):
    report = sample_valuation()
    text = render(report)
    found = report.valuation
    growth = next(one for one in report.implied if one.driver == "sales_growth")
    for words in (
        f"{found.value_per_share:,.2f} USD",
        "30.00 USD",
        f"{growth.level:.2%}".replace("%", ""),
        "Shares are those of the last filing.",
        "P/B of peers: equity of BLT not positive.",
        *(one.source for one in report.assumptions),
        *report.valuation.warnings,
    ):
        assert words in text.replace("&#39;", "'"), words


def test_a_price_that_nothing_explains_is_said_so():
    text = markdown_of(replace(sample_valuation(), price=1e9))
    assert "no level explains the price" in text
    assert "no growth explains the price" in text


def test_inputs_alone_give_a_page_without_a_price():
    report = ValuationReport(inputs=SMALL)
    page = assert_safe(html_of(report))
    assert "27.30" in page.text()
    assert "No price was given" in page.text()
    assert "Debt" not in {text.strip() for tag, text in page.texts if tag == "h2"}


def test_cells_that_cannot_be_valued_say_why():
    report = ValuationReport(inputs=FULL.with_values(stable_growth=0.065), price=20.0)
    text = markdown_of(report)
    assert "Cells without a value: stable_growth must stay at least 0.005 below stable_wacc." in text
    titles = {attrs.get("title") for attrs in Page(html_of(report)).of("td")}
    assert "stable_growth must stay at least 0.005 below stable_wacc" in titles


@pytest.mark.parametrize("payload", PAYLOADS)
def test_no_text_leaves_its_place(payload):
    report = replace(
        sample_valuation(),
        inputs=FULL.with_values(company=payload, ticker=payload, currency=payload),
        assumptions=(ValuationAssumption(payload, 1.0, payload, payload),),
        notes=(payload,),
        refusals=(payload,),
        ranges=(PriceRange(label=payload, low=1.0, middle=2.0, high=3.0, note=payload),),
    )
    assert_safe(html_of(report))


def test_the_same_valuation_gives_the_same_page():
    assert html_of(sample_valuation()) == html_of(sample_valuation())
