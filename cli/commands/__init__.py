"""The commands of `tradingagents`: one file each, and the table from which one is imported when it is used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ..groups import CommandEntry, KindEntry, exit_codes

if TYPE_CHECKING:
    from tradingagents.runtime.kind import RunKind

_SCAN_CODES = exit_codes(five="no summary or model failure", several=False, approval=False)
_CHECK_CODES = (
    "Exit codes: 0 no figure is contradicted · 2 usage · 3 configuration · 4 unreadable report, or no data · "
    "5 the data contradict a figure · 130 interrupted."
)
_VALUE_CODES = "Exit codes: 0 valued · 2 usage · 3 configuration · 4 data unavailable · 130 interrupted."
_MCP_CODES = "Exit codes: 0 the client has gone · 2 usage · 3 configuration · 130 interrupted."
_CHAT_CODES = exit_codes(five="model failure", several=False, approval=False)
_DOCTOR_CODES = (
    "Exit codes: 0 analyze and scan would work · 2 usage · 3 the set-up must be mended · 4 a vendor does not answer."
)

_RESEARCH_CODES = (
    "Exit codes: 0 answered · 2 usage · 3 configuration · 4 data unavailable · 5 nothing found or model failure · "
    "6 budget reached · 7 waits for the user · 130 interrupted."
)
_DEBATE_CODES = (
    "Exit codes: 0 concluded · 2 usage · 3 configuration · 4 no twelve months of statements, or data "
    "unavailable · 5 no verdict or model failure · 6 budget reached · 7 waits for hints · 130 interrupted."
)

_COMPARE_CODES = (
    "Exit codes: 0 compared · 2 usage · 3 configuration · 4 data unavailable · 5 nothing found or model failure · "
    "6 budget reached · 130 interrupted."
)

COMMANDS: Mapping[str, CommandEntry] = {
    "analyze": KindEntry(
        "tradingagents.graph.trading.kind:trading",
        "Analyze tickers for a day and decide: buy, sell or hold, and why.",
        exit_codes(),
    ),
    "demo": CommandEntry(
        "demo:demo",
        "Run the first analysis: no key, no network, an invented company; ends with a decision and its report.",
        exit_codes(several=False, approval=False),
    ),
    "scan": KindEntry("tradingagents.graph.scan.kind:scan", "Scan the market for stocks worth analyzing.", _SCAN_CODES),
    "auto": CommandEntry(
        "auto:auto",
        "Scan the market, analyze each candidate and rank the decisions.",
        exit_codes(),
        kinds=("tradingagents.features.batch.kind",),
    ),
    "ask": CommandEntry("ask:app", "Answer a question about a stock or the market from data: no model is asked."),
    "chat": CommandEntry(
        "chat:chat",
        "Talk with the assistant: it looks things up, weighs investors' views, and starts analyses and research.",
        _CHAT_CODES,
        kinds=("tradingagents.features.assistant.kind",),
    ),
    "research": KindEntry(
        "tradingagents.features.research.kind:research",
        "Research a question about companies or markets: plan, carry out, judge, and answer with sources.",
        _RESEARCH_CODES,
    ),
    "compare": KindEntry(
        "tradingagents.features.compare.kind:company_comparison",
        "Compare companies: research on each, then one answer with a table of comparable figures and its sources.",
        _COMPARE_CODES,
    ),
    "report": KindEntry(
        "tradingagents.features.deep_report.kind:deep_report",
        "Write a deep report on a company: hypotheses, evidence with sources, both sides, and what it is worth.",
        _RESEARCH_CODES,
    ),
    "evidence": CommandEntry("evidence:app", "List, show and verify the evidence that deep reports rest on."),
    "thesis": CommandEntry(
        "thesis:app",
        "Save theses on companies with their figures and what would prove them wrong; list and show them.",
    ),
    "debate": KindEntry(
        "tradingagents.features.debate.kind:debate",
        "Debate a company: bull against bear from the same evidence, a verdict, and what would change it.",
        _DEBATE_CODES,
        kinds=("tradingagents.features.debate.question_kind",),
    ),
    "why": CommandEntry(
        "why:why",
        "Say why the decision is another one on a later day, and what turned it.",
        "Exit codes: 0 explained · 2 usage · 3 configuration · 4 data unavailable · 130 interrupted.",
        kinds=("tradingagents.features.why.kind",),
    ),
    "value": CommandEntry(
        "value:value",
        "Say what a company is worth, with the bridge to its share and the growth that its price implies.",
        _VALUE_CODES,
        kinds=("tradingagents.features.valuation_report.kind",),
    ),
    "check": CommandEntry(
        "check:check", "Look every figure of anyone's report up in the data, and mark it on a page.", _CHECK_CODES
    ),
    "filings": CommandEntry(
        "filings:app",
        "Read filings and earnings calls, search them, and ask questions answered with citations.",
        kinds=("tradingagents.features.filings_qa.kind", "tradingagents.features.filings_grid.kind"),
    ),
    "mcp": CommandEntry(
        "mcp:mcp",
        "Serve capabilities, tasks and runs to agents of other programs by MCP, over stdin and stdout or HTTP.",
        _MCP_CODES,
    ),
    "backtest": CommandEntry(
        "backtest:app",
        "Test decisions of past days: decide, trade them against recorded prices, and score them.",
        kinds=("tradingagents.features.backtest.kind",),
    ),
    "paper": CommandEntry(
        "paper:app", "Trade on paper: decide after each close, fill at the next open, with no money."
    ),
    "record": CommandEntry(
        "record:app", "Commit each day's decisions before the next open, reveal them later, and let anybody check them."
    ),
    "book": CommandEntry(
        "book:app", "Keep what you hold, by day: decisions and lists of orders can take it into account."
    ),
    "brief": CommandEntry(
        "brief:brief",
        "Show the day in brief: the market, what you hold and watch, what lies ahead; also for cron.",
        "Exit codes: 0 shown, and sent where asked · 2 usage · 3 configuration, or not accepted · 4 data unavailable.",
    ),
    "watch": CommandEntry("watch:app", "Manage a watch list, analyze it, and see what changed."),
    "runs": CommandEntry(
        "runs:app",
        "Manage earlier runs: list, show, open, resume, seal, verify, export, compare, delete, and sum their cost.",
    ),
    "tasks": CommandEntry("tasks:app", "Manage background tasks: list, show and follow, cancel, resume."),
    "memory": CommandEntry(
        "memory:app", "Manage lessons: measure outcomes; list, show and delete lessons; show the scoreboard."
    ),
    "data": CommandEntry("data:app", "Manage market data: cache statistics, recording, import and checks."),
    "serve": CommandEntry(
        "serve:serve",
        "Serve the web page, the HTTP interface and MCP, and print the address with its token.",
        "Exit codes: 0 stopped · 1 the server failed · 2 usage · 3 configuration.",
    ),
    "doctor": CommandEntry(
        "doctor:doctor", "Check keys, vendors and model servers, and show how to fix problems.", _DOCTOR_CODES
    ),
}
"""The commands in the order of the help."""


def further_commands() -> dict[str, CommandEntry]:
    """Return the commands of the kinds that no table names: those of a new folder, and of installed packages."""
    from tradingagents.runtime.registry import installed_kinds, kind_modules, kinds_in

    named = {module for entry in COMMANDS.values() for module in (entry.target.partition(":")[0], *entry.kinds)}
    modules = (module for module in kind_modules() if module not in named)
    found = {f"{module}:{kind.name}": kind for module in modules for kind in kinds_in(module)}
    found |= {f":{kind.name}": kind for kind in installed_kinds()}
    return {
        kind.command or kind.task.replace("_", "-"): KindEntry(target, kind.summary, _codes(kind))
        for target, kind in found.items()
        if kind.task
    }


def _codes(kind: RunKind[Any, Any, Any]) -> str:
    return exit_codes(five="no result or model failure", several=False, approval=bool(kind.pauses))
