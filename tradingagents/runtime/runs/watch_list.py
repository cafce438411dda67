"""The watch list: tickers to study regularly, in `<home>/watch/list.json`."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.errors import BadSymbol, UsageError
from tradingagents.files.atomic import unreadable
from tradingagents.files.json_file import JsonFile

MOST = 300
"""Maximum number of tickers in a list: each is a complete run of the trading graph."""
WAY_OUT = "correct it, or move it away and add the tickers again"


class WatchList:
    """The list on disk; every call reads it again, and changes are locked between processes."""

    def __init__(self, home: Path) -> None:
        """Set the path; nothing is read or written yet."""
        self._kept = JsonFile(home, home / "watch" / "list.json", way_out=WAY_OUT)

    @property
    def tickers(self) -> tuple[str, ...]:
        """The tickers, in the order they were added; empty if there is no list.

        Raises:
            UnreadableFile: The file is damaged.
        """
        return self._of(self._kept.read())

    def add(self, tickers: Iterable[str]) -> tuple[str, ...]:
        """Add tickers; return those that were not on the list.

        Raises:
            BadSymbol: One is not a valid ticker; none was added.
            UsageError: The list would be too long; none was added.
            UnreadableFile: The file is damaged.
            HomeNotWritable: The list cannot be written.
        """
        wanted = [normalise(ticker) for ticker in tickers]

        def longer(listed: tuple[str, ...]) -> tuple[str, ...]:
            grown = tuple(dict.fromkeys((*listed, *wanted)))
            if len(grown) > MOST:
                raise UsageError(f"The watch list may hold {MOST} tickers; remove some first.")
            return grown

        before, after = self._change(longer)
        return tuple(ticker for ticker in after if ticker not in before)

    def remove(self, tickers: Iterable[str]) -> tuple[str, ...]:
        """Remove tickers; return those that were on the list. Raises as `add` does."""
        unwanted = {normalise(ticker) for ticker in tickers}
        before, after = self._change(lambda listed: tuple(one for one in listed if one not in unwanted))
        return tuple(ticker for ticker in before if ticker not in after)

    def _change(self, change: Callable[[tuple[str, ...]], tuple[str, ...]]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Change the list; return it before and after."""
        with self._kept.changing():
            before = self.tickers
            after = change(before)
            if after != before:
                self._kept.write({"tickers": list(after)})
        return before, after

    def _of(self, kept: dict[str, object]) -> tuple[str, ...]:
        """Return the tickers in the file; check them, since people may have edited it."""
        listed = kept.get("tickers", [])
        if not isinstance(listed, list):
            raise unreadable(self._kept.path, "tickers is not a list", WAY_OUT)
        try:
            return tuple(dict.fromkeys(normalise(ticker) for ticker in listed))
        except BadSymbol as error:
            raise unreadable(self._kept.path, str(error).rstrip("."), WAY_OUT) from error
