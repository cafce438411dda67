"""The page of agents and tiers."""

from __future__ import annotations

import importlib
import inspect

from pages.markdown import code, first_line, page, table
from pages.watched import Seen, Watched
from tradingagents.agents import reflector
from tradingagents.agents.roster import roster, summary_key, trading_reports
from tradingagents.agents.spec import AgentSpec
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.tiers import choices
from tradingagents.memory.situations import MEMORY_NAMES
from tradingagents.settings import Settings

INTRODUCTION = """
All agents of both graphs, in running order. What an agent reads and writes was observed in a trading run and a scan
with the offline analysts and `fetch_valuation`. **Reads**: the content of its prompt, by state key (*reports*: all six;
*tools*: the results of its tools). **Writes**: the state keys it left. Each file holds the agent's instruction, its
tools and its factory. How they work together: [agents](../concepts/agents.md), [the scanner](../concepts/scanner.md).
"""
TIER_WORDS = """
## Tiers

Model and provider of each tier may be [set](configuration.md#models): `quick_think_llm`, `quick_think_llm_provider`,
`quick_think_backend_url`, and likewise `mid_` and `deep_`.
"""
MEMORY_WORDS = """
## Memories

Attributes of a `TradingAgentsGraph`; each has `add_situations([(situation, lesson)], settled_on=…)` and
`get_memories(situation, n_matches=2, as_of=…)`.
"""


def agents_page(watched: Watched) -> str:
    """Return the page."""
    agents = {spec.name: spec for spec in roster().every if spec.name in watched.agents}
    rows = [
        [
            f"[{name}](../../{roster().modules[name].replace('.', '/')}.py)",
            spec.tier,
            code(tool.name for tool in spec.tools),
            "✓" if spec.memory else "",
            _reads(watched.agents[name]),
            code(watched.agents[name].writes),
        ]
        for name, spec in agents.items()
    ]
    tiers = (
        [name, f"`{choice.provider}`", f"`{choice.model}`", _speakers(name)]
        for name, choice in choices(Settings()).items()
    )
    memories = ([f"`{name}`", first_line(getattr(TradingAgentsGraph, name))] for name in MEMORY_NAMES)
    return page(
        "Agents and tiers",
        INTRODUCTION,
        table(("agent", "tier", "tools", "memory", "reads", "writes"), rows),
        TIER_WORDS,
        table(("tier", "provider", "model", "agents"), tiers),
        MEMORY_WORDS,
        table(("memory", "meaning"), memories),
        "## Factories",
        table(("agent", "factory"), ([name, f"`{_factory(spec)}`"] for name, spec in agents.items())),
    )


def _reads(seen: Seen) -> str:
    reports = [key for key in seen.reads if key.endswith("_report")]
    whole = set(reports) >= set(trading_reports()) - {summary_key()}
    others = [key for key in seen.reads if key != "debate" and not (whole and key in reports)]
    words = [*(["*reports*"] if whole else []), *(["*tools*"] if seen.calls else []), *(f"`{key}`" for key in others)]
    return ", ".join([*words, *(["the debate"] if "debate" in seen.reads else [])])


def _factory(spec: AgentSpec) -> str:
    """Return how an agent's node is made: by its module's function, else by its declaration."""
    module = importlib.import_module(roster().modules[spec.name])
    for name, value in vars(module).items():
        if name.startswith("create_"):
            return f"{module.__name__}.{name}({', '.join(inspect.signature(value).parameters)})"
    return f"agent_node({module.__name__}.SPEC, llm)"


def _speakers(tier: str) -> str:
    """Return the agents of a tier; the reflector, asked after a run, is the only one outside the roster."""
    agents = [*((spec.name, spec.tier) for spec in roster().every), (reflector.AGENT, reflector.TIER)]
    return ", ".join(name for name, own in agents if own == tier)
