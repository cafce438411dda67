"""`FilingsAnswerer`: questions about filings, calls and news for people who write Python."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, cast

from tradingagents.dataflows.interface import Vendors
from tradingagents.errors import TradingAgentsError
from tradingagents.events import Subscriber
from tradingagents.features.filings_qa.kind import FILINGS_QA, FilingsRequest
from tradingagents.features.filings_qa.run import FilingsAnswer, mode_named, streamed
from tradingagents.graph.base import BaseGraph
from tradingagents.graph.start import RunHandle, RunOptions, resume, start
from tradingagents.llm_clients.tiers import TierModels
from tradingagents.retrieval.models import DocumentInfo, Scope
from tradingagents.retrieval.store import DocumentStore, store_of
from tradingagents.runtime.kind import Persist


class FilingsAnswerer(BaseGraph):
    """Answers questions from the store of filings and calls, with a citation for every figure and claim."""

    def __init__(
        self,
        config: Mapping[str, Any] | None = None,
        debug: bool = False,
        *,
        models: TierModels | None = None,
        vendors: Vendors | None = None,
    ) -> None:
        """Make the graph.

        Args:
            config: Settings by name, as in `DEFAULT_CONFIG`; a key left at its default may be set by the environment.
            debug: Print each agent's text on stdout while a question is worked on, and log every event.
            models: Models that exist already; None makes them from the settings.
            vendors: Data vendors that exist already; None makes them from the settings.

        Raises:
            SettingsError: An unknown setting, or a value it cannot have.
            ModelNotConfigured: A key or package is missing.
        """
        super().__init__(config, debug, models, vendors)
        self._store: DocumentStore | None = None

    @property
    def store(self) -> DocumentStore:
        """The store of documents that questions are answered from."""
        if self._store is None:
            self._store = store_of(self.config)
        return self._store

    def close(self) -> None:
        """Close the store; cancel runs under way, and free threads, files and connections."""
        if self._store is not None:
            self._store.close()
        super().close()

    def documents(self, scope: Scope | None = None) -> tuple[DocumentInfo, ...]:
        """Return the documents of the store, the newest first."""
        return self.store.documents(scope or Scope())

    def add(self, paths: Iterable[Path | str], **hints: Any) -> tuple[DocumentInfo, ...]:
        """Read files into the store; a file that is there already is not read again.

        Args:
            paths: HTML, PDF, text and transcripts.
            **hints: What the files don't say of themselves; see `retrieval.ingest.add_file`.

        Raises:
            DataError: A file cannot be read; those before it have been added.
        """
        from tradingagents.retrieval.ingest import add_file

        return tuple(add_file(self.store, Path(path), **hints).info for path in paths)

    def start(
        self,
        question: str,
        *,
        mode: str | None = None,
        as_of: str | date | None = None,
        max_iterations: int | None = None,
        conversation: str | None = None,
        subscribers: Sequence[Subscriber] = (),
        persist: Persist = "all",
    ) -> RunHandle[FilingsAnswer]:
        """Start a question in the running event loop; return a handle on its run. Arguments as in `ask`."""
        request = FilingsRequest(
            question=question,
            mode=mode_named(mode),
            day=as_of,
            max_iterations=max_iterations,
            conversation=conversation,
        )
        options = RunOptions(subscribers=self._watchers(subscribers), persist=persist)
        return start(FILINGS_QA, request, self._services, options)

    async def aask(self, question: str, **options: Any) -> FilingsAnswer:
        """Answer one question; see `ask`."""
        return await self.start(question, **options).result()

    def ask(self, question: str, **options: Any) -> FilingsAnswer:
        """Answer one question and wait for it.

        Args:
            question: In plain words, such as "What drove Apple's gross margin in fiscal 2024?".
            **options: `mode` (direct, standard, detailed, deep_search; None: as the question says), `as_of` (nothing
                known after the close of that day is read; None: the present), `max_iterations`, `conversation` (an id;
                questions with the same one follow each other), `persist`.

        Raises:
            UsageError: The question or an option is wrong.
            TradingAgentsError: What ended the run, after that was recorded.
        """
        return self._wait(self.aask(question, **options))

    async def astream(self, question: str, **options: Any) -> AsyncIterator[dict[str, Any]]:
        """Yield the events of a question as they happen: `type`, `message`, `step`, `data`.

        The last one is `result`, `rejected` or `error`; an error is yielded and not raised.
        """
        handle = self.start(question, **options)
        async for event in handle.events():
            if (told := streamed(event)) is not None:
                yield told
        try:
            await handle.result()
        except TradingAgentsError:
            return

    async def aresume(self, run_id: str, *, subscribers: Sequence[Subscriber] = ()) -> FilingsAnswer:
        """Continue a question that was interrupted. Raises as `graph.start.resume` does."""
        return cast(FilingsAnswer, await resume(self._services, run_id, subscribers=self._watchers(subscribers)))

    def resume(self, run_id: str, *, subscribers: Sequence[Subscriber] = ()) -> FilingsAnswer:
        """Continue a question and wait for it; see `aresume`."""
        return self._wait(self.aresume(run_id, subscribers=subscribers))

    async def execute_rag_flow(
        self, question: str, stream: bool = True, max_iterations: int | None = None, **options: Any
    ) -> AsyncIterator[dict[str, Any]]:
        """Yield the events of a question, or with `stream=False` the last one alone; see `astream`."""
        last: dict[str, Any] | None = None
        async for event in self.astream(question, max_iterations=max_iterations, **options):
            if stream:
                yield event
            last = event
        if not stream and last is not None:
            yield last

    async def execute_rag_flow_async(
        self, question: str, max_iterations: int | None = None, **options: Any
    ) -> dict[str, Any]:
        """Return the last event of a question, with its answer also under `answer`.

        Raises:
            TradingAgentsError: What ended the run.
        """
        found = await self.aask(question, max_iterations=max_iterations, **options)
        record = found.record
        kind = "rejected" if record["status"] == "rejected" else "result"
        data = {
            key: record[key]
            for key in ("answer", "confidence", "sources", "cited", "problems", "mode", "stopped", "reasoning")
        }
        return {
            "type": kind,
            "message": found.text.partition("\n")[0],
            "step": "result",
            "data": data,
            "answer": found.text,
        }


def create_agent(config: Mapping[str, Any] | None = None, **options: Any) -> FilingsAnswerer:
    """Return an agent that answers questions about filings; arguments as in `FilingsAnswerer`."""
    return FilingsAnswerer(config, **options)
