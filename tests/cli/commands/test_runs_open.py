"""`runs open`: the page of a run, by path where there is nothing to show it with."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from cli.commands import runs_open
from cli.main import run
from cli.options import VENDORS
from tradingagents.dataflows.gateway.registry import registrations


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    for name in ("20250101T000000Z-AAPL-2024-12-31-aaaaaa", "20250102T000000Z-MSFT-2024-12-31-bbbbbb"):
        (tmp_path / "runs" / name / "reports").mkdir(parents=True)
        (tmp_path / "runs" / name / "reports" / "report.html").write_text("<p>page</p>")
    (tmp_path / "runs" / "20250103T000000Z-VELQ-2024-12-31-cccccc").mkdir()
    return tmp_path


def test_the_newest_run_with_a_page_is_meant_where_none_is_named(runs: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["runs", "open", "--home", str(runs)]) == 0
    assert capsys.readouterr().out.strip().endswith("20250102T000000Z-MSFT-2024-12-31-bbbbbb/reports/report.html")


def test_a_run_is_named_by_the_first_part_of_its_id(runs: Path, capsys: pytest.CaptureFixture[str]):
    assert run(["runs", "open", "20250101", "--print", "--json", "--home", str(runs)]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["run_id"] == "20250101T000000Z-AAPL-2024-12-31-aaaaaa"
    assert Path(answer["page"]).is_file()
    assert answer["opened"] is False


@pytest.mark.parametrize(("name", "told"), [("20250103", "has no page"), ("2024", "No run")])
def test_a_run_without_a_page_is_refused(runs: Path, capsys: pytest.CaptureFixture[str], name: str, told: str):
    assert run(["runs", "open", name, "--home", str(runs)]) == 2
    assert told in capsys.readouterr().err


def test_nothing_is_started_without_a_screen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.platform", "linux")
    assert runs_open._open(tmp_path / "page.html", {}) is False


def test_a_browser_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    seen = tmp_path / "seen"
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {seen}.part && mv {seen}.part {seen}\nsleep 3\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    assert runs_open._open(tmp_path / "page.html", {"BROWSER": str(browser)}) is True
    assert not seen.exists()
    for _ in range(600):
        if seen.exists():
            break
        time.sleep(0.1)
    assert seen.read_text().strip() == (tmp_path / "page.html").as_uri()


def test_the_help_names_every_vendor():
    assert sorted(VENDORS) == sorted(registrations())


@pytest.mark.parametrize(
    "arguments",
    [
        ("analyze", "VELQ", "2025-03-14", "--date", "2025-03-13"),
        ("scan", "2025-03-14", "--date", "2025-03-13"),
        ("watch", "run", "2025-03-14", "--date", "2025-03-13"),
    ],
)
def test_a_day_given_twice_is_refused(arguments: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert run([*arguments, "--offline", "--home", str(tmp_path)]) == 2
    assert "name one" in capsys.readouterr().err


@pytest.mark.parametrize("command", [("analyze", "VELQ"), ("scan",)])
def test_a_day_is_taken_as_an_option_too(command: tuple[str, ...], capsys: pytest.CaptureFixture[str], tmp_path: Path):
    assert run([*command, "--date", "2025-99-14", "--offline", "--home", str(tmp_path)]) == 2
    assert "2025-99-14" in capsys.readouterr().err


def test_help_names_no_exit_code_that_cannot_be(capsys: pytest.CaptureFixture[str]):
    assert run(["scan", "--help"]) == 0
    shown = capsys.readouterr().out
    assert "awaits approval" not in shown
    assert shown.index("Models:") < shown.index("Data:") < shown.index("Limits and places:") < shown.index("Output:")
    assert run(["runs", "reject", "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.index("Review:") < shown.index("--note") < shown.index("Models:")


def test_the_shell_completes_commands(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setenv("_TRADINGAGENTS_COMPLETE", "complete_bash")
    monkeypatch.setenv("COMP_WORDS", "tradingagents runs o")
    monkeypatch.setenv("COMP_CWORD", "2")
    with pytest.raises(SystemExit) as ended:
        run([])
    assert ended.value.code == 0
    assert capsys.readouterr().out.split() == ["open"]


def test_edge_cases_are_not_suggested(capsys: pytest.CaptureFixture[str], tmp_path: Path):
    for ticker in ("CPLX", "PLYX"):
        assert run(["analyze", ticker, "2025-03-14", "--offline", "--home", str(tmp_path)]) == 4
        shown = capsys.readouterr().err
        assert "CPLZ" not in shown
        assert "PLYZ" not in shown
