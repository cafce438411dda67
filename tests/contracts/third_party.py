"""The names with an underscore of third-party packages that the product uses: the whole list.

A package may change such a name in any release. So each entry says why it is used and for which versions, and has a
test in `test_third_party.py` that fails when the package changes what is relied on.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PrivateName:
    """A name with an underscore of a third-party package."""

    package: str
    """As it is installed: `langchain-openai`."""
    owner: str
    """The module, or the class with its module, that has the name."""
    name: str
    files: tuple[str, ...]
    """Where it is used."""
    reason: str


_CHAT_MODEL = "langchain_core.language_models.chat_models:BaseChatModel"
_CHAT_OPENAI = "langchain_openai.chat_models.base:BaseChatOpenAI"
_CHECKED = ("tradingagents/llm_clients/checked_openai.py",)
_CUSTOM = "LangChain documents it as what a chat model of one's own defines."

ALLOWED = (
    PrivateName(
        "langchain-core",
        _CHAT_MODEL,
        "_llm_type",
        (
            "tradingagents/llm_clients/servers.py",
            "tradingagents/llm_clients/structured.py",
            "tradingagents/llm_clients/scripted.py",
            "tradingagents/llm_clients/cost_model.py",
            "tradingagents/llm_clients/offline_model.py",
        ),
        _CUSTOM + " It tells providers apart.",
    ),
    PrivateName(
        "langchain-core",
        _CHAT_MODEL,
        "_generate",
        (
            "tradingagents/llm_clients/scripted.py",
            "tradingagents/llm_clients/cost_model.py",
            "tradingagents/llm_clients/offline_model.py",
        ),
        _CUSTOM,
    ),
    PrivateName(
        "langchain-core",
        _CHAT_MODEL,
        "_agenerate",
        (
            *_CHECKED,
            "tradingagents/llm_clients/scripted.py",
            "tradingagents/llm_clients/cost_model.py",
            "tradingagents/llm_clients/offline_model.py",
        ),
        _CUSTOM,
    ),
    PrivateName(
        "langchain-core",
        _CHAT_MODEL,
        "_stream",
        ("tradingagents/llm_clients/offline_model.py",),
        _CUSTOM,
    ),
    PrivateName(
        "langchain-core",
        _CHAT_MODEL,
        "_astream",
        (*_CHECKED, "tradingagents/llm_clients/scripted.py", "tradingagents/llm_clients/offline_model.py"),
        _CUSTOM,
    ),
    PrivateName(
        "langchain-openai",
        _CHAT_OPENAI,
        "_get_request_payload",
        _CHECKED,
        "Builds the request; names of the limit and parts that servers want back are added.",
    ),
    PrivateName(
        "langchain-openai",
        _CHAT_OPENAI,
        "_create_chat_result",
        _CHECKED,
        "Reads an answer; what LangChain could not read is put right before, ambiguous arguments are refused after.",
    ),
    PrivateName(
        "langchain-openai",
        _CHAT_OPENAI,
        "_convert_chunk_to_generation_chunk",
        _CHECKED,
        "Reads a piece of a stream; token counts that no call can have are dropped before.",
    ),
    PrivateName(
        "langchain-anthropic",
        "langchain_anthropic.chat_models:ChatAnthropic",
        "_client",
        ("tradingagents/llm_clients/anthropic.py",),
        "Makes its own HTTP client and takes none, and that one follows redirects to other hosts.",
    ),
    PrivateName(
        "langchain-anthropic",
        "langchain_anthropic.chat_models:ChatAnthropic",
        "_async_client",
        ("tradingagents/llm_clients/anthropic.py",),
        "The same, for asynchronous calls.",
    ),
    PrivateName(
        "alpha_vantage",
        "alpha_vantage.alphavantage:AlphaVantage",
        "_handle_api_call",
        ("tradingagents/dataflows/vendors/alpha_vantage/client.py",),
        "Every call goes through it; the library's own has no limit of time and puts the key into the address.",
    ),
    PrivateName(
        "alpha_vantage",
        "alpha_vantage.alphavantage:AlphaVantage",
        "_append_type",
        ("tradingagents/dataflows/vendors/alpha_vantage/client.py",),
        "Adds a parameter that our functions of the API do not take.",
    ),
    PrivateName(
        "finnhub-python",
        "finnhub.client:Client",
        "_session",
        ("tradingagents/dataflows/vendors/finnhub/client.py",),
        "The only way to give it a transport: rate limit, time and size limits, key in a header, no redirects.",
    ),
    PrivateName(
        "rank-bm25",
        "rank_bm25:BM25Okapi",
        "_calc_idf",
        ("tradingagents/memory/situations.py",),
        "The frequencies of all lessons count, not of the few that are scored; it takes none from outside.",
    ),
    PrivateName(
        "blockbuster",
        "blockbuster.blockbuster",
        "_skip",
        ("tradingagents/graph/studio.py",),
        "LangGraph's development server refuses blocking calls by it; a graph of ours is built in a thread.",
    ),
)
