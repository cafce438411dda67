"""Exports a run's report as Markdown, HTML, PDF or XLSX, from its card and the files that it left.

The same run gives the same bytes. Markdown and HTML are the files of the run where it left some; PDF and XLSX are made
from its record when they are asked for. A kind of run without a document of its own is exported from its Markdown.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Literal, get_args

from tradingagents.errors import ConfigurationError, UsageError
from tradingagents.files.plain_text import clean
from tradingagents.files.regular_files import read_regular
from tradingagents.memory.cohort import market_note
from tradingagents.reports.document import Document, Masthead, Prose, Section
from tradingagents.reports.model_text import harmless_markdown
from tradingagents.runtime.registry import kind_of, record_of
from tradingagents.runtime.runs.run_export import check_target, write_export
from tradingagents.runtime.runs.run_folder import NoSuchRun
from tradingagents.runtime.runs.run_index import IndexedRun
from tradingagents.schemas.cards import CardRecord

ReportFormat = Literal["md", "html", "pdf", "xlsx"]
FORMATS: tuple[ReportFormat, ...] = get_args(ReportFormat)
_NEEDS: Mapping[str, tuple[str, ...]] = {"pdf": ("reportlab", "matplotlib"), "xlsx": ("xlsxwriter",)}
_LEFT: Mapping[str, str] = {"md": "complete_report.md", "html": "report.html"}
"""Names of the files that a run leaves, by format."""


class ExportableRun:
    """Base of the results of runs: adds `export` and `ask`."""

    record: CardRecord

    def export(self, target: str | Path, *, force: bool = False) -> Path:
        """Write the report to a file and return its path.

        Args:
            target: The file; its ending chooses the format: .md, .html, .pdf or .xlsx.
            force: Whether to replace an existing file.

        Raises:
            UsageError: The ending is none of these, the file exists already, or its folder does not exist.
            ConfigurationError: The extra `pdf` or `xlsx` is not installed.
            HomeNotWritable: The file cannot be written.
        """
        path = Path(target).expanduser().absolute()
        folder = self.record.paths.get("folder")
        write_export(path, export_record(self.record, format_of(path), Path(folder) if folder else None), force=force)
        return path

    def ask(self, question: str) -> str:
        """Answer a question about the run from its record, by rule and with sources, as Markdown.

        Args:
            question: Such as "What would change your mind?".
        """
        from tradingagents.runtime.run_questions.answers import answer_about

        return answer_about(self.record, question)


def format_of(path: Path) -> ReportFormat:
    """Return the format that a file's ending names.

    Raises:
        UsageError: It names none.
    """
    return checked_format(path.suffix.lower().removeprefix("."))


def checked_format(name: str) -> ReportFormat:
    """Return a format by its name.

    Raises:
        UsageError: There is none of that name.
    """
    if name not in FORMATS:
        raise UsageError(f"A report can be exported as {', '.join(FORMATS)}, not as {name[:20]!r}.")
    return name


def export_run(run: IndexedRun, name: ReportFormat) -> bytes:
    """Return the report of a stored run.

    Raises:
        NoSuchRun: The run has no card yet.
        UsageError: It is of a kind without a report.
        ConfigurationError: The extra `pdf` or `xlsx` is not installed.
    """
    card = run.card()
    if card is None:
        raise NoSuchRun(
            f"{run.run_id} has no report yet; `tradingagents runs resume {run.run_id}` finishes a run that was stopped."
        )
    return export_record(record_of({**card, "run_id": run.run_id}), name, run.path)


def export_record(record: CardRecord, name: ReportFormat, folder: Path | None = None) -> bytes:
    """Return the report of a run from its record.

    Args:
        record: What the run left.
        name: The format.
        folder: The run's folder; None for a run that left none.

    Raises:
        UsageError: It is of a kind without a report.
        ConfigurationError: The extra `pdf` or `xlsx` is not installed.
    """
    if name in _LEFT and (left := _left_file(folder, name)) is not None:
        return left
    document = report_of(record, folder)
    page = _left_file(folder, "html") if name == "pdf" else None
    return export_document(document, record, name, page=page.decode(errors="replace") if page else "")


def export_document(document: Document, record: CardRecord, name: ReportFormat, *, page: str = "") -> bytes:
    """Return a document in a format.

    Args:
        document: The report.
        record: That of the run, whose figures a workbook holds.
        name: The format.
        page: The run's page, whose charts a PDF shows; empty for none.

    Raises:
        ConfigurationError: The extra `pdf` or `xlsx` is not installed.
    """
    if name == "md":
        from tradingagents.reports.render.markdown import to_markdown

        return harmless_markdown(to_markdown(document)).encode()
    if name == "html":
        from tradingagents.reports.render.html import to_html

        return clean(to_html(document)).encode()
    if name == "pdf":
        from tradingagents.reports.render.pdf import to_pdf
        from tradingagents.reports.render.pdf_chart import charts_of_page

        return to_pdf(document, charts=() if document.contents else charts_of_page(page))
    from tradingagents.reports.render.xlsx import to_xlsx

    return to_xlsx(kind_of(record.kind).workbook(record, document))


def check_export(target: Path) -> None:
    """Check that a report can be written to a file, before the work.

    Raises:
        UsageError: The ending is no format, the file exists already, or its folder does not exist.
        ConfigurationError: The format needs an extra that is not installed.
    """
    path = target.expanduser().absolute()
    missing = missing_extra(format_of(path))
    check_target(path)
    if missing:
        raise ConfigurationError(missing)


def missing_extra(name: ReportFormat) -> str | None:
    """Return how to install what a format needs; None where it is there."""
    if all(find_spec(module) for module in _NEEDS.get(name, ())):
        return None
    return f"Writing {name.upper()} needs an extra; install it: pip install 'tradingagents[{name}]'."


def report_of(record: CardRecord, folder: Path | None = None) -> Document:
    """Return the document of a run: of its kind, else of the Markdown that it left.

    Raises:
        UsageError: It has neither.
    """
    document = kind_of(record.kind).document(record)
    if document is not None:
        return document
    markdown = _left_file(folder, "md")
    if markdown is None:
        raise UsageError(f"A run of kind {record.kind} has no report to export.")
    return _document_of_markdown(record, markdown.decode(errors="replace"))


def _document_of_markdown(record: CardRecord, markdown: str) -> Document:
    first, _, rest = markdown.partition("\n")
    title = first.removeprefix("# ").strip() if first.startswith("# ") else record.kind
    run_id = record.run_id
    return Document(
        title=title,
        facts=[("Run", run_id)],
        masthead=Masthead(
            title=title,
            eyebrow=record.kind.replace("_", " ").capitalize(),
            heading=title,
            detail="",
            facts=[],
            identity=f"Run {run_id}",
        ),
        market_note=market_note(record),
        sections=[Section("", [Prose(rest if first.startswith("# ") else markdown, under=1)])],
    )


def _left_file(folder: Path | None, name: str) -> bytes | None:
    path = None if folder is None else folder / "reports" / _LEFT[name]
    return read_regular(path) if path is not None and path.is_file() else None
