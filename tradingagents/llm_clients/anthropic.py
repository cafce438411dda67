"""`ChatAnthropic` that refuses redirects to other hosts."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from anthropic import DefaultAsyncHttpxClient, DefaultHttpxClient
from langchain_anthropic import ChatAnthropic

from tradingagents.llm_clients.servers import refuse_other_hosts, refuse_other_hosts_async


class SingleHostChatAnthropic(ChatAnthropic):
    """ChatAnthropic with HTTP clients that refuse redirects to other hosts; takes no HTTP client of the caller."""

    @cached_property
    def _client(self) -> Any:
        hooks = {"response": [refuse_other_hosts]}
        return super()._client.with_options(http_client=DefaultHttpxClient(event_hooks=hooks, **self._http_options()))

    @cached_property
    def _async_client(self) -> Any:
        hooks = {"response": [refuse_other_hosts_async]}
        http_client = DefaultAsyncHttpxClient(event_hooks=hooks, **self._http_options())
        return super()._async_client.with_options(http_client=http_client)

    def _http_options(self) -> dict[str, Any]:
        options = {"timeout": self.default_request_timeout, "proxy": self.anthropic_proxy}
        return {name: value for name, value in options.items() if value is not None}
