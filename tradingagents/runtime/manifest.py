"""A run's manifest: everything it was asked, saved in its folder so that a later process can resume exactly that."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from tradingagents.errors import ConfigurationError, TradingAgentsError
from tradingagents.files.atomic import read_object, unreadable
from tradingagents.files.lock import held
from tradingagents.runtime.fingerprint import asked_of, digest
from tradingagents.runtime.runs.run_folder import (
    CARD,
    LOCK,
    MANIFEST,
    UNFINISHED,
    NoSuchRun,
    checked_component,
    read_manifest_json,
)
from tradingagents.runtime.services import Services
from tradingagents.settings import OF_SETTLING, Settings, without_secrets

WAY_OUT = "run it anew"


class ManifestMismatch(ConfigurationError):
    """A run cannot be resumed: the settings, models, prompts or version have changed since it was started."""


@dataclass(frozen=True, slots=True)
class RunManifest:
    """Everything a run was asked."""

    run_id: str
    kind: str
    subject: str | None
    """The symbol studied; None where it is the whole market."""
    trade_date: date
    opened: datetime
    """When the run was first started. A run of a day that has not closed yet sees nothing later than this."""
    cutoff: datetime
    brief: str
    """The brief from a market scan, as Markdown; empty for none."""
    settings: Mapping[str, Any]
    """All settings, without passwords."""
    asked: Mapping[str, Any]
    """What changes the answer: settings, models, prompts, version; see `fingerprint.asked_of`."""
    request: Mapping[str, Any] = field(default_factory=dict)
    """What the kind of run asks besides subject and day, as JSON, such as a question; see `RunKind.details`."""

    @property
    def thread(self) -> str:
        """The name of its checkpoints, with a hash of what changes the answer, so that no other run finds them."""
        return f"{self.run_id}-{digest(self.to_json())[:16]}"

    def to_json(self) -> dict[str, Any]:
        """Return what changes the answer, as JSON: equal for equal runs, wherever and however they run."""
        return {
            "run_id": self.run_id,
            "kind": self.kind,
            "subject": self.subject,
            "trade_date": self.trade_date.isoformat(),
            "cutoff": self.cutoff.isoformat(),
            "brief": self.brief,
            "asked": dict(self.asked),
            **({"request": dict(self.request)} if self.request else {}),
        }

    def to_record(self) -> dict[str, Any]:
        """Return the whole manifest as JSON."""
        return {**self.to_json(), "opened": self.opened.isoformat(), "settings": dict(self.settings)}

    def assert_matches(self, services: Services, prompts: Mapping[str, str] | None = None) -> None:
        """Check that these services would give the same answer.

        Args:
            services: Settings and models.
            prompts: The prompts of the run's kind now; see `RunKind.prompts`.

        Raises:
            ManifestMismatch: They would not; the message names what differs.
        """
        before, now = dict(self.asked), asked_of(services, prompts)
        if before == now:
            return
        settings = [
            key
            for key in sorted({*before["settings"], *now["settings"]})
            if before["settings"].get(key) != now["settings"].get(key)
        ]
        others = [key for key in ("models", "prompts", "version") if before[key] != now[key]]
        raise ManifestMismatch(
            f"Run {self.run_id} cannot be resumed: since it was started, these have changed: "
            f"{', '.join([*settings, *others])}; {WAY_OUT}."
        )

    def resumed_settings(self, here: Settings, changes: Mapping[str, Any] | None = None) -> Settings:
        """Return the settings to resume with: those of the manifest, with this process's home and passwords.

        Args:
            here: The settings of this process.
            changes: Settings to change, such as a higher budget.
        """
        current = here.model_dump(mode="json")
        plain, known = without_secrets(current), {**OF_SETTLING, **self.settings}
        again = {
            key: current[key] if key == "home" or plain[key] == known.get(key, current[key]) else value
            for key, value in {**current, **known}.items()
        }
        try:
            return Settings.model_validate({**again, **(changes or {})})
        except ValidationError as error:
            first = error.errors(include_url=False, include_input=False)[0]
            where = here.home_dir / "runs" / self.run_id / MANIFEST
            why = f"its setting {first['loc'][0]}: {first['msg']}" if first["loc"] else str(first["msg"])
            raise unreadable(where, why, WAY_OUT) from None


def read_manifest(home: Path, run_id: str) -> RunManifest:
    """Return the manifest of a run.

    Raises:
        NoSuchRun: There is no such run, or it has no manifest.
        UnreadableFile: Its folder is damaged.
    """
    path = home / "runs" / checked_component(run_id)
    found = read_manifest_json(path, way_out=WAY_OUT)
    if found is None:
        raise NoSuchRun(
            f"There is no run {run_id} in {home} that could go on; `tradingagents runs list` shows those there are."
        )
    try:
        return manifest_from(found, run_id)
    except (KeyError, TypeError, ValueError, TradingAgentsError) as error:
        raise unreadable(path / MANIFEST, f"{type(error).__name__}: {error}", WAY_OUT) from error


def manifest_from(found: Mapping[str, Any], run_id: str) -> RunManifest:
    """Return a manifest from its JSON, see `RunManifest.to_record`.

    Raises:
        KeyError, TypeError, ValueError: It is none.
    """
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
        request=found.get("request", {}),
    )


def _assert_types(found: Mapping[str, Any]) -> None:
    """Check the types of a manifest's parts. Raises TypeError, KeyError."""
    asked = found["asked"]
    texts = (found["kind"], found["brief"], *([] if found["subject"] is None else [found["subject"]]))
    if not all(isinstance(one, str) for one in texts):
        raise TypeError("its kind, subject or brief is none")
    objects = (found["settings"], asked, asked["settings"], asked["models"], found.get("request", {}))
    if not all(isinstance(one, dict) for one in objects):
        raise TypeError("its settings are no object")
    _ = asked["prompts"], asked["version"]


def unfinished_run(home: Path, asked: RunManifest) -> str | None:
    """Return the id of the newest unfinished run that was asked the same; None where there is none.

    Args:
        home: The home folder.
        asked: The manifest of a run that would be started now; its id and start do not matter.
    """
    for folder in _folders_like(home, asked):
        if (folder / UNFINISHED).is_dir() and not held(folder / LOCK) and _asked_the_same(asked, folder):
            return folder.name
    return None


def finished_run(home: Path, asked: RunManifest, session: date) -> str | None:
    """Return the id of the newest finished run that was asked the same; None where there is none.

    Args:
        home: The home folder.
        asked: The manifest of a run that would be started now; its id and start do not matter.
        session: The last session that has closed; a run of an earlier session saw less.
    """
    for folder in _folders_like(home, asked):
        try:
            card = read_object(folder / CARD, way_out=WAY_OUT)
        except TradingAgentsError:  # `runs show` says what is wrong with it
            continue
        done = card is not None and card.get("status") == "done" and card.get("session") == session.isoformat()
        if done and _asked_the_same(asked, folder):
            return folder.name
    return None


def _folders_like(home: Path, asked: RunManifest) -> list[Path]:
    """Return the folders of runs with the same subject and day, the newest first."""
    *_, name = asked.run_id.partition("-")
    return sorted((home / "runs").glob(f"*-{name.rpartition('-')[0]}-*"), reverse=True)


def _asked_the_same(asked: RunManifest, folder: Path) -> bool:
    """Tell whether a run in a folder was asked the same; a damaged folder was not."""
    try:
        found = read_manifest(folder.parents[1], folder.name)
    except TradingAgentsError:
        return False
    return replace(asked, run_id=found.run_id, cutoff=found.cutoff).thread == found.thread
