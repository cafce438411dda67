"""`tradingagents check`: looks every figure of anyone's report up in the data as known on a day."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tradingagents.errors import ConfigurationError, UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..request import DateArgument, DateOption, day_asked, one_day, read_day
from ..text import clean

if TYPE_CHECKING:
    from tradingagents.features.report_check.capabilities.report_check import CheckedReportFigure, ReportCheck

CONTRADICTED = 5
"""Exit code where the data contradict a figure."""
LARGEST_FILE = 20_000_000
_SHOWN = 40


@with_options(options.ASK, lambda given: {"file": str(given["file"]), "as_of": day_asked(given)})
def check(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The report: PDF, HTML, Markdown or text.")],
    day: DateArgument = None,
    date_option: DateOption = None,
    ticker: Annotated[
        str, options.RUN.option("--ticker SYMBOL", "The company that it is on; default: the first that it names.")
    ] = "",
    page: Annotated[
        Path | None,
        options.RUN.option(
            "--page FILE", "Where the annotated page is written; default: NAME.checked.html in the current folder."
        ),
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Look every figure of anyone's report up in the data, and mark it on a page."""
    content, asked = _content(file), read_day(one_day(day, date_option))
    from tradingagents.features.report_check.capabilities.report_check import ReportCheck
    from tradingagents.service.kernel.caller import Caller
    from tradingagents.service.kernel.kernel import Kernel

    given = {"ticker": ticker, "content": content, "encoding": "base64", "page": True}
    with terminal.loading():
        found = Kernel(read_both(flags)[0]).ask("check_report", given, as_of=asked, caller=Caller(face="cli"))
    if not isinstance(found, ReportCheck):
        raise TypeError("check_report answers with a ReportCheck")
    path = _written(page or Path(f"{file.stem}.checked.html"), found.page)
    if terminal.json:
        told = found.model_dump(mode="json", exclude={"page"})
        terminal.print_json({**told, "title": found.title, "counts": dict(found.counts), "page": str(path)})
    else:
        _print(found, path, terminal)
    return CONTRADICTED if found.wrong else 0


def _content(file: Path) -> str:
    """Return a file in base64. Raises UsageError where it cannot be read."""
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise UsageError(f"{file} is larger than {LARGEST_FILE // 1_000_000} MB; check it in parts.")
        return base64.b64encode(file.read_bytes()).decode("ascii")
    except OSError as error:
        raise UsageError(f"{file} cannot be read ({error.strerror}); check the path.") from error


def _written(path: Path, page: str) -> Path:
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written ({error.strerror}); name another place.") from error
    return path


def _print(found: ReportCheck, path: Path, terminal: Terminal) -> None:
    from rich.table import Table
    from rich.text import Text

    terminal.print_text(clean(f"{found.title}, as of {found.as_of}"))
    count = f"{len(found.checked)} figure{'' if len(found.checked) == 1 else 's'}"
    terminal.print_text(f"{count}: {found.summary()}.")
    if found.wrong:
        grid = Table(box=None, padding=(0, 1), header_style="bold", pad_edge=False)
        for name in ("Figure", "Verdict", "The data have", "Where it stands"):
            grid.add_column(name, no_wrap=name == "Figure")
        for figure in found.wrong[:_SHOWN]:
            grid.add_row(*(Text(clean(words)) for words in _row(figure)))
        terminal.out.print()
        terminal.out.print(grid)
    if len(found.wrong) > _SHOWN:
        terminal.out.print(f"{len(found.wrong) - _SHOWN} more are on the page.", markup=False)
    terminal.out.print()
    terminal.print_text(f"Page  {path}")


def _row(figure: CheckedReportFigure) -> tuple[str, str, str, str]:
    from tradingagents.features.report_check.page import VERDICT_WORDS, shown_value

    cell = (
        f"{shown_value(figure.cell.value)}, {figure.cell.metric} {figure.cell.period}"
        if figure.cell is not None
        else ""
    )
    return figure.text, f"{VERDICT_WORDS[figure.verdict]}. {figure.why}", cell, figure.context[:160]
