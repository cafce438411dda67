"""How often the offline rules were right on recorded weeks: `python -m benchmarks.calibration DIR [--write]`.

Decides on a seeded sample of stock-weeks of a snapshot folder, by the rules of the offline analysts and without a graph
(the decisions are those of a run), and holds each BUY and SELL against what followed: in at the next session's open,
out at the open twenty sessions later, dividends counted, against the benchmark over the same days.

The first half of the weeks gives a map from strength to hit rate that never falls; the second half, less the weeks
whose windows reach back into the first, tells whether that map foresees better than one rate for all. Where it does
not, the one rate is what the library states. `--write` puts the counts into the package
(`tradingagents/offline/calibration.json`), from which confidence is stated.

A sample of 5,000 takes about five minutes of processor time, up to half an hour on a busy machine, and 1 GB.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow.parquet as pq

from tradingagents.agents.analysts import (
    fundamentals_analyst,
    market_analyst,
    news_analyst,
    social_media_analyst,
)
from tradingagents.analytics.decisions.scoreboard import LEAST_WINDOWS
from tradingagents.analytics.performance.intervals import disjoint_windows, mean_by_day
from tradingagents.capabilities.capability import Capability
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.errors import TradingAgentsError
from tradingagents.offline.brief import Brief, Subject, ToolAnswer
from tradingagents.offline.calibration import TABLE, CalibrationTable
from tradingagents.offline.decisions import decided
from tradingagents.offline.evidence import view_of
from tradingagents.settings import Settings, load_settings

SESSIONS = 20
"""Between entry and exit."""
HISTORY = 252
"""Sessions of prices that a stock must have before it is decided on."""
BLOCK = 4
"""Weeks that a window of twenty sessions spans."""
BINS = 5
AGENTS = {
    "market_report": market_analyst,
    "sentiment_report": social_media_analyst,
    "news_report": news_analyst,
    "fundamentals_report": fundamentals_analyst,
}


@dataclass(frozen=True, slots=True)
class Decided:
    """One decision of the sample, and what followed."""

    symbol: str
    day: date
    action: str
    strength: float
    excess: float
    """Of the stock over the benchmark, a fraction."""

    @property
    def right(self) -> bool:
        """Whether the side taken was the better one."""
        return self.excess > 0 if self.action == "BUY" else self.excess < 0


class Opens:
    """Opens and sessions of one symbol, dividend-adjusted; read past the cut-off, for what followed alone."""

    def __init__(self, days: Any, opens: Any) -> None:
        """Keep the days and the adjusted opens."""
        self._days, self._opens = days, opens

    def position(self, day: date) -> int:
        """Return how many sessions there are up to and including a day."""
        return int(np.searchsorted(self._days, np.datetime64(day), side="right"))

    def gain(self, day: date) -> float | None:
        """Return the return from the open after a day to that twenty sessions later; None where it is not known."""
        at = self.position(day)
        if at + SESSIONS >= len(self._opens):
            return None
        first, last = self._opens[at], self._opens[at + SESSIONS]
        return float(last / first - 1) if first > 0 and last > 0 else None

    @property
    def days(self) -> list[date]:
        """The sessions."""
        return [day.astype("datetime64[D]").item() for day in self._days]


def main() -> None:
    """Measure, print, and write the table where asked."""
    options = _options()
    began = time.perf_counter()
    settings = load_settings({"data_vendor": "snapshot", "data_dir": options.folder, "llm_provider": "offline"})
    opens = read_opens(Path(options.folder))
    sample = stock_weeks(Path(options.folder), opens, options.benchmark, options.most, options.seed)
    print(f"{len(sample)} stock-weeks of {len({symbol for symbol, _ in sample})} stocks", file=sys.stderr)
    found = list(decide_all(settings, sample, opens, options.benchmark))
    table = measured(found, sample_seed=options.seed, benchmark=options.benchmark, folder=Path(options.folder))
    print(json.dumps(table.as_json(), indent=1))
    print(f"{time.perf_counter() - began:.0f} s", file=sys.stderr)
    if options.write:
        TABLE.write_text(json.dumps(table.as_json(), indent=1) + "\n", encoding="utf-8")


def read_opens(folder: Path) -> dict[str, Opens]:
    """Read all opens of a folder, adjusted for dividends as its closes are."""
    columns = ["symbol", "date", "open", "close", "adj_close"]
    frame = pq.read_table(folder / "prices.parquet", columns=columns).to_pandas().sort_values(["symbol", "date"])
    frame["adjusted"] = frame["open"] * frame["adj_close"] / frame["close"]
    return {
        str(symbol): Opens(own["date"].to_numpy(dtype="datetime64[D]"), own["adjusted"].to_numpy(dtype=float))
        for symbol, own in frame.groupby("symbol", sort=False)
    }


def stock_weeks(folder: Path, opens: dict[str, Opens], benchmark: str, most: int, seed: int) -> list[tuple[str, date]]:
    """Return a sample of (stock, last session of a week), by day: of stocks with statements, else of all stocks."""
    profiles = json.loads((folder / "profiles.json").read_text(encoding="utf-8"))
    stocks = {symbol for symbol, one in profiles.items() if one.get("kind") == "stock" and symbol in opens}
    reporting = stocks & _with_statements(folder)
    days = opens[benchmark].days
    weeks = [day for day, after in pairwise(days) if day.isocalendar()[:2] != after.isocalendar()[:2]]
    pairs = [
        (symbol, day)
        for day in weeks
        for symbol in sorted(reporting or stocks)
        if opens[symbol].position(day) >= HISTORY and opens[symbol].gain(day) is not None
    ]
    chosen = pairs if len(pairs) <= most else Random(seed).sample(pairs, most)  # noqa: S311 - a sample, no secret
    return sorted(chosen, key=lambda pair: (pair[1], pair[0]))


def _with_statements(folder: Path) -> set[str]:
    import gzip

    path = folder / "statements.jsonl.gz"
    if not path.exists():
        return set()
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return {json.loads(line)["symbol"] for line in lines}


def decide_all(
    settings: Settings, sample: Sequence[tuple[str, date]], opens: dict[str, Opens], benchmark: str
) -> Iterator[Decided]:
    """Yield the decision on each stock-week, with what followed."""
    vendors, memo = Vendors(settings), Memo(2000)
    for number, (symbol, day) in enumerate(sample, start=1):
        gain, market = opens[symbol].gain(day), opens[benchmark].gain(day)
        if gain is None or market is None:
            continue
        data = MarketData(settings, day, vendors=vendors, memo=memo)
        try:
            action, strong = decide(data, symbol, settings)
        except TradingAgentsError as error:
            print(f"{symbol} {day}: {error}", file=sys.stderr)
            continue
        yield Decided(symbol, day, action, strong, gain - market)
        if number % 500 == 0:
            print(f"{number} decided", file=sys.stderr)


def decide(data: MarketData, symbol: str, settings: Settings) -> tuple[str, float]:
    """Return action and strength of the final decision on a stock, as a run of the offline analysts ends."""
    return decided(view_of(reports_read(data, symbol, settings)))


def reports_read(data: MarketData, symbol: str, settings: Settings) -> Brief:
    """Return what a deciding agent knows: what the four analysts read from the prescribed tool calls."""
    who = data.instrument(symbol)
    last_close = round(float(data.prices(symbol).close[-1]), 2)
    subject = Subject(who.symbol, who.name, DISPLAY.get(who.sector or "", "unknown"), data.as_of, last_close)
    context: Any = SimpleNamespace(data=data, instrument=who, settings=settings)
    readings = {}
    for name, agent in AGENTS.items():
        results = tuple(_asked(data, tool, arguments) for tool, arguments in agent.initial_calls(context, {}))
        reading = Brief(agent.SPEC.name, agent.SPEC.offline, subject, results).reading
        if reading is not None:
            readings[name] = reading
    return Brief("Risk Manager", subject=subject, readings=readings)


def _asked(data: MarketData, tool: Capability, arguments: Any) -> ToolAnswer:
    try:
        return ToolAnswer(tool.name, tool.reply(data, tool.arguments.model_validate(arguments)).result)
    except TradingAgentsError as error:
        return ToolAnswer(tool.name, None, str(error))


# The table


def measured(found: Sequence[Decided], *, sample_seed: int, benchmark: str, folder: Path) -> CalibrationTable:
    """Return the counts that confidence is stated from."""
    calls = [one for one in found if one.action in ("BUY", "SELL")]
    weeks = sorted({one.day for one in calls})
    middle = weeks[len(weeks) // 2]
    fit = [one for one in calls if one.day < middle]
    check = [one for one in calls if one.day >= middle + timedelta(weeks=BLOCK)]
    steps = rising_rates(fit)
    base = _rate(fit)
    gains = [(base - one.right) ** 2 - (rate_at(steps, one.strength) - one.right) ** 2 for one in check]
    gained = _interval(gains, [one.day for one in check])
    orders = bool(gained and gained[0] > 0)
    interval = _interval([float(one.right) for one in calls], [one.day for one in calls])
    meta = json.loads((folder / "snapshot.json").read_text(encoding="utf-8"))
    return CalibrationTable(
        version=version("tradingagents"),
        sample={
            "folder": meta.get("name", folder.name),
            "first": weeks[0].isoformat(),
            "last": weeks[-1].isoformat(),
            "stocks": len({one.symbol for one in found}),
            "weeks": len(weeks),
            "decisions": len(found),
            "seed": sample_seed,
            "benchmark": benchmark,
            "sessions": SESSIONS,
        },
        calls=len(calls),
        right=sum(one.right for one in calls),
        interval=[round(one, 4) for one in interval] if interval else None,
        actions={
            action: {"calls": len(own), "right": sum(one.right for one in own)}
            for action in ("BUY", "SELL")
            for own in ([one for one in calls if one.action == action],)
        },
        bins=[_bin(own) for own in _bins(calls)],
        check={
            "fitted_on": len(fit),
            "checked_on": len(check),
            "rate_of_fit": round(base, 4),
            "rate_of_check": round(_rate(check), 4),
            "brier_of_one_rate": round(_mean((base - one.right) ** 2 for one in check), 5),
            "brier_of_map": round(_mean((rate_at(steps, one.strength) - one.right) ** 2 for one in check), 5),
            "brier_of_strength": round(_mean((one.strength - one.right) ** 2 for one in check), 5),
            "gain_interval": [round(one, 5) for one in gained] if gained else None,
        },
        strength_orders=orders,
        map=[[round(low, 2), round(rate, 4)] for low, rate in rising_rates(calls)] if orders else [],
    )


def rising_rates(calls: Sequence[Decided]) -> list[tuple[float, float]]:
    """Return (strength from which, hit rate) that never falls with strength: bins of equal size, pooled (PAV)."""
    pools = [(own[0].strength, sum(one.right for one in own), len(own)) for own in _bins(calls)]
    merged: list[tuple[float, int, int]] = []
    for pool in pools:
        merged.append(pool)
        while len(merged) > 1 and merged[-2][1] / merged[-2][2] >= merged[-1][1] / merged[-1][2]:
            low, right, count = merged[-2]
            merged[-2:] = [(low, right + merged[-1][1], count + merged[-1][2])]
    return [(low, right / count) for low, right, count in merged]


def rate_at(steps: Sequence[tuple[float, float]], strong: float) -> float:
    """Return the hit rate that a map gives for a strength."""
    return next((rate for low, rate in reversed(steps) if strong >= low), steps[0][1])


def _bins(calls: Sequence[Decided]) -> list[list[Decided]]:
    ordered = sorted(calls, key=lambda one: one.strength)
    cuts = [len(ordered) * number // BINS for number in range(BINS + 1)]
    return [own for first, last in pairwise(cuts) if (own := ordered[first:last])]


def _bin(own: Sequence[Decided]) -> dict[str, Any]:
    interval = _interval([float(one.right) for one in own], [one.day for one in own])
    return {
        "from": own[0].strength,
        "to": own[-1].strength,
        "calls": len(own),
        "right": sum(one.right for one in own),
        "interval": [round(one, 4) for one in interval] if interval else None,
    }


def _interval(values: Sequence[float], days: Sequence[date]) -> tuple[float, float] | None:
    """Return the 95 % interval of a mean; None with too few windows that share no day."""
    windows = disjoint_windows((day, day + timedelta(weeks=BLOCK)) for day in days)
    if windows < LEAST_WINDOWS:
        return None
    found = mean_by_day(days, np.array(values), windows // 2)
    return found.low, found.high


def _rate(calls: Sequence[Decided]) -> float:
    return sum(one.right for one in calls) / len(calls)


def _mean(values: Any) -> float:
    found = list(values)
    return sum(found) / len(found)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", help="A snapshot folder, such as one that `tradingagents data record` fills.")
    parser.add_argument("--most", type=int, default=5000, help="Stock-weeks to decide on.")
    parser.add_argument("--seed", type=int, default=11, help="Of the sample.")
    parser.add_argument("--benchmark", default="SPY", help="What a stock is held against.")
    parser.add_argument("--write", action="store_true", help="Put the table into the package.")
    return parser.parse_args()


if __name__ == "__main__":
    main()
