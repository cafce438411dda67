# ruff: noqa: S607, PT012, SIM117
"""A home is for its owner only: what is made in it, and what an earlier version made."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Column, MetaData, String, Table

from tradingagents.errors import HomeNotWritable
from tradingagents.files.atomic import replace_whole, write_whole
from tradingagents.files.database import Database
from tradingagents.files.private_files import OUR_FOLDERS, keep_private, make_folder
from tradingagents.files.sqlite_file import is_full, open_sqlite, write_ahead
from tradingagents.service.kernel.kernel import Kernel
from tradingagents.settings import Settings

ROOT = Path(__file__).resolve().parents[2]


def loose(folder: Path) -> list[str]:
    return sorted(
        str(path.relative_to(folder))
        for path in (folder, *folder.rglob("*"))
        if not path.is_symlink() and path.stat().st_mode & 0o077
    )


@pytest.fixture(autouse=True)
def usual_umask() -> Iterator[None]:
    before = os.umask(0o022)
    yield
    os.umask(before)


def test_what_is_made_in_a_new_home_is_private(tmp_path: Path) -> None:
    home = tmp_path / "a" / "home"
    write_whole(home / "runs" / "r1" / "run.json", "{}\n")
    connection = open_sqlite(home / "memory.sqlite")
    write_ahead(connection)
    connection.execute("CREATE TABLE t (a)")
    assert (home / "memory.sqlite-wal").exists()
    assert loose(tmp_path / "a") == []
    connection.close()


def test_a_home_that_is_a_file_is_left_as_it_is(tmp_path: Path) -> None:
    (home := tmp_path / "file").write_text("here first")
    keep_private(home)
    assert stat.S_IMODE(home.stat().st_mode) == 0o644
    with pytest.raises(NotADirectoryError):
        write_whole(home / "run.json", "{}\n")


def test_a_home_of_an_earlier_version_is_made_private_when_it_is_opened(tmp_path: Path) -> None:
    home, outside = tmp_path / "home", tmp_path / "outside.txt"
    (home / "runs" / "r1").mkdir(parents=True)
    (home / "runs" / "r1" / "run.json").write_text("{}")
    (home / "memory.sqlite").write_text("")
    outside.write_text("")
    (home / "runs" / "link").symlink_to(outside)
    Kernel(Settings(home=home))
    assert loose(home) == []
    assert stat.S_IMODE(outside.stat().st_mode) == 0o644


def test_a_folder_with_files_of_others_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    (tmp_path / "code.py").write_text("")
    tmp_path.chmod(0o755)
    keep_private(tmp_path)
    assert stat.S_IMODE((tmp_path / "code.py").stat().st_mode) == 0o644
    assert stat.S_IMODE((tmp_path / "runs").stat().st_mode) == 0o700


def test_what_a_user_exports_keeps_his_umask(tmp_path: Path) -> None:
    replace_whole(tmp_path / "report.md", b"x", private_file=False)
    assert stat.S_IMODE((tmp_path / "report.md").stat().st_mode) == 0o644


def test_a_folder_that_is_a_file_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("")
    with pytest.raises(FileExistsError):
        make_folder(tmp_path / "runs")
    with pytest.raises(NotADirectoryError):
        make_folder(tmp_path / "runs" / "r1")


def test_every_folder_of_a_home_is_known() -> None:
    """Of each folder that a module names in the constant FOLDER, and of those that have no module of their own."""
    named = re.compile(r'^(?:FOLDER|CONVERSATIONS|TASKS) *= *"([\w-]+)"$|^KIND\b.* = "([\w-]+)",', re.MULTILINE)
    sources = (
        path.read_text("utf-8") for path in (ROOT / "tradingagents").rglob("*.py") if "vendors" not in path.parts
    )
    found = {"".join(names) for text in sources for names in named.findall(text)}
    assert {"auto", "watch", "sessions", "filings", "paper", "conversations"} <= found
    assert found | {"runs", "tasks", "artifacts", "cache", "evidence"} <= OUR_FOLDERS


def test_a_home_with_the_results_of_auto_is_closed(tmp_path: Path) -> None:
    home = tmp_path / "home"
    for folder in ("auto", "runs", "cache"):
        (home / folder).mkdir(parents=True, mode=0o755)
    (home / "auto" / "auto.json").write_text("{}")
    home.chmod(0o755)
    (home / "auto" / "auto.json").chmod(0o644)
    keep_private(home)
    assert stat.S_IMODE(home.stat().st_mode) == 0o700
    assert stat.S_IMODE((home / "auto" / "auto.json").stat().st_mode) == 0o600


@pytest.mark.skipif(os.geteuid() != 0 or shutil.which("mount") is None, reason="mounts a small disk")
def test_a_full_disk_is_said_at_once_and_nothing_is_to_be_deleted(tmp_path: Path) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], check=False).returncode:
        pytest.skip("no disk can be mounted here")
    try:
        with (disk / "fill").open("wb") as file, pytest.raises(OSError, match="No space"):
            file.write(b"x" * 100_000)
            file.flush()
        with pytest.raises((HomeNotWritable, OSError)) as refused:
            write_whole(disk / "home" / "watch_list.json", "{}" * 5_000)
        assert is_full(disk, refused.value)
        table = Table("documents", MetaData(), Column("name", String))
        with pytest.raises(HomeNotWritable, match=r"No space left on device.*free space") as full:
            with Database(disk / "documents.sqlite", table.metadata).reading() as connection:
                connection.execute(table.select())
        assert "delete" not in str(full.value)
    finally:
        subprocess.run(["umount", str(disk)], check=True)
