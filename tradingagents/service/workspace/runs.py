"""The runs of a home folder as every face shows them: rows, cards, events, reports. Paths stay on this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tradingagents.errors import NotFound
from tradingagents.files.json_text import parse_json
from tradingagents.files.regular_files import read_regular
from tradingagents.runtime.runs.run_folder import EVENTS, NoSuchRun, is_component
from tradingagents.runtime.runs.run_index import IndexedRun, RunIndex
from tradingagents.runtime.runs.run_rows import row_of

if TYPE_CHECKING:
    from tradingagents.settings import Settings

REPORTS = "reports"
FOLDER_SETTINGS = frozenset({"home", "data_dir", "log_file", "results_dir", "personas_dir"})
"""Settings of a card that name a place on this machine; a test compares them with the settings."""
LONGEST_LIST = 500


class RunReader:
    """Reads the runs of a home folder."""

    def __init__(self, home: Path) -> None:
        """Set the home folder; nothing is read yet."""
        self._index = RunIndex(home)

    def rows(self, *, limit: int, before: str | None = None) -> tuple[dict[str, Any], ...]:
        """Return the newest runs, a row each.

        Args:
            limit: At most so many, up to `LONGEST_LIST`.
            before: Id of a run: only runs that began earlier.
        """
        found = (run for run in self._index.newest_first() if before is None or run.run_id < before)
        return tuple(_row(run) for run in islice(found, max(0, min(limit, LONGEST_LIST))))

    def card(self, run_id: str) -> dict[str, Any]:
        """Return the card of a run with the names of its reports; its row where it has no card yet.

        Raises:
            NoSuchRun: There is no run of that id.
            UnreadableFile: The card is damaged.
        """
        run = self._find(run_id)
        card = run.card()
        known = {
            **_row(run),
            **{name: value for name, value in (card or {}).items() if name not in ("paths", "run_id")},
        }
        if isinstance(settings := known.get("settings"), dict):
            known["settings"] = {name: value for name, value in settings.items() if name not in FOLDER_SETTINGS}
        return {**known, "report_files": self._report_files(run)}

    def events(self, run_id: str, *, after: int = -1) -> tuple[dict[str, Any], ...]:
        """Return the logged events numbered above `after`; a line that is still being written is left out.

        Raises:
            NoSuchRun: There is no run of that id.
        """
        path = self._find(run_id).path / EVENTS
        try:
            lines = read_regular(path).splitlines()
        except FileNotFoundError:
            return ()
        found = (_event(line) for line in lines)
        return tuple(event for event in found if event is not None and event.get("seq", -1) > after)

    def report(self, run_id: str, name: str) -> bytes:
        """Return a file of the run's reports.

        Args:
            name: One path component, such as `report.html`, or two, such as `1_analysts/market.md`.

        Raises:
            NoSuchRun: There is no run of that id.
            NotFound: It has no report of that name.
        """
        run = self._find(run_id)
        known = self._report_files(run)
        if name not in known:
            raise NotFound(f"The run has no report {name[:80]!r}; it has {', '.join(known) or 'none'}.")
        return read_regular(run.path / REPORTS / name)

    def export(self, run_id: str, name: str) -> bytes:
        """Return the report of a run in a format of `tradingagents.runtime.records.export`.

        Raises:
            NoSuchRun: There is no run of that id, or it has no card yet.
            UsageError: There is no such format, or the run's kind has no report.
            ConfigurationError: The extra `pdf` or `xlsx` is not installed.
        """
        from tradingagents.runtime.records.export import checked_format, export_run

        return export_run(self._find(run_id), checked_format(name))

    def seal(self, run_id: str, settings: Settings, environ: Mapping[str, str]) -> bytes:
        """Return the dossier of a run; see `tradingagents.features.dossier.seal.seal_run`.

        Raises:
            NoSuchRun: There is no run of that id.
            UsageError: The run has not ended with a result.
            ConfigurationError: It cannot be recomputed from what the home folder still holds.
        """
        from tradingagents.features.dossier.seal import seal_run

        return asyncio.run(seal_run(self._find(run_id), settings, environ))

    def changes(self, run_id: str, other: str, form: str) -> bytes:
        """Return what changed between two deep reports, in a format of `features.deep_report.changes`.

        Raises:
            NoSuchRun: There is no run of one of the ids, or it has no card yet.
            UsageError: One is no deep report, they are on different companies, or there is no such format.
            ConfigurationError: The extra `pdf` is not installed.
        """
        from tradingagents.features.deep_report.changes import changes_file, changes_of, checked_changes_format

        chosen = checked_changes_format(form)
        return changes_file(changes_of(self._find(run_id), self._find(other)), chosen)

    def _find(self, run_id: str) -> IndexedRun:
        if not is_component(run_id):
            raise NoSuchRun("That is no id of a run.")
        run = self._index.find(run_id)
        if run.run_id != run_id:
            raise NoSuchRun(f"There is no run {run_id}.")
        return run

    def _report_files(self, run: IndexedRun) -> list[str]:
        folder = run.path / REPORTS
        return sorted(
            path.relative_to(folder).as_posix()
            for path in folder.rglob("*")
            if path.is_file() and not path.is_symlink() and all(map(is_component, path.relative_to(folder).parts))
        )


def _row(run: IndexedRun) -> dict[str, Any]:
    return row_of(run).model_dump(exclude={"folder"})


def _event(line: bytes) -> dict[str, Any] | None:
    try:
        event = parse_json(line)
    except ValueError:
        return None
    return event if isinstance(event, dict) else None
