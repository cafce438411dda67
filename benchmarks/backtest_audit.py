"""How many planted faults the audit of a backtest finds and names, and how many faultless backtests alarm it.

    python -m benchmarks.backtest_audit                              # all planted faults, forty faultless backtests
    python -m benchmarks.backtest_audit --data ../shared/snapshot    # forty on recorded data, too
    python -m benchmarks.backtest_audit --every 10                   # every tenth of all

The faults are those of `tests/features/backtest/audit`; each runs a backtest with one mistake in it and audits the
result. On recorded data the offline analysts decide, and one decision of each backtest is made again with tampered
futures.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from tests.features.backtest.audit.fourth_set import FOURTH
from tests.features.backtest.audit.made_backtests import clean
from tests.features.backtest.audit.planted import PLANTED, PlantedFault
from tests.features.backtest.audit.recorded import alarms_of, recorded_backtest
from tests.features.backtest.audit.second_set import SECOND
from tests.features.backtest.audit.third_set import THIRD
from tradingagents.features.backtest.audit.audit import PARTS

CLEAN = 40
SETS = (("Planted faults", PLANTED), ("Second set", SECOND), ("Third set", THIRD), ("Fourth set", FOURTH))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--every", type=int, default=1, help="One in how many faults and backtests.")
    parser.add_argument("--data", type=Path, help="A folder of recorded data.")
    given = parser.parse_args()
    began = time.process_time()
    for title, faults in SETS:
        find(title, faults[:: given.every])
    numbers = range(0, CLEAN, given.every)
    count_alarms("faultless backtests", numbers, alarms_of_made)
    if given.data is not None:
        count_alarms("faultless backtests on recorded data", numbers, partial(alarms_on_recorded, given.data))
    print(f"{time.process_time() - began:.0f} s of processor time")


def find(title: str, faults: list[PlantedFault]) -> None:
    """Audit planted faults, and print which are found and named."""
    named, found = 0, 0
    print(f"{title}\n{'':4} {'fault':74} {'named':6} found")
    for number, fault in enumerate(faults, start=1):
        with tempfile.TemporaryDirectory() as home:
            report = fault.audit(Path(home))
        right = fault.named(report)
        named, found = named + right, found + bool(report.kinds)
        print(f"{number:4} {fault.name:74} {'yes' if right else 'NO':6} {', '.join(sorted(report.kinds))}", flush=True)
    print(f"{named} of {len(faults)} named rightly, {found} found\n")


def alarms_of_made(home: Path, number: int) -> frozenset[str]:
    """Audit a faultless backtest on a made market."""
    return clean(home, number).audited("accounts", "data").kinds


def alarms_on_recorded(data: Path, home: Path, number: int) -> frozenset[str]:
    """Audit a faultless backtest on recorded data."""
    one = recorded_backtest(home, data, number)
    return alarms_of(one, one.audited(*PARTS, sample=1))


def count_alarms(what: str, numbers: range, alarms: Callable[[Path, int], frozenset[str]]) -> None:
    """Audit faultless backtests, and print those that raise an alarm."""
    alarmed = 0
    for number in numbers:
        with tempfile.TemporaryDirectory() as home:
            kinds = alarms(Path(home), number)
        if kinds:
            print(f"{what}, number {number}: {', '.join(sorted(kinds))}", flush=True)
        alarmed += bool(kinds)
    print(f"{alarmed} alarms on {len(numbers)} {what}", flush=True)


if __name__ == "__main__":
    main()
