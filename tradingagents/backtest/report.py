"""The report of a backtest in Markdown, and the files that it leaves."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.backtest.contamination.section import contamination_section
from tradingagents.backtest.strategies import DECISIONS, HELD
from tradingagents.backtest.variants.decided import TITLES
from tradingagents.reports.model_text import harmless_markdown

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
    **{name: title for name, title in TITLES.items() if name != DECISIONS},
}

ENOUGH = 0.95
"""Probability above which a result, discounted for the number of trials, counts as more than chance."""
CONVENTIONS = (
    "Returns are after commission, spread and impact; of the decisions after the models too. CAGR and ratios count "
    "252 sessions a year. Gap: mean return beyond buy and hold, of a year, or over the period where that is shorter, "
    "with its 95 % interval (paired). At equal exposure: the same beyond buy and hold with as "
    "much cash as the strategy had. Baselines without decisions are fully invested and obey no limits."
)


def backtest_report(record: Mapping[str, Any]) -> str:
    """Return the report in Markdown."""
    request, strategies = record["request"], record["strategies"]
    title = f"# Backtest of {', '.join(request['tickers'][:8])}{' …' if len(request['tickers']) > 8 else ''}"
    period = f"{record['first_session']} to {record['last_session']}, {record['sessions']} sessions"
    how = f"a decision every {request['every']} sessions, filled at the next open; weights: {request['scheme']}"
    plan = plan_line(record)
    parts = [
        title,
        f"{period}; {how}.",
        plan,
        f"**{verdict(record)}**",
        "## Strategies",
        _strategy_table(record),
        CONVENTIONS,
        "## Variants and choice",
        choice_lines(record),
        ranking_table(record),
        "## Tickers",
        ticker_table(record),
        holm_table(record),
        "## Decisions",
        _decision_lines(record),
        _reliability_table(record["decisions"]),
        *(["## What the models may remember", remembered] if (remembered := contamination_section(record)) else []),
        "## Costs",
        _cost_table(strategies),
        "## Mind",
        "\n".join(f"- {one}" for one in record["warnings"]),
    ]
    return harmless_markdown("\n\n".join(one for one in parts if one) + "\n")


def plan_line(record: Mapping[str, Any]) -> str:
    """Say whether the test was planned and sealed before."""
    planned = record["planned"]
    if planned is None:
        return "There was no sealed plan: which test this is could have been chosen after its result was known."
    seen = f"an edge of {percent(planned['edge'])} a year with probability {percent(planned['power'])}"
    return f"Sealed plan `{record['plan_hash']}` of {planned['made_at']}: to see {seen}."


def span(record: Mapping[str, Any]) -> tuple[float, str]:
    """Return what a yearly difference is multiplied by to be stated, and the span that it then covers, in words.

    A test of less than a year states what it saw over its sessions: nothing shows that a year would go on like that.
    """
    sessions: int = record["sessions"]
    if sessions >= SESSIONS_PER_YEAR:
        return 1.0, "a year"
    return sessions / SESSIONS_PER_YEAR, f"over the {sessions} sessions"


def verdict(record: Mapping[str, Any]) -> str:
    """Say whether the decisions helped, as far as the test can tell."""
    scale, words = span(record)
    own, held = record["strategies"][DECISIONS], record["strategies"][HELD]
    gained = (
        f"The decisions made {percent(own['total_return'])} with {percent(own['exposure'])} invested on average, "
        f"buy and hold {percent(held['total_return'])} with {percent(held['exposure'])}."
    )
    matched, power = own["ci_equal_exposure"], record["power"]
    if matched is None or power is None:
        return f"{gained} There are too few sessions, or too few differences, for a test."
    gap = f"At equal exposure that is {percent(scale * matched['difference'])} {words} beyond buy and hold"
    edge = record["choice"]["edge"]
    if matched["low"] > 0 and edge is not None and edge["deflated"] < ENOUGH:
        judged = f"{gap}, but the best of {record['choice']['trials']} trials would show as much by chance."
    elif matched["low"] > 0:
        judged = f"{gap}, more than chance explains at 5 %."
    elif matched["high"] < 0:
        judged = f"{gap}: worse by more than chance explains."
    else:
        judged = f"{gap}, which chance explains."
    seen = percent(scale * power["smallest_edge"])
    return f"{gained} {judged} The smallest edge that this test could have seen (80 % power) is {seen} {words}."


def title_of(name: str) -> str:
    """Return a strategy's name for people."""
    scheme = name.removeprefix("weights_")
    return f"Decisions, weights {scheme.replace('_', ' ')}" if scheme != name else NAMES.get(name, name)


def choice_lines(record: Mapping[str, Any]) -> str:
    """Say what choosing among trials leaves of the result, and what repeats differ by."""
    choice, repeats = record["choice"], record["repeats"]
    declared = "none declared" if choice["declared"] is None else f"{choice['declared']} declared"
    shown = choice.get("seen", len(choice["variants"]))  # results of earlier versions know their own alone
    seen = f"{shown} seen here and in other backtests of the same tickers and period"
    lines = [f"- Trials: {choice['trials']} ({declared}; {seen}; the larger number counts)."]
    for key, what in (("sharpe", "Sharpe ratio"), ("edge", "Ratio of the gap at equal exposure")):
        if (one := choice[key]) is not None:
            needed = one["track_record_needed"]
            enough = "" if needed is None else f"; {needed} sessions would make it credible"
            lines.append(
                f"- {what}: {number(one['ratio'])} a year; above 0 with probability {percent(one['probabilistic'])}, "
                f"above the best of chance ({number(one['best_of_chance'])}) with {percent(one['deflated'])}{enough}."
            )
    for key, what in (("overfitting", "the trials"), ("overfitting_strategies", "all rows of the table")):
        if choice[key] is not None:
            lines.append(f"- Probability of overfitting when choosing among {what}: {percent(choice[key])}.")
    flips = f"Flip rate {percent(repeats['flip_rate'])}, pairs that agree {percent(repeats['agreement'])}"
    scale, words = span(record)
    noise = repeats["noise_floor"]
    floor = f"noise floor {percent(None if noise is None else scale * noise)} {words}"
    lines.append(f"- Repeats: {repeats['repeats']}. {repeats['note']} {flips}, {floor}.")
    return "\n".join(lines)


def ranking_table(record: Mapping[str, Any]) -> str:
    """Return the variants in order; empty where there is only one."""
    if len(record["ranking"]) < 2:
        return ""
    scale, words = span(record)
    lines = [
        f"| Rank | Variant | Gap at equal exposure, {words} | Smallest edge seen | Made |",
        "|---:|---|---:|---:|---:|",
    ]
    for one in record["ranking"]:
        known = record["variants"].get(one["name"])
        made = "" if known is None else f"{known['coverage']['made']} of {known['coverage']['wanted']}"
        test = one if one["low"] is not None else None
        cells = [str(one["rank"] or "-"), title_of(one["name"]), interval(test, scale), smallest(test, scale) or "-"]
        lines.append(f"| {' | '.join([*cells, made])} |")
    return "\n".join(lines)


def ticker_table(record: Mapping[str, Any]) -> str:
    """Return cumulative and annual return, Sharpe ratio and drawdown by ticker and strategy, as papers print them."""
    strategies, (scale, words) = record["strategies"], span(record)
    shown = {name: one["tickers"] for name, one in strategies.items() if one["tickers"]}
    tickers = list(next(iter(shown.values()), {}))
    label = "ARR" if any(one["annual_return"] is not None for one in strategies.values()) else "ARR, extrapolated"
    lines = [
        f"| Ticker | Strategy | CR | {label} | SR | MDD | Gap at equal exposure, {words} | Smallest edge seen |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for ticker in tickers:
        for name, scores in shown.items():
            one = scores[ticker]
            test = one["ci_equal_exposure"]
            figures = (percent(one["total_return"]), percent(yearly(one)), number(one["sharpe"]))
            rest = (percent(one["max_drawdown"]), interval(test, scale), smallest(test, scale))
            lines.append(f"| {ticker} | {title_of(name)} | {' | '.join([*figures, *rest])} |")
    return "\n".join(lines)


def yearly(one: Mapping[str, Any]) -> float | None:
    """Return a strategy's annual return; of less than a year the extrapolated one, which has to be labelled so."""
    found: float | None = one["annual_return"]
    extrapolated: float | None = one["extrapolated_annual_return"]
    return extrapolated if found is None else found


def holm_table(record: Mapping[str, Any]) -> str:
    """Return the tests of each ticker, corrected for their number; empty where there is none."""
    tests = record["choice"]["tickers"]
    if not tests:
        return ""
    beating = [ticker for ticker, one in tests.items() if one["beats"]]
    said = f"After Holm's procedure over {len(tests)} tickers, the decisions beat buy and hold at equal exposure on"
    names = ", ".join(beating) if beating else "none"
    lines = [f"{said} {names}.", "", "| Ticker | p | p, adjusted |", "|---|---:|---:|"]
    lines += [f"| {name} | {one['p_value']:.3f} | {one['adjusted']:.3f} |" for name, one in tests.items()]
    return "\n".join(lines)


def _reliability_table(found: Mapping[str, Any]) -> str:
    if not found["reliability"]:
        return ""
    lines = ["| Confidence | Calls | Stated, mean | Right |", "|---|---:|---:|---:|"]
    for one in found["reliability"]:
        bounds = f"{percent(one['low'])} to {percent(one['high'])}"
        lines.append(f"| {bounds} | {one['calls']} | {percent(one['confidence'])} | {percent(one['right'])} |")
    return "\n".join(lines)


def _strategy_table(record: Mapping[str, Any]) -> str:
    strategies, (scale, words) = record["strategies"], span(record)
    short = all(one["annual_return"] is None for one in strategies.values())
    cagr, calmar = ("CAGR, extrapolated", "Calmar") if short else ("CAGR", "Calmar")
    names = (
        "Strategy",
        "Return",
        cagr,
        "Volatility",
        "Sharpe",
        "Sortino",
        "Drawdown",
        calmar,
        "Exposure",
        f"Gap, {words}",
    )
    head = f"| {' | '.join(names)} | At equal exposure | Smallest edge seen |"
    lines = [head, "|---|" + "---:|" * 11]
    for strategy, one in strategies.items():
        figures = [
            *(percent(value) for value in (one["total_return"], yearly(one), one["annual_volatility"])),
            *(number(one[key]) for key in ("sharpe", "sortino")),
            *(percent(one["max_drawdown"]), number(one["calmar"]), percent(one["exposure"])),
            *(interval(one[name], scale) for name in ("ci", "ci_equal_exposure")),
            smallest(one["ci_equal_exposure"], scale),
        ]
        lines.append(f"| {title_of(strategy)} | {' | '.join(figures)} |")
    return "\n".join(lines)


def _decision_lines(record: Mapping[str, Any]) -> str:
    found, coverage = record["decisions"], record["coverage"]
    actions = ", ".join(f"{count} {name}" for name, count in found["actions"].items()) or "none"
    wanted = f"{coverage['made']} of {coverage['wanted']} ({percent(coverage['share'])})"
    right = f"{percent(found['hit_rate'])} were right about the direction"
    chance = f"the same calls on random tickers and days: {percent(found['hit_rate_by_chance'])}"
    if found.get("beyond_chance") is not None:
        chance += f"; beyond chance: {percent(found['beyond_chance'])}{_between(found, 'beyond_chance', percent)}"
    brier = f"{number(found['brier'])}{_between(found, 'brier', number)} (0.25: always saying 50 %)"
    off = percent(found["calibration_error"])
    ranks = f"{number(found['rank_ic'])}{_between(found, 'rank_ic', number)} over {found['ic_days']} days"
    lines = [
        f"- Made: {wanted}; NO_DECISION {coverage['no_decision']}, failed {coverage['failed']}.",
        f"- Actions: {actions}.",
        f"- Of {found['calls']} calls to buy or sell, {right} until the next decision; {chance}.",
        f"- Brier score {brier}; mean distance of confidence from the share right: {off}.",
        f"- Rank correlation of signed confidence with the later return: {ranks}.",
        *(f"- {count} failed: {why}" for why, count in coverage["reasons"].items()),
    ]
    return "\n".join(lines)


def _between(found: Mapping[str, Any], name: str, shown: Callable[[float | None], str]) -> str:
    """Return an interval and the smallest distance that the days could have shown, or why there is none."""
    one = found["ci"][name]
    if one is None:
        why = found.get("no_interval", {}).get(name, "")
        return f" ({why})" if why else ""
    return f" ({shown(one['low'])} to {shown(one['high'])}; smallest edge seen {shown(one['smallest_edge'])})"


def _cost_table(strategies: Mapping[str, Any]) -> str:
    head = "| Strategy | Turnover a year | Commissions | Spread and impact | Models | Dividends | Clamps | Not filled |"
    lines = [head, "|---|" + "---:|" * 7]
    for name, one in strategies.items():
        amounts = [f"{one[key]:,.2f}" for key in ("commissions", "slippage", "model_cost", "dividends")]
        rest = [str(one["clamps"]), str(sum(one["unfilled"].values()))]
        lines.append(f"| {title_of(name)} | {' | '.join([percent(one['turnover']), *amounts, *rest])} |")
    return "\n".join(lines)


def interval(test: Mapping[str, Any] | None, scale: float) -> str:
    """Return a difference with its interval; empty for none.

    Args:
        scale: See `span`.
    """
    if test is None:
        return ""
    value, low, high = (percent(scale * test[name]) for name in ("difference", "low", "high"))
    return f"{value} ({low} to {high})"


def smallest(test: Mapping[str, Any] | None, scale: float) -> str:
    """Return the smallest edge that a test could have seen; empty for none."""
    return "" if test is None else percent(scale * test["smallest_edge"])


def percent(value: float | None) -> str:
    """Return a fraction in percent; a dash for none."""
    return "-" if value is None else f"{100 * value:.1f} %"


def number(value: float | None) -> str:
    """Return a number with two decimals; a dash for none."""
    return "-" if value is None else f"{value:.2f}"
