"""How many planted faults the audit of a backtest finds and names, and how many faultless backtests alarm it.

    python -m benchmarks.backtest_audit                  # every planted fault, and forty faultless backtests
    python -m benchmarks.backtest_audit --every 10       # every tenth of both

The faults are those of `tests/backtest/audit`; each runs a backtest with one mistake in it and audits the result.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from tests.backtest.audit.made_backtests import clean
from tests.backtest.audit.planted import PLANTED
from tests.backtest.audit.second_set import SECOND
from tests.backtest.audit.third_set import THIRD

CLEAN = 40


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--every", type=int, default=1, help="One in how many faults and backtests.")
    every = parser.parse_args().every
    began = time.process_time()
    for title, faults in (("Planted faults", PLANTED), ("Second set", SECOND), ("Third set", THIRD)):
        chosen, named, found = faults[::every], 0, 0
        print(f"{title}\n{'':4} {'fault':74} {'named':6} found")
        for number, fault in enumerate(chosen, start=1):
            with tempfile.TemporaryDirectory() as home:
                report = fault.audit(Path(home))
            right = fault.named(report)
            named, found = named + right, found + bool(report.kinds)
            print(
                f"{number:4} {fault.name:74} {'yes' if right else 'NO':6} {', '.join(sorted(report.kinds))}", flush=True
            )
        print(f"{named} of {len(chosen)} named rightly, {found} found\n")
    alarms = 0
    for number in range(0, CLEAN, every):
        with tempfile.TemporaryDirectory() as home:
            report = clean(Path(home), number).audited("accounts", "data")
        if report.kinds:
            print(f"faultless backtest {number}: {', '.join(sorted(report.kinds))}")
        alarms += bool(report.kinds)
    print(f"{alarms} alarms on {len(range(0, CLEAN, every))} faultless backtests; "
          f"{time.process_time() - began:.0f} s of processor time")  # fmt: skip


if __name__ == "__main__":
    main()
