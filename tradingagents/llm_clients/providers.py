"""Create chat models by provider name; each provider's package is imported on first use.

The clients don't retry: the module `retry` does, for all of them.

OpenAI-compatible servers and Ollama share connections between all tiers (see `connections`). No client follows a
redirect to another host: prompts and keys are sent to the named server only.
"""

from __future__ import annotations

import importlib.util
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx
from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from tradingagents.dataflows.gateway.vendor_config import trusted_certificates
from tradingagents.errors import ModelNotConfigured, SettingsError
from tradingagents.files.redaction import Redactor, redacted_url, shown_value
from tradingagents.llm_clients.model_profile import effort_for, temperature_for
from tradingagents.llm_clients.servers import (
    CONNECT_SECONDS,
    NO_KEY,
    OPENAI_HOST,
    SharedConnections,
    host_of,
    refuse_other_hosts,
    refuse_other_hosts_async,
)
from tradingagents.settings import Settings, assert_provider

OPENAI_URL = f"https://{OPENAI_HOST}/v1"
OLLAMA_URL = "http://localhost:11434"
OFFLINE_MODEL = "rules"
OLLAMA_CONTEXT = 32_768
"""Context length requested from Ollama, in tokens: its default silently cuts prompts at a few thousand, and ours are
longer."""
PACKAGES = {"anthropic": "langchain_anthropic", "google": "langchain_google_genai"}
_SYNC_HOOKS = {"response": [refuse_other_hosts]}
_GOOGLE_NO_REDIRECTS = {"follow_redirects": False, "allow_redirects": False}
"""Google's client uses httpx, which reads the first, or aiohttp, which reads the second."""
KEYLESS = "or work without a key: llm_provider='offline', or llm_provider='ollama'."


@dataclass(frozen=True)
class _Order:
    """Arguments for creating a model."""

    provider: str
    model: str
    base_url: str | None
    settings: Settings
    environ: Mapping[str, str]
    connections: SharedConnections

    @property
    def timeout(self) -> httpx.Timeout:
        return httpx.Timeout(self.settings.llm_timeout, connect=min(CONNECT_SECONDS, self.settings.llm_timeout))

    def given(self, **arguments: Any) -> dict[str, Any]:
        """Return the arguments that are set, with the temperature if the model accepts one."""
        arguments["temperature"] = temperature_for(self.provider, self.model, self.settings)
        return {key: value for key, value in arguments.items() if value is not None}


def create_chat_model(
    provider: str,
    model: str,
    *,
    base_url: str | None,
    settings: Settings,
    environ: Mapping[str, str],
    connections: SharedConnections | None = None,
) -> BaseChatModel:
    """Return a chat model.

    Args:
        provider: A key of `PROVIDERS`.
        model: The provider's name of the model.
        base_url: The server; None: the provider's own.
        settings: Timeouts, sampling.
        environ: Source of keys and `OLLAMA_HOST`.
        connections: Connections to share; None: the model opens its own.

    Raises:
        ModelNotConfigured: A key, URL, package or model name is missing.
        SettingsError: No such provider, or an invalid URL.
    """
    assert_provider(provider)
    make = PROVIDERS[provider]
    if base_url is not None and not _is_web_address(base_url):
        shown = redacted_url(base_url) if "://" in base_url else shown_value(base_url, Redactor({}))
        raise SettingsError(f"The model URL {shown} must begin with http:// or https:// and name a host.")
    return make(_Order(provider, model, base_url, settings, environ, connections or SharedConnections()))


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not any(map(str.isspace, url))


def _openai(order: _Order) -> BaseChatModel:
    """Create an OpenAI model. Any other host is treated as a compatible server, which never gets OpenAI's key."""
    url = order.base_url or order.environ.get("OPENAI_BASE_URL", "").strip() or OPENAI_URL
    if not _is_web_address(url):
        raise SettingsError("OPENAI_BASE_URL must begin with http:// or https:// and name a host; fix or unset it.")
    if order.base_url is not None and host_of(url) != OPENAI_HOST:
        return _openai_compatible(order)
    return _chat_openai(order, url, _key(order, "OPENAI_API_KEY"), key_variable="OPENAI_API_KEY")


def _openai_compatible(order: _Order) -> BaseChatModel:
    if order.base_url is None:
        raise ModelNotConfigured("openai_compatible needs the server's URL: backend_url='http://localhost:8000/v1'.")
    key = SecretStr(order.environ.get("OPENAI_COMPATIBLE_API_KEY", "").strip() or NO_KEY)
    _assert_sendable(key.get_secret_value(), "OPENAI_COMPATIBLE_API_KEY")
    # Such servers rarely have the newer Responses API, which the client would choose by the model's name.
    return _chat_openai(order, order.base_url, key, use_responses_api=False, key_variable="OPENAI_COMPATIBLE_API_KEY")


def _chat_openai(order: _Order, url: str, key: SecretStr, **extra: Any) -> BaseChatModel:
    from tradingagents.llm_clients.checked_openai import CheckedChatOpenAI

    return CheckedChatOpenAI(
        **order.given(
            model=order.model,
            base_url=url,
            api_key=key,
            timeout=order.timeout,
            max_retries=0,
            max_tokens=order.settings.max_output_tokens,
            reasoning_effort=effort_for(order.provider, order.model, order.settings),
            stream_usage=True,
            stream_chunk_timeout=order.settings.llm_timeout,
            http_async_client=_async_http_client(order, url),
            http_client=_http_client(order),
            **extra,
        )
    )


def _http_client(order: _Order) -> httpx.Client:
    return httpx.Client(
        verify=trusted_certificates(), timeout=order.timeout, follow_redirects=True, event_hooks=_SYNC_HOOKS
    )


def _async_http_client(order: _Order, url: str) -> httpx.AsyncClient:
    """Return a client on the shared connections, or on its own ones if the environment names a proxy."""
    transport = None if _proxied(url) else order.connections
    hooks = {"response": [refuse_other_hosts_async]}
    return httpx.AsyncClient(
        transport=transport,
        verify=trusted_certificates(),
        timeout=order.timeout,
        follow_redirects=True,
        event_hooks=hooks,
    )


def _proxied(url: str) -> bool:
    parts, proxies = urlsplit(url), urllib.request.getproxies()
    return (parts.scheme in proxies or "all" in proxies) and not urllib.request.proxy_bypass(parts.hostname or "")


def _ollama(order: _Order) -> BaseChatModel:
    _assert_own_model(order)
    url = _ollama_url(order)
    try:
        from tradingagents.llm_clients.ollama import RedactedChatOllama
    except (ValueError, httpx.InvalidURL):  # its client reads OLLAMA_HOST when it is imported
        raise _bad_ollama_host() from None
    shared: dict[str, Any] = {} if _proxied(url) else {"transport": order.connections}
    shared["event_hooks"] = {"response": [refuse_other_hosts_async]}
    return RedactedChatOllama(
        **order.given(
            model=order.model,
            base_url=url,
            num_predict=order.settings.max_output_tokens,
            num_ctx=None if order.environ.get("OLLAMA_CONTEXT_LENGTH") else OLLAMA_CONTEXT,
            client_kwargs={"timeout": order.timeout},
            async_client_kwargs=shared,
            sync_client_kwargs={"event_hooks": _SYNC_HOOKS},
        )
    )


def _ollama_url(order: _Order) -> str:
    """Return Ollama's address: the given URL without the /v1 of its OpenAI API, `OLLAMA_HOST`, or its default."""
    if order.base_url is not None:
        return order.base_url.rstrip("/").removesuffix("/v1")
    host = order.environ.get("OLLAMA_HOST", "").strip()
    if not host:
        return OLLAMA_URL
    try:
        parts = urlsplit(host if "//" in host else f"http://{host}")
        given_port = parts.port
    except ValueError:
        raise _bad_ollama_host() from None
    if parts.scheme not in ("http", "https") or any(map(str.isspace, host)):
        raise _bad_ollama_host()
    # A server may listen on all addresses (0.0.0.0), which isn't an address to connect to.
    name = "localhost" if parts.hostname in (None, "0.0.0.0", "::") else parts.hostname  # noqa: S104
    port = given_port or {"https": 443}.get(parts.scheme, 80 if "//" in host else 11434)
    return f"{parts.scheme}://{name}:{port}"


def _bad_ollama_host() -> SettingsError:
    return SettingsError("OLLAMA_HOST isn't an address; write it as host:port or http://host:port, or unset it.")


def _anthropic(order: _Order) -> BaseChatModel:
    key = _key(order, "ANTHROPIC_API_KEY")
    _assert_own_model(order)
    _assert_installed(order.provider)
    from tradingagents.llm_clients.anthropic import SingleHostChatAnthropic

    return SingleHostChatAnthropic(
        **order.given(
            model=order.model,
            base_url=order.base_url,
            api_key=key,
            timeout=order.settings.llm_timeout,
            max_retries=0,
            max_tokens=order.settings.max_output_tokens,
            effort=effort_for("anthropic", order.model, order.settings),
        )
    )


def _google(order: _Order) -> BaseChatModel:
    key = _key(order, "GOOGLE_API_KEY")
    _assert_own_model(order)
    _assert_installed(order.provider)
    from langchain_google_genai import ChatGoogleGenerativeAI

    model: BaseChatModel = ChatGoogleGenerativeAI(
        **order.given(
            model=order.model,
            base_url=order.base_url,
            api_key=key,
            timeout=order.settings.llm_timeout,
            max_retries=1,  # Google counts the first attempt, and treats 0 as its default
            max_output_tokens=order.settings.max_output_tokens,
            thinking_level=effort_for("google", order.model, order.settings),
            client_args=_GOOGLE_NO_REDIRECTS,
        )
    )
    return model


def _assert_installed(provider: str) -> None:
    if importlib.util.find_spec(PACKAGES[provider]) is None:
        package = PACKAGES[provider].replace("_", "-")
        raise ModelNotConfigured(f"{provider} needs a package: pip install {package}")


def _offline(_order: _Order) -> BaseChatModel:
    from tradingagents.llm_clients.offline_model import OfflineChatModel

    return OfflineChatModel()


def _scripted(_order: _Order) -> BaseChatModel:
    raise ModelNotConfigured(
        "The scripted model plays back replies given in Python: TradingAgentsGraph(models=TierModels.same("
        "ScriptedChatModel([...])))."
    )


PROVIDERS: Mapping[str, Callable[[_Order], BaseChatModel]] = {
    "openai": _openai,
    "openai_compatible": _openai_compatible,
    "ollama": _ollama,
    "anthropic": _anthropic,
    "google": _google,
    "offline": _offline,
    "scripted": _scripted,
}


def _key(order: _Order, variable: str) -> SecretStr:
    key = order.environ.get(variable, "").strip()
    if not key and order.settings.replay == "only":
        return SecretStr(NO_KEY)  # no request will be sent
    if not key:
        raise ModelNotConfigured(f"{order.provider} needs {variable} in the environment or .env, {KEYLESS}")
    _assert_sendable(key, variable)
    return SecretStr(key)


def _assert_sendable(key: str, variable: str) -> None:
    if not (key.isascii() and key.isprintable()):
        raise ModelNotConfigured(f"{variable} holds a line break, or a character that isn't ASCII; copy the key again.")


def _assert_own_model(order: _Order) -> None:
    """Refuse OpenAI's default model names for other providers: the user chose a provider but no model."""
    fields = Settings.model_fields
    if order.model in (fields["quick_think_llm"].default, fields["deep_think_llm"].default):
        raise ModelNotConfigured(
            f"{order.provider} has no model {order.model}; name its models with quick_think_llm and deep_think_llm."
        )
