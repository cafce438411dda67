"""Steps of `benchmarks.nightly` that are more than a command: clients of other makers, and changed answers."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

TOKEN = "nightly-0123456789abcdef"  # noqa: S105 - of a server that this script starts and ends
START = ("-m", "tradingagents", "serve", "--offline", "--port", "0", "--json")
MUTATED = 300
"""Answers of vendors that are changed; the whole set of thousands takes hours."""
FEWEST_TOOLS = 30
EXAMPLES = 5
"""Requests that schemathesis makes up for each route and phase."""


@contextmanager
def server(python: Path) -> Iterator[str]:
    """Start the server on the simulated market, in a home of its own; yield its address.

    Args:
        python: Of the environment that has our package; this one has the client's.
    """
    with tempfile.TemporaryDirectory() as home:
        environ = {**os.environ, "TRADINGAGENTS_SERVER_TOKEN": TOKEN, "TRADINGAGENTS_SERVER_RATE": "100000/second"}
        with subprocess.Popen(
            (python, *START, "--home", home), stdout=subprocess.PIPE, text=True, env=environ
        ) as process:
            try:
                line = process.stdout.readline() if process.stdout else ""
                yield json.loads(line)["address"].partition("#")[0].rstrip("/")
            finally:
                process.terminate()
                process.wait(30)


def inspector(folder: Path) -> None:
    """List the tools by the MCP Inspector's command line, over stdin and stdout."""
    programs = folder / "node_modules" / ".bin"
    environ = {**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}
    command = (
        "mcp-inspector",
        "--cli",
        sys.executable,
        "-m",
        "tradingagents",
        "mcp",
        "--offline",
        "--method",
        "tools/list",
    )
    done = subprocess.run(command, env=environ, capture_output=True, text=True, check=False, timeout=240)
    print(done.stderr[-2000:], file=sys.stderr)
    tools = json.loads(done.stdout)["tools"]
    if len(tools) < FEWEST_TOOLS or any(tool["inputSchema"]["type"] != "object" for tool in tools):
        sys.exit(f"The Inspector lists {len(tools)} tools, or one without a schema.")
    print(f"{len(tools)} tools, as the Inspector lists them")


def openbb(python: Path) -> None:
    """Read what the assistant answers to OpenBB Workspace with the types of OpenBB's own package."""
    from openbb_ai.models import MessageChunkSSE, QueryRequest, StatusUpdateSSE
    from pydantic import TypeAdapter

    message = {"role": "human", "content": "What is the P/E ratio of VELQ?"}
    request = QueryRequest.model_validate({"messages": [message]})
    events = TypeAdapter(MessageChunkSSE | StatusUpdateSSE)
    seen: dict[str, int] = {}
    with server(python) as address:
        asked = urllib.request.Request(
            f"{address}/query",
            data=request.model_dump_json(exclude_none=True).encode(),
            headers={"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(asked, timeout=120) as answer:
            for block in re.split(r"\r?\n\r?\n", answer.read().decode()):
                fields = dict(line.split(": ", 1) for line in block.splitlines() if ": " in line)
                if "event" in fields:
                    found = events.validate_python({"event": fields["event"], "data": json.loads(fields["data"])})
                    seen[found.event] = seen.get(found.event, 0) + 1
    if not seen:
        sys.exit("No event came.")
    print(f"OpenBB's types read {seen}")


def schemathesis(python: Path) -> None:
    """Ask every route what its OpenAPI schema allows, and much that it does not; no answer may be a server's error."""
    with server(python) as address:
        command = (
            str(Path(sys.executable).with_name("schemathesis")),
            *("run", f"{address}/v1/openapi.json", "--header", f"Authorization: Bearer {TOKEN}"),
            *("--checks", "not_a_server_error", "--max-examples", str(EXAMPLES)),
            *("--phases", "fuzzing", "--workers", "2"),
            *("--request-timeout", "20", "--seed", "1", "--suppress-health-check", "all", "--no-color"),
            *("--exclude-path-regex", "events$|agui$|query$|messages$"),  # streams, which end with their work
        )
        done = subprocess.run(command, check=False)
    sys.exit(done.returncode)


def mutations(folder: Path) -> None:
    """Change answers of vendors, and fail where one more is silently wrong than the documentation counts.

    `known_wrong.json` lists the cases that docs/reference/vendor-drift.md counts; each night says how many it met.
    """
    from benchmarks.vendor_mutations import __main__ as vendor_mutations  # other steps run where our package is not

    shutil.rmtree(folder, ignore_errors=True)
    program = ("benchmarks.vendor_mutations", "--cases", str(MUTATED), "--workers", "2", "--results", str(folder))
    subprocess.run((sys.executable, "-m", *program), check=True)
    rows = vendor_mutations.read(folder)
    new = vendor_mutations.risen(rows)
    for row in new:
        print(row["line"])
    wrong = sum(map(vendor_mutations.is_wrong, rows))
    counted = sum(seed < MUTATED for seed in vendor_mutations.known_wrong())
    said = f"{wrong} silently wrong ({counted} in the documentation)"
    print(f"{len(rows)} changed answers, {said}, {len(new)} of them new or crashed")
    sys.exit(1 if new or len(rows) < MUTATED else 0)


if __name__ == "__main__":
    {"inspector": inspector, "openbb": openbb, "schemathesis": schemathesis, "mutations": mutations}[sys.argv[1]](
        *map(Path, sys.argv[2:])
    )
