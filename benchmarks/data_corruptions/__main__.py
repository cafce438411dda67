"""Runs the cases and prints what became of them; see the package."""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.data_corruptions.cases import KINDS, Cases, Outcome

FOLDER = Path(os.environ.get("TRADINGAGENTS_TEST_DATA") or Path(__file__).parents[3] / "shared") / "snapshot"


@dataclass(frozen=True)
class Line:
    """A line of the table."""

    name: str
    cases: int
    wrong: int
    only_cells: int
    silent: int
    crashed: int
    noticed: int

    @property
    def text(self) -> str:
        """The line as Markdown."""
        numbers = (self.cases, self.wrong, self.only_cells, self.silent, self.crashed, self.noticed)
        return f"| {self.name} | {' | '.join(map(str, numbers))} |"


HEADER = (
    "| kind | cases | silently wrong | of these in tables only | absent silently | crashed | noticed |\n"
    "|---|---|---|---|---|---|---|"
)


def line(name: str, outcomes: Sequence[Outcome]) -> Line:
    """Count outcomes."""
    return Line(
        name,
        len(outcomes),
        sum(1 for one in outcomes if one.verdict.wrong),
        sum(1 for one in outcomes if one.verdict.wrong and all(finding.is_cell for finding in one.verdict.wrong)),
        sum(1 for one in outcomes if one.verdict.silent),
        sum(1 for one in outcomes if one.verdict.crashes),
        sum(1 for one in outcomes if one.verdict.reasons),
    )


def report(outcomes: Sequence[Outcome], *, variants: bool) -> Iterator[str]:
    """Yield the lines of the report."""
    yield HEADER
    by_kind: dict[str, list[Outcome]] = {}
    for one in outcomes:
        by_kind.setdefault(one.kind, []).append(one)
    for kind, some in by_kind.items():
        yield line(kind, some).text
        if variants:
            for variant in sorted({one.variant for one in some}):
                yield line(f"{kind}: {variant}", [one for one in some if one.variant == variant]).text
    yield line("all", outcomes).text
    for kind, some in by_kind.items():
        yield f"\n## {kind}\n\n{KINDS[kind].source}\n"
        yield from _examples(some)


def _examples(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield which figures are wrong most often, and an example of each outcome."""
    some = list(outcomes)
    often = Counter(f"{f.question}/{f.figure}" for one in some for f in one.verdict.wrong if not f.is_cell)
    if often:
        yield f"* Wrong most often: {', '.join(f'{name} {count}' for name, count in often.most_common(8))}."
    wrong = [one for one in some if one.verdict.wrong]
    for one in sorted(wrong, key=lambda one: all(f.is_cell for f in one.verdict.wrong))[:2]:
        finding = sorted(one.verdict.wrong, key=lambda f: f.is_cell)[0]
        yield f"* Wrong: seed {one.seed}, {one.day}, {one.what} ({one.variant}): {finding.text}."
    for one in [one for one in some if one.verdict.silent][:1]:
        absent = one.verdict.silent[0].text
        yield f"* Absent silently: seed {one.seed}, {one.day}, {one.what} ({one.variant}): {absent}."
    for one in [one for one in some if one.verdict.crashes][:2]:
        yield f"* Crashed: seed {one.seed}, {one.day}, {one.what} ({one.variant}): {one.verdict.crashes[0]}."
    for one in [one for one in some if one.verdict.reasons][:1]:
        yield f"* Noticed: seed {one.seed}, {one.day}: {one.verdict.reasons[0][:300]}"


def as_json(one: Outcome) -> Mapping[str, Any]:
    """Return an outcome with its findings."""
    verdict = one.verdict
    return {
        "kind": one.kind,
        "seed": one.seed,
        "variant": one.variant,
        "day": one.day.isoformat(),
        "what": one.what,
        "wrong": [finding.text for finding in verdict.wrong],
        "absent_silently": [finding.text for finding in verdict.silent],
        "crashes": list(verdict.crashes),
        "reasons": list(verdict.reasons),
        "absent_with_reason": verdict.absent,
        "allowed": verdict.allowed,
    }


def main() -> None:
    """Run the cases that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.data_corruptions", description=__doc__)
    parser.add_argument("--kinds", default="", help="names, separated by commas; all without it")
    parser.add_argument("--seeds", type=int, default=100, help="how many of each kind")
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--case", type=int, help="this seed only, with all its findings")
    parser.add_argument("--sampled", type=int, default=10, help="of how many seeds one makes a trading run too")
    parser.add_argument("--data", type=Path, default=FOLDER, help="the recorded market")
    parser.add_argument("--out", type=Path, help="where the report goes, and beside it the findings as JSON lines")
    parser.add_argument("--variants", action="store_true", help="count each variant too")
    given = parser.parse_args()
    kinds = [name for name in given.kinds.split(",") if name] or list(KINDS)
    seeds = [given.case] if given.case is not None else range(given.first, given.first + given.seeds)
    began, outcomes = time.monotonic(), []
    with tempfile.TemporaryDirectory() as home:
        cases = Cases(given.data, Path(home), sampled=1 if given.case is not None else given.sampled)
        for kind in kinds:
            outcomes += [cases.run(kind, seed) for seed in seeds]
            print(line(kind, [one for one in outcomes if one.kind == kind]).text, flush=True)
    text = "\n".join(report(outcomes, variants=given.variants))
    print(text)
    print(f"\n{len(outcomes)} cases in {time.monotonic() - began:.0f} s")
    if given.case is not None:
        print(json.dumps([as_json(one) for one in outcomes], indent=1))
    if given.out:
        given.out.write_text(text + "\n", encoding="utf-8")
        lines = "".join(json.dumps(as_json(one)) + "\n" for one in outcomes)
        given.out.with_suffix(".jsonl").write_text(lines, encoding="utf-8")


if __name__ == "__main__":
    main()
