"""A forward record: a paper account whose sessions are committed before the next open, and revealed after it.

Files in `<home>/records/`: `registry.jsonl`, a chain with a line for each record ever begun in the home, and for each
record `<name>.jsonl`, its chain, and `<name>.salts.json`, which only its owner sees. A session is committed as the hash
of a salt and of its line in the ledger of the account: decisions, the bars that were seen, orders, fills, and what the
account is worth. The line and the salt are revealed once the next session has opened.

A record cannot be chosen afterwards among several: each line names how many records had been begun by then, and the
hash of the registry. Its times are claims of this machine until heads of the chains are published elsewhere; see
`anchor`.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.reference.calendar import exchange_of, sessions
from tradingagents.errors import ConfigurationError, NotFound, UsageError
from tradingagents.features.backtest.decisions.decision_store import data_identity
from tradingagents.features.backtest.forward.chain import Entry, HashChain
from tradingagents.features.backtest.paper.account import PaperAccount
from tradingagents.features.backtest.paper.plan import PaperPlan, check_account_name
from tradingagents.features.backtest.paper.run import PaperRun, run_paper
from tradingagents.features.backtest.variants.ablations import decider_of
from tradingagents.files.atomic import as_json, read_object, write_whole, writing
from tradingagents.files.lock import Locked, locked
from tradingagents.files.private_files import make_folder
from tradingagents.runtime.fingerprint import asked_of, digest
from tradingagents.runtime.services import Services

FOLDER = "records"
REGISTRY = "registry.jsonl"
SALT_BYTES = 32


class RecordBusy(ConfigurationError):
    """Another process adds to the records of the home."""


@dataclass(frozen=True, slots=True)
class RecordRun:
    """What a run of a record added."""

    paper: PaperRun
    revealed: tuple[date, ...]
    committed: tuple[date, ...]
    late: tuple[date, ...]
    """Those of `committed` whose next session had opened already: they prove nothing."""


@dataclass(frozen=True, slots=True)
class ForwardRecord:
    """A record of a home."""

    home: Path
    name: str

    def __post_init__(self) -> None:
        """Refuse what is no name.

        Raises:
            UsageError: It has other characters than small letters, digits, - and _.
        """
        check_account_name(self.name)
        if self.path.name == REGISTRY:
            raise UsageError("A record cannot be called registry, which counts all of them; choose another name.")

    @property
    def path(self) -> Path:
        """Its chain."""
        return self.home / FOLDER / f"{self.name}.jsonl"

    def read(self) -> HashChain:
        """Return its chain without changing it.

        Raises:
            NotFound: There is no such record.
            UnreadableFile: A line was changed.
        """
        self._refuse_missing()
        return HashChain(self.path, to_read=True)

    def start(self, plan: PaperPlan) -> Entry:
        """Begin a record with a new paper account, and count it; one whose start was killed is completed.

        Args:
            plan: Of the account; its name is the record's.

        Raises:
            UsageError: There is a paper account or a record of that name.
            RecordBusy: Another process adds to the records.
        """
        with self._held():
            registry = HashChain(registry_path(self.home))
            begun = next((entry for entry in registry.entries if entry["name"] == self.name), None)
            if begun is not None and (self.path.exists() or begun["plan"] != plan.to_json()):
                raise UsageError(f"A record {self.name} was begun in this home already; choose another name.")
            if begun is None:
                PaperAccount.create(self.home, plan)
            with writing(self.home):
                begun = begun or registry.add("begun", {"name": self.name, "at": _now(), "plan": plan.to_json()})
                HashChain(self.path).add("start", {"at": _now(), "registry": _state(registry), "begun": begun["hash"]})
        return begun

    async def run(self, services: Services, day: str | date | None = None) -> RecordRun:
        """Take the account through the sessions that have closed, commit each, and reveal those whose time has come.

        Args:
            services: Models and data.
            day: The clock, for recorded or simulated data; None: the last session that has closed.

        Raises:
            NotFound: There is no such record.
            RecordBusy: Another process adds to the records.
            TradingAgentsError: As `run_paper` raises; what was committed stays.
        """
        self._refuse_missing()
        with self._held():
            revealed = self._reveal()
            taken = await run_paper(services, self.name, day)
            committed, late = self._commit(services)
        return RecordRun(taken, revealed, committed, late)

    def reveal(self) -> tuple[date, ...]:
        """Reveal every committed session whose next session has opened; return them.

        Raises:
            NotFound: There is no such record.
            RecordBusy: Another process adds to the records.
        """
        self._refuse_missing()
        with self._held():
            return self._reveal()

    def _commit(self, services: Services) -> tuple[tuple[date, ...], tuple[date, ...]]:
        """Commit the sessions of the ledger that are not yet; return them, and those that were late."""
        chain, registry = HashChain(self.path), HashChain(registry_path(self.home))
        known = {entry["session"] for entry in chain.entries if entry["kind"] == "commit"}
        account = PaperAccount(self.home, self.name)
        calendars = [sessions(exchange) for exchange in {*map(exchange_of, account.plan.tickers or ("SPY",))}]
        committed: list[date] = []
        late: list[date] = []
        basis = _basis(services)
        for day, line in _lines(account):
            if day.isoformat() in known:
                continue
            salt = self._salt(day)
            opens, now = min(calendar.next_open(day) for calendar in calendars), utc_now()
            said = {
                "session": day.isoformat(),
                "at": _now(now),
                "next_open": _now(opens),
                "commitment": commitment_of(salt, line),
                "registry": _state(registry),
                **basis,
            }
            with writing(self.home):
                chain.add("commit", said)
            committed.append(day)
            if now >= opens:
                late.append(day)
        return tuple(committed), tuple(late)

    def _reveal(self) -> tuple[date, ...]:
        chain = HashChain(self.path)
        shown = {entry["session"] for entry in chain.entries if entry["kind"] == "reveal"}
        lines = dict(_lines(PaperAccount(self.home, self.name)))
        revealed: list[date] = []
        for entry in chain.entries:
            if entry["kind"] != "commit" or entry["session"] in shown or entry["next_open"] > _now():
                continue
            day = date.fromisoformat(entry["session"])
            salt = self._salts().get(entry["session"], "")
            line = lines.get(day, "")
            if commitment_of(salt, line) != entry["commitment"]:
                raise ConfigurationError(
                    f"The session {day} of the record {self.name} is not what was committed: its ledger or salt was "
                    "changed. Restore them from a copy; nothing is revealed until then."
                )
            with writing(self.home):
                chain.add("reveal", {"session": entry["session"], "at": _now(), "salt": salt, "line": line})
            revealed.append(day)
        return tuple(revealed)

    def _salt(self, day: date) -> str:
        """Return the salt of a session; a new one is on disk before it is used."""
        known = self._salts()
        if (salt := known.get(day.isoformat())) is None:
            salt = secrets.token_hex(SALT_BYTES)
            with writing(self.home):
                write_whole(self._salt_path, as_json({**known, day.isoformat(): salt}))
        return salt

    def _salts(self) -> dict[str, str]:
        return read_object(self._salt_path, way_out="restore it; without it nothing committed can be revealed") or {}

    @property
    def _salt_path(self) -> Path:
        return self.home / FOLDER / f"{self.name}.salts.json"

    def _refuse_missing(self) -> None:
        if not self.path.exists():
            others = ", ".join(names_in(HashChain(registry_path(self.home), to_read=True))) or "none"
            raise NotFound(
                f"There is no record {self.name}; there are: {others}. `tradingagents record start` begins one."
            )

    @contextmanager
    def _held(self) -> Iterator[None]:
        folder = self.home / FOLDER
        with writing(self.home):
            make_folder(folder)
        try:
            with locked(folder / "lock"):
                yield
        except Locked:
            raise RecordBusy("Another process adds to the records of this home; wait until it has ended.") from None


def commitment_of(salt: str, line: str) -> str:
    """Return what is published of a line before it is shown."""
    return hashlib.sha256(f"{salt}{line}".encode()).hexdigest()


def registry_path(home: Path) -> Path:
    """Return the chain of all records ever begun in a home."""
    return home / FOLDER / REGISTRY


def names_in(registry: HashChain) -> tuple[str, ...]:
    """Return the names of all records ever begun, the oldest first."""
    return tuple(entry["name"] for entry in registry.entries)


def anchor(home: Path) -> dict[str, Any]:
    """Return the state of all records of a home in one small object, to be published elsewhere at once.

    Who has it from a source whose dates he trusts, such as a mailing list, can tell later that nothing of before was
    changed, and that nothing of after was dated back.
    """
    registry = HashChain(registry_path(home), to_read=True)
    chains = {name: _state(ForwardRecord(home, name).read()) for name in names_in(registry)}
    return {"at": _now(), "registry": _state(registry), "records": chains}


def _state(chain: HashChain) -> dict[str, Any]:
    return {"lines": len(chain), "head": chain.head}


def _basis(services: Services) -> Mapping[str, Any]:
    """Return what decisions are made with: models by name; settings, prompts and recorded data by hash."""
    asked = asked_of(services, decider_of(services).prompts())
    return {
        "models": asked["models"],
        "version": asked["version"],
        "settings": digest(asked["settings"]),
        "prompts": digest(asked["prompts"]),
        "data": digest({"data": data_identity(services.settings)}),
        "market": services.cohort.market,
    }


def _lines(account: PaperAccount) -> list[tuple[date, str]]:
    """Return the lines of an account's ledger by session."""
    ledger = account.read_ledger()
    content = ledger.content.decode("utf-8").splitlines()
    return [(line.mark.day, text) for line, text in zip(ledger.lines, content, strict=True)]


def _now(instant: datetime | None = None) -> str:
    return (instant or utc_now()).astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
