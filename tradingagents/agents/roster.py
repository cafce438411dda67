"""The agents that exist, in running order: ours, and analysts of installed packages.

A package adds an analyst by the entry point group `tradingagents.agents`; the entry point's name is the one by which
`analysts` selects it, and its value a `ReportAgent`. Everything that lists agents reads this roster: graphs, prompts,
reports, progress, prompt hashes, estimates, command line and docs. Importing this module loads no agent.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING

from tradingagents.errors import SettingsError
from tradingagents.settings import AGENT_PACKAGES, nearest

if TYPE_CHECKING:
    from tradingagents.agents.debates import Debate
    from tradingagents.agents.spec import AgentSpec, DebateAgent, ReportAgent, ReportSection

TRADING = (
    "tradingagents.agents.analysts.market_analyst",
    "tradingagents.agents.analysts.social_media_analyst",
    "tradingagents.agents.analysts.news_analyst",
    "tradingagents.agents.analysts.fundamentals_analyst",
    "tradingagents.agents.researchers.bull_researcher",
    "tradingagents.agents.researchers.bear_researcher",
    "tradingagents.agents.managers.research_manager",
    "tradingagents.agents.trader.trader",
    "tradingagents.agents.risk_mgmt.aggressive_debator",
    "tradingagents.agents.risk_mgmt.conservative_debator",
    "tradingagents.agents.risk_mgmt.neutral_debator",
    "tradingagents.agents.managers.risk_manager",
)
"""Modules of a trading run's agents, in running order; each declares its agent as `SPEC`."""
SCAN = (
    "tradingagents.agents.scanners.geopolitical_scanner",
    "tradingagents.agents.scanners.market_movers_scanner",
    "tradingagents.agents.scanners.sector_scanner",
    "tradingagents.agents.scanners.industry_deep_dive",
    "tradingagents.agents.scanners.macro_synthesis",
)
"""Modules of a scan's agents, in running order."""
ANALYST_PHASE = "analysts"
_LOG = logging.getLogger(__name__)


@dataclass(frozen=True)
class Roster:
    """All agents, in running order."""

    analysts: Mapping[str, ReportAgent]
    """By the name that `analysts` selects: ours first, then those of installed packages."""
    deciders: tuple[AgentSpec, ...]
    """The agents of a trading run after the analysts."""
    scan: tuple[AgentSpec, ...]
    modules: Mapping[str, str]
    """The module of each agent, by the agent's name."""
    broken: Mapping[str, str] = field(default_factory=dict)
    """Why an installed package's analyst cannot be used, by its name."""

    @property
    def every(self) -> tuple[AgentSpec, ...]:
        """Every agent: those of a trading run, then those of a scan."""
        return (*self.analysts.values(), *self.deciders, *self.scan)


@cache
def roster() -> Roster:
    """Return all agents. It is read once: a package installed later is found by the next process."""
    from tradingagents.agents.spec import ReportAgent

    ours, scan = tuple(map(_spec, TRADING)), tuple(map(_spec, SCAN))
    analysts = {spec.choice: spec for spec in _report_agents(ours)}
    modules = {spec.name: module for spec, module in zip((*ours, *scan), (*TRADING, *SCAN), strict=True)}
    broken: dict[str, str] = {}
    for point in sorted(entry_points(group=AGENT_PACKAGES), key=lambda point: (point.name, point.value)):
        if point.name in analysts or point.name in broken:
            _LOG.warning("%s", f"{point.value} offers an analyst {point.name!r}, but there is one of that name.")
            continue
        spec, why = _loaded(point, taken=[*ours, *analysts.values(), *scan])
        if spec is None:
            broken[point.name] = f"{point.value} cannot be loaded: {why}"
        else:
            analysts[point.name] = spec
            modules[spec.name] = point.module
    deciders = tuple(spec for spec in ours if not isinstance(spec, ReportAgent))
    return Roster(analysts, deciders, scan, modules, broken)


def analyst(name: str) -> ReportAgent:
    """Return an analyst by the name that `analysts` selects.

    Raises:
        SettingsError: There is none of that name, or its package is broken.
    """
    known = roster()
    if found := known.analysts.get(name):
        return found
    if why := known.broken.get(name):
        raise SettingsError(f"The analyst {name!r} of {why}; repair or uninstall that package.")
    close = nearest(name, known.analysts)
    hint = f"did you mean {close}? " if close else ""
    raise SettingsError(f"Unknown analyst {name!r}; {hint}Analysts are: {', '.join(known.analysts)}.")


def trading_agents(analysts: Sequence[str]) -> tuple[AgentSpec, ...]:
    """Return the agents of a trading run with these analysts, in running order."""
    return (*(analyst(name) for name in analysts), *roster().deciders)


def scan_agents() -> tuple[AgentSpec, ...]:
    """Return the agents of a scan, in running order."""
    return roster().scan


def agent_of(output_key: str) -> AgentSpec:
    """Return the agent that writes a state key.

    Raises:
        KeyError: No agent writes it.
    """
    for spec in roster().every:
        if spec.output_key == output_key:
            return spec
    raise KeyError(output_key)


def speakers_of(debate: Debate) -> tuple[DebateAgent, ...]:
    """Return the debaters of a debate, first to last."""
    from tradingagents.agents.spec import DebateAgent

    return tuple(spec for spec in roster().deciders if isinstance(spec, DebateAgent) and spec.debate is debate)


def judge_of(debate: Debate) -> AgentSpec:
    """Return who decides a debate."""
    from tradingagents.agents.spec import DecideAgent

    return next(spec for spec in roster().deciders if isinstance(spec, DecideAgent) and spec.debate is debate)


def report_keys(phases: Sequence[str]) -> tuple[str, ...]:
    """Return the state keys of the reports that agents of some phases write, in running order."""
    return tuple(spec.output_key for spec in _report_agents(roster().every) if spec.phase in phases)


def reports_of(agents: Iterable[AgentSpec]) -> dict[str, str]:
    """Return the state key of each reporting agent's report, by the agent's name."""
    return {spec.name: spec.output_key for spec in _report_agents(agents)}


def phases(agents: Iterable[AgentSpec]) -> dict[str, tuple[str, ...]]:
    """Return the names of agents by the phase they work in, in running order."""
    found: dict[str, tuple[str, ...]] = {}
    for spec in agents:
        found[spec.phase] = (*found.get(spec.phase, ()), spec.name)
    return found


@cache
def authors() -> Mapping[str, str]:
    """Return who writes each text, by its state key."""
    return {section.key: spec.name for spec in roster().every for section in spec.sections}


@cache
def labels() -> Mapping[str, str]:
    """Return what each text is called inside a sentence, by its state key."""
    return {section.key: section.label for spec in roster().every for section in spec.sections}


def titles() -> Mapping[str, str]:
    """Return the heading of each text, by its state key."""
    return {section.key: section.title for spec in roster().every for section in spec.sections}


@cache
def analyst_sections() -> tuple[tuple[ReportAgent, ReportSection], ...]:
    """Return the texts of all analysts in the order every reader sees them: reports, then copied tool results."""
    pairs = [(spec, section) for spec in roster().analysts.values() for section in spec.sections]
    return tuple(sorted(pairs, key=lambda pair: pair[1].key != pair[0].output_key))


@cache
def trading_reports() -> tuple[str, ...]:
    """Return the state keys of the reports that every reader of a trading run sees, in that order."""
    return (*(section.key for _, section in analyst_sections()), summary_key())


def summary_key() -> str:
    """Return the state key of a scan's summary, which a run that the scan handed over to reads too."""
    return roster().scan[-1].output_key


def copied_texts() -> tuple[str, ...]:
    """Return the state keys of texts that are a tool's result unchanged, written by no model."""
    return tuple(section.key for spec, section in analyst_sections() if section.key != spec.output_key)


def decisions() -> tuple[str, ...]:
    """Return the state keys of the deciders' texts, in running order; the last is the run's answer."""
    from tradingagents.agents.spec import DecideAgent

    return tuple(spec.output_key for spec in roster().deciders if isinstance(spec, DecideAgent))


def trading_texts() -> tuple[str, ...]:
    """Return the state keys of all texts of a trading run in the order a record holds them: reports, then decisions."""
    return (*trading_reports(), *decisions())


def _report_agents(agents: Iterable[AgentSpec]) -> list[ReportAgent]:
    from tradingagents.agents.spec import ReportAgent

    return [spec for spec in agents if isinstance(spec, ReportAgent)]


def _spec(module: str) -> AgentSpec:
    spec: AgentSpec = import_module(module).SPEC
    return spec


def _loaded(point: EntryPoint, taken: Iterable[AgentSpec]) -> tuple[ReportAgent | None, str]:
    """Return an installed package's analyst, or None and why it cannot be used."""
    from tradingagents.agents.spec import ReportAgent

    try:
        spec = point.load()
    except Exception as error:  # noqa: BLE001 - whatever a package's code does
        return None, f"{type(error).__name__}: {error}"
    if not isinstance(spec, ReportAgent) or spec.phase != ANALYST_PHASE or spec.choice != point.name:
        return None, f"it is no ReportAgent of the phase {ANALYST_PHASE!r} with the choice {point.name!r}"
    names, keys = {one.name for one in taken}, {section.key for one in taken for section in one.sections}
    if spec.name in names or keys & {section.key for section in spec.sections}:
        return None, "its name or a text's key is another agent's"
    return spec, ""
