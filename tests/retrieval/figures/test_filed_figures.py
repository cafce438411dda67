"""Figures that filings print: balance sheet, flows, parts of revenue, and the valuation that rests on them."""

from __future__ import annotations

import sqlite3
import zlib
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.retrieval.figures.filings import acme
from tradingagents.capabilities.documents import answer_from_filings, get_filed_figures
from tradingagents.capabilities.valuation import valuation
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.features.filings_qa.graph.compute import computed_sources
from tradingagents.retrieval.figures.filed_figures import FiledFigures
from tradingagents.retrieval.figures.read_figures import newest, read_filed_figures
from tradingagents.retrieval.ingest import add_file, end_of_day
from tradingagents.retrieval.models import BEFORE_UNITS, Scope
from tradingagents.retrieval.store import FILE, open_store
from tradingagents.settings import load_settings

NOTHING = FiledFigures(
    as_of=date(2024, 6, 3),
    source="store",
    fetched_at=datetime(2024, 6, 3, tzinfo=UTC),
    balance=None,
    year=None,
    flows=(),
    parts=(),
)
NOTE = """Note 2. Revenue
Years ended December 31
(Millions) 2023 2022
Pumps $ 700 $ 700
Heaters 400 330
Service 100 70
Total net sales $ 1,200 $ 1,100"""


def test_a_filing_gives_its_balance_its_flows_and_the_parts_of_its_revenue() -> None:
    document = acme()
    page = replace(document.pages[-1], number=len(document.pages), text=NOTE)
    document = replace(document, pages=(*document.pages, page), tables=())
    found = read_filed_figures(NOTHING, document, document)
    assert found.balance is not None
    assert (found.balance.cash, found.balance.debt, found.balance.long_term_investments) == (200e6, 340e6, None)
    assert {one.name: (one.value, one.before) for one in found.flows} == {
        "revenue": (1200e6, 1100e6),
        "gross_profit": (500e6, 440e6),
        "operating_income": (300e6, 250e6),
        "net_income": (200e6, 162e6),
        "operating_cash_flow": (260e6, 230e6),
        "capital_expenditure": (84e6, 77e6),
        "dividends_paid": (100e6, 95e6),
    }
    assert [(one.label, one.value, one.before) for one in found.parts] == [
        ("Pumps", 700e6, 700e6),
        ("Heaters", 400e6, 330e6),
        ("Service", 100e6, 70e6),
    ]
    assert found.parts_are == "segments"
    for cell in (*found.balance.cells, *found.flows, *found.parts):
        page = document.pages[cell.page - 1]
        assert page.text[cell.start : cell.start + len(cell.line)] == cell.line
        assert cell.text in cell.line


def test_parts_that_add_up_in_one_year_only_are_none() -> None:
    document = acme()
    page = replace(document.pages[-1], number=len(document.pages), text=NOTE.replace("70\n", "90\n"))
    document = replace(document, pages=(*document.pages, page), tables=())
    assert read_filed_figures(NOTHING, document, None).parts == ()


def test_answers_from_tables_stored_before_units_were_read_say_so(tmp_path: Path) -> None:
    """As an earlier version wrote them: JSON without a format."""
    settings = load_settings({"home": str(tmp_path), "data_vendor": "simulated"}, environ={})
    document = acme()
    document = replace(document, info=replace(document.info, symbol="ACME"))
    symbol, said = document.info.symbol, f"{document.info.name}: {BEFORE_UNITS}"
    question = "What was the operating margin in fiscal 2023?"
    state = {"question": question, "analysis": {}, "targets": [], "sources": []}
    with open_store(settings) as store:
        store.add(document)
    for expected in ((), (said,)):
        market = MarketData(settings, date(2025, 7, 31), vendors=Vendors(settings))
        assert get_filed_figures.ask(market, ticker=symbol).notes == expected
        assert answer_from_filings.ask(market, ticker=symbol, question=question).notes == expected
        with open_store(settings) as store:
            assert computed_sources(store, Scope(), state)[2] == list(expected)
        with sqlite3.connect(next(tmp_path.rglob(FILE))) as connection:
            (content,) = connection.execute("SELECT content FROM document_contents").fetchone()
            old = zlib.compress(b"{" + zlib.decompress(content).removeprefix(b'{"format":1,'))
            connection.execute("UPDATE document_contents SET content = ?", (old,))
        connection.close()


@pytest.mark.real_data
def test_the_valuation_takes_cash_and_debt_from_the_newest_filing_known(test_data: Path, tmp_path: Path) -> None:
    settings = load_settings(
        {"home": str(tmp_path), "data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}, environ={}
    )
    filings = test_data / "market" / "filings"
    with open_store(settings) as store:
        for name, day in (
            ("10k/AAPL_10k_2024-11-01.html.gz", date(2024, 11, 1)),
            ("10q/AAPL_10q_2025-08-01.html.gz", date(2025, 8, 1)),
        ):
            add_file(store, filings / name, known_at=end_of_day(day), symbol="AAPL")
        assert {one.form for one in filter(None, newest(store.documents()))} == {"10-K", "10-Q"}
    inputs = {}
    for day in (date(2024, 10, 31), date(2025, 7, 31), date(2025, 8, 5)):
        market = MarketData(settings, day, vendors=Vendors(settings))
        found = valuation.ask(market, ticker="AAPL")
        inputs[day] = {one.name: (one.value, one.kind) for one in found.assumptions}
        shown = get_filed_figures.ask(market, ticker="AAPL")
        assert shown.known_at is None or shown.known_at <= market.cutoff.instant
    assert inputs[date(2024, 10, 31)]["cash"] == (0.0, "default")  # the first filing was accepted a day later
    assert inputs[date(2025, 7, 31)]["cash"] == (65_171e6, "data")
    assert inputs[date(2025, 8, 5)]["cash"] == (55_372e6, "data")
    assert inputs[date(2025, 8, 5)]["debt"] == (101_698e6, "data")
    assert inputs[date(2025, 8, 5)]["non_operating_assets"] == (77_614e6, "data")
