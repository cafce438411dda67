"""What a run was asked, as its folder keeps it: so that a later process can go on with this question and no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tradingagents.dataflows.cutoff import Cutoff
from tradingagents.errors import ConfigurationError, TradingAgentsError
from tradingagents.runtime.fingerprint import asked_of, digest
from tradingagents.runtime.services import Services
from tradingagents.settings import Settings, without_secrets
from tradingagents.store.atomic import read_object, unreadable
from tradingagents.store.lock import held
from tradingagents.store.run_folder import LOCK, MANIFEST, NoSuchRun, checked_component, read_manifest_json

WAY_OUT = "run it anew"


class ManifestMismatch(ConfigurationError):
    """What a run was asked and what it would be asked now differ."""


@dataclass(frozen=True, slots=True)
class RunManifest:
    """What a run was asked."""

    run_id: str
    kind: str
    subject: str | None
    """The symbol; None for a scan."""
    trade_date: date
    opened: datetime
    """When it was asked: a run of a day that has not closed yet learns nothing of what came after."""
    cutoff: datetime
    brief: str
    """What a market scan handed over, as Markdown."""
    settings: Mapping[str, Any]
    """All of them, without passwords."""
    asked: Mapping[str, Any]
    """The settings that change the answer; see `fingerprint.asked_of`."""

    @property
    def thread(self) -> str:
        """The name its checkpoints are kept under: a hash of all that matters, so that no other question finds them."""
        return f"{self.run_id}-{digest(self.to_json())[:16]}"

    @classmethod
    def of(
        cls,
        services: Services,
        run_id: str,
        kind: str,
        subject: str | None,
        cutoff: Cutoff,
        opened: datetime,
        brief: str,
    ) -> RunManifest:
        """Return the manifest of a run with these services."""
        settings = without_secrets(services.settings.model_dump(mode="json"))
        return cls(
            run_id, kind, subject, cutoff.as_of, opened, cutoff.instant, brief, settings, asked_of(services)
        )  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        """Return what is asked, without what only says where or how: the same for the same question."""
        return {
            "run_id": self.run_id,
            "kind": self.kind,
            "subject": self.subject,
            "trade_date": self.trade_date.isoformat(),
            "cutoff": self.cutoff.isoformat(),
            "brief": self.brief,
            "asked": dict(self.asked),
        }

    def to_record(self) -> dict[str, Any]:
        """Return all of it as JSON."""
        return {**self.to_json(), "opened": self.opened.isoformat(), "settings": dict(self.settings)}

    def assert_matches(self, services: Services) -> None:
        """Make sure that these services would run the same.

        Raises:
            AnotherQuestion: Names what differs.
        """
        before, now = dict(self.asked), asked_of(services)
        if before == now:
            return
        settings = [
            key
            for key in sorted({*before["settings"], *now["settings"]})
            if before["settings"].get(key) != now["settings"].get(key)
        ]
        others = [key for key in ("models", "prompts", "version") if before[key] != now[key]]
        raise ManifestMismatch(
            f"Run {self.run_id} was asked something else (different: {', '.join([*settings, *others])}), and going on "
            f"would mix two questions; {WAY_OUT}."
        )

    def resumed_settings(self, here: Settings, changes: Mapping[str, Any] | None = None) -> Settings:
        """Return the settings to go on with: as they were, with this process's home and passwords.

        Args:
            here: The settings of this process.
            changes: Limits and the like that are to be other ones now.
        """
        current = here.model_dump(mode="json")
        plain = without_secrets(current)
        again = {
            key: current[key] if key == "home" or plain[key] == self.settings.get(key, current[key]) else value
            for key, value in {**current, **self.settings}.items()
        }
        try:
            return Settings.model_validate({**again, **(changes or {})})
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = here.home_dir / "runs" / self.run_id / MANIFEST
            why = f"its setting {first['loc'][0]}: {first['msg']}" if first["loc"] else str(first["msg"])
            raise unreadable(where, why, WAY_OUT) from None


def read_manifest(home: Path, run_id: str) -> RunManifest:
    """Return what a run was asked.

    Raises:
        NoSuchRun: There is no such run, or it is of a version that kept no questions.
        UnreadableFile: Its folder is damaged.
    """
    path = home / "runs" / checked_component(run_id)
    found = read_manifest_json(path, way_out=WAY_OUT)
    if found is None:
        raise NoSuchRun(
            f"There is no run {run_id} in {home} that could go on; `tradingagents runs list` shows those there are."
        )
    try:
        _assert_types(found)
        return RunManifest(
            run_id=run_id,
            kind=found["kind"],
            subject=found["subject"],
            trade_date=date.fromisoformat(found["trade_date"]),
            opened=datetime.fromisoformat(found["opened"]),
            cutoff=datetime.fromisoformat(found["cutoff"]),
            brief=found["brief"],
            settings=found["settings"],
            asked=found["asked"],
        )
    except (KeyError, TypeError, ValueError, TradingAgentsError) as error:
        raise unreadable(path / MANIFEST, f"{type(error).__name__}: {error}", WAY_OUT) from error


def _assert_types(found: Mapping[str, Any]) -> None:
    """Make sure that a question's parts are what they must be. Raises TypeError, KeyError."""
    asked = found["asked"]
    texts = (found["kind"], found["brief"], *([] if found["subject"] is None else [found["subject"]]))
    if not all(isinstance(one, str) for one in texts):
        raise TypeError("its kind, subject or brief is none")
    if not all(isinstance(one, dict) for one in (found["settings"], asked, asked["settings"], asked["models"])):
        raise TypeError("its settings are no object")
    _ = asked["prompts"], asked["version"]


def unfinished_run(home: Path, asked: RunManifest) -> str | None:
    """Return the newest run that was asked the same and has not ended; None where there is none.

    Args:
        home: Where the runs are.
        asked: What would be asked now; its id and moment do not matter.
    """
    *_, name = asked.run_id.partition("-")
    stem = name.rpartition("-")[0]
    for folder in sorted((home / "runs").glob(f"*-{stem}-*"), reverse=True):
        if not (folder / "unfinished").is_dir() or held(folder / LOCK):
            continue
        try:
            found = read_manifest(home, folder.name)
        except TradingAgentsError:
            continue
        if replace(asked, run_id=found.run_id, cutoff=found.cutoff).thread == found.thread:
            return found.run_id
    return None


def finished_run(home: Path, asked: RunManifest, session: date) -> str | None:
    """Return the newest finished run that was asked the same; None where there is none.

    Args:
        home: Where the runs are.
        asked: What would be asked now; its id and moment do not matter.
        session: The last session that has closed: before today's close and after it, a question differs.
    """
    *_, name = asked.run_id.partition("-")
    stem = name.rpartition("-")[0]
    for folder in sorted((home / "runs").glob(f"*-{stem}-*"), reverse=True):
        try:
            card = read_object(folder / "run.json", way_out=WAY_OUT)
            if card is None or card.get("status") != "done" or card.get("session") != session.isoformat():
                continue
            found = read_manifest(home, folder.name)
        except TradingAgentsError:  # a damaged folder is no answer; `runs show` says what is wrong with it
            continue
        if replace(asked, run_id=found.run_id, cutoff=found.cutoff).thread == found.thread:
            return found.run_id
    return None
