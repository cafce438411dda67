"""Paper accounts: every session once, whatever is killed, with the data of its day; corrections, never a new past."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from cli.flags import Flags, read_settings
from tests.features.backtest.market import NO_COSTS, days_of, made_prices, table_of
from tests.support.snapshot_folder import write_actions, write_snapshot
from tests.support.warm import WarmProcess
from tradingagents.dataflows.models import Split
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.errors import BadDate, NoData, NotFound, UsageError
from tradingagents.features.backtest.advance import AccountRules, advance
from tradingagents.features.backtest.book import BookMismatch
from tradingagents.features.backtest.exits import planned_levels
from tradingagents.features.backtest.financing.bills import read_bills
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.limits import ShortRules
from tradingagents.features.backtest.paper import run as paper_run
from tradingagents.features.backtest.paper.account import PaperAccount, PaperAccountBusy, paper_accounts
from tradingagents.features.backtest.paper.observations import observed_bars, session_notes
from tradingagents.features.backtest.paper.plan import PaperPlan
from tradingagents.features.backtest.paper.run import run_paper
from tradingagents.features.backtest.paper.status import paper_status, verify_paper
from tradingagents.features.backtest.postings import (
    BarCorrection,
    BarSeen,
    DecisionTaken,
    Delisting,
    ExitFill,
    ExitLevels,
    Interest,
    LateDividend,
    LateSplit,
    Order,
    OrderFill,
    Posting,
)
from tradingagents.features.backtest.traded_prices import TradedPrices
from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.services import Services, open_services

TICKERS = ("VELQ", "OMBZ")
DAYS = [date(2024, 10, day) for day in (1, 2, 3, 4, 7, 8, 9)]
PLAN = PaperPlan(tickers=TICKERS, every=2, shorts=ShortRules())
FILES = ("ledger.jsonl", "book.json", "account.json")


def services_in(home: Path, folder: Path | None = None) -> Services:
    """Open what the command line opens with --offline and --data-dir."""
    return open_services(read_settings(Flags(offline=True, home=home, data_dir=folder), {}), {})


def contents(home: Path) -> dict[str, bytes]:
    return {name: (home / "paper" / "main" / name).read_bytes() for name in FILES}


def recorded(home: Path, kind: type[Posting]) -> list[tuple[date, Any]]:
    lines = PaperAccount(home, "main").read_ledger().lines
    return [(line.mark.day, one) for line in lines for one in line.postings if isinstance(one, kind)]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An account that was run for three days, the second after a gap, and nothing was killed."""
    import asyncio

    home = tmp_path_factory.mktemp("paper")
    PaperAccount.create(home, PLAN)
    for day in (DAYS[0], DAYS[4], DAYS[6]):
        asyncio.run(run_paper(services_in(home), day=day))
    return home


async def test_missed_sessions_are_caught_up_and_only_the_days_asked_for_are_decided_on(whole: Path):
    assert [line.mark.day for line in PaperAccount(whole, "main").read_ledger().lines] == DAYS
    taken = recorded(whole, DecisionTaken)
    assert [(day, one.ticker) for day, one in taken] == [
        (day, ticker) for day in (DAYS[0], DAYS[4], DAYS[6]) for ticker in sorted(TICKERS)
    ]
    assert {day for day, _ in recorded(whole, OrderFill)} <= {DAYS[1], DAYS[5]}
    assert {one.symbol for day, one in recorded(whole, BarSeen) if day == DAYS[0]} == {*TICKERS, "SPY"}

    status = paper_status(whole)
    book = PaperAccount(whole, "main").read_ledger().book
    assert (status.first_session, status.last_session, status.sessions) == (DAYS[0], DAYS[-1], 7)
    assert status.equity == pytest.approx(status.cash + sum(one.value for one in status.positions), abs=0.02)
    assert {one.symbol: one.shares for one in status.positions} == book.shares
    assert (status.orders, sum(status.decisions.values()), status.last_decided) == (book.orders, 6, DAYS[6])
    assert status.benchmark == "SPY"
    closes = {day: seen.bar.close for day, seen in recorded(whole, BarSeen) if seen.bar and seen.symbol == "SPY"}
    assert status.benchmark_return == pytest.approx(closes[DAYS[-1]] / closes[DAYS[0]] - 1)  # no dividend in the week
    assert json.loads(json.dumps(status.to_json()))["plan"]["tickers"] == list(TICKERS)
    verified = verify_paper(whole)
    assert (verified.sessions, verified.decisions, verified.not_stored) == (7, 6, 0)


async def test_an_account_that_follows_stops_trades_and_verifies_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def near(made: Any, *, shorts: bool) -> Any:
        """The offline analysts' stops lie two daily ranges away, beyond a week; these are nearer."""
        found = planned_levels(made, shorts=shorts)
        return {
            day: {
                symbol: replace(one, stop=one.stop and one.stop * (1 + 0.035 * one.side)) for symbol, one in own.items()
            }
            for day, own in found.items()
        }

    monkeypatch.setattr(paper_run, "planned_levels", near)
    PaperAccount.create(tmp_path, replace(PLAN, exits="plan"))
    assert PaperAccount(tmp_path, "main").plan.exits == "plan"
    await run_paper(services_in(tmp_path), day=DAYS[0])
    await run_paper(services_in(tmp_path), day=DAYS[6], decide_missed=True)
    assert recorded(tmp_path, ExitLevels)
    assert recorded(tmp_path, ExitFill)
    assert verify_paper(tmp_path).sessions == 7


def test_a_plan_of_an_earlier_version_follows_no_stops():
    assert "exits" not in PLAN.to_json()
    assert PaperPlan.from_json(PLAN.to_json()) == PLAN


async def test_cash_earns_the_bill_rate_of_the_close_before_each_session(whole: Path):
    bills = read_bills(services_in(whole), "USD", sessions(), DAYS)
    ledger, paid = PaperAccount(whole, "main").read_ledger(), dict(recorded(whole, Interest))
    assert [*paid] == DAYS[1:]
    for before, line in pairwise(ledger.lines):
        interest, day = paid[line.mark.day], line.mark.day
        assert (interest.cash, interest.rate, interest.days) == (
            before.mark.cash, bills.rates[before.mark.day], (day - before.mark.day).days
        )  # fmt: skip
        assert interest.value == round(interest.cash * interest.rate * interest.days / 365)
    assert paper_status(whole).costs["interest"] == sum(one.value for one in paid.values()) / 100 > 50
    assert not any("earned nothing" in one for one in paper_status(whole).warnings)


async def test_an_account_of_an_earlier_version_goes_on_and_says_that_its_cash_earned_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def none(*_: Any) -> Any:
        raise NoData("no rate")

    PaperAccount.create(tmp_path, PLAN)
    with monkeypatch.context() as patched:
        patched.setattr("tradingagents.features.backtest.paper.prices.read_bills", none)
        for day in DAYS[:3]:
            await run_paper(services_in(tmp_path), day=day)
    path = tmp_path / "paper" / "main" / "book.json"
    known = json.loads(path.read_text())
    assert known.pop("interest") == 0
    path.write_text(json.dumps(known))  # as an earlier version wrote it
    assert any("On 2 sessions cash earned nothing" in one for one in paper_status(tmp_path, until=DAYS[2]).warnings)
    await run_paper(services_in(tmp_path), day=DAYS[3])
    assert [day for day, _ in recorded(tmp_path, Interest)] == [DAYS[3]]
    assert verify_paper(tmp_path).sessions == 4


async def test_a_second_run_on_a_day_does_nothing_and_an_earlier_day_is_recorded_already(whole: Path):
    before = contents(whole)
    for day in (DAYS[6], DAYS[2], "2023-01-03"):
        again = await run_paper(services_in(whole), day=day)
        assert (again.sessions, again.decided) == ((), 0)
    assert contents(whole) == before
    with pytest.raises(BadDate, match="in the future"):
        await run_paper(services_in(whole), day="2999-01-04")


async def test_missed_sessions_are_decided_on_if_asked_each_with_the_data_of_its_day(tmp_path: Path):
    PaperAccount.create(tmp_path, PLAN)
    await run_paper(services_in(tmp_path), day=DAYS[0])
    found = await run_paper(services_in(tmp_path), day=DAYS[4], decide_missed=True)
    assert (found.decided, found.undecided) == (4, ())
    late = contents(tmp_path)["ledger.jsonl"]

    on_time = tmp_path / "on-time"
    PaperAccount.create(on_time, PLAN)
    for day in DAYS[:5]:
        await run_paper(services_in(on_time), day=day)
    assert contents(on_time)["ledger.jsonl"] == late  # nothing of later days was known


async def test_runs_that_are_killed_at_any_moment_leave_the_bytes_of_one_that_was_not(whole: Path, tmp_path: Path):
    PaperAccount.create(tmp_path, PLAN)
    killed = 0
    for day, moments in (
        (DAYS[0], (decisions_are(1), lines_are(1))),
        (DAYS[4], (lines_are(2), later(0.7))),
    ):
        line = ["-m", "tradingagents", "paper", "run", "--offline", "--date", str(day), "--home", str(tmp_path)]
        for moment in moments:
            come = moment(tmp_path)
            process = WarmProcess([*line, "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            while process.poll() is None and not come():
                time.sleep(0.001)
            process.kill()
            process.communicate()
            killed += process.returncode == -signal.SIGKILL
        await run_paper(services_in(tmp_path), day=day)
    await run_paper(services_in(tmp_path), day=DAYS[6])
    assert killed >= 3
    assert contents(tmp_path) == contents(whole)


Moment = Callable[[Path], Callable[[], bool]]


def decisions_are(more: int) -> Moment:
    """Tell when so many more decisions are stored than there were."""
    return _more(more, lambda home: len(list((home / "decisions").glob("*/*.json"))))


def lines_are(more: int) -> Moment:
    def count(home: Path) -> int:
        path = home / "paper" / "main" / "ledger.jsonl"
        return path.read_bytes().count(b"\n") if path.exists() else 0

    return _more(more, count)


def _more(more: int, count: Callable[[Path], int]) -> Moment:
    def moment(home: Path) -> Callable[[], bool]:
        before = count(home)
        return lambda: count(home) >= before + more

    return moment


def later(seconds: float) -> Moment:
    def moment(_home: Path) -> Callable[[], bool]:
        until = time.monotonic() + seconds
        return lambda: time.monotonic() >= until

    return moment


async def test_a_torn_line_and_a_book_that_was_not_written_are_made_good(whole: Path, tmp_path: Path):
    kept = contents(whole)
    lines = kept["ledger.jsonl"].splitlines(keepends=True)
    folder = tmp_path / "paper" / "main"
    folder.mkdir(parents=True)
    for torn in (b"", lines[5][:1], lines[5][:-1], lines[5]):  # killed before, in, and after the line of a session
        for name, content in kept.items():
            (folder / name).write_bytes(content)
        (folder / "ledger.jsonl").write_bytes(b"".join(lines[:5]) + torn)
        account = PaperAccount(tmp_path, "main")
        (folder / "book.json").unlink()
        account.write_book(ledger_of(lines[:5], tmp_path / "part"))  # of the session before
        paper_status(tmp_path)
        for day in (DAYS[5], DAYS[6]):
            await run_paper(services_in(tmp_path), day=day)
        assert contents(tmp_path) == kept


def ledger_of(lines: Sequence[bytes], path: Path) -> BookLedger:
    path.write_bytes(b"".join(lines))
    return BookLedger(path)


async def test_files_that_do_not_agree_stop_everything(whole: Path, tmp_path: Path):
    folder, kept = tmp_path / "paper" / "main", contents(whole)
    folder.mkdir(parents=True)

    def restore() -> None:
        for name, content in kept.items():
            (folder / name).write_bytes(content)

    book = json.loads(kept["book.json"])
    lines = kept["ledger.jsonl"].splitlines(keepends=True)
    faults: list[tuple[str, bytes, type[Exception], str]] = [
        ("book.json", json.dumps({**book, "cash": book["cash"] + 1}).encode(), BookMismatch, "does not say what"),
        ("book.json", json.dumps({**book, "shares": {}}).encode(), BookMismatch, "does not say what"),
        ("ledger.jsonl", b"".join(lines[:-1]), BookMismatch, "cut off or replaced"),
        ("ledger.jsonl", kept["ledger.jsonl"].replace(b'"cash":', b'"cash":1', 1), UnreadableFile, "was changed"),
        ("ledger.jsonl", b"".join([*lines[:2], *lines[3:]]), UnreadableFile, "was changed"),
        ("account.json", b"{}", UnreadableFile, "no plan"),
    ]
    for name, content, error, words in faults:
        restore()
        (folder / name).write_bytes(content)
        before = {one: (folder / one).read_bytes() for one in FILES}
        for attempt in (lambda: paper_status(tmp_path), lambda: verify_paper(tmp_path)):
            with pytest.raises(error, match=words):
                attempt()
        with pytest.raises(error, match=words):
            await run_paper(services_in(tmp_path), day=date(2024, 10, 10))
        assert {one: (folder / one).read_bytes() for one in FILES} == before
    restore()
    stored = next((whole / "decisions").glob("*/*.json"))
    copied = tmp_path / stored.relative_to(whole)
    copied.parent.mkdir(parents=True)
    copied.write_text(stored.read_text().replace('"BUY"', '"SELL"').replace('"HOLD"', '"SELL"'))
    with pytest.raises(BookMismatch, match="is not the decision"):
        verify_paper(tmp_path)


async def test_one_process_at_a_time_runs_an_account(tmp_path: Path):
    account = PaperAccount.create(tmp_path, PLAN)
    with account.held(), pytest.raises(PaperAccountBusy, match="Another process is running"):
        await run_paper(services_in(tmp_path), day=DAYS[0])
    assert paper_status(tmp_path).sessions == 0
    PaperAccount.create(tmp_path, replace(PLAN, name="other"))
    assert paper_accounts(tmp_path) == ("main", "other")
    with pytest.raises(UsageError, match="already"):
        PaperAccount.create(tmp_path, PLAN)
    with pytest.raises(NotFound, match="there are: main, other"):
        paper_status(tmp_path, "third")
    for wrong in (
        {"name": "../x"},
        {"name": ""},
        {"deposit": 0.0},
        {"every": 0},
        {"currency": "dollars"},
        {"tickers": ("A B",)},
    ):
        with pytest.raises(UsageError):
            PaperPlan(**wrong)  # type: ignore[arg-type]


async def test_an_account_stays_on_the_market_it_has_traded_on(tmp_path: Path):
    PaperAccount.create(tmp_path, PLAN)
    await run_paper(services_in(tmp_path), day=DAYS[0])
    before = contents(tmp_path)
    other = open_services(read_settings(Flags(offline=True, home=tmp_path), {"TRADINGAGENTS_SIMULATED_SEED": "8"}), {})
    with pytest.raises(UsageError, match="this run would trade on 'simulated-8'; choose the vendors"):
        await run_paper(other, day=DAYS[1])
    assert contents(tmp_path) == before
    (tmp_path / "paper" / "main" / "market.json").unlink()  # an account of an earlier version
    assert len((await run_paper(services_in(tmp_path), day=DAYS[1])).sessions) == 1
    with pytest.raises(UsageError):
        await run_paper(other, day=DAYS[2])


async def test_the_watch_list_is_followed_and_what_is_held_is_decided_on_until_it_is_sold(tmp_path: Path):
    from tradingagents.runtime.runs.watch_list import WatchList

    PaperAccount.create(tmp_path, PaperPlan(limits=PLAN.limits))
    with pytest.raises(UsageError, match="watch list is empty"):
        await run_paper(services_in(tmp_path), day=DAYS[0])
    watched = WatchList(tmp_path)
    watched.add(["VELQ"])
    await run_paper(services_in(tmp_path), day=DAYS[0])
    watched.remove(["VELQ"])
    watched.add(["OMBZ"])
    await run_paper(services_in(tmp_path), day=DAYS[1])
    held = bool(recorded(tmp_path, Order))
    asked = {one.ticker for day, one in recorded(tmp_path, DecisionTaken) if day == DAYS[1]}
    assert asked == ({"OMBZ", "VELQ"} if held else {"OMBZ"})


def rewritten(folder: Path, change: Any) -> None:
    """Change the rows of a recorded folder's prices."""
    path = folder / "prices.parquet"
    table = pq.ParquetFile(path).read()
    rows = [made for row in table.to_pylist() if (made := change(row)) is not None]
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)


async def test_revised_and_late_data_of_a_recorded_folder_are_corrections(tmp_path: Path):
    folder = write_snapshot(tmp_path / "data", first=date(2024, 1, 2))
    days = [date(2025, 3, day) for day in (3, 4, 5, 6)]
    late = date(2025, 3, 4)
    rows: list[dict[str, Any]] = []

    def without(row: dict[str, Any]) -> dict[str, Any] | None:
        if (row["symbol"], row["date"].date()) != ("DOVQ", late):
            return row
        rows.append(row)
        return None

    rewritten(folder, without)
    home = tmp_path / "home"
    PaperAccount.create(home, PaperPlan(tickers=("ACMQ", "DOVQ"), every=9))

    async def run(day: date) -> None:
        await run_paper(services_in(home, folder), day=day)

    for day in days[:2]:
        await run(day)
    past = contents(home)["ledger.jsonl"]
    old = dict(rows[0])

    def revised(row: dict[str, Any]) -> dict[str, Any]:
        if row["symbol"] != "ACMQ" or row["date"].date() >= late:
            return row
        close = row["close"] * (1.01 if row["date"].date() == days[0] else 1.0)
        closes[row["date"].date()] = close
        return {**row, "close": close}

    def adjusted(row: dict[str, Any]) -> dict[str, Any]:
        if row["symbol"] != "ACMQ":
            return row
        kept = 1 - 0.25 / closes[days[0]] if row["date"].date() < late else 1.0
        return {**row, "adj_close": row["close"] * kept}

    closes: dict[date, float] = {}
    rewritten(folder, revised)
    rewritten(folder, adjusted)
    table = pq.ParquetFile(folder / "prices.parquet").read()
    pq.write_table(pa.Table.from_pylist([*table.to_pylist(), old], schema=table.schema), folder / "prices.parquet")
    write_actions(folder, [("ACMQ", late.isoformat(), "dividend", 0.25)])
    for day in days[2:]:
        await run(day)

    assert contents(home)["ledger.jsonl"].startswith(past)
    found = recorded(home, BarCorrection)
    assert [(day, one.symbol, one.day) for day, one in found] == [
        (days[2], "ACMQ", "2025-03-03"),
        (days[2], "DOVQ", "2025-03-04"),
    ]
    assert found[0][1].bar.close == pytest.approx(found[0][1].close_before * 1.01, rel=1e-5)
    assert found[1][1].close_before is None
    paid = [one for _, one in recorded(home, LateDividend)]
    assert paid == [LateDividend("ACMQ", 0, 0.25, 0, "2025-03-04")]  # none was held
    assert paper_status(home).corrections == 3
    known = observed_bars(PaperAccount(home, "main").read_ledger())
    assert known["DOVQ"][late].bar is not None


def test_a_late_dividend_is_paid_and_a_late_split_counts_the_shares_anew():
    days = days_of(7)
    plain = made_prices("A", days, [10, 10, 10, 5, 5, 5, 5])  # halved in fact; the vendor tells later
    late = made_prices("A", days, [10, 10, 10, 5, 5, 5, 5], splits=[Split(days[3], 2.0)], dividends=[(days[2], 0.5)])
    rules = AccountRules(deposit=10_000.0, costs=NO_COSTS, least_trade=0.0)
    ledger = BookLedger()

    def step(day: date, table: TradedPrices, wanted: dict[str, float] | None) -> None:
        notes = session_notes(ledger, table, day, "A")
        advance(ledger, table, day, rules, lambda _day, _held: wanted, notes=notes)

    for day in days[:5]:
        step(day, table_of(plain.upto(day), days=days[: days.index(day) + 1]), {"A": 0.15} if day == days[0] else None)
    assert ledger.book.shares == {"A": 150}
    for day in days[5:]:
        step(day, table_of(late.upto(day), days=days[: days.index(day) + 1]), None)

    notes = [
        one
        for line in ledger.lines
        for one in line.postings
        if isinstance(one, LateDividend | LateSplit | BarCorrection)
    ]
    assert notes == [
        LateDividend("A", 150, 0.5, 7_500, str(days[2])),
        LateSplit("A", 2, 1, 300, 0, str(days[3])),
    ]
    assert ledger.book.shares == {"A": 300}
    assert ledger.lines[-1].mark.equity == 1_000_000 + 7_500
    assert BookLedger().book.dividends == 0 != ledger.book.dividends


async def test_a_session_that_vendors_do_not_have_yet_is_not_recorded(tmp_path: Path):
    folder = write_snapshot(tmp_path / "data", first=date(2024, 1, 2))
    last = date(2025, 3, 4)
    rewritten(folder, lambda row: row if row["date"].date() <= last else None)
    home = tmp_path / "home"
    PaperAccount.create(home, PaperPlan(tickers=("ACMQ", "DOVQ")))
    services = services_in(home, folder)
    await run_paper(services, day=date(2025, 2, 25))
    for day in (date(2025, 3, 5), None):  # without a day, on recorded data, it is long after their end
        with pytest.raises(NoData, match=r"2025-03-05 yet, the last are of 2025-03-04; .* name an earlier day"):
            await run_paper(services, day=day)
        assert paper_status(home).last_session == date(2025, 2, 25), "the sessions before it are not recorded either"
    await run_paper(services, day=last)
    assert paper_status(home).last_session == last


async def test_a_ticker_that_nobody_knows_says_that_the_plan_stays(tmp_path: Path):
    PaperAccount.create(tmp_path, PaperPlan(tickers=("VELQ", "NOPEX")))
    with pytest.raises(NoData, match=r"NOPEX .* make another account without NOPEX"):
        await run_paper(services_in(tmp_path), day=DAYS[0])
    assert paper_status(tmp_path).sessions == 0


async def test_a_company_that_ends_is_delisted_after_ten_silent_sessions(tmp_path: Path):
    folder = write_snapshot(tmp_path / "data", first=date(2024, 1, 2))
    last = date(2025, 3, 6)
    rewritten(folder, lambda row: row if row["symbol"] != "DOVQ" or row["date"].date() <= last else None)
    home = tmp_path / "home"
    PaperAccount.create(home, PaperPlan(tickers=("ACMQ", "DOVQ"), every=60, scheme="equal"))
    services = services_in(home, folder)
    for day in (date(2025, 3, 3), date(2025, 3, 19)):
        await run_paper(services, day=day)
    assert {one.symbol for _, one in recorded(home, OrderFill)} == {"DOVQ"}
    rewritten(folder, lambda row: row if row["symbol"] != "DOVQ" else None)  # the vendor forgets it
    services = services_in(home, folder)
    await run_paper(services, day=date(2025, 3, 21))
    ((day, gone),) = recorded(home, Delisting)
    assert (day, gone.symbol) == (date(2025, 3, 20), "DOVQ")
    assert gone.price == next(
        seen.bar.close for on, seen in recorded(home, BarSeen) if (on, seen.symbol) == (last, "DOVQ")
    )
    assert recorded(home, BarCorrection) == []
