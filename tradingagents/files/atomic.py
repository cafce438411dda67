"""Atomic writes of files under the home folder, and checked reads of JSON files."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic_core import to_json, to_jsonable_python

from tradingagents.errors import ConfigurationError, HomeNotWritable
from tradingagents.files.json_text import TOO_DEEP, parse_json
from tradingagents.files.plain_text import escaped_json
from tradingagents.files.private_files import make_folder, private
from tradingagents.files.regular_files import read_regular

ESCAPE = "backslashreplace"
"""Error handler that writes unpaired surrogates, which some models send, as escapes that JSON reads back unchanged."""


def _plain(value: object) -> object:
    """Return what stands in JSON for a value that has no JSON: a record as it is written, anything else as text."""
    return to_jsonable_python(value) if hasattr(value, "__pydantic_serializer__") else str(value)


_encode = json.JSONEncoder(ensure_ascii=False, allow_nan=False, default=_plain).encode
"""Created once: creating an encoder takes as long as encoding a short line."""
_encode_any = json.JSONEncoder(ensure_ascii=False).encode
_BETWEEN_LINES = ",\n"
_MARK = secrets.token_hex(8)
"""Set between values that are encoded together; drawn for each process, so that no text contains it."""


class UnreadableFile(ConfigurationError):
    """A file written by this library cannot be read: it is damaged or was edited."""


def one_line_json(value: object) -> str:
    """Return JSON on one line with control and bidirectional characters escaped; reject NaN and infinities."""
    return escaped_json(_encode(value))


def log_line(value: object) -> bytes:
    """Return a line of a log: JSON without spaces, with the characters escaped that `one_line_json` escapes.

    Lines that are written while a run works are made this way: it takes a third of the time.

    Raises:
        ValueError: A number is NaN or infinite.
    """
    try:
        line = to_json(value, fallback=str)
    except ValueError:  # a lone surrogate
        return f"{one_line_json(value)}\n".encode(errors=ESCAPE)
    if b"NaN" in line or b"Infinity" in line:  # as a number, or in a text
        return f"{one_line_json(value)}\n".encode(errors=ESCAPE)
    return (line if line.isascii() and b"\x7f" not in line else escaped_json(line.decode()).encode()) + b"\n"


@contextmanager
def writing(home: Path) -> Iterator[None]:
    """Convert an OS error of a write under `home` into an error that names the folder.

    Raises:
        HomeNotWritable: The disk is full, or the folder is missing or not writable.
    """
    try:
        yield
    except OSError as error:
        raise not_writable(home, error) from error


def not_writable(home: Path, error: OSError) -> HomeNotWritable:
    """Return the error for a write under `home` that failed."""
    return HomeNotWritable(
        f"Cannot write to {home} ({error.strerror}); name a folder with the setting home or TRADINGAGENTS_HOME."
    )


def write_whole(path: Path, text: str) -> None:
    """Write a file atomically and create its parent folders; a reader sees the old content or the new.

    Raises:
        OSError: The file cannot be written; the old content remains.
    """
    content = text.encode("utf-8", errors=ESCAPE)
    try:
        replace_whole(path, content)
    except FileNotFoundError:  # rarely: looking each time takes a fifth of writing
        make_folder(path.parent)
        replace_whole(path, content)


def replace_whole(path: Path, content: bytes, *, private_file: bool = True) -> None:
    """Write a file atomically in an existing folder, like `write_whole`, and raise the same errors.

    Args:
        path: The file.
        content: Its bytes.
        private_file: Whether it is for its owner only; what a user exports to a place of his choice is not.
    """
    draft = path.with_name(f".{path.name}.{secrets.token_hex(3)}")
    try:
        with open(draft, "xb", opener=private if private_file else None) as file:
            file.write(content)
        draft.replace(path)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def as_json(value: Mapping[str, Any]) -> str:
    """Return an object as readable JSON; reject NaN and infinities.

    Each top-level value, and each item of a top-level list, takes one line: an encoder that indents everything is
    several times slower.
    """
    parts = (f"  {one_line_json(str(key))}: {_spread_json(part)}" for key, part in value.items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def _spread_json(part: object) -> str:
    """Return a top-level value as `as_json` writes it: each item of a list on its line."""
    if not isinstance(part, list) or not part:
        return one_line_json(part)
    marked = [one for item in part for one in (item, _MARK)][:-1]
    lines = one_line_json(marked)[1:-1].replace(f', "{_MARK}", ', ",\n    ")  # one encoder for all: three quarters
    return f"[\n    {lines}\n  ]"


def indented_json(value: object, indent: str = "") -> str:
    """Return JSON with each value on a line, two spaces further in a part: a third of the time of `json.dumps`.

    Args:
        value: The value; keys are texts.
        indent: Before its last line.
    """
    inner = f"{indent}  "
    if isinstance(value, dict) and value:
        lines = [f"{inner}{_encode_any(key)}: {indented_json(part, inner)}" for key, part in value.items()]
        return f"{{\n{_BETWEEN_LINES.join(lines)}\n{indent}}}"
    if isinstance(value, list) and value:
        lines = [f"{inner}{indented_json(part, inner)}" for part in value]
        return f"[\n{_BETWEEN_LINES.join(lines)}\n{indent}]"
    return _encode_any(value)


def read_object(path: Path, *, way_out: str) -> dict[str, Any] | None:
    """Return the JSON object in a file; `None` when the file does not exist.

    Args:
        way_out: What to do about a damaged file, as the end of a sentence.

    Raises:
        UnreadableFile: The file does not hold a JSON object.
    """
    try:
        value = parse_json(read_regular(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise unreadable(path, error.strerror or type(error).__name__, way_out) from error
    except ValueError as error:
        why = str(error) if str(error) == TOO_DEEP else "it is not JSON"
        raise unreadable(path, why, way_out) from error
    if not isinstance(value, dict):
        raise unreadable(path, "it holds no JSON object", way_out)
    return value


def unreadable(path: Path, why: str, way_out: str) -> UnreadableFile:
    """Return the error that names a damaged file, the fault, and what to do about it."""
    return UnreadableFile(f"Cannot read {path} ({why}); {way_out}.")
