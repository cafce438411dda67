"""A paper account on disk: its plan, its ledger, and its book, which must agree with the ledger.

Files in `<home>/paper/<name>/`: `account.json` (the plan), `ledger.jsonl` (every session, only ever added to),
`book.json` (the account after the last session, for other programs to read), `market.json` (which market it trades on),
and `lock`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from tradingagents.errors import ConfigurationError, NotFound, UsageError
from tradingagents.features.backtest.book import Book, BookMismatch
from tradingagents.features.backtest.ledger import BookLedger
from tradingagents.features.backtest.paper.plan import PaperPlan, check_account_name
from tradingagents.files.atomic import as_json, read_object, unreadable, write_whole, writing
from tradingagents.files.lock import Locked, held, locked

FOLDER = "paper"
PLAN, LEDGER, BOOK, LOCK = "account.json", "ledger.jsonl", "book.json", "lock"
MARKET = "market.json"
WAY_OUT = "restore it from a copy; nothing is traded on it until then"


class PaperAccountBusy(ConfigurationError):
    """Another process works on the same paper account."""


class PaperAccount:
    """A paper account of a home folder."""

    def __init__(self, home: Path, name: str) -> None:
        """Find an account and read its plan.

        Raises:
            UsageError: The name is not valid.
            NotFound: There is no account of that name.
            UnreadableFile: Its plan is damaged.
        """
        check_account_name(name)
        self.home, self.name, self.folder = home, name, home / FOLDER / name
        known = read_object(self.folder / PLAN, way_out=WAY_OUT)
        if known is None:
            others = ", ".join(paper_accounts(home)) or "none"
            raise NotFound(
                f"There is no paper account {name}; there are: {others}. `tradingagents paper init` makes one."
            )
        try:
            self.plan = PaperPlan.from_json(known)
        except (KeyError, TypeError, ValueError, UsageError) as error:
            raise unreadable(self.folder / PLAN, "it is no plan of an account", WAY_OUT) from error

    @classmethod
    def create(cls, home: Path, plan: PaperPlan) -> PaperAccount:
        """Make an account; it holds nothing until it is first run.

        Raises:
            UsageError: There is one of that name.
            PaperAccountBusy: Another process is making it.
            HomeNotWritable: It cannot be written.
        """
        folder = home / FOLDER / plan.name
        with _held(home, folder):
            if (folder / PLAN).exists():
                raise UsageError(f"There is a paper account {plan.name} already, in {folder}; choose another name.")
            with writing(home):
                write_whole(folder / PLAN, as_json(plan.to_json()))
        return cls(home, plan.name)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes from running the account.

        Raises:
            PaperAccountBusy: One is running it.
        """
        with _held(self.home, self.folder):
            yield

    def refuse_busy(self) -> None:
        """Raise PaperAccountBusy if a process is running the account."""
        if held(self.folder / LOCK):
            raise _busy(self.name)

    def stay_on_market(self, market: str, ledger: BookLedger) -> None:
        """Refuse another market than the account has traded on; note the market of a new one. Only while `held`.

        Args:
            market: `real` or `simulated-SEED`, see `Cohort.market`.
            ledger: The account.

        Raises:
            UsageError: The account has traded on another market.
            HomeNotWritable: The note cannot be written.
        """
        path = self.folder / MARKET
        known = (read_object(path, way_out="remove it; the next run notes its market anew") or {}).get("market")
        if known == market:
            return
        if known is not None and ledger.lines:
            raise UsageError(
                f"The paper account {self.name} trades on the market {known!r}, and this run would trade on "
                f"{market!r}; choose the vendors (data_vendor) with which it began, or make another account."
            )
        with writing(self.home):
            write_whole(path, as_json({"market": market}))

    def read_ledger(self) -> BookLedger:
        """Return the verified ledger without changing anything; it may be read while the account is run.

        Raises:
            UnreadableFile: A line was changed.
            BookMismatch: The postings do not give a mark, or `book.json` is not what the ledger says.
        """
        return self._verified(BookLedger(self.folder / LEDGER, to_read=True))

    def open_ledger(self) -> BookLedger:
        """Return the verified ledger to add sessions to; only while `held`. Raises as `read_ledger` does."""
        ledger = self._verified(BookLedger(self.folder / LEDGER))
        if ledger.lines:
            self.write_book(ledger)  # a killed process may not have come to it
        return ledger

    def write_book(self, ledger: BookLedger) -> None:
        """Write the account as the ledger says it is.

        Raises:
            HomeNotWritable: It cannot be written.
        """
        with writing(self.home):
            write_whole(self.folder / BOOK, as_json(_book_json(ledger.head, ledger.book)))

    def _verified(self, ledger: BookLedger) -> BookLedger:
        """Compare `book.json` with the ledger after the session it was written for."""
        path = self.folder / BOOK
        book_file = read_object(path, way_out=f"remove it if {LEDGER} is the truth")
        if book_file is None:
            return ledger
        head = book_file.get("head")
        book = Book()
        for line in ledger.lines:
            book.apply_all(line.mark.day, line.postings)
            if line.hash == head:
                break
        else:
            raise BookMismatch(
                f"{path} was written after a session that {LEDGER} does not have: the ledger was cut off or replaced. "
                f"Nothing is traded until one of the two is restored."
            )
        if {"interest": 0, **book_file} != _book_json(line.hash, book):  # books of earlier versions have none
            raise BookMismatch(
                f"{path} does not say what {LEDGER} says up to {line.mark.day}. Nothing is traded on it; if the ledger "
                "is the truth, remove the book, and it is written anew."
            )
        return ledger


def paper_accounts(home: Path) -> tuple[str, ...]:
    """Return the names of the accounts of a home folder, sorted."""
    return tuple(sorted(path.parent.name for path in (home / FOLDER).glob(f"*/{PLAN}")))


def _book_json(head: str, book: Book) -> dict[str, Any]:
    return {"head": head, **book.to_json(), "orders": dict(sorted(book.orders.items()))}


@contextmanager
def _held(home: Path, folder: Path) -> Iterator[None]:
    with ExitStack() as stack:
        try:
            with writing(home):
                stack.enter_context(locked(folder / LOCK))
        except Locked:
            raise _busy(folder.name) from None
        yield


def _busy(name: str) -> PaperAccountBusy:
    return PaperAccountBusy(
        f"Another process is running the paper account {name}; wait until it has ended, then run again."
    )
