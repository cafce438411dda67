"""Chat completions without the SDK's typed detour, for the calls that many tickers make at once.

For every call the SDK checks the request against its types key by key, and builds typed objects of the answer, which
LangChain at once takes apart into dicts again. That is a third of what a call costs the client. Here the SDK still does
what it is for, connections, retries, time limits and errors; the request goes out as LangChain made it, and the answer
comes back as the dict that LangChain wants.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import httpx

if TYPE_CHECKING:
    from openai.resources.chat.completions import AsyncCompletions

_SDK_ARGUMENTS = frozenset({"extra_headers", "extra_query", "extra_body", "timeout"})
"""Arguments of the SDK's method that are no part of the request's body."""


@dataclass(frozen=True)
class LeanResponse:
    """An answer as LangChain asks for it: raw, parsed on demand."""

    http_response: httpx.Response

    @property
    def headers(self) -> Mapping[str, str]:
        """The answer's headers."""
        return self.http_response.headers

    def parse(self) -> Any:
        """Return the body's JSON; a body that is none comes back as text, which LangChain reports as such."""
        try:
            return json.loads(self.http_response.content)
        except ValueError:
            return self.http_response.text


class LeanCompletions:
    """Stands in for an SDK client's `chat.completions`; what it does not do itself the SDK's own does."""

    def __init__(self, completions: AsyncCompletions) -> None:
        """Wrap the SDK's resource."""
        self._completions = completions
        self.with_raw_response = _LeanRaw(completions)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._completions, name)


class _LeanRaw:
    def __init__(self, completions: AsyncCompletions) -> None:
        self._completions = completions

    async def create(self, **payload: Any) -> Any:
        """Make one chat completion; streams and requests with SDK arguments take the SDK's own way."""
        if payload.get("stream") or not _SDK_ARGUMENTS.isdisjoint(payload):
            return await self._completions.with_raw_response.create(**payload)
        answer = await self._completions._client.post("/chat/completions", cast_to=httpx.Response, body=payload)
        return LeanResponse(answer)
