"""`tradingagents runs`: list, show, resume, export and delete earlier runs, and sum their cost."""

from __future__ import annotations

from ..help import GroupedCommand, command_group, exit_codes
from . import runs_costs, runs_delete, runs_export, runs_list, runs_open, runs_resume, runs_show

HELP = "Manage earlier runs: list, show, open, resume, export, delete, and sum their cost."

app = command_group(HELP)
_CODES = "Exit codes: 0 done · 2 usage{more} · 3 configuration · 130 interrupted."
app.command("list", cls=GroupedCommand, epilog=_CODES.format(more=""))(runs_list.list_runs)
app.command("show", cls=GroupedCommand, epilog=_CODES.format(more=", or no such run"))(runs_show.show)
app.command("open", cls=GroupedCommand, epilog=_CODES.format(more=", or no such run"))(runs_open.open_page)
for _command in (runs_resume.resume, runs_resume.approve, runs_resume.revise, runs_resume.reject):
    app.command(_command.__name__, cls=GroupedCommand, epilog=exit_codes(several=False))(_command)
app.command("costs", cls=GroupedCommand, epilog=_CODES.format(more=""))(runs_costs.costs)
app.command("export", cls=GroupedCommand, epilog=_CODES.format(more=", or no such run"))(runs_export.export)
app.command("delete", cls=GroupedCommand, epilog=_CODES.format(more=", or no such run"))(runs_delete.delete)
