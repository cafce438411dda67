"""Processes of a Ray cluster that are killed at random while decisions are made: nothing is lost or made twice."""

from __future__ import annotations

import asyncio
import ctypes
import importlib.util
import os
import random
import signal
import struct
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from tests.features.backtest.test_engines import KNOWN, files, services_in
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.features.backtest.decisions.decide import DecisionSet, decide
from tradingagents.features.backtest.decisions.decision_store import FOLDER

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(
        importlib.util.find_spec("ray") is None, reason="ray is not installed: pip install 'tradingagents[ray]'"
    ),
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning", "ignore::ResourceWarning"),
]
DAYS = sessions().between(date(2024, 1, 2), date(2024, 9, 30))[:100]
KILLS = 20
STUCK = 600.0
"""Seconds without a new decision after which the test gives up; the limit keeps a hanging cluster from hanging it."""
MEMORY = 100 * 2**20
"""Bytes of a node's object store."""
DRIVER = (
    "import asyncio, sys\n"
    "from pathlib import Path\n"
    "from tests.features.backtest.test_engines import KNOWN, services_in\n"
    "from tests.features.backtest.test_ray_kills import DAYS\n"
    "from tradingagents.features.backtest.decisions.decide import decide\n"
    "asyncio.run(decide(services_in(Path(sys.argv[1]), backtest_engine='ray'), KNOWN, DAYS))\n"
)
_MOVED_TO, _EVENT = 0x80, struct.Struct("iIII")


class WrittenFiles:
    """Counts how often each decision is written: every write ends with a rename, which the kernel reports."""

    def __init__(self, home: Path) -> None:
        """Watch the folder of the decisions, with all the folders that there can be in it."""
        libc = ctypes.CDLL(None, use_errno=True)
        self._events = libc.inotify_init1(os.O_NONBLOCK)
        self.times = Counter[str]()
        for number in range(256):
            folder = home / FOLDER / f"{number:02x}"
            folder.mkdir(parents=True)
            assert libc.inotify_add_watch(self._events, os.fsencode(folder), _MOVED_TO) >= 0

    def count(self) -> int:
        """Return how many decisions there are by now."""
        while True:
            try:
                read = os.read(self._events, 65536)
            except BlockingIOError:
                return len(self.times)
            while read:
                *_, length = _EVENT.unpack_from(read)
                name = read[_EVENT.size : _EVENT.size + length].rstrip(b"\0").decode()
                assert name, "the kernel lost events"
                self.times[name] += 1
                read = read[_EVENT.size + length :]


class KilledCluster:
    """A cluster of Ray with nodes of one processor, and a driver; both are started again after they were killed."""

    def __init__(self, nodes: int, home: Path, dice: random.Random) -> None:
        self._nodes, self._home, self._dice = nodes, home, dice
        self.killed = Counter[str]()
        self._log = (home / "driver.log").open("ab")
        self._begin()

    def _begin(self) -> None:
        from ray.cluster_utils import Cluster

        options = {"num_cpus": 1, "object_store_memory": MEMORY}
        self._cluster = Cluster(initialize_head=True, head_node_args={**options, "include_dashboard": False})
        self._more = [self._cluster.add_node(**options) for _ in range(self._nodes - 1)]
        self._drive()

    def _drive(self) -> None:
        environ = {**os.environ, "RAY_ADDRESS": self._cluster.address, "RAY_DEDUP_LOGS": "0"}
        self._driver = subprocess.Popen(
            [sys.executable, "-c", DRIVER, str(self._home)], env=environ, stdout=self._log, stderr=self._log
        )

    @property
    def ended(self) -> int | None:
        """The exit code of the driver; None while it works."""
        return self._driver.poll()

    def kill(self) -> None:
        """Kill a worker, a node, the driver, or the head with the driver, by SIGKILL."""
        kinds = ["worker"] * 8 + ["driver"] * 4 + ["head"] + (["node"] * 6 if self._more else [])
        kind = self._dice.choice(kinds)
        if kind == "worker" and not (workers := self._workers()):
            kind = "driver"
        self.killed[kind] += 1
        if kind == "worker":
            os.kill(self._dice.choice(workers), signal.SIGKILL)
        elif kind == "node":
            place = self._dice.randrange(len(self._more))
            self._kill_node(self._more[place])
            self._more[place] = self._cluster.add_node(num_cpus=1, object_store_memory=MEMORY)
        else:
            self._driver.kill()
            self._driver.wait()
            if kind == "driver":
                self._drive()
            else:
                self._kill_node(self._cluster.head_node)
                self._cluster.shutdown()
                self._begin()

    def _kill_node(self, node: Any) -> None:
        for started in node.all_processes.values():
            for node in started:
                node.process.kill()
        if node is not self._cluster.head_node:
            self._cluster.remove_node(node, allow_graceful=False)

    def _workers(self) -> list[int]:
        """Return the processes that are making decisions."""
        raylets = {one.process.pid for node in self._cluster.list_all_nodes() for one in node.all_processes["raylet"]}
        return [pid for pid, parent, name in _processes() if parent in raylets and name.startswith("ray::work")]

    def close(self) -> None:
        """End driver and nodes."""
        self._driver.kill()
        self._driver.wait()
        self._cluster.shutdown()
        self._log.close()


def _processes() -> Iterator[tuple[int, int, str]]:
    """Yield number, parent and title of every process."""
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
            yield int(path.name), parent, (path / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except (FileNotFoundError, ProcessLookupError):
            continue


@contextmanager
def killed_cluster(nodes: int, home: Path, dice: random.Random) -> Iterator[KilledCluster]:
    cluster = KilledCluster(nodes, home, dice)
    try:
        yield cluster
    finally:
        cluster.close()


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, DecisionSet]:
    home = tmp_path_factory.mktemp("here")
    return home, asyncio.run(decide(services_in(home), KNOWN, DAYS))


@pytest.mark.parametrize("nodes", [1, 2, 4])
def test_twenty_kills_lose_and_double_nothing(nodes: int, here: tuple[Path, DecisionSet], tmp_path: Path) -> None:
    dice, total = random.Random(nodes), len(KNOWN) * len(DAYS)  # noqa: S311 - what is killed, and when
    moments = sorted(dice.sample(range(1, total - 5), KILLS))
    written = WrittenFiles(tmp_path)
    with killed_cluster(nodes, tmp_path, dice) as cluster:
        before, since = 0, time.monotonic()
        while cluster.ended is None:
            done = written.count()
            before, since = (done, time.monotonic()) if done != before else (before, since)
            assert time.monotonic() - since < STUCK, _tail(tmp_path)
            if moments and done >= moments[0]:
                moments.pop(0)
                time.sleep(dice.random() / 20)  # somewhere within a decision
                cluster.kill()
            time.sleep(0.01)
        assert cluster.ended == 0, _tail(tmp_path)
        killed = cluster.killed
    assert not moments, f"{len(moments)} kills were left when all was decided"
    assert sum(killed.values()) == KILLS
    assert files(tmp_path) == files(here[0])
    written.count()
    twice = {name: count for name, count in written.times.items() if count > 1}
    assert (len(written.times), twice) == (total, {}), dict(killed)
    again = asyncio.run(decide(services_in(tmp_path), KNOWN, DAYS))
    assert (again.decided, again.found, again.missing) == (0, here[1].found, {})


def _tail(home: Path, lines: int = 30) -> str:
    found: Sequence[str] = (home / "driver.log").read_text(errors="replace").splitlines()
    return "\n".join(found[-lines:])
