"""What is worked out once from all tables of a document and asked for again and again."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from tradingagents.retrieval.models import FiledTable

_MOST_KEPT = 100
"""Documents of which it is kept: each holds the tables of a filing."""


T = TypeVar("T")


class OfTables(Generic[T]):
    """Keeps what a function returns for the tables of a document, until the document is read anew."""

    def __init__(self, work_out: Callable[[Sequence[FiledTable]], T]) -> None:
        self._work_out = work_out
        self._kept: dict[str, tuple[Sequence[FiledTable], T]] = {}

    def __call__(self, key: str, tables: Sequence[FiledTable]) -> T:
        """Return it for the tables of a document.

        Args:
            key: Of the document.
            tables: All of them, as the document holds them: equal ones that were read anew are worked out anew.
        """
        known = self._kept.get(key)
        if known is None or known[0] is not tables:
            if len(self._kept) >= _MOST_KEPT:
                self._kept.clear()
            known = self._kept[key] = (tables, self._work_out(tables))
        return known[1]
