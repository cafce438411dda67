"""Threads owned by a graph: an event loop for synchronous callers, and thread pools that can be restarted."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class BackgroundLoop:
    """An event loop that a daemon thread runs; the first `submit` starts it. Thread-safe."""

    def __init__(self, name: str) -> None:
        """Name the thread; nothing is started yet."""
        self._name = name
        self._lock = threading.Lock()
        self._running: tuple[asyncio.AbstractEventLoop, threading.Thread, weakref.finalize[Any, Any]] | None = None

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start work on the loop and return its future."""
        return asyncio.run_coroutine_threadsafe(work, self._loop())

    def close(self) -> None:
        """Cancel what is under way, close the loop, and wait for its thread. A later `submit` starts another loop."""
        with self._lock:
            running, self._running = self._running, None
        if running is None:
            return
        _, thread, finalizer = running
        finalizer()
        if thread is not threading.current_thread():
            thread.join()

    def _loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._running is None:
                loop = asyncio.new_event_loop()
                thread = threading.Thread(target=_run, args=(loop,), name=self._name, daemon=True)
                thread.start()
                # The thread knows the loop and nothing else, so that nobody keeps a dropped owner alive.
                finalizer = weakref.finalize(self, _stop, loop)
                finalizer.atexit = False  # the thread is a daemon
                self._running = loop, thread, finalizer
            return self._running[0]


class Pool(Executor):
    """A thread pool that `shutdown` ends and a later `submit` starts again. Thread-safe."""

    def __init__(self, threads: int, name: str) -> None:
        """Name the threads; nothing is started yet.

        Args:
            threads: Most threads at a time.
            name: What the threads are called.
        """
        self._threads, self._name = threads, name
        self._lock = threading.Lock()
        self._pool: ThreadPoolExecutor | None = None

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Start a call in a thread and return its future."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self._threads, thread_name_prefix=self._name)
            return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads; see `concurrent.futures.Executor.shutdown`."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.shutdown(wait, cancel_futures=cancel_futures)


def _stop(loop: asyncio.AbstractEventLoop) -> None:
    with suppress(RuntimeError):  # closed already
        loop.call_soon_threadsafe(loop.stop)


def _run(loop: asyncio.AbstractEventLoop) -> None:
    """Run a loop until it is stopped, and end it as `asyncio.run` does: its connections close with its generators."""
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        left = asyncio.all_tasks(loop)
        for task in left:
            task.cancel()
        loop.run_until_complete(asyncio.gather(*left, return_exceptions=True))
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
        asyncio.set_event_loop(None)
        loop.close()
