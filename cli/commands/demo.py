"""`tradingagents demo`: one whole run with no key and no network."""

from __future__ import annotations

from dataclasses import replace

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags

TICKER, DAY = "VELQ", "2025-03-14"
"""A company of the simulated market, and the day of its study."""


@with_options(options.DEMO, lambda _: {"ticker": TICKER, "trade_date": DAY})
def demo(*, flags: Flags, terminal: Terminal) -> int:
    """Run the first analysis: no key, no network, an invented company; ends with a decision and its report."""
    from tradingagents.graph.trading.kind import TRADING

    from ..grid_command import GridCommand

    offline = replace(flags, offline=True, llm_provider="offline", data_vendor="simulated", approve=False)
    code = GridCommand(kind=TRADING, words=(TICKER, DAY)).run(offline, terminal)
    if code == 0 and not (terminal.quiet or terminal.json):
        terminal.err.print(
            f"{TICKER} and its market are invented, and rules decided. With the key of a model the same agents study a "
            "real stock: see `tradingagents analyze --help`.",
            style="dim",
            markup=False,
            highlight=False,
            soft_wrap=True,
        )
    return code
