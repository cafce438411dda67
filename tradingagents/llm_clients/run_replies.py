"""Replies that a run received, stored in its folder until it ends, so that a resumed run repeats no call.

Checkpoints are written when a step ends. A process killed between a model's answer and the end of its step would lose
the answer, so these lines are written first.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from langchain_core.messages import AIMessage, message_to_dict, messages_from_dict
from pydantic_core import to_json

from tradingagents.files.json_text import parse_json
from tradingagents.llm_clients.meter import Used


@dataclass(frozen=True, slots=True)
class EarlierReply:
    """A reply that an earlier start of the run received."""

    reply: AIMessage
    used: Used
    counted: bool
    """Whether the run's log contains its usage."""


class RunReplies:
    """The replies of one run, across all its starts."""

    def __init__(
        self, append: Callable[[bytes], None], lines: Iterable[bytes] = (), logged: Iterable[Used] = ()
    ) -> None:
        """Load the replies of earlier starts.

        Args:
            append: Appends a line to a file in the run's folder, on disk when it returns.
            lines: The lines of earlier starts.
            logged: The usage found in their log.
        """
        self._append = append
        self._earlier: dict[str, deque[tuple[AIMessage, Used]]] = defaultdict(deque)
        self._logged = Counter(logged)
        for line in lines:
            if (found := _read(line)) is not None:
                self._earlier[found[0]].append(found[1:])

    def waiting(self) -> Iterator[tuple[str, AIMessage, Used]]:
        """Yield the replies of earlier starts that are not used yet: the request, its reply, its usage."""
        for request, replies in self._earlier.items():
            yield from ((request, reply, used) for reply, used in replies)

    @property
    def is_empty(self) -> bool:
        """Whether all replies of earlier starts are used, or there were none."""
        return not any(self._earlier.values())

    def holds(self, request: str) -> bool:
        """Tell whether `take` has a reply to a request."""
        return bool(self._earlier.get(request))

    def take(self, request: str) -> EarlierReply | None:
        """Return the next reply that an earlier start received for a request; None if the model has to be called."""
        waiting = self._earlier.get(request)
        if not waiting:
            return None
        reply, used = waiting.popleft()
        counted = self._logged[used] > 0
        self._logged[used] -= counted
        return EarlierReply(reply, used, counted)

    def keep(self, request: str, reply: AIMessage, used: Used) -> None:
        """Store a reply.

        Raises:
            HomeNotWritable: The disk is full, or the folder is gone.
        """
        line = {"request": request, "reply": message_to_dict(reply), "used": used.to_dict()}
        self._append(to_json(line, fallback=str))


def _read(line: bytes) -> tuple[str, AIMessage, Used] | None:
    """Parse a line; None if it is damaged or of another version."""
    try:
        told = parse_json(line)
        (reply,) = messages_from_dict([told["reply"]])
        request, used = told["request"], Used.of(told["used"])
    except (ValueError, KeyError, TypeError):
        return None
    whole = isinstance(reply, AIMessage) and isinstance(request, str) and used is not None
    return (request, reply, used) if whole else None  # type: ignore[return-value]  # mypy does not see through `whole`
