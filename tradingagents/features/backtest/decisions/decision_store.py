"""The decision store: what was decided on a ticker and a day, under a key made of all that changes the answer.

Files under `<home>/decisions/`, one for each decision, named by the SHA-256 of the request: ticker, day, settings,
models, prompts, version, and the content of a folder of recorded data. Backtests share them, and a killed one decides
nothing twice.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from pathlib import Path
from typing import Any

from tradingagents.agents.schemas import Decision
from tradingagents.features.backtest.decisions.opinions import Opinion, opinion_from, opinions_of
from tradingagents.features.backtest.variants.ablations import decider_of
from tradingagents.files.atomic import as_json, read_object, unreadable, write_whole, writing
from tradingagents.files.regular_files import read_regular
from tradingagents.graph.trading.run import Run
from tradingagents.runtime.fingerprint import asked_of, digest
from tradingagents.runtime.services import Services
from tradingagents.settings import Settings

FOLDER = "decisions"
WAY_OUT = "delete it, and it is decided again"
NOT_DATA = "fetched_at"
"""Column of a data sheet that says when a figure was read, not what it is."""


@dataclass(frozen=True, slots=True)
class StoredDecision:
    """A decision with what it rests on."""

    key: str
    ticker: str
    day: date
    decision: Decision
    content: str
    """SHA-256 of prompts, models and data sheet: equal for decisions on the same evidence."""
    llm_calls: int
    cost_usd: float | None
    """None where the price of a model is not known."""
    opinions: tuple[Opinion, ...] = ()
    """Which way each agent and reading pointed; empty for a decision of an earlier version."""

    def to_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "key": self.key,
            "ticker": self.ticker,
            "day": self.day.isoformat(),
            "content": self.content,
            "decision": self.decision.model_dump(mode="json"),
            "llm_calls": self.llm_calls,
            "cost_usd": self.cost_usd,
            "opinions": [opinion.to_json() for opinion in self.opinions],
        }


class DecisionStore:
    """The decisions of a home folder for one set of services. Safe for concurrent use by threads and processes."""

    def __init__(self, services: Services, repeat: int = 0) -> None:
        """Compute what all keys share.

        Args:
            services: Settings, models and prompts.
            repeat: Which of several decisions on the same ticker and day.

        Raises:
            OSError: The folder of recorded data cannot be read.
        """
        self.repeat = repeat
        self._home = services.settings.home_dir
        self._asked = {**asked_of(services, decider_of(services).prompts()), "data": data_identity(services.settings)}
        if repeat:
            self._asked["repeat"] = repeat

    def key(self, ticker: str, day: date) -> str:
        """Return the key of a decision."""
        return digest({**self._asked, "ticker": ticker, "day": day.isoformat()})

    def get(self, ticker: str, day: date) -> StoredDecision | None:
        """Return a stored decision; None if there is none.

        Raises:
            UnreadableFile: Its file is damaged, or another's.
        """
        key = self.key(ticker, day)
        known = read_object(self._path(key), way_out=WAY_OUT)
        if known is None:
            return None
        try:
            found = StoredDecision(
                key=known["key"],
                ticker=known["ticker"],
                day=date.fromisoformat(known["day"]),
                decision=Decision.model_validate(known["decision"]),
                content=known["content"],
                llm_calls=known["llm_calls"],
                cost_usd=known["cost_usd"],
                opinions=tuple(map(opinion_from, known.get("opinions", ()))),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise unreadable(self._path(key), "it is no decision", WAY_OUT) from error
        if (found.key, found.ticker, found.day) != (key, ticker, day):
            raise unreadable(self._path(key), "it is another decision", WAY_OUT)
        return found

    def put(self, ticker: str, day: date, run: Run) -> StoredDecision:
        """Store the decision of a run; it is on disk when this returns.

        Raises:
            HomeNotWritable: It cannot be written.
        """
        usage = run.record.usage
        found = StoredDecision(
            key=self.key(ticker, day),
            ticker=ticker,
            day=day,
            decision=run.decision,
            content=self.content(run),
            llm_calls=usage.llm_calls,
            cost_usd=usage.cost_usd,
            opinions=opinions_of(run),
        )
        with writing(self._home):
            write_whole(self._path(found.key), as_json(found.to_json()))
        return found

    def content(self, run: Run) -> str:
        """Return the hash of what a run's decision rests on: prompts, models, and data sheet without times."""
        sheet = [
            {name: value for name, value in row.as_json().items() if name != NOT_DATA} for row in run.record.data_sheet
        ]
        return digest({"prompts": run.record.prompts, "models": self._asked["models"], "sheet": sheet})

    def _path(self, key: str) -> Path:
        return decision_path(self._home, key)


def decision_path(home: Path, key: str) -> Path:
    """Return where a home folder stores the decision of a key."""
    return home / FOLDER / key[:2] / f"{key}.json"


def data_identity(settings: Settings) -> str:
    """Return the SHA-256 of a folder of recorded data; empty for other data, which their day and settings name."""
    return "" if settings.data_dir is None else _folder_hash(settings.data_dir, _state(settings.data_dir))


def _state(folder: Path) -> tuple[tuple[str, int, int], ...]:
    """Return names, sizes and times of a folder's files, so that an unchanged folder is read once a process."""
    files = sorted(path for path in folder.iterdir() if path.is_file())
    return tuple((path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files)


@lru_cache(maxsize=8)
def _folder_hash(folder: Path, state: tuple[tuple[str, int, int], ...]) -> str:
    whole = hashlib.sha256()
    for name, _, _ in state:
        whole.update(f"{name}\0{hashlib.sha256(read_regular(folder / name)).hexdigest()}\n".encode())
    return whole.hexdigest()
