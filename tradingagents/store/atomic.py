"""Files under `home`: written whole or not at all, and read back as what they must be."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tradingagents.errors import ConfigurationError, HomeNotWritable
from tradingagents.json_text import TOO_DEEP, parse_json
from tradingagents.plain_text import escaped_json
from tradingagents.regular_files import read_regular

ESCAPE = "backslashreplace"
"""What becomes of half a surrogate pair, which models do send: an escape, which in JSON reads back as it was."""

_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=str).encode
"""Made once: making an encoder takes as long as a short line."""


class UnreadableFile(ConfigurationError):
    """A file that this library wrote cannot be read back: damaged, or changed by hand."""


def one_line_json(value: object) -> str:
    """Return JSON on one line, control characters and direction marks escaped; refuses numbers that JSON lacks."""
    return escaped_json(_encode(value))


@contextmanager
def writing(home: Path) -> Iterator[None]:
    """Say which folder to name where a write under `home` fails.

    Raises:
        HomeNotWritable: The disk is full, or the folder is gone, or not ours.
    """
    try:
        yield
    except OSError as error:
        raise HomeNotWritable(
            f"Cannot write to {home} ({error.strerror}); name a folder with the setting home or TRADINGAGENTS_HOME."
        ) from error


def write_whole(path: Path, text: str) -> None:
    """Write a file, and the folders it lies in: a reader sees the old one or the new one, never half of it.

    Raises:
        OSError: It cannot be written; the old one is as it was.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    replace_whole(path, text.encode("utf-8", errors=ESCAPE))


def replace_whole(path: Path, content: bytes) -> None:
    """Write a file in a folder that is there, as `write_whole` does. Raises as it does."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(3)}")
    try:
        draft.write_bytes(content)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def as_json(value: Mapping[str, Any]) -> str:
    """Return an object as JSON for people and programs; refuses numbers that JSON does not have.

    A line for each part, and for each item of a part that is a list: the encoder that indents everything is several
    times slower.
    """
    parts = (f"  {one_line_json(str(key))}: {_spread(part)}" for key, part in value.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _spread(part: Any) -> str:
    if not isinstance(part, list) or not part:
        return one_line_json(part)
    return "[\n" + ",\n".join(f"    {one_line_json(item)}" for item in part) + "\n  ]"


def read_object(path: Path, *, way_out: str) -> dict[str, Any] | None:
    """Return the JSON object a file holds; None where there is no such file.

    Args:
        path: The file.
        way_out: What to do about a damaged one, as the end of a sentence.

    Raises:
        UnreadableFile: It is there, but holds no JSON object.
    """
    try:
        value = parse_json(read_regular(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unreadable(path, error.strerror or type(error).__name__, way_out) from error
    except ValueError as error:
        why = str(error) if str(error) == TOO_DEEP else "it is no JSON"
        raise unreadable(path, why, way_out) from error
    if not isinstance(value, dict):
        raise unreadable(path, "it holds no JSON object", way_out)
    return value


def unreadable(path: Path, why: str, way_out: str) -> UnreadableFile:
    """Return the error that names a damaged file, what is wrong with it, and the way out."""
    return UnreadableFile(f"Cannot read {path} ({why}); {way_out}.")
