"""Agent declarations: everything particular to one agent, stated once in its own file as `SPEC`.

Reading a declaration loads no model library; `builders.agent_node` makes its node.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tradingagents.agents.debates import Debate
from tradingagents.agents.schemas import Decision
from tradingagents.agents.states import AnalystState
from tradingagents.capabilities.capability import Capability
from tradingagents.dataflows.instrument import KIND_WORDS, Instrument
from tradingagents.dataflows.models import InstrumentKind
from tradingagents.settings import Tier

if TYPE_CHECKING:
    from tradingagents.agents.states import AgentState
    from tradingagents.context import RunContext, TradingContext
    from tradingagents.offline.brief import OfflineRule

ToolCalls = Sequence[tuple[Capability, Mapping[str, Any]]]
InitialCalls = Callable[[Any, Mapping[str, Any]], ToolCalls]
"""Returns the tool calls that are always made first, from the run's context and the graph's state."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    """Where one text of an agent stands in the reports."""

    key: str
    """State key of the text."""
    title: str
    label: str
    """What the text is called inside a sentence, such as `market report`."""
    file: str
    """Path within the folder of reports."""
    optional: bool = False
    """Whether a complete run may lack it, such as the result of a tool that the agent need not call."""


@dataclass(frozen=True, kw_only=True, eq=False)
class AgentSpec(ABC):
    """What every agent declares."""

    name: str
    phase: str
    """The part of the run it works in, such as `analysts`; the `step` of its events."""
    tier: Tier
    output_key: str
    """State key of what it writes: its report, its debate, or the text of its decision."""
    tools: tuple[Capability, ...] = ()
    memory: str | None = None
    """Name of its memory, see `memory.situations.MEMORY_NAMES`; None: it remembers nothing."""
    duty: str = ""
    """What it does, as the reflector reads it after "who"; for agents that remember."""
    sections: tuple[ReportSection, ...] = ()
    """Its own text first, then tool results that it copies into the state."""
    offline: OfflineRule | None = None
    """Answers for it where no language model does; None: the figures of its tools are listed unread."""
    reads_book: bool = False
    """Whether its prompt shows what the reader of the decision holds, where that is known."""

    @property
    @abstractmethod
    def prompt_template(self) -> str:
        """All of its instructions, for the fingerprint of prompts."""


@dataclass(frozen=True, kw_only=True, eq=False)
class ReportAgent(AgentSpec):
    """An agent that reads tools and writes one report."""

    prompt: str
    choice: str = ""
    """The name by which the setting `analysts` selects it; empty: it is always there."""
    initial_calls: InitialCalls | None = None
    requires: Mapping[Capability, str] = field(default_factory=dict)
    """Tools that are offered only where some vendor can answer the named method."""
    offered_if: Mapping[Capability, Callable[[Any], bool]] = field(default_factory=dict)
    """Tools that are offered only where a condition on the run's context holds."""
    copy_results: Mapping[str, Capability] = field(default_factory=dict)
    """State keys that take over a tool's result unchanged."""
    keep_results: tuple[str, ...] = ()
    """State keys that take over typed parts of tool results."""
    state_schema: type[Any] = AnalystState
    """What it reads from the graph around it."""
    input_phases: tuple[str, ...] = ()
    """Phases whose reports stand before its instruction."""
    must_call: bool = False
    """Whether a report without any tool result behind it is asked for again, once."""
    kinds: frozenset[InstrumentKind] = frozenset()
    """Kinds of instrument it studies; empty: every kind."""

    @property
    def prompt_template(self) -> str:
        """Its instruction."""
        return self.prompt

    def unfit(self, context: RunContext) -> str | None:
        """Return why it has nothing to study in a run; None if it has."""
        found: Instrument | None = getattr(context, "instrument", None)
        if not self.kinds or found is None or found.kind in self.kinds:
            return None
        studied = " or ".join(KIND_WORDS[kind] for kind in sorted(self.kinds))
        return f"{found.symbol} is {KIND_WORDS[found.kind]}, and the {self.name} studies {studied}."

    def offered_tools(self, context: RunContext) -> tuple[Capability, ...]:
        """Return the tools that can be offered in a run."""
        return tuple(
            tool
            for tool in self.tools
            if (tool not in self.requires or context.data.supports(self.requires[tool]))
            and (tool not in self.offered_if or self.offered_if[tool](context))
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class DebateAgent(AgentSpec):
    """An agent that reads the reports and a debate, and adds one turn."""

    debate: Debate
    opening: str
    """Instruction while no other side has spoken: there is nothing to rebut yet."""
    answering: str
    """Instruction once another side has spoken."""
    stance: str = ""
    """Stands before either instruction."""
    history_key: str
    """Key of its turns within the debate's state."""
    response_key: str | None = None
    """Key of its newest turn within the debate's state."""
    plan: str | None = None
    """State key of the plan under debate."""
    limits: Callable[[TradingContext], str] | None = None
    """Writes the limits that hold for what is debated, below the instruction."""

    @property
    def prompt_template(self) -> str:
        """Its stance and both instructions."""
        return self.stance + self.opening + self.answering


@dataclass(frozen=True, kw_only=True, eq=False)
class DecideAgent(AgentSpec):
    """An agent that reads everything it is given and answers with a typed verdict."""

    prompt: str
    debate: Debate | None = None
    """The debate it judges."""
    plans_before: tuple[str, ...] = ()
    """State keys of plans shown before the debate: those the debaters saw too."""
    plans_after: tuple[str, ...] = ()
    """State keys of plans shown after it."""
    needs_plan: str | None = None
    """State key of the plan without which there is no trade; None: it plans itself."""
    ends_run: bool = False
    """Whether its decision is the run's, which people read: the reason of none then says what to do."""
    render: Callable[[Decision], str]
    """Writes the decision as text."""
    update: Callable[[AgentState], dict[str, Any]] | None = None
    """Further updates of the state."""

    @property
    def prompt_template(self) -> str:
        """Its instruction."""
        return self.prompt


@dataclass(frozen=True, kw_only=True, eq=False)
class SynthesisAgent(AgentSpec):
    """The agent that weighs a scan's reports into a typed summary with its picks."""

    prompt: str
    input_phases: tuple[str, ...]
    """Phases whose reports it weighs."""

    @property
    def prompt_template(self) -> str:
        """Its instruction."""
        return self.prompt
