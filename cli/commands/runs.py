"""`tradingagents runs`: list, show, resume, seal, verify, export, compare and delete earlier runs; sum their cost."""

from __future__ import annotations

from ..groups import CommandEntry, command_group, exit_codes

HELP = "Manage earlier runs: list, show, open, resume, seal, verify, export, compare, delete, and sum their cost."
_CODES = "Exit codes: 0 done · 2 usage · 3 configuration · 130 interrupted."
_OF_A_RUN = "Exit codes: 0 done · 2 usage, or no such run · 3 configuration · 130 interrupted."
_RESUMED = exit_codes(several=False)

app = command_group(
    HELP,
    {
        "list": CommandEntry("runs_list:list_runs", "List earlier runs, newest first.", _CODES),
        "show": CommandEntry(
            "runs_show:show", "Show an earlier run: its decision, evidence, use and files.", _OF_A_RUN
        ),
        "open": CommandEntry("runs_open:open_page", "Open a run's page in the browser.", _OF_A_RUN),
        "resume": CommandEntry(
            "runs_resume:resume",
            "Resume a run that was killed, stopped or failed, without repeating finished steps.",
            _RESUMED,
        ),
        "approve": CommandEntry(
            "runs_resume:approve", "Approve the decision proposed by a run with --approve: it becomes final.", _RESUMED
        ),
        "revise": CommandEntry(
            "runs_resume:revise",
            "Send a proposed decision back to the risk manager with a note; the new one awaits approval again.",
            _RESUMED,
        ),
        "reject": CommandEntry("runs_resume:reject", "Reject a proposed decision: the run ends without one.", _RESUMED),
        "costs": CommandEntry(
            "runs_costs:costs",
            "Sum use and cost of model calls over analyses and scans, including unfinished ones.",
            _CODES,
        ),
        "seal": CommandEntry(
            "runs_seal:seal",
            "Write a dossier: a finished run with its data, prompts, replies and evidence in one file.",
            "Exit codes: 0 done · 2 usage, or no such run · 3 it cannot be recomputed · 130 interrupted.",
        ),
        "verify": CommandEntry(
            "runs_verify:verify",
            "Verify a dossier by recomputing its run, or every number of a research run from the cells that it stored.",
            "Exit codes: 0 all holds · 2 usage, or no such file or run · 3 configuration · 5 something was changed or "
            "does not follow · 6 the limit was reached.",
        ),
        "export": CommandEntry(
            "runs_export:export",
            "Write a run's report as Markdown, HTML, PDF or XLSX, or pack runs into a ZIP file.",
            _OF_A_RUN,
        ),
        "compare": CommandEntry(
            "runs_compare:compare",
            "Compare two deep reports of one company: what changed and why.",
            _OF_A_RUN,
        ),
        "delete": CommandEntry(
            "runs_delete:delete",
            "Delete the folders of earlier runs permanently; lessons drawn from them stay.",
            _OF_A_RUN,
        ),
    },
)
