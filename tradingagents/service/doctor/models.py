"""Check which model each tier would use, whether its server answers, how it gives typed answers, and its context."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import httpx
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from pydantic import BaseModel, Field, SecretStr

from tradingagents.errors import ConfigurationError, ModelFailure
from tradingagents.llm_clients.calls import call_model
from tradingagents.llm_clients.known_models import known_model, not_in_table
from tradingagents.llm_clients.model_profile import Method, structured_method
from tradingagents.llm_clients.providers import create_chat_model
from tradingagents.llm_clients.servers import host_of, server_of
from tradingagents.llm_clients.structured import Model, why_untyped
from tradingagents.llm_clients.tiers import TIERS, Choice, choices, fallback_choices
from tradingagents.settings import Settings

PATIENCE = 5.0
"""Maximum time for a server to list its models, in seconds."""
PROBE_SECONDS = 60.0
"""Maximum time for one typed answer, in seconds: a local server may load its model first."""
PROBE_TOKENS = 256
"""Tokens of a typed answer at most."""
SHOWN = 6
"""Number of models listed when the requested one is not among them."""
_HOSTED = {
    "openai": ("https://api.openai.com/v1", "/models", "OPENAI_API_KEY", "Authorization", "Bearer "),
    "anthropic": ("https://api.anthropic.com", "/v1/models", "ANTHROPIC_API_KEY", "x-api-key", ""),
    "google": (
        "https://generativelanguage.googleapis.com",
        "/v1beta/models",
        "GOOGLE_API_KEY",
        "x-goog-api-key",
        "",
    ),
}
"""Address, path of the model list, variable with the key, and the header it is sent in."""

NOT_CONFIGURED = "not configured"
_SCHEMA: Method = "json_schema"


@dataclass(frozen=True, slots=True)
class TierState:
    """One tier's model, or its fallback."""

    tier: str
    """`quick`, `mid`, `deep`, or `quick fallback` and so on where one is named."""
    provider: str
    model: str
    host: str
    """Host and port of the server; the provider's name if there is no server."""
    state: str
    """`works offline`, `key set`, `not asked`, `answers`, or the failure."""
    trouble: str | None = None
    """What prevents it from answering, with the way out."""
    note: str | None = None
    context: int | None = None
    """Tokens of prompt and reply; None where neither the server nor the table of models tells."""
    typed: tuple[Method, ...] = ()
    """The methods that were tried and gave a typed answer; empty where none was tried."""


class EvenNumber(BaseModel):
    """The answer to a question with one right answer, to try how a model gives typed answers."""

    even: bool = Field(description="Whether the number is even")


@dataclass(frozen=True, slots=True)
class _Answer:
    state: str
    trouble: str | None = None
    note: str | None = None
    context: int | None = None
    typed: tuple[Method, ...] = ()


def examine_models(
    settings: Settings, environ: Mapping[str, str], *, network: bool, hosted: bool
) -> tuple[TierState, ...]:
    """Create each tier's model and ask the servers which models they have.

    Args:
        settings: Providers, models, addresses.
        network: Whether to contact self-hosted servers: Ollama and OpenAI-compatible ones.
        hosted: Whether to contact hosted providers too.
    """
    chosen, fallbacks = choices(settings), fallback_choices(settings)
    every = dict.fromkeys([*chosen.values(), *fallbacks.values()])
    found = {choice: _examined(choice, settings, environ, network, hosted) for choice in every}
    return (
        *(_state(tier, *found[chosen[tier]]) for tier in TIERS),
        *(_spare_state(tier, *found[choice]) for tier, choice in fallbacks.items()),
    )


def _state(tier: str, named: tuple[str, str, str], answer: _Answer) -> TierState:
    return TierState(tier, *named, answer.state, answer.trouble, answer.note, answer.context, answer.typed)


def _spare_state(tier: str, named: tuple[str, str, str], answer: _Answer) -> TierState:
    """Return the state of a fallback model: a run starts if its server is down, but not if its key is missing."""
    if answer.trouble and answer.state != NOT_CONFIGURED:
        answer = replace(answer, trouble=None, note=answer.trouble)
    return _state(f"{tier} fallback", named, answer)


def _examined(
    choice: Choice, settings: Settings, environ: Mapping[str, str], network: bool, hosted: bool
) -> tuple[tuple[str, str, str], _Answer]:
    named = (choice.provider, choice.model, host_of(choice.url) if choice.url else choice.provider)
    try:
        model = create_chat_model(
            choice.provider, choice.model, base_url=choice.url, settings=settings, environ=environ
        )
    except ConfigurationError as error:
        return named, _Answer(NOT_CONFIGURED, str(error))
    server = server_of(model)
    if choice.provider == "offline":
        return named, _Answer("works offline")
    named = (server.provider, server.model, server.host)
    if server.provider in _HOSTED:
        answer = _hosted(server.provider, choice.url, environ) if hosted else _Answer("key set")
        known = known_model(choice.label)
        unlisted = not_in_table([choice.label], settings.knowledge_cutoffs) or None
        return named, replace(answer, note=answer.note or unlisted, context=known.context if known else None)
    if not network:
        return named, _Answer("not asked")
    answer = _own(model, server.provider, server.model)
    return named, answer if answer.trouble else _typed(choice, answer, settings, environ)


def _typed(choice: Choice, answer: _Answer, settings: Settings, environ: Mapping[str, str]) -> _Answer:
    """Add how a model gives typed answers: by the method it would be asked by first, and by a JSON schema."""
    short = settings.model_copy(update={"max_output_tokens": PROBE_TOKENS, "llm_timeout": PROBE_SECONDS})
    first = structured_method(choice.label, settings)
    failures: dict[Method, str] = {}

    async def tried() -> None:
        llm = create_chat_model(choice.provider, choice.model, base_url=choice.url, settings=short, environ=environ)
        for method in dict.fromkeys((first, _SCHEMA)):
            try:
                failures[method] = await why_untyped(_ask, llm, EvenNumber, "Is 14 an even number?", method)
            except ModelFailure as failure:
                failures[method] = str(failure).rstrip(".")

    asyncio.run(tried())
    works = tuple(method for method, why in failures.items() if not why)
    return _with_typed(replace(answer, typed=works), choice.model, first, failures)


async def _ask(model: Model, messages: Sequence[BaseMessage]) -> AIMessage:
    return await call_model(model, messages, seconds=PROBE_SECONDS)


def _with_typed(answer: _Answer, model: str, first: Method, failures: Mapping[Method, str]) -> _Answer:
    """Return an answer that says which methods fail: a note where another one works, else what prevents decisions."""
    if first in answer.typed:
        return answer
    if answer.typed:
        works = answer.typed[0]
        said = f"{model} gives typed answers by {works}, not by {first}; structured_output={works} saves the first"
        return replace(answer, note=" ".join(filter(None, (answer.note, f"{said} attempt of a run."))))
    tries = "; ".join(f"by {method}: {why}" for method, why in failures.items())
    return replace(answer, trouble=f"{model} gives no typed answer ({tries}), so no decision; use a larger model.")


def _hosted(provider: str, url: str | None, environ: Mapping[str, str]) -> _Answer:
    address, page, variable, header, prefix = _HOSTED[provider]
    base = (url or address).rstrip("/")
    headers = {header: prefix + environ.get(variable, "").strip(), "anthropic-version": "2023-06-01"}
    answer, _ = _fetch(base + page, headers, provider, f"check the value of {variable}")
    return answer


def _own(model: BaseChatModel, provider: str, name: str) -> _Answer:
    if provider == "ollama":
        base = str(getattr(model, "base_url", "")).rstrip("/")
        answer, body = _fetch(f"{base}/api/tags", {}, provider, "start it with: ollama serve")
        names = _names(body, "models", "name")
        if names is None or name in names or f"{name}:latest" in names:
            return answer if answer.trouble else replace(answer, context=_ollama_context(model, base, name))
        return _Answer("lacks the model", f"Ollama at {host_of(base)} has no {name}; run: ollama pull {name}.")
    base = str(getattr(model, "openai_api_base", "")).rstrip("/")
    key = getattr(model, "openai_api_key", None)
    headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if isinstance(key, SecretStr) else {}
    way_out = f"start it, check {server_of(model).key}, or name another server with backend_url"
    answer, body = _fetch(f"{base}/models", headers, provider, way_out)
    names = _names(body, "data", "id")
    answer = replace(answer, context=_listed_context(body, name))
    if not names or name in names:
        return answer
    listed = ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
    return replace(answer, note=f"{host_of(base)} does not list {name}; it lists {listed}.")


def _listed_context(body: Any, name: str) -> int | None:
    """Return the context that a list of models tells of a model, or of the only one it has."""
    rows = body.get("data") if isinstance(body, dict) else None
    rows = [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    row = next((row for row in rows if row.get("id") == name), rows[0] if len(rows) == 1 else {})
    meta = row.get("meta")
    context = meta.get("n_ctx") if isinstance(meta, dict) else row.get("max_model_len")  # llama.cpp; vLLM
    return context if isinstance(context, int) and context > 0 else None


def _ollama_context(model: BaseChatModel, base: str, name: str) -> int | None:
    """Return the context of a run at Ollama: what the model was made for, at most what the client asks for."""
    try:
        body = httpx.post(f"{base}/api/show", json={"model": name}, timeout=PATIENCE).json()
    except (httpx.HTTPError, ValueError):
        return None
    info = body.get("model_info") if isinstance(body, dict) else None
    told = [value for key, value in info.items() if key.endswith(".context_length")] if isinstance(info, dict) else []
    known = [size for size in (*told, getattr(model, "num_ctx", None)) if isinstance(size, int)]
    return min(known) if told and known else None


def _fetch(url: str, headers: Mapping[str, str], provider: str, way_out: str) -> tuple[_Answer, Any]:
    """Ask for a list of models; return the result, and the list's JSON if there is one."""
    host = host_of(url)
    try:
        response = httpx.get(url, headers=dict(headers), timeout=PATIENCE)
    except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
        return _Answer(
            "does not answer", f"{provider} at {host} does not answer ({type(error).__name__}); {way_out}."
        ), None
    if response.status_code in (401, 403):
        return _Answer("refuses the key", f"{provider} at {host} refuses the key; {way_out}."), None
    if response.status_code >= 500:
        status = response.status_code
        return _Answer("fails", f"{provider} at {host} fails (HTTP {status}); try again later, or {way_out}."), None
    try:
        return _Answer("answers"), response.json() if response.status_code == 200 else None
    except ValueError:
        return _Answer("answers", note=f"{host} answers, but with no list of models: is it a model server?"), None


def _names(body: Any, key: str, name: str) -> list[str] | None:
    """Return the listed model names; `None` if there is no list."""
    rows = body.get(key) if isinstance(body, dict) else None
    if not isinstance(rows, list):
        return None
    return [str(row[name]) for row in rows if isinstance(row, dict) and name in row]
