"""A real server process on a free port, over a home folder on the simulated market."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.support.warm import WarmProcess
from tradingagents.service.client import AsyncClient, Client

TOKEN = "token-of-a-server-in-tests"  # noqa: S105 - made up
START_SECONDS = 90.0


@dataclass
class ServerProcess:
    """A server that can be killed, stopped and started again at the same address."""

    home: Path
    account: Path
    """Where libraries store their caches, in place of the account of whoever runs the tests."""
    arguments: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    port: int = 0
    process: subprocess.Popen[str] | WarmProcess | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def log(self) -> Path:
        return self.home.parent / f"{self.home.name}-server.log"

    def start(self) -> None:
        """Start it, and wait until it answers."""
        self.port = self.port or _free_port()
        command = ["-m", "tradingagents", "serve", "--offline", "--json", "--home", str(self.home)]
        command += ["--port", str(self.port), *self.arguments]
        with self.log.open("a") as log:
            streams: Any = {"stdout": subprocess.PIPE, "stderr": log, "env": self._environment()}
            if "--workers" in self.arguments:  # it starts interpreters itself
                self.process = subprocess.Popen([sys.executable, *command], text=True, **streams)
            else:
                self.process = WarmProcess(command, **streams)
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, self.log.read_text()
        assert json.loads(line)["address"] == f"{self.address}/"

    def kill(self) -> None:
        """End it as a crash does."""
        assert self.process is not None
        self.process.kill()
        self._reap()

    def stop(self, sent: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to end; return its exit code."""
        assert self.process is not None
        self.process.send_signal(sent)
        return self._reap()

    def http(self, **given: object) -> httpx.Client:
        """Return an HTTP client with the token."""
        headers = {"Authorization": f"Bearer {TOKEN}"}
        return httpx.Client(base_url=self.address, headers=headers, timeout=60, trust_env=False)

    def client(self) -> Client:
        return Client(self.address, TOKEN)

    def async_client(self) -> AsyncClient:
        return AsyncClient(self.address, TOKEN)

    def _reap(self) -> int:
        assert self.process is not None
        try:
            code = self.process.wait(60)
        except subprocess.TimeoutExpired:
            self.process.kill()
            raise
        finally:
            assert self.process.stdout is not None
            self.process.stdout.close()
        self.process = None
        return code

    def _environment(self) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if not name.startswith("TRADINGAGENTS_")}
        folders = {
            f"XDG_{name}_HOME": str(self.account / name.lower()) for name in ("DATA", "CONFIG", "CACHE", "STATE")
        }
        return {
            **own,
            **folders,
            "HOME": str(self.account),
            "MALLOC_ARENA_MAX": "2",
            "TRADINGAGENTS_SERVER_TOKEN": TOKEN,
            **self.variables,
        }


@contextmanager
def serving(folder: Path, calendars: Path, *arguments: str, **variables: str) -> Iterator[ServerProcess]:
    """Run a server over a new home folder below a folder.

    Args:
        folder: Where its home is made.
        calendars: The exchange calendars that all processes of the tests share.
        *arguments: Further arguments of `serve`.
        **variables: Further variables of its environment.
    """
    home, account = folder / "home", folder / "account"
    home.mkdir(parents=True)
    cache = account / "cache" / "tradingagents"
    cache.mkdir(parents=True)
    (cache / "calendars").symlink_to(calendars, target_is_directory=True)
    server = ServerProcess(home, account, arguments, variables)
    server.start()
    try:
        yield server
    finally:
        if server.process is not None:
            server.stop()


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port
