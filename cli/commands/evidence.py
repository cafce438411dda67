"""`tradingagents evidence`: list, show and verify the evidence of deep reports."""

from __future__ import annotations

from ..groups import CommandEntry, command_group

HELP = "List, show and verify the evidence that deep reports rest on."
_CODES = "Exit codes: 0 done · 2 usage, or nothing found · 3 configuration, or changed evidence · 130 interrupted."

app = command_group(
    HELP,
    {
        "list": CommandEntry(
            "evidence_show:list_evidence", "List the stored evidence about a company, the surest first.", _CODES
        ),
        "show": CommandEntry("evidence_show:show", "Show one item with its quotation and source.", _CODES),
        "verify": CommandEntry(
            "evidence_show:verify", "Check that every frozen bundle of a company is unchanged.", _CODES
        ),
    },
)
