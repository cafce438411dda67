"""Errors planted in other people's reports: how many `check` finds and names rightly, and how often it is wrong.

    python -m benchmarks.check [--data DIR] [--errors N]

Reports are generated from the simulated market, or with `--data` from a folder of recorded data, in the wording of the
houses in `benchmarks.reports.houses`, whose modules say when each was written. Each kind of error is planted until
there are N errors in all houses of a set together. Statements with earlier versions are made by restating a third.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

from benchmarks.reports.books import Books, with_restatements
from benchmarks.reports.house import House
from benchmarks.reports.houses import SETS
from benchmarks.reports.planting import KINDS, Planted
from benchmarks.reports.writer import MadeReport, reports
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.dataflows.vendors.simulated import SimulatedVendor
from tradingagents.dataflows.vendors.snapshot import SnapshotVendor
from tradingagents.features.report_check.capabilities.report_check import CheckedReportFigure, ReportCheck, check_report
from tradingagents.settings import load_settings

VERDICTS = {
    "value": "wrong_value",
    "period": "wrong_period",
    "scale": "wrong_unit",
    "company": "wrong_company",
    "restated": "restated",
}
FALSE = frozenset(VERDICTS.values())
RATE = 0.12
SEED = 20
SIMULATED = ("VELQ", "OMBZ", "CIRQZ", "TAQZ", "NODQ", "HELQ", "CURZ", "MEDQZ", "VITZ", "DRIQ", "HOMQ", "AERQ")
RECORDED = ("AAPL", "MSFT", "AMZN", "HON", "CAT", "CRM", "JNJ", "MCD", "SHW", "UNH", "V", "HD")


class _RestatingSimulated(SimulatedVendor):
    """The simulated market with restated statements."""

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        return with_restatements(super().get_statements(symbol, kind, freq), SEED)


class _RestatingSnapshot(SnapshotVendor):
    """A recorded market with restated statements."""

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        return with_restatements(super().get_statements(symbol, kind, freq), SEED)


@dataclass
class Score:
    """What became of the figures of some reports."""

    planted: Counter[str] = field(default_factory=Counter)
    named: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    sound: int = 0
    alarms: int = 0
    matched: int = 0
    misses: list[tuple[Planted, CheckedReportFigure | None]] = field(default_factory=list)

    def add(self, made: MadeReport, checked: ReportCheck) -> None:
        """Count one report."""
        for figure, found in aligned(made, checked):
            verdict = found.verdict if found is not None else "missed"
            if figure.error is None:
                self.sound += 1
                self.alarms += verdict in FALSE
                self.matched += verdict == "matches"
                if verdict != "matches":
                    self.misses.append((figure, found))
                continue
            self.planted[figure.error] += 1
            self.found[figure.error] += verdict in FALSE
            self.named[figure.error] += verdict == VERDICTS[figure.error]
            if verdict != VERDICTS[figure.error]:
                self.misses.append((figure, found))

    def join(self, other: Score) -> None:
        """Add another score."""
        for name in ("planted", "named", "found"):
            getattr(self, name).update(getattr(other, name))
        self.sound, self.alarms, self.matched = (
            self.sound + other.sound,
            self.alarms + other.alarms,
            self.matched + other.matched,
        )
        self.misses += other.misses

    def rates(self) -> tuple[float, float]:
        """Return the share of errors that were found and rightly named, and the share of sound figures flagged."""
        return sum(self.named.values()) / max(1, sum(self.planted.values())), self.alarms / max(1, self.sound)


def aligned(made: MadeReport, checked: ReportCheck) -> Iterator[tuple[Planted, CheckedReportFigure | None]]:
    """Pair the figures of a report with what was read of it, in order."""
    told, read = [_plain(one.text) for one in made.figures], [_plain(one.text) for one in checked.checked]
    pairs: dict[int, int] = {}
    for block in SequenceMatcher(None, told, read, autojunk=False).get_matching_blocks():
        pairs |= {block.a + at: block.b + at for at in range(block.size)}
    for at, figure in enumerate(made.figures):
        yield figure, checked.checked[pairs[at]] if at in pairs else None


def _plain(text: str) -> str:
    return "".join(char for char in text if char.isdigit() or char in ".-")


def market(folder: Path | None) -> tuple[MarketData, Sequence[Books]]:
    """Open a market with restated statements, and compute the books of its companies apart from the checker."""
    if folder is None:
        settings = load_settings({"data_vendor": "simulated"}, environ={})
        data = MarketData(settings, date(2025, 3, 14), vendors=Vendors(settings, {"simulated": _RestatingSimulated()}))
        return data, [Books(data, one) for one in SIMULATED]
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(folder)}, environ={})
    vendors = Vendors(settings, {"snapshot": _RestatingSnapshot(folder)})
    data = MarketData(settings, date(2025, 7, 24), vendors=vendors)
    return data, [Books(data, one) for one in RECORDED]


def measure(
    data: MarketData,
    books: Sequence[Books],
    *,
    house: House,
    errors: int,
    seed: int = SEED,
    most: int = 10_000,
    score: Score | None = None,
) -> Score:
    """Check reports of a house until each kind of error was planted so often; add to a score."""
    score = score if score is not None else Score()
    before = Counter(score.planted)
    number = sum(map(ord, house.name))
    for one in reports(books, seed=1000 * seed + number, count=most, paragraphs=24, house=house, rate=RATE):
        score.add(one, check_report.answer(data, "", one.text))
        if all(score.planted[kind] - before[kind] >= errors for kind in KINDS):
            break
    return score


def table(score: Score) -> str:
    """Return a score as text."""
    named, alarms = score.rates()
    rows = [
        f"  {kind:<10} planted {score.planted[kind]:>5}  found {score.found[kind] / max(1, score.planted[kind]):7.2%}  "
        f"rightly named {score.named[kind] / max(1, score.planted[kind]):7.2%}"
        for kind in KINDS
    ]
    rows.append(
        f"  all        rightly named {named:.2%}; sound figures {score.sound}, matched "
        f"{score.matched / max(1, score.sound):.2%}, false alarms {alarms:.2%}"
    )
    return "\n".join(rows)


def thirty_pages(data: MarketData, books: Sequence[Books]) -> tuple[float, int]:
    """Return the seconds of processor time that a report of thirty pages of 3,000 characters takes, and its figures."""
    made = next(reports(books, seed=1, count=1, paragraphs=560, house=SETS["earlier"][0], rate=0.05))
    text = made.text[:90_000]
    began = time.process_time()
    checked = check_report.answer(data, "", text, page=True)
    return time.process_time() - began, len(checked.checked)


def main(arguments: Any = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path)
    parser.add_argument("--errors", type=int, default=1000)
    parser.add_argument("--sets", nargs="*", default=list(SETS), choices=list(SETS))
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument(
        "--misses", type=int, default=0, help="Figures to print that got another verdict than they should"
    )
    given = parser.parse_args(arguments)
    data, books = market(given.data)
    for name in given.sets:
        whole = Score()
        for house in SETS[name]:
            score = measure(
                data, books, house=house, errors=-(-given.errors // (len(SETS[name]) * len(KINDS))), seed=given.seed
            )
            named, alarms = score.rates()
            print(f"  {house.name}: rightly named {named:.2%}, false alarms {alarms:.2%}", flush=True)
            whole.join(score)
        print(f"set {name}\n{table(whole)}", flush=True)
        for figure, found in random.Random(1).sample(whole.misses, min(given.misses, len(whole.misses))):  # noqa: S311
            print(figure, "->", found)
    took, count = thirty_pages(data, books)
    print(f"a report of thirty pages with {count} figures: {took:.1f} s of processor time")


if __name__ == "__main__":
    main()
