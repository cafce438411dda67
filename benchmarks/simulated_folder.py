"""The simulated market of a few days as a recorded folder: the same bytes each time.

`python -m benchmarks.simulated_folder DIR --from 2025-03-10 --to 2025-03-14 [--seed 7]` asks the simulated vendor what
runs on these days ask about all of its companies and funds, and what a scan of each of the days asks, and writes the
answers as `tradingagents data record` does. It prints the size of each file. Runs on the folder decide as on the vendor
(`tests/snapshots/test_simulated_folder.py`); decision 41 says what a folder cannot answer.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from tradingagents.dataflows.cutoff import cutoff_for
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.dataflows.snapshots.journal import Settled, open_journal
from tradingagents.dataflows.snapshots.plan import CALENDAR_AHEAD, CALENDAR_BEFORE, Plan, Question, Request
from tradingagents.dataflows.snapshots.writing import write_folder
from tradingagents.dataflows.vendors.simulated import COMPANIES, SYMBOLS
from tradingagents.errors import NoData
from tradingagents.settings import Settings, load_settings

SEED = 7


def make_folder(folder: Path, first: date, last: date, seed: int = SEED) -> None:
    """Write the market of the runs on [first, last]; the data count as recorded when the last session closed."""
    settings = load_settings({"data_vendor": "simulated", "simulated_seed": seed}, environ={})
    request = Request.of(COMPANIES, first, last, universe=True)
    vendors = Vendors(settings)
    cutoff = cutoff_for(last, exchange="XNYS", now=sessions().known_after(last)).instant
    with TemporaryDirectory() as scratch:
        journal = open_journal(Path(scratch), {}, cutoff)
        for question in dict.fromkeys(questions(request, settings)):
            try:
                answer = vendors.answer("simulated", question.method, *question.args)
                journal.add(Settled(question, "answered", cutoff, "simulated", answer=answer))
            except NoData as error:
                journal.add(Settled(question, "nothing", cutoff, message=str(error)))
        write_folder(folder, journal, request)


def questions(request: Request, settings: Settings) -> Iterator[Question]:
    """Yield what runs and scans on the days of a request ask."""
    plan = plan_until(request.last, request, settings)
    for symbol in SYMBOLS:
        yield plan.prices(symbol)
        yield plan.profile(symbol)
        yield from plan.company(symbol)
        yield from plan.news("get_news", symbol)
        yield from plan.posts(symbol, ["simulated"])
    for company in COMPANIES.values():
        yield Question("get_peers", (company.symbol, company.sector))
    yield from plan.news("get_global_news")
    yield from plan.economy()
    for method in ("get_earnings_calendar", "get_economic_calendar"):
        yield Question(method, (request.first - CALENDAR_BEFORE, request.last + CALENDAR_AHEAD))
    for ahead in range((request.last - request.first).days + 1):
        scan = plan_until(request.first + timedelta(days=ahead), request, settings)
        yield from scan.screens()
        yield from scan.topics()


def plan_until(last: date, request: Request, settings: Settings) -> Plan:
    """Return what runs on the days of a request up to a day ask."""
    until = Request(request.tickers, request.first, last, request.universe)
    return Plan(until, settings, cutoff_for(last, exchange="XNYS", now=sessions().known_after(last)).instant)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--from", dest="first", type=date.fromisoformat, required=True)
    parser.add_argument("--to", dest="last", type=date.fromisoformat, required=True)
    parser.add_argument("--seed", type=int, default=SEED)
    given = parser.parse_args()
    make_folder(given.folder, given.first, given.last, given.seed)
    sizes = {path.name: path.stat().st_size for path in sorted(given.folder.iterdir())}
    for name, size in sizes.items():
        print(f"{name:24}{size:>12,}")
    print(f"{'all':24}{sum(sizes.values()):>12,}")


if __name__ == "__main__":
    main()
