"""The setting `mcp_servers`: other MCP servers whose tools the assistant may use."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

SERVER_NAME = re.compile(r"[a-z0-9]+(?:[_-][a-z0-9]+)*")
"""Names of servers; a tool is called `<server>__<tool>`, so a name holds no two underscores in a row."""
LONGEST_SERVER_NAME = 24
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


class McpServer(BaseModel):
    """How to reach one MCP server, and what it may do. Either `command` or `url` is given."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    command: str | None = Field(None, min_length=1)
    """Program that is started and speaks MCP over its stdin and stdout."""
    args: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    """Names of the environment variables that the program receives, besides HOME, PATH and the like."""
    url: str | None = Field(None, min_length=1)
    """Address of a server that speaks streamable HTTP."""
    token_env: str | None = None
    """Name of the variable whose value is sent as bearer token; only for `url`."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Further headers: the name of each, and the name of the variable that holds its value; only for `url`."""
    tools: tuple[str, ...] | None = None
    """Tools that may be used; None for all that the other rules allow."""
    allow_writes: bool = False
    """Whether tools may be used that do not declare themselves read-only; a person still approves each call."""
    point_in_time: bool = False
    """Whether the tools know the day of the study, or answer with what no day changes. Others are refused for a past
    day, since they answer with today's data."""
    timeout_seconds: float = Field(30.0, gt=0, le=600)
    """Time limit of one call, and of starting the server."""
    max_chars: int = Field(20_000, ge=200, le=500_000)
    """Longest answer in characters; longer ones are cut off."""

    @field_validator("url")
    @classmethod
    def _an_address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("a server's url begins with http:// or https:// and names a host")
        if parts.username or parts.password or parts.query:
            raise ValueError("a server's url holds no user, password or query; use token_env or headers")
        return value

    @field_validator("env", "token_env", "headers")
    @classmethod
    def _names_of_variables(
        cls, value: tuple[str, ...] | str | dict[str, str] | None
    ) -> tuple[str, ...] | str | dict[str, str] | None:
        names = value.values() if isinstance(value, dict) else (value,) if isinstance(value, str) else value or ()
        if not all(map(_VARIABLE.fullmatch, names)):
            raise ValueError("env, token_env and headers hold names of environment variables, never values")
        return value

    @model_validator(mode="after")
    def _one_way(self) -> McpServer:
        if (self.command is None) == (self.url is None):
            raise ValueError("a server has either a command or a url")
        if self.command is None and (self.args or self.env):
            raise ValueError("args and env belong to a server with a command")
        if self.url is None and (self.token_env or self.headers):
            raise ValueError("token_env and headers belong to a server with a url")
        return self


def assert_server_names(servers: dict[str, McpServer]) -> None:
    """Check the names of servers.

    Raises:
        ValueError: A name cannot begin the name of a tool.
    """
    for name in servers:
        if len(name) > LONGEST_SERVER_NAME or not SERVER_NAME.fullmatch(name):
            raise ValueError(
                f"a server's name has up to {LONGEST_SERVER_NAME} small letters, digits, and single - or _ between them"
            )
