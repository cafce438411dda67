"""Environment variables for this library: `.env` of the working folder or a parent, overridden by the process."""

from __future__ import annotations

import codecs
import os
import re
from collections import ChainMap
from collections.abc import Mapping
from io import StringIO
from pathlib import Path

from tradingagents.errors import SettingsError

LARGEST_FILE = 100_000
"""Maximum size of an `.env` file in bytes: hundreds of times what settings and keys need."""
MOST_REFERENCES = 100
"""Maximum number of references (`${NAME}`) in one `.env`. Each is searched to the end of its value, and a chain of
values that each repeat the one before doubles in length with every line."""
_REFERENCE = re.compile(r"\$\{(?P<name>[^}:]*)(?::-(?P<default>[^}]*))?\}")
_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
"""Byte order marks and their encodings. PowerShell writes UTF-16 with such a mark."""


def environment(directory: Path | None = None) -> dict[str, str]:
    """Return `.env` of the working folder (or a parent) overridden by the process environment; empty means unset.

    Nothing is written to the process environment.

    Args:
        directory: The folder of the `.env`; `None` means the working folder or the nearest parent that has one.

    Raises:
        SettingsError: The file cannot be read, or is not text; the message names it.
    """
    from dotenv import dotenv_values, find_dotenv

    try:
        found = str(directory / ".env") if directory else find_dotenv(usecwd=True)
    except FileNotFoundError:
        raise SettingsError("The working folder no longer exists; change to another one with cd.") from None
    text = _text_of(Path(found)) if found else ""
    from_file = _resolved(Path(found), dotenv_values(stream=StringIO(text), interpolate=False)) if text else {}
    merged = {**from_file, **{key: value for key, value in os.environ.items() if value.strip()}}
    return {key: value for key, value in merged.items() if value and value.strip()}


def readable_environment() -> dict[str, str]:
    """Return the environment, without `.env` if that cannot be read; `environment` reports such a file."""
    try:
        return environment()
    except SettingsError:
        return {key: value for key, value in os.environ.items() if value.strip()}


def _resolved(path: Path, values: Mapping[str, str | None]) -> dict[str, str]:
    """Return the values of a `.env` with `${NAME}` and `${NAME:-default}` replaced by the values above them."""
    if sum(value.count("${") for value in values.values() if value) > MOST_REFERENCES:
        raise SettingsError(
            f"{path} refers to other variables more than {MOST_REFERENCES} times; write out the values, and run again."
        )
    resolved: dict[str, str] = {}
    known = ChainMap(resolved, dict(os.environ))
    size = 0
    for name, value in values.items():
        resolved[name] = _REFERENCE.sub(lambda found: known.get(found["name"], found["default"] or ""), value or "")
        size += len(resolved[name])
        if size > LARGEST_FILE:
            raise SettingsError(f"{path} has values that refer to others and grow too long at {name}; shorten them.")
    return resolved


def _text_of(path: Path) -> str:
    """Return the text of a file; empty if it does not exist."""
    try:
        if not path.is_file():
            return ""
        size = path.stat().st_size
        if size > LARGEST_FILE:
            raise SettingsError(
                f"{path} has {size:,} bytes, too many for a file of settings; remove what is no setting from it."
            )
        content = path.read_bytes()
    except OSError as error:
        raise SettingsError(
            f"Cannot read {path} ({error.strerror or type(error).__name__}); change its permissions or move it away."
        ) from error
    encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise SettingsError(f"{path} is not UTF-8 (line {line}); save it as UTF-8 and run again.") from None
    if "\0" in text:
        raise SettingsError(f"{path} holds binary data; save it as UTF-8 text and run again.")
    return text
