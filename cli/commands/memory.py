"""`tradingagents memory`: outcomes of decisions, lessons learned, and the scoreboard."""

from __future__ import annotations

from ..help import GroupedCommand, command_group
from . import memory_forget, memory_list, memory_scoreboard, memory_settle

HELP = "Manage lessons: measure outcomes; list, show and delete lessons; show the scoreboard."

app = command_group(HELP)
_CODES = "Exit codes: 0 done · 2 usage{two} · 3 configuration{more} · 130 interrupted."
_SETTLE = " · 4 prices missing · 5 model failure · 6 budget reached; of multiple failures, the first"
app.command("settle", cls=GroupedCommand, epilog=_CODES.format(two="", more=_SETTLE))(memory_settle.settle)
app.command("list", cls=GroupedCommand, epilog=_CODES.format(two="", more=""))(memory_list.list_lessons)
app.command("show", cls=GroupedCommand, epilog=_CODES.format(two=", or no such lesson", more=""))(memory_list.show)
app.command("forget", cls=GroupedCommand, epilog=_CODES.format(two=", or no such lesson", more=""))(
    memory_forget.forget
)
app.command("scoreboard", cls=GroupedCommand, epilog=_CODES.format(two="", more=""))(memory_scoreboard.scoreboard)
