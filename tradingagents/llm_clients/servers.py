"""Servers of models: provider, name and keys of a model object, and the HTTP connections that a process shares.

The stock pool falls short in two ways. A pooled connection belongs to the event loop that opened it, so a client that
outlives `asyncio.run` would reuse it in the next loop ("Event loop is closed"): here each loop has its own pools. And
the stock pool scans every connection on every request and parses HTTP in Python: here aiohttp carries the requests, as
the OpenAI SDK supports (148 ms of processor time a ticker at 8 at once, 177 by the stock pool).
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import AsyncGenerator, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import httpx
from httpx_aiohttp import AiohttpTransport
from langchain_core.language_models import BaseChatModel
from langchain_core.runnables import Runnable
from langchain_core.runnables.base import RunnableBindingBase
from pydantic import SecretStr

from tradingagents.dataflows.gateway.vendor_config import trusted_certificates

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


KEEPALIVE_SECONDS = 30.0
"""Shorter than the idle time after which common servers and proxies close a connection (60 s and more)."""
CONNECT_SECONDS = 10.0
YEAR_SECONDS = 365 * 24 * 3600.0


class RedirectRefused(httpx.TransportError):
    """A model server answered with a redirect to another host; it isn't followed.

    Attributes:
        host: The other host.
    """

    def __init__(self, host: str, request: httpx.Request | None = None) -> None:
        super().__init__(f"redirected to {host}", request=request)
        self.host = host


def refuse_other_hosts(response: httpx.Response) -> None:
    """Refuse a redirect to another server. A response hook: clients call it before they follow a redirect.

    It also works for httpx2, which has the same interface.

    Raises:
        RedirectRefused: The redirect leads to another host, or to another port other than the HTTPS port of the same
            host.
    """
    if not response.has_redirect_location:
        return
    here, there = response.request.url, response.request.url.join(response.headers["Location"])
    upgraded = (here.scheme, there.scheme) == ("http", "https") and there.port is None and here.port is None
    if here.host != there.host or not (upgraded or (here.scheme, here.port) == (there.scheme, there.port)):
        raise RedirectRefused(there.netloc.decode("ascii", "replace") or "nowhere")


async def refuse_other_hosts_async(response: httpx.Response) -> None:
    """`refuse_other_hosts` for asynchronous clients."""
    refuse_other_hosts(response)


class SharedConnections(httpx.AsyncBaseTransport):
    """A transport with one connection pool per event loop and no limit on connections.

    A loop's connections close when the loop ends, provided it shuts down its asynchronous generators as `asyncio.run`
    does.
    """

    def __init__(self) -> None:
        """Create the transport; it opens no connection yet."""
        self._loops: dict[asyncio.AbstractEventLoop, _Loop] = {}

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request through the running loop's pool."""
        if request.url.userinfo:  # the header already contains the key; aiohttp refuses both
            request.url = request.url.copy_with(userinfo=b"")
        loop = asyncio.get_running_loop()
        sending = (await self._of(loop)).handle_async_request(request)
        # A connection keeps the context it was opened in, and a LangGraph context holds the whole state of its run: so
        # each request is sent from an empty context.
        return await loop.create_task(sending, context=contextvars.Context())

    async def _of(self, loop: asyncio.AbstractEventLoop) -> AiohttpTransport:
        """Return the pool of a loop."""
        if loop not in self._loops:
            self._forget_ended_loops()
            lifetime = self._lifetime()
            self._loops[loop] = _Loop(lifetime, await anext(lifetime))
        return self._loops[loop].pool

    async def aclose(self) -> None:
        """Close the running loop's connections; a later request opens new ones."""
        ended = self._loops.pop(asyncio.get_running_loop(), None)
        if ended is not None:
            await ended.lifetime.aclose()

    async def _lifetime(self) -> AsyncGenerator[AiohttpTransport, None]:
        """Yield a loop's pool and close it when the loop shuts down its asynchronous generators.

        A loop also closes a generator that nobody references any more. The timer, which never fires, makes the loop
        hold a reference until it ends; otherwise the garbage collector would find open sockets first.
        """
        session = self._session()
        pool = AiohttpTransport(client=session)
        hold = asyncio.get_running_loop().call_later(YEAR_SECONDS, pool.get_client)
        try:
            yield pool
        finally:
            hold.cancel()
            await pool.aclose()

    def _forget_ended_loops(self) -> None:
        for loop in [loop for loop in self._loops if loop.is_closed()]:
            del self._loops[loop]

    def _session(self) -> aiohttp.ClientSession:
        # aiohttp: limit=0 means no limit
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=KEEPALIVE_SECONDS, ssl=trusted_certificates())
        return aiohttp.ClientSession(connector=connector)


@dataclass(frozen=True)
class _Loop:
    """The open connections of one event loop."""

    lifetime: AsyncGenerator[AiohttpTransport, None]
    pool: AiohttpTransport
