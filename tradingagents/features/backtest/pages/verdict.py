"""The verdict on a backtest: what the decisions made, whether luck explains it, and what was tested."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tradingagents.analytics.performance.paired import LEAST_SESSIONS
from tradingagents.analytics.price.returns import SESSIONS_PER_YEAR
from tradingagents.dataflows.reference.sectors import SECTOR_ETF
from tradingagents.features.backtest.market import BONDS
from tradingagents.features.backtest.pages.wording import percent, span
from tradingagents.features.backtest.strategies import DECISIONS, HELD

ENOUGH = 0.95
"""Probability above which a result, discounted for the number of trials, counts as more than chance."""


SIMILAR_TURNOVER = 1.15
"""Turnover that differs by less than this factor is called about as much."""


def verdict(record: Mapping[str, Any]) -> str:
    """Say what the decisions made beyond bills and the benchmark, whether luck explains it, and what was tested.

    Skill is claimed only where the random deciders, the test against buy and hold, and the discount for the number of
    trials agree.
    """
    return f"{made_sentence(record)} {luck_sentence(record)}{_tested(record)}"


def made_sentence(record: Mapping[str, Any]) -> str:
    """Say what the account made, and how much more or less than Treasury bills and the benchmark."""
    own, (_, words) = record["strategies"][DECISIONS], span(record)
    made = stated_return(record, own)
    comparisons = " and ".join(_points(difference, name) for name, difference in beyond(record).items())
    unknown = "; what bills paid is not known" if record.get("bills") is None else ""
    what = f"made {percent(made)}" if made >= 0 else f"lost {percent(-made)}"
    return (
        f"The decisions {what} {words} with {100 * own['exposure']:.0f} % of the money invested on average: "
        f"{comparisons}{unknown}."
    )


def beyond(record: Mapping[str, Any]) -> dict[str, float]:
    """Return what the account made beyond bills, where they are known, and beyond the benchmark, by their names.

    Differences are of a year, or over the sessions of a test shorter than that. Where there is no benchmark fund, the
    benchmark is buy and hold.
    """
    strategies, others = record["strategies"], dict[str, Mapping[str, Any]]()
    if (bills := record.get("bills")) is not None:
        others["Treasury bills" if record["currency"] == "USD" else "cash at interest"] = bills
    if (fund := strategies.get("benchmark")) is not None:
        others[f"the benchmark fund {benchmark_of(record)}".rstrip()] = fund
    else:
        others["buying and holding the same tickers"] = strategies[HELD]
    made = stated_return(record, strategies[DECISIONS])
    return {name: made - stated_return(record, score) for name, score in others.items()}


def luck_sentence(record: Mapping[str, Any]) -> str:
    """Say how many random deciders did worse, and whether luck explains the result."""
    found = record.get("random_deciders")
    if found is None:
        return "Whether luck explains that cannot be told: this result is of a version without random deciders."
    if found["unknown"] is not None:
        return f"Whether luck explains that cannot be told: {found['unknown']}."
    percentile: float = found["percentile"]
    ratio: float = found["turnover_ratio"]
    much = "about as much" if 1 / SIMILAR_TURNOVER <= ratio <= SIMILAR_TURNOVER else f"{ratio:.1f} times as much"
    which = f"random deciders that trade {much}, on other tickers and days"
    return f"That is better than {round(100 * percentile)} of 100 {which}{_explained(record, found)}"


def _explained(record: Mapping[str, Any], found: Mapping[str, Any]) -> str:
    """Return the end of the sentence on luck."""
    matched, edge = record["strategies"][DECISIONS]["ci_equal_exposure"], record["choice"]["edge"]
    better, worse = found["p_value"] <= 1 - ENOUGH, found["percentile"] <= 1 - ENOUGH
    if matched is None and record["sessions"] <= LEAST_SESSIONS:
        return ", but there are too few sessions to tell it from luck."
    if matched is None:
        return ", but just what the same tickers held without decisions made: luck explains it."
    if worse:
        return ": worse than bad luck explains." if matched["high"] < 0 else ": bad luck may explain it."
    if not better:
        return ": luck explains it."
    if matched["low"] <= 0:
        return ", but not surely more than the same tickers held without decisions: luck may explain it."
    if edge is None or edge["deflated"] < ENOUGH:
        trials = record["choice"]["trials"]
        why = "these sessions are too few to rule out luck"
        return f", but {why if trials == 1 else f'the best of {trials} trials would show as much by luck'}."
    return ": more than luck explains."


def _tested(record: Mapping[str, Any]) -> str:
    """Return the test against buy and hold at equal exposure; empty for none."""
    matched, power = record["strategies"][DECISIONS]["ci_equal_exposure"], record["power"]
    if matched is None or power is None:
        return ""
    scale, words = span(record)
    gap, low, high = (percent(scale * matched[name]) for name in ("difference", "low", "high"))
    seen = f"{percent(scale * power['smallest_edge'])} {words}"
    return (
        f" Beyond buying and holding the same tickers with as much money invested: {gap} {words} (95 % interval {low} "
        f"to {high}). The smallest edge that this test could have seen (80 % power) is {seen}."
    )


def stated_return(record: Mapping[str, Any], score: Mapping[str, Any]) -> float:
    """Return a total return as the report states it: a year, or over the sessions of a test shorter than that."""
    total, returns = float(score["total_return"]), record["sessions"] - 1
    if record["sessions"] <= SESSIONS_PER_YEAR:
        return total
    yearly: float = max(0.0, 1 + total) ** (SESSIONS_PER_YEAR / returns) - 1
    return yearly


def _points(difference: float, name: str) -> str:
    shown = f"{100 * abs(difference):.1f}"
    if shown == "0.0":
        return f"as much as {name}"
    return f"{shown} points {'more' if difference > 0 else 'less'} than {name}"


def benchmark_of(record: Mapping[str, Any]) -> str:
    """Return the benchmark fund's symbol; empty where the result does not tell it."""
    others = {*BONDS, *SECTOR_ETF.values()}
    return next((str(fund) for fund in record.get("funds", ()) if fund not in others), "")
