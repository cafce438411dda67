"""A recorded folder answers as the vendor did: same decisions, same picks, same figures, offline."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from itertools import product
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.contracts.yahoo_market import LAST, fill_yahoo
from tests.support import yahoo_server as yahoo
from tests.support.live_market import NEW_QUARTER, QUARTER_BEFORE, RELEASE_DAY, SERVED, SYMBOL, live_market
from tests.support.tiers import sampled
from tests.support.yahoo_server import LocalSession, YahooServer, yahoo_server
from tradingagents.dataflows.gateway.source import FILING_DATES
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import MoverCategory
from tradingagents.dataflows.snapshots.journal import FILE, FolderNotWritable, OtherRecording
from tradingagents.dataflows.snapshots.plan import BIG_DAY, SCAN_TOPICS, Request
from tradingagents.dataflows.snapshots.record import Recorded, Step, record
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.simulated import COMPANIES, NO_NEWS, NO_STATEMENTS, SimulatedVendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.dataflows.vendors.yfinance.vendor import YFinanceVendor
from tradingagents.errors import BadDate, NoData, NotForPastDate, UsageError, VendorDown
from tradingagents.files.lock import locked
from tradingagents.graph.scanner_graph import ScannerGraph
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.runtime import executor
from tradingagents.settings import Settings, load_settings

FIRST, DAY = date(2025, 3, 10), date(2025, 3, 14)
COMPANY, OTHER = [symbol for symbol in COMPANIES if symbol not in (*NO_NEWS, *NO_STATEMENTS)][:2]
QUIET = NO_NEWS[0]
EVENING = datetime(2025, 6, 30, 21, 30, tzinfo=UTC)
"""After the close of the last session that the small Yahoo knows."""


class RemoteSimulation(SimulatedVendor):
    """The simulated market as a vendor somewhere else; it can fail, and be counted."""

    local = False

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[tuple[str, str]] = []
        self.down: set[str] = set()

    def get_stock_data(self, symbol: str, start: date, end: date) -> Any:
        self._note("get_stock_data", symbol)
        return super().get_stock_data(symbol, start, end)

    def get_news(self, symbol: str, start: datetime, end: datetime) -> Any:
        self._note("get_news", symbol)
        return super().get_news(symbol, start, end)

    def get_profile(self, symbol: str) -> Any:
        self._note("get_profile", symbol)
        return super().get_profile(symbol)

    def _note(self, method: str, symbol: str) -> None:
        self.asked.append((method, symbol))
        if symbol in self.down:
            raise VendorDown(f"{symbol} cannot be had now; try again later.")


def settings(home: Path, vendor: str = "simulated", **more: Any) -> Settings:
    return load_settings({"data_vendor": vendor, "home": home, "vendor_max_retries": 0, **more}, environ={})


def vendors(home: Path, vendor: Vendor) -> Vendors:
    return Vendors(settings(home, vendor.name), {vendor.name: vendor}, environ={})


def record_simulated(folder: Path, home: Path, vendor: Vendor | None = None, *, tickers: tuple[str, ...], **more: Any):
    request = Request.of(tickers, FIRST, DAY, **{"universe": True, **more})
    return record(request, folder, settings(home), vendors=vendors(home, vendor or RemoteSimulation()))


def sheet(run: Any) -> list[tuple[Any, ...]]:
    """What a run was given: every figure of every answer, whoever gave it."""
    return sorted(
        (row["method"], row["symbol"] or "", str(row["start"]), row["rows"], json.dumps(row["figures"], sort_keys=True))
        for row in run.record["data_sheet"]
    )


def picks(run: Any) -> list[str]:
    return [pick["ticker"] for pick in run.record["summary"]["stocks_to_investigate"]]


# The simulated market


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Path:
    folder = tmp_path_factory.mktemp("recorded") / "folder"
    outcome = record_simulated(folder, home, tickers=(COMPANY, OTHER, QUIET, "SPY"))
    assert outcome.outcomes["answered"] > 200
    assert not outcome.failed
    return folder


def on_vendor(home: Path, graph: Any) -> Any:
    return graph({"llm_provider": "offline", "data_vendor": "simulated", "home": str(home)})


def on_folder(home: Path, graph: Any, folder: Path) -> Any:
    return graph({"llm_provider": "offline", "data_vendor": "snapshot", "data_dir": str(folder), "home": str(home)})


DAYS = ("2025-03-10", "2025-03-12", "2025-03-14")
trading = partial(TradingAgentsGraph, None, False)


@pytest.mark.parametrize(("day", "symbol"), sampled(product(DAYS, (COMPANY, OTHER, QUIET, "SPY")), every=5))
async def test_runs_on_the_folder_decide_as_on_the_vendor(home: Path, folder: Path, symbol: str, day: str):
    theirs = await on_vendor(home, trading).arun(symbol, day)
    ours = await on_folder(home, trading, folder).arun(symbol, day)
    assert ours.record["decision"] == theirs.record["decision"]
    assert sheet(ours) == sheet(theirs)


async def test_a_scan_on_the_folder_picks_as_on_the_vendor(home: Path, folder: Path):
    theirs = await on_vendor(home, ScannerGraph).arun("2025-03-14")
    ours = await on_folder(home, ScannerGraph, folder).arun("2025-03-14")
    assert picks(ours) == picks(theirs)
    assert len(picks(ours)) >= 8
    assert sheet(ours) == sheet(theirs)


@pytest.mark.parametrize("day", sampled(["2025-03-11", "2025-03-13"], every=2))
async def test_on_an_earlier_day_a_scan_s_movers_are_worked_out_from_the_universe(home: Path, folder: Path, day: str):
    theirs = await on_vendor(home, ScannerGraph).arun(day)
    ours = await on_folder(home, ScannerGraph, folder).arun(day)
    movers = [row for row in sheet(ours) if row[0] == "get_market_movers"]
    same = [row[:4] for row in sheet(theirs) if row[0] == "get_market_movers"]
    assert [row[:4] for row in movers] == same
    assert len(picks(ours)) >= 8


def test_every_kind_comes_back_row_by_row(home: Path, folder: Path):
    vendor, recorded = SimulatedVendor(), SnapshotVendor(folder)
    start, end = datetime(2025, 2, 10, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC)
    theirs, ours = (one.get_stock_data(COMPANY, date(2024, 1, 2), DAY) for one in (vendor, recorded))
    for name in ("days", "open", "high", "low", "close", "adj_close", "volume"):
        assert (getattr(theirs, name) == getattr(ours, name)).all(), name
    assert (ours.splits, ours.basis, ours.currency) == (theirs.splits, theirs.basis, theirs.currency)
    paid = [one for one in ours.dividends if one.day >= date(2024, 1, 2)]
    assert paid == list(theirs.dividends)
    for symbol in (COMPANY, "SPY", "XLK", "^VIX"):
        assert recorded.get_profile(symbol) == vendor.get_profile(symbol)
    for kind in ("income", "balance", "cashflow"):
        for frequency in ("quarterly", "annual"):
            known = [row for row in vendor.get_statements(COMPANY, kind, frequency) if row.known_at <= end]
            assert list(recorded.get_statements(COMPANY, kind, frequency)) == known
    assert recorded.get_news(COMPANY, start, end) == vendor.get_news(COMPANY, start, end)
    assert recorded.get_global_news(start, end) == vendor.get_global_news(start, end)
    reported = [row for row in vendor.get_insider_transactions(COMPANY) if row.known_at <= end]
    assert list(recorded.get_insider_transactions(COMPANY)) == reported
    assert recorded.get_social_posts(COMPANY, start, end) == vendor.get_social_posts(COMPANY, start, end)
    days = date(2024, 6, 3), DAY
    assert recorded.get_filings(COMPANY, *days) == vendor.get_filings(COMPANY, *days)
    assert recorded.get_macro_indicators("CPIAUCSL", *days) == vendor.get_macro_indicators("CPIAUCSL", *days)
    assert recorded.get_peers(COMPANY, COMPANIES[COMPANY].sector) == vendor.get_peers(
        COMPANY, COMPANIES[COMPANY].sector
    )
    assert recorded.get_market_movers("most_actives", DAY) == vendor.get_market_movers("most_actives", DAY)
    ahead = date(2025, 3, 3), date(2025, 5, 13)
    assert sorted(recorded.get_economic_calendar(*ahead), key=str) == sorted(
        vendor.get_economic_calendar(*ahead), key=str
    )
    assert sorted(recorded.get_earnings_calendar(*ahead), key=str) == sorted(
        vendor.get_earnings_calendar(*ahead), key=str
    )


def test_silence_is_an_answer_only_for_what_was_asked(folder: Path):
    recorded = SnapshotVendor(folder)
    week = datetime(2025, 3, 7, tzinfo=UTC), datetime(2025, 3, 14, 20, tzinfo=UTC)
    assert recorded.get_news(QUIET, *week) == ()
    assert recorded.get_insider_transactions("SPY") == ()
    unasked = next(symbol for symbol in COMPANIES if symbol not in (COMPANY, OTHER, QUIET))
    with pytest.raises(NoData, match="no news"):
        recorded.get_news(unasked, *week)
    with pytest.raises(NoData, match="no insider trades"):
        recorded.get_insider_transactions(unasked)
    before = datetime(2024, 12, 2, tzinfo=UTC), datetime(2024, 12, 9, tzinfo=UTC)
    with pytest.raises(NoData, match="recorded without market news"):
        recorded.get_global_news(*before)


def test_the_folder_says_where_it_comes_from(folder: Path):
    manifest = json.loads((folder / "snapshot.json").read_text(encoding="utf-8"))
    (source,) = manifest["provenance"]
    assert (manifest["from"], manifest["to"]) == ("2025-03-10", "2025-03-14")
    assert source["vendor"] == "simulated"
    moved = {
        row.symbol
        for screen in get_args(MoverCategory)
        for row in SimulatedVendor().get_market_movers(screen, DAY)
        if abs(row.change_pct) >= BIG_DAY
    }
    asked = {COMPANY, OTHER, QUIET, "SPY"} | moved
    assert source["answers"]["get_news"] == 3 * len(asked)
    assert source["recorded_by"].startswith("tradingagents ")
    assert source["first_asked_at"] <= source["last_asked_at"] == manifest["recorded_at"]
    assert "whose terms apply" in (folder / "README.md").read_text(encoding="utf-8")
    prices = SnapshotVendor(folder).get_stock_data("SPY", FIRST, DAY)
    assert prices.fetched_at == datetime.fromisoformat(manifest["recorded_at"])


def test_the_topics_of_a_scan_are_those_its_agents_search_for():
    from tradingagents.agents.scanners.geopolitical_scanner import TOPICS

    assert SCAN_TOPICS == TOPICS


# Going on


def test_a_second_start_asks_nothing_and_changes_nothing(tmp_path: Path, home: Path):
    vendor = RemoteSimulation()
    first = record_simulated(tmp_path / "f", home, vendor, tickers=(COMPANY,), universe=False)
    files = {path.name: path.read_bytes() for path in (tmp_path / "f").iterdir()}
    vendor.asked.clear()
    second = record_simulated(tmp_path / "f", home, vendor, tickers=(COMPANY,), universe=False)
    assert (first.asked, second.asked, vendor.asked) == (sum(first.outcomes.values()), second.asked, [])
    assert second.outcomes == first.outcomes
    assert {path.name: path.read_bytes() for path in (tmp_path / "f").iterdir()} == files


def test_what_failed_is_asked_again_and_only_that(tmp_path: Path, home: Path):
    vendor = RemoteSimulation()
    vendor.down = {"XLE"}
    first = record_simulated(tmp_path / "f", home, vendor, tickers=(COMPANY,), universe=False)
    assert {one.question.subject for one in first.failed} == {"XLE"}
    with pytest.raises(NoData):
        SnapshotVendor(tmp_path / "f").get_stock_data("XLE", FIRST, DAY)
    vendor.down.clear()
    vendor.asked.clear()
    second = record_simulated(tmp_path / "f", home, vendor, tickers=(COMPANY,), universe=False)
    assert sorted(vendor.asked) == [("get_profile", "XLE"), ("get_stock_data", "XLE")]
    assert not second.failed
    assert len(SnapshotVendor(tmp_path / "f").get_stock_data("XLE", FIRST, DAY)) == 5


class Killed(BaseException):
    """The process dies here."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, home: Path) -> tuple[Path, Recorded]:
    """A recording of one company that nothing interrupted."""
    folder = tmp_path_factory.mktemp("whole") / "folder"
    return folder, record_simulated(folder, home, tickers=(COMPANY,), universe=False)


@pytest.mark.parametrize("after", sampled([1, 2, 7, 30, 55], every=4))
def test_a_kill_at_any_moment_is_gone_on_from(tmp_path: Path, home: Path, whole: tuple[Path, Recorded], after: int):
    request, (uninterrupted, told) = Request.of((COMPANY,), FIRST, DAY), whole

    def die(step: Step) -> None:
        if step.done >= after:
            raise Killed

    with pytest.raises(Killed):
        record(request, tmp_path / "f", settings(home), vendors=vendors(home, RemoteSimulation()), tell=die)
    journal = tmp_path / "f" / FILE
    assert not (tmp_path / "f" / "snapshot.json").exists()
    with journal.open("a", encoding="utf-8") as file:
        file.write('{"method": "get_news", "args": ["HA')  # the line it was writing
    done = record_simulated(tmp_path / "f", home, tickers=(COMPANY,), universe=False)
    assert done.outcomes == told.outcomes
    assert done.asked < told.asked
    for name in ("prices.parquet", "statements.jsonl.gz", "news.jsonl.gz", "insider.jsonl.gz", "profiles.json"):
        assert (tmp_path / "f" / name).read_bytes() == (uninterrupted / name).read_bytes(), name


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"tickers": (OTHER,)}, "tickers"),
        ({"tickers": (COMPANY,), "universe": True}, "universe"),
    ],
)
def test_another_question_is_refused_with_the_way_out(tmp_path: Path, home: Path, change: dict[str, Any], named: str):
    record_simulated(tmp_path / "f", home, tickers=(COMPANY,), universe=False)
    with pytest.raises(OtherRecording, match=rf"with {named} .*name another folder with folder='DIR'\."):
        record_simulated(tmp_path / "f", home, **{"universe": False, **change})


def test_other_dates_and_vendors_are_refused_too(tmp_path: Path, home: Path):
    record_simulated(tmp_path / "f", home, tickers=(COMPANY,), universe=False)
    with pytest.raises(OtherRecording, match="with to 2025-03-14 and not 2025-03-13"):
        record(Request.of((COMPANY,), FIRST, date(2025, 3, 13)), tmp_path / "f", settings(home))
    with pytest.raises(OtherRecording, match="with vendors simulated for get_stock_data and not yfinance for"):
        record(Request.of((COMPANY,), FIRST, DAY), tmp_path / "f", settings(home, "yfinance"))


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path, home: Path):
    (tmp_path / "f").mkdir()
    (tmp_path / "f" / "letter.txt").write_text("dear")
    with pytest.raises(OtherRecording, match="is not a recording"):
        record_simulated(tmp_path / "f", home, tickers=(COMPANY,))
    assert [path.name for path in (tmp_path / "f").iterdir() if not path.name.startswith(".")] == ["letter.txt"]


def test_a_mistyped_ticker_leaves_no_folder_behind(tmp_path: Path, home: Path):
    with pytest.raises(NoData, match="HAVQX cannot be recorded"):
        record_simulated(tmp_path / "f", home, tickers=("HAVQX",))
    assert not (tmp_path / "f").exists()


def test_two_processes_do_not_write_one_folder(tmp_path: Path, home: Path):
    with locked(tmp_path / "f" / ".recording.lock"), pytest.raises(FolderNotWritable, match="Another process"):
        record_simulated(tmp_path / "f", home, tickers=(COMPANY,))


def test_a_damaged_journal_is_named(tmp_path: Path, home: Path):
    record_simulated(tmp_path / "f", home, tickers=(COMPANY,), universe=False)
    journal = tmp_path / "f" / FILE
    lines = journal.read_text(encoding="utf-8").splitlines()
    journal.write_text("\n".join([lines[0], lines[1][:40], *lines[2:]]) + "\n", encoding="utf-8")
    with pytest.raises(FolderNotWritable, match=r"recording\.jsonl cannot be read"):
        record_simulated(tmp_path / "f", home, tickers=(COMPANY,), universe=False)


def test_windows_and_tickers_that_cannot_be(tmp_path: Path, home: Path):
    with pytest.raises(BadDate, match="swap them"):
        Request.of((COMPANY,), DAY, FIRST)
    with pytest.raises(UsageError, match="at least one ticker"):
        Request.of((), FIRST, DAY)
    with pytest.raises(BadDate, match="in the future"):
        record(Request.of((COMPANY,), FIRST, date(2999, 1, 4)), tmp_path / "f", settings(home))
    assert not (tmp_path / "f").exists()


# Yahoo, through its real client


@pytest.fixture(scope="module")
def server() -> Iterator[YahooServer]:
    with yahoo_server() as server:
        fill_yahoo(server, "ZYXO", poisoned_after=None)
        news = [yahoo.article(f"Zyxolar ships unit {n}", f"2025-06-{n:02d}T14:00:00Z") for n in range(3, 30)]
        news += [yahoo.article("Zyxolar opens a plant", "2024-01-02T14:00:00Z")]
        server.answer("news", yahoo.news_stream(*news), "ZYXO")
        heads = [(f"Markets calm on day {n}", f"2025-06-{n:02d}T12:00:00+00:00") for n in range(1, 30)]
        server.answer("search", yahoo.search_news(*heads, ("Markets open the year", "2024-01-02T12:00:00+00:00")))
        server.answer("quote", yahoo.quote(symbol="ZYXO", forwardPE=21.5), "ZYXO")
        yield server


def yahoo_vendors(server: YahooServer, home: Path) -> Vendors:
    vendor = YFinanceVendor(cache_dir=home, session=LocalSession(server.address), now=lambda: EVENING)
    return Vendors(settings(home, "yfinance"), {"yfinance": vendor}, environ={})


@pytest.fixture(scope="module")
def yahoo_recorded(server: YahooServer, home: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Recorded]:
    folder = tmp_path_factory.mktemp("yahoo") / "folder"
    request = Request.of(("zyxo",), date(2025, 6, 16), LAST)
    chosen = settings(home, "yfinance")
    return folder, record(request, folder, chosen, vendors=yahoo_vendors(server, home), now=lambda: EVENING)


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs believe it is the evening of the recording."""
    monkeypatch.setattr(executor, "open_market", partial(executor.open_market, clock=lambda: EVENING))


def yahoo_graphs(graph: Any, folder: Path, server: YahooServer, home: Path) -> tuple[Any, Any]:
    config = {"llm_provider": "offline", "data_vendor": "yfinance", "home": str(home)}
    return graph(config, vendors=yahoo_vendors(server, home)), on_folder(home, graph, folder)


@pytest.mark.usefixtures("evening")
@pytest.mark.parametrize("day", sampled(["2025-06-18", "2025-06-30", "2025-06-27"], every=3))
async def test_a_run_on_recorded_yahoo_decides_as_on_yahoo(
    yahoo_recorded: tuple[Path, Recorded], server: YahooServer, home: Path, day: str
):
    theirs, ours = yahoo_graphs(trading, yahoo_recorded[0], server, home)
    one, other = await theirs.arun("ZYXO", day), await ours.arun("ZYXO", day)
    assert other.record["decision"] == one.record["decision"]
    # The folder holds the results published by a past day, of which Yahoo's calendar tells today's only.
    further = [row for row in sheet(other) if row not in sheet(one)]
    assert {row[0] for row in further} <= ({"get_earnings_calendar"} if day < LAST.isoformat() else set())
    # The folder's rows are dated; of Yahoo's the sheet says by whom.
    undated = [row for row in sheet(one) if row[0] == FILING_DATES]
    assert [*undated, *(row for row in sheet(other) if row not in further)] == sheet(one)


@pytest.mark.usefixtures("evening")
@pytest.mark.nightly
async def test_a_scan_on_recorded_yahoo_picks_as_on_yahoo(
    yahoo_recorded: tuple[Path, Recorded], server: YahooServer, home: Path
):
    theirs, ours = yahoo_graphs(ScannerGraph, yahoo_recorded[0], server, home)
    one, other = await theirs.arun(LAST.isoformat()), await ours.arun(LAST.isoformat())
    assert picks(other) == picks(one)
    assert picks(one)
    assert ("get_market_movers", "day_gainers") in [row[:2] for row in sheet(one)]
    assert sheet(other) == sheet(one)


def folder_market(folder: Path, home: Path, day: date, now: datetime) -> MarketData:
    chosen = settings(home, "snapshot", data_dir=folder)
    return MarketData(chosen, day, vendors=Vendors(chosen), now=lambda: now)


def test_what_only_that_evening_knew_reaches_no_earlier_day(yahoo_recorded: tuple[Path, Recorded], home: Path):
    folder, _ = yahoo_recorded
    years_later = datetime(2026, 8, 3, tzinfo=UTC)
    that_day = folder_market(folder, home, LAST, years_later)
    before = folder_market(folder, home, date(2025, 6, 27), years_later)
    ratios = that_day.ratios("ZYXO")
    assert (ratios.vendor, ratios.values["forward_pe"]) == ("yfinance", 21.5)
    with pytest.raises(NotForPastDate):
        before.ratios("ZYXO")
    assert {member.weight for member in that_day.sector_members("technology")} == {10.0}
    assert {member.weight for member in before.sector_members("technology")} == {None}
    alone = "snapshot alone gives the choice and number of these companies: nothing confirms them."
    for market in (that_day, before):  # as Yahoo's own answer says
        assert alone in [note for row in market.sheet.rows for note in row.notes]
    (one, *_) = that_day.market_movers("day_gainers")
    assert (one.symbol, one.change_pct) == ("ZYXO", 12.5)
    assert {row.change_pct for row in before.market_movers("day_gainers")}.isdisjoint({12.5, 4.0})


def test_no_key_is_written(yahoo_recorded: tuple[Path, Recorded], monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    home = tmp_path / "home"
    chosen = settings(home)
    keys = {"ALPHA_VANTAGE_API_KEY": "fictional-key-5c", "FINNHUB_API_KEY": "fictional-key-7f"}
    made = Vendors(chosen, {"simulated": RemoteSimulation()}, environ=keys)
    record(Request.of((COMPANY,), FIRST, DAY), tmp_path / "f", chosen, vendors=made)
    for path in (tmp_path / "f").iterdir():
        content = path.read_bytes()
        content = gzip.decompress(content) if path.suffix == ".gz" else content
        assert b"fictional-key" not in content


def test_a_recording_dates_what_its_source_does_not(home: Path, tmp_path: Path):
    with live_market(tmp_path / "yahoo") as live:
        live.at(SERVED + timedelta(hours=1))
        chosen = settings(home, "yfinance")
        request = Request.of((SYMBOL,), date(2025, 4, 28), RELEASE_DAY)
        record(request, tmp_path / "folder", chosen, vendors=live.vendors(chosen), now=lambda: live.now)
    newest, before, *_ = SnapshotVendor(tmp_path / "folder").get_statements(SYMBOL, "income", "quarterly")
    assert (newest.period_end, newest.known_at, newest.known_by) == (NEW_QUARTER, live.now, "fetched")
    assert (before.period_end, before.known_by) == (QUARTER_BEFORE, "accepted")
    assert before.known_at == datetime(2025, 2, 19, 21, 5, tzinfo=UTC)
