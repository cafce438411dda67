"""`tradingagents backtest`: decisions of past days, traded against recorded prices and compared with baselines."""

from __future__ import annotations

from ..groups import CommandEntry, command_group, exit_codes

_CODES = exit_codes(several=False)
_AUDIT_CODES = (
    "Exit codes: 0 no fault was found · 2 usage · 3 configuration · 4 data unavailable · 5 the audit found a fault · "
    "6 budget reached · 130 interrupted."
)

app = command_group(
    "Test decisions of past days: decide, trade them against recorded prices, and score them.\n\nArguments that begin "
    "with an option are those of `run`.",
    {
        "run": CommandEntry(
            "backtest_run:run",
            "Trade decisions of past days against recorded prices, with costs, baselines and uncertainty.",
            _CODES,
        ),
        "decide": CommandEntry(
            "backtest_run:decide", "Make the decisions of a backtest and store them, without scoring.", _CODES
        ),
        "score": CommandEntry("backtest_run:score", "Score the decisions that are stored, and ask no model.", _CODES),
        "contamination": CommandEntry(
            "backtest_contamination:contamination",
            "Find out what the models may remember of a backtest's days, and whether they decide by data or by name.",
            _CODES,
        ),
        "plan": CommandEntry(
            "backtest_plan:plan", "Say what a backtest could see and what it would cost, and seal the plan.", _CODES
        ),
        "show": CommandEntry(
            "backtest_show:show", "Decide one day of a backtest again, with all its reports on disk.", _CODES
        ),
        "audit": CommandEntry(
            "backtest_audit:audit",
            "Audit a backtest: its knowledge of the future, its books, its figures and its data, from outside.",
            _AUDIT_CODES,
        ),
    },
    default="run",
)
