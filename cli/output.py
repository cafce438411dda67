"""Prints the results of runs: the decision, its evidence, the cost, and where the files are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from tradingagents.agents import roster
from tradingagents.memory.cohort import market_note
from tradingagents.reports import formatting as words
from tradingagents.reports.decision_notes import (
    decision_notes_of,
    holder_action,
    holder_terms,
    settling_line,
    track_record,
)
from tradingagents.reports.names import for_people, is_tool, tool_label
from tradingagents.reports.sections import analysts, expected, terms, text_of
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.decision import Decision
from tradingagents.schemas.records import NOTHING_SCORED

from .layout import (
    LABEL_WIDTH,
    NO_ADVICE,
    PLACES,
    action_text,
    add_known,
    add_untraced,
    add_warnings,
    cut,
    headed,
    is_report,
    labelled,
    print_places,
    usage_line,
)
from .text import clean, plain, with_flags

if TYPE_CHECKING:
    from rich.console import Console

FULL_RESULTS = 3
"""Maximum number of tickers with full results; more are shown as a table only."""


def print_results(console: Console, records: Sequence[RunRecord]) -> None:
    """Print the results of runs; plain text without frames if stdout isn't a terminal."""
    if not records:
        return
    if len(records) <= FULL_RESULTS:
        alone = len(records) == 1
        for record in records:
            print_result(console, record, lines=console.height - LINES_BELOW if alone else None)
    if len(records) > 1:
        console.print(overview(records))
        console.print()
        if len(records) > FULL_RESULTS:
            print_places(console, [(record["ticker"], record["paths"].get("html", "")) for record in records])
            console.print()
    console.print(Text(NO_ADVICE, style="dim"))


@dataclass(frozen=True)
class Shortened:
    """How much of a decision's texts is shown on a short screen."""

    rationale: int
    """Characters."""
    evidence: int
    """Rows, each one line."""
    argument: int
    """Characters of the dissent and of what would change the decision."""


SHORTER = (Shortened(300, 4, 140), Shortened(220, 3, 130), Shortened(220, 3, 60), Shortened(140, 2, 60))
"""Limits to try on a short screen, in order, until the result fits."""
LINES_OF_A_PATH = 2
LINES_BELOW = 3
"""Lines below a result: the last line of every output, and the shell's prompt."""
LINE = 76
"""Maximum characters of a line that fits into the frame on every screen."""


def print_result(console: Console, record: RunRecord, *, lines: int | None = None) -> None:
    """Print one run: the decision, its evidence, the model use and where the files are.

    Args:
        lines: Lines of the screen to fit, if the console is a terminal; longer results are shortened, and the run's
            page has the full text. None prints everything.
    """
    framed = console.is_terminal
    if framed and lines is not None:
        short = _fitting(console, record, lines)
        if short is not None:
            console.print(short)
            print_places(console, [("Page", record["paths"].get("html", ""))])
            return
    console.print(headed(_title(record), _decision(record), framed=framed))
    if record["decision"] and record["decision"]["key_evidence"]:
        console.print(_evidence(record["decision"]))
    console.print(_facts(record))
    print_places(console, [(name, record["paths"].get(key, "")) for name, key in PLACES])
    console.print()


def _fitting(console: Console, record: RunRecord, lines: int) -> RenderableType | None:
    """Return a result shortened to fit; None if the full one fits."""
    with console.capture() as captured:
        print_result(console, record)
    if len(captured.get().splitlines()) <= lines:
        return None
    tried: RenderableType = ""
    for short in SHORTER:
        tried = _short_result(record, short, console.width)
        if len(console.render_lines(tried)) + LINES_OF_A_PATH <= lines:
            break
    return tried


def _short_result(record: RunRecord, short: Shortened, width: int) -> RenderableType:
    decision, grid = record["decision"], labelled()
    if decision:
        room = width - LABEL_WIDTH - 1
        for number, evidence in enumerate(decision.key_evidence[: short.evidence]):
            claim = cut(for_people(evidence["claim"]), room - len(source := _source(evidence["source"])) - 3)
            grid.add_row("" if number else "Evidence", Text.assemble(claim, (f" ({source})", "dim")))
        for label, text in (("Dissent", decision.dissent), ("Would change", decision.would_change)):
            if text:
                grid.add_row(label, Text(cut(for_people(text), short.argument)))
    if record.book is not None:
        grid.add_row("Your book", Text(cut(holder_action(record.book), width - LABEL_WIDTH - 1)))
    add_known(grid, record.known)
    for warning in record["warnings"][:1]:
        more = f" (and {len(record['warnings']) - 1} more)" if len(record["warnings"]) > 1 else ""
        grid.add_row(
            Text("Warning", style="yellow"), Text(cut(with_flags(warning), width - LABEL_WIDTH - 12 - len(more)) + more)
        )
    add_untraced(grid, record.grounding)
    grid.add_row("Reports", _availability(record))
    grid.add_row("Usage", usage_line(record["usage"], record["timing"]))
    return Group(headed(_title(record), _decision(record, short), framed=True), grid)


def _source(source: str) -> str:
    parts = (part.strip() for part in source.split(","))
    return ", ".join(tool_label(part) if is_tool(part) else part for part in parts)


def overview(records: Sequence[RunRecord]) -> Table:
    """Return a table of multiple runs' decisions."""
    table = Table(box=None, padding=(0, 1), header_style="bold", pad_edge=False)
    for name in ("Ticker", "Day", "Decision"):
        table.add_column(name, no_wrap=True)
    for name in (
        words.sureness_name(record["decision"] for record in records),
        "Entry",
        "Stop",
        "Target",
        "Size",
        "Cost",
    ):
        table.add_column(name, justify="right", no_wrap=True)
    for record in records:
        table.add_row(record["ticker"], record["trade_date"], *_overview_cells(record))
    return table


def _overview_cells(record: RunRecord) -> list[RenderableType]:
    decision, cost = record["decision"], words.usd(record["usage"]["cost_usd"])
    if decision is None:
        return [Text(record["status"].upper(), style="bold red"), "", "", "", "", "", cost]
    levels = (decision.entry, decision.stop, decision.target)
    return [
        action_text(decision.action),
        words.sureness(decision.confidence, decision.strength),
        *("" if level is None else words.price(level) for level in levels),
        "" if decision.position_size is None else words.position(decision.position_size),
        cost,
    ]


def _title(record: RunRecord) -> Text:
    instrument = record["instrument"]
    name = "" if instrument.name == record["ticker"] else f" · {instrument.name}"
    return Text.assemble((record["ticker"], "bold"), f"{name} · {record['trade_date']}")


def _decision(record: RunRecord, short: Shortened | None = None) -> RenderableType:
    decision = record["decision"]
    if decision is None:
        error = clean(with_flags(record.error or f"The run is {record.status}."))
        return Text.assemble(
            ("No decision. ", "bold red"), error, f"\n{made_up}" if (made_up := market_note(record)) else ""
        )
    head = Text.assemble(action_text(decision.action))
    if decision.action != "NO_DECISION":
        head.append(
            f"  {words.sureness_name([decision]).lower()} {words.sureness(decision.confidence, decision.strength)}"
        )
    parts: list[RenderableType] = [head]
    if made_up := market_note(record):
        parts.append(Text(made_up, style="yellow"))
    if measured := track_record(decision):
        parts.append(Text(cut(clean(measured), LINE) if short else clean(measured), style="dim"))
    if settling := settling_line(record.settling):
        parts.append(Text(clean(settling), style="dim"))
    if notes := decision_notes_of(record):
        parts.append(Text(clean(notes), style="yellow"))
    given = terms(decision, record["instrument"])
    if short:
        told = (f"{name} {value}{f' ({far})' if far else ''}".replace(" ", "\u00a0") for name, value, far in given)
        parts += [Text(" · ".join(told))] if given else []
        return Group(*parts, Text(cut(for_people(decision.rationale), short.rationale)))
    if given:
        grid = Table.grid(padding=(0, 2))
        for name, value, distance in given:
            grid.add_row(Text(name, style="dim"), Text(value), Text(distance, style="dim"))
        parts.append(grid)
    return Group(*parts, "", Text(plain(for_people(decision.rationale))))


def _evidence(decision: Decision) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="bold", pad_edge=False)
    table.add_column("Key evidence")
    table.add_column("Source", style="dim", no_wrap=True)
    for evidence in decision.key_evidence:
        note = words.evidence_note(evidence)
        claim = Text.assemble(plain(for_people(evidence["claim"])), (f" ({note})" if note else "", "dim"))
        table.add_row(claim, Text(clean(_source(evidence["source"]))))
    return table


def _facts(record: RunRecord) -> RenderableType:
    """Return the rows below the evidence, each with a label and its text."""
    decision, grid = record["decision"], labelled()
    if decision and decision.dissent:
        grid.add_row("Dissent", Text(plain(for_people(decision.dissent))))
    if decision and decision.would_change:
        grid.add_row("Would change", Text(plain(for_people(decision.would_change))))
    if record.book is not None:
        terms_of_book = holder_terms(record.book, record["instrument"]["currency"])
        grid.add_row("Your book", Text(f"{holder_action(record.book)} ({record.book.why})"))
        grid.add_row("", Text(" · ".join(f"{name} {value}" for name, value in terms_of_book), style="dim"))
        for note in record.book.notes:
            grid.add_row("", Text(note, style="dim"))
    add_known(grid, record.known)
    add_warnings(grid, record["warnings"])
    add_untraced(grid, record.grounding)
    grid.add_row("Reports", _availability(record))
    grid.add_row("Usage", usage_line(record["usage"], record["timing"]))
    return Group("", grid)


def _availability(record: RunRecord) -> Text:
    """Return the list of analysts' reports."""
    line = Text()
    asked = {section.key for section in expected(record)}
    copied = set(roster.copied_texts())
    for section in analysts():
        if section.key in copied:
            continue
        if section.key not in asked:
            sign, style, note = "·", "dim", " (not asked)"
        elif NOTHING_SCORED in text_of(record, section.key):
            sign, style, note = "·", "dim", " (nothing known)"
        elif has_report(record, section.key):
            sign, style, note = "✓", "green", ""
        else:
            sign, style, note = "✗", "red", " (missing)"
        line.append(f"{'  ' if line else ''}{sign} ", style=style).append(f"{section.title.lower()}{note}")
    return line


def has_report(record: RunRecord, key: str) -> bool:
    """Return whether an analyst wrote a report, and not the notice that it could not."""
    return is_report(text_of(record, key))
