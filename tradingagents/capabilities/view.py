"""What the user is looking at, for a conversation; empty where nobody looks at anything."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import ClassVar

from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.schemas.workspace import OpenOnScreen


class CurrentView(OpenOnScreen, Result):
    """The symbols, page, run, filing and chart that are open in the user's session."""

    tabulated: ClassVar[bool] = True

    selection: str = ""
    """Text that the user has selected."""
    linked: bool = False
    """Whether a session has told what is open."""

    @property
    def title(self) -> str:
        """Heading."""
        return "Current view"

    def figures(self) -> tuple[Figure, ...]:
        """Return no figures."""
        return ()

    def body(self) -> str:
        """Return what is open, a line each."""
        if not self.linked:
            return "No session has told what is open."
        lines = {
            "Symbols": ", ".join(self.symbols),
            "Page": self.page,
            "Run": self.run_id,
            "Filing": self.document_id,
            "Chart": self.chart,
            "Selected text": self.selection,
        }
        return "\n".join(f"- {name}: {value}" for name, value in lines.items() if value) or "Nothing is open."


@capability(title="Current view", returns=CurrentView, requires=())
def current_view_context(data: MarketData) -> CurrentView:
    """What the user of this session is looking at: symbols, page, run, filing, chart, selected text."""
    return CurrentView(as_of=data.as_of, source="session", fetched_at=datetime.now(UTC))
