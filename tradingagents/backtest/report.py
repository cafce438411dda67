"""The report of a backtest in Markdown, and the files that it leaves."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tradingagents.backtest.run import Backtest
from tradingagents.backtest.strategies import DECISIONS, HELD
from tradingagents.reports.model_text import harmless_markdown
from tradingagents.store.atomic import as_json, replace_whole, write_whole, writing

FOLDER = "backtests"
NAMES = {
    "decisions": "Decisions",
    "buy_and_hold": "Buy and hold",
    "equal_weight": "Equal weight, monthly",
    "always_buy": "Always buy",
    "random": "Random (decisions shuffled)",
    "macd": "MACD",
    "kdj_rsi": "KDJ & RSI",
    "zmr": "ZMR",
    "sma": "SMA cross",
    "momentum": "Momentum 12-1",
    "benchmark": "Benchmark fund",
    "60_40": "60/40",
    "sector_funds": "Sector funds",
}

CONVENTIONS = (
    "Returns are after commission, spread and impact; of the decisions after the models too. CAGR and ratios count "
    "252 sessions a year. Gap: yearly mean return beyond buy and hold, with its 95 % interval (paired stationary "
    "bootstrap). At equal exposure: the same beyond buy and hold with as much cash as the strategy had. Baselines "
    "without decisions are fully invested and obey no limits."
)


def write_backtest(home: Path, found: Backtest) -> Path:
    """Write result, report, page, ledger, decisions, trades and equity of a backtest, and return their folder.

    Raises:
        HomeNotWritable: They cannot be written.
    """
    from tradingagents.backtest.pages.files import page_files  # the renderer is loaded for files only

    folder = home / FOLDER / str(found.record["id"])
    with writing(home):
        write_whole(folder / "report.md", backtest_report(found.record))
        write_whole(folder / "equity.csv", equity_table(found))
        for name, content in page_files(found).items():
            write_whole(folder / name, content)
        write_whole(folder / "decisions.jsonl", decision_lines(found))
        replace_whole(folder / "ledger.jsonl", found.accounts[DECISIONS].ledger.content)
        write_whole(folder / "result.json", as_json(found.record))
    return folder


def decision_lines(found: Backtest) -> str:
    """Return the decisions as JSON, one a line by day and ticker, and the reason where there is none."""
    made, missing = found.decided, found.missing
    lines = {one: stored.to_json() for one, stored in made.items()} | {
        (ticker, day): {"ticker": ticker, "day": day.isoformat(), "decision": None, "reason": why}
        for (ticker, day), why in missing.items()
    }
    ordered = sorted(lines, key=lambda one: (one[1], one[0]))
    return "".join(f"{json.dumps(lines[one], sort_keys=True, ensure_ascii=False)}\n" for one in ordered)


def equity_table(found: Backtest) -> str:
    """Return the equity of every strategy at each close as CSV."""
    names = list(found.accounts)
    days = found.accounts[names[0]].days
    rows = [
        ",".join([day.isoformat(), *(f"{found.accounts[name].equity[place]:.2f}" for name in names)])
        for place, day in enumerate(days)
    ]
    return "\n".join([",".join(["date", *names]), *rows]) + "\n"


def backtest_report(record: Mapping[str, Any]) -> str:
    """Return the report in Markdown."""
    request, strategies = record["request"], record["strategies"]
    title = f"# Backtest of {', '.join(request['tickers'][:8])}{' …' if len(request['tickers']) > 8 else ''}"
    period = f"{record['first_session']} to {record['last_session']}, {record['sessions']} sessions"
    how = f"a decision every {request['every']} sessions, filled at the next open; weights: {request['scheme']}"
    parts = [
        title,
        f"{period}; {how}.",
        f"**{verdict(record)}**",
        "## Strategies",
        _strategy_table(strategies),
        CONVENTIONS,
        "## Decisions",
        _decision_lines(record),
        "## Costs",
        _cost_table(strategies),
        "## Mind",
        "\n".join(f"- {one}" for one in record["warnings"]),
    ]
    return harmless_markdown("\n\n".join(parts) + "\n")


def verdict(record: Mapping[str, Any]) -> str:
    """Say whether the decisions helped, as far as the test can tell."""
    own, held = record["strategies"][DECISIONS], record["strategies"][HELD]
    gained = (
        f"The decisions made {percent(own['total_return'])} with {percent(own['exposure'])} invested on average, "
        f"buy and hold {percent(held['total_return'])} with {percent(held['exposure'])}."
    )
    matched, power = own["ci_equal_exposure"], record["power"]
    if matched is None or power is None:
        return f"{gained} There are too few sessions, or too few differences, for a test."
    gap = f"At equal exposure that is {percent(matched['difference'])} a year beyond buy and hold"
    if matched["low"] > 0:
        judged = f"{gap}, more than chance explains at 5 %."
    elif matched["high"] < 0:
        judged = f"{gap}: worse by more than chance explains."
    else:
        judged = f"{gap}, which chance explains."
    edge = percent(power["smallest_edge"])
    return f"{gained} {judged} The smallest edge that this test could have seen (80 % power) is {edge} a year."


def _strategy_table(strategies: Mapping[str, Any]) -> str:
    names = ("Strategy", "Return", "CAGR", "Volatility", "Sharpe", "Sortino", "Drawdown", "Calmar", "Exposure", "Gap")
    head = f"| {' | '.join(names)} | At equal exposure |"
    lines = [head, "|---|" + "---:|" * 10]
    for name, one in strategies.items():
        figures = [
            *(percent(one[key]) for key in ("total_return", "annual_return", "annual_volatility")),
            *(number(one[key]) for key in ("sharpe", "sortino")),
            *(percent(one["max_drawdown"]), number(one["calmar"]), percent(one["exposure"])),
            *(interval(one["ci"]), interval(one["ci_equal_exposure"])),
        ]
        lines.append(f"| {NAMES[name]} | {' | '.join(figures)} |")
    return "\n".join(lines)


def _decision_lines(record: Mapping[str, Any]) -> str:
    found, coverage = record["decisions"], record["coverage"]
    actions = ", ".join(f"{count} {name}" for name, count in found["actions"].items()) or "none"
    wanted = f"{coverage['made']} of {coverage['wanted']} ({percent(coverage['share'])})"
    right = f"{percent(found['hit_rate'])} were right about the direction until the next decision"
    brier = f"Brier score {number(found['brier'])} (0.25: always saying 50 %)"
    ranks = f"{number(found['rank_ic'])} over {found['ic_days']} days"
    lines = [
        f"- Made: {wanted}; NO_DECISION {coverage['no_decision']}, failed {coverage['failed']}.",
        f"- Actions: {actions}.",
        f"- Of {found['calls']} calls to buy or sell, {right}; {brier}.",
        f"- Rank correlation of signed confidence with the later return: {ranks}.",
        *(f"- {count} failed: {why}" for why, count in coverage["reasons"].items()),
    ]
    return "\n".join(lines)


def _cost_table(strategies: Mapping[str, Any]) -> str:
    head = "| Strategy | Turnover a year | Commissions | Spread and impact | Models | Dividends | Clamps | Not filled |"
    lines = [head, "|---|" + "---:|" * 7]
    for name, one in strategies.items():
        amounts = [f"{one[key]:,.2f}" for key in ("commissions", "slippage", "model_cost", "dividends")]
        rest = [str(one["clamps"]), str(sum(one["unfilled"].values()))]
        lines.append(f"| {NAMES[name]} | {' | '.join([percent(one['turnover']), *amounts, *rest])} |")
    return "\n".join(lines)


def interval(test: Mapping[str, Any] | None) -> str:
    """Return a difference with its interval; empty for none."""
    if test is None:
        return ""
    return f"{percent(test['difference'])} ({percent(test['low'])} to {percent(test['high'])})"


def smallest(test: Mapping[str, Any] | None) -> str:
    """Return the smallest yearly edge that a test could have seen; empty for none."""
    return "" if test is None else percent(test["smallest_edge"])


def percent(value: float | None) -> str:
    """Return a fraction in percent; a dash for none."""
    return "-" if value is None else f"{100 * value:.1f} %"


def number(value: float | None) -> str:
    """Return a number with two decimals; a dash for none."""
    return "-" if value is None else f"{value:.2f}"
