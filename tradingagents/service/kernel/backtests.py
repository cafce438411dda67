"""Finished backtests of the home folder, for the capability `saved_backtests`."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from functools import partial
from pathlib import Path

from tradingagents.dataflows.results import Result
from tradingagents.errors import NotFound
from tradingagents.features.backtest.capabilities.backtests import FinishedBacktest, SavedBacktests
from tradingagents.files.atomic import UnreadableFile, read_object, unreadable
from tradingagents.files.regular_files import read_regular
from tradingagents.files.summary_index import SummaryIndex
from tradingagents.settings import Settings

FOLDER, INDEX = "backtests", "index.json"
MOST_LISTED = 100
WAY_OUT = "score the backtest again, which writes it anew"


def with_saved_backtests(result: Result, settings: Settings) -> Result:
    """Add the backtests that end on the day of the question or earlier, or the report of the one that is wanted.

    A list names the results that cannot be read.

    Raises:
        NotFound: There is no such backtest, or it ends later.
        UnreadableFile: The result of the one that is wanted is damaged.
    """
    if not isinstance(result, SavedBacktests):
        raise TypeError("backtests belong to a list of backtests")
    wanted = result.wanted
    found, damaged = dict[Path, FinishedBacktest](), list[str]()
    for folder, finished in _finished(settings.home_dir):
        if isinstance(finished, UnreadableFile):
            if wanted and folder.name.startswith(wanted):
                raise finished
            damaged.append(str(finished))
        elif finished.last_session <= result.as_of:
            found[folder] = finished
    if not wanted:
        listed = tuple(found.values())[:MOST_LISTED]
        return result.model_copy(update={"backtests": listed, "damaged": tuple(damaged)})
    for folder, summary in found.items():
        if summary.backtest.startswith(wanted):
            report = folder / "report.md"
            text = read_regular(report).decode("utf-8") if report.is_file() else summary.verdict
            page = folder / "report.html"
            files = (str(page),) if page.is_file() else ()
            return result.model_copy(update={"backtests": (summary,), "report": text, "files": files})
    raise NotFound(
        f"There is no backtest {wanted[:60]!r} that ends on {result.as_of} or earlier; list them without a name."
    )


def _finished(home: Path) -> Iterator[tuple[Path, FinishedBacktest | UnreadableFile]]:
    """Yield the finished backtests with their folders, the newest first; only new results are read whole.

    Yields:
        A folder, and its backtest, or why its result cannot be read.
    """
    written = [path for path in (home / FOLDER).glob("*/result.json") if path.is_file() and not path.is_symlink()]
    index = SummaryIndex(home, home / FOLDER / INDEX, FinishedBacktest)
    found = dict[Path, FinishedBacktest | UnreadableFile | None]()
    for path in written:
        try:
            found[path] = index.get(path.parent.name, (path,), partial(_in_short, path))
        except UnreadableFile as error:
            found[path] = error
    index.save()
    for path in sorted(written, key=lambda newest: (-newest.stat().st_mtime_ns, newest)):
        if (known := found[path]) is not None:
            yield path.parent, known


def _in_short(path: Path) -> FinishedBacktest | None:
    """Return a result in short; None for one of an earlier version."""
    record = read_object(path, way_out=WAY_OUT)
    if record is None or "verdict" not in record:
        return None
    try:
        strategies, power = record["strategies"], record["power"]
        return FinishedBacktest(
            backtest=record["id"],
            tickers=tuple(record["request"]["tickers"]),
            first_session=date.fromisoformat(record["first_session"]),
            last_session=date.fromisoformat(record["last_session"]),
            models=tuple(dict.fromkeys(record["models"].values())),
            decisions=record["coverage"]["made"],
            decisions_return=strategies["decisions"]["total_return"],
            buy_and_hold_return=strategies["buy_and_hold"]["total_return"],
            smallest_edge=None if power is None else power["smallest_edge"],
            verdict=record["verdict"],
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise unreadable(path, "it is no result of a backtest", WAY_OUT) from error
