"""`tradingagents mcp`: serves capabilities, tasks and runs to other programs' agents by MCP."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..command import with_options
from ..console import Terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tradingagents.service.mcp.tools import Offer
    from tradingagents.settings import Settings

PORT = 8766
SKILL = Path("tradingagents", "SKILL.md")
"""In a folder of skills: of a package of ours, and of an agent."""
_SERVER = options.HelpPanel("Server")


@with_options(options.MCP)
def mcp(
    http: Annotated[
        bool,
        _SERVER.option(
            "--http", "Serve streamable HTTP on 127.0.0.1 instead of stdin and stdout; clients send the token shown."
        ),
    ] = False,
    port: Annotated[int, _SERVER.option("--port", "Port for --http; 0: any.", min=0, max=65535)] = PORT,
    tools: Annotated[
        str,
        _SERVER.option(
            "--tools core|all",
            "core: the main capabilities, and two tools to find and ask the others; all: each is a tool.",
        ),
    ] = "core",
    skill: Annotated[bool, _SERVER.option("--skill", "Print the skill file for agents, and end.")] = False,
    install_skill: Annotated[
        Path | None,
        _SERVER.option(
            "--install-skill DIR", "Write the skill into a folder of skills, such as ~/.claude/skills, and end."
        ),
    ] = None,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Serve capabilities, tasks and runs to agents of other programs by MCP, over stdin and stdout or HTTP."""
    if skill:
        typer.echo(_skill(), nl=False)
        return 0
    if install_skill is not None:
        return _install(install_skill.expanduser(), terminal)
    from tradingagents.service.mcp_client.sdk import assert_installed

    assert_installed()
    import asyncio

    from tradingagents.service.mcp.tools import read_offer

    offer = read_offer(tools)
    settings, environ = read_both(flags)
    asyncio.run(_serve_http(settings, environ, offer, port, terminal) if http else _serve(settings, environ, offer))
    return 0


async def _serve(settings: Settings, environ: Mapping[str, str], offer: Offer) -> None:
    """Serve the program that started this one. Nothing but the protocol may be printed to stdout."""
    from tradingagents.service.mcp.transports import serve_over_stdio, service_of
    from tradingagents.service.workspace.workspace import Workspace

    async with Workspace(settings, environ, face="mcp") as workspace:
        await serve_over_stdio(service_of(workspace, settings, environ, offer))


async def _serve_http(
    settings: Settings, environ: Mapping[str, str], offer: Offer, port: int, terminal: Terminal
) -> None:
    from tradingagents.service.http.serve import address_of, listen, plan_of
    from tradingagents.service.mcp.standalone import serve_alone, standalone_app
    from tradingagents.service.mcp.transports import PATH, service_of
    from tradingagents.service.workspace.workspace import Workspace

    plan = plan_of(settings, environ, host="127.0.0.1", workers=1)

    def announce() -> None:
        token = plan.token if plan.made_token else "that of TRADINGAGENTS_SERVER_TOKEN"
        address = f"{address_of(plan, listener)}{PATH.removeprefix('/')}"
        terminal.err.print(f"MCP at {address} with the token {token}", markup=False, soft_wrap=True)

    with listen(plan.host, port) as listener:
        async with Workspace(settings, environ, face="mcp") as workspace:
            app = standalone_app(service_of(workspace, settings, environ, offer), plan)
            await serve_alone(app, plan, listener, announce)


def _skill() -> str:
    from importlib.resources import files

    return files("tradingagents.service.mcp").joinpath("skills", *SKILL.parts).read_text(encoding="utf-8")


def _install(folder: Path, terminal: Terminal) -> int:
    target = folder / SKILL
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_skill(), encoding="utf-8")
    terminal.print_text(str(target))
    return 0
