"""Falsifiers of hypotheses: made by rule from proposals, words and evidence, and looked up in what was filed later.

A hypothesis has up to three, each of another figure, in this order: what a model proposed, what its own words say would
prove it wrong ("an operating margin below 15%"), and what the drivers of its evidence imply. The threshold of the last
kind is the least favourable value of the two years before: a hypothesis that rests on growing margins is in doubt when
they are worse than they were in any of the last eight quarters. That is a rule, not a calibration.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from tradingagents.analytics.company.metric_names import metric_label
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.features.deep_report.evidence.watched_figures import WATCHED, FigureHistory
from tradingagents.features.deep_report.schemas.falsifiers import (
    Comparison,
    Falsifier,
    FalsifierDraft,
    FalsifierOrigin,
    FalsifierOutcome,
    MeasuredFigure,
)
from tradingagents.provenance.mentions import Reader, lines_of
from tradingagents.schemas.evidence import EvidenceItem, ValueDriver

MOST = 3
"""Falsifiers of one hypothesis."""
HORIZON = timedelta(days=365)
"""How long a falsifier counts where nobody says how long."""
LONGEST = timedelta(days=3 * 366)
LOOKED_BACK = timedelta(days=3 * 366)
PERIODS = 8
"""Quarters whose least favourable value is the threshold."""
SESSIONS = 252
PUBLISHED_BY = timedelta(days=200)
"""After the end of a period: by then it is published, or it never is."""
DRIVER_FIGURES: Mapping[ValueDriver, tuple[str, ...]] = {
    "growth": ("revenue_yoy",),
    "margin": ("operating_margin", "net_margin"),
    "cost_of_capital": ("debt_to_equity", "current_ratio"),
    "capital_intensity": ("ttm_free_cash_flow", "ttm_operating_cash_flow"),
}
"""The figures that say whether a driver moves as the evidence has it; the first that the company has is taken."""
_RAISES_COST = frozenset({"cost_of_capital", "capital_intensity"})
_SAME: Mapping[str, str] = {"pe": "pe_ttm", "close": "price", "growth": "revenue_yoy"}


@dataclass(frozen=True, slots=True)
class CompanyRecord:
    """What falsifiers are made from: a company's figures as known on a day."""

    history: FigureHistory
    cutoff: datetime
    currency: str

    _known: dict[str, list[MeasuredFigure]] = field(default_factory=dict, repr=False, compare=False)

    def known(self, name: str) -> list[MeasuredFigure]:
        """Return the last known value of a figure for each period of three years, oldest first."""
        if name not in self._known:
            after = self.cutoff.date() - LOOKED_BACK
            found = self.history.measured(name, after=after, until=self.cutoff)
            latest = {measured.period_end: measured for measured in found}
            self._known[name] = [latest[end] for end in sorted(latest)]
        return self._known[name]

    def unit(self, name: str) -> str:
        """Return the unit of a figure."""
        unit = WATCHED[name].unit
        return self.currency if unit == "money" else unit


def falsifiers_of(
    hypothesis: str,
    thesis: str,
    items: Sequence[EvidenceItem],
    record: CompanyRecord,
    *,
    proposed: Iterable[FalsifierDraft] = (),
) -> tuple[tuple[Falsifier, ...], tuple[str, ...]]:
    """Return the falsifiers of a hypothesis, and why proposals of a model were refused.

    Args:
        hypothesis: Its id.
        thesis: Its words; a sentence that names a watched figure, a direction and a number becomes a falsifier.
        record: The company's figures as known on the day.
        proposed: What a model proposed; checked against the names and the history of the figures.
    """
    made: dict[str, Falsifier] = {}
    refused: list[str] = []
    for draft in proposed:
        found = _proposed(hypothesis, draft, record)
        if isinstance(found, str):
            refused.append(found)
        else:
            made.setdefault(found.figure, found)
    for name, comparison, threshold, sentence in _stated(thesis):
        if name not in made:
            falsifier = _made(
                hypothesis, name, (comparison, threshold), record, "thesis", f'The hypothesis says: "{sentence}"'
            )
            made |= {name: falsifier} if falsifier is not None else {}
    for name, favourable, why in _implied(items, record):
        if name not in made and len(made) < MOST:
            falsifier = _by_history(hypothesis, name, favourable, record, why)
            made |= {name: falsifier} if falsifier is not None else {}
    return tuple(made.values())[:MOST], tuple(refused)


def outcome_of(falsifier: Falsifier, history: FigureHistory, until: datetime) -> FalsifierOutcome:
    """Return what became of a falsifier by an instant: the first filing or close that met it, if any.

    Nothing filed after the instant is looked at. Closes are compared in the shares of the day on which it was made.
    """
    last: MeasuredFigure | None = None
    for figure in history.measured(falsifier.figure, after=falsifier.after, by=falsifier.by, until=until):
        last = _in_shares_then(figure, falsifier, history)
        if falsifier.holds(last.value):
            return FalsifierOutcome(falsifier=falsifier, state="fired", event=last, last=last)
    expired = _is_over(falsifier, history, until)
    return FalsifierOutcome(falsifier=falsifier, state="expired" if expired else "open", last=last)


def condition(falsifier: Falsifier) -> str:
    """Return the condition in words, such as `gross margin of a quarter that ends by 2025-09-30 below 43%`."""
    basis = WATCHED[falsifier.figure].basis
    when = {
        "quarter": f"of a quarter that ends by {falsifier.by}",
        "twelve_months": f"to the end of a quarter by {falsifier.by}",
        "session": f"at a close by {falsifier.by}",
    }[basis]
    return f"{metric_label(falsifier.figure)} {when} {falsifier.comparison} {shown(falsifier, falsifier.threshold)}"


def shown(falsifier: Falsifier, value: float) -> str:
    """Return a value of its figure with the unit."""
    return Figure(falsifier.figure, value, falsifier.unit).text


def _proposed(hypothesis: str, draft: FalsifierDraft, record: CompanyRecord) -> Falsifier | str:
    if draft.figure not in WATCHED:
        return f"A falsifier of {hypothesis} was refused: {draft.figure!r} is no watched figure."
    by = draft.by
    made = _made(
        hypothesis,
        draft.figure,
        (draft.comparison, draft.threshold),
        record,
        "model",
        "Proposed with the hypothesis.",
        by,
    )
    if made is None:
        return f"A falsifier of {hypothesis} was refused: the company's {draft.figure} is not known."
    return made


def _made(
    hypothesis: str,
    name: str,
    test: tuple[Comparison, float],
    record: CompanyRecord,
    origin: FalsifierOrigin,
    reason: str,
    by: date | None = None,
) -> Falsifier | None:
    """Return a falsifier; None where the company's figure is not known, so that it could never be looked up."""
    known = record.known(name)
    if not known:
        return None
    day, last = record.cutoff.date(), known[-1]
    if by is None or not max(day, last.period_end) < by <= day + LONGEST:
        by = day + HORIZON
    if by <= last.period_end:
        return None
    return Falsifier(
        hypothesis=hypothesis,
        figure=name,
        comparison=test[0],
        threshold=test[1],
        unit=record.unit(name),
        after=last.period_end,
        by=by,
        origin=origin,
        reason=reason,
        value_then=last.value,
    )


def _stated(thesis: str) -> Iterator[tuple[str, Comparison, float, str]]:
    """Yield the watched figures that a hypothesis itself says would prove it wrong, with direction and threshold."""
    reader = Reader(())
    for sentence in thesis.replace("! ", ". ").replace("? ", ". ").split(". "):
        words = sentence.casefold()
        if "wrong" not in words and "falsif" not in words and "disprove" not in words and "refute" not in words:
            continue
        found = reader.wording(sentence)
        if (
            "negative" in words
            and len(named := found.metrics & WATCHED.keys()) == 1
            and not any(map(str.isdigit, words))
        ):
            yield min(named), "below", 0.0, sentence.strip(" .")
        for line in lines_of(sentence):
            for mention in reader.mentions(line):
                names = {_SAME.get(name, name) for name in mention.metrics} & WATCHED.keys()
                if "revenue" in names and mention.number.unit == "%":
                    names = {"revenue_yoy"}
                if len(names) == 1 and mention.way and mention.close_by:
                    (name,) = names
                    fits = (
                        mention.number.unit in {"%": ("%",), "x": ("x", ""), "money": ("money", "")}[WATCHED[name].unit]
                    )
                    if fits:
                        yield name, "below" if mention.way < 0 else "above", mention.number.value, sentence.strip(" .")


def _implied(items: Sequence[EvidenceItem], record: CompanyRecord) -> Iterator[tuple[str, bool, str]]:
    """Yield the figures that the evidence implies, the surest item first: name, whether high is hoped for, and why."""
    outlook = sum(_favours(item) for item in items) >= 0
    for item in sorted(items, key=lambda item: (item.effect is None, -item.confidence, item.id)):
        if item.direction == "neutral":
            continue
        if (named := _named_in(item)) in WATCHED:
            yield named, WATCHED[named].higher_is_better == outlook, f"{item.id} rests on it."
        if item.effect is not None:
            names = (name for name in DRIVER_FIGURES[item.effect.driver] if record.known(name))
            if (name := next(names, None)) is not None:
                driver = item.effect.driver.replace("_", " ")
                yield name, WATCHED[name].higher_is_better == outlook, f"{item.id} moves the {driver} of the valuation."


def _favours(item: EvidenceItem) -> int:
    """Return 1 where an item makes its hypothesis one of rising value, -1 where of falling value, 0 for neither."""
    if item.effect is None or not item.effect.change or item.direction == "neutral":
        return 0
    if item.effect.driver in _RAISES_COST and (_named_in(item) in WATCHED or item.direction == "contradicts"):
        return 0  # what is dear says nothing of the hypothesis that it does not support
    raises = (item.effect.change > 0) != (item.effect.driver in _RAISES_COST)
    return 1 if raises == (item.direction == "supports") else -1


def _named_in(item: EvidenceItem) -> str:
    """Return the name of the figure whose row of an answer an item quotes; else the begin of the quotation."""
    return item.quote.strip("| ").partition(" | ")[0].strip()


def _by_history(hypothesis: str, name: str, high_is_hoped: bool, record: CompanyRecord, why: str) -> Falsifier | None:
    """Return the falsifier at the least favourable value of two years."""
    periods = SESSIONS if WATCHED[name].basis == "session" else PERIODS
    values = [figure.value for figure in record.known(name)[-periods:]]
    if len(values) < 2:
        return None
    worst = min(values) if high_is_hoped else max(values)
    threshold = _outward(worst, WATCHED[name].unit, down=high_is_hoped)
    extreme = "lowest" if high_is_hoped else "highest"
    span = f"{len(values)} sessions" if periods == SESSIONS else f"{len(values)} quarters"
    reason = f"{why} The {extreme} value of the last {span} was {Figure(name, worst, record.unit(name)).text}."
    comparison: Comparison = "below" if high_is_hoped else "above"
    return _made(hypothesis, name, (comparison, threshold), record, "evidence", reason)


def _outward(value: float, unit: str, *, down: bool) -> float:
    """Round away from the hypothesis: one decimal of a percentage, two of a multiple, three digits of money."""
    if unit in ("%", "x") or not value:
        step = 0.1 if unit == "%" else 0.01
    else:
        step = 10.0 ** (math.floor(math.log10(abs(value))) - 2)
    rounded = (math.floor if down else math.ceil)(round(value / step, 6)) * step
    return round(rounded, 10)


def _in_shares_then(measured: MeasuredFigure, falsifier: Falsifier, history: FigureHistory) -> MeasuredFigure:
    if measured.figure != "price" or history.prices is None:
        return measured
    factor = math.prod(split.ratio for split in history.prices.splits if split.day > falsifier.after)
    return measured.model_copy(update={"value": measured.value * factor})


def _is_over(falsifier: Falsifier, history: FigureHistory, until: datetime) -> bool:
    if WATCHED[falsifier.figure].basis == "session":
        return until.date() > falsifier.by and history.unknown_close(falsifier.after, falsifier.by) is None
    if until > datetime.combine(falsifier.by + PUBLISHED_BY, time(), UTC):
        return True
    filed = (
        statement.period_end
        for statement in history.versions
        if statement.kind == "income" and statement.known_at <= until
    )
    return any(end > falsifier.by for end in filed)
