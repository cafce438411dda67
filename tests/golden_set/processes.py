"""Commands in processes forked from one that has imported what they need, and no more than that.

A new interpreter imports for three seconds what a command needs; the golden set starts more than a hundred. What to
import is not written here but found: a command is run once in a child, and its parent imports what it had imported. So
nothing here names a module of the product, and no cache, thread or market of one run reaches another.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import runpy
import shutil
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from contextlib import nullcontext, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

KILLED = -signal.SIGKILL
LONGEST = 600
"""Seconds after which a process counts as stuck."""
LOOPBACK = ("127.0.0.1", "::1", "localhost")


@dataclass(frozen=True)
class Command:
    """One command of a case."""

    arguments: Sequence[str]
    stdin: str = ""
    last_answer: str = ""
    """Text on stdout after which stdin ends; none: as soon as it has been read."""
    kill_at: str = ""
    """Text on stdout or stderr at which the process kills itself; none: it ends by itself."""
    kill_count: int = 1
    """At which appearance of the text."""
    model: Callable[[], Any] | None = None
    """Makes the model server that runs as long as the command; its `url` takes the place of MODEL_URL."""


@dataclass
class Ended:
    """How a command ended."""

    code: int
    out: str
    err: str
    processor: float
    """Seconds of processor time that it took."""
    requests: list[Any] = field(default_factory=list)
    """What the model server was asked."""
    url: str = ""
    """Where the model server was."""


def open_environment(folder: Path) -> None:
    """Give this process and all it forks an environment in which nothing of this machine or user is seen.

    Args:
        folder: Where libraries keep their caches.
    """
    for name in list(os.environ):
        if name.startswith(("TRADINGAGENTS_", "LANGSMITH_", "LANGCHAIN_", "OTEL_", "EDGAR_")) or name.endswith(
            "_API_KEY"
        ):
            del os.environ[name]
    account = folder / "account"
    for name in ("DATA", "CONFIG", "CACHE", "STATE"):
        os.environ[f"XDG_{name}_HOME"] = str(account / name.lower())
    os.environ.update(
        HOME=str(account),
        TZ="UTC",
        COLUMNS="100",
        OPENBLAS_NUM_THREADS="1",
        MALLOC_ARENA_MAX="2",
        OPENAI_API_KEY="none",
    )
    time.tzset()
    account.mkdir(parents=True)
    connect = socket.socket.connect

    def guarded(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and str(address[0]) not in LOOPBACK:
            raise OSError(f"the golden set does not use the network: {address[0]}")
        return connect(self, address)

    socket.socket.connect = guarded  # type: ignore[method-assign,assignment]


def import_what_they_import(commands: Sequence[Sequence[str]], folder: Path) -> None:
    """Import what these commands import, without having run one.

    Args:
        commands: Their arguments.
        folder: For what they write.
    """
    child = os.fork()
    if child == 0:
        home = ("--home", str(folder / "home"))
        first, *others = [Command([*arguments, *home]) for arguments in commands]
        _become(first, folder, others)
    os.waitpid(child, 0)
    for module in json.loads((folder / "modules.json").read_text("utf-8")):
        with suppress(Exception):  # some modules can be imported by the one that needs them only
            importlib.import_module(module)
    shutil.rmtree(folder)
    gc.collect()
    gc.freeze()


def start(command: Command, folder: Path) -> int:
    """Start a command in a process of its own whose streams are files in a folder; return its id."""
    folder.mkdir(parents=True, exist_ok=True)
    child = os.fork()
    if child == 0:
        _become(command, folder)
    return child


def ended(status: int, processor: float, folder: Path) -> Ended:
    """Return how a started command ended, by what `os.wait3` says and its folder."""
    requests = folder / "requests.json"
    url, bodies = json.loads(requests.read_text("utf-8")) if requests.is_file() else ("", [])
    return Ended(
        os.waitstatus_to_exitcode(status),
        (folder / "out").read_text("utf-8"),
        (folder / "err").read_text("utf-8"),
        processor,
        bodies,
        url,
    )


def _become(command: Command, folder: Path, others: Sequence[Command] = ()) -> None:
    """Be the process of a command, and of others that are to tell what they import: never returns."""
    code = 1
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _take_streams(folder, command)
        os.chdir(folder)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.alarm(LONGEST)
        if command.kill_at:
            fuse = _Fuse(command.kill_at, command.kill_count)
            sys.stdout, sys.stderr = _Watched(sys.stdout, fuse), _Watched(sys.stderr, fuse)
        with command.model() if command.model else nullcontext() as server:
            url = server.url if server else ""
            code = _exit_code([part.replace("MODEL_URL", url) for part in command.arguments])
            if server:
                (folder / "requests.json").write_text(json.dumps([url, server.bodies]), "utf-8")
        for other in others:
            _exit_code(other.arguments)
        if others:
            names = [name for name in sys.modules if not name.startswith(("__", "tests."))]
            (folder / "modules.json").write_text(json.dumps(names), "utf-8")
        threading._shutdown()  # type: ignore[attr-defined]
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:  # noqa: BLE001 - it must not go on as its parent
        traceback.print_exc()
    finally:
        os._exit(code)


def _end_after(answer: str, out: Path, writing: int) -> None:
    """Close a descriptor once a file has a text."""
    while answer not in out.read_text("utf-8"):
        time.sleep(0.05)
    os.close(writing)


def _take_streams(folder: Path, command: Command) -> None:
    reading, writing = os.pipe()
    os.write(writing, command.stdin.encode())
    opened: list[IO[str]] = []
    files: tuple[tuple[int | Path, str], ...] = ((reading, "r"), (folder / "out", "w"), (folder / "err", "w"))
    for number, (name, mode) in enumerate(files):
        stream: IO[str] = open(name, mode, encoding="utf-8")  # noqa: SIM115, PTH123 - for good; a descriptor or a path
        os.dup2(stream.fileno(), number)
        opened.append(open(number, mode, 1, encoding="utf-8", closefd=False))  # noqa: SIM115 - for good
    sys.stdin, sys.stdout, sys.stderr = opened
    threading.Thread(target=_end_after, args=(command.last_answer, folder / "out", writing), daemon=True).start()
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = opened  # type: ignore[misc,assignment]


def _exit_code(arguments: Sequence[str]) -> int:
    sys.argv = ["tradingagents", *arguments]
    try:
        runpy.run_module("tradingagents", run_name="__main__", alter_sys=True)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:  # noqa: BLE001 - as an interpreter does
        traceback.print_exc()
        return 1
    return 0


class _Fuse:
    """Kills the process as soon as a text has been written often enough."""

    def __init__(self, text: str, count: int) -> None:
        self._text, self._left = text, count

    def see(self, written: str) -> None:
        self._left -= written.count(self._text)
        if self._left <= 0:
            os.kill(os.getpid(), signal.SIGKILL)


class _Watched:
    """A stream that shows a fuse what is written."""

    def __init__(self, stream: Any, fuse: _Fuse) -> None:
        self._stream, self._fuse = stream, fuse

    def write(self, text: str) -> int:
        count: int = self._stream.write(text)
        self._stream.flush()
        self._fuse.see(text)
        return count

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)
