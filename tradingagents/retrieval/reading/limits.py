"""What content is accepted: sizes, nesting, and archives whose members are counted while they are unpacked."""

from __future__ import annotations

import gzip
import io
import zipfile
import zlib
from collections.abc import Iterable
from typing import IO

from tradingagents.errors import UnreadableDocument

MAX_BYTES = 50_000_000
"""Largest content that is read, unpacked. The largest annual reports have about 30 MB."""
MAX_DEPTH = 300
"""How deep elements may be nested. Filings nest about twenty levels."""
MAX_PAGES = 5_000
_GZIP = b"\x1f\x8b"
_ZIP = b"PK\x03\x04"
_BLOCK = 1 << 16


def unpack(content: bytes) -> bytes:
    """Return the content of a gzip or zip file that holds one document; other content as it is.

    Raises:
        UnreadableDocument: The content is too large, damaged, encrypted, or an archive of several files.
    """
    if content.startswith(_GZIP):
        content = _gunzip(content)
    elif content.startswith(_ZIP):
        content = _unzip(content)
    if content.startswith((_GZIP, _ZIP)):
        raise UnreadableDocument("The document is an archive within an archive; unpack it first.")
    check_size(len(content))
    return content


def check_size(size: int) -> None:
    """Refuse content larger than `MAX_BYTES`."""
    if size > MAX_BYTES:
        raise UnreadableDocument(
            f"The document has more than {MAX_BYTES // 1_000_000} MB; add the parts of it that you need one by one."
        )


def _gunzip(content: bytes) -> bytes:
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            return _read(file)
    except (OSError, EOFError, zlib.error) as error:
        raise UnreadableDocument(f"The gzip file is damaged ({error}); get it again.") from error


def _unzip(content: bytes) -> bytes:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            files = [member for member in archive.infolist() if not member.is_dir()]
            if len(files) != 1:
                raise UnreadableDocument(
                    f"The zip file holds {len(files)} files, and a document is one file; unpack it and add its files."
                )
            if files[0].flag_bits & 1:
                raise UnreadableDocument("The zip file is encrypted; unpack it with its password first.")
            with archive.open(files[0]) as file:
                return _read(file)
    except (zipfile.BadZipFile, OSError, EOFError, zlib.error, NotImplementedError) as error:
        raise UnreadableDocument(f"The zip file is damaged ({error}); get it again.") from error


def _read(file: IO[bytes] | gzip.GzipFile) -> bytes:
    blocks: list[bytes] = []
    size = 0
    for block in _blocks(file):
        size += len(block)
        check_size(size)
        blocks.append(block)
    return b"".join(blocks)


def _blocks(file: IO[bytes] | gzip.GzipFile) -> Iterable[bytes]:
    while block := file.read(_BLOCK):
        yield block
