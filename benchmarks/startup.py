"""What starting a command costs: `python -m benchmarks.startup`.

Each command runs in a process of its own, `RUNS` times after one that is not counted (it builds the calendar that later
ones read). The home is empty.

What is measured
- cpu: the processor's time of the whole process with its exit, user and system, its children included; the least of the
  runs, which other work on the machine lengthens least.
- imports: the same, as a multiple of a process that does nothing but `import langgraph.graph, pandas`.
- before: the same, up to a run's first event; empty for a command that starts no run.
- modules: how many modules it has loaded at its end, and how many of them are ours.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

RUNS = 3
COMMANDS = (
    ("--help",),
    ("runs", "list"),
    ("analyze", "NOSUCH", "2025-03-14", "--offline"),
    ("analyze", "VELQ", "2025-03-14", "--offline"),
    ("scan", "2025-03-14", "--offline"),
)
IMPORTS = "import langgraph.graph, pandas"
_PROBE = """
import json, sys, time
from tradingagents.__main__ import main
report, first = sys.argv[1], []
sys.argv = ["tradingagents", *sys.argv[2:]]
def watch():
    from tradingagents.events import EventStream
    emit = EventStream.emit
    def noted(self, *args, **data):
        first[:] = first or [time.process_time()]
        return emit(self, *args, **data)
    EventStream.emit = noted
if sys.argv[1] in ("analyze", "scan"):
    watch()
try:
    main()
finally:
    names = list(sys.modules)
    with open(report, "w") as file:
        json.dump({"before": first[0] if first else None, "modules": len(names),
                   "ours": sum(name.split(".")[0] in ("cli", "tradingagents") for name in names)}, file)
"""


def measured(command: tuple[str, ...]) -> dict[str, Any]:
    """Run a command once and `RUNS` times more; return the figures of the run that took the least time."""
    runs = [_once(command) for _ in range(RUNS + 1)][1:]
    return min(runs, key=lambda one: float(one["cpu"]))


def import_time() -> float:
    """Return the processor's time of the imports that every run needs, in seconds."""
    return min(_processor_time([sys.executable, "-c", IMPORTS]) for _ in range(RUNS))


def _once(command: tuple[str, ...]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        home = () if command[-1] == "--help" else ("--home", folder, "--quiet")
        cpu = _processor_time([sys.executable, "-c", _PROBE, str(report), *command, *home])
        return {"cpu": cpu, **json.loads(report.read_text())}


def _processor_time(arguments: Sequence[str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Empty: with compiled modules, as installed programs start, also where the environment forbids to write them.
    environment = {**os.environ, "PYTHONDONTWRITEBYTECODE": ""}
    subprocess.run(arguments, check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    """Measure every command and print a table, or with `--json` one object a line."""
    parser = argparse.ArgumentParser(description="What starting a command costs.")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    as_json = parser.parse_args().json
    imports = import_time()
    if not as_json:
        print("| command | cpu | imports | before the run | modules | of these ours |\n|---|--:|--:|--:|--:|--:|")
        print(f"| `{IMPORTS}` | {imports:.2f} s | 1.00 | | | |", flush=True)
    for command in COMMANDS:
        one, name = measured(command), " ".join(command)
        ratio = one["cpu"] / imports
        if as_json:
            print(json.dumps({"command": name, "imports": ratio, **one}), flush=True)
            continue
        before = "" if one["before"] is None else f"{one['before']:.2f} s"
        figures = f"{one['cpu']:.2f} s | {ratio:.2f} | {before} | {one['modules']} | {one['ours']}"
        print(f"| `{name}` | {figures} |", flush=True)


if __name__ == "__main__":
    main()
