"""Starts runs and takes them through their graphs: the only caller of a graph that leaves a record.

The command line, Python, batches and evaluation all start runs here. `start` begins one and returns a `RunHandle`;
`resume` goes on with one that was killed, stopped or failed.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.errors import GraphDrained
from langgraph.runtime import RunControl
from langgraph.types import Command, StateSnapshot

from tradingagents.dataflows.cutoff import Moment, parse_day, utc_now
from tradingagents.dataflows.look_up import default_day
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.errors import AwaitingApproval, Interrupted, TradingAgentsError, UsageError
from tradingagents.events import Event, EventStream, Subscriber
from tradingagents.files.atomic import writing
from tradingagents.files.lock import Locked, locked
from tradingagents.files.private_files import make_folder
from tradingagents.llm_clients.meter import UsageMeter, Used
from tradingagents.llm_clients.replay import BATCH, Replay
from tradingagents.llm_clients.reply_cache import RunReplies
from tradingagents.llm_clients.run_context import Running
from tradingagents.llm_clients.tiers import TIERS
from tradingagents.runtime.concurrency import to_its_end
from tradingagents.runtime.fingerprint import asked_of
from tradingagents.runtime.kind import WAITING, ActiveRun, AnyGraph, Persist, ResultT, RunKind, RunParts
from tradingagents.runtime.manifest import RunManifest
from tradingagents.runtime.observability.setup import watched
from tradingagents.runtime.request import RunRequestT
from tradingagents.runtime.runs.run_folder import (
    LOCK,
    MANIFEST,
    UNFINISHED,
    CardOnly,
    NoFiles,
    RunBusy,
    RunFiles,
    RunFolder,
    checked_component,
    new_run_id,
)
from tradingagents.runtime.saved_sheet import keep_sheet, restore_sheet
from tradingagents.runtime.services import Services
from tradingagents.settings import recorded_settings

T = TypeVar("T")
CONVERSATIONS = "conversations"
"""Folder under `home` of the steps of conversations."""
_INTERRUPT = "__interrupt__"
"""The key under which LangGraph documents what a graph waits for."""


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """How a run is watched and limited, and what it leaves; none of it changes what it answers."""

    subscribers: Sequence[Subscriber] = ()
    """Who sees the events as they happen."""
    meter: UsageMeter | None = None
    """Of a whole that the run is part of: its limits hold instead of the run's own."""
    persist: Persist = "all"
    """What the run leaves on disk."""
    observed: bool = True
    """Whether the settings' log and tracer see the run; the subscribers do in any case."""


class RunHandle(Generic[ResultT]):
    """A run under way in the event loop that started it."""

    def __init__(self, execution: _Execution[Any, ResultT]) -> None:
        self._execution = execution
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(execution.run(), name=f"run {execution.manifest.run_id}")
        self._queues: list[asyncio.Queue[Event | None]] = []
        execution.watch(self._publish)
        self._task.add_done_callback(lambda _: self._end_streams())
        self._task.add_done_callback(lambda _: execution.beginning.over())  # also where it was cancelled before it ran

    @property
    def run_id(self) -> str:
        """The run's id, which is also the name of its folder."""
        return self._execution.manifest.run_id

    @property
    def done(self) -> bool:
        """Whether the run has ended, in a result or an error."""
        return self._task.done()

    async def result(self) -> ResultT:
        """Wait for the run and return its result.

        Cancelling the caller cancels the run; it has left its record before this raises.

        Raises:
            TradingAgentsError: What ended the run, after that was recorded.
        """
        return await self._task

    def cancel(self) -> None:
        """Stop the run: the calls under way may end for `drain_seconds`, and no further step begins.

        Called again, it does not wait. The run leaves its record, and `result` raises `Interrupted`. May be called from
        any thread.
        """
        self._loop.call_soon_threadsafe(self._stop)

    async def events(self) -> AsyncIterator[Event]:
        """Yield the events of the run from now on, until it ends."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue()
        if not self.done:
            self._queues.append(queue)
            while (event := await queue.get()) is not None:
                yield event

    def _stop(self) -> None:
        if self._execution.draining or not self._execution.drain_seconds:
            self._task.cancel()
            return
        self._execution.drain()
        self._loop.call_later(self._execution.drain_seconds, self._task.cancel)

    def _publish(self, event: Event) -> None:
        for queue in self._queues:
            self._loop.call_soon_threadsafe(queue.put_nowait, event)

    def _end_streams(self) -> None:
        for queue in self._queues:
            self._loop.call_soon(queue.put_nowait, None)


def start(
    kind: RunKind[RunRequestT, Any, ResultT],
    request: RunRequestT,
    services: Services,
    options: RunOptions | None = None,
) -> RunHandle[ResultT]:
    """Start a run in the running event loop.

    Args:
        kind: The kind of run.
        request: What is asked.
        services: What runs share.
        options: How it is watched, and what it leaves; None for the defaults.

    Raises:
        UsageError: The request is wrong, or the services were made in another process.
        Interrupted: The runs that share these services are to stop.
    """
    began, opened = time.perf_counter(), utc_now()
    chosen = options or RunOptions()
    if services.settings.approve and chosen.persist != "all":
        raise UsageError("A run that waits for an approval keeps its steps; leave out approve, or take persist='all'.")
    data = open_market(services, kind.calendar_symbol(request), request.day, opened)
    request = kind.completed(request, services.settings.home_dir, data.as_of)
    manifest = manifest_of(kind, request, services, data, opened)
    return RunHandle(_Execution(kind, request, services, manifest, data, began, chosen))


def resume(
    kind: RunKind[RunRequestT, Any, ResultT],
    manifest: RunManifest,
    services: Services,
    options: RunOptions | None = None,
    *,
    answer: Mapping[str, Any] | None = None,
) -> RunHandle[ResultT]:
    """Continue a run that left its steps; what it has finished is not done again.

    Args:
        kind: The run's kind.
        manifest: What it was asked.
        services: With the same settings.
        options: How it is watched; it leaves what a run with `persist="all"` leaves.
        answer: What a person says, for a run that waits for that.

    Raises:
        ManifestMismatch: The services would run something else.
        Interrupted: The runs that share these services are to stop.
    """
    began = time.perf_counter()
    manifest.assert_matches(services, kind.prompts())
    request = kind.request_of(manifest)
    data = open_market(services, kind.calendar_symbol(request), manifest.trade_date, manifest.opened)
    chosen = replace(options or RunOptions(), persist="all")
    execution = _Execution(kind, request, services, manifest, data, began, chosen, again=True, answer=answer)
    return RunHandle(execution)


def repeat(
    kind: RunKind[RunRequestT, Any, ResultT],
    manifest: RunManifest,
    services: Services,
    options: RunOptions | None = None,
) -> RunHandle[ResultT]:
    """Run a manifest again from its first step, under the same id and as if it were the moment of its first start.

    Unlike `resume`, it reads nothing that the first run left, and the services may be others.

    Args:
        kind: The run's kind.
        manifest: What it was asked.
        services: Whose home folder is not that of the first run.
        options: How it is watched, and what it leaves.
    """
    began, request = time.perf_counter(), kind.request_of(manifest)
    opened = manifest.opened
    data = open_market(services, kind.calendar_symbol(request), manifest.trade_date, opened, clock=lambda: opened)
    return RunHandle(_Execution(kind, request, services, manifest, data, began, options or RunOptions()))


def manifest_of(
    kind: RunKind[RunRequestT, Any, Any], request: RunRequestT, services: Services, data: MarketData, opened: datetime
) -> RunManifest:
    """Return the manifest of a new run."""
    subject = kind.subject(request)
    run_id = new_run_id(subject or kind.name, data.as_of.isoformat())
    return RunManifest(
        run_id=run_id,
        kind=kind.name,
        subject=subject,
        trade_date=data.as_of,
        opened=opened,
        cutoff=data.cutoff.instant,
        brief=kind.brief(request),
        settings=recorded_settings(services.settings),
        asked=asked_of(services, kind.prompts()),
        request=dict(kind.details(request)),
    )


def open_market(
    services: Services,
    symbol: str,
    day: str | date | None,
    opened: datetime,
    *,
    clock: Callable[[], datetime] = utc_now,
) -> MarketData:
    """Bind the market to a day.

    Args:
        services: What runs share.
        symbol: Whose exchange gives the sessions.
        day: None: the day of `default_day`.
        opened: When the run was asked for; a run of today learns nothing later than this.
        clock: Gives the present moment.

    Raises:
        Interrupted: The runs are to stop.
        UsageError: The services were made in another process, or the day is wrong.
    """
    services.assert_own_process()
    _assert_not_stopped(services)
    return MarketData(
        services.settings,
        default_day(services.settings, symbol) if day is None else parse_day(day),
        exchange=exchange_of(symbol),
        vendors=services.vendors,
        cache=services.cache,
        memo=services.memo,
        now=clock,
        moment=Moment(opened, services.settings.decide_at),
    )


def _assert_not_stopped(services: Services) -> None:
    if services.cancellation.requested:
        raise Interrupted("Interrupted before the run began; nothing was written.")


class _Execution(Generic[RunRequestT, ResultT]):
    """One start of a run, from what it reads first to its record."""

    def __init__(
        self,
        kind: RunKind[RunRequestT, Any, ResultT],
        request: RunRequestT,
        services: Services,
        manifest: RunManifest,
        data: MarketData,
        began: float,
        options: RunOptions,
        *,
        again: bool = False,
        answer: Mapping[str, Any] | None = None,
    ) -> None:
        self.manifest = manifest
        self._kind, self._request, self._services = kind, request, services
        self._data, self._began, self._options = data, began, options
        self._again, self._answer = again, answer
        self._control = RunControl()
        self._conversation = kind.conversation(request)
        self._watchers: list[Subscriber] = []
        self.beginning = services.beginnings.next()
        self.draining = False

    @property
    def drain_seconds(self) -> float:
        """How long calls under way may take to end once the run is to stop."""
        return self._services.settings.drain_seconds

    def watch(self, subscriber: Subscriber) -> None:
        """Add a subscriber; to be called before the run begins."""
        self._watchers.append(subscriber)

    def drain(self) -> None:
        """Let the step under way end, and no further one begin."""
        self.draining = True
        self._control.request_drain()

    async def run(self) -> ResultT:
        """Take the run from its first look at the market to its result."""
        with ExitStack() as stack:
            stack.callback(self._watchers.clear)  # the handle, which holds this
            await self.beginning.turn()
            _assert_not_stopped(self._services)
            found = await self._waiting(lambda: self._kind.look_up(self._data, self._request))
            run = self._open(stack, found)
            stack.callback(run.context.events.close)
            run.announce()
            await self._take_through(run)
            if self._options.persist == "none":
                return await run.finish()
            return await to_its_end(run.finish())  # one that is stopped now has ended, and leaves its record

    async def _waiting(self, look: Callable[[], T]) -> T:
        """Look something up, in a thread where that waits for a network."""
        if self._data.is_local("get_stock_data"):
            return look()
        return await asyncio.get_running_loop().run_in_executor(self._services.executor, look)

    def _open(self, stack: ExitStack, found: Any) -> ActiveRun[ResultT]:
        """Make the folder of the run, or take it up again, and open the run in it."""
        services, manifest, persist = self._services, self.manifest, self._options.persist
        files = self._files()
        stack.callback(files.close)
        earlier = files.events() if self._again else []
        if self._again:
            restore_sheet(self._data.sheet, files)
        elif persist == "all":
            files.write_json(MANIFEST, manifest.to_record())
        if persist == "all":
            keep_sheet(self._data.sheet, files)
        context = self._context(stack, files, earlier)
        parts = RunParts(
            services=services,
            manifest=manifest,
            data=self._data,
            files=files,
            context=context,
            earlier=earlier,
            began=self._began,
            opened=manifest.opened,
            persist=persist,
        )
        return self._kind.open(parts, found)

    def _context(self, stack: ExitStack, files: RunFiles, earlier: Sequence[Event]) -> dict[str, Any]:
        """Return the arguments of the run's context that are the same for every kind."""
        services, manifest = self._services, self.manifest
        meter = UsageMeter(services.settings, within=self._options.meter)
        for event in earlier:
            if event.type == "usage" and (used := Used.of(event.data)) is not None:
                meter.recall(event.node or "", used)
        running = Running(
            manifest.run_id,
            manifest.kind,
            manifest.subject,
            manifest.trade_date.isoformat(),
            services.settings.log_file,
        )
        outside = stack.enter_context(watched(running, services.settings)) if self._options.observed else ()
        subscribers = (files.append, *outside, *self._options.subscribers, *self._watchers)
        first = max((event.seq for event in earlier), default=-1) + 1
        return {
            "run_id": manifest.run_id,
            "settings": services.settings,
            "data": self._data,
            "events": EventStream(
                manifest.run_id, subscribers, first=first, told=any(event.type == "result" for event in earlier)
            ),
            "meter": meter,
            "labels": {tier: services.models.label(tier) for tier in TIERS},
            "fallbacks": services.models.fallbacks,
            "breakers": services.breakers,
            "replay": self._replay(files, earlier),
            "secrets": services.secrets,
            "executor": services.executor,
            "mask": services.mask,
            "model_rates": services.model_rates,
            "asked": self.beginning.asked,
        }

    @property
    def _unfinished(self) -> Path:
        """The folder of what only an unfinished run needs."""
        return self._services.settings.home_dir / "runs" / self.manifest.run_id / UNFINISHED

    def _files(self) -> RunFiles:
        home, run_id = self._services.settings.home_dir, self.manifest.run_id
        if self._options.persist == "all":
            return RunFolder(home, run_id, again=self._again)
        return (CardOnly if self._options.persist == "card" else NoFiles)(home, run_id)

    def _replay(self, files: RunFiles, earlier: Sequence[Event]) -> Replay:
        """Return the kept replies as this run uses them, with its own over all its starts where its steps are kept."""
        services, own = self._services, None
        if self._options.persist == "all" and services.checkpoints.enabled:
            logged = (used for event in earlier if event.type == "usage" and (used := Used.of(event.data)) is not None)
            own = RunReplies(files.append_reply, files.replies() if earlier else (), logged)
        return Replay(services.settings, services.replies, services.writer, own, batch=BATCH)

    async def _take_through(self, run: ActiveRun[ResultT]) -> None:
        """Take the run through its graph; have the record left where it does not end, and raise what stopped it."""
        events, run.state = run.context.events, dict(run.first_state())
        events.subscribe(run.on_event)
        try:
            await run.prepare()
            with self._services.cancellation.control(self._control):
                await self._step_through(run)
        except (GraphDrained, Interrupted):
            events.emit("error", "interrupted")
            await run.leave("interrupted", error="The run was interrupted.")
            raise Interrupted(f"Interrupted; {self._how_to_go_on()}") from None
        except AwaitingApproval as waiting:
            asked = {name: waiting.asked[name] for name in ("question", "kind") if name in waiting.asked}
            events.emit("approval", str(waiting), waiting=True, asked=asked)
            await run.leave(WAITING, error=str(waiting))
            raise
        except TradingAgentsError as error:
            events.emit("error", str(error), kind=type(error).__name__)
            await run.leave(run.status_of(error), error=str(error))
            raise
        except Exception as error:  # a bug: the record says that it ended, the traceback travels on
            events.emit("error", f"unexpected {type(error).__name__}", kind=type(error).__name__)
            await run.leave("failed", error=f"An unexpected {type(error).__name__} ended the run.")
            raise
        except asyncio.CancelledError:
            events.emit("error", "interrupted")
            await to_its_end(run.leave("interrupted", error="The run was interrupted."))
            raise

    @asynccontextmanager
    async def _steps(self) -> AsyncIterator[BaseCheckpointSaver[Any] | None]:
        """Yield the saver of the run's steps, or of its conversation's; None where steps are not saved.

        Raises:
            RunBusy: Another run of the same conversation is under way.
        """
        home, conversation = self._services.settings.home_dir, self._conversation
        if self._options.persist != "all":
            yield None
            return
        if conversation is None:
            async with self._services.checkpoints.of(self._unfinished) as saver:
                yield saver
            return
        folder = home / CONVERSATIONS / checked_component(conversation)
        with ExitStack() as stack:
            try:
                with writing(home):
                    make_folder(folder)
                    stack.enter_context(locked(folder / LOCK))
            except Locked:
                raise RunBusy(f"Another run of conversation {conversation} is under way; wait for its end.") from None
            async with self._services.checkpoints.of(folder, lasting=True) as saver:
                yield saver

    async def _step_through(self, run: ActiveRun[ResultT]) -> None:
        """Take the steps that no earlier start has finished."""
        compiled = self._kind.compiled(self._services)
        conversation = self._conversation
        thread = self.manifest.thread if conversation is None else f"conversation-{conversation}"
        limit = self._services.settings.max_recur_limit
        config = _config(compiled.name or self.manifest.kind, self.manifest, thread, limit)
        async with self._steps() as saver:
            await self._take_steps(run, compiled, config, saver)

    async def _take_steps(
        self,
        run: ActiveRun[ResultT],
        compiled: AnyGraph,
        config: RunnableConfig,
        saver: BaseCheckpointSaver[Any] | None,
    ) -> None:
        manifest = self.manifest
        graph = compiled.copy({"checkpointer": saver})
        begin: Any = dict(run.state)
        if saver is not None and self._conversation is not None:
            _assert_not_later(await graph.aget_state(config), manifest)
        if saver is not None and self._again:
            known = await graph.aget_state(config)
            # The newest step of a conversation may be another run's: then this one never began.
            if known.values and (self._conversation is None or _run_of(known) == manifest.run_id):
                begin, run.state = None, dict(known.values)
                if self._answer is not None and known.interrupts:
                    begin = Command(resume=dict(self._answer))
        async for state in graph.astream(
            begin,
            config,
            context=run.context,
            stream_mode="values",
            # Each step is on disk before the next begins: a killed run pays for no finished step twice.
            durability="sync" if saver is not None else None,
            control=self._control,
        ):
            run.state = state
        if interrupts := run.state.pop(_INTERRUPT, None):
            asked = interrupts[0].value
            how = asked.get("answer_with", f"`tradingagents runs approve`, `revise` or `reject` {manifest.run_id}")
            said = f"{asked['question'].rstrip('.')}; answer with {how}."
            raise AwaitingApproval(said, run_id=manifest.run_id, asked=asked)

    def _how_to_go_on(self) -> str:
        if self._options.persist != "all" or not self._services.checkpoints.enabled:
            return "its steps were not kept; run it anew."
        return f"go on with `tradingagents runs resume {self.manifest.run_id}`."


def _assert_not_later(snapshot: StateSnapshot, manifest: RunManifest) -> None:
    """Refuse to begin a run with what a run of a later day has seen.

    Raises:
        UsageError: The conversation has moved on to a later day.
    """
    day = str((snapshot.metadata or {}).get("trade_date", ""))  # empty where no run has begun: earlier than any day
    if day > manifest.trade_date.isoformat():
        raise UsageError(
            f"The conversation has reached {day}, which a run of {manifest.trade_date} must not know; "
            "start another conversation."
        )


def _run_of(snapshot: StateSnapshot) -> str | None:
    """Return the id of the run that made a step."""
    return (snapshot.metadata or {}).get("run_id")  # LangGraph saves the metadata of the run's configuration


def _config(name: str, manifest: RunManifest, thread: str, limit: int) -> RunnableConfig:
    subject = manifest.subject or manifest.trade_date.isoformat()
    return RunnableConfig(
        recursion_limit=limit,
        run_name=f"{name} {subject}",
        tags=["tradingagents", manifest.kind, subject],
        metadata={
            "run_id": manifest.run_id,
            "kind": manifest.kind,
            "ticker": manifest.subject,
            "trade_date": manifest.trade_date.isoformat(),
        },
        configurable={"thread_id": thread},
    )
