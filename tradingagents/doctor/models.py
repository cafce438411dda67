"""Check which model each tier would use, and whether its server answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import httpx
from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from tradingagents.errors import ConfigurationError
from tradingagents.llm_clients.providers import create_chat_model
from tradingagents.llm_clients.servers import host_of, server_of
from tradingagents.llm_clients.tiers import TIERS, Choice, choices, fallback_choices
from tradingagents.settings import Settings

PATIENCE = 5.0
"""Maximum time for a server to list its models, in seconds."""
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


@dataclass(frozen=True, slots=True)
class _Answer:
    state: str
    trouble: str | None = None
    note: str | None = None


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
    return TierState(tier, *named, answer.state, answer.trouble, answer.note)


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
        return named, _hosted(server.provider, choice.url, environ) if hosted else _Answer("key set")
    return named, _own(model, server.provider, server.model) if network else _Answer("not asked")


def _hosted(provider: str, url: str | None, environ: Mapping[str, str]) -> _Answer:
    address, page, variable, header, prefix = _HOSTED[provider]
    base = (url or address).rstrip("/")
    headers = {header: prefix + environ.get(variable, "").strip(), "anthropic-version": "2023-06-01"}
    answer, _ = _asked(base + page, headers, provider, f"check the value of {variable}")
    return answer


def _own(model: BaseChatModel, provider: str, name: str) -> _Answer:
    if provider == "ollama":
        base = str(getattr(model, "base_url", "")).rstrip("/")
        answer, body = _asked(f"{base}/api/tags", {}, provider, "start it with: ollama serve")
        names = _names(body, "models", "name")
        if names is None or name in names or f"{name}:latest" in names:
            return answer
        return _Answer("lacks the model", f"Ollama at {host_of(base)} has no {name}; run: ollama pull {name}.")
    base = str(getattr(model, "openai_api_base", "")).rstrip("/")
    key = getattr(model, "openai_api_key", None)
    headers = {"Authorization": f"Bearer {key.get_secret_value()}"} if isinstance(key, SecretStr) else {}
    way_out = f"start it, check {server_of(model).key}, or name another server with backend_url"
    answer, body = _asked(f"{base}/models", headers, provider, way_out)
    names = _names(body, "data", "id")
    if not names or name in names:
        return answer
    listed = ", ".join(names[:SHOWN]) + (", …" if len(names) > SHOWN else "")
    return _Answer("answers", note=f"{host_of(base)} does not list {name}; it lists {listed}.")


def _asked(url: str, headers: Mapping[str, str], provider: str, way_out: str) -> tuple[_Answer, Any]:
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
