"""The doctor names files of other packages in the folder of ours, as a second distribution of that name leaves them."""

from __future__ import annotations

import base64
import hashlib
from importlib.metadata import Distribution, PathDistribution
from pathlib import Path

import pytest

from tradingagents.service.doctor import installation
from tradingagents.service.doctor.installation import foreign_files, installation_notes, other_folders

FILES = {"tradingagents/__init__.py": "", "tradingagents/agents/trader.py": "OURS = 1\n"}


def installed(site: Path, files: dict[str, str] = FILES) -> Distribution:
    """Install files as pip does: with a RECORD of their hashes."""
    info = site / "tradingagents-0.1.0.dist-info"
    info.mkdir(parents=True)
    rows = []
    for name, text in files.items():
        path = site / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(text)}")
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tradingagents\nVersion: 0.1.0\n", "utf-8")
    (info / "RECORD").write_text("\n".join([*rows, "tradingagents-0.1.0.dist-info/RECORD,,"]) + "\n", "utf-8")
    return PathDistribution(info)


def test_an_installation_alone_in_its_folder_is_sound(tmp_path: Path):
    own = installed(tmp_path)
    (tmp_path / "tradingagents/__pycache__").mkdir()
    (tmp_path / "tradingagents/__pycache__/__init__.cpython-311.pyc").write_bytes(b"code")
    assert foreign_files(own, tmp_path / "tradingagents") == ()


def test_a_planted_file_is_named_with_the_way_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    own = installed(tmp_path)
    (tmp_path / "tradingagents/graph").mkdir()
    (tmp_path / "tradingagents/graph/checkpointer.py").write_text("THEIRS = 1\n")
    monkeypatch.setattr(installation, "packages_distributions", lambda: {"tradingagents": ["tradingagents", "theirs"]})
    (said,) = foreign_files(own, tmp_path / "tradingagents")
    assert "not of this distribution: graph/checkpointer.py." in said
    assert "theirs installs a package of the same name." in said
    assert "then install tradingagents there" in said


def test_an_overwritten_file_is_named(tmp_path: Path):
    own = installed(tmp_path)
    (tmp_path / "tradingagents/agents/trader.py").write_text("THEIRS = 1\n")
    (said,) = foreign_files(own, tmp_path / "tradingagents")
    assert "not those that were installed: agents/trader.py." in said


def test_many_files_are_counted(tmp_path: Path):
    own = installed(tmp_path)
    for number in range(8):
        (tmp_path / f"tradingagents/theirs_{number}.py").write_text("")
    (said,) = foreign_files(own, tmp_path / "tradingagents")
    assert "theirs_4.py and 3 more." in said


def test_a_checkout_lists_no_files_and_nothing_is_said_of_them(tmp_path: Path):
    own = installed(tmp_path, {})
    (tmp_path / "tradingagents").mkdir()
    (tmp_path / "tradingagents/own.py").write_text("")
    assert foreign_files(own, tmp_path / "tradingagents") == ()


def test_a_second_package_on_the_import_path_is_named(tmp_path: Path):
    ours, theirs = tmp_path / "ours/tradingagents", tmp_path / "theirs/tradingagents"
    for folder in (ours, theirs):
        folder.mkdir(parents=True)
        (folder / "__init__.py").touch()
    places = [str(tmp_path / "ours"), str(tmp_path / "theirs"), str(tmp_path / "nothing")]
    (said,) = other_folders(ours, places)
    assert f"lies in {theirs};" in said
    assert other_folders(ours, places[:1]) == ()


def test_this_installation_holds_no_foreign_files():
    assert [note for note in installation_notes() if "not of this distribution" in note] == []
