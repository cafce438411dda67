"""In-memory cache for the life of a graph, so that its runs don't repeat the same work."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Any


class Memo:
    """A bounded cache of immutable values with least-recently-used eviction. Thread-safe."""

    def __init__(self, size: int) -> None:
        """Start empty.

        Args:
            size: Maximum number of values.
        """
        self._size = size
        self._answers: OrderedDict[Hashable, Any] = OrderedDict()
        self._held: dict[Hashable, Any] = {}
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any | None:
        """Return the value of a key; None if there is none."""
        with self._lock:
            if key in self._held:
                return self._held[key]
            answer = self._answers.get(key)
            if answer is not None:
                self._answers.move_to_end(key)
            return answer

    def put(self, key: Hashable, answer: Any) -> None:
        """Store a value."""
        with self._lock:
            self._answers[key] = answer
            self._answers.move_to_end(key)
            while len(self._answers) > self._size:
                self._answers.popitem(last=False)

    def hold(self, key: Hashable, value: Any) -> None:
        """Store a value that is never evicted."""
        with self._lock:
            self._held[key] = value

    def put_first(self, key: Hashable, answer: Any) -> Any:
        """Store a value unless there is one; return the one that is stored."""
        with self._lock:
            kept = self._answers.setdefault(key, answer)
            self._answers.move_to_end(key)
            while len(self._answers) > self._size:
                self._answers.popitem(last=False)
            return kept

    def pop(self, key: Hashable) -> Any | None:
        """Remove a value and return it; None if there is none."""
        with self._lock:
            return self._held.pop(key, None) or self._answers.pop(key, None)

    def __len__(self) -> int:
        """Return the number of values."""
        with self._lock:
            return len(self._held) + len(self._answers)
