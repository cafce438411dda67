"""The rules of the deep report: hypotheses from the company's figures, sentences of filings as evidence."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Literal

import pytest

from tests.retrieval.figures.filings import ACME_BALANCE, ACME_CASH, ACME_INCOME
from tests.support.filings import filing
from tests.support.research import research_services
from tests.support.thesis import reported
from tradingagents.analytics.company.peers import MULTIPLES, MultiplesRow, PeerMultiples
from tradingagents.features.deep_report.evidence import stands_in
from tradingagents.features.deep_report.graph.found_source import figures_of_source
from tradingagents.features.deep_report.rules.agents import evidence
from tradingagents.features.deep_report.rules.brief import (
    CompanyProfile,
    ReadableSource,
    RevenuePart,
    SourceFigure,
    ThesisBrief,
)
from tradingagents.features.deep_report.rules.sentences import TextTest, said
from tradingagents.features.deep_report.rules.topics import topics_of
from tradingagents.offline.brief import Brief
from tradingagents.retrieval.store import open_store
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
SALES = TextTest(subjects=("net sales", "revenue", "sales"), whole=True)
DISCUSSION = """\
Item 7. Management's Discussion and Analysis
Net sales increased 9% in 2023 compared to 2022 due primarily to
higher prices of pumps. Europe net sales decreased in 2023 compared to 2022. We expect that net sales increased demand
will follow. Cost of sales increased in line with volumes during the year. Gross margin declined during 2023 because
freight cost more. Our results were adversely affected by tariffs on steel during 2023.
"""
RISKS = """\
Item 1A. Risk Factors
New tariffs could adversely affect our cost of materials and the demand for our products.
"""


def source(text: str, kind: str = "filing", known_on: date = date(2024, 2, 15)) -> ReadableSource:
    return ReadableSource(label="S1", kind=kind, title="ACME 10-K 2023", text=text, known_on=known_on)


def test_a_sentence_counts_by_the_verb_after_its_subject() -> None:
    (found,) = said(source(DISCUSSION), SALES, DAY)
    assert (found.claim, found.direction) == ("Net sales increased 9% in 2023 compared to 2022.", "supports")
    assert found.quote in DISCUSSION  # as filed, with its line break
    assert found.quote.endswith("higher prices of pumps.")
    (margin,) = said(source(DISCUSSION), TextTest(subjects=("gross margin",)), DAY)
    assert (margin.claim, margin.direction) == ("Gross margin declined during 2023.", "contradicts")
    part = said(source(DISCUSSION), TextTest(subjects=("europe net sales",)), DAY)
    assert [sentence.direction for sentence in part] == ["contradicts"]


def test_a_risk_speaks_against_only_where_harm_has_come_about() -> None:
    found = said(source(DISCUSSION + RISKS), TextTest(subjects=("tariff",), risk=True), DAY)
    assert [sentence.direction for sentence in found] == ["contradicts", "neutral"]


@pytest.mark.parametrize(
    "read",
    [
        source(DISCUSSION, known_on=date(2022, 2, 15)),
        source(DISCUSSION, kind="news"),
        source(DISCUSSION.replace("increased 9%", "could have increased 9%")),
        source("Total net sales   1,200   increased   1,100\n"),
    ],
)
def test_old_documents_articles_outlooks_and_tables_say_nothing(read: ReadableSource) -> None:
    assert said(read, SALES, DAY) == []


def figure(name: str, value: float) -> SourceFigure:
    return SourceFigure(name=name, value=value, shown=f"{value}%", row=f"{name} | {value}%")


RISING = CompanyProfile(
    as_of=DAY,
    currency="USD",
    figures={given.name: given for given in (figure("revenue_yoy", 12.0), figure("operating_margin", 25.0))},
    growth_before=4.0,
    year=2024,
    flows={"revenue": (1200.0, 1100.0), "operating_income": (300.0, 250.0), "operating_cash_flow": (260.0, 230.0),
           "capital_expenditure": (84.0, 77.0), "dividends_paid": (100.0, 95.0)},
    parts=(RevenuePart(label="Pumps", value=700.0, before=700.0),
           RevenuePart(label="Heaters", value=500.0, before=400.0)),
    cash=200.0,
    debt=340.0,
    risk="tariffs",
    risk_times=4.0,
    risk_document="ACME 10-K 2024",
)  # fmt: skip


def test_hypotheses_follow_from_the_company_and_say_what_would_prove_them_wrong() -> None:
    falling = replace(
        RISING,
        figures={given.name: given for given in (figure("revenue_yoy", -3.0), figure("operating_margin", 15.0))},
        parts=(replace(RISING.parts[0], value=500.0), RISING.parts[1]),
        flows={**RISING.flows, "dividends_paid": (300.0, 95.0)},
        cash=500.0,
        risk="",
    )
    made = [{topic.title: topic for topic in topics_of(profile)} for profile in (RISING, falling)]
    assert list(made[0]) == [
        "Revenue keeps growing faster than in the years before",
        "Heaters carries the growth of revenue",
        "The operating margin holds its rise",
        "The price asks for no more growth than the company has shown",
        "Free cash flow covers dividends and buy-backs",
        "Operating income carries the debt",
        "The operating margin withstands tariffs",
    ]
    assert list(made[1]) == [
        "Revenue returns to growth",
        "Pumps stops losing revenue",
        "The operating margin recovers",
        "The price asks for no more growth than the company has shown",
        "Free cash flow covers dividends and buy-backs",
        "Liquid means exceed debt",
    ]
    assert made[0]["Revenue keeps growing faster than in the years before"].thesis == (
        "Revenue changed by +12.0% on the year, after 4.0% a year in the years before. "
        "Growth of a quarter below 8% would prove it wrong."
    )
    tests = {test.name: test for test in made[1]["Free cash flow covers dividends and buy-backs"].tests}
    assert tests["filed_dividends_paid"].direction(300.0, falling, {}) == "contradicts"
    assert len(topics_of(CompanyProfile(as_of=DAY))) >= 5  # of a company without any figure


def test_a_margin_that_is_not_the_companys_is_that_of_a_part() -> None:
    text = (
        "Operating margin was up 320 basis points year-over-year to 4.1%.\n"
        "Operating margin increased 90 basis points to 24.0% in the year.\n"
    )
    brief = Brief(
        "Deep Researcher",
        known=ThesisBrief(
            ticker="ACME",
            name="Acme",
            topic="The operating margin holds its rise",
            profile=RISING,
            sources=(source(text),),
        ),
    )
    assert [item["claim"] for item in evidence(brief)["items"]] == [
        "Operating margin increased 90 basis points to 24.0% in the year."
    ]


def test_a_median_of_two_peers_is_no_figure() -> None:
    def row(symbol: str, role: Literal["target", "peer"], pe: float) -> MultiplesRow:
        return MultiplesRow(symbol=symbol, role=role, values={**dict.fromkeys(MULTIPLES), "pe_ttm": pe})

    def figures(*peers: MultiplesRow) -> list[str]:
        made = PeerMultiples(
            symbol="ACME",
            as_of=DAY,
            source="test",
            fetched_at=datetime(2025, 3, 14, tzinfo=UTC),
            sector=None,
            companies=(row("ACME", "target", 20.0), *peers),
            medians={**dict.fromkeys(MULTIPLES), "pe_ttm": 149.0},
        )
        return [figure.name for figure in figures_of_source(made, made.to_markdown())]

    two = (row("AAA", "peer", 100.0), row("BBB", "peer", 198.0))
    assert figures(*two) == []
    assert figures(*two, row("CCC", "peer", 149.0)) == ["peer_median_pe_ttm"]


async def test_a_report_by_rules_quotes_the_filings_known_on_the_day(tmp_path: Path) -> None:
    pages = [ACME_INCOME, ACME_BALANCE, ACME_CASH, DISCUSSION, RISKS]
    later = [page.replace("Net sales increased 9%", "Net sales increased 66%") for page in pages]
    with open_store(load_settings({"home": tmp_path}, environ={})) as store:
        known = filing("VELQ", "Veltrane", 2023, known_at=datetime(2025, 2, 14, 21, tzinfo=UTC), pages=pages)
        store.add(known)
        store.add(filing("VELQ", "Veltrane", 2024, known_at=datetime(2025, 3, 20, 21, tzinfo=UTC), pages=later))
    services = research_services(tmp_path)
    try:
        record = (await reported(services)).record
    finally:
        services.close()
    filed = [item for item in record["evidence"] if item["source"]["kind"] == "filing"]
    claims = {item["claim"]: item for item in filed}
    assert claims["Net sales increased 9% in 2023 compared to 2022."]["direction"] == "supports"
    assert "Net sales, fiscal 2023: 1,200 against 1,100 a year earlier (millions of USD)." in claims
    for item in filed:
        key, _, place = item["source"]["address"].partition("#")
        number, _, span = place.partition(":")
        begin, _, end = span.partition("-")
        page = known.pages[int(number) - 1].text
        assert key == known.info.key
        assert stands_in(item["quote"], page[int(begin) : int(end)])
    assert "66%" not in str(record["evidence"])
