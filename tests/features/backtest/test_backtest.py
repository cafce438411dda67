"""Whole backtests: decisions of the offline rules, stored once, traded against recorded prices."""

from __future__ import annotations

import asyncio
import json
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pydantic import TypeAdapter

from tests.features.backtest.market import NO_COSTS, days_of, made_prices, table_of
from tests.support.builders import wander
from tests.support.warm import WarmProcess
from tradingagents.agents.schemas import Decision
from tradingagents.analytics.price.trading_rules import RULES
from tradingagents.dataflows.models import Split
from tradingagents.errors import Interrupted, NoData, UsageError
from tradingagents.features.backtest.advance import AccountRules
from tradingagents.features.backtest.decisions.decide import DecisionSet, decide
from tradingagents.features.backtest.decisions.decision_store import DecisionStore
from tradingagents.features.backtest.decisions.one_by_one import OneByOne
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.limits import RiskLimits, ShortRules
from tradingagents.features.backtest.pages.files import write_backtest
from tradingagents.features.backtest.pages.report import backtest_report
from tradingagents.features.backtest.postings import ShortSale
from tradingagents.features.backtest.request import BacktestRequest
from tradingagents.features.backtest.run import Backtest, backtest, score_backtest
from tradingagents.features.backtest.score import by_day, run_account, score_account
from tradingagents.features.backtest.statistics.calls import call_quality
from tradingagents.features.backtest.statistics.record import BacktestResult
from tradingagents.features.backtest.strategies import (
    OPEN,
    constant_targets,
    decision_targets,
    month_starts,
    rule_targets,
)
from tradingagents.files.atomic import UnreadableFile
from tradingagents.runtime.services import Services, open_services
from tradingagents.settings import load_settings

TICKERS = ("VELQ", "OMBZ")
ASKED = BacktestRequest(tickers=TICKERS, start=date(2024, 10, 1), end=date(2024, 11, 20), every=12)


def services_in(home: Path, **settings: Any) -> Services:
    config = {"llm_provider": "offline", "data_vendor": "simulated", "home": str(home), **settings}
    return open_services(load_settings(config, environ={}), {})


def call(action: str, confidence: float = 0.5) -> Decision:
    return Decision.model_validate({"action": action, "confidence": confidence, "rationale": "made"})


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Backtest]:
    home = tmp_path_factory.mktemp("backtest")
    return home, asyncio.run(backtest(services_in(home), ASKED))


def test_a_backtest_scores_the_decisions_beside_its_baselines(tested: tuple[Path, Backtest]):
    _, found = tested
    record = found.record
    names = ["decisions", "always_buy", "buy_and_hold", "equal_weight"]
    assert list(record["strategies"])[:4] == names
    assert {"macd", "kdj_rsi", "zmr", "sma", "momentum", "benchmark"} < set(record["strategies"])
    assert record["coverage"] == {
        "wanted": 6, "made": 6, "no_decision": 0, "failed": 0, "share": 1.0, "reasons": {}
    }  # fmt: skip
    assert sum(record["decisions"]["actions"].values()) == 6
    assert record["strategies"]["buy_and_hold"]["ci"] is None
    own = record["strategies"]["decisions"]
    assert own["ci_equal_exposure"]["smallest_edge"] == record["power"]["smallest_edge"] > 0
    assert record["last_session"] == "2024-11-20"
    assert len(record["warnings"]) == 2
    assert json.loads(json.dumps(record)) == record
    report = backtest_report(record)
    assert "The smallest edge that this test could have seen" in report
    assert report.count("\n| Buy and hold | ") == 2
    assert report.count(" | Buy and hold | ") == len(TICKERS)
    own = record["strategies"]["decisions"]
    assert own["annual_return"] is None
    assert own["extrapolated_annual_return"] is not None
    assert "CAGR, extrapolated" in report
    assert TypeAdapter(BacktestResult).validate_python(record) == found.result


def test_every_account_of_a_backtest_closes_and_its_equity_follows_from_its_ledger(tested: tuple[Path, Backtest]):
    home, found = tested
    folder = write_backtest(home, found)
    ledger = BookLedger(folder / "ledger.jsonl")  # verified while it is read
    assert ledger.head == found.record["strategies"]["decisions"]["ledger"]
    equity = pd.read_csv(folder / "equity.csv", index_col="date")
    for name, strategy in found.record["strategies"].items():
        returns = equity[name].pct_change().dropna()
        assert strategy["total_return"] == pytest.approx(equity[name].iloc[-1] / equity[name].iloc[0] - 1, abs=1e-9)
        assert strategy["annual_volatility"] == pytest.approx(returns.std() * np.sqrt(252), abs=1e-6)
        drawdown = (equity[name] / equity[name].cummax() - 1).min()
        assert strategy["max_drawdown"] == pytest.approx(drawdown, abs=1e-9)
    assert json.loads((folder / "result.json").read_text()) == json.loads(json.dumps(found.record))
    lines = [json.loads(line) for line in (folder / "decisions.jsonl").read_text().splitlines()]
    told = {(one["ticker"], one["day"]): one["decision"]["action"] for one in lines}
    assert told == {(ticker, str(day)): one.decision.action for (ticker, day), one in found.decided.items()}


async def test_what_is_stored_is_not_decided_again_and_gives_the_same_bytes(
    tested: tuple[Path, Backtest], monkeypatch: pytest.MonkeyPatch
):
    home, first = tested

    def never(*_: Any, **__: Any) -> Any:
        raise AssertionError("a stored decision was made again")

    monkeypatch.setattr(OneByOne, "run", never)
    again = await backtest(services_in(home), ASKED)
    for name, account in first.accounts.items():
        assert again.accounts[name].ledger.content == account.ledger.content
    plain = {**first.record, "costs": again.record["costs"]}
    assert again.record == plain
    assert again.record["costs"]["decided_now"] == 0
    # Another way to weigh the same decisions asks nobody either; other models or prompts would.
    other = await backtest(services_in(home), BacktestRequest(**{**vars(ASKED), "scheme": "hrp"}))
    assert other.record["id"] != first.record["id"]
    assert other.record["coverage"]["made"] == 6
    with pytest.raises(AssertionError, match="made again"):
        await backtest(services_in(home, max_debate_rounds=3), ASKED)


async def test_an_interrupted_backtest_goes_on_and_failures_are_counted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    services, days = services_in(tmp_path), (date(2024, 10, 1), date(2024, 10, 2))
    plain, asked = OneByOne.run, list[tuple[str, date]]()

    async def some(decider: OneByOne, ticker: str, day: date, meter: Any) -> Any:
        asked.append((ticker, day))
        if len(asked) == 2:
            raise Interrupted("stopped")
        return await plain(decider, ticker, day, meter)

    monkeypatch.setattr(OneByOne, "run", some)
    one_by_one = services_in(tmp_path, max_concurrent_pipelines=1)
    with pytest.raises(Interrupted):
        await decide(one_by_one, TICKERS, days)
    told: list[tuple[int, int]] = []
    found = await decide(one_by_one, TICKERS, days, tell=lambda done, wanted: told.append((done, wanted)))
    assert (found.decided, len(found.found), told[0], told[-1]) == (3, 4, (1, 4), (4, 4))
    assert asked.count(asked[0]) == 1

    async def fails(*_: Any, **__: Any) -> Any:
        raise NoData("no prices that day.")

    monkeypatch.setattr(OneByOne, "run", fails)
    more = await decide(services, TICKERS, (*days, date(2024, 10, 3)))
    assert dict(more.missing) == {(one, date(2024, 10, 3)): "no prices that day." for one in TICKERS}
    assert (len(more.found), more.decided) == (4, 0)
    assert isinstance(more, DecisionSet)


async def test_a_decision_file_that_was_changed_is_refused(tmp_path: Path):
    services, day = services_in(tmp_path), date(2024, 10, 1)
    await decide(services, TICKERS[:1], (day,))
    store = DecisionStore(services)
    path = store._path(store.key("VELQ", day))
    content = path.read_text()
    path.write_text(content.replace('"VELQ"', '"OMBZ"'))
    with pytest.raises(UnreadableFile, match="another decision"):
        store.get("VELQ", day)
    path.write_text(content[:40])
    with pytest.raises(UnreadableFile):
        store.get("VELQ", day)
    path.write_text(content)
    assert store.get("VELQ", day) is not None
    assert store.get("VELQ", date(2024, 10, 2)) is None


def test_decisions_become_weights_and_hold_is_no_sale():
    days = days_of(3)
    table = table_of(*(made_prices(one, days, [10, 10, 10]) for one in "ABCD"), days=days)
    made = {days[0]: {"A": call("BUY", 0.8), "B": call("HOLD"), "C": call("SELL"), "D": call("NO_DECISION")}}
    limits = RiskLimits(max_position=0.5, min_cash=0.1)
    held = {"B": 0.3, "C": 0.2, "D": 0.1, "E": 0.05}

    def wanted(scheme: Any) -> Any:
        return decision_targets(made, scheme, limits, table)(days[0], held)

    assert wanted("confidence") == pytest.approx({"B": 0.3, "D": 0.1, "E": 0.05, "A": 0.4})
    assert wanted("equal") == pytest.approx({"B": 0.3, "D": 0.1, "E": 0.05, "A": 0.45})
    assert decision_targets(made, "equal", limits, table)(days[1], held) is None


def test_sell_sells_borrowed_shares_where_that_is_allowed_and_meant():
    days = days_of(3)
    table = table_of(*(made_prices(one, days, [10, 10, 10]) for one in "ABC"), days=days)
    closes_only = Decision.model_validate({**call("SELL").model_dump(), "sell_means": "close"})
    made = {days[0]: {"A": call("BUY", 0.8), "B": call("SELL", 0.6), "C": closes_only}}
    limits, shorts = RiskLimits(max_position=0.5, min_cash=0.1), ShortRules(max_short=0.2)
    held = {"B": 0.3, "C": 0.2, "D": -0.1}
    assert decision_targets(made, "confidence", limits, table, shorts)(days[0], held) == pytest.approx(
        {"A": 0.4, "B": -0.12, "D": -0.1}
    )
    assert decision_targets(made, "confidence", limits, table)(days[0], {"B": 0.3}) == pytest.approx({"A": 0.4})


async def test_a_backtest_with_short_positions_trades_the_same_decisions(tmp_path: Path):
    services, asked = services_in(tmp_path), replace(ASKED, tickers=("TELQZ",), start=date(2024, 10, 4), every=10)
    shorts = ShortRules(max_short=0.15, borrow_bp=100.0)
    found = await backtest(services, replace(asked, shorts=shorts))
    plain = score_backtest(services, asked)
    ledgers = {name: account.ledger for name, account in found.accounts.items()}
    sold = {
        name: [one for line in ledger.lines for one in line.postings if isinstance(one, ShortSale)]
        for name, ledger in ledgers.items()
    }
    assert sold["decisions"]
    assert plain.record["strategies"]["decisions"]["turnover"] == 0
    assert not sold["buy_and_hold"]
    assert found.record["decisions"] == plain.record["decisions"]
    for name, ledger in ledgers.items():
        fees = found.record["strategies"][name]["borrow_fees"]
        assert (fees > 0) == bool(sold[name])
        assert fees == ledger.book.borrow_fees / 100
    assert found.record["request"]["shorts"]["borrow_bp"] == 100.0


def test_call_quality_by_hand():
    days = days_of(6)
    table = table_of(
        made_prices("A", days, [10, 10, 12, 12, 12, 9]),
        made_prices("B", days, [10, 10, 9, 9, 10, 10], splits=[Split(days[4], 2)]),
        days=days,
    )
    decisions = by_day(
        {
            ("A", days[0]): call("BUY", 0.8),  # 10 to 12, from the close after it to the close after the next: right
            ("B", days[0]): call("SELL", 0.6),  # 10 to 9: right
            ("A", days[1]): call("NO_DECISION", 0.0),
            ("B", days[1]): call("BUY", 0.7),  # 9 to 2 * 10 with the split: right
        }
    )
    found = call_quality(decisions, table, days[5])
    assert found.actions == {"BUY": 2, "NO_DECISION": 1, "SELL": 1}
    assert (found.calls, found.hit_rate) == (3, 1.0)
    assert found.brier == pytest.approx((0.04 + 0.16 + 0.09) / 3)
    assert (found.rank_ic, found.ic_days) == (None, 0)  # fewer than three companies


@pytest.mark.parametrize("name", ["macd", "kdj_rsi", "zmr", "sma", "momentum"])
def test_a_rule_without_costs_earns_what_pandas_says(name: str):
    prices = wander(600, 3)
    days = tuple(day.item() for day in prices.days)
    table, tested = table_of(prices, days=days), days[300:]
    rules = AccountRules(deposit=1e6, costs=NO_COSTS, limits=OPEN, least_trade=0.0)
    account = run_account(table, tested, rules, rule_targets(name, {prices.symbol: prices}))

    frame = pd.DataFrame({"open": prices.open, "close": prices.close, "held": RULES[name](prices)}, index=days)
    frame = frame[300:]
    wealth = [1.0]
    for before, now in zip(frame.itertuples(), frame.iloc[1:].itertuples(), strict=False):
        position = wealth[-1]
        was = 0.0 if len(wealth) == 1 else frame["held"].iloc[len(wealth) - 2]
        overnight = position * (now.open / before.close if was else 1.0)
        wealth.append(overnight * (now.close / now.open if before.held else 1.0))
    expected = np.array(wealth[1:]) / np.array(wealth[:-1]) - 1
    # Whole shares, and orders sized at the close before the open that they are filled at, leave a little cash.
    assert np.corrcoef(account.returns, expected)[0, 1] > 0.995
    assert score_account(account, None).total_return == pytest.approx(wealth[-1] - 1, abs=0.05)


def test_buy_and_hold_of_several_equals_pandas_to_the_cent():
    days = days_of(300)
    first = made_prices("A", days, np.linspace(50, 80, 300).tolist(), opens=np.linspace(50, 79, 300).tolist())
    other = made_prices("B", days, np.linspace(20, 15, 300).tolist(), dividends=[(days[100], 0.5)])
    table = table_of(first, other, days=days)
    rules = AccountRules(deposit=1_000_000.0, costs=NO_COSTS, limits=OPEN)
    account = run_account(table, days, rules, constant_targets({"A": 0.45, "B": 0.45}, days[:1]))
    shares = pd.Series({"A": 450_000 // 50, "B": 450_000 // 20})
    cash = 1_000_000 - shares["A"] * first.open[1] - shares["B"] * other.open[1]
    closes = pd.DataFrame({"A": first.close, "B": other.close}, index=days)
    expected = (closes * shares).sum(axis=1) + round(cash, 2)
    expected[days[100] :] += 0.5 * shares["B"]
    assert account.equity[1:] == pytest.approx(expected.to_numpy()[1:], abs=0.03)
    assert month_starts(days)[:3] == [days[0], date(2024, 2, 1), date(2024, 3, 1)]


async def test_what_cannot_be_tested_is_refused(tmp_path: Path):
    services = services_in(tmp_path)
    for wrong in (
        {"tickers": ()},
        {"tickers": ("AAPL", "7203.T")},
        {"end": date(2024, 10, 2)},
        {"end": date(2999, 1, 1)},
        {"every": 0},
        {"deposit": 0.0},
    ):
        with pytest.raises(UsageError):
            await backtest(services, BacktestRequest(**{**vars(ASKED), **wrong}))  # type: ignore[arg-type]
    assert not (tmp_path / "decisions").exists()


def test_a_backtest_that_is_killed_twice_gives_the_same_bytes_and_decides_nothing_twice(
    tested: tuple[Path, Backtest], tmp_path: Path
):
    home, whole = tested
    asked = ("--tickers", "VELQ,OMBZ", "--start", "2024-10-01", "--end", "2024-11-20", "--every", "12")
    line = ["-m", "tradingagents", "backtest", *asked, "--offline", "--max-concurrent", "1", "--home", str(tmp_path)]
    stored: dict[str, int] = {}
    for count in (1, 3):
        process = WarmProcess([*line, "--quiet"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_for(lambda count=count: len(decision_files(tmp_path)) >= count)  # type: ignore[misc]
        process.kill()
        process.communicate()
        assert process.returncode == -signal.SIGKILL
        assert stored.items() <= decision_files(tmp_path).items()
        stored = decision_files(tmp_path)
    assert len(stored) < 6
    last = WarmProcess([*line, "--json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    out, _ = last.communicate()
    record = json.loads(out)
    assert stored.items() <= decision_files(tmp_path).items()
    assert record["costs"]["decided_now"] == 6 - len(stored)
    folder = write_backtest(home, whole)
    for name in ("ledger.jsonl", "equity.csv", "report.md"):
        assert (Path(record["folder"]) / name).read_bytes() == (folder / name).read_bytes()


def decision_files(home: Path) -> dict[str, int]:
    """Return the stored decisions with the time at which each was written."""
    return {path.name: path.stat().st_mtime_ns for path in (home / "decisions").glob("*/*.json")}


def wait_for(met: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not met():
        assert time.monotonic() < deadline
        time.sleep(0.005)


async def test_a_stored_decision_says_which_way_each_agent_and_reading_pointed(tested: tuple[Path, Backtest]):
    home, found = tested
    for (ticker, day), stored in found.decided.items():
        assert DecisionStore(services_in(home)).get(ticker, day) == stored
        whole = {one.report: one.score for one in stored.opinions if not one.metric}
        assert {"market_report", "fundamentals_report", "investment_plan", "trader_investment_plan"} <= set(whole)
        assert all(-1 <= one.score <= 1 for one in stored.opinions)
        read = [one for one in stored.opinions if one.metric]
        assert len(read) > 20
        assert all(one.reading and one.tool and one.who for one in read)
        side = {"BUY": 1, "HOLD": 0, "SELL": -1}[stored.decision.action]
        assert whole["trader_investment_plan"] * side >= 0
