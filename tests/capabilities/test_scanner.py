"""The seven questions of a scan: what a model may ask, whom they ask in turn, and what they leave in the data sheet."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import ValidationError

from tests.capabilities.market import AS_OF, DAY, snapshot_market
from tests.support.fakes import RecordedRows, RowsVendor, article, clock, make_prices
from tests.support.golden_files import assert_golden
from tradingagents.agents.roster import scan_agents
from tradingagents.analytics.market.scanned import SeenStock
from tradingagents.analytics.market.sectors import largest_moves
from tradingagents.capabilities import scanner
from tradingagents.capabilities.capability import Ahead, Capability
from tradingagents.capabilities.scanner import (
    SectorKey,
    get_earnings_calendar,
    get_economic_calendar,
    get_industry_performance,
    get_market_indices,
    get_market_movers,
    get_sector_performance,
    get_topic_news,
)
from tradingagents.capabilities.tools import as_tool
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import EarningsEvent, EconomicEvent, Mover, Profile, SectorMember
from tradingagents.dataflows.reference.metrics import MISSING
from tradingagents.dataflows.reference.sectors import DISPLAY, SECTOR_ETF, SECTORS
from tradingagents.errors import BadDate, NoData, VendorDown
from tradingagents.schemas.record import Record
from tradingagents.settings import load_settings

CLOSE = datetime(2025, 3, 14, 20, tzinfo=UTC)
QUESTIONS: Mapping[Capability, dict[str, Any]] = {
    get_market_movers: {"category": "most_actives"},
    get_market_indices: {},
    get_sector_performance: {},
    get_industry_performance: {"sector_key": "technology"},
    get_topic_news: {"topic": "quark"},
    get_earnings_calendar: {"from_date": "2024-10-01", "to_date": "2025-05-01"},
    get_economic_calendar: {"from_date": "2025-03-01", "to_date": "2025-05-01"},
}
CAPABILITIES = tuple(QUESTIONS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scanner") / "market"


def market(vendor: RowsVendor, as_of: date = AS_OF, memo: Memo | None = None, **given: Any) -> MarketData:
    settings = load_settings({"data_vendor": "rows", **given}, environ={})
    return MarketData(settings, as_of, vendors=Vendors(settings, {"rows": vendor}), memo=memo, now=clock)


def the_row(data: MarketData, capability: Capability) -> Any:
    (row,) = [row for row in data.sheet.rows if row.method == capability.name and row.figures]
    return row


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda one: one.name)
def test_the_schema_a_model_sees(capability: Capability):
    schema = convert_to_openai_tool(as_tool(capability))
    assert "runtime" not in json.dumps(schema)
    assert_golden(f"tools/{capability.name}.json", json.dumps(schema, indent=2, ensure_ascii=False) + "\n")


def test_the_seven_documented_scanner_tools_are_declared():
    declared = {value.name for value in vars(scanner).values() if isinstance(value, Capability)}
    held = {tool.name for spec in scan_agents() for tool in getattr(spec, "tools", ())}
    assert {capability.name for capability in CAPABILITIES} == declared & held
    assert len(CAPABILITIES) == 7


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda one: one.name)
def test_every_figure_stands_in_the_answer_and_in_the_data_sheet(folder: Path, capability: Capability):
    data = snapshot_market(folder)
    result = capability.ask(data, **QUESTIONS[capability])
    figures = {figure.name: figure for figure in result.figures() if figure.text != MISSING}
    assert figures
    assert the_row(data, capability).figures == {name: figure.rounded for name, figure in figures.items()}
    for figure in figures.values():
        assert f"| {figure.text} |" in result.to_markdown()


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda one: one.name)
def test_an_answer_says_who_gave_it_and_when_it_was_known(folder: Path, capability: Capability):
    data = snapshot_market(folder)
    result = capability.ask(data, **QUESTIONS[capability])
    first, _, provenance, *_ = result.to_markdown().splitlines()
    assert first == f"## {result.title}"
    assert provenance.startswith(f"(source snapshot, as of {DAY}")
    assert result.known_at is not None
    assert result.known_at <= data.cutoff.instant
    row = the_row(data, capability)
    assert (row.symbol, row.rows, row.known_at, row.inputs) == (
        result.subject,
        result.rows,
        result.known_at,
        result.inputs,
    )
    assert result.rows > 0


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda one: one.name)
def test_what_a_run_keeps_can_be_written_and_read(folder: Path, capability: Capability):
    kept = capability.ask(snapshot_market(folder), **QUESTIONS[capability]).kept()
    written = json.loads(json.dumps(kept, default=Record.as_json))
    read = {ticker: SeenStock.model_validate(stock) for ticker, stock in written.get("seen", {}).items()}
    assert read == kept.get("seen", {})
    assert set(kept) <= {"seen", "indices", "sectors", "articles"}
    assert bool(kept) == (capability is not get_economic_calendar)


@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda one: one.name)
def test_a_second_run_gets_the_same_answer_and_the_same_sheet_from_the_memo(folder: Path, capability: Capability):
    memo = Memo(64)
    first, second = snapshot_market(folder), snapshot_market(folder)
    first.memo = second.memo = memo
    assert capability.ask(first, **QUESTIONS[capability]) is capability.ask(second, **QUESTIONS[capability])
    assert first.sheet.to_records() == second.sheet.to_records()


# Arguments


def test_a_sector_is_one_of_ours_in_any_spelling(folder: Path):
    data = snapshot_market(folder)
    assert get_args(get_args(SectorKey)[0]) == SECTORS
    for spelling in ("technology", "Technology", "Information Technology", " TECHNOLOGY ", "information technology"):
        assert get_industry_performance.ask(data, sector_key=spelling).sector == "technology"


@pytest.mark.parametrize(
    ("capability", "arguments", "field"),
    [
        (get_industry_performance, {"sector_key": "tech stocks"}, "sector_key"),
        (get_industry_performance, {"sector_key": 7}, "sector_key"),
        (get_market_movers, {"category": "gainers"}, "category"),
        (get_market_movers, {}, "category"),
        (get_market_indices, {"curr_date": DAY}, "curr_date"),
        (get_topic_news, {"topic": "  "}, "topic"),
        (get_topic_news, {"topic": "x" * 81}, "topic"),
        (get_topic_news, {"topic": "oil", "limit": "many"}, "limit"),
        (get_earnings_calendar, {"from_date": DAY}, "to_date"),
        (get_economic_calendar, {"from_date": "soon", "to_date": DAY}, "from_date"),
    ],
)
def test_arguments_that_do_not_fit_are_refused_by_name(capability: Capability, arguments: dict[str, Any], field: str):
    data = market(RowsVendor())
    with pytest.raises(ValidationError) as refusal:
        capability.ask(data, **arguments)
    assert [error["loc"][0] for error in refusal.value.errors()] == [field]
    assert data.sheet.rows == ()


# Movers


def mover(symbol: str, known_at: datetime = CLOSE) -> Mover:
    return Mover(symbol, f"{symbol} Inc", 10.0, 5.0, 1e6, known_at, market_cap=1e9, sector="energy")


def test_movers_are_those_of_the_last_session():
    vendor = RowsVendor(movers=[mover("ACME"), mover("LATE", CLOSE + timedelta(seconds=1))])
    result = get_market_movers.ask(market(vendor, date(2025, 3, 16)), category="day_gainers")
    assert vendor.asked == [("get_market_movers", "day_gainers", AS_OF)]
    assert [row.symbol for row in result.movers] == ["ACME"]
    assert (result.session, result.as_of) == (AS_OF, date(2025, 3, 16))


def test_movers_whose_prices_the_gate_withholds_are_left_out_and_named():
    """The last close is of another level than those before, and no split explains it."""
    sound = make_prices("ACMQ").upto(AS_OF)
    factor = np.where(np.arange(len(sound)) < len(sound) - 3, 1.0, 7.2)
    names = ("open", "high", "low", "close", "adj_close")
    broken = replace(sound, symbol="BRKQ", **{name: getattr(sound, name) * factor for name in names})
    rows = [replace(mover("ACMQ"), price=float(sound.close[-1])), replace(mover("BRKQ"), price=float(broken.close[-1]))]
    vendor = RecordedRows(movers=rows, prices={"ACMQ": sound, "BRKQ": broken})
    data = market(vendor)
    result = get_market_movers.ask(data, category="day_gainers")
    assert [row.symbol for row in result.movers] == ["ACMQ"]
    (note,) = [note for note in result.notes if "BRKQ" in note]
    assert note.startswith("BRKQ is left out: ")
    assert "prices of BRKQ cannot be used" in note
    assert "data-faults.md#" in note
    assert {row.method for row in data.sheet.rows} == {"get_market_movers"}


def test_movers_name_the_vendor_that_answered_for_another():
    settings = load_settings({"data_vendors": {"scanner_data": "yfinance, simulated"}}, environ={})
    vendors = Vendors(
        settings, {"yfinance": RowsVendor(error=VendorDown("down")), "simulated": RowsVendor(movers=[mover("ACME")])}
    )
    data = MarketData(settings, AS_OF, vendors=vendors, now=clock)
    assert get_market_movers.ask(data, category="day_gainers").source == "simulated"


def test_each_category_has_a_row_of_its_own_in_the_data_sheet():
    data = market(RowsVendor(movers=[mover("ACME")]))
    for category in ("day_gainers", "most_actives"):
        get_market_movers.ask(data, category=category)
    assert [(row.method, row.symbol, row.rows) for row in data.sheet.rows] == [
        ("get_market_movers", "day_gainers", 1),
        ("get_market_movers", "most_actives", 1),
    ]


# Indices and sectors


def test_indices_come_from_prices_asked_of_their_own_vendor_for_over_a_year():
    vendor = RowsVendor(prices={"^GSPC": make_prices("^GSPC")})
    data = market(vendor)
    result = get_market_indices.ask(data)
    assert [row.symbol for row in result.indices] == ["^GSPC"]
    assert {(question[1], question[2]) for question in vendor.asked} == {
        (symbol, AS_OF - timedelta(days=400)) for symbol in ("^GSPC", "^DJI", "^IXIC", "^VIX", "^RUT")
    }
    assert {row.method for row in data.sheet.rows} == {"get_market_indices"}


def test_sectors_come_from_all_eleven_funds():
    vendor = RowsVendor(prices={fund: make_prices(fund) for fund in SECTOR_ETF.values() if fund != "XLE"})
    result = get_sector_performance.ask(market(vendor))
    assert {question[1] for question in vendor.asked} == set(SECTOR_ETF.values())
    assert result.notes == ("No prices of 2025-03-14 for Energy (XLE).",)


@pytest.mark.parametrize("capability", [get_market_indices, get_sector_performance], ids=lambda one: one.name)
def test_without_any_prices_a_table_of_the_market_is_refused(capability: Capability):
    with pytest.raises(NoData, match=r"choose (another|a) vendor"):
        capability.ask(market(RowsVendor()))


# Industries


def members(count: int, **more: Any) -> list[SectorMember]:
    return [SectorMember(f"S{number:02}", f"Company {number}", "Drills", **more) for number in range(count)]


def test_where_weights_are_known_only_the_ten_heaviest_are_asked():
    weighed = [replace(member, weight=float(number)) for number, member in enumerate(members(25))]
    names = [f"S{number:02}" for number in range(24, 14, -1)]
    vendor = RowsVendor(members={"energy": weighed}, prices={name: make_prices(name) for name in names})
    data = market(vendor)
    result = get_industry_performance.ask(data, sector_key="energy")
    assert {question[1] for question in vendor.asked if question[0] == "get_stock_data"} == set(names)
    assert [row.symbol for row in result.companies] == names


def test_where_none_is_known_every_company_is_read_and_the_sheet_shows_one_row():
    vendor = RecordedRows(
        members={"energy": members(25)}, prices={f"S{number:02}": make_prices(f"S{number:02}") for number in range(23)}
    )
    data = market(vendor)
    result = get_industry_performance.ask(data, sector_key="energy")
    assert len(result.companies) == 20
    first = AS_OF - timedelta(days=data.settings.price_history_days)  # the gate sees breaks before the month
    assert {question[2] for question in vendor.asked if question[0] == "get_stock_data"} == {first}
    (row,) = data.sheet.rows
    assert (row.method, row.symbol, len(row.inputs)) == ("get_industry_performance", "energy", 23)
    assert "Companies with prices of 2025-03-14: 23." in result.notes


def test_a_member_with_no_symbol_of_ours_is_left_out():
    listed = [*members(1), SectorMember("../../x", "Sneaky")]
    vendor = RecordedRows(members={"energy": listed}, prices={"S00": make_prices("S00")})
    result = get_industry_performance.ask(market(vendor), sector_key="energy")
    assert [row.symbol for row in result.companies] == ["S00"]


# Topics


def test_a_topic_is_searched_for_over_the_days_the_settings_say():
    vendor = RowsVendor(articles=[article("Oil up", CLOSE - timedelta(hours=1), None)])
    result = get_topic_news.ask(market(vendor, global_news_lookback_days=3), topic=" oil ")
    assert vendor.asked == [("get_topic_news", "oil", datetime(2025, 3, 11, tzinfo=UTC), CLOSE)]
    assert (result.start, result.end, result.title) == (date(2025, 3, 11), AS_OF, "News on oil")


@pytest.mark.parametrize(("limit", "shown"), [(3, 3), (0, 1), (-5, 1), (1000, 10)])
def test_articles_are_at_least_one_and_at_most_as_many_as_the_settings_allow(limit: int, shown: int):
    items = [
        article(f"Oil price falls in region {number}", CLOSE - timedelta(hours=number + 1), None)
        for number in range(15)
    ]
    assert len(get_topic_news.ask(market(RowsVendor(articles=items)), topic="oil", limit=limit).articles) == shown


def test_companies_of_articles_are_looked_up_only_where_that_costs_nothing():
    items = [article("Acme up", CLOSE - timedelta(hours=1)), article("Lost up", CLOSE - timedelta(hours=1), "LOST")]
    profiles = {"ACME": Profile("ACME", "Acme Ltd", "stock", "energy")}
    remote, local = RowsVendor(articles=items, profiles=profiles), RecordedRows(articles=items, profiles=profiles)
    seen = get_topic_news.ask(market(local), topic="up").kept()["seen"]
    assert (seen["ACME"]["name"], seen["ACME"]["sector"]) == ("Acme Ltd", "energy")
    assert (seen["LOST"]["name"], seen["LOST"]["sector"]) == ("LOST", None)
    assert get_topic_news.ask(market(remote), topic="up").kept()["seen"]["ACME"]["name"] == "ACME"
    assert {question[0] for question in remote.asked} == {"get_topic_news"}


# Calendars


CALENDARS = (get_earnings_calendar, get_economic_calendar)


@pytest.mark.parametrize("capability", CALENDARS, ids=lambda one: one.name)
@pytest.mark.parametrize("ahead", [0, 1, 59, 60])
def test_a_calendar_may_be_asked_up_to_sixty_days_ahead(capability: Capability, ahead: int):
    last = AS_OF + timedelta(days=ahead)
    result = capability.ask(market(RowsVendor()), from_date=last, to_date=last)
    assert (result.start, result.end, result.notes) == (last, last, ())


@pytest.mark.parametrize("capability", CALENDARS, ids=lambda one: one.name)
def test_later_days_are_read_as_the_sixtieth_and_the_answer_says_so(capability: Capability):
    result = capability.ask(market(RowsVendor()), from_date="2025-05-14", to_date="2031-01-01")
    assert (result.start, result.end) == (date(2025, 5, 13), date(2025, 5, 13))
    (note,) = result.notes
    assert note.startswith("2025-05-14, 2031-01-01 lies more than 60 days after 2025-03-14, the day of this study,")
    assert note.endswith("and was read as 2025-05-13.")


@pytest.mark.parametrize("capability", CALENDARS, ids=lambda one: one.name)
@pytest.mark.parametrize(
    ("start", "end", "way_out"),
    [("2025-03-15", "2025-03-14", "swap them"), ("0001-01-01", "2025-03-14", "name a day from 1990")],
)
def test_a_window_that_cannot_be_is_refused_with_the_way_out(
    capability: Capability, start: str, end: str, way_out: str
):
    with pytest.raises(BadDate, match=way_out):
        capability.ask(market(RecordedRows()), from_date=start, to_date=end)


def test_a_year_comes_with_a_recorded_calendar_and_shows_what_is_due():
    last_year = EarningsEvent("ACME", "Acme", date(2024, 4, 25), datetime(2024, 4, 25, 21, tzinfo=UTC), eps=1.0)
    question = {"from_date": "2025-03-15", "to_date": "2025-05-01"}
    profiles = {"ACME": Profile("ACME", "Acme Ltd", "stock", "energy")}
    (row,) = get_earnings_calendar.ask(market(RecordedRows(results=[last_year], profiles=profiles)), **question).events
    assert (row.day, row.status, row.sector) == (date(2025, 4, 24), "expected", "energy")


@hypothesis_settings(deadline=None)
@given(
    days=st.lists(st.integers(-90, 90), max_size=12),
    known=st.lists(st.integers(-90 * 24, 90 * 24), min_size=12, max_size=12),
    window=st.tuples(st.integers(-90, 90), st.integers(0, 90)),
)
def test_of_days_ahead_only_what_was_known_at_the_cut_off_is_shown(
    days: list[int], known: list[int], window: tuple[int, int]
):
    stamps = [
        (AS_OF + timedelta(days=day), CLOSE + timedelta(hours=hours)) for day, hours in zip(days, known, strict=False)
    ]
    results = [EarningsEvent(f"S{n:02}", "x", day, at, eps=1.0) for n, (day, at) in enumerate(stamps)]
    releases = [EconomicEvent(f"F{n:02}", day, at, value=1.0) for n, (day, at) in enumerate(stamps)]
    start = AS_OF + timedelta(days=window[0])
    question = {"from_date": start, "to_date": start + timedelta(days=window[1])}
    for capability in CALENDARS:
        every = capability.ask(market(RecordedRows(results=results, releases=releases)), **question)
        early = capability.ask(
            market(
                RecordedRows(
                    results=[row for row in results if row.known_at <= CLOSE],
                    releases=[row for row in releases if row.known_at <= CLOSE],
                )
            ),
            **question,
        )
        assert every == early
        assert all(row.day <= AS_OF + timedelta(days=60) for row in every.events)


def test_only_the_calendars_may_look_ahead():
    marked = {
        (capability.name, name)
        for capability in CAPABILITIES
        for name, field in capability.arguments.model_fields.items()
        if any(isinstance(mark, Ahead) for mark in field.metadata)
    }
    assert marked == {(one.name, name) for one in CALENDARS for name in ("from_date", "to_date")}


# The recorded real market


@pytest.fixture(scope="module")
def bars(test_data: Path) -> pd.DataFrame:
    """Every recorded bar, prices as they were before they were stored in single precision."""
    table = pd.read_parquet(test_data / "snapshot" / "prices.parquet")
    for name in ("close", "adj_close"):
        table[name] = [float(f"{value:.7g}") for value in table[name]]
    return table


@pytest.fixture(scope="module")
def real(test_data: Path) -> MarketData:
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(test_data / "snapshot")}, environ={})
    return MarketData(settings, AS_OF)


@pytest.mark.real_data
@pytest.mark.parametrize("day", ["2023-12-29", "2024-01-02", "2024-11-29", "2025-03-14"])
def test_sector_returns_are_those_computed_by_hand_from_the_recorded_prices(
    real: MarketData, bars: pd.DataFrame, day: str
):
    result = get_sector_performance.ask(real.as_of_date(date.fromisoformat(day)))
    by_hand = {}
    for sector, fund in SECTOR_ETF.items():
        closes = bars[(bars.symbol == fund) & (bars.date <= day)].set_index("date").adj_close.sort_index()
        bases = {
            "1d": closes.iloc[-2],
            "1w": closes.iloc[-6],
            "1m": closes.iloc[-22],
            "ytd": closes[: f"{int(day[:4]) - 1}-12-31"].iloc[-1],
        }
        by_hand[sector] = {period: 100 * (closes.iloc[-1] / base - 1) for period, base in bases.items()}
    for row in result.sectors:
        assert dict(row.returns) == pytest.approx(by_hand[row.sector], abs=1e-9, rel=1e-9)
    largest = sorted(by_hand, key=lambda sector: -abs(by_hand[sector]["1m"]))
    assert largest_moves({row.sector: row.returns["1m"] for row in result.sectors}, 3) == tuple(largest[:3])


@pytest.mark.real_data
@pytest.mark.parametrize("category", ["day_gainers", "day_losers", "most_actives"])
@pytest.mark.parametrize(
    ("session", "eve"),
    [
        ("2025-03-14", "2025-03-13"),
        ("2024-07-15", "2024-07-12"),  # a Monday, Broadcom ten for one
        ("2024-11-29", "2024-11-27"),  # a half-day after a holiday
        ("2025-01-10", "2025-01-08"),  # a day of mourning between
    ],
)
def test_movers_are_the_true_movers_of_the_session(
    real: MarketData, bars: pd.DataFrame, test_data: Path, category: str, session: str, eve: str
):
    stocks = bars[bars.symbol.isin([symbol for symbol in bars.symbol.unique() if real.profile(symbol).kind == "stock"])]
    last = stocks[stocks.date == session].set_index("symbol")
    before = stocks[stocks.date == eve].set_index("symbol").close
    change = (100 * (last.close / before - 1)).dropna()
    actions = pd.read_csv(test_data / "snapshot" / "actions.csv")
    later = actions[(actions.action == "split") & (actions.date > session)].groupby("symbol").value.prod()
    traded = last.volume / later.reindex(last.index, fill_value=1.0)  # of the session's own shares
    column = {"day_gainers": -change, "day_losers": change, "most_actives": -traded[change.index]}[category]
    expected = sorted(change.index, key=lambda symbol: (column[symbol], symbol))[:15]
    result = get_market_movers.ask(real.as_of_date(date.fromisoformat(session)), category=category)
    assert [row.symbol for row in result.movers] == expected
    assert [row.change_pct for row in result.movers] == pytest.approx([change[symbol] for symbol in expected], abs=1e-9)


@pytest.mark.real_data
def test_industries_are_the_means_of_the_recorded_returns(real: MarketData, bars: pd.DataFrame, test_data: Path):
    profiles = json.loads((test_data / "snapshot" / "profiles.json").read_text(encoding="utf-8"))
    result = get_industry_performance.ask(real, sector_key="energy")
    assert {row.symbol for row in result.companies} <= set(result.inputs)
    for row in result.industries:
        symbols = [symbol for symbol in result.inputs if profiles[symbol]["industry"] == row.industry]
        assert {profiles[symbol]["sector"] for symbol in symbols} == {DISPLAY["energy"]}
        months = []
        for symbol in symbols:
            closes = bars[(bars.symbol == symbol) & (bars.date <= "2025-03-14")].sort_values("date").adj_close
            months.append(100 * (closes.iloc[-1] / closes.iloc[-22] - 1))
        assert row.companies == len(symbols)
        assert row.returns["1m"] == pytest.approx(np.mean(months), abs=1e-6)


@pytest.mark.real_data
@pytest.mark.parametrize("capability", CAPABILITIES, ids=lambda one: one.name)
def test_the_recorded_market_answers_every_question_of_a_scan(real: MarketData, capability: Capability):
    question = {**QUESTIONS[capability], **({"topic": "central bank"} if capability is get_topic_news else {})}
    result = capability.ask(real, **question)
    assert result.rows > 0
    assert result.known_at is not None
    assert result.known_at <= CLOSE
