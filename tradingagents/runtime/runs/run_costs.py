"""Token use and cost of model calls over all runs, summed by agent, tier, ticker, day, model or run.

The figures come from the runs' event logs, which hold every call, including those of killed runs. Costs are added as
decimal numbers, so that the sums of any grouping add up to the total exactly.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from decimal import Context, Decimal
from typing import Any, Literal

from tradingagents.files.atomic import UnreadableFile
from tradingagents.llm_clients import meter
from tradingagents.llm_clients.usage_sums import logged_events
from tradingagents.runtime.runs.run_index import SCAN_SUBJECT, IndexedRun, RunIndex
from tradingagents.schemas.record import Record

By = Literal["agent", "tier", "ticker", "day", "model", "run"]
SCANS = "(scans)"
"""Shown as the ticker of a scan."""
UNKNOWN = "(unknown)"
"""Shown for a value that the card does not hold when the event log is missing."""
COUNTS = ("llm_calls", "input_tokens", "cached_tokens", "output_tokens", "unpriced_calls", "unmetered_calls")
_EXACT = Context(prec=200)


@dataclass(frozen=True, slots=True)
class CallCost:
    """Use of one call, or of more than one with the same agent, tier, ticker, day, model and run."""

    agent: str
    tier: str
    ticker: str
    day: str
    """Day on which the run began, UTC."""
    model: str
    """`provider/model`."""
    run: str
    llm_calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    usd: Decimal
    """Cost of the calls whose price is known."""
    unpriced_calls: int
    """Number of calls whose cost is not known."""
    unmetered_calls: int
    """Number of calls for which the server reported no token counts."""


class CostRow(Record):
    """The sum of one group, or of everything."""

    name: str
    """The value the group shares, such as the agent's name."""
    runs: int
    llm_calls: int
    input_tokens: int
    cached_tokens: int
    output_tokens: int
    cost_usd: float | None
    """Null when the price of any call is not known."""
    priced_usd: float
    """Cost of the calls whose price is known."""
    unpriced_calls: int
    unmetered_calls: int


class CostRecord(Record):
    """Use of the runs by group, as JSON."""

    by: str
    since: str | None
    until: str | None
    groups: list[CostRow]
    """Most expensive first; days and runs are listed newest first."""
    total: CostRow
    warnings: list[str]
    """Runs whose use is no longer recorded anywhere."""


def costs(runs: RunIndex, by: By, *, since: date | None = None, until: date | None = None) -> CostRecord:
    """Return the use of the runs that began between two days, UTC, both inclusive.

    Args:
        runs: The runs of a home folder, of all kinds, including those that never ended.
        by: The grouping.
        since: First day; `None` means no lower limit.
        until: Last day; `None` means no upper limit.
    """
    lost: list[str] = []
    found = [call for run in runs.newest_first(since=since, until=until) for call in _of_run(run, lost)]
    groups: dict[str, list[CallCost]] = {}
    for call in found:
        groups.setdefault(getattr(call, by), []).append(call)
    rows = [added(name, several) for name, several in groups.items()]
    if by not in ("day", "run"):
        rows.sort(key=lambda row: (-row.priced_usd, -row.llm_calls, row.name))
    return CostRecord(
        by=by,
        since=since.isoformat() if since else None,
        until=until.isoformat() if until else None,
        groups=rows,
        total=added("total", found),
        warnings=lost,
    )


def added(name: str, used: Iterable[CallCost]) -> CostRow:
    """Return the sum over calls."""
    calls = list(used)
    priced = exact_sum(call.usd for call in calls)
    unpriced = sum(call.unpriced_calls for call in calls)
    return CostRow(
        name=name,
        runs=len({call.run for call in calls}),
        llm_calls=sum(call.llm_calls for call in calls),
        input_tokens=sum(call.input_tokens for call in calls),
        cached_tokens=sum(call.cached_tokens for call in calls),
        output_tokens=sum(call.output_tokens for call in calls),
        cost_usd=None if unpriced else float(priced),
        priced_usd=float(priced),
        unpriced_calls=unpriced,
        unmetered_calls=sum(call.unmetered_calls for call in calls),
    )


def exact_sum(amounts: Iterable[Decimal]) -> Decimal:
    """Return a sum without rounding, independent of the order."""
    total = Decimal(0)
    for amount in amounts:
        total = _EXACT.add(total, amount)
    return total


def _of_run(run: IndexedRun, lost: list[str]) -> Iterator[CallCost]:
    """Yield a run's use call by call; by agent when only its card is left."""
    if run.events.is_file():
        yield from _logged(run)
        return
    try:
        card = run.card()
        if card is not None:
            yield from _carded(run, card)
            return
    except (UnreadableFile, KeyError, TypeError, AttributeError):
        pass
    lost.append(f"{run.run_id} has neither an event log nor a card that can be read; what it used is not counted.")


def _logged(run: IndexedRun) -> Iterator[CallCost]:
    ticker = SCANS if run.subject == SCAN_SUBJECT else run.subject
    for event in logged_events(run.events, of=("run_start", "usage")):
        used = event.get("data") or {}
        if event.get("type") == "run_start":
            ticker = used.get("ticker") or SCANS
        elif (call := meter.Used.of(used)) is not None and not call.cached_reply:
            yield CallCost(
                agent=event.get("node") or UNKNOWN,
                tier=used.get("tier") or UNKNOWN,
                ticker=ticker,
                day=run.began.date().isoformat(),
                model=used.get("model") or UNKNOWN,
                run=run.run_id,
                llm_calls=1,
                usd=_decimal(used.get("cost_usd")),
                unpriced_calls=int(used.get("cost_usd") is None),
                unmetered_calls=int(not used.get("metered", True)),
                **{key: int(used.get(key) or 0) for key in ("input_tokens", "cached_tokens", "output_tokens")},
            )


def _carded(run: IndexedRun, card: Mapping[str, Any]) -> Iterator[CallCost]:
    for agent, used in card["usage"]["by_agent"].items():
        yield CallCost(
            agent=agent,
            tier=UNKNOWN,
            ticker=card.get("ticker") or SCANS,
            day=run.began.date().isoformat(),
            model=UNKNOWN,
            run=run.run_id,
            usd=_decimal(used["cost_usd"]),
            **{key: int(used.get(key) or 0) for key in COUNTS},
        )


def _decimal(usd: float | None) -> Decimal:
    """Return an amount as the shortest decimal number that represents the same float."""
    return Decimal(repr(float(usd))) if usd is not None else Decimal(0)
