"""Processes of their own for commands and programs, forked from one that has imported what they need.

A new interpreter takes some three seconds of processor time to import what a run needs, and tests start dozens of them.
A forked process has descriptors, environment, folder, signals and exit code of its own as they have, and runs the same
code. What a new interpreter alone can show is started with `subprocess`: what is imported when, options of Python,
terminals (tests/cli/test_process.py, test_startup.py, test_packaging.py).
"""

from __future__ import annotations

import atexit
import multiprocessing
import os
import runpy
import signal
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing import process, reduction
from multiprocessing.context import ForkServerContext
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import IO, Any, TextIO

PRELOAD = ["tests.support.forkserver"]


def forking() -> ForkServerContext:
    """Return what starts processes forked from the one that has everything imported."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOAD)
    return context


def fork(target: Callable[..., None], *arguments: Any) -> BaseProcess:
    """Start a function in such a process."""
    forked = forking().Process(target=target, args=arguments)
    forked.start()
    return forked


class WarmProcess:
    """A Python command in a forked process, with the methods of `subprocess.Popen` that tests use.

    Its streams hold text. stdin is empty unless it is given.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        stdin: int | None = None,
        stdout: int | IO[Any] | None = None,
        stderr: int | IO[Any] | None = None,
        env: Mapping[str, str] | None = None,
        cwd: Path | None = None,
    ) -> None:
        """Start it.

        Args:
            command: `-m`, a module and its arguments, or `-c`, a program and its arguments.
            stdin: `subprocess.PIPE`, or a descriptor such as that of a terminal; None for an empty one.
            stdout: `subprocess.PIPE`, an open file, or None for that of the tests.
            stderr: The same.
            env: Its environment.
            cwd: Its folder.
        """
        if command[0] not in ("-m", "-c"):
            raise ValueError(f"not a module or a program: {command[0]}")
        self.args = list(command)
        self.stdout, out = _stream(stdout, 1)
        self.stderr, err = _stream(stderr, 2)
        self.stdin, read = _input(stdin)
        try:
            sent = [_Sent(read), _Sent(out), _Sent(err)]
            self._process = fork(_run, self.args, dict(os.environ if env is None else env), cwd or Path.cwd(), sent)
        finally:
            ours = [read] * (stdin in (None, subprocess.PIPE)) + [out] * (stdout == subprocess.PIPE)
            for descriptor in ours + [err] * (stderr == subprocess.PIPE):
                os.close(descriptor)

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    @property
    def returncode(self) -> int | None:
        """How it ended: an exit code, or minus the number of a signal; None while it runs."""
        return self._process.exitcode

    def poll(self) -> int | None:
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end and return its exit code."""
        self._process.join(timeout)
        if self.returncode is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Read both streams to their ends, wait for its end, and return what was read."""
        if self.stdin is not None:
            self.stdin.close()
        until = None if timeout is None else time.monotonic() + timeout
        with ThreadPoolExecutor(2) as pool:
            readings = [pool.submit(_read, stream) for stream in (self.stdout, self.stderr)]
            try:
                self.wait(timeout)
            except subprocess.TimeoutExpired:
                self.kill()
                raise
            left = None if until is None else max(1.0, until - time.monotonic())
            out, err = (reading.result(left) for reading in readings)
        self._close()
        return out, err

    def send_signal(self, sent: int) -> None:
        if self.returncode is None:
            os.kill(self.pid, sent)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> WarmProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self._close()
        self.wait()

    def _close(self) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream is not None:
                stream.close()


def run_warm(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = 60,
    check: bool = False,
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end in a forked process, and return how it ended with what it wrote."""
    with WarmProcess(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=env, cwd=cwd) as warm:
        out, err = warm.communicate(timeout)
        done = subprocess.CompletedProcess(warm.args, warm.wait(), out, err)
    if check:
        done.check_returncode()
    return done


class _Sent:
    """A descriptor that the forked process receives a copy of."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def __reduce__(self) -> tuple[Callable[..., int], tuple[Any]]:
        return _received, (reduction.DupFd(self._descriptor),)


def _received(sent: Any) -> int:
    descriptor: int = sent.detach()
    return descriptor


def _stream(given: int | IO[Any] | None, default: int) -> tuple[TextIO | None, int]:
    """Return the end that is read here, if any, and the descriptor that the process writes to."""
    if given == subprocess.PIPE:
        reading, writing = os.pipe()
        return open(reading, encoding="utf-8"), writing  # noqa: PTH123 - a descriptor; closed by its owner
    if isinstance(given, int):
        if given < 0:
            raise ValueError("a stream is PIPE, an open file, or a descriptor")
        return None, given
    return None, default if given is None else given.fileno()


def _input(given: int | None) -> tuple[TextIO | None, int]:
    """Return the end that is written here, if any, and the descriptor that the process reads."""
    if given == subprocess.PIPE:
        reading, writing = os.pipe()
        return open(writing, "w", encoding="utf-8"), reading  # noqa: PTH123 - a descriptor; closed by its owner
    return None, os.open(os.devnull, os.O_RDONLY) if given is None else given


def _read(stream: TextIO | None) -> str:
    return "" if stream is None or stream.closed else stream.read()


def _run(command: list[str], env: dict[str, str], cwd: Path, streams: list[int]) -> None:
    """Become what a new interpreter would be, run the command, and end as it would."""
    process._parent_process = None  # type: ignore[attr-defined] # nobody's child
    os.environ.clear()
    os.environ.update(env)
    time.tzset()
    os.chdir(cwd)
    _take_streams(streams)
    signal.signal(signal.SIGINT, signal.default_int_handler)
    code = _exit_code(command)
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    try:
        if not sys.stdout.closed:
            sys.stdout.flush()
    except OSError:
        code = 120  # as the interpreter says it
    with suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)


def _take_streams(streams: list[int]) -> None:
    for taken, given in enumerate(streams):
        os.dup2(given, taken)
        os.close(given)
    opened = [
        open(number, mode, buffering, encoding="utf-8", errors=errors, closefd=False)  # noqa: SIM115 - for good
        for number, mode, buffering, errors in (
            (0, "r", -1, "strict"),
            (1, "w", -1, "strict"),
            (2, "w", 1, "backslashreplace"),
        )
    ]
    sys.stdin, sys.stdout, sys.stderr = opened
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = opened  # type: ignore[misc]


def _exit_code(command: list[str]) -> int:
    kind, named, *arguments = command
    sys.argv = ["-c" if kind == "-c" else named, *arguments]
    try:
        if kind == "-c":
            exec(compile(named, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102 - a test's own program
        else:
            runpy.run_module(named, run_name="__main__", alter_sys=True)
    except SystemExit as ended:
        if isinstance(ended.code, str):
            print(ended.code, file=sys.stderr)
            return 1
        return int(ended.code or 0)
    except KeyboardInterrupt:
        traceback.print_exc()
        sys.stderr.flush()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
        return 1
    return 0
