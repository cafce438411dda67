"""The services that runs share: settings, models, vendors, memories, threads, caches. Nothing is global."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tradingagents.dataflows.gateway.cache import CACHE_FILE, DiskCache, Memo
from tradingagents.dataflows.gateway.resilience import Breakers
from tradingagents.dataflows.interface import Vendors, check_tool_vendors
from tradingagents.errors import UsageError
from tradingagents.files.redaction import KnownSecrets, secrets_in_environment
from tradingagents.llm_clients.meter import assert_priceable
from tradingagents.llm_clients.pacing import ModelRates
from tradingagents.llm_clients.reply_cache import REPLIES_FILE, KeptReplies
from tradingagents.llm_clients.run_context import PromptMask
from tradingagents.llm_clients.tiers import TierModels, build_tiers
from tradingagents.memory.cohort import Cohort, cohort_of
from tradingagents.memory.lesson_store import LessonStore, memory_address
from tradingagents.memory.outcomes import OutcomeStore
from tradingagents.memory.situations import FinancialSituationMemory, new_memories
from tradingagents.retrieval.address import held_store_key
from tradingagents.runtime.background import Pool
from tradingagents.runtime.cancellation import Cancellation
from tradingagents.runtime.checkpoints.checkpoints import Checkpoints
from tradingagents.runtime.concurrency import Beginnings
from tradingagents.settings import Settings, secrets_of

if TYPE_CHECKING:
    from langgraph.graph.state import CompiledStateGraph

MEMO_SIZE = 4096
"""Answers held in memory for all runs, about eight kilobytes each: those of ninety tickers, some 45 of each. Where more
tickers take turns than fit, each run works out everything anew, and old and new answers are held side by side."""
VENDOR_THREADS = 16
"""Blocking vendor calls that may wait at the same time."""


@dataclass(frozen=True)
class Services:
    """Everything the runs of one graph share."""

    settings: Settings
    models: TierModels
    vendors: Vendors
    cohort: Cohort
    """Which market the runs study, and what kind of analyst decides."""
    memories: Mapping[str, FinancialSituationMemory]
    lessons: LessonStore
    """The lessons of all memories."""
    outcomes: OutcomeStore
    """Measured outcomes of earlier decisions, in the same database as the lessons."""
    cache: DiskCache
    replies: KeptReplies
    memo: Memo
    breakers: Breakers
    """Circuit breakers of the model servers."""
    checkpoints: Checkpoints
    """Where the steps of unfinished runs are saved."""
    cancellation: Cancellation
    """Stops all runs that share these services."""
    executor: Executor
    """Threads in which blocking vendor calls wait."""
    writer: Pool
    """The thread that renders and writes reports, one run after the other."""
    beginnings: Beginnings = field(default_factory=Beginnings)
    """In which order runs begin."""
    secrets: KnownSecrets = field(default_factory=KnownSecrets)
    """Keys and passwords, removed from what models reply."""
    model_rates: ModelRates | None = None
    """Rates of model requests; None: none are limited."""
    mask: PromptMask | None = None
    """Hides from the models what an experiment hides; None: they are sent what agents wrote."""
    variant: str = ""
    """What an experiment changed, in one word and its parameters; part of what names a decision. Empty: nothing."""
    process: int = field(default_factory=os.getpid)
    """The process these services were made in; threads and connections do not survive a fork."""
    graphs: dict[str, CompiledStateGraph[Any, Any, Any, Any]] = field(default_factory=dict)
    """Compiled graphs by kind of run, see `RunKind.compiled`."""

    def assert_own_process(self) -> None:
        """Refuse to work in a forked process, where every call would wait for threads that do not exist.

        Raises:
            UsageError: This is another process than the one that made it.
        """
        if os.getpid() != self.process:
            raise UsageError(
                "This graph was made before a fork, and threads and connections do not survive a fork; make the graph "
                "in the process that uses it, or start processes with the spawn method."
            )

    def close(self) -> None:
        """End the threads and close the databases. A later run opens what it needs again."""
        self.writer.shutdown()
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.outcomes.close()
        self.lessons.close()
        self.replies.close()
        if (documents := self.memo.pop(held_store_key(self.settings))) is not None:
            documents.close()


def open_services(
    settings: Settings,
    environ: Mapping[str, str],
    *,
    models: TierModels | None = None,
    vendors: Vendors | None = None,
) -> Services:
    """Open the services.

    Args:
        settings: The settings of all runs.
        environ: Where API keys are read from.
        models: Models that exist already; None makes them from settings.
        vendors: Vendors that exist already; None makes them from settings when first asked.

    Raises:
        ModelNotConfigured: A key or package is missing.
        SettingsError: A vendor for a tool that takes none, a rate of models that cannot be read, or a budget in USD for
            a model whose price is not known.
    """
    tiers = models or build_tiers(settings, environ)
    check_tool_vendors(settings, vendors)
    assert_priceable(settings, tiers.every_label)
    cohort = cohort_of(settings, tiers.labels)
    lessons = LessonStore(memory_address(settings), cohort)
    return Services(
        settings=settings,
        models=tiers,
        vendors=vendors or Vendors(settings),
        cohort=cohort,
        lessons=lessons,
        memories=new_memories(lessons),
        outcomes=OutcomeStore(memory_address(settings), cohort),
        memo=Memo(MEMO_SIZE),
        breakers=Breakers(),
        checkpoints=Checkpoints(settings),
        cancellation=Cancellation(),
        cache=DiskCache(settings.home_dir / CACHE_FILE),
        replies=KeptReplies(settings.home_dir / REPLIES_FILE),
        executor=Pool(VENDOR_THREADS, "market-data"),
        writer=Pool(1, "reports"),
        model_rates=ModelRates(settings) if settings.model_rates else None,
        secrets=KnownSecrets({*secrets_in_environment(environ), *secrets_of(settings), *tiers.secrets}),
    )
