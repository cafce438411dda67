"""Provider, model name, server and keys of a model object; keys are redacted from text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase
from pydantic import SecretStr

OPENAI_HOST = "api.openai.com"
NO_KEY = "no-key-needed"
"""Placeholder key for servers that need none: the client requires one."""
_PROVIDERS = {
    "openai-chat": "openai",
    "chat-ollama": "ollama",
    "anthropic-chat": "anthropic",
    "chat-google-generative-ai": "google",
}
KEYS = {
    "openai": "OPENAI_API_KEY",
    "openai_compatible": "OPENAI_COMPATIBLE_API_KEY",
    "anthropic": "ANTHROPIC_API_KEY",
    "google": "GOOGLE_API_KEY",
}
"""The variable that each provider's key is read from."""
_HOSTS = {"openai": OPENAI_HOST, "anthropic": "api.anthropic.com", "google": "generativelanguage.googleapis.com"}
_URLS = ("openai_api_base", "anthropic_api_url", "base_url")
_MODELS = ("model_name", "model")


@dataclass(frozen=True)
class Server:
    """The server behind a model."""

    provider: str
    model: str
    host: str
    """Host and port; the provider's name where there is no server."""
    key: str = "the API key"
    """The variable that its key was read from."""


def server_of(llm: Runnable[Any, Any]) -> Server:
    """Return the server of a model, with or without bound tools."""
    model = unbound(llm)
    fields = vars(model)
    return _server(model._llm_type, _first(model, _MODELS), _first(model, _URLS), fields.get("key_variable") or "")


@lru_cache(maxsize=64)
def _server(kind: str, name: str | None, url: str | None, key: str) -> Server:
    """Return the server from what a model says of it; cached, since it is asked for several times a call."""
    provider = _PROVIDERS.get(kind, kind)
    host = host_of(url) if url else _HOSTS.get(provider, provider)
    if provider == "openai" and host != OPENAI_HOST:
        provider = "openai_compatible"
    named = (name or _PROVIDERS.get(kind, kind)).removeprefix("models/")
    return Server(provider, named, host, key or KEYS.get(provider, "the API key"))


def address_of(llm: Runnable[Any, Any]) -> str:
    """Return host, port and path of a model's server; the host's name if no URL is set."""
    url = _first(unbound(llm), _URLS)
    return server_of(llm).host + (_path_of(url) if url else "")


@lru_cache(maxsize=64)
def _path_of(url: str) -> str:
    return urlsplit(url if "//" in url else f"//{url}").path.rstrip("/")


def _first(model: BaseChatModel, names: Sequence[str]) -> str | None:
    """Return the first of these fields that is set, as text; `getattr` of a model is slow where it has none."""
    fields = vars(model)
    for name in names:
        if value := fields.get(name):
            return str(value)
    return None


def unbound(llm: Runnable[Any, Any]) -> BaseChatModel:
    """Return the chat model inside bindings.

    Raises:
        TypeError: There is none.
    """
    while isinstance(llm, RunnableBindingBase):
        llm = llm.bound
    if not isinstance(llm, BaseChatModel):
        raise TypeError(f"expected a chat model, not {type(llm).__name__}")
    return llm


def host_of(url: str) -> str:
    """Return host and port of a URL, never its user name or password."""
    parts = urlsplit(url if "//" in url else f"//{url}")
    return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or url.rpartition("@")[2]


def without_secrets(text: str, llm: Runnable[Any, Any]) -> str:
    """Redact the model's keys and its URL's password from a text, since server errors may quote them."""
    for secret in secrets_in_model(llm):
        text = text.replace(secret, "***")
    return text


def strike_secrets(error: BaseException, llm: Runnable[Any, Any]) -> None:
    """Redact the model's keys in an exception and its causes, since tracers see it before our own handling."""
    one: BaseException | None = error
    while one is not None:
        one.args = _struck(one.args, llm)
        for name in ("message", "body"):
            if hasattr(one, name):
                setattr(one, name, _struck(getattr(one, name), llm))
        one = one.__cause__ or one.__context__


def _struck(value: Any, llm: Runnable[Any, Any]) -> Any:
    if isinstance(value, str):
        return without_secrets(value, llm)
    if isinstance(value, dict):
        return {name: _struck(part, llm) for name, part in value.items()}
    return type(value)(_struck(part, llm) for part in value) if type(value) in (list, tuple) else value


def secrets_in_model(llm: Runnable[Any, Any]) -> Iterator[str]:
    """Yield the keys of a model object, and the password in its URL."""
    for name, value in vars(unbound(llm)).items():
        secret = value.get_secret_value() if isinstance(value, SecretStr) else None
        if name in _URLS and isinstance(value, str):
            secret = urlsplit(value).password
        if secret and secret != NO_KEY:
            yield secret
