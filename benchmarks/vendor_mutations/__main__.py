"""Runs the cases, keeps each outcome in a file, and writes the table of the documentation; see the package.

`python -m benchmarks.vendor_mutations --cases 5000 --workers 2 --results DIR [--write]`
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.vendor_mutations.cases import FULL, Cases
from benchmarks.vendor_mutations.judging import OUTCOMES
from benchmarks.vendor_mutations.kinds import KINDS
from benchmarks.vendor_mutations.worlds import every_world

SHARED = Path(os.environ.get("TRADINGAGENTS_TEST_DATA") or Path(__file__).parents[3] / "shared")
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "vendor-drift.md"
KNOWN_WRONG = Path(__file__).with_name("known_wrong.json")
"""The seeds that the page counts as silently wrong: another one that is wrong has risen above it."""
LATER = 540
"""Cases of the methods that were added later, after the others."""
MARK = ("<!-- table of benchmarks.vendor_mutations -->", "<!-- end of the table -->")
Row = Mapping[str, Any]


def run(seeds: Sequence[int], results: Path, *, is_alone: bool = False) -> None:
    """Run some cases in this process; outcomes are appended to a file as they come.

    Args:
        seeds: The cases.
        results: The file.
        is_alone: Whether Yahoo's statements are held against no filings, as where `EDGAR_IDENTITY` is not set.
    """
    warnings.simplefilter("ignore")  # of the vendors' libraries, thousands of lines
    worlds = every_world(SHARED)
    if is_alone:
        worlds = tuple(world if world.filed is None else replace(world, filed=None, environ={}) for world in worlds)
    with tempfile.TemporaryDirectory() as home:
        cases = Cases(worlds, Path(home))
        with results.open("a", encoding="utf-8") as file:
            for seed in seeds:
                case = cases.run(seed)
                row = {
                    "seed": seed,
                    "kind": case.kind,
                    "variant": case.changed.variant,
                    "world": case.world,
                    "vendor": case.vendor,
                    "before": case.asked_before,
                    "hides": case.changed.hides,
                    "outcome": case.verdict.outcome,
                    "line": case.line,
                }
                file.write(json.dumps(row) + "\n")
                file.flush()
        cases.close()


def read(folder: Path) -> list[Row]:
    """Return the outcomes in a folder, each seed once, by seed."""
    found: dict[int, Row] = {}
    for file in sorted(folder.glob("*.jsonl")):
        for line in file.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            found[row["seed"]] = row
    return [found[seed] for seed in sorted(found)]


def table(rows: Sequence[Row], by: str, names: Sequence[str]) -> Iterator[str]:
    """Yield a table of outcomes, a line for each kind or vendor."""
    yield f"| {by} | cases | {' | '.join(OUTCOMES)} |"
    yield f"|---|{'---|' * (len(OUTCOMES) + 1)}"
    for name in names:
        yield _line(name, [row for row in rows if row[by] == name])
    yield _line("all", rows)


def _line(name: str, rows: Sequence[Row]) -> str:
    counted = Counter(row["outcome"] for row in rows)
    return f"| {name} | {len(rows)} | {' | '.join(str(counted[outcome]) for outcome in OUTCOMES)} |"


def is_wrong(row: Row) -> bool:
    """Return whether a case is silently wrong."""
    return bool(row["outcome"] == "silently wrong")


def known_wrong() -> frozenset[int]:
    """Return the seeds of the cases that the page counts as silently wrong."""
    return frozenset(json.loads(KNOWN_WRONG.read_text(encoding="utf-8")))


def risen(rows: Iterable[Row]) -> list[Row]:
    """Return the cases that crash, or are silently wrong and not among those that the page counts."""
    known = known_wrong()
    return [row for row in rows if row["outcome"] == "crash" or (is_wrong(row) and row["seed"] not in known)]


def is_undetectable(row: Row) -> bool:
    """Return whether nothing that one vendor gave shows a case: not its answer, and nothing of it is stored."""
    return is_wrong(row) and bool(row["hides"]) and not row["before"]


def report(rows: Sequence[Row]) -> str:
    """Return what the page says of the outcomes."""
    rows, later = [row for row in rows if row["seed"] < FULL], [row for row in rows if row["seed"] >= FULL]
    first, again = [row for row in rows if not row["before"]], [row for row in rows if row["before"]]
    said = (
        f"{len(rows):,} of {FULL:,} cases were run. None was set aside: readers were improved after looking at those "
        "that were silently wrong in the run before."
    )
    parts = [
        said,
        "",
        "| question | cases | silently wrong | of these not detectable with one vendor |",
        "|---|---|---|---|",
        *(_shares(name, some) for name, some in (("first", first), ("asked the day before", again), ("all", rows))),
        "",
        "First questions, for which nothing is stored:",
        "",
        *table(first, "kind", list(KINDS)),
        "",
        "Questions of which the vendor's answer of the day before is stored:",
        "",
        *table(again, "kind", list(KINDS)),
        "",
        "By vendor, both together:",
        "",
        *table(rows, "vendor", sorted({row["vendor"] for row in rows})),
        "",
        *_most_often("first questions", first),
        "",
        *_most_often("questions of the day before", again),
        "",
        f"{len(later)} further cases, of methods that none of the others asks, by world:",
        "",
        *table(later, "world", sorted({row["world"] for row in later})),
        "",
        *_most_often("these", later),
    ]
    return "\n".join(parts)


def _shares(name: str, rows: Sequence[Row]) -> str:
    wrong, unseen = sum(map(is_wrong, rows)), sum(map(is_undetectable, rows))
    return f"| {name} | {len(rows)} | {wrong} ({wrong / max(1, len(rows)):.1%}) | {unseen} |"


def _most_often(name: str, rows: Sequence[Row]) -> Iterator[str]:
    """Yield what is silently wrong most often, by kind, form and vendor."""
    wrong = Counter(f"{row['kind']}, {row['variant']}, {row['vendor']}" for row in rows if is_wrong(row))
    yield f"What is silently wrong most often, of {name}:"
    yield ""
    yield from (f"- {what}: {count}" for what, count in wrong.most_common(8))


def main() -> None:
    """Run what is asked for, and print or write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=FULL + LATER)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--results", type=Path, required=True)
    parser.add_argument("--alone", action="store_true", help="Hold Yahoo's statements against no filings.")
    parser.add_argument("--write", action="store_true", help="Write the table into the page.")
    given = parser.parse_args()
    given.results.mkdir(parents=True, exist_ok=True)
    began, done = time.monotonic(), {row["seed"] for row in read(given.results)}
    left = [seed for seed in range(given.first, given.first + given.cases) if seed not in done]
    with ProcessPoolExecutor(given.workers) as pool:
        parts = [left[number :: given.workers] for number in range(given.workers)]
        files = [given.results / f"{given.first}-{number}-{os.getpid()}.jsonl" for number in range(given.workers)]
        ask = partial(run, is_alone=given.alone)
        list(pool.map(ask, [part for part in parts if part], files))
    rows = read(given.results)
    text = report(rows)
    print(text)
    print(f"{len(left)} cases in {time.monotonic() - began:.0f} s", file=sys.stderr)
    if given.write:
        page = PAGE.read_text(encoding="utf-8")
        head, tail = page.partition(MARK[0])[0], page.partition(MARK[1])[2]
        PAGE.write_text(f"{head}{MARK[0]}\n\n{text}\n\n{MARK[1]}{tail}", encoding="utf-8")
        seeds = json.dumps([row["seed"] for row in rows if is_wrong(row)])
        KNOWN_WRONG.write_text(f"{seeds}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
