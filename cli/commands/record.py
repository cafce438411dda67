"""`tradingagents record`: decisions that are committed before the next open, revealed later, checked by anybody."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from ..groups import CommandEntry, command_group, exit_codes
from ..notices import WHERE, send_message
from ..request import read_calendar_day

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

app = command_group(
    "Commit each day's decisions before the next open, reveal them later, and let anybody check them.",
    {
        "start": CommandEntry("record:start", "Begin a record, with its own paper account; it is counted for good."),
        "run": CommandEntry(
            "record:run",
            "Decide after the close, commit the session, and reveal those whose next session has opened.",
            exit_codes(several=False, approval=False),
        ),
        "reveal": CommandEntry("record:reveal", "Reveal the sessions whose next session has opened."),
        "list": CommandEntry("record:list_", "List every record ever begun, with what it came to."),
        "anchor": CommandEntry("record:anchor", "Print the state of all records, to be published elsewhere at once."),
        "publish": CommandEntry(
            "record:publish", "Write all records, the script that checks them and a page into a folder."
        ),
    },
)

RECORD = options.HelpPanel("Record")
Name = Annotated[str, typer.Argument(metavar="NAME", help="Name of the record.")]


@with_options(options.LIST, lambda given: {"name": given["name"]})
def start(
    name: Name,
    tickers: Annotated[
        str | None,
        RECORD.option("--tickers LIST", "Symbols, separated by commas; default: the watch list."),
    ] = None,
    cash: Annotated[float, RECORD.option("--cash", "What its account begins with.", min=1)] = 1e5,
    every: Annotated[int, RECORD.option("--every", "Sessions from one decision to the next.", min=1)] = 1,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Begin a record, with its own paper account; it is counted for good."""
    from tradingagents.features.backtest.forward.record import ForwardRecord
    from tradingagents.features.backtest.paper.plan import PaperPlan

    named = tuple(word.strip() for word in (tickers or "").split(",") if word.strip())
    begun = ForwardRecord(read_both(flags)[0].home_dir, name).start(
        PaperPlan(name=name, tickers=named, deposit=cash, every=every)
    )
    if terminal.json:
        terminal.print_json(begun)
    elif not terminal.quiet:
        terminal.print_text(f"Begun: {name}, record {begun['number']} of this home. Hash {begun['hash']}")
    return 0


@with_options(options.PAPER, lambda given: {"name": given["name"], "date": given["day"]})
def run(
    name: Name,
    day: Annotated[
        str | None, RECORD.option("--date DATE", "The day it is, for recorded or simulated data; default: today.")
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Decide after the close, commit the session, and reveal those whose next session has opened."""
    settings, environ = read_both(flags)
    with terminal.loading():
        from tradingagents.features.backtest.forward.record import ForwardRecord
        from tradingagents.runtime.services import open_services

        from ..session import run_until_done

        asked = read_calendar_day("--date", day)
        services = open_services(settings, environ)
    done = run_until_done(services, ForwardRecord(settings.home_dir, name).run(services, asked), terminal)
    told = {kind: [day.isoformat() for day in getattr(done, kind)] for kind in ("committed", "late", "revealed")}
    if terminal.json:
        terminal.print_json({"record": name, **told})
        return 0
    if not terminal.quiet:
        terminal.print_text(f"Committed: {_days(told['committed'])}. Revealed: {_days(told['revealed'])}.")
    if done.late:
        terminal.note(
            f"{len(done.late)} of them after the next session had opened: they prove nothing. Run it between the close "
            "and the next open."
        )
    return 0


@with_options(options.LIST, lambda given: {"name": given["name"]})
def reveal(name: Name, *, flags: Flags, terminal: Terminal) -> int:
    """Reveal the sessions whose next session has opened."""
    from tradingagents.features.backtest.forward.record import ForwardRecord

    shown = [day.isoformat() for day in ForwardRecord(read_both(flags)[0].home_dir, name).reveal()]
    _tell(terminal, f"Revealed: {_days(shown)}.", {"record": name, "revealed": shown})
    return 0


@with_options(options.LIST)
def list_(*, flags: Flags, terminal: Terminal) -> int:
    """List every record ever begun, with what it came to."""
    from tradingagents.features.backtest.forward.status import all_records

    records = all_records(read_both(flags)[0].home_dir)
    if terminal.json:
        terminal.print_json({"records": [record.model_dump(mode="json") for record in records]})
        return 0
    for record in records:
        terminal.print_text(str(record.said))
    return 0


@with_options(options.LIST)
def anchor(
    webhook: Annotated[str | None, RECORD.option("--webhook WHERE", WHERE)] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Print the state of all records, to be published elsewhere at once."""
    from tradingagents.features.backtest.forward.record import anchor as state_of

    settings, environ = read_both(flags)
    receiver = None
    if webhook is not None:
        from tradingagents.service.notices.receivers import receiver_of

        receiver = receiver_of(webhook, environ)
    state = state_of(settings.home_dir)
    line = json.dumps(state, sort_keys=True, separators=(",", ":"))
    _tell(terminal, line, state)
    if receiver is None:
        return 0
    from tradingagents.service.notices.message import OutgoingMessage

    return send_message(receiver, OutgoingMessage("State of forward records", line, state), terminal)


@with_options(options.LIST)
def publish(
    to: Annotated[Path, RECORD.option("--out FOLDER", "A new folder, or that of an earlier publication.")],
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Write all records, the script that checks them and a page into a folder."""
    from tradingagents.features.backtest.forward.publish import publish as write

    with terminal.loading():
        written = write(read_both(flags)[0].home_dir, to.expanduser().absolute())
    _tell(
        terminal, f"Wrote {written[0]} and {len(written) - 1} further files", {"files": [str(path) for path in written]}
    )
    return 0


def _tell(terminal: Terminal, words: str, known: Mapping[str, Any]) -> None:
    if terminal.json:
        terminal.print_json(known)
    elif not terminal.quiet:
        terminal.print_text(words)


def _days(days: list[str]) -> str:
    return ", ".join(days) or "none"
