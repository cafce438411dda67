"""Fixtures every test can use; the network is closed for all of them."""

from __future__ import annotations

import ctypes
import gc
import importlib
import itertools
import logging
import os
import re
import signal
import socket
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

import hypothesis
import pytest
from hypothesis.internal.conjecture import providers
from tenacity import wait_none

from cli.console import EVENTS, NOISY
from tests.support.shared_market import SharedMarkets
from tests.support.tiers import FAST, THOROUGH, TIERS, is_fast, is_in_part, tier_of
from tradingagents.runtime.gc_tuning import collect_rarely

signal.signal(signal.SIGINT, signal.default_int_handler)
"""A shell starts background jobs with Ctrl-C ignored, and the programs they start inherit that."""

LOOPBACK = {"127.0.0.1", "::1", "localhost"}


@pytest.fixture(autouse=True, scope="session")
def _network_closed() -> Iterator[None]:
    """Refuse every connection that leaves this machine."""
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def refuse(address: Any) -> None:
        if isinstance(address, tuple) and str(address[0]) not in LOOPBACK:
            raise OSError(f"tests do not use the network: {address[0]}")

    def guarded(self: socket.socket, address: Any) -> None:
        refuse(address)
        return connect(self, address)

    def guarded_ex(self: socket.socket, address: Any) -> int:
        refuse(address)
        return connect_ex(self, address)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded)
        patch.setattr(socket.socket, "connect_ex", guarded_ex)
        yield


@pytest.fixture(autouse=True, scope="session")
def _certificates_are_read_once() -> Iterator[None]:
    """Share one TLS context: no test speaks TLS, and every HTTP client that is opened reads all certificates."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", lru_cache(ssl.create_default_context))
        yield


@pytest.fixture(autouse=True, scope="session")
def markets() -> Iterator[SharedMarkets]:
    """Make the simulated market once and not for every graph."""
    one = SharedMarkets()
    with pytest.MonkeyPatch.context() as patch:
        one.share(patch)
        yield one


@pytest.fixture(scope="session")
def calendar_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder in which processes started by tests keep exchange calendars: building one takes a second."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if os.environ.get("PYTEST_XDIST_WORKER") else base) / "calendars"
    folder.mkdir(exist_ok=True)
    return folder


GRAPHS_PER_COLLECTION = 20


@pytest.fixture(autouse=True, scope="session")
def _dropped_graphs_wait() -> Iterator[None]:
    """Collect dropped graphs more rarely than the library: the tests' are small, and much else is alive beside them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tradingagents.runtime.gc_tuning.GRAPHS_PER_COLLECTION", GRAPHS_PER_COLLECTION)
        yield


@pytest.fixture(autouse=True, scope="session")
def _asked_again_at_once() -> Iterator[None]:
    """Ask vendors and models again without a pause; what they themselves ask to wait is still waited for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tradingagents.dataflows.gateway.resilience.BACKOFF", wait_none())
        patch.setattr("tradingagents.llm_clients.pacing.BACKOFF", wait_none())
        yield


@contextmanager
def logging_put_back() -> Iterator[None]:
    """A command line run in this process sends log lines to a stream that is gone afterwards, and hushes libraries."""
    root = logging.getLogger()
    handlers, disabled = root.handlers[:], root.manager.disable
    levels = {logger: logger.level for logger in (root, *map(logging.getLogger, (*NOISY, EVENTS, "tradingagents")))}
    yield
    root.handlers[:] = handlers
    if root.manager.disable != disabled:
        logging.disable(disabled)
    for logger, level in levels.items():
        if logger.level != level:  # setting a level, even the same, empties the cache of every logger there is
            logger.setLevel(level)


REAL_MODEL = "real_model"
_modules = itertools.count(1)
MODULES_PER_FREEZE = 10


@pytest.fixture(autouse=True, scope="module")
def _a_module_leaves_nothing() -> Iterator[None]:
    """Put logging back as it was before fixtures of a module ran, and collect the module's garbage.

    What has been imported and made for all tests since stays: a collection that walks through it with each twentieth
    graph (`_dropped_graphs_wait`) takes as long as a run.
    """
    before = _full_collections()
    with logging_put_back():
        yield
    if next(_modules) % MODULES_PER_FREEZE == 0 or _full_collections() > before:
        gc.collect()
        gc.freeze()
        _give_memory_back()


def _full_collections() -> int:
    return gc.get_stats()[-1]["collections"]


def _give_memory_back() -> None:
    """Return freed memory to the system: Arrow and the C library keep what the largest module needed, for good."""
    if arrow := sys.modules.get("pyarrow"):
        arrow.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):  # another C library than glibc
        ctypes.CDLL(None).malloc_trim(0)


@pytest.fixture(autouse=True)
def _as_on_a_new_machine(
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    calendar_folder: Path,
    markets: SharedMarkets,
) -> Iterator[None]:
    """Give each test folders, settings and logging as on a new machine.

    One fixture for all of that: each further one would cost a quarter of a millisecond, ten thousand times.
    """
    own_market = request.node.get_closest_marker("own_market") is not None
    if request.node.get_closest_marker("unit"):
        _refuse_processes_and_servers(monkeypatch)
    _forget_settings_of_this_machine(monkeypatch, tmp_path, calendar_folder)
    with logging_put_back(), markets.apart() if own_market else nullcontext():
        yield


def _refuse_processes_and_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unit tests start none."""

    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a unit test starts no process and no server; see tests/support/tiers.py")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr(socket.socket, "listen", refuse)


def _forget_settings_of_this_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, calendar_folder: Path) -> None:
    """No `TRADINGAGENTS_…` variable, key, `.env` or folder of the developer reaches a test."""
    for name in list(os.environ):
        if name.startswith(("TRADINGAGENTS_", "LANGSMITH_", "OTEL_", "EDGAR_")) or name.endswith("_API_KEY"):
            monkeypatch.delenv(name)
    home, account = tmp_path / "home", f"{tmp_path}/account"
    home.mkdir()
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(home))
    # Where settings name no home, and where libraries keep their caches.
    monkeypatch.setenv("HOME", account)
    for name in ("DATA", "CONFIG", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", f"{account}/{name.lower()}")
    cache = Path(account, "cache", "tradingagents")
    cache.mkdir(parents=True)
    (cache / "calendars").symlink_to(calendar_folder, target_is_directory=True)
    monkeypatch.chdir(tmp_path)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--all", action="store_true", help="run whole what is sampled otherwise (marked nightly)")
    parser.addoption("--part", default="", help="run one part of the modules, such as 2/7")
    parser.addoption(
        "--backwards", action="store_true", help="run the last test first: shows which rely on their order"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Choose how many examples hypothesis tries, before test modules are imported."""
    if not config.getoption("--hypothesis-profile"):
        hypothesis.settings.load_profile(THOROUGH if config.getoption("--all") else FAST)
    if is_fast():
        _try_no_constants_of_the_source()


def _try_no_constants_of_the_source() -> None:
    """Keep hypothesis from parsing every imported module for constants to try.

    That takes 6 seconds in each process of a fresh checkout, and the ten thousand constants are looked through for
    each new bound of a strategy. They also depend on what was imported before: the examples would not be the same.
    """
    pytest.MonkeyPatch().setattr(providers, "_get_local_constants", lambda: providers._local_constants)


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Import only the modules of a part or tier where options name nothing else: importing all takes half a minute."""
    tests, chosen, part = Path(__file__).parent, config.getoption("markexpr"), config.getoption("part")
    if re.fullmatch(r"test_\w+\.py", collection_path.name) is None:
        return None
    if part and not is_in_part(collection_path, tests, part):
        return True
    return (chosen in TIERS and tier_of(collection_path, tests) != chosen) or None


def pytest_collection(session: pytest.Session) -> None:
    """Switch the garbage collector off while modules are imported: none of what they make is garbage."""
    gc.disable()
    _import_from_another_place(session.config)


def _import_from_another_place(config: pytest.Config) -> None:
    """Have each worker of a whole run import the test modules beginning at another one.

    The first import of a module rewrites its assertions and stores the result, which is half of what collection costs
    in a fresh checkout. Workers that go through the same modules in the same order would all do it for each.
    """
    worker = getattr(config, "workerinput", {})
    number = int(worker.get("workerid", "gw0").removeprefix("gw"))
    if number == 0 or config.args != config.getini("testpaths"):
        return
    tests = Path(__file__).parent
    paths = sorted(tests.rglob("test_*.py"))
    first = len(paths) * number // worker["workercount"]
    for path in (*paths[first:], *paths[:first]):
        if not pytest_ignore_collect(path, config):
            with suppress(Exception, pytest.skip.Exception):  # collection imports it again and reports it
                importlib.import_module(".".join(path.relative_to(tests.parent).with_suffix("").parts))


@pytest.hookimpl(tryfirst=True)  # before `-m` chooses by marker
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark each test with its tier, leave out what is sampled unless `--all` is given, and put the long ones first."""
    tests = Path(__file__).parent
    tiers = {path: tier_of(path, tests) for path in dict.fromkeys(item.path for item in items)}
    for item in items:
        item.add_marker(tiers[item.path])
    if not config.getoption("--all"):
        nightly = [item for item in items if item.get_closest_marker("nightly")]
        config.hook.pytest_deselected(items=nightly)
        items[:] = [item for item in items if not item.get_closest_marker("nightly")]
    if REAL_MODEL not in (config.getoption("markexpr") or ""):
        asks = pytest.mark.skip(reason="asks a real model for minutes: `make test-real-model`")
        for item in items:
            if item.get_closest_marker(REAL_MODEL):
                item.add_marker(asks)
    if hasattr(config, "workerinput"):  # so that no worker begins a long test while the other has nothing left
        items.sort(key=lambda item: TIERS.index(tiers[item.path]), reverse=True)
    if config.getoption("--backwards"):
        items.reverse()


def pytest_collection_finish() -> None:
    """Keep the garbage collector from walking through all modules and tests each time a graph is dropped."""
    gc.enable()
    gc.collect()
    gc.freeze()
    collect_rarely()


TEST_DATA = os.environ.get("TRADINGAGENTS_TEST_DATA")


@pytest.fixture(scope="session")
def test_data() -> Path:
    """The folder of recorded real data; skips the test where there is none."""
    default = Path(__file__).resolve().parents[2] / "shared"
    folder = Path(TEST_DATA) if TEST_DATA else default
    if not (folder / "snapshot" / "snapshot.json").is_file():
        pytest.skip(f"no recorded data at {folder}; set TRADINGAGENTS_TEST_DATA")
    return folder
