"""Sends what a command found to people, by the option `--webhook`."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from tradingagents.errors import TradingAgentsError

from .console import INTERRUPTED

if TYPE_CHECKING:
    from tradingagents.service.notices.message import OutgoingMessage, Receiver

    from .console import Terminal

WHERE = "Send it to slack, discord, telegram or email, or signed to the URL of a webhook; variables hold the secrets."
"""Help of the option."""


def send_message(receiver: Receiver, message: OutgoingMessage, terminal: Terminal) -> int:
    """Send a message; print why it was not accepted. Returns the exit code, 0 for a message that was accepted."""
    try:
        asyncio.run(receiver.deliver(message))
    except TradingAgentsError as error:
        terminal.print_error(str(error))
        return error.exit_code
    except KeyboardInterrupt:
        terminal.print_error("Interrupted before the webhook took the message; the results are written.")
        return INTERRUPTED
    return 0
