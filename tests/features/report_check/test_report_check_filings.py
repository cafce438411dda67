"""Figures that stand in stored filings only: matched by name and period, and named where they are wrong."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tradingagents.dataflows.market_data import MarketData
from tradingagents.features.report_check.capabilities.report_check import CheckedReportFigure, check_report
from tradingagents.retrieval.ingest import add_content
from tradingagents.retrieval.store import store_of
from tradingagents.settings import Settings, load_settings

DAY = date(2025, 3, 14)


def table(title: str, years: tuple[int, int], rows: dict[str, tuple[str, str]]) -> str:
    head = f"<tr><td></td>{''.join(f'<td>{one}</td>' for one in years)}</tr>"
    body = "".join(f"<tr><td>{name}</td><td>{now}</td><td>{then}</td></tr>" for name, (now, then) in rows.items())
    return f"<p><b>{title}</b></p><table>{head}{body}</table>"


def annual(company: str, year: int, parts: dict[str, tuple[str, str]], paid: tuple[str, str]) -> bytes:
    years = (year, year - 1)
    profit = {
        name: (f"{int(now.replace(',', '')) // 4:,}", f"{int(then.replace(',', '')) // 5:,}")
        for name, (now, then) in parts.items()
    }
    return (
        f"<html><body><h1>{company} annual report on Form 10-K for the fiscal year ended January 31, {year}</h1>"
        "<p>Net sales by segment were as follows (in millions):</p>"
        f"{table('Net sales by segment (in millions)', years, parts)}"
        "<p>Operating income by segment was as follows (in millions):</p>"
        f"{table('Operating income by segment (in millions)', years, profit)}"
        "<p>Compensation in shares was as follows (in millions):</p>"
        f"{table('Compensation (in millions)', years, {'Share-based compensation expense': paid})}"
        "</body></html>"
    ).encode()


def stored(settings: Settings, symbol: str, year: int, content: bytes, filed: datetime) -> None:
    store = store_of(settings)
    try:
        add_content(
            store, content, known_at=filed, symbol=symbol, form="10-K", fiscal_year=year, period_end=date(year, 1, 31)
        )
    finally:
        store.close()


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> MarketData:
    home: Path = tmp_path_factory.mktemp("home")
    settings = load_settings({"data_vendor": "simulated", "home": str(home)}, environ={})
    filings = (
        ("VELQ", 2024, {"Data Fabric": ("51,220", "40,113"), "Edge Systems": ("37,175", "32,464")}, ("2,411", "1,987")),
        ("VELQ", 2025, {"Data Fabric": ("77,777", "51,990"), "Edge Systems": ("44,444", "36,405")}, ("2,999", "2,411")),
        ("OMBZ", 2024, {"Suite": ("9,914", "8,871"), "Edge Systems": ("5,213", "4,782")}, ("3,305", "3,003")),
    )
    for symbol, year, parts, paid in filings:
        filed = datetime(2025, 3, 20, 21, tzinfo=UTC) if year == 2025 else datetime(2024, 3, 20, 21, tzinfo=UTC)
        stored(settings, symbol, year, annual(symbol, year, parts, paid), filed)
    return MarketData(settings, DAY)


def checked(data: MarketData, words: str) -> list[CheckedReportFigure]:
    text = f"# Veltrane Systems (VELQ) and Ombrix Software (OMBZ)\n\n{words}\n"
    return list(check_report.answer(data, "VELQ", text).checked)


@pytest.mark.parametrize(
    ("words", "verdicts"),
    [
        ("Veltrane's Data Fabric sales were $51.22 billion in fiscal 2024.", ["matches"]),
        ("Segment sales of Data Fabric were $51.2 billion in fiscal 2024.", ["matches"]),
        ("In fiscal 2024, Edge Systems posted sales of $37.2bn, against $32.5bn a year earlier.", ["matches"] * 2),
        ("Veltrane's Edge Systems revenue grew 14.5% in fiscal 2024.", ["matches"]),
        ("Veltrane's Edge Systems revenue fell 14.5% in fiscal 2024.", ["wrong_value"]),
        ("Data Fabric earned operating income of $12,805 million in fiscal 2024.", ["matches"]),
        ("Ombrix Software's Edge Systems sales were $5,213 million in fiscal 2024.", ["matches"]),
        ("Veltrane's Data Fabric sales were $40.1 billion in fiscal 2024.", ["wrong_period"]),
        ("Veltrane's Data Fabric sales were $51.22 million in fiscal 2024.", ["wrong_unit"]),
        ("Veltrane's Edge Systems sales were $5,213 million in fiscal 2024.", ["wrong_company"]),
        ("Veltrane's Data Fabric sales were $57.9 billion in fiscal 2024.", ["wrong_value"]),
        ("Share-based compensation at Veltrane came to $2,411 million in fiscal 2024.", ["matches"]),
        ("Veltrane's share-based compensation was $3,305 million in fiscal 2024.", ["wrong_company"]),
        ("Veltrane's Data Fabric and Edge Systems sales were $51.2bn and $37.2bn in fiscal 2024.", ["matches"] * 2),
    ],
)  # fmt: skip
def test_a_part_is_looked_up_in_the_filings(data: MarketData, words: str, verdicts: list[str]):
    assert [one.verdict for one in checked(data, words)] == verdicts


def test_the_filing_the_page_and_the_row_are_named(data: MarketData):
    (found,) = checked(data, "Veltrane's Data Fabric sales were $51.22 billion in fiscal 2024.")
    assert found.cell is not None
    assert (found.cell.symbol, found.cell.value) == ("VELQ", 51.22e9)
    assert found.cell.source == "VELQ 10-K 2024, page 1, filed 2024-03-20"
    assert found.why.startswith("Data Fabric, 2024-01-31")
    (moved,) = checked(data, "Veltrane's Data Fabric sales were $40.1 billion in fiscal 2024.")
    assert moved.elsewhere is not None
    assert moved.elsewhere.period == "2023-01-31"


@pytest.mark.parametrize(
    "words",
    [
        "Veltrane's Cobalt sales were $51.22 billion in fiscal 2024.",  # the number alone is no match
        "Veltrane paid $51.22 billion for a rival in fiscal 2024.",
        "Veltrane's Data Fabric operating income was $51.22 billion in fiscal 2024.",
        "Veltrane's Data Fabric sales were $77.78 billion in fiscal 2025.",  # filed after the day
        "We expect Data Fabric sales of $90.1 billion in fiscal 2024.",
        "Data Fabric sales may reach $57.9 billion one day.",
    ],
)
def test_a_number_alone_is_no_match_and_later_filings_are_not_read(data: MarketData, words: str):
    (found,) = checked(data, words)
    assert found.verdict in ("not_found", "not_checkable", "wrong_value")
    assert found.cell is None or found.cell.value not in (51.22e9, 77.777e9) or found.verdict == "wrong_value"


def test_a_value_that_a_later_filing_changed_is_restated(tmp_path: Path):
    settings = load_settings({"data_vendor": "simulated", "home": str(tmp_path)}, environ={})
    for year, now, filed in ((2023, "40,900", 2023), (2024, "51,220", 2024)):
        before = "40,113" if year == 2024 else "33,000"
        content = annual("VELQ", year, {"Data Fabric": (now, before), "Edge Systems": ("37,175", "32,464")}, ("9", "8"))
        stored(settings, "VELQ", year, content, datetime(filed, 3, 20, 21, tzinfo=UTC))
    found = checked(MarketData(settings, DAY), "Veltrane's Data Fabric sales were $40.9 billion in fiscal 2023.")
    assert [one.verdict for one in found] == ["restated"]
    assert found[0].cell is not None
    assert found[0].cell.value == 40.113e9


def test_rows_of_a_report_are_looked_up(data: MarketData):
    words = """Net sales of Veltrane by segment, $m

| | FY2024 | FY2023 |
|---|---|---|
| Data Fabric | 51,220 | 40,113 |
| Edge Systems | 31,775 | 32,464 |
"""
    assert [one.verdict for one in checked(data, words)] == ["matches", "matches", "wrong_value", "matches"]
