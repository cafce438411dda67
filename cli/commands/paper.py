"""`tradingagents paper`: accounts that decide after each close and trade at the next open, with no money."""

from __future__ import annotations

from ..groups import CommandEntry, command_group, exit_codes

app = command_group(
    "Trade on paper: decide after each close, fill at the next open, with no money.",
    {
        "init": CommandEntry("paper_init:init", "Make a paper account: its cash, tickers, limits and costs."),
        "run": CommandEntry(
            "paper_run:run",
            "Take an account through the sessions that have closed since its last run, and decide.",
            exit_codes(several=False, approval=False),
        ),
        "status": CommandEntry(
            "paper_show:status", "Show positions, cash, waiting orders, decisions and return against the benchmark."
        ),
        "list": CommandEntry("paper_show:list_", "List the paper accounts."),
        "verify": CommandEntry(
            "paper_show:verify",
            "Check the ledger, the book and the decisions of an account.",
            "Exit codes: 0 they agree · 1 they do not · 2 usage · 3 a file is damaged.",
        ),
    },
)
