"""`RayEngine`: tasks of costly kinds in worker processes of Ray (setting `task_engine`, extra `ray`).

Only the place of the work changes. The worker takes the task's lock and writes the journal as any process does, so
that streaming, cancellation and recovery work as between two processes. Machines of a cluster share the home folder.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from typing import Any

from tradingagents.service.tasks.errors import RayNotInstalled
from tradingagents.settings import Settings

CLOSE_SECONDS = 15.0
"""How long workers may take to leave their tasks when the process ends."""


def assert_ray() -> None:
    """Check that Ray can be imported, without importing it.

    Raises:
        RayNotInstalled: It is missing.
    """
    if find_spec("ray") is None:
        raise RayNotInstalled(
            "The setting task_engine is ray, and the package ray is not installed; run "
            "pip install 'tradingagents[ray]', or set task_engine to local."
        )


class RayEngine:
    """Hands tasks to Ray workers. For one event loop."""

    def __init__(
        self, settings: Settings, environ: Mapping[str, str], work_on: Callable[[str, dict[str, str], str], None]
    ) -> None:
        """Check that Ray is there; a cluster is joined or started with the first task.

        Args:
            environ: Variables with API keys; they are passed to workers in memory.
            work_on: Takes a task to its end in a worker, given the settings as JSON, the variables and the task's id.

        Raises:
            RayNotInstalled: It is missing.
        """
        assert_ray()
        self._settings, self._environ, self._work_on = settings, dict(environ), work_on
        self._work: Any = None
        self._own_cluster = False
        self._refs: set[Any] = set()

    async def run(self, task_id: str) -> None:
        """Have a worker take a task to its end, and wait for it; the journal tells how it ended.

        Raises:
            Exception: Of Ray, where the worker died; the task is recovered like that of any process that died.
        """
        if self._work is None:
            self._work = await asyncio.to_thread(self._started)
        ref = self._work.remote(self._settings.model_dump_json(), self._environ, task_id)
        self._refs.add(ref)
        try:
            await asyncio.wrap_future(ref.future())
        finally:
            self._refs.discard(ref)

    async def close(self) -> None:
        """Have workers leave their tasks queued, and end a cluster that was started here."""
        if self._work is None:
            return
        import ray

        refs = list(self._refs)
        for ref in refs:
            ray.cancel(ref, force=False)
        if refs:
            await asyncio.to_thread(ray.wait, refs, num_returns=len(refs), timeout=CLOSE_SECONDS)
        if self._own_cluster:
            await asyncio.to_thread(ray.shutdown)
        self._work = None

    def _started(self) -> Any:
        """Join the cluster of `RAY_ADDRESS`, or start one on this machine, and return the remote function."""
        import ray

        if not ray.is_initialized():
            self._own_cluster = "RAY_ADDRESS" not in os.environ
            here = {"num_cpus": self._settings.max_concurrent_pipelines} if self._own_cluster else {}
            ray.init(include_dashboard=False if here else None, log_to_driver=False, configure_logging=False, **here)
        # A worker that dies is not tried again by Ray: the task's own recovery knows how far it came.
        return ray.remote(max_retries=0, max_calls=0)(self._work_on)
