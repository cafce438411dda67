"""Errors and calls of the setting `settle` through the real graph, with scripted models of known shares of actions.

    python -m benchmarks.settling_runs FILE [RUNS]

makes up to RUNS (2,000) runs of each row, appends each to FILE, one JSON object a line, and prints the table. A later
start goes on where an earlier one was ended; what a run draws depends on its row and number alone. The rows take
turns, so that any portion tells of all.

A row's models have three agents that decide. Where the action is settled, each gives it with a chance of 95 in 100, and
the run is wrong if it ends as unsettled. Where it is not, the last one alone is in doubt, which is what is most easily
called settled, and the run is wrong if it ends as settled. Calls are those of the agents in doubt; the fewest are those
of the best sequential test with the errors that are stated, once for each of these agents.
"""

from __future__ import annotations

import asyncio
import json
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from langchain_core.messages import BaseMessage

from benchmarks.settling import ACTIONS, ALLOWED, CLEAR, FLAT, MOST, Shares, exact, fewest_asks
from tests.support.graph_factory import COMPANY, DAY, DECIDERS, scripted, sound_verdict, trading_graph
from tradingagents.llm_clients.scripted import Reply

SMALL: Mapping[str, Any] = {"analysts": ("market",), "max_debate_rounds": 0, "max_risk_discuss_rounds": 0}
"""Only what is needed for three decisions: the setting asks again no one else."""
SEED = 42
HIGHEST_ERROR = 0.06
HIGHEST_RATIO = 1.3


class Row(NamedTuple):
    """A kind of model."""

    name: str
    shares: Shares
    in_doubt: tuple[str, ...]
    """Agents whose answers have these shares; the others give one action."""
    right: str
    """How their asks have to end."""


ROWS = (
    Row("settled, two actions", CLEAR[0], DECIDERS, "settled"),
    Row("settled, three actions", CLEAR[1], DECIDERS, "settled"),
    Row("unsettled, two actions", FLAT, DECIDERS[-1:], "unsettled"),
    Row("unsettled, three actions", (0.5, 0.25, 0.25), DECIDERS[-1:], "unsettled"),
)


async def one_run(row: Row, place: int, number: int, home: str) -> dict[str, Any]:
    """Run the graph; return how the asks of the agents in doubt ended, and how many there were.

    Args:
        row: What the models answer.
        place: Of the row, for its draws.
        number: Of the run, for its draws.
        home: Folder of the run.
    """
    answers = {agent: _drawing(row.shares, (SEED, place, number, DECIDERS.index(agent))) for agent in row.in_doubt}
    graph = trading_graph(scripted(answers), **SMALL, settle=True, ask_report_company=False, home=home)
    record = (await graph.arun(COMPANY, DAY)).record
    asked = [one for one in record.settling if one.agent in row.in_doubt]
    verdicts = [one.verdict for one in asked]
    action = record.decision.action if record.decision else None
    ended = "unsettled" if "unsettled" in verdicts else "settled"
    if (ended == "unsettled") != (action == "NO_DECISION"):
        raise AssertionError(f"{row.name}, run {number}: asks ended {verdicts}, the run as {action}")
    return {
        "row": row.name,
        "number": number,
        "right": ended == row.right and (ended == "unsettled" or action == ACTIONS[0]),
        "asks": [one.asks for one in asked],
        "verdicts": verdicts,
    }


def _drawing(shares: Shares, seed: Sequence[int]) -> Callable[[Sequence[BaseMessage], tuple[str, ...]], Reply]:
    random = np.random.default_rng(seed)

    def answer(messages: Sequence[BaseMessage], _tools: tuple[str, ...]) -> Reply:
        return sound_verdict(messages, action=str(random.choice(ACTIONS, p=shares)))

    return answer


def made(file: Path) -> list[dict[str, Any]]:
    """Return the runs in a file; what a kill left of a line is none."""
    lines = file.read_text("utf-8").splitlines(keepends=True) if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("}\n")]


def go_on(file: Path, runs: int) -> None:
    """Make the runs that a file lacks, and append each.

    Args:
        file: Of the runs.
        runs: How many of each row there are to be.
    """
    found = made(file)
    file.write_text("".join(f"{json.dumps(run)}\n" for run in found), "utf-8")
    done = {(run["row"], run["number"]) for run in found}
    with file.open("a", encoding="utf-8", buffering=1) as out:
        for number in range(runs):
            for place, row in enumerate(ROWS):
                if (row.name, number) not in done:
                    with tempfile.TemporaryDirectory() as home:
                        out.write(f"{json.dumps(asyncio.run(one_run(row, place, number, home)))}\n")


def table(runs: Sequence[Mapping[str, Any]]) -> tuple[str, bool]:
    """Return the table, and whether every row is within the highest error and the highest ratio.

    A run's asks count for the agents that were asked until an end; those after an unsettled one are asked once.
    """
    lines = [
        "| models | runs | wrong | asks of an agent | expected | fewest | ratio |",
        "|---|---|---|---|---|---|---|",
    ]
    good = True
    for row in ROWS:
        own = [run for run in runs if run["row"] == row.name]
        if not own:
            continue
        asks = [
            count
            for run in own
            for count, verdict in zip(run["asks"], run["verdicts"], strict=True)
            if verdict != "asked_once"
        ]
        wrong, mean = sum(not run["right"] for run in own) / len(own), sum(asks) / len(asks)
        fewest = fewest_asks(row.shares, MOST, *ALLOWED)
        good = good and wrong <= HIGHEST_ERROR and mean <= HIGHEST_RATIO * fewest
        lines.append(
            f"| {row.name} | {len(own)} | {wrong:.1%} | {mean:.2f} | {exact(row.shares)[1]:.2f} | {fewest:.2f} "
            f"| {mean / fewest:.2f} |"
        )
    return "\n".join(lines), good


def main(file: str, runs: int = 2_000) -> int:
    """Go on with the runs and print their table; 1 where a row is not within the limits."""
    go_on(Path(file), runs)
    text, good = table(made(Path(file)))
    print(text)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], *map(int, sys.argv[2:])))
