"""The snapshot vendor answers from a folder, says what it lacks, and never reads further than it must."""

from __future__ import annotations

import json
import threading
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import snapshot_folder as made
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Prices
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import NoData, VendorDown, VendorNotConfigured
from tradingagents.settings import Settings

EVER = (date(2000, 1, 1), date(2030, 1, 1))
EVER_UTC = (datetime(2000, 1, 1, tzinfo=UTC), datetime(2030, 1, 1, tzinfo=UTC))
CUT_OFF = datetime(2025, 3, 14, 20, tzinfo=UTC)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made.write_snapshot(tmp_path_factory.mktemp("snapshot"))


@pytest.fixture(scope="module")
def vendor(folder: Path) -> SnapshotVendor:
    return SnapshotVendor(folder)


@pytest.fixture
def bare(tmp_path: Path) -> Path:
    """A folder with a manifest only."""
    made.write_manifest(tmp_path, made.FIRST, made.LAST)
    return tmp_path


def test_a_missing_folder_says_which_setting_names_one(tmp_path: Path) -> None:
    with pytest.raises(VendorNotConfigured, match="TRADINGAGENTS_DATA_DIR"):
        SnapshotVendor(tmp_path / "nowhere")


def test_a_folder_without_a_manifest_is_no_snapshot(tmp_path: Path) -> None:
    with pytest.raises(VendorNotConfigured, match=r"lacks snapshot\.json.*data_dir"):
        SnapshotVendor(tmp_path)


def test_an_unknown_format_says_which_one_is_read(bare: Path) -> None:
    made.write_manifest(bare, made.FIRST, made.LAST, format=2)
    with pytest.raises(VendorNotConfigured, match="format 2; this version reads format 1"):
        SnapshotVendor(bare)


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 1}', '{"format": 1, "from": "x", "to": "2025-01-01"}'])
def test_a_corrupt_manifest_is_named(bare: Path, text: str) -> None:
    (bare / "snapshot.json").write_text(text)
    with pytest.raises(VendorDown, match=r"snapshot\.json"):
        SnapshotVendor(bare)


def test_an_unknown_calendar_shows_at_once(bare: Path) -> None:
    made.write_manifest(bare, made.FIRST, made.LAST, exchange="MOON")
    with pytest.raises(VendorDown, match="MOON"):
        SnapshotVendor(bare)


def test_a_folder_with_nothing_but_a_manifest_has_no_data(bare: Path) -> None:
    vendor = SnapshotVendor(bare)
    with pytest.raises(NoData):
        vendor.get_stock_data("ACMQ", *EVER)
    with pytest.raises(NoData):
        vendor.get_profile("ACMQ")
    with pytest.raises(NoData):
        vendor.get_statements("ACMQ", "income", "quarterly")
    with pytest.raises(NoData):
        vendor.get_news("ACMQ", *EVER_UTC)
    with pytest.raises(NoData):
        vendor.get_insider_transactions("ACMQ")
    assert vendor.get_global_news(*EVER_UTC) == ()
    assert vendor.get_peers("ACMQ", "technology") == ()


def test_prices_of_a_window(vendor: SnapshotVendor) -> None:
    prices = vendor.get_stock_data("ACMQ", date(2024, 1, 1), date(2024, 1, 7))
    assert [str(day) for day in prices.days] == ["2024-01-02", "2024-01-03", "2024-01-04", "2024-01-05"]
    assert (prices.vendor, prices.currency, prices.basis) == ("snapshot", "USD", "split_adjusted")
    assert prices.fetched_at == datetime(2025, 6, 30, 20, tzinfo=UTC)
    assert np.array_equal(np.round(prices.close, 2), prices.close), (
        "two decimals were written, no storage noise is read"
    )
    assert np.all(prices.low <= np.minimum(prices.open, prices.close))
    assert np.all(prices.high >= np.maximum(prices.open, prices.close))


def test_each_basis_reads_in_our_words(vendor: SnapshotVendor) -> None:
    basis = {symbol: vendor.get_stock_data(symbol, *EVER).basis for symbol in ("ACMQ", "XLK", "^VIX")}
    assert basis == {"ACMQ": "split_adjusted", "XLK": "fully_adjusted", "^VIX": "index"}


@given(start=st.integers(0, 850), length=st.integers(0, 400), first=st.integers(0, 200), more=st.integers(0, 300))
def test_a_bar_does_not_depend_on_the_window_asked(
    vendor: SnapshotVendor, start: int, length: int, first: int, more: int
) -> None:
    begin = made.FIRST + timedelta(days=start)
    end = begin + timedelta(days=length)
    wide = vendor.get_stock_data("ELMQ", begin - timedelta(days=first + 7), end + timedelta(days=more))
    inside = wide.upto(end).since(begin)
    try:
        narrow = vendor.get_stock_data("ELMQ", begin, end)
    except NoData:
        assert len(inside) == 0
    else:
        assert _same(narrow, inside)


def test_an_unknown_symbol_names_close_ones_and_the_window(vendor: SnapshotVendor) -> None:
    with pytest.raises(NoData, match=r"2023-01-03 to 2025-06-30.*close to it are .*ACMQ"):
        vendor.get_stock_data("ACMEQ", *EVER)


def test_a_window_outside_the_folder_says_what_it_covers(vendor: SnapshotVendor) -> None:
    with pytest.raises(NoData, match="covers 2023-01-03 to 2025-06-30"):
        vendor.get_stock_data("ACMQ", date(2020, 1, 1), date(2020, 2, 1))


def test_profiles_carry_our_sector_key_and_a_calendar(vendor: SnapshotVendor) -> None:
    acme = vendor.get_profile("ACMQ")
    assert (acme.name, acme.kind, acme.sector, acme.industry, acme.exchange) == (
        "Acme Quark Devices",
        "stock",
        "technology",
        "Quark Devices",
        "XNYS",
    )
    assert (vendor.get_profile("XLK").kind, vendor.get_profile("XLK").sector) == ("etf", None)
    assert vendor.get_profile("HYG").kind == "etf"
    assert vendor.get_profile("^VIX").kind == "index"


def test_a_nameless_fund_that_nobody_knows_is_a_stock(bare: Path) -> None:
    profiles = {
        "QQZZ": {"name": "QQZZ", "kind": "etf"},
        "QQYY": {"name": "Made-up Fund", "kind": "etf"},
        "SPY": {"name": "Known Fund", "kind": "stock"},
        "7203.T": {"name": "Made-up Motors", "kind": "stock", "sector": "Consumer Cyclical", "currency": "JPY"},
        "BF.B": {"name": "Made-up Barrels", "kind": "stock", "sector": "Consumer Staples"},
        "BF-B": {"name": "BF-B", "kind": "etf"},
    }
    (bare / "profiles.json").write_text(json.dumps(profiles))
    vendor = SnapshotVendor(bare)
    assert (vendor.get_profile("QQZZ").kind, vendor.get_profile("QQZZ").sector) == ("stock", None)
    assert vendor.get_profile("QQYY").kind == "etf"
    assert vendor.get_profile("SPY").kind == "etf"
    toyo = vendor.get_profile("7203.T")
    assert (toyo.exchange, toyo.sector, toyo.currency) == ("XTKS", "consumer-discretionary", "JPY")
    assert vendor.get_profile("BF-B").sector == "consumer-staples", "two spellings, the telling one counts"


def test_a_symbol_without_a_profile_goes_by_its_name(bare: Path) -> None:
    made.write_prices(bare, [made.price_row("QQZZ", date(2024, 1, 2), 10.0)])
    profile = SnapshotVendor(bare).get_profile("QQZZ")
    assert (profile.name, profile.kind, profile.currency, profile.exchange) == ("QQZZ", "stock", "USD", "XNYS")


def test_statements_come_newest_first_and_by_kind(vendor: SnapshotVendor) -> None:
    found = vendor.get_statements("ACMQ", "balance", "quarterly")
    assert len(found) == 10
    assert [row.period_end for row in found] == sorted((row.period_end for row in found), reverse=True)
    assert {row.kind for row in found} == {"balance"}
    assert found[0].items["total_debt"] == pytest.approx(1.2 * found[0].items["cash"])


def test_what_is_missing_of_statements_says_what_there_is(vendor: SnapshotVendor) -> None:
    with pytest.raises(NoData, match="no annual income statements of ACMQ; ask for quarterly ones"):
        vendor.get_statements("ACMQ", "income", "annual")
    with pytest.raises(NoData, match="no quarterly income statements of CRGQ; choose another vendor"):
        vendor.get_statements("CRGQ", "income", "quarterly")


def test_a_company_without_insider_rows_is_not_covered(vendor: SnapshotVendor) -> None:
    with pytest.raises(NoData, match="no insider trades of ELMQ"):
        vendor.get_insider_transactions("ELMQ")


def test_peers_are_priced_stocks_of_the_sector_without_the_symbol(vendor: SnapshotVendor) -> None:
    assert vendor.get_peers("ACMQ", "technology") == ("ELMQ",)
    assert vendor.get_peers("XLK", "technology") == ("ACMQ", "ELMQ")
    assert vendor.get_peers("ACMQ", "energy") == ()


def test_usual_peers_lead_then_the_same_industry_then_by_symbol(bare: Path) -> None:
    day = date(2024, 1, 2)
    symbols = ["MSFT", "AAPL", *(f"ZZ{letter}" for letter in "JIHGFEDCBA"), "ME"]
    profiles = {
        symbol: {"name": f"Name {symbol}", "kind": "stock", "sector": "Technology", "industry": "other"}
        for symbol in symbols
    }
    profiles["ME"]["industry"] = profiles["ZZE"]["industry"] = "quarks"
    (bare / "profiles.json").write_text(json.dumps(profiles))
    made.write_prices(bare, [made.price_row(symbol, day, 10.0) for symbol in symbols if symbol != "ZZB"])
    peers = SnapshotVendor(bare).get_peers("ME", "technology")
    assert peers == ("AAPL", "MSFT", "ZZE", "ZZA", "ZZC", "ZZD", "ZZF", "ZZG", "ZZH", "ZZI", "ZZJ")


@pytest.mark.parametrize("file", ["prices.parquet", "statements.jsonl.gz", "news.jsonl.gz", "insider.jsonl.gz"])
def test_a_truncated_file_is_named(tmp_path: Path, folder: Path, file: str) -> None:
    made.write_manifest(tmp_path, made.FIRST, made.LAST)
    whole = (folder / file).read_bytes()
    (tmp_path / file).write_bytes(whole[: len(whole) // 2])
    vendor = SnapshotVendor(tmp_path)
    ask = {
        "prices.parquet": lambda: vendor.get_stock_data("ACMQ", *EVER),
        "statements.jsonl.gz": lambda: vendor.get_statements("ACMQ", "income", "quarterly"),
        "news.jsonl.gz": lambda: vendor.get_news("ACMQ", *EVER_UTC),
        "insider.jsonl.gz": lambda: vendor.get_insider_transactions("ACMQ"),
    }[file]
    for _ in range(2):
        with pytest.raises(VendorDown, match=file.replace(".", r"\.")):
            ask()


def test_a_faulty_line_is_left_out_and_named(bare: Path) -> None:
    good = made.news_row("ACMQ", "2024-01-02", "fine")
    made.write_lines(bare / "news.jsonl.gz", [good, {**good, "published_at": "2024-01-02T10:00:00"}])
    vendor = SnapshotVendor(bare)
    assert [item.title for item in vendor.get_news("ACMQ", *EVER_UTC)] == ["fine"]
    (gap,) = vendor.unreadable(Vendor.get_news, "ACMQ")
    assert gap.startswith("news.jsonl.gz line 2 cannot be read (ValueError: 2024-01-02T10:00:00 names no time zone)")
    assert vendor.unreadable(Vendor.get_news, "ELMQ") == ()


def test_a_file_of_many_faulty_lines_is_not_used(bare: Path) -> None:
    good = made.news_row("ACMQ", "2024-01-02", "fine")
    made.write_lines(bare / "news.jsonl.gz", [good, *({**good, "published_at": "soon"} for _ in range(6))])
    with pytest.raises(VendorDown, match=r"news\.jsonl\.gz line 2.*soon"):
        SnapshotVendor(bare).get_news("ACMQ", *EVER_UTC)


@pytest.mark.parametrize(
    ("file", "text"),
    [("actions.csv", "symbol,date,action,value\n" + 6 * "ACMQ,2024-01-02,merger,1\n"), ("profiles.json", "[1]")],
)
def test_a_corrupt_side_file_is_named(bare: Path, file: str, text: str) -> None:
    made.write_prices(bare, [made.price_row("ACMQ", date(2024, 1, 2), 10.0)])
    (bare / file).write_text(text)
    with pytest.raises(VendorDown, match=file.replace(".", r"\.")):
        SnapshotVendor(bare).get_stock_data("ACMQ", *EVER)


def test_threads_share_one_reading_of_the_folder(folder: Path) -> None:
    vendor = SnapshotVendor(folder)
    gate = threading.Barrier(8)
    found: list[Prices] = []

    def ask() -> None:
        gate.wait()
        found.append(vendor.get_stock_data("ACMQ", *EVER))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8
    assert all(_same(prices, found[0]) for prices in found)


@pytest.fixture(scope="module")
def clean_and_poisoned(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[MarketData, MarketData]:
    poisoned = made.write_snapshot(tmp_path_factory.mktemp("poisoned"), poisoned_after=CUT_OFF)
    return _market(folder), _market(poisoned)


def test_what_was_known_later_changes_no_answer(clean_and_poisoned: tuple[MarketData, MarketData]) -> None:
    clean, poisoned = clean_and_poisoned
    week = (date(2025, 3, 1), date(2025, 3, 14))
    for symbol in made.SYMBOLS:
        assert _same(clean.prices(symbol), poisoned.prices(symbol)), symbol
    for symbol in ("ACMQ", "ELMQ", "DOVQ"):
        assert clean.statements(symbol, "income") == poisoned.statements(symbol, "income")
    for symbol in ("ACMQ", "ELMQ", "CRGQ"):
        assert clean.news(symbol, *week) == poisoned.news(symbol, *week) != ()
    assert clean.global_news(*week) == poisoned.global_news(*week) != ()
    assert clean.insider_transactions("ACMQ") == poisoned.insider_transactions("ACMQ") != ()
    assert clean.prices("ACMQ").dividends == poisoned.prices("ACMQ").dividends != ()


def test_the_poison_is_in_the_folder(clean_and_poisoned: tuple[MarketData, MarketData], tmp_path: Path) -> None:
    vendor = SnapshotVendor(made.write_snapshot(tmp_path, poisoned_after=CUT_OFF))
    later = vendor.get_stock_data("^GSPC", date(2025, 3, 14), date(2025, 3, 17)).close
    assert later[1] > 8 * later[0]
    assert len(vendor.get_stock_data("ACMQ", *EVER).splits) == 1
    assert vendor.get_statements("ACMQ", "income", "quarterly")[0].items["revenue"] != made.POISON_VALUE
    restated = [
        row for row in vendor.get_statements("ACMQ", "income", "quarterly") if made.POISON_VALUE in row.items.values()
    ]
    assert {row.known_at > CUT_OFF for row in restated} == {True}
    assert any(made.POISON_MARK in item.title for item in vendor.get_global_news(*EVER_UTC))
    assert any(made.POISON_MARK in row.text for row in vendor.get_insider_transactions("ACMQ"))


def _market(folder: Path) -> MarketData:
    settings = Settings(data_vendor="snapshot", data_dir=folder)
    return MarketData(settings, CUT_OFF.date(), now=lambda: datetime(2026, 1, 5, tzinfo=UTC))


def _same(one: Prices, other: Prices) -> bool:
    names = ("days", "open", "high", "low", "close", "adj_close", "volume")
    return all(np.array_equal(getattr(one, name), getattr(other, name)) for name in names)
