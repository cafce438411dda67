"""`tradingagents paper status|list|verify`: show and check paper accounts without asking vendors or models."""

from __future__ import annotations

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both
from .paper_init import AccountName


@with_options(options.LIST, lambda given: {"account": given["account"]})
def status(account: AccountName = "main", *, flags: Flags, terminal: Terminal) -> int:
    """Show positions, cash, waiting orders, decisions and return against the benchmark."""
    with terminal.loading():
        from tradingagents.features.backtest.paper.status import paper_status

        from ..paper_output import print_status

        found = paper_status(read_both(flags)[0].home_dir, account)
    if terminal.json:
        terminal.print_json(found.to_json())
    else:
        print_status(terminal.out, found)
    return 0


@with_options(options.LIST)
def list_(*, flags: Flags, terminal: Terminal) -> int:
    """List the paper accounts."""
    with terminal.loading():
        from tradingagents.features.backtest.paper.status import list_paper_accounts

        from ..paper_output import print_accounts

        found = list_paper_accounts(read_both(flags)[0].home_dir)
    if terminal.json:
        terminal.print_json({"accounts": [one.model_dump(mode="json") for one in found]})
    elif found:
        print_accounts(terminal.out, found)
    elif not terminal.quiet:
        words = "There is no paper account; make one with: tradingagents paper init"
        terminal.err.print(words, markup=False, soft_wrap=True)
    return int(any(one.error for one in found))


@with_options(options.LIST, lambda given: {"account": given["account"]})
def verify(account: AccountName = "main", *, flags: Flags, terminal: Terminal) -> int:
    """Check the ledger, the book and the decisions of an account.

    Every line must have the hash that continues the line before, and every session must add up to the cent. The book
    must be what the postings give, and the stored decisions must be those that the ledger has.
    """
    from dataclasses import asdict

    with terminal.loading():
        from tradingagents.features.backtest.paper.status import verify_paper

        found = verify_paper(read_both(flags)[0].home_dir, account)
    if terminal.json:
        terminal.print_json({**asdict(found), "status": "verified"})
        return 0
    missing = f"; {found.not_stored} are no longer stored" if found.not_stored else ""
    words = f"{found.name}: {found.sessions} sessions and {found.decisions} decisions agree{missing}. {found.head}"
    terminal.print_text(words)
    return 0
