"""`FinalDecision`, which `propagate` returns: the action as a `str`, with the other fields as attributes."""

from __future__ import annotations

from typing import Any, Self

from tradingagents.agents.decision_text import render_decision
from tradingagents.agents.schemas import Decision
from tradingagents.files.notebook_html import markdown_html
from tradingagents.schemas.portfolio import HolderRecord


class FinalDecision(str):
    """BUY, SELL, HOLD or NO_DECISION as text, with the fields of the `Decision` as attributes.

    It works wherever a string does (`"SELL" in decision`, `json.dumps`, f-string padding, a dict's key), and
    `decision.confidence`, `decision.rationale` and every other field of `Decision` can be read from it.
    """

    decision: Decision
    """The whole decision."""
    holder: HolderRecord | None
    """What it means for the book that the run was given; None where it was given none."""

    def __new__(cls, decision: Decision, holder: HolderRecord | None = None) -> Self:
        """Wrap a decision, and what it means for a book."""
        self = super().__new__(cls, decision.action)
        self.decision, self.holder = decision, holder
        return self

    def __getattr__(self, name: str) -> Any:
        if name in ("decision", "holder") or name.startswith(
            "__"
        ):  # while a copy is being made there is no decision yet
            raise AttributeError(name)
        return getattr(self.decision, name)

    def __reduce__(self) -> tuple[type[Self], tuple[Decision, HolderRecord | None]]:
        return type(self), (self.decision, self.holder)

    def _repr_html_(self) -> str:
        """Return the decision as a notebook shows it."""
        return markdown_html(f"### {self.decision.action}\n\n{render_decision(self.decision)}")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *type(self.decision).model_fields, "holder", "rating"})
