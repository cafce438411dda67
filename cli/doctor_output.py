"""Prints what `tradingagents doctor` found: whether commands would work and why not, and the rehearsal of vendors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from .text import one_line, with_flags

if TYPE_CHECKING:
    from rich.console import Console

    from tradingagents.service.doctor import Examination
    from tradingagents.service.doctor.data import CapabilityState, VendorChain
    from tradingagents.service.doctor.rehearsal import ProbeAnswer, VendorProbe

OFFLINE = "No key and no network needed: tradingagents analyze VELQ 2025-03-14 --offline"
_GOOD = ("answers", "local", "works offline", "key set")
_NEUTRAL = ("not asked",)


def print_examination(console: Console, found: Examination) -> None:
    """Print everything, at the width of the terminal."""
    said: set[str] = set()
    _verdicts(console, found, said)
    console.print(Text(OFFLINE, style="dim"), soft_wrap=True)
    _models(console, found, said)
    _keys(console, found)
    _vendors(console, found, said)
    _capabilities(console, found, said)
    _rest(console, found)


def print_answer(console: Console, answer: ProbeAnswer) -> None:
    """Print one answer of a rehearsal as it arrives."""
    line = f"{answer.vendor} {answer.method}: {answer.outcome}, {answer.rows} rows, {answer.seconds:.1f} s"
    console.print(Text(line, style="" if answer.sound else "red"), soft_wrap=True)


def print_cases(console: Console, cases: Sequence[tuple[Path, str]]) -> None:
    """Print where the cases of a rehearsal's file are, and what each says."""
    for path, verdict in cases:
        console.print(Text(f"{path}  {one_line(verdict)}"), soft_wrap=True)
    console.print(Text("They fail until the reader is fixed: pytest tests/dataflows/vendors/test_drift.py"))


def print_rehearsal(console: Console, found: VendorProbe) -> None:
    """Print one row per method, then the problems."""
    if not found.answers:
        console.print(Text("No vendor was queried: set a key, or name vendors with --vendors."))
        return
    table = _table("Vendor", "Question", "Outcome", "Rows", "Newest", "Seconds")
    for answer in found.answers:
        outcome = Text(answer.outcome, style="green" if answer.sound else "red")
        newest = (answer.last or "")[:10]
        cells = (Text(str(answer.rows)), Text(newest), Text(f"{answer.seconds:.1f}"))
        table.add_row(Text(answer.vendor), Text(answer.method), outcome, *cells)
    console.print(table)
    _bullets(
        console,
        (
            f"{answer.vendor} {answer.method}: {problem}"
            for answer in found.answers
            if not answer.sound
            for problem in answer.problems
        ),
    )


def _verdicts(console: Console, found: Examination, said: set[str]) -> None:
    """Print one line for the commands that share an outcome and its causes, then the causes."""
    alike: dict[tuple[bool, tuple[str, ...]], list[str]] = {}
    for verdict in found.verdicts:
        alike.setdefault((verdict.exit_code == 0, verdict.troubles), []).append(verdict.command)
    for (works, troubles), commands in alike.items():
        ready = ("would work", "bold green") if works else ("would not work", "bold red")
        console.print(Text.assemble((f"{', '.join(commands)}  ", "bold"), ready))
        _bullets(console, troubles, said)


def _models(console: Console, found: Examination, said: set[str]) -> None:
    _head(console, "Models")
    table = _table()
    for tier in found.models:
        label = f"{tier.provider}/{tier.model}"
        where = "" if tier.host == tier.provider else tier.host
        context = "" if tier.context is None else f"context {tier.context:,}"
        cells = (Text(one_line(where), style="dim"), _state(tier.state), Text(context, style="dim"))
        table.add_row(Text(tier.tier), Text(one_line(label)), *cells)
    console.print(table)
    _bullets(console, (sentence for tier in found.models for sentence in (tier.trouble, tier.note)), said)


def _keys(console: Console, found: Examination) -> None:
    _head(console, "Keys")
    table = _table()
    for key in found.surroundings.keys:
        state = Text("set", style="green") if key.is_set else Text("not set", style="dim")
        table.add_row(Text(key.variable), state, Text(key.reader, style="dim"))
    console.print(table)


def _vendors(console: Console, found: Examination, said: set[str]) -> None:
    _head(console, "Vendors" if found.network else "Vendors (not queried: --no-network)")
    table = _table()
    for vendor in found.vendors:
        took = "" if vendor.seconds is None else f"{vendor.seconds:.1f} s"
        used = "" if vendor.used else "not named by your settings"
        table.add_row(Text(vendor.name), _state(vendor.state), Text(took), Text(used, style="dim"))
    console.print(table)
    _bullets(console, (vendor.trouble for vendor in found.vendors if vendor.used), said)


def _capabilities(console: Console, found: Examination, said: set[str]) -> None:
    _head(console, "Who would answer")
    latest = "Today" if found.recorded_until is None else "The last recorded day"
    table = _table("Question", f"{latest} ({found.as_of})", f"A past day ({found.past})")
    for capability in found.capabilities:
        table.add_row(Text(capability.method), _who(capability.today), _who(capability.past))
    console.print(table)
    missing: dict[tuple[str, str], list[str]] = {}
    for capability in found.capabilities:
        for when, why in _unanswered(capability):
            missing.setdefault((when, why.replace(capability.method, "it")), []).append(capability.method)
    for (when, why), methods in missing.items():
        _bullets(console, [f"{', '.join(methods)} for {when}: {'as said above.' if why in said else why}"])


def _unanswered(capability: CapabilityState) -> Iterator[tuple[str, str]]:
    """Yield the days for which no vendor would answer a question, and why; days that share a cause together."""
    today, past = (who.trouble if who.vendor is None else "" for who in (capability.today, capability.past))
    if today and today == past:
        yield "any day", today
        return
    yield from (entry for entry in (("today", today), ("a past day", past)) if entry[1])


def _rest(console: Console, found: Examination) -> None:
    _head(console, "Here")
    console.print(Text.assemble("Home ", (found.surroundings.home, "dim")), soft_wrap=True)
    for note in found.surroundings.notes:
        console.print(Text(one_line(with_flags(note)), style="yellow"), soft_wrap=True)
    if found.surroundings.missing_extras:
        names = ",".join(found.surroundings.missing_extras)
        console.print(Text(f"Not installed, if you want them: pip install 'tradingagents[{names}]'"), soft_wrap=True)


def _head(console: Console, title: str) -> None:
    console.print(Text(f"\n{title}", style="bold"))


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim", show_header=bool(names))
    for name in names:
        table.add_column(name)
    return table


def _state(state: str) -> Text:
    style = "green" if state in _GOOD else "dim" if state in _NEUTRAL else "red"
    return Text(state, style=style)


def _who(who: VendorChain) -> Text:
    return Text(who.vendor) if who.vendor else Text("nobody", style="red")


def _bullets(console: Console, sentences: Iterable[str | None], said: set[str] | None = None) -> None:
    """Print sentences, each once; those in `said` were printed above."""
    fresh = [text for text in dict.fromkeys(filter(None, sentences)) if said is None or text not in said]
    if said is not None:
        said.update(fresh)
    for sentence in fresh:
        console.print(Padding(Text(f"· {one_line(with_flags(sentence))}"), (0, 0, 0, 2)))
