"""`tradingagents runs verify`: compute the numbers of a research run again from the cells that it kept."""

from __future__ import annotations

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from .runs_show import Run

DIFFERS = 5
"""Exit code where a number does not follow."""


@with_options(options.LIST, lambda given: {"run_id": given["run"]})
def verify(run: Run, *, flags: Flags, terminal: Terminal) -> int:
    """Compute every number of a research run again from the cells that it kept, and name those that differ."""
    from tradingagents.store.run_index import RunIndex
    from tradingagents.workflows.records.verify import verify_research

    from ..text import clean

    found = verify_research(RunIndex(read_both(flags)[0].home_dir).find(run).card() or {})
    code = 0 if found.sound else DIFFERS
    if terminal.json:
        terminal.print_json(found.to_json())
        return code
    for problem in found.problems:
        terminal.out.print(clean(str(problem)), markup=False, soft_wrap=True)
    verdict = "every number follows" if found.sound else f"{len(found.problems)} do not follow"
    told = f"{found.run_id}: {found.figures} figures and {found.numbers} numbers of the answer verified; {verdict}."
    terminal.out.print(told, markup=False, soft_wrap=True)
    return code
