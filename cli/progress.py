"""The progress of runs, derived from their events: the state behind every display, independent of terminals."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Literal

from tradingagents.events import Event
from tradingagents.schemas.decision import sureness_of

from .text import one_line, opening_words, with_flags

State = Literal["waiting", "working", "done", "failed"]
Ending = Literal["done", "failed"]
Clock = Callable[[], datetime]
Roster = Mapping[str, tuple[str, ...]]
"""Agents by phase."""

REPORTING_STEPS = ("analysts", "scanners", "industries")
"""Phases whose agents may fail: the run continues with a stated gap."""
KEPT_TOOLS = 8


def trading_roster(analysts: Sequence[str]) -> Roster:
    """Return the agents of a ticker's run by phase, in running order."""
    from tradingagents.agents.roster import phases, trading_agents

    return _titled(phases(trading_agents(analysts)))


def scan_roster() -> Roster:
    """Return the agents of a scan by phase, in running order."""
    from tradingagents.agents.roster import phases, scan_agents

    return _titled(phases(scan_agents()))


def _titled(phases: Roster) -> Roster:
    return {phase.capitalize(): agents for phase, agents in phases.items()}


@dataclass
class AgentProgress:
    """One agent's part in a run."""

    name: str
    phase: str
    state: State = "waiting"
    spent: float = 0.0
    """Seconds of its finished turns."""
    since: datetime | None = None
    """Start of its current turn."""
    latest: datetime | None = None
    """Its latest event."""
    turns: int = 0
    """Number of turns begun."""
    tools: int = 0
    """Number of answered tool calls."""
    note: str = ""
    """Its latest news, one line."""
    writing: str = ""
    """The reply being streamed."""

    def seconds(self, now: datetime) -> float:
        """Return its working time, the current turn included."""
        return self.spent + ((now - self.since).total_seconds() if self.since else 0.0)


@dataclass(frozen=True)
class ToolCall:
    """An answered tool call."""

    agent: str
    tool: str
    call: str
    """The tool with its arguments."""
    answer: str
    """First line of the answer."""
    failed: bool


@dataclass
class Reading:
    """The text of a run to show at present."""

    agent: str
    text: str
    since: datetime
    """When it was complete; while in progress, when it began."""
    written: bool
    """False while in progress."""


@dataclass
class Spent:
    """Model use so far."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    cost_usd: float | None = 0.0
    """None once the price of any call is unknown."""

    def add(self, used: Mapping[str, Any]) -> None:
        """Count a model call, unless it is a cached reply."""
        if used.get("cached_reply"):
            return
        self.calls += 1
        self.input_tokens += used.get("input_tokens", 0)
        self.output_tokens += used.get("output_tokens", 0)
        self.cached_tokens += used.get("cached_tokens", 0)
        self._cost(used.get("cost_usd"))

    def take_in(self, other: Spent) -> None:
        """Add another run's usage."""
        self.calls += other.calls
        self.input_tokens += other.input_tokens
        self.output_tokens += other.output_tokens
        self.cached_tokens += other.cached_tokens
        self._cost(other.cost_usd)

    def _cost(self, usd: float | None) -> None:
        self.cost_usd = None if usd is None or self.cost_usd is None else self.cost_usd + usd


@dataclass
class RunProgress:
    """The progress of a scan or a ticker's run."""

    subject: str
    """The ticker, or the scan's name."""
    agents: dict[str, AgentProgress]
    state: State = "waiting"
    day: str = ""
    run_id: str = ""
    began: datetime | None = None
    ended: datetime | None = None
    spent: Spent = field(default_factory=Spent)
    tools: deque[ToolCall] = field(default_factory=lambda: deque(maxlen=KEPT_TOOLS))
    warnings: list[str] = field(default_factory=list)
    reading: Reading | None = None
    """The report, turn or decision in progress, or the last one."""
    outcome: str = ""
    """The decision or the candidates in a few words, or the error."""
    _asked: dict[tuple[str, str], deque[str]] = field(default_factory=dict, repr=False)

    @classmethod
    def waiting(cls, subject: str, roster: Roster) -> RunProgress:
        """Return the progress of a run that hasn't begun."""
        agents = {name: AgentProgress(name, phase) for phase, names in roster.items() for name in names}
        return cls(subject, agents)

    def seconds(self, now: datetime) -> float:
        """Return the run's duration so far, or in total."""
        return ((self.ended or now) - self.began).total_seconds() if self.began else 0.0

    def at_work(self) -> list[AgentProgress]:
        """Return the active agents."""
        return [agent for agent in self.agents.values() if agent.state == "working"]

    def finished(self) -> int:
        """Return how many agents have nothing to do at present."""
        return sum(agent.state in ("done", "failed") for agent in self.agents.values())

    def waiting_for(self, now: datetime) -> str:
        """Return what the agent that has waited longest waits for, and how many others do; empty if nobody works."""
        waiting = sorted(self.at_work(), key=lambda agent: agent.latest or now)
        if not waiting:
            return ""
        agent = waiting[0]
        pending = any(asked for (name, _), asked in self._asked.items() if name == agent.name)
        since = (now - (agent.latest or now)).total_seconds()
        others = f" (and {len(waiting) - 1} more at work)" if len(waiting) > 1 else ""
        return f"{agent.name}: waiting for {'its data' if pending else 'the model'}, {since:.0f} s{others}"

    def apply(self, event: Event) -> None:
        """Handle an event."""
        agent = self.agents.get(event.node or "")
        match event.type:
            case "run_start":
                self.state, self.began = "working", moment(event)
                self.day = event.data.get("trade_date") or event.data.get("scan_date", "")
                self.run_id = event.run_id
            case "usage":
                self.spent.add(event.data)
            case "warning":
                self.warnings.append(one_line(with_flags(event.message)))
                if agent and event.step in REPORTING_STEPS:
                    _stop(agent, event, "failed", with_flags(event.message.partition(": ")[2] or event.message))
            case "result":
                self.outcome = one_line(event.message)
            case "error":
                self.end("failed", event.message, moment(event))
            case _ if agent:
                self._apply_to(agent, event)

    def end(self, state: Ending, outcome: str, at: datetime) -> None:
        """Mark the run as ended; agents still active did not finish."""
        self.state, self.outcome, self.ended = state, one_line(with_flags(outcome)) or self.outcome, at
        for agent in self.at_work():
            agent.spent, agent.since, agent.state = agent.seconds(at), None, "failed"

    def _apply_to(self, agent: AgentProgress, event: Event) -> None:
        agent.latest = moment(event)
        match event.type:
            case "node_start":
                agent.state, agent.since, agent.note, agent.writing = "working", moment(event), "", ""
                agent.turns += 1
            case "token":
                agent.writing += event.message
                self._read_on(agent, event)
            case "retry":
                agent.note, agent.writing = one_line(retry_words(event)), ""
                if self.reading and self.reading.agent == agent.name and not self.reading.written:
                    self.reading = None  # the text so far is void
            case "tool_start":
                agent.note = one_line(event.message)
                self._asked.setdefault((agent.name, event.data.get("tool", "")), deque()).append(agent.note)
            case "tool_end":
                self._answered(agent, event)
            case "debate_turn":
                agent.note = f"“{opening_words(event.data.get('text', ''))}”"
                self._has_written(agent, str(event.data.get("text", "")), event)
            case "node_end":
                self._has_written(agent, _text_left(event), event)
                _stop(agent, event, "done", _what_it_left(agent, event))

    def _read_on(self, agent: AgentProgress, event: Event) -> None:
        """Show the text an agent is writing, unless another one's is in progress."""
        present = self.reading
        if present and not present.written and present.agent != agent.name and self.agents[present.agent].writing:
            return
        since = present.since if present and present.agent == agent.name and not present.written else moment(event)
        self.reading = Reading(agent.name, agent.writing, since, written=False)

    def _has_written(self, agent: AgentProgress, text: str, event: Event) -> None:
        """Show a finished text, unless another one is in progress."""
        present = self.reading
        if text.strip() and (present is None or present.written or present.agent == agent.name):
            self.reading = Reading(agent.name, text, moment(event), written=True)

    def _answered(self, agent: AgentProgress, event: Event) -> None:
        tool = event.data.get("tool", "")
        asked = self._asked.get((agent.name, tool))
        call = asked.popleft() if asked else tool
        agent.tools += 1
        answer = one_line(event.message)
        agent.note = f"{tool}: {answer}"
        self.tools.append(ToolCall(agent.name, tool, call, answer, event.data.get("status") == "error"))


def moment(event: Event) -> datetime:
    """Return when an event happened."""
    return datetime.fromisoformat(event.ts)


def retry_words(event: Event) -> str:
    """Return what a retry event tells: what happened, and when the model is asked again."""
    wait = event.data.get("wait_s") or 0.0
    again = f"; attempt {event.data.get('attempt')} in {wait:.0f} s" if wait else ""
    return f"{with_flags(event.message).rstrip('.')}{again}"


def utc_now() -> datetime:
    """Return the wall clock, UTC."""
    return datetime.now(UTC)


def _stop(agent: AgentProgress, event: Event, state: State, note: str) -> None:
    agent.spent, agent.since, agent.writing = agent.seconds(moment(event)), None, ""
    agent.state, agent.note = state, one_line(note)


def _text_left(event: Event) -> str:
    """Return an agent's text of a turn: its report, or the reasons for its decision."""
    if isinstance(report := event.data.get("report"), str):
        return report
    decision = event.data.get("decision")
    return str(decision.get("rationale", "")) if isinstance(decision, dict) else ""


def _what_it_left(agent: AgentProgress, event: Event) -> str:
    """Summarize a turn: a report's length, a decision, candidates; for a debater its opening words."""
    if isinstance(report := event.data.get("report"), str):
        tools = f" from {agent.tools} tool{'' if agent.tools == 1 else 's'}" if agent.tools else ""
        return f"{len(report.split())} words{tools}"
    if isinstance(decision := event.data.get("decision"), dict):
        action = str(decision.get("action", "")).replace("_", " ")
        _, sure = sureness_of(decision.get("confidence", 0.0), decision.get("strength"))
        return f"{action} {sure:.2f}: {opening_words(str(decision.get('rationale', '')))}"
    if isinstance(picks := event.data.get("picks"), str):
        return picks
    return agent.note
