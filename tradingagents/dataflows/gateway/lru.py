"""Answers kept in memory for the life of a graph, so that its runs do not work the same thing out twice."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any


class Memo:
    """A bounded store of immutable answers; the least recently used go first. Thread-safe."""

    def __init__(self, size: int) -> None:
        """Start empty.

        Args:
            size: Most answers to keep.
        """
        self._size = size
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any | None:
        """Return the answer to a question; None where it is not kept."""
        with self._lock:
            answer = self._answers.get(key)
            if answer is not None:
                self._answers.move_to_end(key)
            return answer

    def put(self, key: Hashable, answer: Any) -> None:
        """Keep an answer."""
        with self._lock:
            self._answers[key] = answer
            self._answers.move_to_end(key)
            while len(self._answers) > self._size:
                self._answers.popitem(last=False)
