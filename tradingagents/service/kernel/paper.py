"""Paper accounts of the home folder, for the capability `paper_accounts`."""

from __future__ import annotations

from dataclasses import asdict

from tradingagents.dataflows.results import Result
from tradingagents.features.backtest.capabilities.paper import PaperAccounts
from tradingagents.features.backtest.paper.account import PaperAccount
from tradingagents.features.backtest.paper.page import paper_document
from tradingagents.features.backtest.paper.status import in_short, list_paper_accounts, status_of, verify_paper
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import to_markdown
from tradingagents.settings import Settings


def with_paper_accounts(result: Result, settings: Settings) -> Result:
    """Add the accounts as they stood on the day of the question, or the one that is wanted.

    Raises:
        UsageError: The name is none of an account.
        NotFound: There is no such account.
        BookMismatch, UnreadableFile: Its files do not agree.
    """
    if not isinstance(result, PaperAccounts):
        raise TypeError("paper accounts belong to a list of paper accounts")
    home, name = settings.home_dir, result.wanted
    if not name:
        return result.model_copy(update={"accounts": list_paper_accounts(home, result.as_of)})
    account = PaperAccount(home, name)
    ledger = account.read_ledger().upto(result.as_of)
    status = status_of(account.plan, ledger, result.as_of)
    document = paper_document(home, status, ledger)
    return result.model_copy(
        update={
            "accounts": (in_short(status),),
            "status": status.to_json(),
            "verified": asdict(verify_paper(home, name)) if result.check else None,
            "report": to_markdown(document),
            "page": to_html(document) if result.with_page else "",
        }
    )
