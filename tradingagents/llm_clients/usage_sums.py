"""Sums of model usage: across runs, and of a killed run that didn't record its usage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tradingagents.files.json_text import parse_json
from tradingagents.llm_clients.meter import Used
from tradingagents.schemas.records import UsageRecord

COUNTS = ("llm_calls", "replayed_calls", "input_tokens", "output_tokens", "cached_tokens", "retries")
GROUPS = ("by_agent", "by_tier")


def summed(usages: Iterable[UsageRecord]) -> UsageRecord:
    """Return the total usage of runs, by agent and tier too. `cost_usd` is None if any run's is."""
    total: dict[str, Any] = {**dict.fromkeys(COUNTS, 0), "cost_usd": 0.0, "by_agent": {}, "by_tier": {}}
    for usage in usages:
        _add(total, {key: usage[key] for key in (*COUNTS, "cost_usd")})
        for group in GROUPS:
            for name, part in usage[group].items():
                _add(total[group].setdefault(name, {}), part)
    return UsageRecord.model_validate(total)


def logged_usage(events: Path) -> UsageRecord:
    """Return a run's usage from its event log, the only source for a killed run.

    A truncated last line and invalid events are skipped.
    """
    found = (_used(event) for event in logged_events(events, of=("usage",)))
    return summed(usage for usage in found if usage is not None)


def logged_events(path: Path, *, of: Sequence[str] | None = None) -> Iterator[dict[str, Any]]:
    """Yield the events of a run's log, oldest first; none if there is no log.

    Args:
        path: The log.
        of: Yield these types only; None: all. With `of`, few lines are parsed as JSON: most of a log is tool answers.
    """
    if not path.is_file():
        return
    names = [f'"{kind}"' for kind in of or ()]
    for line in path.read_text(encoding="utf-8", errors="replace").split("\n"):
        if of is not None and not any(name in line for name in names):
            continue
        try:
            event = parse_json(line)
        except ValueError:
            continue
        if not isinstance(event, dict) or not isinstance(event.get("data", {}), dict):
            continue  # damaged, or edited by hand
        if of is None or event.get("type") in of:
            yield event


def _used(event: Mapping[str, Any]) -> UsageRecord | None:
    """Return one call as the usage of a run with this call only; None if the event is damaged."""
    used = Used.of(event.get("data"))
    if used is None:
        return None
    calls = 0 if used.cached_reply else 1
    call = {
        "llm_calls": calls,
        "replayed_calls": 1 - calls,
        **{key: getattr(used, key) for key in (*COUNTS[2:], "cost_usd", "seconds")},
        "unmetered_calls": int(not used.metered),
        "unpriced_calls": int(used.cost_usd is None),
    }
    parts = {"by_agent": {str(event.get("node")): call}, "by_tier": {used.tier: call}}
    return UsageRecord.model_validate(call | parts)


def _add(total: dict[str, Any], part: Mapping[str, Any]) -> None:
    """Add figures to figures, key by key; None (unknown) stays None."""
    for key, value in part.items():
        known = total.get(key, 0)
        total[key] = None if known is None or value is None else known + value
