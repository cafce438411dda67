"""Decisions on a cluster of Ray (extra `ray`). Its machines share the home folder, and so the decision store.

The rates of vendors hold over the cluster, since they are counted in the home folder by vendor and key; the driver owns
the budget. A head that is lost costs time: the next driver goes on with what is stored.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any

from tradingagents.errors import ConfigurationError
from tradingagents.features.backtest.decisions.engine import Chunk, WorkerLost, WorkResult
from tradingagents.features.backtest.decisions.one_by_one import work


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
