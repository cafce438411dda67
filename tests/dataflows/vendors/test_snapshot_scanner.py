"""The market as a whole from a snapshot: movers, sectors, topics and both calendars, each as known at the time."""

from __future__ import annotations

import re
import threading
from collections import Counter
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import get_args

import pandas as pd
import pytest

from tests.support import snapshot_folder as made
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import MoverCategory, Prices
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.reference.sectors import SECTORS
from tradingagents.dataflows.vendors import universe
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.dataflows.vendors.snapshot.macro import CLOSURES, FIGURES, release_day
from tradingagents.errors import NoData, VendorDown
from tradingagents.settings import Settings

DAY, BEFORE = date(2025, 3, 14), date(2025, 3, 13)
CUT_OFF = sessions().close_of(DAY)
WEEK = (datetime(2025, 3, 7, tzinfo=UTC), CUT_OFF)
EVER = (date(2000, 1, 1), date(2030, 1, 1))
CATEGORIES: tuple[MoverCategory, ...] = get_args(MoverCategory)
GEOPOLITICAL = ("geopolitics", "trade policy sanctions", "central bank monetary policy", "energy oil commodities")
PAGE = Path(__file__).resolve().parents[3] / "docs" / "reference" / "snapshot-format.md"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.write_snapshot(tmp_path_factory.mktemp("snapshot"))


@pytest.fixture(scope="module")
def vendor(folder: Path) -> SnapshotVendor:
    return SnapshotVendor(folder)


@pytest.fixture(scope="module")
def recorded(test_data: Path) -> Path:
    return test_data / "snapshot"


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with a manifest only."""
    made.write_manifest(tmp_path, made.FIRST, made.LAST)
    return tmp_path


def at(clock: str, day: date = DAY) -> datetime:
    return datetime.combine(day, time.fromisoformat(clock), tzinfo=UTC)


# Movers


def test_movers_are_the_stocks_by_their_change_from_close_to_close(bare: Path) -> None:
    made.write_prices(
        bare,
        [
            made.price_row(symbol, day, close, volume=volume)
            for symbol, before, close_, volume in (
                ("ACMQ", 80.0, 84.0, 10),
                ("ELMQ", 50.0, 49.0, 30),
                ("CRGQ", 10.0, 11.0, 20),
                ("SPY", 400.0, 500.0, 99),
            )
            for day, close in ((BEFORE, before), (DAY, close_))
        ],
    )
    vendor = SnapshotVendor(bare)
    shown = {
        name: [(row.symbol, round(row.change_pct, 9)) for row in vendor.get_market_movers(name, DAY)]
        for name in CATEGORIES
    }
    assert shown == {
        "day_gainers": [("CRGQ", 10.0), ("ACMQ", 5.0)],
        "day_losers": [("ELMQ", -2.0)],
        "most_actives": [("ELMQ", -2.0), ("CRGQ", 10.0), ("ACMQ", 5.0)],
    }


def test_a_mover_says_who_it_is_and_when_it_was_known(vendor: SnapshotVendor) -> None:
    movers = {row.symbol: row for row in vendor.get_market_movers("most_actives", DAY)}
    assert set(movers) == {*made.STOCKS, *made.MORE_STOCKS}
    ferrous = movers["FERQ"]
    assert (ferrous.name, ferrous.sector, ferrous.currency) == ("Ferrous Quay Works", "industrials", "USD")
    assert (ferrous.known_at, ferrous.market_cap) == (CUT_OFF, None)
    assert ferrous.price == vendor.get_stock_data("FERQ", DAY, DAY).close[0]


def test_a_session_without_bars_says_what_the_folder_covers(vendor: SnapshotVendor) -> None:
    for day in (date(2025, 7, 1), made.FIRST):
        with pytest.raises(NoData, match=rf"no movers of {day}: it covers 2023-01-03 to 2025-06-30; name a session"):
            vendor.get_market_movers("day_gainers", day)


def test_the_categories_of_a_session_share_one_reading(folder: Path) -> None:
    vendor = CountingVendor(folder)
    gate = threading.Barrier(len(CATEGORIES))

    def ask(category: MoverCategory) -> None:
        gate.wait()
        vendor.get_market_movers(category, DAY)

    threads = [threading.Thread(target=ask, args=(category,)) for category in CATEGORIES]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert Counter(symbol for symbol, _ in vendor.read) == Counter([*made.STOCKS, *made.MORE_STOCKS])


class CountingVendor(SnapshotVendor):
    """Notes of which symbols it reads bars, and up to when."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.read: list[tuple[str, date]] = []

    def get_stock_data(self, symbol: str, start: date, end: date) -> Prices:
        found = super().get_stock_data(symbol, start, end)
        self.read.append((symbol, found.days[-1].item()))
        return found


# Sectors


def test_a_sector_has_its_stocks_with_prices_by_symbol(vendor: SnapshotVendor) -> None:
    members = vendor.get_industry_performance("industrials")
    assert [(row.symbol, row.name, row.industry) for row in members] == [
        ("FERQ", "Ferrous Quay Works", "Quay Works"),
        ("GANQ", "Gannet Quill Freight", "Quill Freight"),
        ("HAWQ", "Hawthorn Quarter Tools", "Quarter Tools"),
    ]
    assert {(row.rating, row.weight) for row in members} == {(None, None)}


def test_the_usual_stocks_of_a_sector_lead_in_their_order(bare: Path) -> None:
    symbols = ("AAQQ", "MSFT", "AAPL", "NOPRICE")
    rows = ", ".join(f'"{symbol}": {{"name": "N", "kind": "stock", "sector": "Technology"}}' for symbol in symbols)
    (bare / "profiles.json").write_text(f"{{{rows}}}")
    made.write_prices(bare, [made.price_row(symbol, DAY, 10.0) for symbol in symbols if symbol != "NOPRICE"])
    members = SnapshotVendor(bare).get_industry_performance("technology")
    assert [row.symbol for row in members] == ["AAPL", "MSFT", "AAQQ"]


def test_a_sector_without_stocks_says_so(vendor: SnapshotVendor) -> None:
    with pytest.raises(NoData, match="no stocks with prices in energy; choose another vendor"):
        vendor.get_industry_performance("energy")


# Topics


def test_a_topic_is_looked_for_in_company_and_market_news(vendor: SnapshotVendor) -> None:
    found = vendor.get_topic_news("quantum", at("00:00", date(2025, 3, 7)), CUT_OFF)
    assert [row.title.partition(" ")[0] for row in found] == ["Quark", "Elmwood", "Elmwood"]
    assert {row.symbol for row in found} == {"ELMQ"}, "the comparison is ACMQ's too, whose industry is another"
    market = vendor.get_topic_news("mixed close", *WEEK)
    assert market
    assert {(row.symbol, row.day_only) for row in market} == {(None, True)}


def test_an_article_stands_once_under_the_company_the_topic_is_closest_to(bare: Path) -> None:
    (bare / "profiles.json").write_text(
        '{"AAAQ": {"name": "Aaa", "kind": "stock", "sector": "Energy"},'
        ' "BBBQ": {"name": "Bbb", "kind": "stock", "sector": "Utilities"}}'
    )
    same = {"url": "https://news.invalid/1"}
    rows = [
        made.news_row(symbol, "2025-03-13T12:00:00Z", "Two firms merge", **same) for symbol in ("BBBQ", "AAAQ", "AAApB")
    ]
    rows += [made.news_row("AAAQ", "2025-03-14T12:00:00Z", "Two firms merge", **same)]
    rows += [made.news_row("ZZpQ", "2025-03-13T09:00:00Z", "A merger of utilities")]
    made.write_lines(bare / "news.jsonl.gz", rows)
    vendor = SnapshotVendor(bare)

    def shown(topic: str) -> list[tuple[str | None, str, int]]:
        return [(row.symbol, row.title, row.published_at.day) for row in vendor.get_topic_news(topic, *WEEK)]

    assert shown("energy") == [("AAAQ", "Two firms merge", 13)]
    assert shown("utilities") == [("BBBQ", "Two firms merge", 13), (None, "A merger of utilities", 13)]
    assert shown("firms") == [(None, "Two firms merge", 13)]


def test_a_topic_s_articles_are_of_the_window(vendor: SnapshotVendor) -> None:
    start, end = at("13:00", date(2025, 3, 3)), at("15:00", date(2025, 3, 12))
    found = vendor.get_topic_news("technology", start, end)
    assert found
    assert all(start <= row.published_at <= end for row in found)


def test_a_quiet_topic_is_an_answer_and_a_folder_without_news_is_none(vendor: SnapshotVendor, bare: Path) -> None:
    assert vendor.get_topic_news("volcanoes", *WEEK) == ()
    with pytest.raises(NoData, match="no news up to 2025-03-14; choose another vendor"):
        SnapshotVendor(bare).get_topic_news("quantum", *WEEK)
    with pytest.raises(NoData):
        vendor.get_topic_news("quantum", at("00:00", date(2020, 1, 1)), at("00:00", date(2020, 2, 1)))


def test_an_article_dated_by_day_does_not_displace_the_timed_one_known_before_it(bare: Path) -> None:
    made.write_lines(
        bare / "news.jsonl.gz",
        [made.news_row("ACMQ", when, "Acme wins") for when in ("2025-03-14", "2025-03-14T13:00:00Z")],
    )
    vendor = SnapshotVendor(bare)
    assert [row.day_only for row in vendor.get_news("ACMQ", *WEEK)] == [False]
    assert [row.day_only for row in vendor.get_topic_news("acme", *WEEK)] == [False]


# Earnings


def test_earnings_stand_on_their_filing_days(vendor: SnapshotVendor) -> None:
    found = vendor.get_earnings_calendar(date(2024, 10, 1), date(2025, 6, 30))
    assert [(row.symbol, row.day, row.period_end, row.fiscal_period) for row in found] == [
        (symbol, filed, end, period)
        for filed, end, period in (
            (date(2024, 10, 30), date(2024, 9, 30), "Q3"),
            (date(2025, 4, 30), date(2025, 3, 31), "Q1"),
        )
        for symbol in ("ACMQ", "DOVQ")
    ], "of the fourth quarter and of ELMQ no filing date is recorded"
    assert (found[0].name, found[0].known_at) == ("Acme Quark Devices", at("20:30", date(2024, 10, 30)))
    assert found[0].eps == pytest.approx(0.15 * found[0].revenue / 1e8)


def test_results_of_one_company_are_those_of_all_companies_without_judging_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[str] = []
    judge = universe.check_statements
    monkeypatch.setattr(universe, "check_statements", lambda rows, at: judged.append(rows[0].symbol) or judge(rows, at))
    one = SnapshotVendor(folder).get_earnings_calendar(*EVER, "DOVQ")
    assert set(judged) == {"DOVQ"}
    every = SnapshotVendor(folder).get_earnings_calendar(*EVER)
    assert one == tuple(row for row in every if row.symbol == "DOVQ") != ()
    asked = market(folder)
    known = asked.earnings_calendar(date(2024, 1, 1), DAY)
    assert asked.earnings_calendar(date(2024, 1, 1), DAY, "DOVQ") == tuple(row for row in known if row.symbol == "DOVQ")
    assert {row.symbol for row in asked.sheet.rows if row.method == "get_earnings_calendar"} == {None, "DOVQ"}


def test_a_window_without_earnings_is_empty_and_a_folder_without_filing_dates_has_none(
    vendor: SnapshotVendor, bare: Path
) -> None:
    assert vendor.get_earnings_calendar(date(2025, 1, 1), date(2025, 3, 31)) == ()
    made.write_lines(bare / "statements.jsonl.gz", [made.statement_row("ACMQ", "income", DAY, {"revenue": 1.0})])
    with pytest.raises(NoData, match="no filing dates of quarterly results; choose another vendor"):
        SnapshotVendor(bare).get_earnings_calendar(*EVER)


# Economic figures


def releases(folder: Path, *rows: tuple[str, date, float]) -> list[tuple[object, ...]]:
    made.write_macro(folder, rows)
    return [
        (row.name, row.day, row.period, row.value, row.previous, row.unit)
        for row in SnapshotVendor(folder).get_economic_calendar(*EVER)
    ]


def test_a_month_is_out_so_many_days_after_its_end_on_the_next_session(bare: Path) -> None:
    name = "us_inflation_releases.cpi_headline_yoy"
    assert releases(bare, (name, date(2025, 2, 1), 2.8016), (name, date(2025, 1, 1), 2.9994)) == [
        ("CPI inflation", date(2025, 2, 18), "2025-01", 3.0, None, "% y/y"),  # the 15th a Saturday, Monday a holiday
        ("CPI inflation", date(2025, 3, 17), "2025-02", 2.8, 3.0, "% y/y"),  # the 15th a Saturday
    ]
    row = SnapshotVendor(bare).get_economic_calendar(date(2025, 3, 1), date(2025, 3, 31))[0]
    assert (row.known_at, row.day_assumed, row.region) == (datetime(2025, 3, 17, 20, tzinfo=UTC), True, "US")


def test_levels_are_read_as_the_change_over_the_month(bare: Path) -> None:
    jobs, retail = "jobs_monthly.nonfarm_payrolls_k", "retail.retail_food_services"
    months = [date(2025, month, 1) for month in (1, 2, 3, 5)]
    assert releases(
        bare,
        *zip([jobs] * 4, months, [158_000.0, 158_151.0, 158_101.0, 159_000.0], strict=True),
        *zip([retail] * 2, months, [700_000.0, 699_790.0], strict=False),
    ) == [
        ("Nonfarm payrolls", date(2025, 3, 10), "2025-02", 151.0, None, "thousand"),
        ("Retail sales", date(2025, 3, 18), "2025-02", 0.0, None, "% m/m"),
        ("Nonfarm payrolls", date(2025, 4, 10), "2025-03", -50.0, 151.0, "thousand"),
    ], "May follows a gap"


def test_weeks_quarters_and_decisions_read_as_such(bare: Path) -> None:
    rate = "inflation_monetary.fed_funds_target"
    assert releases(
        bare,
        ("claims_weekly.initial_claims_weekly", date(2025, 3, 8), 222_000.0),
        ("us_growth_releases.real_gdp_qoq_saar", date(2024, 10, 1), 2.4),
        ("ism_pmi.ism_pmi", date(2024, 12, 1), 49.3),
        *((rate, date(2024, 12, 15) + timedelta(days=number), 4.75 if number < 4 else 4.5) for number in range(30)),
        ("rates.ust_10y", date(2025, 3, 10), 4.2),
    ) == [
        ("Fed funds target, upper bound", date(2024, 12, 19), None, 4.5, 4.75, "%"),
        ("ISM manufacturing PMI", date(2025, 1, 6), "2024-12", 49.3, None, "index"),
        ("Real GDP growth", date(2025, 1, 31), "2024-Q4", 2.4, None, "% q/q annualised"),
        ("Initial jobless claims", date(2025, 3, 13), "week to 2025-03-08", 222.0, None, "thousand"),
    ]


def test_of_two_recordings_of_a_figure_the_older_counts(bare: Path) -> None:
    newer, month = "jobs_monthly.unemployment_rate_pct", date(2025, 2, 1)
    found = releases(bare, (newer, month, 4.2), ("UNRATE", month, 4.1), (newer, date(2025, 3, 1), 4.3))
    assert [row[3:5] for row in found] == [(4.1, None), (4.3, 4.1)]


def test_values_that_are_none_and_repeated_rows_are_as_elsewhere(bare: Path) -> None:
    rows = [("UNRATE", date(2025, 2, 1), value) for value in (4.0, 4.1)]
    assert [row[3] for row in releases(bare, *rows, ("UNRATE", date(2025, 3, 1), float("nan")))] == [4.1]


def test_releases_wait_while_the_government_is_closed_and_keep_their_order(bare: Path) -> None:
    months = [date(2025, month, 1) for month in range(7, 13)] + [date(2026, month, 1) for month in range(1, 5)]
    found = releases(
        bare, *(("UNRATE", month, 4.0) for month in months), *(("ism_pmi.ism_pmi", month, 50.0) for month in months)
    )
    jobs = {row[2]: row[1] for row in found if row[0] == "Unemployment rate"}
    assert jobs["2025-08"] == date(2025, 9, 10)
    assert jobs["2025-09"] == date(2025, 12, 9), "published on 20 November 2025"
    assert jobs["2026-04"] == date(2026, 5, 11), "the 10th, a Sunday"
    assert list(jobs.values()) == sorted(jobs.values())
    assert next(row[1] for row in found if row[:3:2] == ("ISM manufacturing PMI", "2025-09")) == date(2025, 10, 6)


# When each figure was first published, from the calendars of its publishers, against the day assumed.
PUBLISHED = {
    "Nonfarm payrolls": {date(2024, 12, 1): date(2025, 1, 10), date(2025, 2, 1): date(2025, 3, 7)},
    "Unemployment rate": {date(2024, 12, 1): date(2025, 1, 10)},
    "CPI inflation": {date(2024, 12, 1): date(2025, 1, 15), date(2024, 4, 1): date(2024, 5, 15)},
    "Core CPI inflation": {date(2024, 12, 1): date(2025, 1, 15), date(2025, 2, 1): date(2025, 3, 12)},
    "PPI inflation": {date(2020, 1, 1): date(2020, 2, 19), date(2025, 2, 1): date(2025, 3, 13)},
    "Core PCE inflation": {date(2022, 10, 1): date(2022, 12, 1), date(2024, 12, 1): date(2025, 1, 31)},
    "Retail sales": {date(2024, 5, 1): date(2024, 6, 18), date(2025, 2, 1): date(2025, 3, 17)},
    "Real GDP growth": {date(2025, 1, 1): date(2025, 4, 30), date(2025, 7, 1): date(2025, 12, 23)},
    "ISM manufacturing PMI": {date(2020, 12, 1): date(2021, 1, 5), date(2025, 2, 1): date(2025, 3, 3)},
    "Initial jobless claims": {date(2025, 3, 8): date(2025, 3, 13)},
    "Fed funds target, upper bound": {date(2024, 12, 19): date(2024, 12, 18)},
}


@pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.name)
def test_no_figure_is_held_to_be_out_before_it_was(figure) -> None:
    for reference, published in PUBLISHED[figure.name].items():
        assert published <= release_day(figure, reference) <= published + timedelta(days=12)


def test_the_page_lists_the_figures_as_they_are() -> None:
    text = PAGE.read_text(encoding="utf-8")
    rows = [re.split(r"\s*\|\s*", line.strip("| ")) for line in text.splitlines() if line.startswith("|")]
    listed = {row[0]: (tuple(re.findall(r"`([^`]+)`", row[1])), row[3]) for row in rows if len(row) == 5}
    assert {figure.name: (figure.series, str(figure.lag)) for figure in FIGURES}.items() <= listed.items()
    assert all(f"{first} to {last}" in text for first, last in CLOSURES)


def test_a_folder_without_figures_names_the_file_and_the_way_out(bare: Path) -> None:
    with pytest.raises(NoData, match=r"macro\.parquet.*choose another vendor"):
        SnapshotVendor(bare).get_economic_calendar(*EVER)


@pytest.mark.parametrize("text", [b"PAR1", b""])
def test_a_corrupt_macro_file_is_named(bare: Path, text: bytes) -> None:
    (bare / "macro.parquet").write_bytes(text)
    vendor = SnapshotVendor(bare)
    for _ in range(2):
        with pytest.raises(VendorDown, match=r"macro\.parquet"):
            vendor.get_economic_calendar(*EVER)


def test_a_macro_file_that_lacks_a_column_is_named(bare: Path) -> None:
    pd.DataFrame({"series": ["UNRATE"], "value": [4.1]}).to_parquet(bare / "macro.parquet")
    with pytest.raises(VendorDown, match=r"macro\.parquet"):
        SnapshotVendor(bare).get_economic_calendar(*EVER)


# Look-ahead


def market(folder: Path, day: date = DAY) -> MarketData:
    settings = Settings(data_vendor="snapshot", data_dir=folder)
    return MarketData(settings, day, now=lambda: datetime(2026, 1, 5, tzinfo=UTC))


def answers(data: MarketData) -> dict[str, object]:
    week = (data.as_of - timedelta(days=7), data.as_of)
    found: dict[str, object] = {category: data.market_movers(category) for category in CATEGORIES}
    found |= {topic: data.topic_news(topic, *week) for topic in (*GEOPOLITICAL, "technology", "quark")}
    found["earnings"] = data.earnings_calendar(data.as_of - timedelta(days=200), data.as_of)
    found["economy"] = data.economic_calendar(data.as_of - timedelta(days=200), data.as_of)
    return found


@pytest.fixture(scope="module")
def poisoned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.write_snapshot(tmp_path_factory.mktemp("poisoned"), poisoned_after=CUT_OFF)


def test_what_was_known_later_changes_no_answer(folder: Path, poisoned: Path) -> None:
    clean, other = answers(market(folder)), answers(market(poisoned))
    for question, answer in clean.items():
        assert answer == other[question], question
    assert all(answer for question, answer in clean.items() if question not in GEOPOLITICAL)


def test_and_it_would_show_three_months_later(folder: Path, poisoned: Path) -> None:
    later = date(2025, 6, 13)
    clean, other = answers(market(folder, later)), answers(market(poisoned, later))
    assert {question for question, answer in clean.items() if answer == other[question]} == set()


# The recorded folder


@pytest.mark.real_data
@pytest.mark.parametrize("category", CATEGORIES)
def test_recorded_movers_are_those_of_an_independent_count(recorded: Path, category: MoverCategory) -> None:
    vendor = SnapshotVendor(recorded)
    table = pd.read_parquet(recorded / "prices.parquet")
    wide = table[table.date.isin([pd.Timestamp(BEFORE), pd.Timestamp(DAY)])].pivot(index="symbol", columns="date")
    wide = wide[[vendor.get_profile(symbol.replace(".", "-")).kind == "stock" for symbol in wide.index]]
    close, volume = wide["close"].dropna(), wide["volume"][pd.Timestamp(DAY)]
    change = 100.0 * (close[pd.Timestamp(DAY)] / close[pd.Timestamp(BEFORE)] - 1.0)
    expected = {
        "day_gainers": change.nlargest(25),
        "day_losers": change.nsmallest(25),
        "most_actives": volume[change.index].nlargest(25),
    }[category]
    movers = vendor.get_market_movers(category, DAY)
    assert [row.symbol for row in movers] == list(expected.index)
    shown = [row.volume if category == "most_actives" else row.change_pct for row in movers]
    assert shown == pytest.approx(list(expected), abs=1e-4)


@pytest.mark.real_data
def test_the_later_split_of_a_recorded_stock_is_undone_and_its_dividends_are_marked(recorded: Path) -> None:
    vendor, day = SnapshotVendor(recorded), date(2024, 1, 16)
    bars = vendor.get_stock_data("SMCI", day, day).as_traded(day)
    assert bars.close[-1] == pytest.approx(326.5, abs=1.0), "ten for one in October 2024"
    gainer = {row.symbol: row for row in vendor.get_market_movers("day_gainers", date(2024, 1, 19))}["SMCI"]
    assert gainer.price == pytest.approx(423.4, abs=1.0)
    assert gainer.adjusted
    assert not vendor.get_market_movers("most_actives", day)[0].adjusted


@pytest.mark.real_data
@pytest.mark.parametrize(("day", "stocks"), [(date(2025, 7, 24), 503), (date(2025, 7, 25), 30)])
def test_recorded_movers_say_among_how_many_they_are_the_first(recorded: Path, day: date, stocks: int) -> None:
    assert {row.among for row in SnapshotVendor(recorded).get_market_movers("day_losers", day)} == {stocks}


@pytest.mark.real_data
def test_recorded_movers_read_no_bar_after_the_session(recorded: Path) -> None:
    vendor = CountingVendor(recorded)
    vendor.get_market_movers("day_gainers", DAY)
    assert len(vendor.read) > 450
    assert max(day for _, day in vendor.read) == DAY


@pytest.mark.real_data
def test_a_recorded_split_after_the_session_is_undone(recorded: Path) -> None:
    found = {row.symbol: row for row in SnapshotVendor(recorded).get_market_movers("most_actives", date(2024, 6, 7))}
    assert found["NVDA"].price == pytest.approx(1208.88), "ten for one on 10 June 2024"
    assert found["NVDA"].change_pct == pytest.approx(100 * (1208.88 / 1209.98 - 1), abs=0.01)


@pytest.mark.real_data
@pytest.mark.parametrize("topic", GEOPOLITICAL)
def test_recorded_news_have_every_topic_of_the_geopolitical_scanner(recorded: Path, topic: str) -> None:
    found = market(recorded).topic_news(topic, date(2025, 3, 7), DAY)
    assert found
    assert len({(row.published_at, row.url or row.title) for row in found}) == len(found)
    assert all(row.known_at <= CUT_OFF for row in found)


@pytest.mark.real_data
@pytest.mark.parametrize("sector", SECTORS)
def test_every_sector_has_recorded_members(recorded: Path, sector: str) -> None:
    members = SnapshotVendor(recorded).get_industry_performance(sector)
    assert len(members) >= 18
    assert len({row.symbol for row in members}) == len(members)


@pytest.mark.real_data
def test_no_recorded_figure_is_known_before_its_period_has_ended(recorded: Path) -> None:
    found = SnapshotVendor(recorded).get_economic_calendar(*EVER)
    assert {row.name for row in found} == {figure.name for figure in FIGURES}
    for row in found:
        assert row.known_at.date() == row.day >= ended(row.period), row
    payrolls = next(row for row in found if (row.name, row.period) == ("Nonfarm payrolls", "2025-02"))
    assert (payrolls.day, payrolls.value) == (date(2025, 3, 10), 42.0)


def ended(period: str | None) -> date:
    """The day after a period's last one; a decision has no period."""
    if period is None:
        return date.min
    if period.startswith("week"):
        return date.fromisoformat(period.removeprefix("week to ")) + timedelta(days=1)
    return (pd.Period(period).end_time + pd.Timedelta(days=1)).date()


@pytest.mark.real_data
def test_recorded_earnings_are_on_their_filing_days(recorded: Path) -> None:
    found = SnapshotVendor(recorded).get_earnings_calendar(date(2025, 1, 1), date(2025, 3, 31))
    assert [(row.symbol, row.day, row.eps) for row in found if row.symbol in ("PG", "AAPL")] == [
        ("PG", date(2025, 1, 22), 1.88),
        ("AAPL", date(2025, 1, 31), 2.4),
    ]
