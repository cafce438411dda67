"""`tradingagents doctor`: check the setup and show how to fix it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tradingagents.errors import HomeNotWritable, UsageError

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradingagents.settings import Settings

DRIFT = Path("tests/dataflows/vendors/drift")
"""Where the tests of a checkout look for cases."""
_ASKED, _LIVE = options.HelpPanel("Asked"), options.HelpPanel("Live rehearsal")


@with_options(options.DOCTOR)
def doctor(
    no_network: Annotated[bool, _ASKED.option("--no-network", "Send no request to vendors and model servers.")] = False,
    models: Annotated[bool, _ASKED.option("--models", "List the models of OpenAI, Anthropic and Google too.")] = False,
    live: Annotated[
        bool, _LIVE.option("--live", "Rehearse: call every method of each vendor, and check the answers.")
    ] = False,
    vendors: Annotated[
        str | None, _LIVE.option("--vendors LIST", "Vendors to rehearse; default: all with keys.")
    ] = None,
    symbol: Annotated[str | None, _LIVE.option("--symbol T", "Company for the rehearsal; default AAPL.")] = None,
    out: Annotated[Path | None, _LIVE.option("--out FILE", "Write the rehearsal's results to a JSON file.")] = None,
    what: Annotated[
        str | None, typer.Argument(metavar="[replay]", help="Make test cases of a rehearsal's file; default: check.")
    ] = None,
    file: Annotated[Path | None, typer.Argument(metavar="[FILE]", help="What --live --out wrote.")] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Check keys, vendors and model servers, and show how to fix problems.

    Takes the flags of analyze, to check a run with them. Keys are named, never shown. --live calls every method of
    every vendor; its --out file contains shapes and counts but no content, so you can attach it to a bug report, from
    which `doctor replay FILE` makes failing test cases, in the folder of --out.
    """
    if what is not None:
        return _replay(terminal, what, file, out)
    settings, environ = read_both(flags)
    if live:
        if no_network:
            raise UsageError("--live sends requests; omit --no-network.")
        return _rehearse(terminal, settings, environ, vendors, symbol, out)
    if given := [name for name, value in (("--vendors", vendors), ("--symbol", symbol), ("--out", out)) if value]:
        raise UsageError(f"{given[0]} belongs to a rehearsal; add --live.")

    from tradingagents.service.doctor import examine

    found = examine(settings, environ, network=not no_network, hosted_models=models)
    if terminal.json:
        terminal.print_json(found.to_json())
    else:
        from ..doctor_output import print_examination

        print_examination(terminal.out, found)
    return found.exit_code


def _replay(terminal: Terminal, what: str, file: Path | None, out: Path | None) -> int:
    """Make the cases of a rehearsal's file, and print where they are."""
    from tradingagents.service.doctor.replay import replay

    if what != "replay" or file is None:
        raise UsageError("doctor takes no argument but replay FILE, the file that --live --out wrote.")
    cases = replay(file.expanduser(), (out or DRIFT).expanduser())
    if terminal.json:
        terminal.print_json({"cases": [{"path": str(case.path), "verdict": case.verdict} for case in cases]})
        return 0
    from ..doctor_output import print_cases

    print_cases(terminal.out, [(case.path, case.verdict) for case in cases])
    return 0


def _rehearse(
    terminal: Terminal,
    settings: Settings,
    environ: Mapping[str, str],
    vendors: str | None,
    symbol: str | None,
    out: Path | None,
) -> int:
    """Rehearse the vendors, print the answers, and write the file."""
    from tradingagents.dataflows.reference.symbols import normalise
    from tradingagents.service.doctor.rehearsal import SYMBOL, rehearse

    from ..doctor_output import print_answer, print_rehearsal

    names = [name.strip() for name in (vendors or "").split(",") if name.strip()]
    found = rehearse(
        settings,
        environ,
        names=names,
        symbol=normalise(symbol) if symbol is not None else SYMBOL,
        heard=lambda answer: None if terminal.quiet else print_answer(terminal.err, answer),
    )
    if out is not None:
        from tradingagents.files.atomic import as_json

        try:
            out.expanduser().write_text(as_json(found.to_json()), encoding="utf-8")
        except OSError as error:
            raise HomeNotWritable(f"Cannot write {out} ({error.strerror}); name another file with --out.") from error
    if terminal.json:
        terminal.print_json(found.to_json())
    else:
        print_rehearsal(terminal.out, found)
    return found.exit_code
