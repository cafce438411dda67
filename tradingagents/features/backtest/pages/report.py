"""The report of a backtest in Markdown; the page shows some of its sentences and tables, too."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tradingagents.analytics.performance.paired import LEAST_SESSIONS, untested_because
from tradingagents.features.backtest.contamination.backtest_split import contamination_section
from tradingagents.features.backtest.pages.verdict import benchmark_of, stated_return, verdict
from tradingagents.features.backtest.pages.wording import (
    brier_score,
    interval,
    money,
    number,
    percent,
    ratio_basis,
    smallest,
    span,
    title_of,
    yearly,
)
from tradingagents.features.backtest.strategies import DECISIONS, HELD
from tradingagents.reports.model_text import harmless_markdown

CONVENTIONS = (
    "Returns are total returns, dividends and interest on cash included, after commission, spread and impact; of the "
    "decisions after the models too. CAGR and ratios count 252 sessions a year. Gap: mean return beyond buy and hold, "
    "of a year, or over the period where that is shorter, with its 95 % interval (paired). At "
    "equal exposure: the same beyond buy and hold with as much cash as the strategy had. Baselines without decisions "
    "are fully invested and obey no limits."
)


TICKERS_ALONE = (
    "Each ticker in an account of its own, as papers print it: cumulative return (CR), annual return (ARR, as CAGR "
    "above), Sharpe ratio (SR, as above) and deepest drawdown (MDD)."
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
        f"**{verdict(record)}**",
        f"{period}; {how}.",
        plan,
        random_line(record),
        "## Strategies",
        _strategy_table(record),
        untested_line(record),
        conventions(record),
        *_benchmark_parts(record),
        "## Variants and choice",
        choice_lines(record),
        ranking_table(record),
        unranked_line(record),
        "## Tickers",
        TICKERS_ALONE,
        ticker_table(record),
        untested_tickers(record),
        holm_table(record),
        "## Decisions",
        _decision_lines(record),
        _reliability_table(record["decisions"]),
        *(["## What the models may remember", remembered] if (remembered := contamination_section(record)) else []),
        "## Costs",
        _cost_table(strategies),
        exits_line(record),
        "## Mind",
        "\n".join(f"- {warning}" for warning in record["warnings"]),
    ]
    return harmless_markdown("\n\n".join(part for part in parts if part) + "\n")


def conventions(record: Mapping[str, Any]) -> str:
    """Say what the figures of all tables mean, and what bills the ratios are beyond."""
    bills = record.get("bills")  # earlier versions counted with none
    if bills is None:
        return f"{CONVENTIONS} No bill rate is known: cash earned nothing, and ratios are of plain returns."
    _, words = span(record)
    earned = (
        f"at a rate of {percent(bills['mean_rate'])} a year on average ({bills['source']}), which with interest on "
        f"interest is {percent(stated_return(record, bills))} {words}"
    )
    return (
        f"{CONVENTIONS} Sharpe, Sortino and all probabilities made of them are beyond bills: of each session's return "
        f"less what bills made over it, {earned}. Cash earned the same."
    )


def random_line(record: Mapping[str, Any]) -> str:
    """Say what the random deciders made; empty where there are none."""
    found = record.get("random_deciders")
    if found is None or found["percentile"] is None:
        return ""
    quantiles = found["quantiles"]
    few = f", {found['different']} of them different" if found["different"] < found["draws"] / 2 else ""
    return (
        f"Random deciders: {found['draws']} accounts with the same decisions, exchanged between tickers and rotated in "
        f"time{few}; their return is {percent(quantiles['5'])} to {percent(quantiles['95'])} for 90 of 100, "
        f"{percent(quantiles['50'])} in the middle, that of the decisions {percent(found['total_return'])} without the "
        f"cost of models (one-sided p {found['p_value']:.3f}). In the middle they trade "
        f"{number(found['turnover_ratio'])} times and are invested {number(found['exposure_ratio'])} times as much as "
        "the decisions."
    )


def plan_line(record: Mapping[str, Any]) -> str:
    """Say whether the test was planned and sealed before."""
    planned = record["planned"]
    if planned is None:
        return "There was no sealed plan: which test this is could have been chosen after its result was known."
    seen = f"an edge of {percent(planned['edge'])} a year with probability {percent(planned['power'])}"
    return f"Sealed plan `{record['plan_hash']}` of {planned['made_at']}: to see {seen}."


def choice_lines(record: Mapping[str, Any]) -> str:
    """Say what choosing among trials leaves of the result, and what repeats differ by."""
    choice, repeats = record["choice"], record["repeats"]
    declared = "none declared" if choice["declared"] is None else f"{choice['declared']} declared"
    shown = choice.get("seen", len(choice["variants"]))  # results of earlier versions know their own alone
    seen = f"{shown} seen here and in {_backtests(choice.get('looks', 0))} of this home that share tickers and days"
    lines = [f"- Trials: {choice['trials']} ({declared}; {seen}; the larger number counts).", *_look_lines(choice)]
    for key, what in (
        ("sharpe", f"Sharpe ratio {ratio_basis(record)}"),
        ("edge", "Ratio of the gap at equal exposure"),
    ):
        if (ratio := choice[key]) is not None:
            needed = ratio["track_record_needed"]
            enough = "" if needed is None else f"; above 0 with 95 % from {needed} sessions like these on"
            lines.append(
                f"- {what}: {number(ratio['ratio'])} a year; above 0 with probability "
                f"{percent(ratio['probabilistic'])}, above the best of chance ({number(ratio['best_of_chance'])}) with "
                f"{percent(ratio['deflated'])}{enough}."
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


def _look_lines(choice: Mapping[str, Any]) -> list[str]:
    """Name the nearest looks at the same idea, and say what is not counted; results of earlier versions have none."""
    near = [
        f"`{look['id']}` ({look['start']} to {look['end']}, {_first(look['shared'])}; other: "
        f"{', '.join(look['differs'])}; trials: {look['trials']})"
        for look in choice.get("nearest") or ()
    ]
    elsewhere = choice.get("elsewhere", 0)
    return [
        *([f"- Nearest looks at the same idea, each counted whole: {'; '.join(near)}."] if near else []),
        *([f"- Not counted: {_backtests(elsewhere)} with some of the tickers in other periods."] if elsewhere else []),
    ]


def _first(names: Sequence[str]) -> str:
    """Return the first few names, and how many more there are."""
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")


def _backtests(count: int) -> str:
    return f"{count} other backtest{'' if count == 1 else 's'}"


BENCHMARK_HEAD = ("Strategy", "Beyond bills, mean", "Alpha", "t of alpha", "Beta", "Information ratio")


def benchmark_rows(record: Mapping[str, Any]) -> list[tuple[str, ...]]:
    """Return what each strategy made beyond bills and beyond its share of the benchmark fund, as `BENCHMARK_HEAD`.

    Empty where there is no benchmark fund, too few sessions, or a result of an earlier version.
    """
    scale, _ = span(record)
    rows = list[tuple[str, ...]]()
    for name, score in record["strategies"].items():
        found = score.get("regression") or {"alpha": None}
        if found["alpha"] is not None:
            alpha, low, high = (percent(scale * found[key]) for key in ("alpha", "alpha_low", "alpha_high"))
            ratio = f"{number(found['information_ratio'])} ({number(found['information_low'])} to "
            rows.append(
                (
                    title_of(name),
                    percent(None if score["beyond_bills"] is None else scale * score["beyond_bills"]),
                    f"{alpha} ({low} to {high})",
                    number(found["alpha_t"]),
                    f"{number(found['beta'])} ({number(found['beta_low'])} to {number(found['beta_high'])})",
                    f"{ratio}{number(found['information_high'])})",
                )
            )
    return rows


def benchmark_line(record: Mapping[str, Any]) -> str:
    """Say what the rows of `benchmark_rows` mean, or why there are none; empty for results of earlier versions."""
    reasons = [found["reason"] for score in record["strategies"].values() if (found := score.get("regression"))]
    if not reasons:
        return ""
    if all(reasons):
        return f"Alpha and beta: {reasons[0]}."
    _, words = span(record)
    return (
        f"Against the benchmark fund {benchmark_of(record)}".rstrip() + f", {words}: returns beyond bills as alpha "
        "plus beta times those of the fund, with 95 % intervals (Newey and West). They are means of the sessions, not "
        "compounded, so that the column Beyond bills differs from the first sentence of this report. Alpha counts what "
        "the choice of the tickers made, too, as the row Buy and hold shows: what the decisions added to that is the "
        "difference at equal exposure."
    )


def _benchmark_parts(record: Mapping[str, Any]) -> list[str]:
    rows = benchmark_rows(record)
    head = [f"| {' | '.join(BENCHMARK_HEAD)} |", "|---|" + "---:|" * (len(BENCHMARK_HEAD) - 1)]
    table = "\n".join([*head, *(f"| {' | '.join(row)} |" for row in rows)]) if rows else ""
    return [benchmark_line(record), table]


def ranking_table(record: Mapping[str, Any]) -> str:
    """Return the variants in order; empty where there is only one."""
    if len(record["ranking"]) < 2:
        return ""
    scale, words = span(record)
    lines = [
        f"| Rank | Variant | Gap at equal exposure, {words} | Smallest edge seen | Made |",
        "|---:|---|---:|---:|---:|",
    ]
    for row in record["ranking"]:
        known = record["variants"].get(row["name"])
        made = "" if known is None else f"{known['coverage']['made']} of {known['coverage']['wanted']}"
        test = row if row["low"] is not None else None
        cells = [str(row["rank"] or "-"), title_of(row["name"]), interval(test, scale), smallest(test, scale) or "-"]
        lines.append(f"| {' | '.join([*cells, made])} |")
    return "\n".join(lines)


def untested_line(record: Mapping[str, Any]) -> str:
    """Say why gaps of some strategies have no test, each reason once; empty where all have one."""
    others = {name: score for name, score in record["strategies"].items() if name != HELD}
    names = {
        what: [title_of(name) for name, score in others.items() if score[key] is None]
        for what, key in (("gap", "ci"), ("gap at equal exposure", "ci_equal_exposure"))
    }
    if record["sessions"] <= LEAST_SESSIONS:
        return f"No gap is tested: {_untested(record)}."
    missing = [f"the {what} of {', '.join(found)}" for what, found in names.items() if found]
    return f"Not tested: {'; '.join(missing)}: {_untested(record)}." if missing else ""


def unranked_line(record: Mapping[str, Any]) -> str:
    """Say why variants in `ranking_table` have no interval; empty where all have one."""
    names = [title_of(row["name"]) for row in record["ranking"] if row["low"] is None]
    if len(record["ranking"]) < 2 or not names:
        return ""
    return f"No interval of {', '.join(names)}: {_untested(record)}."


def untested_tickers(record: Mapping[str, Any]) -> str:
    """Say why cells of `ticker_table` have no test; empty where all have one."""
    strategies = [strategy for name, strategy in record["strategies"].items() if name != HELD]
    scores = [score for strategy in strategies for score in strategy["tickers"].values()]
    missing = sum(score["ci_equal_exposure"] is None for score in scores)
    return f"No gap at equal exposure in {missing} of {len(scores)} rows: {_untested(record)}." if missing else ""


def _untested(record: Mapping[str, Any]) -> str:
    return untested_because(record["sessions"] - 1)  # nothing is held during the first


def ticker_table(record: Mapping[str, Any]) -> str:
    """Return cumulative and annual return, Sharpe ratio and drawdown by ticker and strategy, as papers print them."""
    strategies, (scale, words) = record["strategies"], span(record)
    shown = {name: score["tickers"] for name, score in strategies.items() if score["tickers"]}
    tickers = list(next(iter(shown.values()), {}))
    label = "ARR" if any(score["annual_return"] is not None for score in strategies.values()) else "ARR, extrapolated"
    lines = [
        f"| Ticker | Strategy | CR | {label} | SR | MDD | Gap at equal exposure, {words} | Smallest edge seen |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ]
    for ticker in tickers:
        for name, scores in shown.items():
            score = scores[ticker]
            test = score["ci_equal_exposure"]
            figures = (percent(score["total_return"]), percent(yearly(score)), number(score["sharpe"]))
            rest = (percent(score["max_drawdown"]), interval(test, scale), smallest(test, scale))
            lines.append(f"| {ticker} | {title_of(name)} | {' | '.join([*figures, *rest])} |")
    return "\n".join(lines)


def holm_table(record: Mapping[str, Any]) -> str:
    """Return the tests of each ticker, corrected for their number; empty where there is none."""
    tests = record["choice"]["tickers"]
    if not tests:
        return ""
    beating = [ticker for ticker, test in tests.items() if test["beats"]]
    said = f"After Holm's procedure over {len(tests)} tickers, the decisions beat buy and hold at equal exposure on"
    names = ", ".join(beating) if beating else "none"
    lines = [f"{said} {names}.", "", "| Ticker | p | p, adjusted |", "|---|---:|---:|"]
    lines += [f"| {name} | {test['p_value']:.3f} | {test['adjusted']:.3f} |" for name, test in tests.items()]
    return "\n".join(lines)


def _reliability_table(found: Mapping[str, Any]) -> str:
    if not found["reliability"]:
        return ""
    lines = ["| Confidence | Calls | Stated, mean | Right |", "|---|---:|---:|---:|"]
    for calls in found["reliability"]:
        bounds = f"{percent(calls['low'])} to {percent(calls['high'])}"
        lines.append(f"| {bounds} | {calls['calls']} | {percent(calls['confidence'])} | {percent(calls['right'])} |")
    return "\n".join(lines)


def _strategy_table(record: Mapping[str, Any]) -> str:
    strategies, (scale, words) = record["strategies"], span(record)
    short = all(score["annual_return"] is None for score in strategies.values())
    names = (
        "Strategy",
        "Return",
        "CAGR, extrapolated" if short else "CAGR",
        "Volatility",
        f"Sharpe {ratio_basis(record)}",
        f"Sortino {ratio_basis(record)}",
        "Drawdown",
        "Calmar",
        "Invested",
        f"Gap, {words}",
    )
    head = f"| {' | '.join(names)} | At equal exposure | Smallest edge seen |"
    lines = [head, "|---|" + "---:|" * 11]
    for strategy, score in strategies.items():
        figures = [
            *(percent(value) for value in (score["total_return"], yearly(score), score["annual_volatility"])),
            *(number(score[key]) for key in ("sharpe", "sortino")),
            *(percent(score["max_drawdown"]), number(score["calmar"]), percent(score["exposure"])),
            *(interval(score[name], scale) for name in ("ci", "ci_equal_exposure")),
            smallest(score["ci_equal_exposure"], scale),
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
    brier = f"{brier_score(found['brier'])}{_between(found, 'brier', brier_score)} (0.25: always saying 50 %)"
    off = percent(found["calibration_error"])
    ranks = f"{number(found['rank_ic'])}{_between(found, 'rank_ic', number)}"
    lines = [
        f"- Made: {wanted}; NO_DECISION {coverage['no_decision']}, failed {coverage['failed']}.",
        f"- Actions: {actions}.",
        f"- Of {found['calls']} calls to buy or sell, {right} until the next decision; {chance}.",
        f"- Brier score {brier}; mean distance of confidence from the share right: {off}.",
        (
            f"- Rank correlation of signed confidence with the later return: {ranks} over {found['ic_days']} days on "
            "which decisions differ."
        ),
        *(f"- {count} failed: {why}" for why, count in coverage["reasons"].items()),
    ]
    return "\n".join(lines)


def _between(found: Mapping[str, Any], name: str, shown: Callable[[float | None], str]) -> str:
    """Return an interval and the smallest distance that the days could have shown, or why there is none."""
    mean = found["ci"][name]
    if mean is None:
        why = found.get("no_interval", {}).get(name, "")
        return f" ({why})" if why else ""
    return f" ({shown(mean['low'])} to {shown(mean['high'])}; smallest edge seen {shown(mean['smallest_edge'])})"


def _cost_table(strategies: Mapping[str, Any]) -> str:
    amounts = "Commissions | Spread and impact | Models | Dividends | Interest"
    lines = [f"| Strategy | Turnover a year | {amounts} | Clamps | Not filled |", "|---|" + "---:|" * 8]
    paid = ("commissions", "slippage", "model_cost", "dividends", "interest")
    for name, score in strategies.items():
        sums = [money(score.get(key)) for key in paid]
        rest = [str(score["clamps"]), str(sum(score["unfilled"].values()))]
        lines.append(f"| {title_of(name)} | {' | '.join([percent(score['turnover']), *sums, *rest])} |")
    return "\n".join(lines)


def exits_line(record: Mapping[str, Any]) -> str:
    """Say whether stops and targets close positions, and how often the tested account's did."""
    found = record["strategies"][DECISIONS].get("exits")
    if record["request"].get("exits", "none") == "none" or not found:
        return "Stops and targets of the decisions are not followed (exits=none): orders alone close positions."
    counts = f"{found['stop']} at the stop, {found['target']} at the target, {found['both']} where a bar reached both"
    return (
        f"Stops and targets of the decisions are followed (exits=plan; baselines have none): {counts} (the stop is "
        f"taken); {found['gap']} of these at an open beyond the level, and {found['not_opened']} orders withdrawn at "
        "such an open."
    )
