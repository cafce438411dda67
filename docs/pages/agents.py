"""The page of agents and tiers."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable
from functools import lru_cache
from types import ModuleType

import tradingagents.agents
from pages.markdown import code, first_line, page, table
from pages.watched import Seen, Watched
from tradingagents.agents.states import REPORT_KEYS
from tradingagents.graph.trading_graph import TradingAgentsGraph
from tradingagents.llm_clients.tiers import choices
from tradingagents.memory.situations import MEMORY_NAMES
from tradingagents.settings import Settings

REPORTS = (*REPORT_KEYS, "macro_regime_report")
INTRODUCTION = """
All agents of both graphs, in running order. What an agent reads and writes was observed in a trading run and a scan
with the offline analysts. **Reads**: the content of its prompt, by state key (*reports*: all five; *tools*: the results
of its tools). **Writes**: the state keys it left. Each file holds the agent's instruction, its tools and its factory.
How they work together: [agents](../concepts/agents.md) and [the scanner](../concepts/scanner.md).
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
    modules = {module.AGENT: module for module in agent_modules()}
    rows = []
    for agent, seen in watched.agents.items():
        module = modules[agent]
        rows.append(
            [
                f"[{agent}](../../{module.__name__.replace('.', '/')}.py)",
                module.TIER,
                code(tool.name for tool in getattr(module, "TOOLS", ())),
                "✓" if "memory" in inspect.signature(_factory(module)).parameters else "",
                _reads(seen),
                code(seen.writes),
            ]
        )
    tiers = (
        [name, f"`{choice.provider}`", f"`{choice.model}`", _speakers(name)]
        for name, choice in choices(Settings()).items()
    )
    memories = ([f"`{name}`", first_line(getattr(TradingAgentsGraph, name))] for name in MEMORY_NAMES)
    factories = (
        [agent, f"`{modules[agent].__name__}.{_factory(modules[agent]).__name__}{_signature(modules[agent])}`"]
        for agent in watched.agents
    )
    return page(
        "Agents and tiers",
        INTRODUCTION,
        table(("agent", "tier", "tools", "memory", "reads", "writes"), rows),
        TIER_WORDS,
        table(("tier", "provider", "model", "agents"), tiers),
        MEMORY_WORDS,
        table(("memory", "meaning"), memories),
        "## Factories",
        table(("agent", "factory"), factories),
    )


@lru_cache(maxsize=1)
def agent_modules() -> tuple[ModuleType, ...]:
    """Return the modules that hold an agent that asks a model, by path."""
    found = pkgutil.walk_packages(tradingagents.agents.__path__, f"{tradingagents.agents.__name__}.")
    modules = (importlib.import_module(info.name) for info in found if not info.ispkg)
    return tuple(module for module in modules if hasattr(module, "AGENT") and hasattr(module, "TIER"))


def _reads(seen: Seen) -> str:
    reports = [key for key in seen.reads if key.endswith("_report")]
    whole = reports == list(REPORTS) if reports else False
    others = [key for key in seen.reads if key != "debate" and not (whole and key in reports)]
    words = [*(["*reports*"] if whole else []), *(["*tools*"] if seen.calls else []), *(f"`{key}`" for key in others)]
    return ", ".join([*words, *(["the debate"] if "debate" in seen.reads else [])])


def _factory(module: ModuleType) -> Callable[..., object]:
    (factory,) = (value for name, value in vars(module).items() if name.startswith("create_"))
    made: Callable[..., object] = factory
    return made


def _signature(module: ModuleType) -> str:
    return f"({', '.join(inspect.signature(_factory(module)).parameters)})"


def _speakers(tier: str) -> str:
    return ", ".join(module.AGENT for module in agent_modules() if tier == module.TIER)
