"""Disk cache of exchange sessions: building a calendar takes a second, reading it some milliseconds.

The files are in the user's cache folder and may be deleted at any time. The file name contains the version of the
calendar library and the last day, so a newer library, or a new year, creates a new file.
"""

from __future__ import annotations

import json
import logging
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from tradingagents.files.private_files import make_folder
from tradingagents.files.regular_files import read_regular

LIBRARY = "exchange_calendars"
_COLUMNS = ("days", "opens", "closes")

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SessionTable:
    """The sessions of one exchange as plain numbers, in order."""

    days: Sequence[int]
    """Proleptic ordinals, see `date.fromordinal`."""
    opens: Sequence[int]
    """Seconds since 1970, UTC."""
    closes: Sequence[int]
    zone: str
    """Name of the exchange's time zone."""


def read_table(exchange: str, last: date) -> SessionTable | None:
    """Read the sessions of an exchange; None if there is no valid file.

    Args:
        exchange: Its MIC.
        last: The last day of the table.
    """
    path = _file(exchange, last)
    try:
        found = json.loads(read_regular(path))
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        logger.debug("The calendar in %s cannot be read (%s); it is built again.", path, error)
        return None
    if not _is_whole(found):
        logger.debug("The calendar in %s is damaged; it is built again.", path)
        return None
    return SessionTable(**{name: found[name] for name in (*_COLUMNS, "zone")})


def write_table(exchange: str, last: date, table: SessionTable) -> None:
    """Store the sessions of an exchange; if the folder isn't writable, the next process builds them again."""
    path = _file(exchange, last)
    draft = path.with_name(f".{path.name}.{secrets.token_hex(3)}")
    content = {"days": table.days, "opens": table.opens, "closes": table.closes, "zone": table.zone}
    try:
        make_folder(path.parent)
        draft.write_text(json.dumps(content), encoding="utf-8")
        draft.replace(path)
    except OSError as error:
        logger.debug("The calendar cannot be kept in %s (%s).", path.parent, error)


def _file(exchange: str, last: date) -> Path:
    from platformdirs import user_cache_path

    name = re.sub(r"[^A-Za-z0-9]", "-", exchange)
    folder = user_cache_path("tradingagents", appauthor=False) / "calendars"
    return folder / f"{name}-{_version()}-{last.isoformat()}.json"


@cache
def _version() -> str:
    from importlib.metadata import version

    return version(LIBRARY)


def _is_whole(found: Any) -> bool:
    """Return whether a file contains a valid table: increasing columns of one length, opens before closes."""
    if not isinstance(found, dict) or not isinstance(found.get("zone"), str):
        return False
    columns = [found.get(name) for name in _COLUMNS]
    if not all(isinstance(column, list) and set(map(type, column)) == {int} for column in columns):
        return False
    days, opens, closes = (list(column or ()) for column in columns)
    rising = all(sorted(set(column)) == column for column in (days, opens, closes))
    return rising and len(days) == len(opens) == len(closes) and all(map(int.__lt__, opens, closes))
