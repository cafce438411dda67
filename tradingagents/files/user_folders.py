"""Folders of the account that runs this process; one that has no entry in the list of users may have none."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tradingagents.errors import HomeNotWritable

APP = "tradingagents"


def data_folder() -> Path:
    """Return where this library keeps what runs write, unless the setting `home` names another folder.

    Raises:
        HomeNotWritable: The account has no home folder.
    """
    from platformdirs import user_data_path

    found = _or_none(lambda: user_data_path(APP, appauthor=False))
    if found is None:
        raise HomeNotWritable(
            "This account has no home folder; name a folder with the setting home or TRADINGAGENTS_HOME."
        )
    return found


def cache_folder() -> Path | None:
    """Return where this library keeps what it can make again; None where the account has no home folder."""
    from platformdirs import user_cache_path

    return _or_none(lambda: user_cache_path(APP, appauthor=False))


def home_folder() -> Path | None:
    """Return the home folder of the account; None where it has none."""
    return _or_none(Path.home)


def working_folder() -> Path | None:
    """Return the current folder; None where it was deleted."""
    return _or_none(Path.cwd)


def _or_none(find: Callable[[], Path]) -> Path | None:
    try:
        found = find()
    except (RuntimeError, FileNotFoundError):
        return None
    return found if found.is_absolute() else None  # older versions of platformdirs leave `~` as it is
