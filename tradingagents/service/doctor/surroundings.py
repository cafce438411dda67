"""Check keys, optional packages, the home folder, the exchange calendar and the database driver."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from importlib.util import find_spec

from tradingagents.dataflows.gateway.registry import registrations
from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.files.private_files import make_folder
from tradingagents.runtime.observability.tracing import trouble as tracing_trouble
from tradingagents.service.doctor.installation import installation_notes
from tradingagents.settings import Settings

MODEL_KEYS = {
    "OPENAI_API_KEY": "openai",
    "OPENAI_COMPATIBLE_API_KEY": "openai_compatible",
    "ANTHROPIC_API_KEY": "anthropic",
    "GOOGLE_API_KEY": "google",
}
EXTRAS = {
    "anthropic": "langchain_anthropic",
    "google": "langchain_google_genai",
    "postgres": "psycopg",
    "otel": "opentelemetry.sdk",
    "snapshot": "pyarrow",
    "server": "fastapi",
    "mcp": "mcp",
    "charts": "matplotlib",
    "pdf": "reportlab",
    "xlsx": "xlsxwriter",
    "embeddings": "wordllama",
}
"""Extras of the package, each with a module that it installs; without `ray` and `rerank`, which are gigabytes."""


@dataclass(frozen=True, slots=True)
class KeyState:
    """A variable for a key and whether it is set; the value is not stored."""

    variable: str
    reader: str
    """The vendor or model provider that reads it."""
    is_set: bool
    sign_up: str = ""
    """Where to get a key."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The state of this machine."""

    as_of: date
    home: str
    keys: tuple[KeyState, ...]
    missing_extras: tuple[str, ...]
    """Extras of the package that are not installed; needed only for their own features."""
    troubles: tuple[str, ...]
    """Problems that prevent every run."""
    notes: tuple[str, ...] = ()
    """What prevents no run: requested features that are unavailable, and files of other packages among ours."""


def examine_surroundings(settings: Settings, environ: Mapping[str, str], now: datetime) -> Surroundings:
    """Check the machine; the home folder is created if it does not exist, as a run would."""
    found = [_home_trouble(settings), _calendar_trouble(now), _database_trouble(settings)]
    return Surroundings(
        as_of=sessions().last_closed(now),
        home=str(settings.home_dir),
        keys=_keys(environ),
        missing_extras=tuple(extra for extra, module in EXTRAS.items() if not _installed(module)),
        troubles=tuple(trouble for trouble in found if trouble),
        notes=(*(note for note in (tracing_trouble(environ),) if note), *installation_notes()),
    )


def _installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # the parent package is missing
        return False


def _keys(environ: Mapping[str, str]) -> tuple[KeyState, ...]:
    def state(variable: str, reader: str, sign_up: str = "") -> KeyState:
        return KeyState(variable, reader, bool(environ.get(variable, "").strip()), sign_up)

    models = [state(variable, provider) for variable, provider in MODEL_KEYS.items()]
    vendors = [
        state(variable, name, known.sign_up)
        for name, known in registrations().items()
        for variable in (*known.needs, *known.takes)
    ]
    return (*models, *vendors)


def _home_trouble(settings: Settings) -> str | None:
    home = settings.home_dir
    try:
        make_folder(home)
        with tempfile.TemporaryFile(dir=home) as file:
            file.write(b"-")
    except OSError as error:
        return f"Cannot write to {home} ({error.strerror}); name a folder with the setting home or TRADINGAGENTS_HOME."
    return None


def _calendar_trouble(now: datetime) -> str | None:
    try:
        sessions().after(now.date())
    except ValueError:
        return f"The exchange calendar ends before {now:%Y-%m-%d}; run: pip install --upgrade exchange-calendars."
    return None


def _database_trouble(settings: Settings) -> str | None:
    if (settings.database_url or "").startswith("postgresql") and find_spec(EXTRAS["postgres"]) is None:
        return "database_url names PostgreSQL, which needs a package; run: pip install 'tradingagents[postgres]'."
    return None
