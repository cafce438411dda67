"""Briefs for the offline analysts: what an agent knows, as the typed values behind the texts of its prompt.

What the analysts found is computed from the results of their tools, once a run. A process that resumes a run has no
results: it asks the same questions again, which are answered from the run's point-in-time data, outside its data sheet.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage

from tradingagents.agents.decision_text import price_text
from tradingagents.agents.roster import roster
from tradingagents.agents.scan_states import Seen
from tradingagents.agents.scanners.candidates import PickCount
from tradingagents.agents.spec import AgentSpec, ReportAgent, SynthesisAgent
from tradingagents.agents.states import NOT_AVAILABLE, Turn
from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.tools import answer_of
from tradingagents.context import RunContext, TradingContext
from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.files.plain_text import one_line
from tradingagents.memory.situations import Match
from tradingagents.offline.brief import Brief, Pickable, Plan, ReportRule, Spoken, Subject, ToolAnswer
from tradingagents.offline.readings import Reading
from tradingagents.schemas.decision import Decision

LONGEST_NAME = 120


async def report_brief(
    spec: ReportAgent,
    context: RunContext,
    state: Mapping[str, Any],
    prescribed: Sequence[BaseMessage],
    messages: Sequence[BaseMessage],
) -> Brief:
    """Return the brief of a reporting agent: the results of its prescribed calls and of those in its conversation."""
    brief = await brief_on(spec, context, state, await _results(spec, context, [*prescribed, *messages]))
    context.found.briefs[spec.output_key] = brief
    return brief


async def reader_brief(
    spec: AgentSpec,
    context: TradingContext,
    state: Mapping[str, Any],
    turns: Sequence[Turn],
    lessons: Sequence[Match],
    _messages: Sequence[BaseMessage],
) -> Brief:
    """Return the brief of an agent that reads the analysts' reports: a debater or a decider."""
    analysts = tuple(roster().analysts.values())
    decisions: Mapping[str, Decision] = state.get("decisions", {})
    return Brief(
        spec.name,
        spec.offline,
        _subject(context),
        readings=await _readings(analysts, context, state),
        missing=_missing(analysts, state),
        plans={key: _plan(decision) for key, decision in decisions.items()},
        turns=tuple(Spoken(turn["speaker"], turn["text"].strip()) for turn in turns),
        lessons=tuple(match["recommendation"] for match in lessons),
        largest_position=context.settings.max_position_size,
        sell_closes=context.sell_means == "close",
    )


async def synthesis_brief(
    spec: SynthesisAgent,
    context: RunContext,
    state: Mapping[str, Any],
    seen: Seen,
    asked: PickCount,
    _messages: Sequence[BaseMessage],
) -> Brief:
    """Return the brief of a scan's synthesis: what the scanners found, and the stocks that it can pick."""
    scanners = _before(spec)
    return Brief(
        spec.name,
        spec.offline,
        _subject(context),
        readings=await _readings(scanners, context, state),
        missing=_missing(scanners, state),
        candidates=tuple(
            Pickable(ticker, stock.name, stock.sector, stock.figures, tuple(stock.tools))
            for ticker, stock in seen.items()
        ),
        picks=(asked.least, asked.most),
    )


def _subject(context: RunContext) -> Subject:
    day = context.data.as_of
    if not isinstance(context, TradingContext):
        return Subject(trade_date=day)
    instrument = context.instrument
    return Subject(
        instrument.symbol,
        one_line(instrument.name)[:LONGEST_NAME],
        DISPLAY.get(instrument.sector or "", "unknown"),
        day,
        float(price_text(context.last_close)),
    )


def _plan(decision: Decision) -> Plan:
    """Return a decision with its prices and size as its text shows them."""
    size = decision.position_size
    return Plan(
        action=decision.action,
        horizon_days=decision.horizon_days,
        entry=_price(decision.entry),
        stop=_price(decision.stop),
        target=_price(decision.target),
        position_size=None if size is None else float(f"{size:.3g}"),
    )


def _price(value: float | None) -> float | None:
    return float(price_text(value)) if value else None


def _before(spec: ReportAgent | SynthesisAgent) -> tuple[ReportAgent, ...]:
    """Return the reporting agents whose reports an agent reads."""
    agents = roster().every if spec.input_phases else ()
    return tuple(one for one in agents if isinstance(one, ReportAgent) and one.phase in spec.input_phases)


def _missing(agents: Sequence[ReportAgent], state: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the reports that were to be written and are not available."""
    keys = (section.key for one in agents for section in one.sections)
    return tuple(key for key in keys if str(state.get(key) or "").startswith(NOT_AVAILABLE))


async def _readings(
    agents: Sequence[ReportAgent], context: RunContext, state: Mapping[str, Any]
) -> Mapping[str, Reading]:
    """Return what the agents found that have reported, each worked out once a run."""
    known = context.found.briefs
    found: dict[str, Reading] = {}
    for agent in agents:
        key = agent.output_key
        text = str(state.get(key) or "")
        if not text or text.startswith(NOT_AVAILABLE) or not isinstance(agent.offline, ReportRule):
            continue
        if key not in known:
            known[key] = await _brief_again(agent, context, state)
        if reading := known[key].reading:
            found[key] = reading
    return found


async def brief_on(
    spec: ReportAgent, context: RunContext, state: Mapping[str, Any], results: Sequence[ToolAnswer]
) -> Brief:
    """Return the brief of a reporting agent on the results of its tools."""
    before = _before(spec)
    return Brief(
        spec.name,
        spec.offline,
        _subject(context),
        results=tuple(results),
        readings=await _readings(before, context, state),
        missing=_missing(before, state),
    )


async def _brief_again(spec: ReportAgent, context: RunContext, state: Mapping[str, Any]) -> Brief:
    """Return the brief of an agent that has reported: the results of its initial and further calls."""
    calls = spec.initial_calls(context, state) if spec.initial_calls else ()
    brief = await brief_on(spec, context, state, [await _answer(context, tool, given) for tool, given in calls])
    for _ in range(context.settings.max_tool_rounds):
        offered = {tool.name: tool for tool in spec.offered_tools(context)}
        wishes = spec.offline.further(brief) if isinstance(spec.offline, ReportRule) else ()
        more = [await _answer(context, offered[tool], given) for tool, given in wishes if tool in offered]
        if not more:
            break
        brief = replace(brief, results=(*brief.results, *more))
    return brief


async def _results(spec: ReportAgent, context: RunContext, messages: Sequence[BaseMessage]) -> tuple[ToolAnswer, ...]:
    """Return the typed results behind the tool messages of a conversation."""
    calls = {call["id"]: call for message in messages if isinstance(message, AIMessage) for call in message.tool_calls}
    tools = {tool.name: tool for tool in spec.tools}
    found: list[ToolAnswer] = []
    for message in messages:
        if not isinstance(message, ToolMessage):
            continue
        call = calls.get(message.tool_call_id)
        name = message.name or (call["name"] if call else "")
        arguments = call["args"] if call else {}
        if message.status == "error":
            reason = " ".join(message.text.split())
            found.append(ToolAnswer(name, None, reason, _asked(arguments), unreadable=call is None))
        elif name in tools:
            found.append(await _answer(context, tools[name], arguments))
    return tuple(found)


async def _answer(context: RunContext, tool: Capability, arguments: Mapping[str, Any]) -> ToolAnswer:
    """Return what a capability answered in this run; asked again where this process has not asked it."""
    asked = _asked(arguments)
    found = await answer_of(context, tool, tool.arguments.model_validate(dict(arguments)))
    if isinstance(found, str):
        return ToolAnswer(tool.name, None, " ".join(found.split()), asked)
    return ToolAnswer(tool.name, found, asked=asked)


def _asked(arguments: Mapping[str, Any]) -> str:
    return next((value for value in arguments.values() if isinstance(value, str)), "")
