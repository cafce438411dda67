"""Why the offline rules decide otherwise on a later day: the readings that changed, and the fewest that matter.

A set of readings matters if the rules, deciding again on the later day's evidence with these readings as they were
before, no longer decide as they did. The rules are deterministic, so that a set found by trying every smaller one is
the smallest there is.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tradingagents.offline.evidence import ChangedView, Evidence, View
from tradingagents.offline.readings import Row
from tradingagents.offline.what_if import Decide, reading_name

MOST_TRIED = 20_000
"""Sets of one size that are tried: where there are more, the set is built up from the largest changes instead."""
LARGEST_SET = 4
"""Size of the largest sets of which all are tried."""
NOT_READ = "not read"


@dataclass(frozen=True, slots=True)
class ReadingChange:
    """One reading that says something else on the later day."""

    report: str
    """Report that holds it, such as `market_report`."""
    label: str
    """What people call the figure."""
    source: str
    """Tool that gave the figure."""
    before: str | None
    """As shown on the earlier day; None: not read then."""
    after: str | None
    """As shown on the later day; None: not read now."""
    score_before: float
    """What it said on the earlier day, -1 (bearish) to 1; 0 where it was not read."""
    score_after: float
    effect: float
    """What the change adds to the net score, with the later day's weights where it was read then."""


@dataclass(frozen=True, slots=True)
class DecisionChange:
    """Why two decisions differ. Actions are BUY, SELL or HOLD; net scores lie between -1 and 1."""

    before: str
    after: str
    net_before: float
    net_after: float
    changes: tuple[ReadingChange, ...]
    """What changed, largest effect first."""
    deciding: tuple[ReadingChange, ...]
    """The fewest readings that, as they were before, turn the later decision; empty: none do, or nothing changed."""
    turned: str | None
    """What the rules decide with `deciding` as before; None where that is empty."""
    smallest: bool
    """Whether every smaller set was tried."""

    @property
    def differs(self) -> bool:
        """Whether the decisions differ."""
        return self.before != self.after


def decision_change(first: View, second: View, decide: Decide) -> DecisionChange:
    """Compare the evidence of two days.

    Args:
        first: The evidence of the earlier day.
        second: The evidence of the later day.
        decide: The rules that decide on the evidence.
    """
    earlier, later = _placed(first), _placed(second)
    changes: dict[int, ReadingChange] = {}
    rows: dict[int, Row] = {}
    for key, (place, item) in later.items():
        old = earlier[key][1].row if key in earlier else None
        if old is not None and (old.shown, old.score, old.value) == (item.row.shown, item.row.score, item.row.value):
            continue
        rows[place] = old or replace(item.row, shown=NOT_READ, score=0.0, words="", value=None)
        changes[place] = _change(item, old, item.row)
    gone = [_change(item, item.row, None) for key, (_, item) in earlier.items() if key not in later]
    before, after = decide(first), decide(second)
    found: tuple[int, ...] = ()
    smallest = True
    if before != after:
        found, smallest = _fewest(second, rows, changes, decide, before)
    return DecisionChange(
        before=before,
        after=after,
        net_before=first.net,
        net_after=second.net,
        changes=tuple(
            sorted((*changes.values(), *gone), key=lambda change: (-abs(change.effect), change.report, change.label))
        ),
        deciding=tuple(changes[place] for place in found),
        turned=decide(ChangedView(second, {place: rows[place] for place in found})) if found else None,
        smallest=smallest,
    )


def _placed(view: View) -> dict[tuple[str, str, str, int], tuple[int, Evidence]]:
    """Return the evidence with its places, by report, source, metric and number among readings of that name."""
    seen: Counter[tuple[str, str, str]] = Counter()
    found: dict[tuple[str, str, str, int], tuple[int, Evidence]] = {}
    for place, item in enumerate(view.evidence):
        name = (item.report, item.row.source, item.row.metric)
        found[*name, seen[name]] = place, item
        seen[name] += 1
    return found


def _change(item: Evidence, old: Row | None, new: Row | None) -> ReadingChange:
    before, after = old.score if old else 0.0, new.score if new else 0.0
    return ReadingChange(
        report=item.report,
        label=reading_name(item),
        source=item.row.source,
        before=old.shown if old else None,
        after=new.shown if new else None,
        score_before=before,
        score_after=after,
        effect=item.share * (after - before),
    )


def _fewest(
    view: View, rows: Mapping[int, Row], changes: Mapping[int, ReadingChange], decide: Decide, wanted: str
) -> tuple[tuple[int, ...], bool]:
    """Return the fewest places whose earlier rows turn the decision, and whether all smaller sets were tried.

    Of equally small sets one that gives back the earlier decision comes first, then the one that changes least.
    """
    decided = decide(view)
    places = sorted(rows, key=lambda place: -abs(changes[place].effect))
    tried = 0
    while tried < len(places) and math.comb(len(places), tried + 1) <= MOST_TRIED:
        tried += 1
        turning = list(_turning(combinations(places, tried), view, rows, decide, decided))
        if turning:
            return min(turning, key=lambda turn: (turn[1] != wanted, _moved(changes, turn[0])))[0], True
        if tried == LARGEST_SET:
            break
    found = _built_up(view, rows, places, decide, decided)
    return found, len(found) <= tried + 1


def _turning(
    sets: Iterable[tuple[int, ...]], view: View, rows: Mapping[int, Row], decide: Decide, decided: str
) -> Iterator[tuple[tuple[int, ...], str]]:
    for places in sets:
        action = decide(ChangedView(view, {place: rows[place] for place in places}))
        if action != decided:
            yield places, action


def _built_up(
    view: View, rows: Mapping[int, Row], places: Sequence[int], decide: Decide, decided: str
) -> tuple[int, ...]:
    """Return the largest changes that together turn the decision, less those not needed; empty where none do."""
    for count in range(1, len(places) + 1):
        chosen = list(places[:count])
        if decide(ChangedView(view, {place: rows[place] for place in chosen})) == decided:
            continue
        for place in reversed(places[:count]):
            fewer = [left for left in chosen if left != place]
            if decide(ChangedView(view, {place: rows[place] for place in fewer})) != decided:
                chosen = fewer
        return tuple(chosen)
    return ()


def _moved(changes: Mapping[int, ReadingChange], places: Sequence[int]) -> tuple[float, tuple[int, ...]]:
    return sum(abs(changes[place].effect) for place in places), tuple(places)
