"""The golden set: what the product answered before its modules moved, to be answered byte for byte after.

    make golden                                   all of it; says which artifact of which case differs
    make golden CASES="debate kill"               cases whose names begin so
    make golden KEEP=/dev/shm/after               also writes the normalised artifacts there
    make golden UPDATE=1                          takes what is answered now as right; read `git diff` of digests.txt

It uses the product as a user does: `python -m tradingagents` in forked processes (processes.py), so that it holds
whatever moves inside. What is compared and what is left out stands in artifacts.py; the cases in cases.py; what is
right in digests.txt, one line an artifact: digests, since recorded data are not ours to publish.

To see what changed in an artifact, have both versions written and compared; each difference ends with what HOW says.
Cases on recorded data are left out where TRADINGAGENTS_TEST_DATA (default: ../shared) holds none.
"""

from __future__ import annotations

import argparse
import difflib
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from tests.golden_set.artifacts import Artifacts, Normaliser, digest, of_home, of_output
from tests.golden_set.cases import CASES, IMPORTED, RESUMED, Case
from tests.golden_set.processes import KILLED, Ended, ended, import_what_they_import, open_environment, start
from tests.golden_set.prompts import of_requests

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
DIGESTS = HERE / "digests.txt"
DATA = Path(os.environ.get("TRADINGAGENTS_TEST_DATA") or ROOT.parent / "shared")
HOW = """To see how, have the artifacts of both versions written and compared, here of {case}:
    git worktree add /dev/shm/before $(git log -1 --format=%h -- {digests})
    (cd /dev/shm/before && {python} -m tests.golden_set.run --keep /dev/shm/a {case})
    {python} -m tests.golden_set.run --keep /dev/shm/b {case}
    {python} -m tests.golden_set.run --diff /dev/shm/a /dev/shm/b"""
SAME_DIGITS = {"OPENBLAS_CORETYPE": "Haswell", "NPY_DISABLE_CPU_FEATURES": "X86_V4 AVX512_ICL AVX512_SPR"}
"""Kernels that exist on every processor with AVX2: others sum in another order, and the last digits differ."""
SHOWN = 40
"""Differences told at most."""


@dataclass
class Running:
    """A case at work: the command it is at, and how those before ended."""

    case: Case
    home: Path
    pid: int = 0
    ends: list[Ended] = field(default_factory=list)

    @property
    def place(self) -> Path:
        """Folder of the streams of the present command."""
        return self.home.parent / f"command{len(self.ends)}"

    def start_next(self) -> bool:
        """Start the next command, if there is one left."""
        if len(self.ends) == len(self.case.commands):
            return False
        command = self.case.command(len(self.ends), self.home, DATA, self.ends)
        self.pid = start(command, self.place)
        return True

    def note_end(self, status: int, processor: float) -> None:
        """Take note of how the present command ended."""
        self.ends.append(ended(status, processor, self.place))

    def artifacts(self, days: Sequence[str]) -> Artifacts:
        """Return what the case is compared by."""
        places = {
            str(self.home): "<home>",
            str(self.home.parent): "<folder>",
            str(DATA): "<data>",
            str(ROOT): "<checkout>",
        }
        places |= {end.url: "<model>" for end in self.ends if end.url}
        normal = Normaliser(places, days)
        normal.learn(self.home)
        found: Artifacts = {}
        for number, end in enumerate(self.ends, start=1):
            command = self.case.commands[number - 1]
            if command.kill_at:
                found["killed"] = str(end.code == KILLED)
                continue
            found[f"{number}.exit"] = str(end.code) if end.code >= 0 else f"{end.code}\n{end.err}"
            found |= of_output(f"{number}.stdout", end.out, normal)
            found |= of_requests(end.requests, normal)
        found |= of_home(self.home, normal)
        return self.case.kept(found)


def run_all(
    cases: Sequence[Case], folder: Path, workers: int, *, times: bool, kept_in: Path | None
) -> dict[str, Artifacts]:
    """Run cases, so many at a time, and return their artifacts by name; also write them, each case as it ends."""
    waiting = list(reversed(cases))
    working: dict[int, Running] = {}
    found: dict[str, Artifacts] = {}
    days = {_today()}
    try:
        while waiting or working:
            while waiting and len(working) < workers:
                case = waiting.pop()
                running = Running(case, folder / case.name / "home")
                running.home.mkdir(parents=True)
                running.start_next()
                working[running.pid] = running
            pid, status, usage = os.wait3(0)
            running = working.pop(pid)
            running.note_end(status, usage.ru_utime + usage.ru_stime)
            if running.start_next():
                working[running.pid] = running
                continue
            days.add(_today())
            found[running.case.name] = running.artifacts(sorted(days))
            if kept_in:
                keep(running.case.name, found[running.case.name], kept_in)
            if times:
                print(f"{sum(end.processor for end in running.ends):6.1f} s  {running.case.name}", flush=True)
            shutil.rmtree(folder / running.case.name)
    finally:
        for pid in working:
            os.kill(pid, signal.SIGKILL)
    return found


def _today() -> str:
    return f"{datetime.now(UTC):%Y-%m-%d}"


def read_digests() -> dict[str, dict[str, str]]:
    """Return the digests that are right, by case and artifact."""
    found: dict[str, dict[str, str]] = {}
    for line in DIGESTS.read_text("utf-8").splitlines() if DIGESTS.is_file() else ():
        number, case, artifact = line.split(" ", 2)
        found.setdefault(case, {})[artifact] = number
    return found


def write_digests(digests: dict[str, dict[str, str]]) -> None:
    """Write digests, one line an artifact."""
    lines = [
        f"{number} {case} {artifact}\n"
        for case, artifacts in sorted(digests.items())
        for artifact, number in sorted(artifacts.items())
    ]
    DIGESTS.write_text("".join(lines), "utf-8")


def differences(cases: Sequence[Case], found: dict[str, Artifacts]) -> list[str]:
    """Return a line for each artifact that is not as it should be."""
    right, lines = read_digests(), []
    for case in cases:
        is_right, now = right.get(case.like or case.name, {}), found[case.name]
        if case.like:
            is_right = {name: number for name, number in is_right.items() if name.startswith(RESUMED)}
            is_right["killed"] = digest("True")
        else:  # said once: they are the same artifacts, without the number of calls
            is_right, now = _but_resumed(is_right), _but_resumed(now)
        for name in sorted(is_right.keys() | now.keys()):
            if name not in now:
                lines.append(f"{case.name}: {name} is gone")
            elif name not in is_right:
                lines.append(f"{case.name}: {name} is new")
            elif digest(now[name]) != is_right[name]:
                lines.append(f"{case.name}: {name} differs" + _of_what(case, name, now[name]))
    return lines


def _but_resumed(artifacts: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in artifacts.items() if not name.startswith(RESUMED)}


def _of_what(case: Case, name: str, text: str) -> str:
    if name == "killed":
        return f": the command never printed {case.commands[0].kill_at!r}, so it was not killed"
    return f": {text.strip()[-300:]}" if name.endswith(".exit") else ""


def keep(case: str, artifacts: Artifacts, folder: Path) -> None:
    """Write the artifacts of a case to a folder, one file each."""
    for name, text in artifacts.items():
        path = folder / case / name.replace("<", "").replace(">", "")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


def print_diff(before: Path, after: Path) -> int:
    """Print how the artifacts of two folders differ; return 1 if they do."""
    names = {path.relative_to(folder) for folder in (before, after) for path in folder.rglob("*") if path.is_file()}
    differ = 0
    for name in sorted(names):
        texts = [(folder / name).read_text("utf-8") if (folder / name).is_file() else "" for folder in (before, after)]
        if texts[0] != texts[1]:
            differ = 1
            was, now = (text.splitlines() for text in texts)
            print("\n".join(difflib.unified_diff(was, now, f"{before}/{name}", f"{after}/{name}", n=2, lineterm="")))
    return differ


def chosen(beginnings: Sequence[str], simulated: bool) -> list[Case]:
    """Return the cases whose names begin so; without recorded data, those that need none."""
    recorded = (DATA / "snapshot" / "snapshot.json").is_file() and not simulated
    if not recorded and not simulated:
        print(f"golden set: no recorded data at {DATA}; the cases on them are left out", file=sys.stderr)
    return [
        case
        for case in CASES
        if (recorded or not case.recorded) and (not beginnings or case.name.startswith(tuple(beginnings)))
    ]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the golden set; return 1 if something differs."""
    parser = argparse.ArgumentParser(description="Compare what the product answers with the golden set.")
    parser.add_argument("cases", nargs="*", help="beginnings of names of cases; all without one")
    parser.add_argument("--update", action="store_true", help="take what is answered now as right")
    parser.add_argument("--keep", type=Path, help="write the normalised artifacts to this folder")
    parser.add_argument("--diff", type=Path, nargs=2, help="compare two such folders, and run nothing")
    parser.add_argument("--simulated", action="store_true", help="only the cases that need no recorded data")
    parser.add_argument("--shuffle", type=int, help="run the cases in the order of this seed")
    parser.add_argument("--times", action="store_true", help="print the processor time of each case as it ends")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="cases at a time")
    given = parser.parse_args(arguments)
    if given.diff:
        return print_diff(*given.diff)
    cases, begun = chosen(given.cases, given.simulated), time.monotonic()
    if given.shuffle is not None:
        random.Random(given.shuffle).shuffle(cases)  # noqa: S311 - an order
    signal.signal(signal.SIGINT, signal.default_int_handler)
    # No TemporaryDirectory: each forked process would remove it as it ends.
    folder = Path(tempfile.mkdtemp(dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)).resolve()  # noqa: S108
    try:
        open_environment(folder)
        import_what_they_import(IMPORTED, folder / "first")
        found = run_all(cases, folder, given.workers, times=given.times, kept_in=given.keep)
    finally:
        shutil.rmtree(folder)
    if given.update:
        update = {
            name: {artifact: digest(text) for artifact, text in artifacts.items()}
            for name, artifacts in found.items()
            if not next(case for case in cases if case.name == name).like
        }
        write_digests(
            {name: row for name, row in read_digests().items() if name in {case.name for case in CASES}} | update
        )
    return report(cases, found, time.monotonic() - begun)


def report(cases: Sequence[Case], found: dict[str, Artifacts], seconds: float) -> int:
    """Say what differs and how to see it; return 1 if something does."""
    lines = differences(cases, found)
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    own = resource.getrusage(resource.RUSAGE_SELF)
    processor = usage.ru_utime + usage.ru_stime + own.ru_utime + own.ru_stime
    count = sum(map(len, found.values()))
    for line in lines[:SHOWN]:
        print(line)
    if len(lines) > SHOWN:
        print(f"… and {len(lines) - SHOWN} more")
    print(
        f"golden set: {len(cases)} cases, {count} artifacts, {len(lines)} differ; "
        f"{seconds:.0f} s, processor {processor:.0f} s"
    )
    if lines:
        case = lines[0].partition(":")[0]
        print(HOW.format(case=case, digests=DIGESTS.relative_to(ROOT), python=sys.executable))
    return int(bool(lines))


if __name__ == "__main__":
    if not SAME_DIGITS.items() <= os.environ.items():  # they are read when numpy is imported, as it is by now
        os.execve(sys.executable, sys.orig_argv, {**os.environ, **SAME_DIGITS})  # noqa: S606
    sys.exit(main())
