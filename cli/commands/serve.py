"""`tradingagents serve`: the HTTP interface, the web page and MCP over one home folder."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from tradingagents.errors import ConfigurationError, TradingAgentsError

from .. import options
from ..command import with_options
from ..console import Terminal, open_terminal
from ..flags import Flags, read_both

if TYPE_CHECKING:
    import socket

    from tradingagents.service.http.serve import ServePlan

SERVER = options.HelpPanel("Server")


@with_options(options.SERVE)
def serve(
    host: Annotated[str, SERVER.option("--host HOST", "Address to listen at.")] = "127.0.0.1",
    port: Annotated[int, SERVER.option("--port N", "Port to listen at; 0: any.", min=0, max=65_535)] = 8765,
    workers: Annotated[int, SERVER.option("--workers N", "Processes that share the work on one home folder.")] = 1,
    *,
    flags: Flags,
    terminal: Terminal,
) -> int:
    """Serve the web page, the HTTP interface and MCP, and print the address with its token.

    Clients send the token; the page takes it from the address. TRADINGAGENTS_SERVER_TOKEN sets one, otherwise a new one
    is made at each start. Ctrl-C or SIGTERM ends the server; work in progress continues at the next start.
    """
    settings, environ = read_both(flags)
    with terminal.loading():
        try:
            from tradingagents.service.http import serve as server
        except ModuleNotFoundError as error:
            raise _missing(error) from None
        plan = server.plan_of(settings, environ, host=host, workers=workers)
        listener = server.listen(host, port)
    with listener:
        address = server.address_of(plan, listener)
        server.serve(plan, listener, lambda: _announce(terminal, plan, address), _Worker(terminal))
    return 0


class _Worker:
    """Runs a worker process with the log lines of this command."""

    def __init__(self, terminal: Terminal) -> None:
        self._output = {"json": terminal.json, "quiet": terminal.quiet, "debug": terminal.debug}

    def __call__(self, plan: ServePlan, listener: socket.socket, ready: Any) -> None:
        from tradingagents.service.http.serve import run_worker

        terminal = open_terminal(**self._output)
        try:
            run_worker(plan, listener, ready)
        except TradingAgentsError as error:
            terminal.print_error(str(error))
            raise SystemExit(error.exit_code) from None


def _announce(terminal: Terminal, plan: ServePlan, address: str) -> None:
    """Print where the server is; the token only where it was made for this start, for nobody else knows it."""
    whole = f"{address}#token={plan.token}" if plan.made_token else address
    if terminal.json:
        terminal.print_json({"address": whole, "workers": plan.workers})
        return
    note = "" if plan.made_token else " with the token of TRADINGAGENTS_SERVER_TOKEN"
    terminal.err.print(f"Serving at {whole}{note}", markup=False, soft_wrap=True)
    if not terminal.quiet:
        terminal.err.print("Press Ctrl-C to stop; work in progress continues at the next start.", markup=False)


def _missing(error: ModuleNotFoundError) -> ConfigurationError:
    return ConfigurationError(
        f"The package {error.name} is missing; install the extra: pip install 'tradingagents[server]'."
    )
