"""A real server process and a real Chromium for the tests of the web page."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import pytest

from tests.support.warm import WarmProcess

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ENDED = ("done", "failed", "cancelled", "interrupted", "awaiting_approval")
PATIENCE = 60.0


@dataclass(frozen=True)
class Site:
    """A server that runs."""

    origin: str
    token: str
    home: Path
    process: WarmProcess

    @property
    def address(self) -> str:
        """The address that the server printed."""
        return f"{self.origin}/#token={self.token}"

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """Return the JSON of a route; with a body the request is a POST."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        try:
            with urlopen(Request(self.origin + path, data=data, headers=headers), timeout=30) as response:
                return json.loads(response.read() or "null")
        except HTTPError as error:
            raise AssertionError(f"{path}: {error.code} {error.read().decode()[:300]}") from None

    def ended(self, task_id: str) -> dict[str, Any]:
        """Return a task once it has ended or waits for a person."""
        until = time.monotonic() + PATIENCE
        while (task := self.ask(f"/v1/tasks/{task_id}"))["status"] not in ENDED:
            assert time.monotonic() < until, task
            time.sleep(0.05)
        return dict(task)

    def analyzed(self, ticker: str, day: str, **more: Any) -> str:
        """Return the id of a finished analysis."""
        task = self.ask("/v1/tasks", {"kind": "analyze", "request": {"ticker": ticker, "day": day, **more}})
        return str(self.ended(task["task_id"])["run_ids"][0])


@contextmanager
def serving(home: Path, *more: str, **environ: str) -> Iterator[Site]:
    """Serve a home folder offline in a process of its own, with further arguments and variables."""
    command = ["-m", "tradingagents", "serve", "--offline", "--home", str(home), "--port", "0", "--json", *more]
    process = WarmProcess(command, stdout=subprocess.PIPE, env={**os.environ, **environ})
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, f"the server ended with {process.wait()}"
        address = urlsplit(json.loads(line)["address"])
        yield Site(f"http://{address.netloc}", address.fragment.removeprefix("token="), home, process)
    finally:
        process.terminate()
        process.wait(timeout=30)
        if process.stdout is not None:
            process.stdout.close()


@contextmanager
def chromium() -> Iterator[Browser]:
    """Open a browser; skip where there is none."""
    api = pytest.importorskip("playwright.sync_api", reason="the browser tests need the package playwright")
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        pytest.skip(f"no Chromium on PATH ({', '.join(CHROMIUM)}): the browser tests did not run")
    options = ["--no-sandbox"] if os.getuid() == 0 else []
    with api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=options)
        try:
            yield browser
        finally:
            browser.close()
