"""Paper accounts of the home folder: a list, and where one of them stands."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any, ClassVar

from pydantic import BaseModel, ConfigDict, computed_field

from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.files.plain_text import one_line


class PaperAccountSummary(BaseModel):
    """One paper account in short. Money in its currency, returns as fractions."""

    model_config = ConfigDict(frozen=True)

    account: str
    tickers: tuple[str, ...]
    """Empty for one that follows the watch list."""
    currency: str = ""
    first_session: date | None = None
    """None before it is first run."""
    last_session: date | None = None
    sessions: int = 0
    equity: float = 0.0
    total_return: float = 0.0
    benchmark: str | None = None
    benchmark_return: float | None = None
    """None where it is not known."""
    positions: int = 0
    orders: int = 0
    """Orders for the next open."""
    error: str = ""
    """Why it cannot be read; then only its name is known."""

    @computed_field
    def said(self) -> str:
        """The same in a sentence."""
        if self.error:
            return f"{self.account}: {one_line(self.error)}"
        what = ", ".join(self.tickers[:8]) + (" …" if len(self.tickers) > 8 else "") or "the watch list"
        if self.last_session is None:
            return f"{self.account}: {what}; {self.equity:,.2f} {self.currency}, not run yet"
        compared = "" if self.benchmark_return is None else f", {self.benchmark} {100 * self.benchmark_return:+.2f} %"
        return (
            f"{self.account}: {what}; {self.equity:,.2f} {self.currency} on {self.last_session} "
            f"({100 * self.total_return:+.2f} % since {self.first_session}{compared}); positions: {self.positions}, "
            f"orders for the next open: {self.orders}"
        )


class PaperAccounts(Result):
    """The paper accounts by name; with a name where one of them stands."""

    tabulated: ClassVar[bool] = True

    wanted: str = ""
    """The account that was named; empty for all."""
    with_page: bool = False
    accounts: tuple[PaperAccountSummary, ...] = ()
    status: dict[str, Any] | None = None
    """Of the one that was named: what `tradingagents paper status --json` prints."""
    verified: dict[str, Any] | None = None
    """What `tradingagents paper verify` has compared, where it was asked for."""
    check: bool = False
    report: str = ""
    """The account that was named, as Markdown."""
    page: str = ""
    """The same as HTML with a chart, where it was asked for."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Paper account {self.wanted}" if self.report else "Paper accounts"

    def figures(self) -> tuple[Figure, ...]:
        """Return no figures: those of an account belong to its own ledger."""
        return ()

    def body(self) -> str:
        """Return the account, or the list."""
        if self.report:
            return self.report
        none = "There is no paper account; `tradingagents paper init` makes one."
        return "\n".join(f"- {account.said}" for account in self.accounts) or none


@capability(returns=PaperAccounts, requires=(), quotes_documents=True)
def paper_accounts(data: MarketData, account: str = "", verify: bool = False, page: bool = False) -> PaperAccounts:
    """List the paper accounts as they stood on the day of the question, or show one: positions, orders, decisions.

    Args:
        account: Name of an account; empty lists all.
        verify: Also check its ledger, its book and the stored decisions; an error says what does not agree.
        page: Also return its page as HTML, with its value next to that of its benchmark.
    """
    return PaperAccounts(
        as_of=data.as_of,
        source="home folder",
        fetched_at=datetime.now(UTC),
        wanted=account.strip(),
        check=verify,
        with_page=page,
    )
