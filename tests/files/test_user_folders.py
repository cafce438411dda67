"""An account without a home folder, as containers start programs under a number that no list of users has."""

from __future__ import annotations

import importlib
import pwd
import sys
from datetime import date
from pathlib import Path

import pytest

from tradingagents.dataflows.reference.calendar import read_sessions, sessions, write_sessions
from tradingagents.errors import HomeNotWritable, VendorNotConfigured
from tradingagents.files.user_folders import cache_folder, data_folder, home_folder, working_folder
from tradingagents.service.http.errors import Sanitizer
from tradingagents.settings import Settings


@pytest.fixture
def no_home(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(number: int) -> None:
        raise KeyError(f"getpwuid(): uid not found: {number}")

    for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(pwd, "getpwuid", unknown)


@pytest.mark.usefixtures("no_home")
def test_without_a_home_folder_the_setting_is_asked_for_and_enough(tmp_path: Path):
    assert home_folder() is None
    with pytest.raises(HomeNotWritable, match="name a folder with the setting home"):
        data_folder()
    with pytest.raises(HomeNotWritable, match="TRADINGAGENTS_HOME"):
        _ = Settings().home_dir
    assert Settings(home=tmp_path).home_dir == tmp_path


@pytest.mark.usefixtures("no_home")
def test_without_a_home_folder_yahoo_is_not_configured_and_says_why(monkeypatch: pytest.MonkeyPatch):
    client = "tradingagents.dataflows.vendors.yfinance.client"
    monkeypatch.delitem(sys.modules, client, raising=False)
    with pytest.raises(VendorNotConfigured, match="set HOME or XDG_CACHE_HOME"):
        importlib.import_module(client)


@pytest.mark.usefixtures("no_home")
def test_without_a_home_folder_the_calendar_is_built_again():
    assert cache_folder() is None
    assert read_sessions("XNYS", date(2026, 12, 31)) is None
    write_sessions(sessions("XNYS"), date(2026, 12, 31))


@pytest.mark.usefixtures("no_home")
def test_without_a_home_folder_messages_still_name_no_other_folder(tmp_path: Path):
    told = Sanitizer(tmp_path / "runs", {}).text(f"Cannot read {tmp_path / 'runs'}/card and {Path.cwd()}/file")
    assert told == "Cannot read <home>/card and <folder>/file"


def test_a_working_folder_that_was_deleted_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert working_folder() is None
    assert Sanitizer(tmp_path, {}).text(f"in {tmp_path}") == "in <home>"


def test_with_a_home_folder_data_and_cache_lie_in_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("HOME", str(tmp_path))
    for name in ("XDG_DATA_HOME", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    found = cache_folder()
    assert found is not None
    assert found.is_relative_to(tmp_path)
    assert data_folder().is_relative_to(tmp_path)
    assert home_folder() == tmp_path
