"""What the benchmarks have in common: the model server, a process for each scenario, and how calls are counted."""

from __future__ import annotations

import json
import os
import platform
import resource
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DAY = "2025-03-14"
CHARACTERS_PER_TOKEN = 4
RUNS = 3


def config(url: str, home: str, **changes: Any) -> dict[str, Any]:
    """Return the settings of a scenario: one model server for all tiers, the simulated market."""
    return {
        "llm_provider": "openai_compatible",
        "backend_url": url,
        "data_vendor": "simulated",
        "quick_think_llm": "bench-model",
        "deep_think_llm": "bench-model",
        "home": Path(home),
        **changes,
    }


def in_a_process(module: str, scenario: str, url: str) -> dict[str, Any]:
    """Run a scenario of a benchmark in a process of its own; return what it prints last, a JSON object."""
    command = [sys.executable, "-m", module, "--scenario", scenario, "--url", url]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def machine() -> str:
    """Return interpreter, cores, and how fast the machine is just now: the processor time of two pieces of work.

    The speed of a shared machine varies by a factor of three between hours; these make times in ms comparable.
    Additions need the core alone; objects made and read also need caches and memory, which other processes use too.
    """
    began, total = time.process_time(), 0
    for number in range(20_000_000):
        total += number
    added = time.process_time() - began
    rows = [{"name": str(number), "values": [number, number / 3, None]} for number in range(20_000)]
    began = time.process_time()
    for _ in range(20):
        json.loads(json.dumps(rows))
    objects = time.process_time() - began
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{python}, {os.cpu_count()} cores, 20 M additions in {added:.1f} s, 1.2 M objects in {objects:.1f} s"


def peak_mb() -> float:
    """Return the most memory this process has held."""
    status = Path("/proc/self/status")
    if status.exists():  # the usage below counts what the process that started this one held then, as Linux keeps it
        (line,) = (one for one in status.read_text("ascii").splitlines() if one.startswith("VmHWM:"))
        return int(line.split()[1]) / 1024
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


@contextmanager
def model_server(delay: float) -> Iterator[str]:
    """Run the model server in a process of its own; yield its URL."""
    command = [
        sys.executable,
        "-m",
        "benchmarks.openai_server",
        "--port",
        "0",
        "--delay",
        str(delay),
        "--reply-tokens",
        "600",
    ]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None  # noqa: S101 - PIPE was asked for
        yield f"http://127.0.0.1:{int(process.stdout.readline())}/v1"
    finally:
        process.terminate()
        process.wait()


def stats(url: str) -> dict[str, Any]:
    """Return what the server was asked and when."""
    with urllib.request.urlopen(f"{url}/stats") as answer:
        told: dict[str, Any] = json.load(answer)
    return told


def covered(spans: Sequence[tuple[float, float]]) -> float:
    """Return how long at least one of the spans lasted."""
    total, until = 0.0, float("-inf")
    for start, end in sorted(spans):
        total += max(0.0, end - max(start, until))
        until = max(until, end)
    return total


def delay_of(calls: Sequence[dict[str, Any]]) -> float:
    """Return how long the server took for a call, as it kept the delay it was told: its timers are a little late."""
    return statistics.median(call["answered_at"] - call["received_at"] for call in calls)


def longest_chain(calls: Sequence[dict[str, Any]]) -> int:
    """Return the most calls of which each was received after the one before was answered."""
    length = 0
    free_at = 0.0
    for call in sorted(calls, key=lambda call: call["answered_at"]):
        if call["received_at"] >= free_at:
            length, free_at = length + 1, call["answered_at"]
    return length


def shared_prefix(prompts: Sequence[str]) -> dict[str, Any]:
    """Return all prompts' tokens, and the share that repeats the beginning of an earlier prompt."""
    shared = sum(
        max((len(os.path.commonprefix([prompt, earlier])) for earlier in prompts[:number]), default=0)  # noqa: RUF071 - by character is what is wanted
        for number, prompt in enumerate(prompts)
    )
    characters = sum(map(len, prompts))
    return {"tokens": characters // CHARACTERS_PER_TOKEN, "shared": shared / characters}
