"""Layout of results: a frame with a heading, labelled lines, model use, paths, tables that fit the terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tradingagents.files.user_folders import home_folder, working_folder
from tradingagents.reports import formatting as words
from tradingagents.reports.direction import good_or_bad
from tradingagents.schemas.records import GroundingRecord, TimingRecord, UsageRecord

from .text import clean, one_line, plain, with_flags

if TYPE_CHECKING:
    from rich.console import Console, JustifyMethod

NO_ADVICE = "Research software; not investment advice."
WIDE = 110
"""Minimum terminal width at which texts fit next to the other cells of their row."""
LABEL_WIDTH = 13
PLACES = (("Page", "html"), ("Report", "report"), ("Card", "card"))
ACTION_STYLE = {"BUY": "bold green", "SELL": "bold red", "HOLD": "bold yellow", "NO_DECISION": "bold magenta"}
SHOWN_FIGURES = 5
"""Maximum number of unmatched figures listed in a line."""
GAP = 2
"""Columns between two cells."""
MIN_WIDTH = 8
"""Minimum useful width of a shortened cell."""
NAME_WIDTH = 32
"""Maximum width of a name in a table with texts."""
WORDS_CHARS = 150
"""Maximum length of a reason in a table; the reports have the full text."""


Row = tuple[Sequence[Text], str]
"""The cells of a row, and the text at its end."""


@dataclass(frozen=True)
class Column:
    """A column of a table of results."""

    name: str
    right: bool = False
    gives_way: bool = False
    """Whether its cells may be shortened if the columns don't fit."""


def is_report(text: str) -> bool:
    """Return whether an agent wrote a report, and not the notice that it could not."""
    from tradingagents.agents.states import NOT_AVAILABLE

    return bool(text.strip()) and not text.startswith(NOT_AVAILABLE)


def headed(title: Text, body: RenderableType, *, framed: bool) -> RenderableType:
    """Return a body below its title: in a frame on a terminal, plain otherwise."""
    if framed:
        return Panel(body, title=title, title_align="left", padding=(0, 1))
    return Group(title, "", body, "")


def labelled() -> Table:
    """Return an empty table of labels and texts, one row each."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=LABEL_WIDTH, style="bold")
    grid.add_column(overflow="fold")
    return grid


def add_known(grid: Table, known: str) -> None:
    """Add a row with up to when prices and news are known, where they end apart."""
    if known:
        grid.add_row("Data", Text(f"{known[0].upper()}{known[1:]}"))


def add_warnings(grid: Table, warnings: Sequence[str]) -> None:
    """Add one row per warning; one that came several times has one row, with how often."""
    for warning, count in Counter(warnings).items():
        often = f" ({count} times)" if count > 1 else ""
        grid.add_row(Text("Warning", style="yellow"), Text(clean(with_flags(warning)) + often))


def add_untraced(grid: Table, grounding: GroundingRecord | None) -> None:
    """Add a row with the unmatched figures, or one that says that there are no figures; none if all were matched."""
    if grounding and not grounding.figures:
        grid.add_row(Text("Figures", style="yellow"), Text("none: what the models wrote names no figure"))
    elif grounding and (unmatched := grounding.unmatched):
        figures = ", ".join(dict.fromkeys(one_line(untraced.figure) for untraced in unmatched[:SHOWN_FIGURES]))
        more = "" if len(unmatched) <= SHOWN_FIGURES else " …"
        text = f"{len(unmatched)} of {grounding.figures} not found in the data: {clean(figures)}{more}"
        grid.add_row(Text("Figures", style="yellow"), Text(text))


def print_market(console: Console, note: str | None) -> None:
    """Print that a market is made up; nothing for a real one."""
    if note:
        console.print(Text(note, style="yellow"), soft_wrap=True)


def usage_line(usage: UsageRecord, timing: TimingRecord) -> str:
    """Write model use and time as one line."""
    cached = f" ({words.count(usage.cached_tokens)} cached)" if usage.cached_tokens else ""
    replayed = f"{words.count(usage.replayed_calls)} replayed · " if usage.replayed_calls else ""
    return (
        f"{replayed}{words.count(usage.llm_calls)} model calls · "
        f"{words.count(usage.input_tokens)} tokens in{cached} · "
        f"{words.count(usage.output_tokens)} out · {words.usd(usage.cost_usd)} · "
        f"{words.duration(timing.wall_s)}"
    )


def action_text(action: str) -> Text:
    """Return an action in its colour."""
    return Text(words.action_words(action), style=ACTION_STYLE.get(action, "bold"))


def signed(percentage: float | None, symbol: str = "") -> Text:
    """Return a signed change in percent, green for good news and red for bad.

    Args:
        percentage: The change; None is shown as not known.
        symbol: Of the index that changed; for some, a rise is bad news.
    """
    text = words.change(percentage)
    good = {"good": "green", "bad": "red"}.get(good_or_bad(symbol, percentage), "dim")
    return Text(text, style=good if text[0] in "+-" else "dim")


def cut(text: str, chars: int = WORDS_CHARS) -> str:
    """Return a model's words as plain text on one line, cut between words."""
    line = one_line(plain(text))
    return line if len(line) <= chars else f"{line[:chars].rpartition(' ')[0]} …"


def reasoned_table(columns: Sequence[Column], reason: str, rows: Sequence[Row], width: int) -> RenderableType:
    """Return a table whose rows each end with a text.

    The text is the last column on a wide terminal, and on its own lines below the row otherwise.

    Args:
        columns: All but the text's column.
        reason: Header of the text's column.
        rows: The cells of a row, and its text.
        width: Columns of the terminal.
    """
    return _beside(columns, reason, rows) if width >= WIDE else _below(columns, rows, width)


def _beside(columns: Sequence[Column], reason: str, rows: Sequence[Row]) -> Table:
    table = Table(box=None, padding=(0, 1), header_style="bold", pad_edge=False, expand=True)
    for column in columns:
        table.add_column(
            column.name,
            justify="right" if column.right else "left",
            no_wrap=True,
            overflow="ellipsis",
            max_width=NAME_WIDTH if column.gives_way else None,
        )
    table.add_column(reason, ratio=1, style="dim")
    for cells, said in rows:
        table.add_row(*cells, Text(cut(said)))
    return table


def _below(columns: Sequence[Column], rows: Sequence[Row], width: int) -> Group:
    """Stack rows and texts; every row is its own table, so their widths are set alike."""
    head: Row = ([Text(column.name, style="bold") for column in columns], "")
    widths = _widths(columns, [cells for cells, _ in (head, *rows)], width)
    lines: list[RenderableType] = []
    for cells, said in (head, *rows):
        line = Table.grid(padding=(0, GAP))
        for number, cell_width in widths.items():
            justify: JustifyMethod = "right" if columns[number].right else "left"
            line.add_column(width=cell_width, justify=justify, no_wrap=True, overflow="ellipsis")
        line.add_row(*(cells[number] for number in widths))
        lines += [line, Padding(Text(cut(said), style="dim"), (0, 0, 0, GAP))] if said else [line]
    return Group(*lines)


def _widths(columns: Sequence[Column], rows: Sequence[Sequence[Text]], width: int) -> dict[int, int]:
    """Return the widths of the columns.

    If they don't fit, the widest shrinkable ones shrink; if that isn't enough, columns are left out, shrinkable ones
    first, then from the right.
    """
    widths = {number: max(cell_len(cells[number].plain) for cells in rows) for number in range(len(columns))}

    def excess() -> int:
        return sum(widths.values()) + GAP * (len(widths) - 1) - width

    while excess() > 0 and len(widths) > 1:
        giving = [number for number in widths if columns[number].gives_way]
        widest = max(giving, key=lambda number: widths[number], default=max(widths))
        if widest in giving and widths[widest] > MIN_WIDTH:
            widths[widest] -= 1
        else:
            del widths[giving[-1] if giving else widest]
    return widths


def print_places(console: Console, places: Sequence[tuple[str, str]]) -> None:
    """Print paths on one line so that they can be copied, with a link if the terminal supports it."""
    width = max(LABEL_WIDTH, *(len(name) for name, _ in places))
    for name, path in places:
        if path:
            shown = _shown_path(path) if console.is_terminal else path
            console.print(Text.assemble((f"{name:<{width}} ", "bold"), (shown, _link(path))), soft_wrap=True)


def _shown_path(path: str) -> str:
    """Return the shortest form of a path: relative to the current folder, or to the home folder."""
    full = Path(path)
    for start, mark in ((working_folder(), ""), (home_folder(), "~")):
        if start is not None and full.is_relative_to(start) and start != Path(start.anchor):
            return str(Path(mark) / full.relative_to(start))
    return path


def _link(path: str) -> str:
    return f"link {Path(path).as_uri()}" if Path(path).is_absolute() else ""
