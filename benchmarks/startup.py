"""What starting a command costs: `python -m benchmarks.startup`.

Each command runs in a process of its own, `RUNS` times after one that is not counted (it builds the calendar that later
ones read). The home is empty.

What is measured
- cpu: the processor's time of the whole command, user and system, its children included; the least of the runs, which
  other work on the machine lengthens least.
- before: the same, up to a run's first event; empty for a command that starts no run.
- modules: how many modules it has loaded at its end, and how many of them are ours.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
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
_PROBE = """
import json, sys, time
from cli.main import run
report, first = sys.argv[1], []
arguments = sys.argv[2:]
def watch():
    from tradingagents.events import EventStream
    emit = EventStream.emit
    def noted(self, *args, **data):
        first[:] = first or [time.process_time()]
        return emit(self, *args, **data)
    EventStream.emit = noted
if arguments[0] in ("analyze", "scan"):
    watch()
run(arguments)
names = list(sys.modules)
with open(report, "w") as file:
    json.dump({"cpu": time.process_time(), "before": first[0] if first else None, "modules": len(names),
               "ours": sum(name.split(".")[0] in ("cli", "tradingagents") for name in names)}, file)
"""


def measured(command: tuple[str, ...]) -> dict[str, Any]:
    """Run a command once and `RUNS` times more; return the figures of the run that took the least time."""
    runs = [_once(command) for _ in range(RUNS + 1)][1:]
    return min(runs, key=lambda one: float(one["cpu"]))


def _once(command: tuple[str, ...]) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder) / "report.json"
        home = () if command[-1] == "--help" else ("--home", folder, "--quiet")
        arguments = [sys.executable, "-c", _PROBE, str(report), *command, *home]
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        found: dict[str, Any] = json.loads(report.read_text())
        return found


def main() -> None:
    """Measure every command and print a table, or with `--json` one object a line."""
    parser = argparse.ArgumentParser(description="What starting a command costs.")
    parser.add_argument("--json", action="store_true", help="print one JSON object a line")
    as_json = parser.parse_args().json
    if not as_json:
        print("| command | cpu | before the run | modules | of these ours |\n|---|--:|--:|--:|--:|")
    for command in COMMANDS:
        one, name = measured(command), " ".join(command)
        if as_json:
            print(json.dumps({"command": name, **one}), flush=True)
            continue
        before = "" if one["before"] is None else f"{one['before']:.2f} s"
        print(f"| `{name}` | {one['cpu']:.2f} s | {before} | {one['modules']} | {one['ours']} |", flush=True)


if __name__ == "__main__":
    main()
