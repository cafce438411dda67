"""`ask`: answers a capability with what the home folder adds to it, and writes the files that an answer makes."""

from __future__ import annotations

from datetime import date
from typing import Any

from tradingagents.dataflows.config import current_settings
from tradingagents.dataflows.gateway.router import Vendors
from tradingagents.dataflows.results import Result
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.settings import Settings


def ask(
    name: str,
    /,
    *,
    as_of: str | date | None = None,
    settings: Settings | None = None,
    vendors: Vendors | None = None,
    **arguments: Any,
) -> Result:
    """Answer a capability: `ask("get_fundamentals", ticker="AAPL", as_of="2025-03-14")`.

    Args:
        name: Name or alias of the capability.
        as_of: Day of the question; nothing known only later is in the answer. None: the latest date among the
            arguments, else today.
        settings: Chooses the vendors and the home folder; None: those of `dataflows.config`.
        vendors: Open vendors; None opens them.
        **arguments: As the capability declares them; values may be text.

    Returns:
        The typed result; `to_markdown()` shows it.

    Raises:
        UsageError: There is no such capability, or it takes other arguments; the message names the right ones.
        TradingAgentsError: As the vendor and the analytics raise, or as files of the home folder cannot be used.
    """
    return Kernel(settings or current_settings(), vendors=vendors).ask(name, arguments, as_of=as_of)
