"""The file of a dossier: a ZIP file whose bytes follow from its entries alone, so that every changed byte shows.

Entries are sorted, uncompressed and without times, so that the reader needs neither to decompress nor to extract
anything: a name is never used as a path, and a file holds no more than its own size. `manifest.json`, the first entry,
lists the SHA-256 of all others; its own SHA-256 is the root hash of the dossier.
"""

from __future__ import annotations

import hashlib
import io
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tradingagents.errors import NotFound, UsageError
from tradingagents.files.json_text import parse_json
from tradingagents.files.regular_files import check_regular
from tradingagents.runtime.runs.run_export import EPOCH, MODE
from tradingagents.valuation.canonical import canonical_json

MANIFEST = "manifest.json"
FORMAT = 1
"""Version of the file format."""
MAX_BYTES = 200_000_000
"""Largest file that is read; a deep report takes a few megabytes."""
MAX_ENTRIES = 20_000
LONGEST_NAME = 200
DIRECTORY = "the directory at the end of the file"
_HEADER = struct.Struct("<4s5H3I2H")
"""Signature, version, flags, method, time, date, checksum, two sizes, lengths of name and extra field."""
_DIRECTORY_ENTRY = struct.Struct("<4s6H3I5H2I")


class BadDossier(UsageError):
    """A file is no dossier, was changed, or is not safe to read; the message names the entry."""


@dataclass(frozen=True, slots=True)
class DossierProblem:
    """What is wrong with a dossier."""

    where: str
    """The entry, or a part of the file."""
    reason: str

    def __str__(self) -> str:
        return f"{self.where}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Unpacked:
    """The content of a dossier's file."""

    entries: Mapping[str, bytes]
    """Content by name, without the manifest."""
    manifest: Mapping[str, Any]
    """Empty where it cannot be read."""
    root: str
    """SHA-256 of the manifest."""
    problems: tuple[DossierProblem, ...]


def pack(entries: Mapping[str, bytes], about: Mapping[str, Any]) -> bytes:
    """Return the file of a dossier.

    Args:
        entries: Content by name; names are relative paths of ASCII letters, digits and `._-`.
        about: What the manifest says besides the hashes, as JSON.
    """
    hashes = {name: _hash(content) for name, content in entries.items()}
    manifest = canonical_json({**about, "format": FORMAT, "entries": hashes}).encode()
    return _zipped({MANIFEST: manifest, **dict(sorted(entries.items()))})


def root_of(content: bytes) -> str:
    """Return the root hash of the bytes that `pack` returned."""
    header = _header_at(content, 0)
    begin = _HEADER.size + len(MANIFEST)
    return _hash(content[begin : begin + header[1]]) if header else ""


def unpack(path: Path) -> Unpacked:
    """Read a dossier and name every part of it that was changed.

    Raises:
        NotFound: There is no such file.
        BadDossier: It is no dossier, too large, or holds a name that leaves the archive.
    """
    content = _read(path)
    found, problems = _entries(content)
    for name in found:
        _check_name(name, problems)
    manifest = found.pop(MANIFEST, None)
    if manifest is None:
        return Unpacked(found, {}, "", (*problems, DossierProblem(MANIFEST, "it is missing")))
    try:
        listed = parse_json(manifest)
        expected = dict(listed["entries"])
    except (ValueError, KeyError, TypeError):
        problems.append(DossierProblem(MANIFEST, "it was changed: it lists no entries"))
        return Unpacked(found, {}, _hash(manifest), tuple(problems))
    if listed.get("format") != FORMAT and not problems:
        raise BadDossier(f"{path} has format {str(listed.get('format'))[:20]}; this version reads format {FORMAT}.")
    problems += _hash_problems(found, expected, {problem.where for problem in problems})
    if not problems:
        problems += _byte_problems(content, {MANIFEST: manifest, **found})
    return Unpacked(found, listed, _hash(manifest), tuple(problems))


def _zipped(entries: Mapping[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in entries.items():
            info = zipfile.ZipInfo(name, EPOCH)
            info.external_attr, info.create_system = MODE << 16, 3
            archive.writestr(info, content)
    return packed.getvalue()


def _read(path: Path) -> bytes:
    try:
        check_regular(path)
        if path.stat().st_size > MAX_BYTES:
            raise BadDossier(f"{path} is larger than {MAX_BYTES // 1_000_000} MB; no dossier is.")
        return path.read_bytes()
    except FileNotFoundError:
        raise NotFound(f"There is no file {path}; write one with `tradingagents runs seal RUN`.") from None
    except OSError as error:
        raise BadDossier(f"{path} cannot be read ({error.strerror}); name a dossier.") from error


def _entries(content: bytes) -> tuple[dict[str, bytes], list[DossierProblem]]:
    """Return the entries in their order, as far as their headers can be read, and what is wrong with them.

    Raises:
        BadDossier: The file is no ZIP file of uncompressed entries, or has too many.
    """
    listed, found, problems, at = _directory_of(content), dict[str, bytes](), list[DossierProblem](), 0
    if not listed:
        problems.append(DossierProblem(DIRECTORY, "it is missing or was changed, as where a file was cut off"))
    if not content.startswith(b"PK\x03\x04") and 0 not in listed:
        raise BadDossier("The file is no dossier: it does not begin like a ZIP file.")
    while at in listed or content[at : at + 4] == b"PK\x03\x04":
        if len(found) >= MAX_ENTRIES:
            raise BadDossier(f"The file has more than {MAX_ENTRIES} entries; no dossier has.")
        header, line = _header_at(content, at), listed.get(at)
        name, size = header or line or (f"the entry at byte {at}", 0)
        if header is None or (listed and header != line):
            other = f" (there: {line[0][:LONGEST_NAME]})" if header and line and line[0] != name else ""
            problems.append(DossierProblem(name, f"its header or its line in the directory was changed{other}"))
        if header is None and line is None:
            break
        begin = at + _HEADER.size + len(name.encode())
        body = content[begin : begin + size]
        if name in found:
            raise BadDossier(f"The entry {name[:LONGEST_NAME]!r} occurs twice.")
        found[name] = body
        if zlib.crc32(body) != struct.unpack_from("<I", content, at + 14)[0]:
            problems.append(DossierProblem(name, "its content was changed, or its checksum"))
        at = begin + size
    return found, problems


def _header_at(content: bytes, at: int) -> tuple[str, int] | None:
    """Return name and size of the entry at a position; None where its header is none of ours.

    Raises:
        BadDossier: The entry is compressed: what it unpacks to has no limit.
    """
    if len(content) < at + _HEADER.size:
        return None
    signature, version, flags, method, _, _, _, packed, size, name_length, extra = _HEADER.unpack_from(content, at)
    name = content[at + _HEADER.size : at + _HEADER.size + name_length]
    if not name.isascii() or len(name) != name_length:
        return None
    if signature == b"PK\x03\x04" and method:
        raise BadDossier(f"The entry {name.decode()[:LONGEST_NAME]!r} is compressed; a dossier holds plain entries.")
    whole = at + _HEADER.size + name_length + size <= len(content)
    plain = (signature, version, flags, extra) == (b"PK\x03\x04", 20, 0, 0) and packed == size and whole
    return (name.decode(), size) if plain else None


def _directory_of(content: bytes) -> dict[int, tuple[str, int]]:
    """Return name and size of the entries by position, as far as the directory can be read."""
    at, found = content.rfind(b"PK\x05\x06"), dict[int, tuple[str, int]]()
    if at < 0 or len(content) < at + 22:
        return found
    at = struct.unpack_from("<I", content, at + 16)[0]
    while content[at : at + 4] == b"PK\x01\x02" and len(content) >= at + _DIRECTORY_ENTRY.size:
        fields = _DIRECTORY_ENTRY.unpack_from(content, at)
        size, length, more, offset = fields[9], fields[10], fields[11] + fields[12], fields[16]
        name = content[at + _DIRECTORY_ENTRY.size : at + _DIRECTORY_ENTRY.size + length]
        found[offset] = (name.decode("ascii", "replace"), size)
        at += _DIRECTORY_ENTRY.size + length + more
    return found


def _check_name(name: str, problems: Sequence[DossierProblem]) -> None:
    """Refuse a name that is no relative path of plain parts.

    Raises:
        BadDossier: It is none.
    """
    if not is_plain_name(name):
        more = "".join(f" {problem}." for problem in problems if problem.where == name)
        raise BadDossier(f"The entry {name[:LONGEST_NAME]!r} has an unsafe name; the file is no dossier.{more}")


def is_plain_name(name: str) -> bool:
    """Tell whether an entry may have this name: a relative path of ASCII letters, digits and `._-`."""
    parts = name.split("/")
    return len(name) <= LONGEST_NAME and all(part and part.strip(".") and set(part) <= _PLAIN for part in parts)


_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")


def _hash_problems(found: Mapping[str, bytes], expected: Mapping[str, Any], known: set[str]) -> list[DossierProblem]:
    missing = [DossierProblem(name, "it is missing") for name in sorted(expected) if name not in found]
    unknown = [DossierProblem(name, "the manifest does not list it") for name in found if name not in expected]
    changed = [
        DossierProblem(name, "its content does not have the hash in the manifest")
        for name, content in found.items()
        if name in expected and _hash(content) != expected[name]
    ]
    return [problem for problem in (*missing, *unknown, *changed) if problem.where not in known]


def _byte_problems(content: bytes, entries: Mapping[str, bytes]) -> list[DossierProblem]:
    """Return where the file differs from what its entries give: times, attributes, order, the directory."""
    ordered = {MANIFEST: entries[MANIFEST], **dict(sorted(entry for entry in entries.items() if entry[0] != MANIFEST))}
    again = _zipped(ordered)
    if again == content:
        return []
    first = next((at for at, (byte, other) in enumerate(zip(again, content, strict=False)) if byte != other), None)
    first, at = min(len(again), len(content)) if first is None else first, 0
    for name, body in ordered.items():
        at += _HEADER.size + len(name) + len(body)
        if first < at:
            return [DossierProblem(name, "its header was changed")]
    return [DossierProblem(DIRECTORY, f"byte {first} was changed")]


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
