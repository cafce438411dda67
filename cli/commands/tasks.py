"""`tradingagents tasks`: list, show, cancel and resume background work."""

from __future__ import annotations

from ..groups import CommandEntry, command_group

HELP = "Manage background tasks: list, show and follow, cancel, resume."
_CODES = "Exit codes: 0 done · 2 usage, or no such task · 3 configuration · 130 interrupted."
_RESUMED = "Exit codes: 0 done · 2 usage · 7 a person must approve · 130 interrupted · else as the task's error says."

app = command_group(
    HELP,
    {
        "list": CommandEntry("tasks_list:list_tasks", "List tasks, newest first.", _CODES),
        "show": CommandEntry(
            "tasks_show:show", "Show a task: its status, progress, result or error, runs and files.", _CODES
        ),
        "cancel": CommandEntry("tasks_cancel:cancel", "Stop a task for good, whichever process works on it.", _CODES),
        "resume": CommandEntry(
            "tasks_resume:resume",
            "Continue a task that failed or was interrupted, or answer one that waits for approval.",
            _RESUMED,
        ),
    },
)
