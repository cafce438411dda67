"""Evidence: the readings of the analysts, weighed into one view of the stock."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from tradingagents.offline.brief import Brief
from tradingagents.offline.readings import Reading, Row
from tradingagents.offline.rules import FUNDAMENTALS, MARKET, RULES, WEIGHTS, group_of, overall, weight_of

THRESHOLD = 0.06
"""Leaning score beyond which the stock is bought or sold. Means of many readings are small: see the docs page."""
NEXT_TO_NEUTRAL = 0.1
"""Size of a score up to which a reading is called ordinary, and argues for nothing."""
REGIME_LEAN = 0.03
"""What risk-on adds to the net score before it is held against the threshold, and risk-off takes away."""
RISK_ON, RISK_OFF = 3.0, -3.0
LESSON_EMPHASIS = 1.5
"""How much stronger evidence ranks whose subject a lesson names."""
_SUBJECTS = {
    "market_report": (
        "trend", "momentum", "technical", "rsi", "macd", "volatility", "drawdown", "overbought", "oversold",
    ),
    "fundamentals_report": (
        "valuation", "growth", "margin", "earnings", "debt", "cash flow", "multiple", "fundamental",
    ),
    "news_report": ("news", "headline", "insider", "regulat", "lawsuit"),
    "sentiment_report": ("sentiment", "mood", "hype", "crowd", "attention", "social"),
}  # fmt: skip
"""Beginnings of the words by which a lesson names the subject of a report."""
STRENGTH = (0.40, 0.30, 0.10)
"""Strength of a BUY or SELL: ground, what a full net score adds, what full agreement of the reports adds."""
FULL_NET = 0.40
"""Net score of full strength."""
HOLD_STRENGTH = (0.40, 0.15)
"""Strength of a HOLD: ground, what perfect balance adds."""
MOST_STRENGTH = 0.80
_EXPECTED: Mapping[str, Mapping[tuple[str, str], float]] = {
    "market_report": {(rule.tool, rule.metric): rule.weight for rule in MARKET if not rule.optional},
    "fundamentals_report": {(rule.tool, rule.metric): rule.weight for rule in FUNDAMENTALS if not rule.optional},
    "news_report": {
        key: WEIGHTS[key]
        for key in (
            ("get_news", "articles"),
            ("get_global_news", "articles"),
            ("get_insider_transactions", "net_value"),
        )
    },
    "sentiment_report": {("get_news", "articles"): WEIGHTS["get_news", "articles"]},
}
"""The readings that each report holds where every source answers, with their weights."""


@dataclass(frozen=True)
class Evidence:
    """One reading of one report."""

    report: str
    row: Row
    contribution: float
    """Its part of the net score; the contributions of all evidence add up to it."""
    share: float
    """What one point of its score counts in the net score."""
    group: str
    """The group of evidence it belongs to; a reading that no rule of ours made stands with its report."""

    @cached_property
    def claim(self) -> str:
        """What it says, with its figure: `RSI neutral (49.46)`."""
        return self.row.claim

    @cached_property
    def cite(self) -> str:
        """The claim with the report's name: `RSI neutral (49.46, market report)`."""
        return self.row.cited(report_name(self.report))

    @property
    def telling(self) -> bool:
        """Whether it argues for a side: a reading next to neutral (a score of 0.1 or less) is no argument."""
        return abs(self.row.score) > NEXT_TO_NEUTRAL

    @property
    def quotable(self) -> bool:
        """Whether a tool showed the figure; false for what an offline analyst derived."""
        return not self.row.shown.endswith((" derived", " counted"))

    def said_in(self, text: str) -> bool:
        """Say whether a turn of the debate brought this evidence: whether its citation stands there."""
        return self.cite in text


@dataclass(frozen=True, eq=False)
class View:
    """What all the evidence adds up to."""

    evidence: tuple[Evidence, ...]
    by_report: Mapping[str, float]
    """Mean score of each report that holds a reading."""
    regime: float | None
    """Macro regime score, -6 to 6; None where it is not known."""
    weights: Mapping[str, float]
    """What each report counts in the net score, before the rest grow in proportion."""

    @cached_property
    def net(self) -> float:
        """The net score, -1 to 1; 0 without evidence."""
        return sum(self.contributions)

    @cached_property
    def coverage(self) -> float:
        """The share of the evidence that is known, 0 to 1: of each report's weight, by the groups that have a reading.

        A report that is not ours, or holds a reading of no rule of ours, counts as whole.
        """
        known: dict[str, set[str]] = {name: set() for name in self.by_report}
        whole = {item.report for item in self.evidence if not group_of(item.row)}
        for item in self.evidence:
            known[item.report].add(item.group)
        shares = (
            self.weights[name] * (1.0 if name in whole or name not in _GROUP_WEIGHTS else _known_share(name, groups))
            for name, groups in known.items()
        )
        return min(1.0, sum(shares))

    @cached_property
    def places(self) -> Mapping[str, tuple[int, ...]]:
        """The places of each report's readings in the evidence."""
        held: dict[str, list[int]] = {}
        for place, item in enumerate(self.evidence):
            held.setdefault(item.report, []).append(place)
        return {name: tuple(places) for name, places in held.items()}

    @cached_property
    def contributions(self) -> Sequence[float]:
        """What each reading adds to the net score."""
        return [item.contribution for item in self.evidence]

    @cached_property
    def scales(self) -> Mapping[str, tuple[Sequence[tuple[int, float]], float, Sequence[float]]]:
        """Of each report: its readings' places and weights, the sum of the weights, and each weight times its score."""
        found: dict[str, tuple[Sequence[tuple[int, float]], float, Sequence[float]]] = {}
        for name, places in self.places.items():
            rows = [self.evidence[place].row for place in places]
            weights = [weight_of(row) for row in rows]
            weighed = [weight * row.score for weight, row in zip(weights, rows, strict=True)]
            found[name] = tuple(zip(places, weights, strict=True)), sum(weights), weighed
        return found

    @cached_property
    def action(self) -> str:
        """BUY, SELL or HOLD by the net score and the regime."""
        return action_of(self.net, self.regime)

    def side(self, sign: int) -> list[Evidence]:
        """Return the bullish (1) or bearish (-1) evidence, strongest first."""
        return self._sides[sign]

    def groups(self, sign: int) -> list[tuple[str, list[Evidence]]]:
        """Return the groups of evidence that net on a side, strongest first, each with its readings on that side."""
        return self._groups[sign]

    @cached_property
    def _sides(self) -> Mapping[int, list[Evidence]]:
        return {sign: by_strength(item for item in self.evidence if item.contribution * sign > 0) for sign in (1, -1)}

    @cached_property
    def _groups(self) -> Mapping[int, list[tuple[str, list[Evidence]]]]:
        return {sign: self._grouped(sign) for sign in (1, -1)}

    @cached_property
    def scored(self) -> Mapping[str, Evidence]:
        """The readings of figures that our rules score, by metric."""
        return {item.row.metric: item for item in reversed(self.evidence) if key(item) in RULES}

    def _grouped(self, sign: int) -> list[tuple[str, list[Evidence]]]:
        held: dict[str, list[Evidence]] = {}
        for item in self.evidence:
            held.setdefault(item.group, []).append(item)
        sums = {name: sign * sum(item.contribution for item in items) for name, items in held.items()}
        return [
            (name, by_strength(item for item in held[name] if item.contribution * sign > 0))
            for name in sorted(held, key=lambda name: (-sums[name], name))
            if sums[name] > 0
        ]

    def said(self, sign: int, text: str) -> list[Evidence]:
        """Return the readings on a side that a text rests on: those of the strongest group first."""
        netting = dict(self.groups(sign))
        grouped = [item for items in netting.values() for item in items]
        others = [item for item in self.side(sign) if item.group not in netting]
        return [item for item in (*grouped, *others) if item.said_in(text)]

    def find(self, metric: str) -> Evidence | None:
        """Return the reading of one figure that our rules score; None where no report has it."""
        return self.scored.get(metric)

    def figure(self, metric: str) -> str:
        """Quote a figure by name, for example `average true range 5.12 USD`; empty where no report has it."""
        item = self.find(metric)
        return item.row.figure if item else ""

    def value(self, metric: str) -> float | None:
        """Return a figure's number, in its unit; None where no report has it."""
        item = self.find(metric)
        return item.row.value if item else None


class ChangedView(View):
    """A view with other readings in some places, weighed as the same reports would be.

    Hundreds are tried to find what would change a decision, so that each is worked out as far as it is read.
    """

    view: View
    rows: Mapping[int, Row]

    def __init__(self, view: View, rows: Mapping[int, Row]) -> None:
        """Take a view and other rows, by place in its evidence: each of the same figure of the same tool."""
        contributions = list(view.contributions)
        for place, row in rows.items():
            contributions[place] = view.evidence[place].share * row.score
        told = next((row.value for row in rows.values() if row.metric == "regime_score"), None)
        net, regime = sum(contributions), view.regime if told is None else told
        vars(self).update(view=view, rows=rows, contributions=contributions, net=net, regime=regime)
        vars(self).update(weights=view.weights, coverage=view.coverage, action=action_of(net, regime))

    @cached_property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence with the other readings."""
        found = list(self.view.evidence)
        for place in self.rows:
            found[place] = self._at(place)
        return tuple(found)

    @cached_property
    def by_report(self) -> Mapping[str, float]:
        """Mean score of each report that holds a reading."""
        view, means = self.view, dict(self.view.by_report)
        for name in {view.evidence[place].report for place in self.rows}:
            own, whole, weighed = view.scales[name]
            scores = list(weighed)
            for number, (place, weight) in enumerate(own):
                if place in self.rows:
                    scores[number] = weight * self.rows[place].score
            means[name] = sum(scores) / whole
        return means

    def find(self, metric: str) -> Evidence | None:
        """Return the reading of one figure that our rules score; None where no report has it."""
        found = self.view.find(metric)
        place = next((place for place in self.rows if self.view.evidence[place] is found), None)
        return found if place is None else self._at(place)

    def _at(self, place: int) -> Evidence:
        old = self.view.evidence[place]
        return Evidence(old.report, self.rows[place], self.contributions[place], old.share, old.group)


def view_of(brief: Brief) -> View:
    """Weigh what the analysts found; shared by all who read the same."""
    weighed = ((name, reading) for name, reading in brief.readings.items() if reading.weight)
    return _weighed(tuple(sorted(weighed, key=lambda pair: -pair[1].weight)))


@lru_cache(maxsize=64)
def _weighed(found: Sequence[tuple[str, Reading]]) -> View:
    means = {name: mean for name, reading in found if (mean := overall(reading.rows)) is not None}
    weights = {name: reading.weight for name, reading in found if name in means}
    total = sum(weights.values())
    evidence = tuple(
        Evidence(name, row, share * row.score, share, group_of(row) or report_name(name))
        for name, reading in found
        if name in means
        for whole in (sum(weight_of(row) for row in reading.rows),)
        for row in reading.rows
        for share in (weights[name] / total * weight_of(row) / whole,)
    )
    regime = next((reading.regime for _, reading in found if reading.regime is not None), None)
    return View(evidence, means, regime, weights)


def action_of(net: float, regime: float | None) -> str:
    """Return BUY where net plus the regime's lean is above `THRESHOLD`, SELL below its mirror, else HOLD."""
    leaning = net + lean(regime)
    return "BUY" if leaning > THRESHOLD else "SELL" if leaning < -THRESHOLD else "HOLD"


def strength(view: View) -> float:
    """Return how strongly the rules speak for a view's action, at most 0.8; no probability of being right.

    From the size of the net score and the agreement of the reports, scaled down to 0.7 of itself as coverage
    falls to nothing. A HOLD gains strength as the net score nears zero.
    """
    if view.action == "HOLD":
        ground, balance = HOLD_STRENGTH
        raw = ground + balance * max(0.0, 1 - abs(view.net) / THRESHOLD)
    else:
        ground, size, agreement = STRENGTH
        raw = ground + size * min(1.0, abs(view.net) / FULL_NET) + agreement * _agreement(view)
    return round(min(MOST_STRENGTH, raw * (0.7 + 0.3 * view.coverage)), 2)


def report_name(report: str) -> str:
    """Return what people call a report: `market_report` is the market report."""
    return report.replace("_", " ")


def _agreement(view: View) -> float:
    """Return how far the reports agree: of their mean scores by size, the share with the sign of the net score."""
    total = sum(abs(item) for item in view.by_report.values())
    return sum(abs(item) for item in view.by_report.values() if item * view.net > 0) / total if total else 0.0


def _known_share(report: str, groups: set[str]) -> float:
    """Return the share of a report's expected weight that lies in groups which hold a reading."""
    weights = _GROUP_WEIGHTS[report]
    return sum(weights.get(group, 0.0) for group in groups) / sum(weights.values())


def _by_group(weights: Mapping[tuple[str, str], float]) -> Mapping[str, float]:
    sums: dict[str, float] = {}
    for (source, metric), weight in weights.items():
        group = group_of(Row(metric, "", 0.0, "", source))
        sums[group] = sums.get(group, 0.0) + weight
    return sums


_GROUP_WEIGHTS = {report: _by_group(weights) for report, weights in _EXPECTED.items()}


def lean(regime: float | None) -> float:
    """Return what the macro regime adds to the net score."""
    if regime is None or RISK_OFF < regime < RISK_ON:
        return 0.0
    return REGIME_LEAN if regime >= RISK_ON else -REGIME_LEAN


def by_strength(items: Iterable[Evidence], lessons: str = "") -> list[Evidence]:
    """Sort evidence by the size of its contribution; what the lessons speak of ranks higher."""
    named = _named_in(lessons) if lessons else ()
    return sorted(
        items,
        key=lambda item: (
            -abs(item.contribution) * (LESSON_EMPHASIS if item.report in named else 1.0),
            item.row.metric,
        ),
    )


def _named_in(lessons: str) -> set[str]:
    """Return the reports whose subject the lessons name."""
    words = f" {''.join(letter if letter.isalnum() or letter == '_' else ' ' for letter in lessons.lower())}"
    return {report for report, subjects in _SUBJECTS.items() if any(f" {subject}" in words for subject in subjects)}


def key(item: Evidence) -> tuple[str, str]:
    """Return source and metric: what the rules and weights are kept by."""
    return item.row.source, item.row.metric
