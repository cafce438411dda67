"""`tradingagents memory`: outcomes of decisions, lessons learned, and the scoreboard."""

from __future__ import annotations

from ..groups import CommandEntry, command_group

HELP = "Manage lessons: measure outcomes; list, show and delete lessons; show the scoreboard."
_CODES = "Exit codes: 0 done · 2 usage{two} · 3 configuration{more} · 130 interrupted."
_SETTLE = " · 4 prices missing · 5 model failure · 6 budget reached; of multiple failures, the first"
_OF_A_LESSON = _CODES.format(two=", or no such lesson", more="")

app = command_group(
    HELP,
    {
        "settle": CommandEntry(
            "memory_settle:settle",
            "Evaluate every decision whose window has passed: measure its outcome and draw a lesson for each agent.",
            _CODES.format(two="", more=_SETTLE),
        ),
        "list": CommandEntry(
            "memory_list:list_lessons",
            "List the agents' lessons, the most recently evaluated first.",
            _CODES.format(two="", more=""),
        ),
        "show": CommandEntry(
            "memory_list:show", "Show a lesson in full, with the situation it was drawn from.", _OF_A_LESSON
        ),
        "forget": CommandEntry(
            "memory_forget:forget",
            "Delete lessons permanently; the outcomes behind them stay on the scoreboard.",
            _OF_A_LESSON,
        ),
        "scoreboard": CommandEntry(
            "memory_scoreboard:scoreboard",
            "Show the quality of evaluated decisions: hit rate, mean excess return, calibration of stated confidence.",
            _CODES.format(two="", more=""),
        ),
    },
)
