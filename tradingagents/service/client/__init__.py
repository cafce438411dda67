"""Python clients of a server: `Client` and `AsyncClient`, with the methods of the workspace.

```python
from tradingagents.service.client import Client

with Client("http://127.0.0.1:8765", token="…") as client:
    answer = client.invoke("get_fundamentals", {"ticker": "AAPL"}, as_of="2025-03-14")
```
"""

from __future__ import annotations

from collections.abc import Mapping

from tradingagents.service.client.client import ADDRESS, TOKEN_VARIABLE, AsyncClient
from tradingagents.service.workspace.sync import SyncWorkspace

__all__ = ["ADDRESS", "TOKEN_VARIABLE", "AsyncClient", "Client"]


class Client(SyncWorkspace):
    """The methods of a workspace on a server, each waiting for its answer. Use it as a context manager."""

    def __init__(
        self, address: str = ADDRESS, token: str | None = None, *, environ: Mapping[str, str] | None = None
    ) -> None:
        """Set the server; see `AsyncClient`."""
        super().__init__(AsyncClient(address, token, environ=environ))
