"""Decisions in processes of this machine, started anew (spawn): each opens its own services."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

from tradingagents.features.backtest.decisions.engine import Chunk, WorkerLost, WorkResult
from tradingagents.features.backtest.decisions.one_by_one import work
from tradingagents.runtime.gc_tuning import collect_rarely


class ProcessEngine:
    """A pool of worker processes; a pool of which one has died is replaced as a whole."""

    def __init__(self, workers: int | None = None) -> None:
        """Set the number of processes; None: one for each core."""
        self.places = workers or os.cpu_count() or 1
        self._pool: ProcessPoolExecutor | None = None

    async def work(self, chunk: Chunk) -> Sequence[WorkResult]:
        """Have a worker make the decisions of a chunk. Raises as `Engine.work` does."""
        pool = self._pool = self._pool or self._started()
        try:
            return await asyncio.get_running_loop().run_in_executor(pool, work, chunk)
        except BrokenExecutor as error:
            if self._pool is pool:
                self._pool = None
                _end(pool)
            raise WorkerLost(str(error)) from error

    async def close(self) -> None:
        """End the workers at once: a decision is stored whole or not at all."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(_end, pool)

    def _started(self) -> ProcessPoolExecutor:
        context = multiprocessing.get_context("spawn")
        return ProcessPoolExecutor(self.places, mp_context=context, initializer=_prepare)


def _prepare() -> None:
    """Make a worker's process ready: it belongs to the backtest alone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends Ctrl-C to workers too: the driver ends them
    collect_rarely()
    threading.Thread(target=_end_with_the_driver, name="driver", daemon=True).start()


def _end_with_the_driver() -> None:
    """End this worker at once when its driver was killed: others may hold the lock that it would wait for."""
    driver = multiprocessing.parent_process()
    if driver is not None:
        driver.join()
        os._exit(1)


def _end(pool: ProcessPoolExecutor) -> None:
    workers = list((pool._processes or {}).values())
    pool.shutdown(wait=False, cancel_futures=True)
    for worker in workers:
        worker.terminate()
    for worker in workers:
        worker.join()
