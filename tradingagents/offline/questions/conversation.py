"""What the rules of a conversation read: the question, what was said before, and the typed results of tools."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from tradingagents.retrieval.questions.companies import Instruments

ASK_ANY = "ask_capability"
"""The tool that calls any capability by its name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CalledTool:
    """What a call of a tool gave: figures, texts, files, and what it started."""

    failed: bool = False
    label: str = ""
    """By which a memo cites it, such as `T1`."""
    title: str = ""
    symbol: str | None = None
    as_of: str = ""
    """Day of the answer; empty for what is no capability."""
    figures: Mapping[str, float] = field(default_factory=dict)
    shown: Mapping[str, str] = field(default_factory=dict)
    """Figures as written, with their unit."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """Texts of the typed result by their place in it, such as `regime` or `symbols.0.decision.action`."""
    artifacts: tuple[str, ...] = ()
    task_id: str = ""
    """Task that the call started."""
    approval_id: str = ""
    """Approval that the call waits for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolFact(CalledTool):
    """What one tool call of a conversation gave."""

    tool: str
    arguments: Mapping[str, Any]
    reason: str = ""
    """Why it failed, or what it said where it is no capability."""

    @property
    def answered_by(self) -> str:
        """The capability that was called, by itself or through `ask_capability`."""
        return str(self.arguments.get("name", "")) if self.tool == ASK_ANY else self.tool

    @property
    def given(self) -> Mapping[str, Any]:
        """The arguments of the capability."""
        inner = self.arguments.get("arguments") if self.tool == ASK_ANY else self.arguments
        return inner if isinstance(inner, Mapping) else {}

    @property
    def subject(self) -> str:
        """The symbol it was asked about; empty for the market."""
        named = self.symbol or self.given.get("ticker") or self.given.get("symbol") or ""
        return str(named)


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoFact:
    """A persona's memo, as the assistant received it."""

    tool: str
    title: str
    stance: str
    confidence: int
    thesis: str
    key_evidence: tuple[str, ...] = ()
    risks: tuple[str, ...] = ()
    supported: bool = True
    by_rules: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedQuestion:
    """A question of the conversation with what was found for it."""

    question: str
    results: tuple[ToolFact, ...] = ()
    memos: tuple[MemoFact, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedTool:
    """A tool that can be called."""

    name: str
    summary: str = ""
    required: tuple[str, ...] = ()
    """Names of the arguments that must be given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationBrief:
    """What an agent of a conversation knows when it is asked."""

    now: AskedQuestion
    """The question of this turn."""
    before: tuple[AskedQuestion, ...] = ()
    """Earlier questions, oldest first."""
    day: date
    symbols: tuple[str, ...] = ()
    """Symbols that are open or were spoken of, latest first."""
    instruments: Instruments | None = None
    """What the source of the data knows; None: the companies of the reference list."""
    tools: Mapping[str, OfferedTool] = field(default_factory=dict)
    catalogue: tuple[OfferedTool, ...] = ()
    """Every capability, also those that are called by `ask_capability`."""
    kinds: tuple[str, ...] = ()
    """Kinds of tasks that can be started."""
    topics: tuple[str, ...] = ()
    """On what companies can be compared."""
    method: str = ""
    """Of a persona: the rules that write its memo."""
    evidence: int = 5
    """Of a persona: most items of evidence."""
    out_of_scope: str = ""
    """Of a persona: what it has no method for."""
