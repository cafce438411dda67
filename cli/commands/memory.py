"""`tradingagents memory`: outcomes of decisions, the lessons drawn from them, and how good the decisions were."""

from __future__ import annotations

from ..help import GroupedCommand, command_group
from . import memory_forget, memory_list, memory_scoreboard, memory_settle

HELP = "Look after what the agents learned: settle outcomes, list, show and forget lessons, keep score."

app = command_group(HELP)
_CODES = "Exit codes: 0 done · 2 usage{two} · 3 configuration{more} · 130 interrupted."
_SETTLE = " · 4 prices missing · 5 model failure · 6 budget reached; of several, the first thing that went wrong"
app.command("settle", cls=GroupedCommand, epilog=_CODES.format(two="", more=_SETTLE))(memory_settle.settle)
app.command("list", cls=GroupedCommand, epilog=_CODES.format(two="", more=""))(memory_list.list_lessons)
app.command("show", cls=GroupedCommand, epilog=_CODES.format(two=", or no such lesson", more=""))(memory_list.show)
app.command("forget", cls=GroupedCommand, epilog=_CODES.format(two=", or no such lesson", more=""))(
    memory_forget.forget
)
app.command("scoreboard", cls=GroupedCommand, epilog=_CODES.format(two="", more=""))(memory_scoreboard.scoreboard)
