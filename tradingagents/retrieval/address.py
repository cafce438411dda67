"""Where the store of documents is. Importing this loads neither the store nor what reads it."""

from __future__ import annotations

from pathlib import Path

from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.settings import Settings

FOLDER = "filings"
FILE = "documents.sqlite"


def store_address(settings: Settings) -> Path | str:
    """Return where documents are stored: `database_url`, or a folder in the home folder."""
    return settings.database_url or settings.home_dir / FOLDER


def store_exists(settings: Settings, memo: Memo | None) -> bool:
    """Tell whether there may be a store, without opening it: one that runs share, or that of the settings."""
    if memo is not None and memo.get(held_store_key(settings)) is not None:
        return True
    return settings.database_url is not None or (settings.home_dir / FOLDER / FILE).exists()


def held_store_key(settings: Settings) -> tuple[object, ...]:
    """Return under which key a memory that runs share holds the open store of these settings."""
    return "document store", store_address(settings), settings.filings_vectors, settings.filings_vector_weight
