"""Compares two stored deep reports of one company."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, cast, get_args

from tradingagents.errors import UsageError
from tradingagents.features.deep_report.kind import DEEP_REPORT
from tradingagents.features.deep_report.report.changes import report_changes
from tradingagents.features.deep_report.report.changes_document import changes_document
from tradingagents.features.deep_report.schemas.report_changes import ReportChanges
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord
from tradingagents.files.plain_text import clean
from tradingagents.reports.model_text import harmless_markdown
from tradingagents.runtime.runs.run_folder import NoSuchRun
from tradingagents.runtime.runs.run_index import IndexedRun, RunIndex

ChangesFormat = Literal["json", "md", "html", "pdf"]
CHANGES_FORMATS: tuple[ChangesFormat, ...] = get_args(ChangesFormat)


def compare_reports(home: str | Path, one: str, other: str) -> ReportChanges:
    """Return what changed between two deep reports of one company, and why; the earlier day comes first.

    Args:
        home: The home folder.
        one: Id of a run, or its beginning.
        other: Id of the other run, or its beginning.

    Raises:
        NoSuchRun: There is no such run, or it has no report yet.
        UsageError: A run is no deep report, or they are on different companies, or the same.
    """
    index = RunIndex(Path(home).expanduser())
    return changes_of(index.find(one), index.find(other))


def changes_of(one: IndexedRun, other: IndexedRun) -> ReportChanges:
    """Return what changed between two stored deep reports. Raises as `compare_reports` does."""
    return report_changes(_record(one), _record(other))


def changes_file(found: ReportChanges, name: ChangesFormat) -> bytes:
    """Return a comparison as Markdown, HTML, PDF or JSON.

    Raises:
        ConfigurationError: The extra `pdf` is not installed.
    """
    if name == "json":
        from tradingagents.valuation.canonical import canonical_json

        return canonical_json(cast(Mapping[str, Any], found)).encode()
    document = changes_document(found)
    if name == "md":
        from tradingagents.reports.render.markdown import to_markdown

        return harmless_markdown(to_markdown(document)).encode()
    if name == "html":
        from tradingagents.reports.render.html import to_html

        return clean(to_html(document)).encode()
    from tradingagents.reports.render.pdf import to_pdf

    return to_pdf(document)


def checked_changes_format(name: str) -> ChangesFormat:
    """Return a format by its name.

    Raises:
        UsageError: There is none of that name.
    """
    if name not in CHANGES_FORMATS:
        raise UsageError(f"A comparison can be written as {', '.join(CHANGES_FORMATS)}, not as {name[:20]!r}.")
    return name


def _record(run: IndexedRun) -> DeepReportRecord:
    card = run.card()
    if card is None:
        raise NoSuchRun(f"{run.run_id} has no report yet; `tradingagents runs resume {run.run_id}` finishes it.")
    if card.get("kind") != DEEP_REPORT.name:
        raise UsageError(f"{run.run_id} is no deep report; `tradingagents report TICKER` writes one.")
    return DeepReportRecord.model_validate({**card, "run_id": run.run_id})
