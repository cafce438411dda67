"""`ChatOllama` that hides its URL in `repr`: LangChain shows it to tracers, and a URL may contain a password."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from langchain_ollama import ChatOllama

_HOLD_PASSWORDS = frozenset({"base_url", "client_kwargs", "async_client_kwargs", "sync_client_kwargs"})


class RedactedChatOllama(ChatOllama):
    """ChatOllama that hides its URL and headers in `repr`."""

    def __repr_args__(self) -> Generator[tuple[str | None, Any], None, None]:
        """Yield the fields that `repr` shows."""
        yield from (one for one in super().__repr_args__() if one[0] not in _HOLD_PASSWORDS)
