"""What would change a decision: the smallest change of the readings after which the same rules decide otherwise.

Each candidate is tried by deciding again with the changed readings; the level that is named is the level that was
tried, rounded as it is printed. First every figure alone (the close counts as one, for all averages are read against
it), then the figures of one group together, then those of two groups.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache, partial
from itertools import combinations

from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.offline.evidence import ChangedView, Evidence, View, action_of, report_name
from tradingagents.offline.readings import Row, rounded_score
from tradingagents.offline.rules import CLOSE, RULES, weight_of
from tradingagents.offline.scores import insiders, margin_trend

_Priced = tuple[int, "_Scored"]
"""The place of a figure that the close is read against, and what scores it."""
Decide = Callable[[View], str]
"""Decides on a view: BUY, SELL or HOLD."""
_Scored = Callable[..., tuple[float, str]]
"""Gives the score of a figure's value, and its words; with another close where one is named."""
STEPS = 24
"""Levels tried on the way out from a figure's present value; each further away than the one before by a third."""
_FURTHER = tuple(1.33**step - 1 for step in range(1, STEPS + 1))
HALVINGS = 8
"""Times that the last step is halved: what is named is then within about a thousandth of the nearest level."""
COARSE = 4
"""Of the levels of a figure, one in so many is tried where figures change together."""
SHARES = 12
"""Steps in which the figures of a group move together."""
MOST_REFINED = 8
"""Groups, or pairs of them, for which the smallest change is looked for."""
MOST_NAMED = 4
"""Most figures of one group that are changed together: those that weigh most."""
_BOUNDS: Mapping[str, tuple[float, float]] = {
    "rsi": (0, 100),
    "mfi": (0, 100),
    "max_drawdown_1y": (-100, 0),
    "volatility_20d": (1, 300),
    "vix": (5, 90),
    "regime_score": (-6, 6),
    "revenue_yoy": (-95, 400),
    "operating_margin": (-200, 80),
    "net_margin": (-200, 80),
    "bullish_share": (0, 100),
    "rank_3m": (1, 1000),
}
_POSITIVE = frozenset(
    ("close_200_sma", "close_50_sma", "close_10_ema", "vwma", "high_52w", "atr", "boll_ub", "pe_ttm", "ps_ttm",
     "ev_ebitda", "peg", "debt_to_equity", "current_ratio")
)  # fmt: skip
_WHOLE = frozenset(("regime_score", "rank_3m"))
_RISKS = frozenset(("volatility_20d", "max_drawdown_1y", "regime_score"))
"""Figures that the risk checks look at."""
_PRICED = frozenset(("close_200_sma", "close_50_sma", "close_10_ema", "vwma", "high_52w"))
"""Figures that the close is read against: they change their reading with the close."""


@dataclass(frozen=True, slots=True)
class Change:
    """Readings as they would be, and what is said of it."""

    rows: tuple[tuple[int, Row], ...]
    """Place in the evidence, and the row that would stand there; what it shows is said in `words` alone."""
    said: Callable[[], str]
    """Gives `words`: of hundreds of changes that are tried, one is told."""
    moved: float
    """By how much the readings change on average, 0 to 2."""

    @property
    def words(self) -> str:
        """Such as `year-on-year revenue growth fell to 4.10% or less (now 20.74%)`."""
        return self.said()


@lru_cache(maxsize=64)
def would_change(view: View, close: float | None, decide: Decide) -> str:
    """Say what would change a decision, all else unchanged.

    Args:
        view: The evidence.
        close: The last close; None where it is not known.
        decide: The rules that decided.
    """
    turns = _Turns(view, decide(view), decide)
    if single := _smallest_single(_single_changes(view, close), turns):
        return _sentence(view, single, decide)
    groups = _groups(view, close)
    pairs = [
        (*group, *other)
        for ((_, sign), group), ((_, other_sign), other) in combinations(groups.items(), 2)
        if sign == other_sign
    ]
    for kind in (list(groups.values()), pairs):
        enough = [ends for ends in kind if turns.by(_together(view, ends, 1.0))]
        smallest = [_smallest(view, ends, turns) for ends in enough[:MOST_REFINED]]
        if smallest:
            best = min(smallest, key=lambda one: (one.moved, one.words))
            return f"No single figure would change it. {_sentence(view, best, decide)}"
    return f"It stays {turns.action} whatever two groups of readings were to say; more would have to change together."


@dataclass(frozen=True, slots=True)
class _Turns:
    """Tells whether a change turns a decision."""

    view: View
    action: str
    decide: Decide

    def by(self, change: Change) -> bool:
        """Decide again where the change can matter: where the net score says something else, or a risk changes."""
        risky = any(row.metric in _RISKS for _, row in change.rows)
        if not risky and not self.by_net(self._gain(change)):
            return False
        return self.decide(ChangedView(self.view, dict(change.rows))) != self.action

    def by_net(self, gain: float) -> bool:
        """Tell whether the net score says something else when it grows by so much."""
        return action_of(self.view.net + gain, self.view.regime) != self.view.action

    def _gain(self, change: Change) -> float:
        evidence = self.view.evidence
        return sum(evidence[place].share * (row.score - evidence[place].row.score) for place, row in change.rows)


def _sentence(view: View, change: Change, decide: Decide) -> str:
    return f"{decide(ChangedView(view, dict(change.rows)))} if {change.words}, all else unchanged."


# One figure


@dataclass(frozen=True, slots=True)
class _Way:
    """A figure on its way to other values: levels from near to far, and what would be read at each.

    What is read at a level is worked out once, for all deciders.
    """

    levels: tuple[float, ...]
    at: Callable[[float], Change | None]
    gain: Callable[[float], float] | None = None
    """What the net score gains at a level, without the words of the change; None for a figure that the risk checks
    read, which may turn the decision at any net score."""


@lru_cache(maxsize=4)
def _single_changes(view: View, close: float | None) -> tuple[_Way, ...]:
    """Return the ways of the figures that could turn a decision; the deciders of a run look at the same evidence."""
    others = [place for place, item in enumerate(view.evidence) if item.row.metric not in _PRICED]
    ways = [_way(view, place, close, sign) for place in others if _is_within_reach(view, [place]) for sign in (-1, 1)]
    if _is_within_reach(view, [place for place, item in enumerate(view.evidence) if item.row.metric in _PRICED]):
        ways += _close_ways(view, close)
    return tuple(ways)


def _is_within_reach(view: View, places: Sequence[int]) -> bool:
    """Tell whether readings could turn a decision if they said the utmost."""
    evidence = [view.evidence[place] for place in places]
    if any(item.row.metric in _RISKS for item in evidence):
        return True
    up = sum(item.share * (1 - item.row.score) for item in evidence)
    down = sum(item.share * (1 + item.row.score) for item in evidence)
    return any(action_of(net, view.regime) != view.action for net in (view.net + up, view.net - down))


def _close_ways(view: View, close: float | None) -> list[_Way]:
    """Return the ways of the close, down and up: as far as by three quarters."""
    if not close:
        return []
    priced = _priced(view, close)
    return [
        _Way(
            tuple(close * (1 + sign * 0.75 * step / STEPS) for step in range(1, STEPS + 1)),
            cache(partial(_close_at, view, priced, close)),
            cache(partial(_gain_of_close, view, priced)),
        )
        for sign in (-1, 1)
    ]


@dataclass(frozen=True, slots=True)
class _Found:
    """The first level of a way at which the decision is another one, and the one before."""

    way: _Way
    before: float | None
    level: float
    change: Change

    def least_moved(self) -> float:
        """Return by how much the readings change at least: as at the level before."""
        change = self.way.at(self.before) if self.before is not None else None
        return change.moved if change is not None else 0.0


def _smallest_single(ways: Sequence[_Way], turns: _Turns) -> Change | None:
    """Return the change of one figure that turns the decision and moves its reading least; None where there is none."""
    found = sorted(
        ((one.least_moved(), number, one) for number, way in enumerate(ways) if (one := _first(way, turns))),
        key=lambda each: each[:2],
    )
    best: Change | None = None
    for least, _, one in found:
        if best is not None and least > best.moved:
            break
        change = _nearest(one, turns)
        if best is None or (change.moved, change.words) < (best.moved, best.words):
            best = change
    return best


def _first(way: _Way, turns: _Turns) -> _Found | None:
    """Return the first level of a way at which the decision is another one; None where there is none."""
    before: float | None = None
    for level in way.levels:
        if way.gain is not None and not turns.by_net(way.gain(level)):
            before = level
            continue
        change = way.at(level)
        if change is None:
            return None
        if turns.by(change):
            return _Found(way, before, level, change)
        before = level
    return None


def _nearest(found: _Found, turns: _Turns) -> Change:
    """Return the change at the nearest level at which the decision is another one."""
    near, far, change = found.level if found.before is None else found.before, found.level, found.change
    for _ in range(HALVINGS):
        middle = (near + far) / 2
        closer = found.way.at(middle)
        if closer is not None and turns.by(closer):
            far, change = middle, closer
        else:
            near = middle
    return change


def _way(view: View, place: int, close: float | None, sign: int) -> _Way:
    row = view.evidence[place].row
    if (row.source, row.metric) in RULES or row.metric in ("bullish_share",):
        scored = _scored(view, row, close)
        if row.value is None or scored is None:
            return _Way((), lambda _: None)
        gain = None if row.metric in _RISKS else cache(partial(_gain_of_figure, view, place, scored))
        return _Way(_levels(row.metric, row.value, sign), cache(partial(_figure_at, view, place, scored)), gain)
    if row.metric in ("margin_trend", "net_value"):
        return _Way((float(sign),), partial(_state_at, view, place))
    if row.metric == "tone_dispersion":
        return _Way((), lambda _: None)
    steps = (row.score + sign * 0.05 * step for step in range(1, 41))
    levels = tuple(level for level in steps if -1 <= level <= 1)
    return _Way(levels, partial(_tone_at, view, place), partial(_gain_of_tone, view, place))


def _levels(metric: str, now: float, sign: int) -> tuple[float, ...]:
    low, high = _BOUNDS.get(metric, (1e-6, 1e15) if metric in _POSITIVE else (-1e15, 1e15))
    if metric in _WHOLE:
        return tuple(level for step in range(1, 13) if low <= (level := now + sign * step) <= high)
    unit = max(abs(now) * 0.04, 0.25 if abs(now) < 1000 else 0.0)
    steps = [now + sign * unit * further / 0.33 for further in _FURTHER]
    return tuple(level for level in steps if low <= level <= high)


def _figure_at(view: View, place: int, scored: _Scored, level: float) -> Change | None:
    row = view.evidence[place].row
    if row.value is None:
        return None
    tried = Figure("", round(level) if row.metric in _WHOLE else level, row.unit)
    value = tried.rounded
    if value is None or value == row.value:
        return Change((), str, 0.0)
    score, words = scored(value)
    there = Row(row.metric, row.shown, score, words, row.source, value, row.unit)
    return Change(((place, there),), partial(_moved_words, row, value > row.value, tried), abs(score - row.score))


def _gain_of_figure(view: View, place: int, scored: _Scored, level: float) -> float:
    item = view.evidence[place]
    row = item.row
    value = Figure("", round(level) if row.metric in _WHOLE else level, row.unit).rounded
    if value is None or value == row.value:
        return 0.0
    return item.share * (scored(value)[0] - row.score)


def _moved_words(row: Row, rose: bool, tried: Figure) -> str:
    if row.metric == "rank_3m":
        return f"its {row.label} were {tried.text} (now {row.shown})"
    return f"{row.label} {'rose to' if rose else 'fell to'} {tried.text} (now {row.shown})"


def _close_at(view: View, priced: Sequence[_Priced], close: float, level: float) -> Change | None:
    """Return the readings of the averages and the yearly high with the close at another level."""
    there: list[tuple[int, Row]] = []
    at = _price_at(level)
    for place, scored in priced:
        row = view.evidence[place].row
        score, words = scored(row.value, at)
        there.append((place, Row(row.metric, row.shown, score, words, row.source, row.value, row.unit)))
    if not there:
        return None
    moved = sum(abs(row.score - view.evidence[place].row.score) for place, row in there) / len(there)
    return Change(tuple(there), partial(_close_words, close, at, there[-1][1].unit), moved)


def _close_words(close: float, at: float, unit: str) -> str:
    way = "rose to" if at > close else "fell to"
    return f"the close {way} {Figure('', at, unit).text} (now {Figure('', close, unit).text})"


def _price_at(level: float) -> float:
    return round(level, 2) if level >= 1 else float(f"{level:.4g}")


def _priced(view: View, close: float) -> tuple[_Priced, ...]:
    """Return the places of the figures that the close is read against, with what scores them."""
    rows = [(place, item.row) for place, item in enumerate(view.evidence) if item.row.metric in _PRICED]
    known = ((place, _scored(view, row, close)) for place, row in rows if row.value is not None)
    return tuple((place, scored) for place, scored in known if scored is not None)


def _gain_of_close(view: View, priced: Sequence[_Priced], level: float) -> float:
    at, gain = _price_at(level), 0.0
    for place, scored in priced:
        item = view.evidence[place]
        gain += item.share * (scored(item.row.value, at)[0] - item.row.score)
    return gain


def _state_at(view: View, place: int, level: float) -> Change | None:
    """Return a reading in words in its other state: an expanding or contracting margin, insiders buying or selling."""
    row = view.evidence[place].row
    if row.metric == "margin_trend":
        state = "expanding" if level > 0 else "contracting"
        score = margin_trend(state)
        words = f"the operating margin were {state}"
    else:
        score = insiders(level, max(level, 0.0), min(level, 0.0))
        words = f"insiders {'only bought' if level > 0 else 'only sold'}"
    there = replace(row, score=score.value, words=score.words)
    return Change(((place, there),), partial(str, words), abs(there.score - row.score))


def _tone_at(view: View, place: int, level: float) -> Change | None:
    """Return a reading that is no figure, such as the tone of headlines, with another score."""
    item = view.evidence[place]
    score = round(level, 2)
    there = replace(item.row, score=score)
    return Change(((place, there),), partial(_tone_words, item, score), abs(score - item.row.score))


def _tone_words(item: Evidence, score: float) -> str:
    named = reading_name(item)
    about = (
        f"the {named}" if item.row.metric == "articles" else f"the reading of {named} in the {report_name(item.report)}"
    )
    way = "rose" if score > item.row.score else "fell"
    return f"{about} {way} to {score:+.2f} derived (now {item.row.score:+.2f} derived)"


def _gain_of_tone(view: View, place: int, level: float) -> float:
    item = view.evidence[place]
    return item.share * (round(level, 2) - item.row.score)


def _scored(view: View, row: Row, close: float | None) -> _Scored | None:
    """Return what scores other values of a row; None where a figure is needed that no report shows."""
    if row.metric == "bullish_share":
        return lambda value, _=None: (max(-1.0, min(1.0, value / 50 - 1)), row.words)
    rule = RULES.get((row.source, row.metric))
    if rule is None:
        return None
    needed: list[float | None] = []
    for need in rule.needs:
        found = close if need == CLOSE else view.value(need.rstrip("?").partition(".")[2])
        if found is None and not need.endswith("?"):
            return None
        needed.append(found)
    closes = [place for place, need in enumerate(rule.needs) if need == CLOSE]

    def scored(value: float, at: float | None = None) -> tuple[float, str]:
        given = needed
        if at is not None:
            given = [at if place in closes else known for place, known in enumerate(needed)]
        score = rule.score(value, *given)
        return rounded_score(score.value), score.words

    return scored


# Several figures


Ends = tuple[tuple["_Way", int], ...]
"""Ways of several figures, each with the level that is as far as it goes."""


@lru_cache(maxsize=4)
def _groups(view: View, close: float | None) -> Mapping[tuple[str, int], Ends]:
    """Return how far the weightiest figures of each group can go to each side."""
    held: dict[str, list[int]] = {}
    for place, item in enumerate(view.evidence):
        held.setdefault(item.group, []).append(place)
    found: dict[tuple[str, int], Ends] = {}
    for group, places in held.items():
        ways = [_way(view, place, close, sign) for place in _weightiest(view, places) for sign in (-1, 1)]
        ways += _close_ways(view, close) if group == "price trend" else []
        options = [option for way in ways for option in _options(view, way)]
        for sign in (-1, 1):
            if ends := _extremes(options, sign):
                found[group, sign] = ends
    return found


def _smallest(view: View, ends: Ends, turns: _Turns) -> Change:
    """Return the change with the least share of the way that turns the decision; the whole way does."""
    shares = (step / SHARES for step in range(1, SHARES))
    tried = (_together(view, ends, share) for share in shares)
    return next((change for change in tried if turns.by(change)), _together(view, ends, 1.0))


def _options(view: View, way: _Way) -> Iterator[tuple[tuple[int, ...], float, _Way, int]]:
    """Yield some levels of a way: the places it changes, by how much the readings change, and which level it is."""
    for number in range(COARSE - 1, len(way.levels), COARSE) if len(way.levels) >= COARSE else range(len(way.levels)):
        change = way.at(way.levels[number])
        if change is not None and change.rows:
            gain = sum(row.score - view.evidence[place].row.score for place, row in change.rows)
            yield tuple(place for place, _ in change.rows), gain, way, number


def _weightiest(view: View, places: Sequence[int]) -> list[int]:
    priced = [place for place in places if view.evidence[place].row.metric not in _PRICED]
    return sorted(priced, key=lambda place: -weight_of(view.evidence[place].row))[:MOST_NAMED]


def _extremes(options: Sequence[tuple[tuple[int, ...], float, _Way, int]], sign: int) -> Ends:
    """Return for each figure the way that leads furthest to a side, and the nearest level that is as far as it goes."""
    best: dict[tuple[int, ...], tuple[float, _Way, int]] = {}
    for places, gain, way, number in options:
        if sign * gain > best.get(places, (0.0, way, 0))[0] + 1e-9:
            best[places] = (sign * gain, way, number)
    return tuple((way, number) for _, way, number in best.values())


def _together(view: View, ways: Ends, share: float) -> Change:
    """Return one change of several figures, each that share of its way."""
    parts = [
        change
        for way, number in ways
        if (change := way.at(way.levels[max(0, round(share * (number + 1)) - 1)])) is not None and change.rows
    ]
    rows = tuple(pair for part in parts for pair in part.rows)
    moved = sum(abs(row.score - view.evidence[place].row.score) for place, row in rows)
    return Change(rows, lambda: _joined([part.words for part in parts]), moved)


def _joined(parts: Sequence[str]) -> str:
    return f"{', '.join(parts[:-1])} and {parts[-1]}" if len(parts) > 1 else "".join(parts)


def reading_name(item: Evidence) -> str:
    """Return what people call a reading: the figure's label, or what the tone of articles is about."""
    if item.row.metric != "articles":
        return item.row.label
    return f"tone of {item.group}" if item.report == "news_report" else "mood of the headlines"
