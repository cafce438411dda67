"""`TradingAgentsGraph`: the trading graph for people who write Python; `propagate(ticker, date)` runs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any, cast

from tradingagents.agents.final_decision import FinalDecision
from tradingagents.agents.managers.approval import Approval
from tradingagents.agents.states import AgentState
from tradingagents.dataflows.instrument import assert_asset_type
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.portfolio_file import portfolio_of
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import UsageError
from tradingagents.events import Subscriber
from tradingagents.graph.base import BaseGraph
from tradingagents.graph.contextual import ContextualGraph, messages_of
from tradingagents.graph.evaluation.evaluate import Settled
from tradingagents.graph.evaluation.evaluate_due import reflect_on, settle_due
from tradingagents.graph.propagation import Propagator
from tradingagents.graph.signal_processing import SignalProcessor
from tradingagents.graph.start import RunHandle, RunOptions, parse_day, resume, start
from tradingagents.graph.trading.kind import TRADING, TradingRequest
from tradingagents.graph.trading.run import Run
from tradingagents.graph.trading.state_log import logged_state
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.memory.situations import FinancialSituationMemory
from tradingagents.reports.report_tree import write_report_tree
from tradingagents.runtime.kind import Persist
from tradingagents.runtime.runs.run_folder import checked_component, symbol_folder


class TradingAgentsGraph(BaseGraph):
    """Four analysts, a research debate, a trader, a risk debate, a decision.

    Two graphs with different settings live side by side in one process; one graph may run several tickers at once.
    """

    def __init__(
        self,
        selected_analysts: Sequence[str] | None = None,
        debug: bool = False,
        config: Mapping[str, Any] | None = None,
        *,
        models: TierModels | None = None,
        vendors: Vendors | None = None,
    ) -> None:
        """Make the graph.

        Args:
            selected_analysts: market, social, news, fundamentals; None: as `config` says.
            debug: Print each agent's text and tool calls on stdout while a run goes on, and log every event (logger
                `tradingagents.events`).
            config: Settings by name, as in `DEFAULT_CONFIG`; a key left at its default may be set by the environment.
            models: Models that exist already; None makes them from the settings.
            vendors: Data vendors that exist already; None makes them from the settings.

        Raises:
            SettingsError: An unknown setting, or a value it cannot have.
            ModelNotConfigured: A key or package is missing.
        """
        given = dict(config or {})
        if selected_analysts is not None:
            given["analysts"] = tuple(selected_analysts)
        super().__init__(given, debug, models, vendors)
        self.ticker: str | None = None
        """Of the run that ended last in a decision, or without one; None before there is one."""
        self.curr_state: AgentState | None = None
        """The final state of that run."""
        self.log_states_dict: dict[str, dict[str, Any]] = {}
        """The final state of the newest run of each trade date, as JSON, with the messages as text."""
        self.propagator = Propagator(self.config.max_recur_limit)
        """Makes the first state for those who run `graph` themselves."""
        self._last: Run | None = None

    @cached_property
    def graph(self) -> ContextualGraph:
        """The compiled LangGraph graph; `graph.ainvoke({"company_of_interest": …, "trade_date": …})` needs no more.

        Run like that it leaves no record; `propagate` does.
        """
        return ContextualGraph.of(TRADING.compiled(self._services), self._services)

    @property
    def memories(self) -> Mapping[str, FinancialSituationMemory]:
        """The five memories by name, see `memory.situations.MEMORY_NAMES`."""
        return self._services.memories

    @property
    def bull_memory(self) -> FinancialSituationMemory:
        """What the bull researcher remembers."""
        return self._services.memories["bull_memory"]

    @property
    def bear_memory(self) -> FinancialSituationMemory:
        """What the bear researcher remembers."""
        return self._services.memories["bear_memory"]

    @property
    def trader_memory(self) -> FinancialSituationMemory:
        """What the trader remembers."""
        return self._services.memories["trader_memory"]

    @property
    def invest_judge_memory(self) -> FinancialSituationMemory:
        """What the research manager remembers."""
        return self._services.memories["invest_judge_memory"]

    @property
    def risk_manager_memory(self) -> FinancialSituationMemory:
        """What the risk manager remembers."""
        return self._services.memories["risk_manager_memory"]

    def start(
        self,
        ticker: str,
        trade_date: str | date,
        *,
        subscribers: Sequence[Subscriber] = (),
        persist: Persist = "all",
        portfolio: Any = None,
    ) -> RunHandle[Run]:
        """Start one ticker and day in the running event loop; return a handle on the run.

        Args:
            ticker: Any spelling.
            trade_date: The day the run pretends it is.
            subscribers: Who sees the events as they happen; `RunHandle.events` streams them too.
            persist: What the run leaves on disk: `all`, `card` or `none`.
            portfolio: What you hold, in any form that `dataflows.portfolio_file.portfolio_of` takes; None: not known.

        Raises:
            UsageError: The ticker or date is wrong.
        """
        options = RunOptions(subscribers=self._watchers(subscribers), persist=persist)
        book = None if portfolio is None else portfolio_of(portfolio)
        return start(TRADING, TradingRequest(ticker=ticker, day=trade_date, book=book), self._services, options)

    async def arun(
        self,
        ticker: str,
        trade_date: str | date,
        *,
        subscribers: Sequence[Subscriber] = (),
        persist: Persist = "all",
        portfolio: Any = None,
    ) -> Run:
        """Run one ticker and day; return everything it left.

        Args:
            ticker: Any spelling.
            trade_date: The day the run pretends it is.
            subscribers: Who sees the events as they happen.
            persist: What the run leaves on disk: `all`, `card` or `none`.
            portfolio: What you hold, in any form that `dataflows.portfolio_file.portfolio_of` takes; None: not known.

        Raises:
            TradingAgentsError: As `graph.start.analyze` raises.
        """
        handle = self.start(ticker, trade_date, subscribers=subscribers, persist=persist, portfolio=portfolio)
        return self._ended(await handle.result())

    def run(
        self,
        ticker: str,
        trade_date: str | date,
        *,
        subscribers: Sequence[Subscriber] = (),
        persist: Persist = "all",
        portfolio: Any = None,
    ) -> Run:
        """Run one ticker and day and wait for it; see `arun`."""
        return self._wait(self.arun(ticker, trade_date, subscribers=subscribers, persist=persist, portfolio=portfolio))

    async def aresume(
        self, run_id: str, *, approval: Approval | None = None, subscribers: Sequence[Subscriber] = ()
    ) -> Run:
        """Continue a run of this graph's settings that has not ended; what it has finished is not done again.

        Args:
            run_id: The run.
            approval: What a person says of the proposed decision, for a run that waits for that.
            subscribers: Who sees the events as they happen.

        Raises:
            TradingAgentsError: As `graph.start.resume` raises.
        """
        watchers = self._watchers(subscribers)
        return self._ended(cast(Run, await resume(self._services, run_id, subscribers=watchers, approval=approval)))

    def resume(self, run_id: str, *, approval: Approval | None = None, subscribers: Sequence[Subscriber] = ()) -> Run:
        """Continue a run and wait for it; see `aresume`."""
        return self._wait(self.aresume(run_id, approval=approval, subscribers=subscribers))

    async def apropagate(
        self, company_name: str, trade_date: str | date, asset_type: str = "stock", portfolio: Any = None
    ) -> tuple[AgentState, FinalDecision]:
        """Run one ticker and day; return the final state and the decision.

        Args:
            company_name: The ticker, any spelling.
            trade_date: The day the run pretends it is, `YYYY-MM-DD`.
            asset_type: `crypto` refuses a symbol that is no cryptocurrency; `stock` says nothing, as the symbol tells
                what is studied.
            portfolio: What you hold: a `Portfolio`, a dict, a DataFrame or a broker's file. None: not known, which is
                not the same as an empty one. The run's record says in `book` what the decision means for it.

        Returns:
            The state by its documented keys, with all that the agents wrote as `messages`; and the decision: its action
            as text, with confidence, rationale and the rest as attributes.

        Raises:
            TradingAgentsError: As `graph.start.analyze` raises.
        """
        assert_asset_type(company_name, asset_type)
        run = await self.arun(company_name, trade_date, portfolio=portfolio)
        return _with_messages(run.state), FinalDecision(run.decision, run.record.book)

    def propagate(
        self, company_name: str, trade_date: str | date, asset_type: str = "stock", portfolio: Any = None
    ) -> tuple[AgentState, FinalDecision]:
        """Run one ticker and day and wait for it; works in a script, in threads and in a notebook. See `apropagate`."""
        return self._wait(self.apropagate(company_name, trade_date, asset_type, portfolio))

    def save_reports(self, final_state: Mapping[str, Any], ticker: str, save_path: str | Path | None = None) -> Path:
        """Write the reports of a final state as files; see `reporting.write_report_tree`.

        A run's own folder holds the same texts, with its prices, its data and its costs.

        Args:
            final_state: What `propagate` returned.
            ticker: The ticker, any spelling.
            save_path: The folder; None: one of the ticker and the day in the setting `results_dir`.

        Returns:
            The complete report.

        Raises:
            UsageError: No folder is named, or there is nothing to write.
            HomeNotWritable: The folder cannot be written.
        """
        folder = self.config.results_dir
        if save_path is None and folder is None:
            raise UsageError("No folder is named; give save_path, or set results_dir.")
        if save_path is None and folder is not None:
            day = str(final_state.get("trade_date", "")) or "reports"
            save_path = folder / symbol_folder(normalise(ticker)) / checked_component(day)
        return write_report_tree(final_state, ticker, cast(Path, save_path))

    def process_signal(self, full_signal: str) -> str:
        """Return BUY, SELL, HOLD or NO_DECISION, as the text of a decision states it.

        Raises:
            UsageError: The text states none, or several.
        """
        return SignalProcessor().process_signal(full_signal)

    async def areflect_and_remember(self, returns_losses: Any) -> dict[str, str]:
        """Draw lessons from the outcome of the last run of this graph, and keep each in its agent's memory.

        They count as settled today, UTC: a study of a past day does not see them, a study of today does. They take the
        place of lessons that this run has taught before, so that telling it twice doubles nothing. The run's outcome
        is still measured from prices once its window has passed, for the scoreboard; that draws no lessons again.

        Args:
            returns_losses: The outcome: a number, or words.

        Returns:
            The lessons by memory; an agent that said nothing learned nothing.

        Raises:
            UsageError: This graph has not run yet.
            TradingAgentsError: As `graph.evaluation.evaluate_due.reflect_on` raises; then nothing was kept.
        """
        if self._last is None:
            raise UsageError("There is nothing to reflect on yet; run propagate(ticker, date) first.")
        watchers = self._watchers(())
        lessons = await reflect_on(self._services, self._last.record, returns_losses, subscribers=watchers)
        return {memory: lesson.recommendation for memory, lesson in lessons}

    def reflect_and_remember(self, returns_losses: Any) -> dict[str, str]:
        """Draw lessons from the last run and wait for them; see `areflect_and_remember`."""
        return self._wait(self.areflect_and_remember(returns_losses))

    async def asettle(self, as_of: str | date | None = None, *, ticker: str | None = None) -> Settled:
        """Settle every decision under `home` whose window has passed: outcomes and lessons are kept.

        Args:
            as_of: As it was known on this day; None: now.
            ticker: Only decisions on this one.

        Returns:
            What was settled, and why the rest of what is due was not.

        Raises:
            TradingAgentsError: As `graph.evaluation.evaluate_due.settle_due` raises.
        """
        day = None if as_of is None else parse_day(as_of)
        return await settle_due(self._services, day, ticker=ticker, subscribers=self._watchers(()))

    def settle(self, as_of: str | date | None = None, *, ticker: str | None = None) -> Settled:
        """Settle what is due and wait for it; see `asettle`."""
        return self._wait(self.asettle(as_of, ticker=ticker))

    def _ended(self, run: Run) -> Run:
        """Take note of a run that has ended, for `reflect_and_remember`."""
        self._last, self.ticker, self.curr_state = run, run.record["ticker"], _with_messages(run.state)
        self.log_states_dict[run.record["trade_date"]] = logged_state(run.state)
        return run


def _with_messages(state: AgentState) -> AgentState:
    """Return a final state with what the agents wrote as `messages`, which steps on disk do without."""
    return cast(AgentState, {**state, "messages": messages_of(state)})
