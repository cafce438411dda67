"""Asks questions of a research run, of the trading desk and of a single agent, and measures each."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import Any

from benchmarks.research.cases import INTENTS, ResearchCase
from benchmarks.research.scoring import Verdict, score
from tradingagents.errors import TradingAgentsError
from tradingagents.features.research.kind import RESEARCH, ResearchRequest
from tradingagents.graph.start import RunOptions, start
from tradingagents.runtime.services import Services


@dataclass(frozen=True, slots=True)
class Asked:
    """What one question gave and cost."""

    case: ResearchCase
    answer: str
    verdict: Verdict
    sourced: bool
    """Whether it names a source; an answer that says it does not know needs none."""
    calls: int = 0
    tokens: int = 0
    usd: float = 0.0
    seconds: float = 0.0
    """Of the processor."""
    record: Mapping[str, Any] = field(default_factory=dict)


Answerer = Callable[[ResearchCase], Awaitable[tuple[str, bool, Mapping[str, Any]]]]
"""Answers a question: the text, whether it refuses, and the run's record."""


def research(services: Services) -> Answerer:
    """Return what answers by a research run."""

    async def answer(case: ResearchCase) -> tuple[str, bool, Mapping[str, Any]]:
        request = ResearchRequest(question=case.question, day=case.as_of.isoformat())
        try:
            found = await start(RESEARCH, request, services, RunOptions(persist="none")).result()
        except TradingAgentsError as error:
            return str(error), True, {}
        return found.text, found.record.status != "done", found.record.as_json()

    return answer


async def ask_all(cases: Iterable[ResearchCase], answerer: Answerer) -> list[Asked]:
    """Ask one question after the other."""
    return [await ask(case, answerer) for case in cases]


async def ask(case: ResearchCase, answerer: Answerer) -> Asked:
    """Ask one question, score it and measure it."""
    began = time.process_time()
    text, refused, record = await answerer(case)
    seconds = time.process_time() - began
    usage: Mapping[str, Any] = record.get("usage", {})
    verdict = score(case, text, refused=refused)
    sources = text.rpartition("Sources:")[2]
    sourced = bool(record.get("sources")) and "Sources:" in text
    sourced = sourced and (not case.pages or any(f"{page}{end}" in sources for page in case.pages for end in ";],"))
    calls = int(usage.get("llm_calls", 0))
    tokens = int(usage.get("input_tokens", 0)) + int(usage.get("output_tokens", 0))
    usd = float(usage.get("cost_usd") or 0.0)
    return Asked(
        case, text, verdict, sourced or refused or verdict == "gap" or case.gap, calls, tokens, usd, seconds, record
    )


def table(results: Sequence[Asked]) -> str:
    """Return accuracy and cost by intent as a Markdown table."""
    columns = (
        "intent",
        "questions",
        "right",
        "gap stated",
        "wrong",
        "with sources",
        "calls",
        "tokens",
        "USD",
        "seconds",
    )
    head = f"| {' | '.join(columns)} |\n|---{'|--:' * (len(columns) - 1)}|"
    groups: dict[str, list[Asked]] = defaultdict(list)
    for one in results:
        groups[one.case.intent].append(one)
    rows = [_line(name, groups[name]) for name in INTENTS if groups[name]]
    return "\n".join([head, *rows, _line("all", results)])


def summary(results: Sequence[Asked]) -> dict[str, float]:
    """Return shares of right, gap and wrong answers, and of those with sources."""
    count = max(len(results), 1)
    shares = {name: sum(one.verdict == name for one in results) / count for name in ("right", "gap", "wrong")}
    return {**shares, "sourced": sum(one.sourced for one in results) / count}


def _line(name: str, results: Sequence[Asked]) -> str:
    found = summary(results)
    shares = " | ".join(f"{100 * found[one]:.1f}%" for one in ("right", "gap", "wrong", "sourced"))
    means = [fmean(getattr(one, what) for one in results) for what in ("calls", "tokens", "usd", "seconds")]
    costs = f"{means[0]:.1f} | {means[1]:.0f} | {means[2]:.4f} | {means[3]:.3f}"
    return f"| {name} | {len(results)} | {shares} | {costs} |"
