"""`tradingagents backtest audit`: convicts a backtest and its data, from outside."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..text import clean

if TYPE_CHECKING:
    from tradingagents.features.backtest.audit.audit import Part
    from tradingagents.features.backtest.audit.findings import AuditFinding, AuditReport

CONVICTED = 5
"""Exit code where an error was found."""
_SHOWN = 30
_AUDIT = options.HelpPanel("Audit")


@with_options(options.BACKTEST, lambda given: {"folder": str(given["folder"])})
def audit(
    folder: Annotated[
        Path, typer.Argument(metavar="FOLDER", help="A backtest's folder, or its name under backtests/ of the home.")
    ],
    parts: Annotated[
        str, _AUDIT.option("--parts LIST", "What to check: accounts, data, futures.")
    ] = "accounts,data,futures",
    sample: Annotated[
        int, _AUDIT.option("--sample N", "Decisions to make again with tampered futures; 0: all.", min=0)
    ] = 6,
    rerun_models: Annotated[
        bool, _AUDIT.option("--rerun-models", "Let language models decide again, too, at their cost.")
    ] = False,
    out: Annotated[Path | None, _AUDIT.option("--out FILE", "Write the report in Markdown.")] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Audit a backtest: its knowledge of the future, its books, its figures and its data, from outside.

    Give the options that the backtest was run with. A sample of its decisions is made again with tampered futures:
    whatever was known only later is changed, removed or added, and nothing may change. The ledger is folded by other
    code and compared with prices, decisions and figures; prices and rows are checked for what makes a backtest wrong.
    """
    with terminal.loading():
        from tradingagents.features.backtest.audit.audit import audit as run_audit
        from tradingagents.runtime.services import open_services

        from ..session import run_until_done

        chosen = _parts(parts)
        settings, environ = read_both(flags)
        named = settings.home_dir / "backtests" / folder
        place = named if not folder.exists() and len(folder.parts) == 1 else folder
        services = open_services(settings, environ)
    asked = run_audit(services, place, parts=chosen, sample=sample, rerun_models=rerun_models)
    found = run_until_done(services, asked, terminal)
    if out is not None:
        _write(out, found)
    if terminal.json:
        terminal.print_json(found.to_json())
    else:
        _print(found, terminal)
    return CONVICTED if found.convicted else 0


def _parts(text: str) -> tuple[Part, ...]:
    """Return the parts that are named. Raises UsageError for others."""
    from tradingagents.errors import UsageError
    from tradingagents.features.backtest.audit.audit import PARTS

    named = [word.strip() for word in text.split(",") if word.strip()]
    if not named or set(named) - set(PARTS):
        raise UsageError(f"There is no such part of an audit; there are {', '.join(PARTS)}.")
    return tuple(part for part in PARTS if part in named)


def _write(path: Path, found: AuditReport) -> None:
    from tradingagents.errors import ConfigurationError

    try:
        path.write_text(found.to_markdown(), encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be written ({error.strerror}); name another place.") from error


def _print(found: AuditReport, terminal: Terminal) -> None:
    terminal.print_text(clean(found.verdict()))
    shown = [finding for finding in found.findings if finding.severity != "note"]
    if shown:
        terminal.out.print(_table(shown[:_SHOWN]))
    if len(shown) > _SHOWN:
        terminal.out.print(f"{len(shown) - _SHOWN} more are in the JSON.", markup=False)
    for name, how in found.checked.items():
        terminal.print_text(clean(f"Checked {name}: {how}"))
    for name, why in found.not_checked.items():
        terminal.print_text(clean(f"Not checked {name}: {why}"))


def _table(found: list[AuditFinding]) -> object:
    from rich.table import Table
    from rich.text import Text

    grid = Table(box=None, padding=(0, 1), header_style="bold", pad_edge=False)
    for name in ("Kind", "Ticker", "Day", "Where", "Expected", "Found"):
        grid.add_column(name, no_wrap=name == "Kind")
    for finding in found:
        cells = (finding.kind, finding.ticker, finding.day, finding.where, finding.expected, finding.found)
        grid.add_row(*(Text(clean(words)) for words in cells))
    return grid
