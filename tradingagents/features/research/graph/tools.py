"""The tools of research tasks: every capability, chosen by the words of a task; further ones are found on request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import Any

from langchain_core.tools import tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from rank_bm25 import BM25Plus
from snowballstemmer import stemmer

from tradingagents.capabilities.capability import Capability
from tradingagents.capabilities.registry import registry
from tradingagents.capabilities.tools import as_tool
from tradingagents.context import RunContext
from tradingagents.retrieval.address import store_exists
from tradingagents.retrieval.models import Scope

CORE = (
    *("resolve", "market_snapshot", "get_stock_data", "get_financials", "get_ttm_analysis", "valuation"),
    "fundamental_screen",
    *("search_filings", "search_transcripts", "get_news", "earnings"),
)
"""Offered to every task."""
FETCHES = frozenset({"sec_filing_document", "sec_filing_section"})
"""Read filings from their source: offered once the store of filings has been searched."""
SEARCH, FROM_STORE = "search_filings", "answer_from_filings"
NOT_OFFERED = frozenset(
    {
        *("save_thesis", "saved_theses", "open_chart", "watchlist", "daily_brief", "current_view_context"),
        *("forward_records", "reveal_forward_record"),
    }
)
"""Capabilities about what the user has open and saved, which research does not need."""
OFFERED = 18
"""Tools that a task is offered at first; each costs about 200 tokens a call."""
FOUND = 6
"""Tools that one search for tools adds."""
FIND = "find_tools"
_SMALL_WORDS = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "by", "did", "do", "does", "for", "from", "has", "have", "how"),
        *("in", "is", "it", "its", "of", "on", "or", "that", "the", "this", "to", "was", "were", "what", "which"),
        *("who", "why", "with"),
    )
)
"""Words that say nothing about a tool."""
_stem = lru_cache(maxsize=8192)(stemmer("english").stemWord)


@tool(FIND)
def find_tools(query: str) -> str:
    """Find further tools by words: what you want to know, such as "insider trades" or "factor exposure".

    Args:
        query: A few words.
    """
    raise NotImplementedError("the task executor answers it")


@dataclass
class TaskTools:
    """The tools that one task is offered; they grow when the model asks for more."""

    task: str
    question: str
    """What the user asked; its words count after those of the task."""
    known: Mapping[str, Capability]
    """The capabilities that some vendor can answer in this run, by name."""
    searched_filings: bool = False
    """Whether the store of filings was searched, by this task or by an earlier one."""
    names: list[str] = field(init=False)

    def __post_init__(self) -> None:
        known = self.known
        ranked = [*rank_tools(self.task, known), *rank_tools(self.question, known)]
        self.names = list(dict.fromkeys([*(name for name in CORE if name in known), *ranked]))[:OFFERED]

    def bound(self) -> list[dict[str, Any]]:
        """Return the tools to bind to a model now, in the form of OpenAI's, which every chat model takes."""
        offered = [self.known[name] for name in self.names if not self.why_not_offered(name)]
        return [*map(tool_schema, offered), _find_tools_schema()]

    def why_not_offered(self, name: str) -> str:
        """Return why a tool may not be called now, for the model; empty where it may."""
        if name in FETCHES and not self.searched_filings:
            return f"Search the stored filings with {SEARCH} before you fetch one with {name}."
        return "" if name in self.names else f"{name} is not offered to this task; find tools with {FIND}."

    def add(self, query: str) -> str:
        """Add the tools that a search finds; return what the model is told."""
        known = self.known
        found = [name for name in rank_tools(query, known) if name not in self.names][:FOUND]
        self.names += found
        if not found:
            return "No further tool fits these words; use those you have."
        return "\n".join(["You can now call:", *(f"- {name}: {known[name].summary}" for name in found)])


def available(context: RunContext) -> dict[str, Capability]:
    """Return the capabilities that can answer in this run, by name: some vendor is asked, or the store has filings."""
    names = [name for name in registry() if name not in NOT_OFFERED]
    known = {name: registry()[name] for name in names if registry()[name].is_available(context.data)}
    if FROM_STORE not in known and _has_filings(context):
        known[FROM_STORE] = registry()[FROM_STORE]
    return known


def _has_filings(context: RunContext) -> bool:
    """Tell whether the store has a filing that was known by the cut-off; a store that is not there is not made."""
    from tradingagents.retrieval.store import shared_store

    if not store_exists(context.settings, context.data.memo):
        return False
    with shared_store(context.settings, context.data.memo) as store:
        return store.has(Scope(as_of=context.data.cutoff.instant, kinds=("filing",)))


def rank_tools(words: str, known: Mapping[str, Capability]) -> list[str]:
    """Return the names of capabilities that share words with a text, the best first."""
    return list(_ranked(words, tuple(sorted(known))))


@lru_cache(maxsize=256)
def _ranked(words: str, known: tuple[str, ...]) -> tuple[str, ...]:
    names, index = _index(known)
    scores = index.get_scores(_stems(words))
    order = sorted(range(len(names)), key=lambda at: (-scores[at], names[at]))
    floor = min(scores) if len(scores) else 0.0
    return tuple(names[at] for at in order if scores[at] > floor)


@cache
def tool_schema(capability: Capability) -> dict[str, Any]:
    """Return a capability as models are shown it, made once: it takes a millisecond."""
    return convert_to_openai_tool(as_tool(capability))


@cache
def _find_tools_schema() -> dict[str, Any]:
    return convert_to_openai_tool(find_tools)


@cache
def _index(names: tuple[str, ...]) -> tuple[tuple[str, ...], BM25Plus]:
    known = registry()
    return names, BM25Plus([_described(known[name]) for name in names])


def _described(capability: Capability) -> list[str]:
    fields = capability.arguments.model_fields
    texts: Sequence[str] = [
        capability.name.replace("_", " "),
        *(alias.replace("_", " ") for alias in capability.aliases),
        capability.summary,
        *(field.description or "" for field in fields.values()),
    ]
    return _stems(" ".join(texts))


def _stems(text: str) -> list[str]:
    plain = "".join(letter if letter.isalnum() else " " for letter in text.lower())
    return [_stem(word) for word in plain.split() if len(word) > 1 and word not in _SMALL_WORDS]
