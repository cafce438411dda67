"""A read that may never end is refused: of pipes and devices, wherever a user may name a file."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.groups import with_meant_values
from tradingagents.dataflows.snapshots.columns import UnusableFile, read_table
from tradingagents.errors import HomeNotWritable
from tradingagents.files.atomic import UnreadableFile
from tradingagents.files.json_file import JsonFile
from tradingagents.files.lock import locked
from tradingagents.files.regular_files import check_regular, names_a_file, read_regular
from tradingagents.runtime.observability.logs import RunLog
from tradingagents.runtime.runs.ledger import Ledger

SECONDS = 10


@pytest.fixture(autouse=True)
def bounded() -> Iterator[None]:
    """A read that waits fails the test."""

    def fail(*_: object) -> None:
        raise AssertionError("the read waited")

    before = signal.signal(signal.SIGALRM, fail)
    signal.alarm(SECONDS)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_file_is_read_and_a_link_to_one(tmp_path: Path):
    (tmp_path / "file").write_bytes(b"text")
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "file") == read_regular(tmp_path / "link") == b"text"


def test_what_is_no_regular_file_is_refused_in_words(tmp_path: Path, pipe: Path):
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        for path in (pipe, tmp_path / "socket", Path("/dev/zero")):
            with pytest.raises(OSError, match="it is not a regular file"):
                read_regular(path)
    with pytest.raises(IsADirectoryError):
        read_regular(tmp_path)
    with pytest.raises(FileNotFoundError):
        check_regular(tmp_path / "nothing")


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_an_import_of_a_pipe_is_refused(tmp_path: Path, suffix: str):
    os.mkfifo(tmp_path / f"own{suffix}")
    with pytest.raises(UnusableFile, match="it is not a regular file"):
        read_table(tmp_path / f"own{suffix}", "prices")


def test_a_file_of_the_home_that_is_a_pipe_is_named(pipe: Path):
    with pytest.raises(UnreadableFile, match=r"pipe \(it is not a regular file\)"):
        JsonFile(pipe.parent, pipe, way_out="delete it").read()
    for use in (lambda: Ledger(pipe), lambda: locked(pipe).__enter__()):
        with pytest.raises(OSError, match="it is not a regular file"):
            use()


def test_a_log_into_a_pipe_that_nobody_reads_is_refused(pipe: Path):
    with pytest.raises(HomeNotWritable, match="Cannot write the log"), RunLog.written(pipe, "text", "info"):
        raise AssertionError("the log was opened")


def test_a_log_into_a_pipe_that_somebody_reads_is_written(pipe: Path):
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    with RunLog.written(pipe, "text", "info"):
        pass
    os.close(reader)


def test_a_word_that_cannot_be_looked_up_names_no_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """As in a container whose working folder belongs to another account."""

    def refused(self: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    (tmp_path / "here").touch()
    assert names_a_file(tmp_path / "here")
    assert not names_a_file(tmp_path / "there")
    assert not names_a_file(tmp_path / ("x" * 300))
    monkeypatch.setattr(Path, "is_file", refused)
    assert not names_a_file(Path("2025-03-14"))
    assert with_meant_values(["analyze", "VELQ", "--book", "2025-03-14"])[2] == "--book=stored"
