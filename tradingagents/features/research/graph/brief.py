"""The brief of the research rules: the question as its words say it, its companies, the typed results of tasks."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import cache, lru_cache

from tradingagents.analytics.company.company_info import ResolvedInstruments
from tradingagents.capabilities.company import resolve
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import answer_of
from tradingagents.context import RunContext
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadSymbol
from tradingagents.features.research.agents.framework import Framework, load_frameworks
from tradingagents.features.research.agents.states import ResearchState
from tradingagents.features.research.rules.brief import (
    FrameworkWords,
    ResearchBrief,
)
from tradingagents.features.research.schemas import TaskResultRecord
from tradingagents.offline.questions.asked import AskedFigures, read_asked
from tradingagents.offline.questions.conversation import AskedQuestion, ConversationBrief, OfferedTool
from tradingagents.offline.questions.message import MessageRequest
from tradingagents.offline.questions.requests import read_request
from tradingagents.retrieval.questions.holdings import UNREAD_HOLDINGS
from tradingagents.retrieval.questions.reading import QuestionReading
from tradingagents.schemas.facts import FactRecord


def research_brief(
    context: RunContext,
    state: ResearchState,
    *,
    facts: Iterable[FactRecord] = (),
    more: Mapping[str, TaskResultRecord] | None = None,
    needs: Sequence[str] = (),
) -> ResearchBrief:
    """Return what the rules know at a point of the run.

    Args:
        context: The run's context.
        state: The run's state.
        facts: What the tools of the present task answered.
        more: Results of this iteration that are not in the state yet.
        needs: Keys of the results that the present task needs.
    """
    frameworks = load_frameworks(context.settings)
    understanding = state.get("understanding") or {}
    symbols = tuple(understanding.get("tickers", ()))
    results = {**state.get("results", {}), **{result.key: result for result in (more or {}).values()}}
    history = state.get("history", [])
    request = read(context, state)
    return ResearchBrief(
        question=state["question"],
        day=context.data.as_of,
        request=request,
        asked=_asked(context, state, request),
        symbols=symbols,
        earlier_symbols=tuple(dict.fromkeys(ticker for earlier in reversed(history) for ticker in earlier.tickers)),
        earlier_frameworks=tuple(dict.fromkeys(name for earlier in history for name in earlier.frameworks)),
        frameworks=tuple(
            FrameworkWords(name=framework.name, title=framework.title, words=framework.words)
            for framework in frameworks.values()
        ),
        framework_tasks=_tasks_of(frameworks, symbols, context),
        understanding=understanding,
        plan=state.get("plan") or {},
        tasks=tuple(results.values()),
        facts=tuple(facts),
        needs=tuple(needs),
        iteration=state.get("iteration", 0),
        missing=tuple(state.get("missing", ())),
    )


def _asked(context: RunContext, state: ResearchState, request: MessageRequest) -> AskedFigures:
    """Return the figures of a question; of one about holdings none, with the reason where those are not understood."""
    if request.declined == UNREAD_HOLDINGS:
        return AskedFigures(gap=UNREAD_HOLDINGS)
    return AskedFigures() if request.holdings is not None else asked_figures(context, state)


async def resolved(context: RunContext, words: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the symbols that words mean, and the words that mean none or several."""
    asked = list(dict.fromkeys(words))
    answers = await asyncio.gather(*(_resolved_one(context, word) for word in asked))
    symbols = tuple(dict.fromkeys(symbol for symbol in answers if symbol))
    return symbols, tuple(word for word, symbol in zip(asked, answers, strict=True) if not symbol)


async def named_companies(context: RunContext, state: ResearchState) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the symbols that a question means, and the words that may name a company and are not known.

    Words in capitals are tried first, as written and without what stands around them; words in lower case only where
    those name no company, and without the words of questions for figures.
    """
    reading = _reading(context, state)
    known = (mention.written for mention in reading.mentions)
    symbols, unknown = await resolved(context, _in_order([*known, *reading.unknown], reading.text))
    if symbols:
        return symbols, unknown
    lower, strange = await resolved(context, (run for run in reading.unknown_words if run not in reading.unknown))
    return lower, (*unknown, *strange)


def _reading(context: RunContext, state: ResearchState) -> QuestionReading:
    return QuestionReading(" ".join([state["question"], *state.get("asked_back", [])]), context.data.as_of)


def _in_order(words: Sequence[str], said: str) -> list[str]:
    """Return words in the order in which a text names them; those that it does not name stand last."""
    places = {word: said.find(word) for word in words}
    return sorted(dict.fromkeys(words), key=lambda word: (places[word] < 0, places[word]))


async def _resolved_one(context: RunContext, word: str) -> str | None:
    found = await answer_of(context, resolve, resolve.checked({"ticker": word}))
    if not isinstance(found, ResolvedInstruments) or found.ambiguous:
        try:
            # A source that knows no names still answers for a symbol: it says so itself where it does not.
            return normalise(word) if isinstance(found, str) and word == word.upper() and " " not in word else None
        except BadSymbol:
            return None
    return found.symbol


def read(context: RunContext, state: ResearchState) -> MessageRequest:
    """Return what the question asks for by its words, follow-up questions completed from the one before."""
    history = state.get("history", [])
    return _read(
        " ".join([state["question"], *state.get("asked_back", [])]),
        tuple(earlier.question for earlier in history[-3:]),
        tuple(dict.fromkeys(symbol for earlier in reversed(history) for symbol in earlier.tickers)),
        context.data.as_of,
    )


@lru_cache(maxsize=32)  # each agent and each task of a run asks, and reading a long question takes 50 ms
def _read(question: str, before: tuple[str, ...], symbols: tuple[str, ...], day: date) -> MessageRequest:
    brief = ConversationBrief(
        now=AskedQuestion(question=question),
        before=tuple(AskedQuestion(question=earlier) for earlier in before),
        day=day,
        symbols=symbols,
        catalogue=_catalogue(),
    )
    return read_request(brief)


def with_companies(brief: ResearchBrief, symbols: Sequence[str], unclear: Sequence[str]) -> ResearchBrief:
    """Return a brief with the companies that the question names."""
    return replace(brief, symbols=tuple(symbols), unclear=tuple(unclear))


@cache
def _catalogue() -> tuple[OfferedTool, ...]:
    return tuple(OfferedTool(name=capability.name, summary=capability.summary) for capability in registry().values())


def _tasks_of(
    frameworks: Mapping[str, Framework], symbols: Sequence[str], context: RunContext
) -> dict[str, list[dict[str, object]]]:
    day = context.data.as_of
    return {
        f"{name}:{symbol}": [task.model_dump(mode="json") for task in framework.tasks_for(symbol, day)]
        for name, framework in frameworks.items()
        for symbol in symbols[:1]
    }


def asked_figures(context: RunContext, state: ResearchState) -> AskedFigures:
    """Return the figures that a question asks for; a follow-up such as `and MODZ?` asks for those before it."""
    day = context.data.as_of
    asked = read_asked(_reading(context, state))
    if asked.figures or asked.gap or not read(context, state).elliptic:
        return asked
    history = reversed(state.get("history", [])[-3:])
    earlier = (read_asked(QuestionReading(answered.question, day)) for answered in history)
    return next((read_before for read_before in earlier if read_before.figures), asked)
