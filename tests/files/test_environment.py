"""`.env` in other encodings, and files that are none: read, or refused in one line that names the file."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tradingagents.errors import SettingsError
from tradingagents.files.environment import LARGEST_FILE, environment, readable_environment

TEXT = "# café\nSOME_NAME=some value\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_file_that_names_its_encoding_is_read(tmp_path: Path, encoding: str):
    (tmp_path / ".env").write_bytes(TEXT.encode(encoding))
    assert environment(tmp_path)["SOME_NAME"] == "some value"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (TEXT.encode("latin-1"), r"\.env is not UTF-8 \(line 1\)"),
        (b"A=1\nB=2\nC=\xff\n", r"\.env is not UTF-8 \(line 3\)"),
        (b"\xff\xfeA\x00=\x00b", r"\.env is not UTF-8"),
        (b"A=1\x00\n", "binary data"),
        (b"A=1\n" * (LARGEST_FILE // 4 + 1), "too many for a file of settings"),
    ],
    ids=["latin-1", "one byte", "half UTF-16", "NUL", "large"],
)
def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, said: str):
    (tmp_path / ".env").write_bytes(content)
    with pytest.raises(SettingsError, match=said) as refused:
        environment(tmp_path)
    assert str(tmp_path) in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_value_may_refer_to_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OTHER_NAME", "other")
    monkeypatch.setenv("BASE", "of the process")
    (tmp_path / ".env").write_text("BASE=a\nTWO=${BASE}/b\nTHREE='${OTHER_NAME} ${NONE:-c} ${NONE}d ${open'\nNONE\n")
    found = environment(tmp_path)
    assert (found["TWO"], found["THREE"]) == ("a/b", "other c d ${open")
    assert "NONE" not in found


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("A=" + "${" * 30_000, "refers to other variables more than 100 times"),
        ("A=" + "${a:-" * 15_000, "refers to other variables more than 100 times"),
        ("A0=x\n" + "".join(f"A{one}=${{A{one - 1}}}${{A{one - 1}}}\n" for one in range(1, 41)), "grow too long at A"),
        ("".join(f"{one}=1\n" for one in range(12_000)), ""),
    ],
    ids=["open", "defaults", "doubled", "many"],
)
def test_references_cost_neither_minutes_nor_memory(tmp_path: Path, content: str, said: str):
    (tmp_path / ".env").write_text(content)
    began = time.process_time()
    if said:
        with pytest.raises(SettingsError, match=said):
            environment(tmp_path)
    else:
        assert environment(tmp_path)["11999"] == "1"
    assert time.process_time() - began < 2.0


def test_who_only_looks_for_secrets_goes_on_without_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / ".env").write_bytes(TEXT.encode("latin-1"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("OTHER_NAME", "value")
    assert readable_environment()["OTHER_NAME"] == "value"


def test_a_working_folder_that_was_deleted_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(SettingsError, match="working folder no longer exists"):
        environment()
