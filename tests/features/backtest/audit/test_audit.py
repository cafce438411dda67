"""The audit: planted faults are found and named, faultless backtests raise no alarm."""

from __future__ import annotations

import asyncio
import json
import shutil
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.features.backtest.audit.fourth_set import FOURTH
from tests.features.backtest.audit.made_backtests import (
    ASKED,
    EuroVendor,
    EventfulVendor,
    MadeBacktest,
    clean,
    edited,
    made,
)
from tests.features.backtest.audit.made_papers import PLAN, clean_paper, made_paper
from tests.features.backtest.audit.planted import PLANTED, SHORT, PlantedFault
from tests.features.backtest.audit.recorded import alarms_of, recorded_backtest
from tests.features.backtest.audit.second_set import SECOND
from tests.features.backtest.audit.third_set import CLEAN_PLANS, THIRD
from tests.support.snapshot_folder import read_lines, write_lines, write_snapshot
from tests.support.tiers import sampled
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.models import Statement
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.errors import NotFound, UsageError
from tradingagents.features.backtest.audit import KINDS, audit
from tradingagents.features.backtest.audit.audit import PARTS, spread
from tradingagents.features.backtest.audit.second.book import SecondTrader, StatedCosts
from tradingagents.features.backtest.audit.second.prices import history_of
from tradingagents.features.backtest.audit.tampered_answers import MARK, TAMPERINGS, TamperedFuture, tampered_vendor
from tradingagents.features.backtest.book import BookMismatch
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

DAY = date(2025, 3, 14)
CLOSE = sessions().close_of(DAY)


@pytest.mark.parametrize(
    "fault", sampled([*PLANTED, *SECOND, *THIRD, *FOURTH], every=15, name=lambda one: one.audit.__name__.strip("_"))
)
def test_a_planted_fault_is_found_and_named(fault: PlantedFault, tmp_path: Path):
    report = fault.audit(tmp_path)
    assert fault.kinds & report.kinds, report.to_markdown()


@pytest.mark.parametrize("number", sampled(range(40), every=40, name=str))
def test_a_faultless_backtest_raises_no_alarm(number: int, tmp_path: Path):
    report = clean(tmp_path, number).audited("accounts", "data")
    assert not report.kinds, report.to_markdown()
    assert not report.not_checked


@pytest.mark.real_data
@pytest.mark.parametrize("number", sampled(range(40), every=40, name=str))
def test_a_faultless_backtest_on_recorded_data_raises_no_alarm(number: int, tmp_path: Path, test_data: Path):
    tested = recorded_backtest(tmp_path, test_data / "snapshot", number)
    report = tested.audited(*PARTS, sample=1)
    assert not alarms_of(tested, report), report.to_markdown()
    assert not report.not_checked


@pytest.mark.parametrize("name", sampled(CLEAN_PLANS, every=2))
def test_a_faultless_plan_and_a_faultless_exchange_of_money_raise_no_alarm(name: str, tmp_path: Path):
    report = CLEAN_PLANS[name](tmp_path).audited("accounts", "data")
    assert not report.kinds, report.to_markdown()
    assert not report.not_checked


@pytest.mark.parametrize("number", sampled(range(20), every=11, name=str))
def test_a_faultless_paper_account_raises_no_alarm(number: int, tmp_path: Path):
    account = clean_paper(tmp_path, number)
    report = account.audited()
    assert not report.kinds, report.to_markdown()
    assert account.verified().sessions == 33


@pytest.mark.parametrize("currency", ["USD", "EUR"])
def test_a_faultless_paper_account_in_two_currencies_raises_no_alarm(currency: str, tmp_path: Path):
    plan = replace(PLAN, tickers=("HEUQ", "OMBZ"), currency=currency)
    account = made_paper(tmp_path, plan, vendor=EuroVendor(), until=date(2024, 10, 25))
    bars = [posting for line in (account.folder / "ledger.jsonl").read_text().splitlines() for posting in
            json.loads(line)["postings"] if posting["kind"] == "bar"]  # fmt: skip
    abroad = {posting["symbol"] for posting in bars if posting.get("foreign")}
    assert abroad == {"HEUQ" if currency == "USD" else "OMBZ"}
    report = account.audited()
    assert not report.kinds, report.to_markdown()
    assert account.verified().fills > 2


def test_verifying_a_paper_account_works_each_fill_out_again(tmp_path: Path):
    """A ledger that was rewritten whole, with marks and hashes that agree, has nothing else that gives it away."""

    def cheaper(lines: list[Any]) -> None:
        number, fill = next(
            (number, one) for number, line in enumerate(lines) for one in line["postings"] if one["kind"] == "fill"
        )
        saved = fill["value"] // 10
        fill.update(price=fill["price"] * 0.9, value=fill["value"] - saved)
        for after in lines[number:]:
            after["mark"]["cash"] += saved
            after["mark"]["equity"] += saved

    account = made_paper(tmp_path, until=date(2024, 10, 25))
    assert account.verified().fills > 2
    with pytest.raises(BookMismatch, match=r"ledger.jsonl line \d+: .* A fill's price is not the open"):
        account.rewritten(cheaper).verified()


@pytest.mark.parametrize("seed", sampled(range(40), every=40, name=str))
def test_a_faultless_vendor_and_decider_leak_nothing(seed: int, tmp_path: Path):
    tickers = ("VELQ", "OMBZ", "HELQ", "LEDQ", "PIPQ", "MODZ", "GROQZ", "AERQ")
    start = DAY + timedelta(days=3 * seed)
    asked = BacktestRequest(tickers=(tickers[seed % 8],), start=start, end=start + timedelta(days=9), every=2)
    vendor = EventfulVendor(seed=seed) if seed % 2 else SimulatedVendor(seed=seed)
    report = made(tmp_path, asked, vendor=vendor, decided=True, simulated_seed=seed).audited("futures", sample=1)
    assert not report.kinds, report.to_markdown()


def on_folder(home: Path, folder: Path, vendor: Vendor | None = None) -> Services:
    config = {"llm_provider": "offline", "data_vendor": "snapshot", "data_dir": str(folder), "home": str(home)}
    loaded = load_settings(config, environ={})
    given = {} if vendor is None else {"snapshot": vendor}
    return open_services(loaded, {}, vendors=Vendors(loaded, given, environ={}))


class LatestFigures(SnapshotVendor):
    """A vendor of recorded data that gives the latest version of a statement as the first."""

    def get_statements(self, symbol: str, kind: Any, freq: Any) -> tuple[Statement, ...]:
        found = super().get_statements(symbol, kind, freq)
        last = {one.period_end: one for one in sorted(found, key=lambda one: one.known_at)}
        first = {one.period_end: one for one in sorted(found, key=lambda one: one.known_at, reverse=True)}
        return tuple(replace(first[end], items=last[end].items) for end in sorted(first, reverse=True))


def test_recorded_data_are_tampered_with_as_files_beneath_any_vendor_of_theirs(tmp_path: Path):
    folder = write_snapshot(tmp_path / "data", first=date(2024, 1, 2))
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    asked = BacktestRequest(tickers=("ACMQ",), start=DAY, end=date(2025, 3, 20), every=5)

    def audited(vendor: Vendor | None) -> Any:
        return asyncio.run(audit(on_folder(tmp_path / "home", folder, vendor), asked, parts=("futures",), sample=1))

    assert not audited(None).findings
    leaked = audited(LatestFigures(folder))
    assert leaked.kinds == {"leak_fundamentals"}
    (finding, *_) = leaked.findings
    assert (finding.ticker, finding.day, finding.severity) == ("ACMQ", str(DAY), "error")
    assert "get_" in finding.where
    assert finding.expected != finding.found
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_a_leak_beneath_a_vendor_of_anothers_is_found_and_its_times_are_not_believed():
    class Holding(Vendor):
        name = "holding"
        local = True

        def __init__(self) -> None:
            self.source = SimulatedVendor()

        def get_news(self, symbol: str, start: Any, end: Any) -> Any:
            early = timedelta(days=5)
            found = self.source.get_news(symbol, start, end + early)
            return tuple(
                replace(one, published_at=one.published_at - early, known_at=one.known_at - early) for one in found
            )

    own = Holding()
    for how in TAMPERINGS:
        other = tampered_vendor(own, TamperedFuture(DAY, CLOSE, how))
        window = ("VELQ", CLOSE - timedelta(days=20), CLOSE)
        clean_rows = [one for one in own.get_news(*window) if one.known_at <= CLOSE]
        rows = [one for one in other.get_news(*window) if one.known_at <= CLOSE]
        assert rows != clean_rows
    assert type(own) is Holding
    assert type(own.source) is SimulatedVendor
    assert MARK not in str(own.get_news(*window))


def test_prices_up_to_the_cut_off_are_the_same_bit_for_bit_in_every_future():
    vendor = EventfulVendor()
    for symbol in ("HELQ", "MODZ", "OMBZ"):
        plain = vendor.get_stock_data(symbol, date(2024, 3, 1), date(2024, 12, 31)).upto(date(2024, 9, 30))
        shown = plain.as_traded(date(2024, 9, 30))
        future = TamperedFuture(date(2024, 9, 30), sessions().close_of(date(2024, 9, 30)), "changed")
        for how in TAMPERINGS:
            other = tampered_vendor(vendor, replace(future, how=how))
            found = other.get_stock_data(symbol, date(2024, 3, 1), date(2024, 12, 31)).upto(date(2024, 9, 30))
            again = found.as_traded(date(2024, 9, 30))
            for name in ("open", "high", "low", "close", "adj_close", "volume"):
                assert np.array_equal(getattr(again, name), getattr(shown, name)), (symbol, how, name)
            assert again.splits == shown.splits


def test_the_second_trader_by_hand():
    from tests.features.backtest.market import days_of, made_prices
    from tradingagents.dataflows.models import Split

    days = days_of(5)
    prices = made_prices(
        "A", days, [10, 10, 6, 6, 6], opens=[10, 10.5, 6, 6, 6], splits=[Split(days[2], 2)], dividends=[(days[3], 0.5)]
    )
    trader = SecondTrader({"A": history_of(prices, days)}, StatedCosts(0.01, 1.0, 0.001, 0.0, 1.0), 1000.0)
    found = trader.equity(days, {days[0]: {"A": 0.5}})
    cash = 1000 - round(50 * 10.5 * 1.001, 2) - 1.0
    assert list(found.values()) == pytest.approx([1000, cash + 500, cash + 600, cash + 650, cash + 650])


@pytest.fixture(scope="module")
def faultless(tmp_path_factory: pytest.TempPathFactory) -> MadeBacktest:
    """A backtest of the eventful market; who changes its files copies them."""
    return made(tmp_path_factory.mktemp("faultless"))


def test_a_report_says_what_was_found_and_what_was_not_checked(faultless: MadeBacktest, tmp_path: Path):
    tested = replace(faultless, folder=shutil.copytree(faultless.folder, tmp_path / faultless.folder.name))
    (tested.folder / "decisions.jsonl").unlink()
    edited(tested, "result.json", lambda record: record["strategies"]["macd"].update(sharpe=9.0))
    report = tested.audited("accounts", "data")
    told = json.loads(json.dumps(report.to_json()))
    assert (told["convicted"], told["counts"]["error"]) == (True, 1)
    assert report.kinds == {"metrics_wrong", "report_edited"}
    (fault,) = [one for one in told["findings"] if one["severity"] == "error"]
    assert (fault["kind"], fault["where"], fault["found"]) == ("metrics_wrong", "result.json macd.sharpe", "9")
    assert fault["says"] == KINDS["metrics_wrong"]
    assert "decisions.jsonl" in told["not_checked"]["orders and coverage"]
    assert "| metrics_wrong | result.json macd.sharpe |" in report.to_markdown()


def test_other_settings_and_other_folders_are_told_apart(faultless: MadeBacktest, tmp_path: Path):
    tested = faultless
    other = replace(tested, services=replace(tested.services, settings=tested.services.settings.model_copy(
        update={"max_debate_rounds": 3})))  # fmt: skip
    assert "other_request" in other.audited().kinds
    with pytest.raises(NotFound, match="no folder of a backtest"):
        asyncio.run(audit(tested.services, tmp_path))
    (tmp_path / "result.json").write_text("[]")
    with pytest.raises(UsageError, match="no result of a backtest"):
        asyncio.run(audit(tested.services, tmp_path))


def test_a_request_is_audited_before_anything_is_decided(tmp_path: Path):
    tested = made(tmp_path, SHORT, vendor=SimulatedVendor())
    report = asyncio.run(audit(tested.services, SHORT, parts=("accounts", "data")))
    assert not report.findings or report.kinds == frozenset()
    assert "accounts" in report.not_checked


def test_a_sample_is_spread_over_days_and_tickers():
    every = [(ticker, ASKED.start + timedelta(days=day)) for day in range(10) for ticker in "AB"]
    assert spread(every, 0) == every == spread(every, 99)
    assert [ticker + str(day.day) for ticker, day in spread(every, 4)] == ["A2", "B4", "A7", "B9"]


def test_a_line_that_cannot_be_read_stays_one(tmp_path: Path):
    folder = write_snapshot(tmp_path / "data", first=date(2024, 1, 2))
    path = folder / "news.jsonl.gz"
    write_lines(path, [*read_lines(path), {"symbol": "ACMQ", "title": "no date"}])
    from tradingagents.features.backtest.audit.tampered_folder import tampered_folder

    copy = tampered_folder(folder, tmp_path / "copy", TamperedFuture(DAY, CLOSE, "removed"))
    rows = read_lines(copy / "news.jsonl.gz")
    assert {"symbol": "ACMQ", "title": "no date"} in rows
    assert max(row["published_at"][:10] for row in rows if "published_at" in row) <= str(DAY)
