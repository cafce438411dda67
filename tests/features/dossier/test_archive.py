"""The file of a dossier: any changed byte is named, and nothing unsafe is read."""

from __future__ import annotations

import io
import stat
import zipfile
from pathlib import Path

import pytest

from tradingagents.errors import NotFound, UsageError
from tradingagents.features.dossier import archive
from tradingagents.features.dossier.archive import DIRECTORY, MANIFEST, BadDossier, pack, root_of, unpack

ENTRIES = {
    "run/card.json": b'{"decision":"BUY"}',
    "data/rows/get_news/aa.json": b"[1,2,3]" * 50,
    "prompts/ff.json": b"{}",
    "empty.json": b"",
}


def written(folder: Path, content: bytes) -> Path:
    path = folder / "run.dossier"
    path.write_bytes(content)
    return path


def spans(content: bytes) -> dict[str, range]:
    """Return the bytes of each entry, its header included, by name, and those of the directory."""
    with zipfile.ZipFile(io.BytesIO(content)) as packed:
        begins = [one.header_offset for one in packed.infolist()]
        ends = [*begins[1:], packed.start_dir]
        found = {one.filename: range(*span) for one, *span in zip(packed.infolist(), begins, ends, strict=True)}
    return {**found, DIRECTORY: range(ends[-1], len(content))}


def named(folder: Path, content: bytes) -> str:
    """Return what is said of a file, whether it is refused or its problems are listed."""
    try:
        return "\n".join(map(str, unpack(written(folder, content)).problems))
    except BadDossier as error:
        return str(error)


def test_a_file_is_packed_the_same_in_any_order_and_read_back(tmp_path: Path):
    content = pack(ENTRIES, {"run_id": "r"})
    assert content == pack(dict(reversed(ENTRIES.items())), {"run_id": "r"})
    found = unpack(written(tmp_path, content))
    assert found.problems == ()
    assert found.entries == ENTRIES
    assert (found.manifest["run_id"], found.root) == ("r", root_of(content))
    with zipfile.ZipFile(io.BytesIO(content)) as packed:  # other programs read it too
        assert packed.testzip() is None
        assert packed.namelist() == [MANIFEST, *sorted(ENTRIES)]


def test_every_flipped_byte_is_found_and_its_entry_named(tmp_path: Path):
    content = pack(ENTRIES, {"run_id": "r"})
    for name, span in spans(content).items():
        for at in span:
            changed = bytearray(content)
            changed[at] ^= 1 << at % 7
            told = named(tmp_path, bytes(changed))
            assert told, f"{name}: byte {at} was changed unnoticed"
            known = {*ENTRIES, MANIFEST, DIRECTORY, "the entry at byte", "no dossier", "occurs twice"}
            assert name in told or (name == DIRECTORY and any(one in told for one in known)), (name, at, told)


def test_entries_that_are_taken_away_added_or_exchanged_are_named(tmp_path: Path):
    whole = pack(ENTRIES, {})
    listed = unpack(written(tmp_path, whole))
    fewer = {name: content for name, content in ENTRIES.items() if name != "prompts/ff.json"}
    with zipfile.ZipFile(io.BytesIO(whole)) as packed:
        manifest = packed.read(MANIFEST)
    for entries, told in (
        (fewer, "prompts/ff.json: it is missing"),
        ({**ENTRIES, "more.json": b"x"}, "more.json: the manifest does not list it"),
        ({**ENTRIES, "empty.json": b"x"}, "empty.json: its content does not have the hash in the manifest"),
    ):
        forged = archive._zipped({MANIFEST: manifest, **dict(sorted(entries.items()))})
        assert told in named(tmp_path, forged)
    assert listed.problems == ()
    assert "manifest.json: it is missing" in named(tmp_path, archive._zipped(ENTRIES))
    assert DIRECTORY in named(tmp_path, whole + b"more")
    assert "cut off" in named(tmp_path, whole[: len(whole) // 2]).splitlines()[0]


@pytest.mark.parametrize(
    "name", ["../../outside", "/etc/passwd", "a/../b", "C:/x", "a\\b", "a//b", ".", "x" * 300, "ä.json"]
)
def test_names_that_leave_the_archive_are_refused(tmp_path: Path, name: str):
    forged = archive._zipped({MANIFEST: b"{}", name: b""})
    assert "unsafe name" in named(tmp_path, forged) or "header" in named(tmp_path, forged)


def test_compressed_linked_repeated_and_endless_content_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(zipfile.ZipInfo(MANIFEST, (1980, 1, 1, 0, 0, 0)), b"{}")
        packed.writestr("bomb.json", b"0" * 10_000_000)
    assert "'bomb.json' is compressed" in named(tmp_path, bomb.getvalue())

    linked = io.BytesIO()
    with zipfile.ZipFile(linked, "w") as packed, zipfile.ZipFile(io.BytesIO(pack({"a": b"/etc"}, {}))) as plain:
        for entry in plain.infolist():
            entry.external_attr = (stat.S_IFLNK | 0o777) << 16
            packed.writestr(entry, plain.read(entry.filename))
    assert DIRECTORY in named(tmp_path, linked.getvalue())

    zipped = archive._zipped({MANIFEST: b"{}"})
    assert "occurs twice" in named(tmp_path, zipped[: spans(zipped)[MANIFEST].stop] + zipped)
    monkeypatch.setattr(archive, "MAX_ENTRIES", 2)
    assert "more than 2 entries" in named(tmp_path, pack(ENTRIES, {}))
    monkeypatch.setattr(archive, "MAX_BYTES", 100)
    assert "larger than" in named(tmp_path, pack(ENTRIES, {}))


def test_what_is_no_dossier_is_refused_with_a_way_out(tmp_path: Path):
    with pytest.raises(NotFound, match="tradingagents runs seal RUN"):
        unpack(tmp_path / "none.dossier")
    for content in (b"", b"PK", b"# A report\n", b"\0" * 4000):
        with pytest.raises(BadDossier, match="no dossier"):
            unpack(written(tmp_path, content))
    with pytest.raises(UsageError, match="cannot be read"):
        unpack(tmp_path)
    manifest = pack({}, {}).replace(b'"format":1', b'"format":2')
    assert named(tmp_path, manifest)
