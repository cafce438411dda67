"""A message to people or to their programs, and what went wrong when it was sent."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from tradingagents.errors import ConfigurationError

CUT = " …"
NOT_ADVICE = "This is research software: nothing in this message is investment advice."


class MessageNotSent(ConfigurationError):
    """The receiver did not take a message; what it tells of is on disk."""

    def __init__(self, receiver: str, why: str) -> None:
        """Name the receiver by what may be shown of it.

        Args:
            receiver: Such as `The webhook at example.org`.
            why: What happened, without an address or a secret.
        """
        super().__init__(
            f"{receiver} did not accept the message: {why}. The results are on disk; fix the receiver and run the same "
            "command again: finished studies are not repeated."
        )


@dataclass(frozen=True, slots=True)
class OutgoingMessage:
    """What is sent: words for people, and the same as data for programs."""

    title: str
    """One line."""
    text: str
    """Plain text of some lines, without the title."""
    data: Mapping[str, Any] = field(default_factory=dict)
    """JSON-able; what a signed webhook sends."""
    picture: bytes | None = None
    """A PNG that says the same; None for none."""

    def within(self, letters: int) -> str:
        """Return title and text, cut at the end of a line where they are longer than so many letters."""
        whole = f"{self.title}\n\n{self.text}".strip()
        if len(whole) <= letters:
            return whole
        head = whole[: letters - len(CUT)]
        return head[: head.rfind("\n")].rstrip() + CUT if "\n" in head else head + CUT


class Receiver(Protocol):
    """A place that messages are sent to."""

    def check(self) -> None:
        """Check that messages can be sent, without sending one.

        Raises:
            UsageError: The address is not an allowed one.
            ConfigurationError: A variable is missing or cannot be used.
        """

    async def deliver(self, message: OutgoingMessage) -> None:
        """Send a message.

        Raises:
            UsageError: The address is not an allowed one; nothing was sent.
            ConfigurationError: A variable is missing; nothing was sent.
            MessageNotSent: The receiver rejected the message, or did not answer any attempt.
        """
