"""Where workers run: processes of this machine, or a cluster of Ray (extra `ray`).

The machines of a cluster share the home folder, and so the decision store. The rates of vendors hold over the cluster,
since they are counted in the home folder by vendor and key; the driver owns the budget. A head that is lost costs time:
the next driver goes on with what is stored.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import threading
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor
from importlib.util import find_spec
from typing import Any

from tradingagents.errors import ConfigurationError
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


class RayMissing(ConfigurationError):
    """Ray is asked for and not installed."""


class RayBacktestEngine:
    """Workers of the cluster that `RAY_ADDRESS` names, else of one that is started on this machine."""

    def __init__(self, workers: int | None = None) -> None:
        """Check that Ray is there; a cluster is joined or started with the first chunk.

        Args:
            workers: Chunks worked on at the same time; None: one for each core of the cluster, or of this machine.

        Raises:
            RayMissing: It is not installed.
        """
        if find_spec("ray") is None:
            raise RayMissing(
                "The setting backtest_engine is ray, and the package ray is not installed; run "
                "pip install 'tradingagents[ray]', or set backtest_engine to processes."
            )
        self.places = workers or os.cpu_count() or 1
        self._workers = workers
        self._remote: Any = None
        self._own_cluster = False
        self._refs: set[Any] = set()

    async def work(self, chunk: Chunk) -> Sequence[WorkResult]:
        """Have a worker make the decisions of a chunk. Raises as `Engine.work` does."""
        import ray

        if self._remote is None:
            self._remote = self._started()
        ref = self._remote.remote(chunk)
        self._refs.add(ref)
        try:
            results: Sequence[WorkResult] = await asyncio.wrap_future(ref.future())
        except ray.exceptions.RayTaskError as error:
            raise (error.cause if isinstance(error.cause, Exception) else error) from error
        except ray.exceptions.RayError as error:
            raise WorkerLost(str(error).partition("\n")[0]) from error
        finally:
            self._refs.discard(ref)
        return results

    async def close(self) -> None:
        """End the workers' chunks, and a cluster that was started here."""
        if self._remote is None:
            return
        import ray

        for ref in list(self._refs):
            ray.cancel(ref, force=True)
        if self._own_cluster:
            await asyncio.to_thread(ray.shutdown)
        self._remote = None

    def _started(self) -> Any:
        """Join or start a cluster, and return the remote function."""
        import ray

        if not ray.is_initialized():
            self._own_cluster = "RAY_ADDRESS" not in os.environ
            here = {"num_cpus": self.places, "include_dashboard": False} if self._own_cluster else {}
            ray.init(log_to_driver=False, configure_logging=False, **here)
        if self._workers is None:
            self.places = max(1, int(ray.cluster_resources().get("CPU", 1)))
        # A worker that dies is not tried again by Ray: the driver knows what it has stored.
        return ray.remote(max_retries=0, scheduling_strategy="SPREAD")(work)
