"""The audit of an account that follows stops and targets: a clean one passes, and planted faults are found."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.features.backtest.audit.made_backtests import ASKED, SPLIT_DAY, EventfulVendor, MadeBacktest, made
from tests.support.tiers import sampled
from tradingagents.agents.schemas import Decision
from tradingagents.features.backtest import advance, exits
from tradingagents.features.backtest.audit.exit_check import DueExit, SecondLevels, due_exit
from tradingagents.features.backtest.broker import TradingCosts, execute
from tradingagents.features.backtest.decisions.decide import DecisionSet
from tradingagents.features.backtest.decisions.decision_store import StoredDecision
from tradingagents.features.backtest.exits import ExitPoint, exit_counts, exit_point
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.limits import ShortRules
from tradingagents.features.backtest.postings import ExitLevels
from tradingagents.features.backtest.traded_prices import SessionBar
from tradingagents.features.backtest.variants import accounts, decided

FOLLOWED = replace(ASKED, exits="plan")
MARKET = EventfulVendor()


def by_chance_with_levels(tickers: Sequence[str], days: Sequence[date], seed: int) -> DecisionSet:
    """Decide by chance, with stops and targets near the close as traded, some so near that an open passes them."""
    drawn, found = random.Random(seed), dict[tuple[str, date], StoredDecision]()  # noqa: S311 - no secret
    for day in days:
        for ticker in tickers:
            action = drawn.choices(("BUY", "SELL", "HOLD", "NO_DECISION"), (60, 15, 15, 10))[0]
            close = float(MARKET.get_stock_data(ticker, ASKED.start, day).as_traded(day).close[-1])
            side = {"BUY": 1, "SELL": -1}.get(action, 0)
            near = drawn.choice((0.001, 0.01, 0.03))
            levels = {"stop": close * (1 - side * near), "target": close * (1 + side * near)} if side else {}
            if drawn.random() < 0.15:
                levels.pop(drawn.choice(("stop", "target")), None)
            sure = 0.0 if action == "NO_DECISION" else round(drawn.uniform(0.3, 1.0), 2)
            known = {"action": action, "confidence": sure, "rationale": "by chance", **levels}
            decision = Decision.model_validate(known | {"sell_means": "short" if action == "SELL" else None})
            found[ticker, day] = StoredDecision(f"{ticker} {day}", ticker, day, decision, "made", 1, 0.01)
    return DecisionSet(found, {}, len(found))


def followed(home: Path, seed: int = 1, *patches: tuple[Any, str, Any], **changes: Any) -> MadeBacktest:
    async def chance(_services: Any, tickers: Sequence[str], days: Sequence[date], **_more: Any) -> DecisionSet:
        return by_chance_with_levels(tickers, days, seed)

    return made(home, replace(FOLLOWED, **changes), patches=[(decided, "decide", chance), *patches])


def counted(tested: MadeBacktest) -> Mapping[str, int]:
    ledger = BookLedger(tested.folder / "ledger.jsonl")
    return exit_counts([posting for line in ledger.lines for posting in line.postings])


@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.nightly) for seed in (3, 4))])
def test_a_clean_account_passes(tmp_path, seed):
    changes: dict[str, Any] = {"shorts": ShortRules()} if seed % 2 else {"costs": TradingCosts(max_participation=1e-4)}
    tested = followed(tmp_path, seed, deposit=2_000_000.0, **changes)
    counts = counted(tested)
    happened = counts.values() if seed % 2 else [counts["stop"], counts["target"], counts["gap"]]
    assert min(happened) > 0, counts
    report = tested.audited()
    assert [found for found in report.findings if found.severity == "error"] == []


def _no_exit(*_given: Any) -> list[Any]:
    return []


def _best_of_both(levels: ExitLevels, bar: Any) -> ExitPoint | None:
    found = exit_point(levels, bar)
    return (
        ExitPoint("target", levels.target, gap=False) if found and found.reason == "both" and levels.target else found
    )


def _gap_at_level(levels: ExitLevels, bar: Any) -> ExitPoint | None:
    found = exit_point(levels, bar)
    if found is None or not found.gap:
        return found
    return replace(found, price=levels.stop if found.reason == "stop" else levels.target)


def _never_touches_on_entry(levels: ExitLevels, bar: Any) -> ExitPoint | None:
    """Close-only stops: the range of the session does not count."""
    return exit_point(levels, replace(bar, high=bar.close, low=bar.close))


def _half(symbol: str, shares: int, *rest: Any, **more: Any) -> Any:
    return execute(symbol, shares // 2 or shares, *rest, **more)


def _free(symbol: str, shares: int, bar: Any, _costs: TradingCosts, *rest: Any, **more: Any) -> Any:
    return execute(symbol, shares, bar, TradingCosts(0.005, 1.0, 0.0, 0.0), *rest, **more)


def _of_others(made_: Mapping[date, Mapping[str, Decision]], *, shorts: bool) -> Any:
    found = exits.planned_levels(made_, shorts=shorts)
    return {day: {one: replace(level, stop=level.stop and level.stop * 0.97) for one, level in of_day.items()}
            for day, of_day in found.items()}  # fmt: skip


def _as_before(levels: ExitLevels, *_ratio: Any) -> ExitLevels:
    return levels


def _never_void(*_given: Any) -> None:
    return None


def _always_void(*_given: Any) -> str:
    return "beyond_stop"


FAULTS: Mapping[str, tuple[str, tuple[Any, str, Callable[..., Any]]]] = {
    "no position is closed": ("exit_missed", (advance, "session_exits", _no_exit)),
    "only closes count": ("exit_missed", (exits, "exit_point", _never_touches_on_entry)),
    "the target is taken where both are reached": ("exit_wrong", (exits, "exit_point", _best_of_both)),
    "a gap is filled at the level": ("exit_wrong", (exits, "exit_point", _gap_at_level)),
    "half of a position is closed": ("exit_wrong", (exits, "execute", _half)),
    "an exit pays no spread": ("exit_wrong", (exits, "execute", _free)),
    "stops are wider than decided": ("levels_wrong", (accounts, "planned_levels", _of_others)),
    "a split leaves the levels": ("levels_wrong", (advance, "restated", _as_before)),
    "a void plan is opened": ("void_plan_traded", (advance, "beyond_levels", _never_void)),
    "orders are withdrawn without reason": ("order_lost", (advance, "beyond_levels", _always_void)),
}


@pytest.mark.parametrize("name", sampled(FAULTS, every=3))  # one of each kind of finding but the void plan's
def test_a_planted_fault_is_found(tmp_path, name):
    kind, patch = FAULTS[name]
    seed = 2 if "split" in name else 1  # in which a position is held over the market's split
    report = followed(tmp_path, seed, patch, deposit=2_000_000.0).audited()
    assert kind in {found.kind for found in report.findings if found.severity == "error"}


def test_an_account_that_follows_nothing_may_have_no_exits(tmp_path):
    tested = followed(tmp_path, 2)
    result = tested.folder / "result.json"
    result.write_text(result.read_text().replace('"exits": "plan"', '"exits": "none"'))
    assert "unexpected_posting" in tested.audited().kinds


def test_both_books_read_every_bar_alike():
    drawn = np.random.default_rng(7)
    for _ in range(5_000):
        side = int(drawn.choice((1, -1)))
        stop, target = (None if drawn.random() < 0.2 else float(round(drawn.uniform(90, 110), 1)) for _ in range(2))
        opened, close = np.round(drawn.uniform(92, 108, 2), 1)
        high, low = (
            max(opened, close) + round(drawn.uniform(0, 3), 1),
            min(opened, close) - round(drawn.uniform(0, 3), 1),
        )
        levels = ExitLevels("A", side, stop, target, "2024-01-02")
        own = exit_point(levels, SessionBar(opened, high, low, close, 1e6))
        second = due_exit(
            SecondLevels.of({"stop": stop, "target": target}, long=side > 0),
            {"open": opened, "high": high, "low": low, "close": close},
        )
        assert second == (None if own is None else DueExit(own.reason, own.price, own.gap))


def test_the_split_of_the_market_falls_on_a_held_position(tmp_path):
    ledger = BookLedger(followed(tmp_path, 2).folder / "ledger.jsonl")
    restated = [one for line in ledger.lines for one in line.postings
                if isinstance(one, ExitLevels) and line.mark.day == SPLIT_DAY and one.symbol == "HELQ"]  # fmt: skip
    assert restated


def test_stored_decisions_of_before_have_no_levels():
    old = {"action": "BUY", "confidence": 0.6, "rationale": "of an earlier version"}
    found = exits.planned_levels({date(2024, 1, 2): {"A": Decision.model_validate(old)}}, shorts=False)
    assert not found[date(2024, 1, 2)]["A"].given
