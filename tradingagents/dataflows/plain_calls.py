"""Calls that name a tool and nothing else, such as `route_to_vendor("get_stock_data", "AAPL", …)`.

Tools are built on top of this package, which therefore does not import them: the package root names who answers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from tradingagents.dataflows.results import Result


class PlainAnswer(Protocol):
    """Answers a tool by name."""

    def __call__(self, name: str, /, *args: Any, **kwargs: Any) -> Result:
        """Answer; `settings` and `vendors` may be among the keyword arguments."""


_load: Callable[[], PlainAnswer] | None = None


def answer_plain_calls_with(load: Callable[[], PlainAnswer]) -> None:
    """Name what imports the tools and returns the function that answers; called once, by the package root."""
    global _load  # noqa: PLW0603 - set once, when the package is imported
    _load = load


def plain_answer() -> PlainAnswer:
    """Return the function that answers plain calls."""
    if _load is None:
        raise RuntimeError("the package root names who answers plain calls")
    return _load()
