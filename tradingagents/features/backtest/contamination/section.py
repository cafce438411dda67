"""The section of a backtest's report on what its models may remember, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tradingagents.analytics.performance.paired import untested_because


def contamination_section(record: Mapping[str, Any]) -> str:
    """Return the table before and after the cut-off, and the comparison with the disguise; empty where neither is.

    Args:
        record: The result as JSON.
    """
    split, disguise = record["contamination"], record["disguise"]
    parts = [] if split is None else [_cutoffs(split), _table(split)]
    if disguise is not None:
        parts.append(_disguise_line(disguise, record["decisions"]))
    return "\n\n".join(part for part in parts if part)


def _cutoffs(split: Mapping[str, Any]) -> str:
    said = [f"{model['label']}: {model['cutoff'] or 'not known'}" for model in split["models"] if model["remembers"]]
    return f"Trained until: {'; '.join(said)}."


def _table(split: Mapping[str, Any]) -> str:
    lines = [
        "| Sessions | First | Last | Calls | Right | Brier score | Return | Gap at equal exposure, a year |",
        "|---|---|---|---:|---:|---:|---:|---:|",
    ]
    for name, key in (("Up to the cut-off", "before"), ("After it", "after")):
        if (side := split[key]) is not None:
            made, gap = side["decisions"], side["ci_equal_exposure"]
            total = None if side["performance"] is None else side["performance"]["total_return"]
            shown = (
                "" if gap is None else f"{_share(gap['difference'])} ({_share(gap['low'])} to {_share(gap['high'])})"
            )
            brier = "-" if made["brier"] is None else f"{made['brier']:.2f}"
            figures = (str(made["calls"]), _share(made["hit_rate"]), brier, _share(total), shown)
            lines.append(f"| {name} | {side['first_session']} | {side['last_session']} | {' | '.join(figures)} |")
    lost = split["edge_lost"]
    said = [] if lost is None else [f"Edge lost after the cut-off: {_share(lost)} a year."]
    return "\n\n".join(["\n".join(lines), *_untested(split), *said])


def _untested(split: Mapping[str, Any]) -> Iterator[str]:
    """Say why the gap of a part has no test."""
    first = "after" if split["before"] is None else "before"  # nothing is held during the first session of all
    for name, key in (("up to the cut-off", "before"), ("after it", "after")):
        if (side := split[key]) is not None and side["ci_equal_exposure"] is None:
            yield f"No gap is tested {name}: {untested_because(side['sessions'] - (key == first))}."


def _disguise_line(disguise: Mapping[str, Any], plain: Mapping[str, Any]) -> str:
    same, hidden = disguise["same"], disguise["decisions"]
    return (
        f"Under other names, years and levels, {same['count']} of {same['of']} decisions were the same "
        f"({_share(same['share'])}){_chance(disguise)}. Right about the direction: "
        f"{_share(plain['hit_rate'])} as they are, {_share(hidden['hit_rate'])} disguised."
    )


def _chance(disguise: Mapping[str, Any]) -> str:
    """Return what chance gives; empty for results of earlier versions, which did not count it."""
    by_chance = disguise.get("by_chance")
    if by_chance is None:
        return ""
    if disguise["beyond_chance"]:
        return f", by chance {by_chance:.1f} would be"
    return f", by chance {by_chance:.1f} would be: that says nothing for or against memory"


def _share(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f} %"
