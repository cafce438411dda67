"""Definitions of the agents that hold conversations: one public assistant, and a hidden one for each persona."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from tradingagents.capabilities.registry import registry
from tradingagents.features.assistant.agents.prompts import ASSISTANT_PROMPT, persona_prompt
from tradingagents.features.assistant.personas.loader import load_personas
from tradingagents.features.assistant.personas.persona import CONSULT, Persona
from tradingagents.settings import Settings, Tier

ASSISTANT = "assistant"
"""Name of the one public agent."""
ASSISTANT_TOOLS = (
    *("market_snapshot", "valuation", "financials", "get_ttm_analysis", "earnings", "company_info"),
    *("trailing_forward_pe", "fundamental_screen", "risk_profile", "beta_estimate"),
    *("macro_focus", "economic", "market_regime", "market_breadth", "fear_greed", "sp500_dcf", "lppl_analysis"),
    *("sec_filings", "sec_filing_section", "answer_from_filings", "get_news"),
    *("portfolio", "top_companies", "calendar_events", "watchlist", "open_chart", "current_view_context", "resolve"),
)
"""Capabilities that the assistant's model is shown with their arguments, most of them once it opens their topic
(`shown_tools.py`); it finds all others by `list_capabilities`."""
SMALL_TOOLS = (
    *("market_snapshot", "valuation", "get_ttm_analysis", "fundamental_screen", "risk_profile", "market_regime"),
    *("macro_focus", "get_news", "watchlist", "current_view_context", "resolve"),
)
"""The same for a model with little context, where schemas would leave no room for the conversation."""
SMALL_TASKS = frozenset({"analyze", "research", "debate", "scan", "filings_question", "valuation_pack"})
"""Kinds of tasks that such a model is shown."""
SMALL_CONTEXT = 24_000
"""Tokens of context below which fewer tools are shown."""
CHARTS = frozenset({"open_chart"})
"""Capabilities that need the permission for charts."""


@dataclass(frozen=True, kw_only=True)
class AgentDefinition:
    """What an agent is for, and what it may do."""

    name: str
    role: str
    """What it is called in prompts and on pages."""
    purpose: str
    prompt: str
    """Its instructions."""
    tools: tuple[str, ...]
    """Names or aliases of the capabilities that its model is shown."""
    capabilities: frozenset[str] | None = None
    """Names of the capabilities that it may use; None for all."""
    depth: Literal["quick", "standard", "deep"] = "standard"
    """How deep it goes where the session does not say."""
    view: Literal["summary", "full"] = "summary"
    """How much it shows where the session does not say."""
    may_open_charts: bool = False
    may_start_tasks: bool = False
    shown_tasks: frozenset[str] | None = None
    """Kinds of tasks that its model is shown, if it may start any; None for all."""
    can_consult: bool = False
    """Whether tools that consult personas are made for it."""
    hidden: bool = False
    """Whether no face may see it or its sessions."""
    tier: Tier = "mid"
    max_rounds: int = 10
    """Rounds of tool calls before it must answer."""


@dataclass(frozen=True)
class AgentRegistry:
    """The agents that hold conversations."""

    assistant: AgentDefinition
    personas: tuple[Persona, ...]
    _definitions: Mapping[str, AgentDefinition]

    def of(self, name: str) -> AgentDefinition:
        """Return a definition by name, hidden ones too. Raises KeyError."""
        return self._definitions[name]

    def persona_of(self, tool: str) -> Persona | None:
        """Return the persona that a tool consults; None for another tool."""
        return next((persona for persona in self.personas if persona.tool_name == tool), None)


def agent_registry(settings: Settings, context: int | None = None) -> AgentRegistry:
    """Return the assistant and one hidden agent for each persona.

    Args:
        settings: Choose tiers, limits and the folder of personas.
        context: Tokens that the assistant's model can read; None: enough.

    Raises:
        PersonaError: A persona's file cannot be used.
    """
    personas = load_personas(settings, capability_names())
    small = context is not None and context < SMALL_CONTEXT
    assistant = AgentDefinition(
        name=ASSISTANT,
        role="Assistant",
        purpose="Answers questions about stocks and markets from data, starts long work, and weighs investors' views",
        prompt=ASSISTANT_PROMPT,
        tools=SMALL_TOOLS if small else ASSISTANT_TOOLS,
        may_open_charts=True,
        may_start_tasks=True,
        shown_tasks=SMALL_TASKS if small else None,
        can_consult=True,
        tier=settings.assistant_tier,
        # Each round is two steps of the graph, whose number is limited.
        max_rounds=min(settings.assistant_max_rounds, (settings.max_recur_limit - 3) // 2),
    )
    definitions = {
        ASSISTANT: assistant,
        **{persona.name: persona_definition(persona, settings) for persona in personas},
    }
    return AgentRegistry(assistant, personas, definitions)


def persona_definition(persona: Persona, settings: Settings) -> AgentDefinition:
    """Return the hidden agent of a persona: it may use its file's tools, and nothing else."""
    return AgentDefinition(
        name=persona.name,
        role=persona.title,
        purpose=persona.lens,
        prompt=persona_prompt(persona),
        tools=persona.tools,
        capabilities=frozenset(persona.tools),
        may_open_charts=bool(CHARTS & set(persona.tools)),
        hidden=True,
        tier=settings.persona_tier,
        max_rounds=persona.limits.rounds,
    )


def capability_names() -> dict[str, str]:
    """Return the name of every capability by each of its names."""
    return {
        name: capability.name for capability in registry().values() for name in (capability.name, *capability.aliases)
    }


def is_consultation(tool: str) -> bool:
    """Tell whether a tool's name is one that consults a persona."""
    return tool.startswith(CONSULT)


def allowed_names(agent: AgentDefinition, capabilities: Sequence[str], kinds: Sequence[str]) -> frozenset[str]:
    """Return the names of the capabilities and kinds of tasks that an agent may use, for the kernel to check.

    Args:
        agent: The agent.
        capabilities: Names of all capabilities.
        kinds: Kinds of tasks that agents are offered.
    """
    own = frozenset(capabilities) if agent.capabilities is None else agent.capabilities
    charts = own if agent.may_open_charts else own - CHARTS
    return charts | frozenset(kinds if agent.may_start_tasks else ())
