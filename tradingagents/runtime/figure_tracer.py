"""Traces the figures of what a run's models wrote to the answers its tools gave: the `grounding` of a record."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, TypeVar

from tradingagents.agents.prompting import book_part
from tradingagents.agents.roster import copied_texts, roster, summary_key
from tradingagents.agents.spec import DebateAgent
from tradingagents.context import RunContext, TradingContext
from tradingagents.events import Event
from tradingagents.provenance.figure_check import Given, Place, untraced, words_around
from tradingagents.provenance.mentions import Mention
from tradingagents.provenance.numbers import SMALL, read_numbers
from tradingagents.schemas.cards import CardRecord, RunRecord, ScanRecord
from tradingagents.schemas.decision import Decision, KeyEvidence
from tradingagents.schemas.records import GroundingRecord, TracedRecord, UntracedRecord

FAILED = "The figures in the reports could not be traced to the data (a bug): none of them is marked."
ARTICLES = ("get_news", "get_global_news", "get_topic_news")
"""Tools that answer with articles. A report on these may rightly say in words alone what they say."""
MANY = 20
"""Figures of other tools from which a report has to quote one: an answer without data counts its rows at least."""
BOOK_WORDS = frozenset(
    ("book", "portf", "hold", "holdi", "held", "own", "owned", "posit", "weigh", "cash", "sold", "short")
)
"""Beginnings of words, as `Wording.words` has them, of which a sentence on what somebody holds has one."""
BOOK_METRICS = frozenset(("cash", "shares", "net_shares"))
"""Metrics whose words are those of holdings too."""
_log = logging.getLogger(__name__)
RecordT = TypeVar("RecordT", bound=CardRecord)


class FigureTracer:
    """Gathers what a run is given, and holds what its models wrote against it.

    `recall` is called as events come, the rest on the thread that writes reports.
    """

    def __init__(self, context: RunContext, brief: str = "") -> None:
        """Prepare for one run.

        Args:
            context: The run's surroundings.
            brief: What a market scan handed over; empty for none.
        """
        self._context = context
        self._answers = {brief: None} if brief else {}
        self._given_to: dict[str, list[str]] = {}
        """The answers other than articles, by the agent that was given them."""
        self._given: tuple[int, Given] | None = None
        self._shown: tuple[list[str], Given] | None = None
        """The lessons of the record, as read last."""
        self._held: Given | None = None
        """The block that says what the reader of the decision holds; None until it is read, or where there is none."""

    def recall(self, event: Event) -> None:
        """Take in the answer of a tool."""
        content = event.data.get("content")
        if event.type == "tool_end" and event.data.get("status", "error") != "error" and isinstance(content, str):
            self._answers[content] = None
            if event.data.get("tool") not in ARTICLES:
                self._given_to.setdefault(event.node or "", []).append(content)

    def take(self, texts: Iterable[str]) -> None:
        """Count texts as answers of tools: the reports on which a run decides that asks none."""
        self._answers.update(dict.fromkeys(texts))

    def gave_figures(self, agent: str) -> bool:
        """Tell whether tools have answered an agent with so many figures that its report cannot do without any."""
        numbers = (number for answer in self._given_to.get(agent, ()) for number in read_numbers(answer))
        return sum(not number.whole or abs(number.value) > SMALL for number in numbers) >= MANY

    def grounding(self, record: CardRecord) -> GroundingRecord:
        """Return what became of every figure in a record's texts."""
        by_report: dict[str, TracedRecord] = {}
        unmatched: list[UntracedRecord] = []
        for report, where, text in written_texts(record):
            places = self._places(text, record, report)
            missing = untraced(places)
            before = by_report.get(report, TracedRecord(figures=0, matched=0))
            by_report[report] = TracedRecord(
                figures=before.figures + len(places), matched=before.matched + len(places) - len(missing)
            )
            unmatched += [
                UntracedRecord(
                    report=report,
                    figure=text[place.start : place.end],
                    text=words_around(text, place),
                    where=where,
                    at=place.start,
                )
                for place in missing
            ]
        return GroundingRecord(
            figures=sum(count.figures for count in by_report.values()),
            matched=sum(count.matched for count in by_report.values()),
            unmatched=unmatched,
            by_report=by_report,
        )

    def places(self, text: str) -> Sequence[Place]:
        """Return the figures of a text, each traced or not to what tools have answered so far, and to the book."""
        return self._with_book(text, self._read().places(text))

    def supports(self, text: str) -> bool:
        """Tell whether a text states a figure that tools have answered so far, and not one that they have by chance."""
        return self._read().supports(text)

    def forget(self) -> None:
        """Release what was read; it takes megabytes, and an ended run may be held longer than its record needs it."""
        self._given = self._shown = self._held = None

    def evidence_checked(self, record: RunRecord) -> RunRecord:
        """Return a record whose decisions say which of their key evidence names no figure of the data."""

        def checked(decision: Decision, key: str) -> Decision:
            evidence = (_supported(self._places(item.claim, record, key), item) for item in decision.key_evidence)
            return decision.model_copy(update={"key_evidence": tuple(evidence)})

        decision = record.decision and checked(record.decision, roster().deciders[-1].output_key)
        decisions = {key: checked(decision, key) for key, decision in record.decisions.items()}
        return record.model_copy(update={"decision": decision, "decisions": decisions})

    def _places(self, text: str, record: CardRecord, report: str) -> Sequence[Place]:
        """Return the figures of a text, traced to the data, to a lesson that agents were shown, or to the book.

        Lessons are read apart: most become known with the last decision, when all else has been read.

        Args:
            text: What a model wrote.
            record: Of the run.
            report: What the text is counted under; the book is a source of those alone whose writers read it.
        """
        places: Sequence[Place] = self._read().places(text)
        if report in book_readers():
            places = self._with_book(text, places)
        if not untraced(places) or not (lessons := _lessons(record)):
            return places
        if self._shown is None or self._shown[0] != lessons:
            self._shown = (lessons, self._given_by(lessons))
        by_lesson = {place.start for place in self._shown[1].places(text) if place.traced}
        return [place if place.start not in by_lesson else place._replace(traced=True) for place in places]

    def _with_book(self, text: str, places: Sequence[Place]) -> Sequence[Place]:
        """Return the figures of a text with those as traced that quote what the reader holds."""
        context = self._context
        if not isinstance(context, TradingContext) or context.book is None or not untraced(places):
            return places
        self._held = self._held or self._given_by([book_part(context)], about=_is_of_book)
        quoted = {place.start for place in self._held.places(text) if place.traced}
        return [place._replace(traced=place.traced or place.start in quoted) for place in places]

    def _read(self) -> Given:
        """Return what tools answered, read once; anew where more was answered since."""
        answers = list(self._answers)
        if self._given is None or self._given[0] != len(answers):
            self._given = (len(answers), self._given_by(answers))
        return self._given[1]

    def _given_by(self, answers: Sequence[str], about: Callable[[Mention], bool] | None = None) -> Given:
        context = self._context
        figures: list[tuple[str | None, Mapping[str, float]]] = []
        subject: tuple[str, ...] = ()
        if isinstance(context, TradingContext):
            subject = (context.instrument.symbol, context.instrument.name)
        if isinstance(context, TradingContext) and about is None:
            figures = [(subject[0], {"last_close": round(context.last_close, 2)})]
        english = context.settings.output_language.strip().lower().startswith("english")
        return Given(answers, figures=figures, subject=subject, english=english, about=about)


@dataclass(frozen=True)
class TracedFigures:
    """The figures of a run's tools, for its agents: what a tracer knows, asked on the thread it belongs to."""

    tracer: FigureTracer
    thread: Executor
    read: dict[str, Sequence[Place]] = field(default_factory=dict)
    """By text, what was read last."""

    async def places(self, texts: Sequence[str]) -> list[Sequence[Place]]:
        """Return the figures of each of some texts, each traced or not to what tools have answered so far."""

        def read() -> list[Sequence[Place]]:
            return [self.tracer.places(text) for text in texts]

        found = await asyncio.get_running_loop().run_in_executor(self.thread, read)
        self.read.update(zip(texts, found, strict=True))
        return found

    def read_before(self, text: str) -> Sequence[Place] | None:
        """Return what `places` returned for a text; None where it was not asked. More may be traced since."""
        return self.read.get(text)

    async def supports(self, text: str) -> bool:
        """Tell whether a text states a figure that tools have answered so far, and not one that they have by chance."""
        return await asyncio.get_running_loop().run_in_executor(self.thread, self.tracer.supports, text)

    def gave_figures(self, agent: str) -> bool:
        """Tell whether tools have answered an agent with so many figures that its report cannot do without any."""
        return self.tracer.gave_figures(agent)


def traced(tracer: FigureTracer, record: RecordT) -> RecordT:
    """Return a record with its `grounding`; where a bug prevents that, with a warning instead: it never ends a run."""
    try:
        checked: Any = tracer.evidence_checked(record) if isinstance(record, RunRecord) else record
        found: RecordT = checked.model_copy(update={"grounding": tracer.grounding(record)})
        return found
    except Exception:  # noqa: BLE001 - a note on a report is not worth a run
        _log.warning(FAILED, exc_info=True)
        return record.model_copy(update={"warnings": [*record.warnings, FAILED]})


def _is_of_book(mention: Mention) -> bool:
    """Return whether a figure may be one of the book: words say so, and no metric of the market stands with it.

    Otherwise an invented growth of 16.4 % would be traced to a position that weighs as much.
    """
    return not mention.way and mention.metrics <= BOOK_METRICS and not mention.said.words.isdisjoint(BOOK_WORDS)


@cache
def book_readers() -> frozenset[str]:
    """Return what the texts of the agents that read the book are counted under; see `written_texts`."""
    readers = (spec for spec in roster().deciders if spec.reads_book)
    return frozenset(
        f"{spec.debate.phase}_debate" if isinstance(spec, DebateAgent) else spec.output_key for spec in readers
    )


def _supported(places: Sequence[Place], item: KeyEvidence) -> KeyEvidence:
    """Return a piece of key evidence, given the figures of its claim; marked where none of them is of the data."""
    if not places:
        return item.model_copy(update={"unsupported": "no_figure"})
    return item.model_copy(update={"unsupported": "untraced"}) if len(untraced(places)) == len(places) else item


def written_texts(record: CardRecord) -> Iterator[tuple[str, str, str]]:
    """Yield the texts of a record that models wrote: the report each is counted under, its path, its words."""
    # A tool's answer is no model's text; of a scan the summary's own texts are read instead of its JSON.
    left_out = {*copied_texts(), summary_key()}
    for key, text in record.reports.items():
        if key not in left_out:
            yield key, f"reports.{key}", text
    for name, turns in record.debates.items() if isinstance(record, RunRecord) else ():
        for at, turn in enumerate(turns):
            yield f"{name}_debate", f"debates.{name}.{at}.text", turn["text"]
    if isinstance(record, ScanRecord) and record.summary:
        for where, text in _strings(record.summary.as_json(), "summary"):
            yield summary_key(), where, text


_NO_PROSE = frozenset(
    {"ticker", "name", "sector", "source", "seen_in", "thesis_angle", "stance", "conviction", "timeframe", "theme"}
)


def _strings(node: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(node, str):
        yield path, node
    elif isinstance(node, Mapping):
        for name, part in node.items():
            if name not in _NO_PROSE:
                yield from _strings(part, f"{path}.{name}")
    elif isinstance(node, list):
        for at, part in enumerate(node):
            yield from _strings(part, f"{path}.{at}")


def _lessons(record: CardRecord) -> list[str]:
    """Return the lessons that agents were shown."""
    used = record.lessons_used if isinstance(record, RunRecord) else {}
    shown = [lesson for lessons in used.values() for lesson in lessons]
    return [f"{lesson.outcome or ''}\n{lesson.recommendation}".strip() for lesson in shown]
