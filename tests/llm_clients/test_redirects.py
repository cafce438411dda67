"""A model server that redirects elsewhere: the prompt and the key go to the named server only, for every provider."""

from __future__ import annotations

import gc
import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage

from tests.support.tiers import sampled
from tradingagents.errors import ModelUnreachable
from tradingagents.llm_clients.calls import call_model
from tradingagents.llm_clients.providers import create_chat_model
from tradingagents.settings import Settings

KEY = "sk-test-3f9a2c"
PACKAGES = {"anthropic": "langchain_anthropic", "google": "langchain_google_genai"}
pytestmark = [
    pytest.mark.filterwarnings(f"ignore:{one}")
    for one in (
        "Inheritance class AiohttpClientSession:DeprecationWarning",  # Google's client and aiohttp
        "coroutine 'ClientResponse.json' was never awaited:RuntimeWarning",  # Google's client, at a streamed redirect
        "unclosed:ResourceWarning",  # connections of clients that nobody closes
        "Exception ignored in:pytest.PytestUnraisableExceptionWarning",
    )
]
PROVIDERS = [
    pytest.param(
        name,
        marks=pytest.mark.skipif(
            name in PACKAGES and importlib.util.find_spec(PACKAGES.get(name, name)) is None,
            reason=f"{PACKAGES.get(name, name)} is not installed",
        ),
    )
    for name in ("openai_compatible", "ollama", "anthropic", "google")
]


class Server(ThreadingHTTPServer):
    """A server that records what it is asked, and redirects every request, or refuses it with 418."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.requests: list[tuple[str, str]] = []
        self.redirect: tuple[int, str] | None = None


class _Handler(BaseHTTPRequestHandler):
    server: Server

    def _answer(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
        self.server.requests.append((f"{self.command} {self.path} {self.headers}", body))
        status, location = self.server.redirect or (418, "")
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_POST = _answer  # noqa: N815

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Write nothing."""


@contextmanager
def _running() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.fixture(autouse=True, scope="module")
def _collected() -> Iterator[None]:
    """Collect what the clients leave open here, where the warnings about it are expected.

    Once for all tests: in a worker that has run thousands of others, each collection takes seconds.
    """
    yield
    gc.collect()


@pytest.fixture
def named() -> Iterator[Server]:
    with _running() as server:
        yield server


@pytest.fixture
def other() -> Iterator[Server]:
    with _running() as server:
        yield server


def _model(provider: str, server: Server) -> BaseChatModel:
    return create_chat_model(
        provider,
        "some-model",
        base_url=f"http://127.0.0.1:{server.server_port}",
        settings=Settings.model_validate({"llm_max_retries": 0, "llm_timeout": 5.0}),
        environ={"OPENAI_COMPATIBLE_API_KEY": KEY, "ANTHROPIC_API_KEY": KEY, "GOOGLE_API_KEY": KEY},
    )


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize("status", sampled([301, 302, 303, 307, 308], every=3))  # 301 turns POST into GET, 307 not
@pytest.mark.parametrize("provider", PROVIDERS)
async def test_a_redirect_to_another_host_is_refused(
    provider: str, status: int, stream: bool, named: Server, other: Server
) -> None:
    named.redirect = (status, f"http://localhost:{other.server_port}/elsewhere")
    with pytest.raises(ModelUnreachable, match=rf"to localhost:{other.server_port}, which is not asked") as caught:
        await call_model(
            _model(provider, named), [HumanMessage("hi")], on_token=(lambda _token: None) if stream else None
        )
    assert other.requests == []
    assert len(named.requests) == 1
    assert not caught.value.may_pass


@pytest.mark.parametrize("status", [302, 307])
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_redirect_is_refused_by_synchronous_calls_too(
    provider: str, status: int, named: Server, other: Server
) -> None:
    named.redirect = (status, f"http://localhost:{other.server_port}/elsewhere")
    with pytest.raises(Exception, match=r".") as caught:
        _model(provider, named).invoke("hi")
    assert other.requests == []
    assert KEY not in str(caught.value)
