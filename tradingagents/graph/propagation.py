"""`Propagator`: first state and arguments for scripts that run the compiled graph themselves."""

from __future__ import annotations

from datetime import date
from typing import Any

from tradingagents.dataflows.cutoff import parse_day
from tradingagents.dataflows.reference.symbols import normalise


class Propagator:
    """Makes the first state and the arguments of `graph.stream` and `graph.invoke`."""

    def __init__(self, max_recur_limit: int = 100) -> None:
        """Set the number of steps after which LangGraph stops a run."""
        self.max_recur_limit = max_recur_limit

    def create_initial_state(self, company_name: str, trade_date: str | date) -> dict[str, Any]:
        """Return the first state of a run.

        Raises:
            BadSymbol: It is no ticker.
            BadDate: It is no date.
        """
        return {"company_of_interest": normalise(company_name), "trade_date": parse_day(trade_date).isoformat()}

    def get_graph_args(self, callbacks: list[Any] | None = None) -> dict[str, Any]:
        """Return the keyword arguments to run the graph with: `graph.stream(state, **arguments)`."""
        config: dict[str, Any] = {"recursion_limit": self.max_recur_limit}
        return {"stream_mode": "values", "config": {**config, "callbacks": callbacks} if callbacks else config}
