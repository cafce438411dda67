"""Making a paper account from a plan as a client sends it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tradingagents.errors import UsageError
from tradingagents.schemas.workspace import PaperAccountInfo


def opened_account(home: Path, plan: Mapping[str, Any]) -> PaperAccountInfo:
    """Make a paper account; what the plan leaves out is as `PaperPlan` has it.

    Raises:
        UsageError: A part is unknown or not valid, or there is an account of that name.
        HomeNotWritable: It cannot be written.
    """
    from tradingagents.features.backtest.paper.account import PaperAccount  # loads what decides and trades
    from tradingagents.features.backtest.paper.plan import PaperPlan

    usual = PaperPlan().to_json()
    known = (*usual, "exits")
    if unknown := [name for name in plan if name not in known]:
        raise UsageError(f"A plan of a paper account has no {unknown[0][:40]!r}; it has {', '.join(known)}.")
    whole = plan.get("every", 1)
    if not isinstance(plan.get("tickers", []), list | tuple) or not isinstance(whole, int) or isinstance(whole, bool):
        raise UsageError("The tickers of a paper account are a list, and the sessions between decisions whole.")
    try:
        made = PaperPlan.from_json({**usual, **plan})
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UsageError(
            "The plan of the paper account is not understood; numbers are numbers, tickers a list."
        ) from None
    PaperAccount.create(home, made)
    return PaperAccountInfo(account=made.name, plan=made.to_json())
