"""The texts of reports in order, why a report is partial, a decision's terms, and model use."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from tradingagents.agents import roster
from tradingagents.agents.spec import AgentSpec, ReportAgent, ReportSection
from tradingagents.reports.formatting import position, price
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.decision import Decision
from tradingagents.schemas.records import InstrumentRecord, LessonRecord, UsageRecord
from tradingagents.settings import ANALYSTS, SELL_MEANINGS

NO_ADVICE = "This is research software: nothing in this report is investment advice."


@dataclass(frozen=True, slots=True)
class TextSection:
    """One text of a run and its place in the report."""

    key: str
    """State key in the record's `reports`."""
    title: str
    author: str
    file: str
    """Path within the folder of reports."""


@cache
def analysts() -> tuple[TextSection, ...]:
    """Return the analysts' texts in report order: reports first, then copied tool results."""
    return tuple(_section(spec, section) for spec, section in roster.analyst_sections())


def market_scan() -> TextSection:
    """Return the summary of the run's scan, optional for a run without one."""
    return _of(roster.trading_reports()[-1])


@cache
def decision_texts() -> tuple[TextSection, TextSection, TextSection]:
    """Return the texts of the deciders: investment plan, trading plan, final decision."""
    investment, trading, final = (_of(key) for key in roster.decisions())
    return investment, trading, final


@cache
def every_section() -> tuple[TextSection, ...]:
    """Return all texts of a trading run, in the order of a report."""
    return (*analysts(), market_scan(), *decision_texts())


@cache
def scan_sections() -> tuple[TextSection, ...]:
    """Return a scan's reports, in running order; its summary is a separate chapter."""
    return tuple(section_of(spec) for spec in roster.scan_agents() if isinstance(spec, ReportAgent))


def section_of(spec: AgentSpec) -> TextSection:
    """Return the place of an agent's own text."""
    return _section(spec, spec.sections[0])


def _of(key: str) -> TextSection:
    return section_of(roster.agent_of(key))


def _section(spec: AgentSpec, section: ReportSection) -> TextSection:
    return TextSection(section.key, section.title, spec.name, section.file)


_ENDINGS = {
    "no_decision": "The run ended without a decision.",
    "failed": "This is a partial report: the run failed.",
    "budget": "This is a partial report: the run used up its budget and stopped.",
    "interrupted": "This is a partial report: the run was interrupted.",
}


def text_of(record: RunRecord, key: str) -> str:
    """Return the text under a state key, stripped; empty if the run did not write it."""
    return record.reports.get(key, "").strip()


def written(reports: Mapping[str, str], sections: Iterable[TextSection]) -> list[tuple[TextSection, str]]:
    """Return the written sections, each with its text."""
    return [(section, text) for section in sections if (text := reports.get(section.key, "").strip())]


def notice(record: RunRecord) -> str | None:
    """Return the notice why a report is partial and what is missing; None for a complete one."""
    status = record.status
    if status == "done" and record.decision is not None:
        return None
    ending = _ENDINGS.get(status, f"This is a partial report: the run's status is {status}.")
    if status == "done":
        ending = "This is a partial report: the run recorded no decision."
    missing = [section.title.lower() for section in expected(record) if not text_of(record, section.key)]
    return ended_early(ending, record.error, missing)


def ended_early(ending: str, error: str, missing: Sequence[str]) -> str:
    """Return how a run ended, what ended it, and what was therefore not written."""
    parts = [ending, error.strip(), f"Not written: {', '.join(missing)}." if missing else ""]
    return " ".join(part for part in parts if part)


def expected(record: RunRecord) -> list[TextSection]:
    """Return the texts of a full run with the given analysts (all if not specified)."""
    chosen = record.settings.get("analysts")
    own = (
        _section(spec, section)
        for spec, section in roster.analyst_sections()
        if not section.optional and (spec.choice in chosen if chosen else spec.choice in ANALYSTS)
    )
    return [*own, *decision_texts()]


def from_entry(decision: Decision, level: float | None) -> str:
    """Format the distance of a level from the entry, such as -5.8%; empty if either is missing."""
    entry = decision.entry
    if not entry or level is None or level == entry:
        return ""
    return f"{(level / entry - 1) * 100:+.1f}%"


def reward_to_risk(decision: Decision) -> float | None:
    """Return (target - entry) / (entry - stop); None unless entry lies between them."""
    entry, stop, target = decision.entry, decision.stop, decision.target
    if entry is None or stop is None or target is None or entry == stop:
        return None
    ratio = (target - entry) / (entry - stop)
    return ratio if ratio > 0 else None


def terms(decision: Decision, instrument: InstrumentRecord) -> list[tuple[str, str, str]]:
    """Return the terms of a decision as (name, value, distance from the entry, if any)."""
    currency = instrument.currency
    ratio = reward_to_risk(decision)
    horizon = decision.horizon_days
    levels = (("Entry", decision.entry), ("Stop", decision.stop), ("Target", decision.target))
    given = [(name, f"{price(level)} {currency}", from_entry(decision, level)) for name, level in levels if level]
    meanings = [words for name, words in SELL_MEANINGS.items() if name == decision.sell_means]
    given = [*(("SELL means", words, "") for words in meanings), *given]
    if ratio is not None:
        given.append(("Reward to risk", f"{ratio:.1f}", ""))
    if decision.position_size is not None:
        given.append(("Position size", f"{position(decision.position_size)} of equity", ""))
    if horizon is not None:
        given.append(("Horizon", f"{horizon} day" if horizon == 1 else f"{horizon} days", ""))
    return given


@dataclass(frozen=True, slots=True)
class Use:
    """One line of the table of model use; None if not recorded."""

    name: str
    calls: float | None
    tokens_in: float | None
    cached: float | None
    tokens_out: float | None
    cost: float | None
    """USD; None if the model's price is unknown."""
    replayed: float | None
    """Replies reused from earlier runs."""

    @property
    def note(self) -> str:
        """A note on the line; empty for none."""
        if not self.replayed:
            return ""
        return f"Replies replayed from an earlier run, without asking a model: {self.replayed:,.0f}."


def uses(usage: UsageRecord) -> list[Use]:
    """Return model use by agent, then by tier, then the whole run as `Total`."""
    agents = [_use(name, line) for name, line in usage.by_agent.items()]
    tiers = [_use(f"Tier: {name}", line) for name, line in usage.by_tier.items()]
    return [*agents, *tiers, _use("Total", usage.as_json())]


def _use(name: str, line: Mapping[str, Any]) -> Use:
    return Use(
        name=name,
        calls=line.get("llm_calls"),
        tokens_in=line.get("input_tokens"),
        cached=line.get("cached_tokens"),
        tokens_out=line.get("output_tokens"),
        cost=line.get("cost_usd"),
        replayed=line.get("replayed_calls"),
    )


def lessons(record: RunRecord) -> list[tuple[str, LessonRecord]]:
    """Return the lessons shown to agents, each with those agents, in speaking order."""
    found: dict[tuple[str, str], tuple[list[str], LessonRecord]] = {}
    for agent, shown in record.lessons_used.items():
        for lesson in shown:
            agents, _ = found.setdefault((lesson.memory, lesson.recommendation), ([], lesson))
            agents.append(agent)
    return [(", ".join(agents), lesson) for agents, lesson in found.values()]


def lesson_origin(lesson: LessonRecord) -> str:
    """Describe a lesson: its number, ticker, date, and the similarity of its situation."""
    parts = (
        f"lesson {lesson.id}" if lesson.id is not None else "",
        f"about {lesson.ticker}" if lesson.ticker else "",
        f"known since {lesson.settled_on}",
        f"similarity {lesson.similarity:.2f}",
    )
    return ", ".join(part for part in parts if part)
