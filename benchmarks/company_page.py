"""First opening of a company's page after a start of the server, in Chromium: first paint, and the last block.

    python -m benchmarks.company_page                        AAPL on the recorded data beside the repository
    python -m benchmarks.company_page --rounds 5 --pause 0   opens the page as soon as the server answers

Each round starts a server of its own, waits `--pause` seconds (as long as a person takes to read the address that the
server prints and to click it), and opens the page once. First paint is what the browser's performance interface says of
the page's navigation; complete is the time from the navigation to the moment at which no block waits any more.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.web_page import chromium

DATA = Path(os.environ.get("TRADINGAGENTS_TEST_DATA") or Path(__file__).resolve().parents[2] / "shared")
TOKEN = "0123456789abcdef0123"  # noqa: S105 - of servers of this measurement
PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
COMPLETE = "document.querySelector('.blocks') && !document.querySelector('[aria-busy]')"
SLOWEST = """performance.getEntriesByType('resource').filter(one => one.name.includes('/v1/'))
    .map(one => [Math.round(one.duration), one.name.split('/v1/')[1]]).sort((a, b) => b[0] - a[0]).slice(0, 5)"""


@dataclass(frozen=True)
class Opening:
    """One opening of the page."""

    paint: float
    """Seconds to the first paint."""
    complete: float
    """Seconds to the last block."""
    processor: float
    """Seconds of processor that the server used for it: what a busy machine does not change much."""
    slowest: list[tuple[int, str]]
    """The slowest requests, each with its milliseconds."""


def processor_seconds(process_id: int) -> float:
    """Return the seconds of processor that a process has used."""
    fields = Path(f"/proc/{process_id}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def started_server(home: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Start a server on the recorded data in a new interpreter, as a person does."""
    data = ("--data-vendor", "snapshot", "--data-dir", str(DATA / "snapshot"))
    command = [
        sys.executable,
        "-m",
        "tradingagents",
        "serve",
        "--offline",
        "--home",
        str(home),
        "--port",
        "0",
        "--json",
    ]
    environ = {**os.environ, "TRADINGAGENTS_SERVER_TOKEN": TOKEN}
    environ.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed library is compiled
    process = subprocess.Popen([*command, *data], stdout=subprocess.PIPE, env=environ, text=True)
    try:
        if process.stdout is None:
            raise RuntimeError("The server has no output.")
        yield json.loads(process.stdout.readline())["address"].partition("/#")[0].rstrip("/"), process
    finally:
        process.terminate()
        process.wait(timeout=30)


def measure(symbol: str, day: str, pause: float) -> Opening:
    """Open the page once, with a server and a browser of its own."""
    with (
        tempfile.TemporaryDirectory() as home,
        chromium() as browser,
        started_server(Path(home)) as (origin, process),
    ):
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        time.sleep(pause)
        page.add_init_script(f"sessionStorage.setItem('tradingagents-token', '{TOKEN}')")
        used, started = processor_seconds(process.pid), time.monotonic()
        page.goto(f"{origin}/company/{symbol}?day={day}")
        page.wait_for_function(f"() => {COMPLETE}", timeout=120_000)
        complete, used = time.monotonic() - started, processor_seconds(process.pid) - used
        return Opening(page.evaluate(PAINT) / 1000, complete, used, page.evaluate(SLOWEST))


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--symbol", default="AAPL")
    parser.add_argument("--day", default="2025-03-14")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pause", type=float, default=2.0)
    given = parser.parse_args()
    if not (DATA / "snapshot").is_dir():
        parser.error(f"There are no recorded data below {DATA}; name their folder in TRADINGAGENTS_TEST_DATA.")
    rounds = [measure(given.symbol, given.day, given.pause) for _ in range(given.rounds)]
    for opening in rounds:
        told = ", ".join(f"{name} {milliseconds} ms" for milliseconds, name in opening.slowest)
        print(f"first paint {opening.paint:.2f} s, complete {opening.complete:.2f} s, {opening.processor:.2f} s of "
              f"the server's processor; slowest: {told}")  # fmt: skip
    for name in ("paint", "complete", "processor"):
        print(f"median {name}: {statistics.median(getattr(opening, name) for opening in rounds):.2f} s")


if __name__ == "__main__":
    main()
