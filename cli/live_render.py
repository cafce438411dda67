"""Rendering of live progress: one run as a panel of its agents, multiple runs as a table with one row each."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache

from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from tradingagents.reports import formatting as words

from .progress import AgentProgress, Reading, RunProgress, Spent, State, ToolCall
from .text import one_line, plain

MARK = {"waiting": "·", "done": "✓", "failed": "✗"}
STYLE: dict[State, str] = {"waiting": "dim", "working": "bold cyan", "done": "green", "failed": "bold red"}
SPINNER = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
FRAMES_A_SECOND = 8
WIDE = 110
"""Minimum width for a call's arguments and full token counts."""
SHOWN_TOOLS = 4
SHOWN_WARNINGS = 2
LINES_AROUND = 8
"""Lines of and below a panel other than agents, tool calls and warnings."""
ROOM_FOR_BOTH = 12
"""Minimum lines next to the agents' for tool calls and the text in progress in a narrow panel."""
SIDE_LINES_AROUND = 5
"""Lines of a wide panel that aren't available for the text next to the agents."""
PANE_LINES_AROUND = 6
"""Lines of and below an active panel, other than agents, tool calls, warnings and the text in progress."""
PANEL_EDGES = 4
MIN_PANE = 3
READ_CHARS = 4000
"""Number of final characters of a text in progress that are searched for its newest lines."""
PAGE_SECONDS = 6.0
"""How long each page of a finished text is shown."""
ROWS_AROUND = 6
"""Lines of the table of tickers that aren't a ticker's."""


def run_panel(run: RunProgress, now: datetime, *, width: int, height: int) -> Panel:
    """Draw one run: its agents by phase, the latest tool calls if there is room, warnings, model use."""
    wide, phases = width >= WIDE, [agent.phase for agent in run.agents.values()]
    agents = Table.grid(padding=(0, 1), expand=True)
    agents.add_column(width=max(map(len, phases)), style="bold")
    agents.add_column(width=1)
    agents.add_column(width=24, no_wrap=True)
    agents.add_column(width=7, justify="right", style="dim")
    agents.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    phase = ""
    for agent in run.agents.values():
        agents.add_row(
            "" if agent.phase == phase else agent.phase,
            mark(agent.state, now),
            Text(agent.name + (f" ({agent.turns})" if agent.turns > 1 else ""), style=_name_style(agent.state)),
            short_time(agent.seconds(now)) if agent.turns else "",
            _note(agent, wide=wide),
        )
        phase = agent.phase
    parts: list[RenderableType] = [agents]
    room = height - len(run.agents) - LINES_AROUND
    side_by_side = wide and run.reading is not None and not run.ended
    shown = 0
    if run.tools and room > (SHOWN_WARNINGS if wide or run.reading is None else ROOM_FOR_BOTH):
        shown = min(SHOWN_TOOLS, room - SHOWN_WARNINGS, len(run.tools))
        parts += ["", *(_tool_line(call, wide=wide and not side_by_side) for call in list(run.tools)[-shown:])]
    if run.reading and not run.ended and not wide:
        warned = len(run.warnings[-SHOWN_WARNINGS:])
        below = height - len(run.agents) - PANE_LINES_AROUND - warned - (shown + 1 if shown else 0)
        parts += _pane(run.reading, now, width - PANEL_EDGES, below)
    parts += [_line(f"! {warning}", "yellow") for warning in run.warnings[-SHOWN_WARNINGS:]]
    parts += ["", _line(spent_words(run.spent), "")]
    parts += [_line(run.outcome, STYLE[run.state])] if run.outcome else []
    title = Text.assemble((run.subject, "bold"), f" {run.day}" if run.day else " looks up prices")
    if side_by_side and run.reading:
        parts = [_side_by_side(parts, run.reading, now, width, height - SIDE_LINES_AROUND)]
    return Panel(
        Group(*parts),
        title=title,
        title_align="left",
        subtitle=short_time(run.seconds(now)),
        subtitle_align="right",
        border_style=STYLE[run.state] if run.state != "working" else "cyan",
        padding=(0, 1),
    )


def _side_by_side(
    parts: list[RenderableType], reading: Reading, now: datetime, width: int, lines: int
) -> RenderableType:
    """Put the text in progress next to the agents."""
    grid = Table.grid(padding=(0, 2), expand=True)
    grid.add_column(ratio=11)
    grid.add_column(ratio=9)
    room = int((width - PANEL_EDGES - 2) * 9 / 20) - 1
    grid.add_row(Group(*parts), Group(*_pane(reading, now, room, lines)[1:]))
    return grid


def _pane(reading: Reading, now: datetime, width: int, lines: int) -> list[RenderableType]:
    """Show the newest lines of a text in progress, or a finished text page by page.

    Args:
        now: The present; a written text turns its pages with it.
        width: Columns.
        lines: Lines, the blank one above and the heading included; fewer than three show nothing.
    """
    if lines < MIN_PANE:
        return []
    wrapped, room = _wrapped(reading.text[-READ_CHARS:] if not reading.written else reading.text, width), lines - 2
    pages = max(1, -(-len(wrapped) // room))
    page = int(max(0.0, (now - reading.since).total_seconds()) // PAGE_SECONDS) % pages
    at = page * room if reading.written else max(0, len(wrapped) - room)
    count = f" · page {page + 1} of {pages}" if reading.written and pages > 1 else ""
    heading = f"{reading.agent} {'wrote' if reading.written else 'is writing'}{count}"
    return ["", _line(heading, "bold"), *(Text(line, no_wrap=True) for line in wrapped[at : at + room])]


@lru_cache(maxsize=8)
def _wrapped(text: str, width: int) -> tuple[str, ...]:
    """Return a model's Markdown as plain lines of at most `width` columns, without the blank ones."""
    lines = (line for line in plain(text).splitlines() if line.strip(" |-:"))
    return tuple(part for line in lines for part in textwrap.wrap(line.lstrip("# "), max(20, width)))


def runs_table(
    runs: Sequence[RunProgress], now: datetime, *, width: int, height: int, scan: RunProgress | None = None
) -> Group:
    """Draw multiple runs, one row each, below their scan; if they don't fit, active ones first."""
    wide = width >= WIDE
    table = Table(box=None, padding=(0, 1), expand=True, header_style="dim", pad_edge=False)
    table.add_column("", width=1)
    table.add_column("Ticker", no_wrap=True, style="bold")
    table.add_column("Agents", width=12 if wide else 8, no_wrap=True)
    table.add_column("At work or decided", ratio=1, no_wrap=True, overflow="ellipsis")
    table.add_column("Calls", justify="right")
    table.add_column("Tokens in/out" if wide else "Tokens", justify="right", no_wrap=True)
    table.add_column("USD", justify="right", no_wrap=True)
    table.add_column("Time", justify="right", no_wrap=True, min_width=6)
    above = [scan] if scan else []
    shown = _that_fit(runs, max(3, height - ROWS_AROUND - len(above)))
    for run in (*above, *shown):
        table.add_row(
            mark(run.state, now),
            run.subject,
            _bar(run, 12 if wide else 8),
            _doing(run),
            *(_use_cells(run.spent, wide=wide) if run.spent.calls else ("", "", "")),
            short_time(run.seconds(now)) if run.began else "",
        )
    spent = _spent([*above, *runs])
    used = [_line(spent_words(spent), "")] if spent.calls else []
    return Group(table, "", *used, _totals(runs, hidden=len(runs) - len(shown)))


def mark(state: State, now: datetime) -> Text:
    """Return the symbol of a state; it is animated during work."""
    frame = SPINNER[int(now.timestamp() * FRAMES_A_SECOND) % len(SPINNER)]
    return Text(MARK.get(state, frame), style=STYLE[state])


def short_time(seconds: float) -> str:
    """Write a duration in at most six characters or so: 8.4 s, 59 s, 3:05, 1:02:00."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02d}" if minutes < 60 else f"{minutes // 60}:{minutes % 60:02d}:{rest:02d}"


def spent_words(spent: Spent) -> str:
    """Write model use as a phrase."""
    if not spent.calls:
        return "no model calls"
    cached = f" ({words.percent(spent.cached_tokens / spent.input_tokens)} cached)" if spent.cached_tokens else ""
    return (
        f"{spent.calls} model call{'' if spent.calls == 1 else 's'}, {words.count(spent.input_tokens)} tokens "
        f"in{cached}, {words.count(spent.output_tokens)} out, {words.usd(spent.cost_usd)}"
    )


def _name_style(state: State) -> str:
    return {"waiting": "dim", "working": "bold", "done": "", "failed": "red"}[state]


def _note(agent: AgentProgress, *, wide: bool) -> Text:
    text = _tail(agent.writing, 90 if wide else 32) if agent.writing.strip() else agent.note
    return Text(text, style="red" if agent.state == "failed" else "dim")


def _tail(text: str, length: int) -> str:
    """Return the last words of a reply that is being written."""
    flat = one_line(text[-4 * length :])
    return flat if len(flat) <= length else f"… {flat[-length:].partition(' ')[2]}"


def _tool_line(call: ToolCall, *, wide: bool) -> Text:
    """Return a tool's answer, with agent and arguments if there is room."""
    style = "red" if call.failed else "dim"
    asked = f"{call.agent}: {call.call}" if wide else call.tool
    return _line(f"{'✗' if call.failed else '→'} {asked}  {call.answer}", style)


def _line(text: str, style: str) -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")


def _that_fit(runs: Sequence[RunProgress], rows: int) -> list[RunProgress]:
    if len(runs) <= rows:
        return list(runs)
    order: dict[State, int] = {"working": 0, "failed": 1, "done": 2, "waiting": 3}
    return sorted(runs, key=lambda run: order[run.state])[:rows]


def _bar(run: RunProgress, width: int) -> Text:
    # A run that an earlier start had finished has no agent events.
    part = 1.0 if run.state == "done" else run.finished() / len(run.agents)
    filled = round(width * part)
    return Text.assemble(("█" * filled, STYLE[run.state]), ("░" * (width - filled), "bright_black"))


def _doing(run: RunProgress) -> Text:
    if run.state in ("done", "failed"):
        return Text(run.outcome, style=STYLE[run.state])
    if run.state == "waiting":
        return Text("waiting", style="dim")
    return Text(", ".join(agent.name for agent in run.at_work()) or run.outcome)


def _use_cells(spent: Spent, *, wide: bool) -> tuple[str, str, str]:
    """Return calls, tokens and cost in short form; an unknown cost is a question mark."""
    tokens = f"{(spent.input_tokens + spent.output_tokens) / 1000:.1f}k"
    if wide:
        tokens = f"{words.count(spent.input_tokens)}/{words.count(spent.output_tokens)}"
    return str(spent.calls), tokens, "?" if spent.cost_usd is None else f"{spent.cost_usd:.2f}"


def _spent(runs: Iterable[RunProgress]) -> Spent:
    """Return the total model use of multiple runs."""
    whole = Spent()
    for run in runs:
        whole.take_in(run.spent)
    return whole


def _totals(runs: Iterable[RunProgress], *, hidden: int) -> Text:
    counts = {state: sum(run.state == state for run in runs) for state in ("working", "done", "failed", "waiting")}
    line = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    return _line(line + (f" ({hidden} not shown)" if hidden else ""), "dim")
