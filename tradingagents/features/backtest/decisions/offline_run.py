"""Makes a trading run of the offline analysts without the graph: the same tools, rules and schemas, in the same order.

A run that writes nothing and asks no language model needs neither steps, prompts, events nor messages; they are three
quarters of its cost. What the rules read, and so decision, texts and data sheet, is the same as in the graph
(tests/features/backtest/test_offline_run.py). Whatever is unusual is left to the graph.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import Any, cast

from langchain_core.callbacks import AsyncCallbackManager

from tradingagents.agents import roster
from tradingagents.agents.builders.briefs import brief_on, reader_brief
from tradingagents.agents.builders.debate_state import order_of
from tradingagents.agents.debates import RESEARCH, RISK, SIMULTANEOUS, Debate, next_speaker
from tradingagents.agents.schemas import Decision, Verdict
from tradingagents.agents.spec import AgentSpec, DebateAgent, DecideAgent, ReportAgent
from tradingagents.agents.states import NOT_AVAILABLE, AgentState, Turn
from tradingagents.agents.verdict_check import verdict_problems
from tradingagents.analytics.decisions.outcome import no_size, no_trade
from tradingagents.analytics.price.stock_data import daily_range
from tradingagents.capabilities.capability import Answer, Capability
from tradingagents.context import TradingContext
from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.look_up import look_up
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import TradingAgentsError
from tradingagents.events import EventStream
from tradingagents.graph.trading.kind import TRADING
from tradingagents.graph.trading.run import FINAL, Run, instrument_record, record_short_history
from tradingagents.llm_clients.meter import UsageMeter
from tradingagents.llm_clients.offline_model import OfflineChatModel
from tradingagents.llm_clients.structured import StructuredOutputError, read_object
from tradingagents.offline.brief import Brief, ObjectRule, ReportRule, TextRule, ToolAnswer
from tradingagents.offline.readings import Reading
from tradingagents.runtime.executor import open_market
from tradingagents.runtime.fingerprint import asked_of
from tradingagents.runtime.observability.tracing import asked_for
from tradingagents.runtime.services import Services
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.records import TimingRecord, UsageRecord

OFFLINE = "offline/"
RUN_ID = "offline"
"""In place of a run's id, of a run that leaves nothing."""


class NeedsGraph(Exception):
    """A run has something that only the graph handles; the message names it."""


class OfflineRuns:
    """Trading runs of the offline analysts on one set of services, without the graph."""

    def __init__(self, services: Services) -> None:
        """Read the agents once.

        Args:
            services: Settings, models, vendors; memories without lessons.

        Raises:
            NeedsGraph: Something is set that only the graph handles.
            SettingsError: There is no such analyst.
        """
        settings = services.settings
        if why := next(_reasons(services), None):
            raise NeedsGraph(why)
        agents = roster.trading_agents(settings.analysts)
        if other := next((spec.name for spec in agents if not _is_ruled(spec)), None):
            raise NeedsGraph(f"the agent {other}")
        self._services = services
        self._analysts = [spec for spec in agents if isinstance(spec, ReportAgent)]
        self._deciders = [spec for spec in agents if not isinstance(spec, ReportAgent)]
        self._all_local: dict[bool, bool] = {}
        self._prompts: Mapping[str, str] = asked_of(services, TRADING.prompts())["prompts"]

    async def run(self, ticker: str, day: date) -> Run:
        """Decide on a ticker and a day.

        Args:
            ticker: Any spelling of the symbol.
            day: A past day.

        Returns:
            The run as `analyze(..., persist="none")` returns it, with the parts of its record that the rules give.

        Raises:
            NeedsGraph: The graph has to take this run.
            DataError: There are no prices.
            Interrupted: The runs that share these services are to stop.
        """
        symbol = normalise(ticker)
        data = open_market(self._services, symbol, day, utc_now())
        live = data.cutoff.live  # vendors that answer for today alone may be asked then
        if live not in self._all_local:
            self._all_local[live] = data.all_local
        if not self._all_local[live]:
            raise NeedsGraph("a vendor that is asked over a network")
        run = _OfflineRun(self._services, _context(self._services, data, symbol))
        await run.report(self._analysts)
        for spec in self._deciders:
            if isinstance(spec, DecideAgent):
                await run.decide(spec)
            elif isinstance(spec, DebateAgent) and spec.name == order_of(spec.debate)[0]:
                await run.debate(spec.debate)
        return run.finished(self._prompts)


class _OfflineRun:
    """One run: its state grows agent by agent, as the graph's does."""

    def __init__(self, services: Services, context: TradingContext) -> None:
        self._services, self._context = services, context
        self._given = {"company_of_interest": context.instrument.symbol, "trade_date": context.data.as_of.isoformat()}
        self._state: dict[str, Any] = {**self._given, "decisions": {}}
        self._turns: dict[str, list[Turn]] = {RESEARCH.state_key: [], RISK.state_key: []}
        self._readings: dict[str, Reading] = {}
        self._calls = 0

    async def report(self, analysts: Sequence[ReportAgent]) -> None:
        """Ask the analysts' tools, and have their rules read what they gave.

        Round by round over all analysts, ordered by name, as the graph does: of an answer that two of them ask for, the
        data sheet keeps what was said last.
        """
        context = self._context
        for spec in analysts:
            if (unfit := spec.unfit(context)) is not None:
                self._state[spec.output_key] = f"{NOT_AVAILABLE} {unfit}"
        analysts = [spec for spec in analysts if spec.unfit(context) is None]
        at_work = sorted(analysts, key=lambda spec: spec.name)
        briefs = {spec.name: await brief_on(spec, context, self._given, self._initial(spec)) for spec in at_work}
        self._calls += len(at_work)
        for _ in range(context.settings.max_tool_rounds):
            at_work = [spec for spec in at_work if self._wishes(spec, briefs[spec.name])]
            for spec in at_work:
                brief = briefs[spec.name]
                more = [self._answer(*wish)[0] for wish in self._wishes(spec, brief)]
                briefs[spec.name] = replace(brief, results=(*brief.results, *more))
            self._calls += len(at_work)
        for spec in analysts:
            self._take(spec, briefs[spec.name])

    def _initial(self, spec: ReportAgent) -> list[ToolAnswer]:
        """Return what the initial calls give; texts that are a tool's answer unchanged go into the state."""
        calls = spec.initial_calls(self._context, self._given) if spec.initial_calls else ()
        answers = [(tool.name, self._answer(tool, arguments)) for tool, arguments in calls]
        for key, copied in spec.copy_results.items():
            given = (answer for name, (_, answer) in answers if name == copied.name and answer is not None)
            if (first := next(given, None)) is not None:
                self._state[key] = first.markdown
        return [answer for _, (answer, _) in answers]

    def _wishes(self, spec: ReportAgent, brief: Brief) -> list[tuple[Capability, Mapping[str, Any]]]:
        offered = {tool.name: tool for tool in spec.offered_tools(self._context)}
        further = cast(ReportRule, spec.offline).further(brief)
        return [(offered[name], arguments) for name, arguments in further if name in offered]

    def _take(self, spec: ReportAgent, brief: Brief) -> None:
        if brief.reading is None:
            raise NeedsGraph(f"{spec.name} read nothing")
        self._context.found.briefs[spec.output_key] = brief
        self._readings[spec.output_key] = brief.reading
        self._state[spec.output_key] = self._said(brief.reading.text)

    async def debate(self, debate: Debate) -> None:
        """Have each side of a debate speak, in turn or all at once in each round."""
        settings, order = self._context.settings, order_of(debate)
        rounds, turns = settings[debate.rounds], self._turns[debate.state_key]
        if not rounds:
            return
        speakers = {speaker.name: speaker for speaker in roster.speakers_of(debate)}
        if settings.debate_mode == SIMULTANEOUS:
            for _ in range(rounds):
                turns += [await self._turn(speakers[name], tuple(turns)) for name in order]
            return
        name, judge = order[0], roster.judge_of(debate).name
        while name != judge:
            turns.append(await self._turn(speakers[name], turns))
            name = next_speaker(turns, order, rounds=rounds, judge=judge)

    async def decide(self, spec: DecideAgent) -> None:
        """Have a deciding agent's rule fill in a verdict, checked as a model's answer is."""
        context, rule = self._context, cast(ObjectRule, spec.offline)
        if context.no_trade is not None:
            self._record(spec, Decision.none(context.no_trade))
            return
        turns = self._turns[spec.debate.state_key] if spec.debate else []
        self._calls += 1
        # Of the earlier deciders nobody reads what would change their minds.
        brief = replace(await self._brief(spec, turns), weighs_changes=spec.output_key == FINAL)
        filled = rule.fill_in(brief)
        if filled is None or self._services.secrets.value(dict(filled)) != filled:
            raise NeedsGraph(f"{spec.name} gives no verdict")
        try:
            verdict = read_object(Verdict, filled, check=lambda verdict: verdict_problems(verdict, context))
        except StructuredOutputError as error:
            raise NeedsGraph(str(error)) from error
        made = Decision.from_verdict(verdict, sell_means=context.sell_means)
        self._record(spec, made.without_levels(context.no_size) if context.no_size else made)

    def _record(self, spec: DecideAgent, decision: Decision) -> None:
        self._state[spec.output_key] = spec.render(decision)
        self._state["decisions"][spec.output_key] = decision

    def finished(self, prompts: Mapping[str, str]) -> Run:
        """Return the run with its record."""
        context = self._context
        made: Mapping[str, Decision] = self._state["decisions"]
        cutoff = context.data.cutoff
        record = RunRecord(
            run_id=context.run_id,
            status="done" if made[FINAL].action != "NO_DECISION" else "no_decision",
            kind=TRADING.name,
            session=cutoff.session.isoformat(),
            cutoff=cutoff.instant.isoformat(),
            ticker=context.instrument.symbol,
            trade_date=context.data.as_of.isoformat(),
            instrument=instrument_record(context.instrument),
            decision=made[FINAL],
            decisions=dict(made),
            reports={key: self._state[key] for key in roster.trading_texts() if key in self._state},
            debates={debate.phase: _plain(self._turns[debate.state_key]) for debate in (RESEARCH, RISK)},
            usage=UsageRecord.in_all(self._calls, 0.0),
            timing=TimingRecord(wall_s=0.0),
            data_sheet=context.data.sheet.to_records(),
            articles_read=[],
            degraded=[],
            data_faults=context.data.sheet.faults,
            warnings=context.data.sheet.warnings,
            paths={},
            settings={},
            versions={},
            models=dict(context.labels),
            prompts=dict(prompts),
        )
        return Run(
            record=record,
            state=cast(AgentState, self._state),
            decision=made[FINAL],
            readings={key: reading.rows for key, reading in self._readings.items()},
        )

    def _answer(self, tool: Capability, arguments: Mapping[str, Any]) -> tuple[ToolAnswer, Answer | None]:
        """Return what a tool answers, on the run's data sheet; why where it cannot."""
        subject = next((value for value in arguments.values() if isinstance(value, str)), "")
        try:
            found = tool.reply(self._context.data, tool.arguments.model_validate(dict(arguments)))
        except TradingAgentsError as error:
            return ToolAnswer(tool.name, None, " ".join(str(error).split()), subject), None
        return ToolAnswer(tool.name, found.result, asked=subject), found

    async def _turn(self, spec: DebateAgent, turns: Sequence[Turn]) -> Turn:
        self._calls += 1
        text = cast(TextRule, spec.offline).write(await self._brief(spec, turns))
        return Turn(speaker=spec.name, text=self._said(text))

    async def _brief(self, spec: AgentSpec, turns: Sequence[Turn]) -> Brief:
        return await reader_brief(spec, self._context, self._state, turns, (), ())

    def _said(self, text: str) -> str:
        """Return a text as a model's reply is taken over, where the graph would take it over as it is."""
        if not text.strip() or len(text) > self._context.settings.max_reply_chars:
            raise NeedsGraph("a reply that is empty or too long")
        if self._services.secrets.text(text) != text or not _is_encodable(text):
            raise NeedsGraph("a reply that must be changed")
        return text.strip()


def _reasons(services: Services) -> Iterator[str]:
    """Yield what is set that only the graph handles."""
    settings, models = services.settings, services.models
    if not all(isinstance(models.of(tier), OfflineChatModel) for tier in models.labels):
        yield "a language model"
    if not all(label.startswith(OFFLINE) for label in models.every_label):
        yield "a fallback model"
    if settings.approve or settings.max_llm_calls is not None or settings.log_file is not None:
        yield "an approval, a limit of calls or a log"
    if services.mask is not None:
        yield "a disguise"
    if any(len(memory) for memory in services.memories.values()):
        yield "lessons"
    if AsyncCallbackManager.configure().handlers or asked_for(os.environ) is not None:
        yield "a tracer"


def _is_ruled(spec: AgentSpec) -> bool:
    """Tell whether an agent's whole work is its rule."""
    if isinstance(spec, ReportAgent):
        special = spec.must_call or spec.keep_results or spec.input_phases
        return isinstance(spec.offline, ReportRule) and not special
    if isinstance(spec, DebateAgent):
        return isinstance(spec.offline, TextRule)
    return isinstance(spec, DecideAgent) and isinstance(spec.offline, ObjectRule)


def _context(services: Services, data: MarketData, symbol: str) -> TradingContext:
    """Return the context of a run that asks no model and reports to nobody."""
    prices = look_up(data, symbol)
    record_short_history(data, prices)
    return TradingContext(
        run_id=RUN_ID,
        settings=services.settings,
        data=data,
        preamble="",
        events=EventStream(RUN_ID, ()),
        meter=UsageMeter(services.settings),
        labels=services.models.labels,
        secrets=services.secrets,
        instrument=data.instrument(symbol),
        last_close=float(prices.close[-1]),
        daily_range=daily_range(prices),
        no_trade=no_trade(prices, data.cutoff.session),
        no_size=no_size(prices),
    )


def _plain(turns: Sequence[Turn]) -> list[dict[str, str]]:
    return [{"speaker": turn["speaker"], "text": turn["text"]} for turn in turns]


def _is_encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
