"""`tradingagents runs …` from end to end, on runs of the offline analysts and on what killed ones leave."""

from __future__ import annotations

import contextlib
import json
import os
import pty
import subprocess
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Command, environment, golden
from tests.support.run_store import Call, keep_run, run_id
from tests.support.warm import WarmProcess
from tradingagents.runtime.runs.run_folder import RunFolder

OFFLINE = ("--offline", "--quiet", "--analysts", "market", "--debate-rounds", "1", "--risk-rounds", "1")
BUY = {"action": "BUY", "confidence": 0.64}


@pytest.fixture
def some(home: Path) -> Path:
    """A home with a study, a scan, a failed study, a killed one and one with a damaged card."""
    keep_run(home, run_id(1), [Call(), Call("Risk Manager", "deep", "openai_compatible/dear")], decision=BUY)
    keep_run(home, run_id(2, "SCAN"), [Call("Sector Scanner")], ticker=None)
    keep_run(home, run_id(3, "OMBZ"), ticker="OMBZ", status="failed")
    keep_run(home, run_id(4, "OMBZ"), [Call(model="openai_compatible/unpriced")], ticker="OMBZ", status=None)
    (keep_run(home, run_id(5), [Call()]).path / "run.json").write_text("{ half", "utf-8")
    return home


def listed(command: Command, *arguments: str) -> list[dict[str, Any]]:
    outcome = command("runs", "list", "--json", *arguments)
    assert outcome.code == 0
    return json.loads(outcome.out)["runs"]  # type: ignore[no-any-return]


# list


def test_the_list_is_newest_first_and_can_be_narrowed_down(command: Command, some: Path):
    rows = listed(command)
    assert [row["status"] for row in rows] == ["damaged", "unfinished", "failed", "done", "done"]
    assert [row["kind"] for row in rows] == ["trading", "trading", "trading", "scan", "trading"]
    assert [row["run_id"] for row in listed(command, "--ticker", "ombz")] == [run_id(4, "OMBZ"), run_id(3, "OMBZ")]
    assert [row["kind"] for row in listed(command, "--kind", "scan")] == ["scan"]
    assert [row["status"] for row in listed(command, "--status", "unfinished")] == ["unfinished"]
    assert len(listed(command, "--limit", "2")) == 2
    assert len(listed(command, "--limit", "0")) == 5
    assert listed(command, "--since", "2025-03-18") == []


def test_the_list_for_people_names_each_run_whole_and_what_is_damaged(command: Command, some: Path):
    outcome = command("runs", "list")
    assert outcome.code == 0
    for number, subject in ((1, "VELQ"), (2, "SCAN"), (3, "OMBZ"), (4, "OMBZ"), (5, "VELQ")):
        assert run_id(number, subject) in outcome.out
    study = next(line for line in outcome.out.splitlines() if "BUY 64%" in line)
    # 0.003 of the trader; 1000 x 7.3 + 100 x 33.7 per million of the risk manager
    assert study.split()[2:] == ["VELQ", "2025-03-14", "done", "BUY", "64%", "$0.0137", "12.5", "s"]
    assert "run.json (it is not JSON)" in outcome.out


def test_a_home_without_runs_says_so(command: Command, home: Path):
    outcome = command("runs", "list")
    assert (outcome.code, outcome.out) == (0, "")
    assert "tradingagents analyze" in outcome.err
    assert listed(command) == []
    assert list(home.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["list", "--kind", "scans"], ["--kind cannot be 'scans'", "scan, trading"]),
        (["list", "--since", "yesterday"], ["--since cannot be 'yesterday'", "YYYY-MM-DD"]),
        (["list", "--ticker", "../x"], ["../x"]),
        (["costs", "--since", "2025-03-14", "--until", "2025-03-13"], ["exchange them"]),
        (["costs", "--by", "colour"], ["colour"]),
        (["show", "2025"], ["the beginning of 5 runs", run_id(5), "write more of it"]),
        (["show", "1999"], ["begins with 1999", "tradingagents runs list"]),
        (["show", ".."], ["'..'"]),
        (["export", "1999", "--to", "x.zip"], ["begins with 1999"]),
        (["delete", run_id(1)], ["--yes"]),
    ],
)
def test_what_cannot_be_is_refused_in_one_line(command: Command, some: Path, arguments: list[str], words: list[str]):
    before = sorted(some.rglob("*"))
    outcome = command("runs", *arguments)
    assert (outcome.code, outcome.out, len(outcome.errors)) == (2, "", 1)
    for word in words:
        assert word in outcome.errors[0]
    assert sorted(some.rglob("*")) == before


# show


def test_show_prints_a_run_again_with_what_agents_and_tiers_used(command: Command):
    assert command("analyze", "VELQ", "2025-03-14", *OFFLINE).code == 0
    (row,) = listed(command)
    outcome = command("runs", "show", row["run_id"][:20])
    assert outcome.code == 0
    assert outcome.out.startswith(f"Run {row['run_id']} · done\n")
    for words in ("Market Analyst", "deep model", "In all", "VELQ · ", "Key evidence", "report.html"):
        assert words in outcome.out
    card = json.loads((Path(row["folder"]) / "run.json").read_text("utf-8"))
    assert json.loads(command("runs", "show", row["run_id"], "--json").out) == card


def test_show_prints_a_scan(command: Command):
    assert command("scan", "2025-03-14", "--offline", "--quiet").code == 0
    outcome = command("runs", "show", listed(command)[0]["run_id"])
    assert outcome.code == 0
    for words in ("Sector Scanner", "Market scan · 2025-03-14", "Conviction"):
        assert words in outcome.out


def test_show_tells_what_is_known_of_a_run_without_a_card(command: Command, some: Path):
    outcome = command("runs", "show", run_id(4, "OMBZ"))
    assert outcome.code == 0
    for words in ("OMBZ for 2025-03-14", "unfinished", "Trader", "price unknown", "events.jsonl"):
        assert words in outcome.out
    told = json.loads(command("runs", "show", run_id(4, "OMBZ"), "--json").out)
    assert (told["status"], told["usage"]["by_agent"]["Trader"]["llm_calls"]) == ("unfinished", 1)
    damaged = command("runs", "show", run_id(5))
    assert damaged.code == 0
    assert "it is not JSON" in " ".join(damaged.out.split())


# costs


def test_costs_count_all_runs_and_mark_what_is_not_priced(command: Command, some: Path):
    record = json.loads(command("runs", "costs", "--by", "agent", "--json").out)
    assert {row["name"]: row["llm_calls"] for row in record["groups"]} == {
        "Risk Manager": 1,
        "Sector Scanner": 1,
        "Trader": 3,
    }
    total = record["total"]
    assert (total["runs"], total["llm_calls"], total["unpriced_calls"], total["cost_usd"]) == (4, 5, 1, None)
    assert total["priced_usd"] == pytest.approx(3 * 0.003 + 0.01067)
    golden("runs_costs.txt", command("runs", "costs", "--by", "agent").out)


# export


def test_export_packs_runs_and_never_replaces_a_file_unasked(command: Command, some: Path, tmp_path: Path):
    target = tmp_path / "out.zip"
    outcome = command("runs", "export", run_id(1), run_id(2, "SCAN"), run_id(1), "--to", str(target))
    assert (outcome.code, outcome.out) == (0, f"Packed 2 runs, 4 files into {target}\n")
    before = target.read_bytes()
    assert command("runs", "export", run_id(3, "OMBZ"), "--to", str(target)).code == 2
    assert target.read_bytes() == before
    told = json.loads(command("runs", "export", run_id(3, "OMBZ"), "--to", str(target), "--force", "--json").out)
    assert told == {"file": str(target), "runs": [run_id(3, "OMBZ")], "files": 2, "status": "done"}
    with zipfile.ZipFile(target) as archive:
        assert archive.namelist() == [f"{run_id(3, 'OMBZ')}/{name}" for name in ("events.jsonl", "run.json")]


def test_no_key_and_no_password_is_packed(command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    key, password = "sk-a-key-that-must-not-show", "a-password-that-must-not-show"
    monkeypatch.setenv("OPENAI_API_KEY", key)
    monkeypatch.setenv("TRADINGAGENTS_VENDOR_URLS", f"finnhub=http://me:{password}@127.0.0.1:1/")
    monkeypatch.setenv("TRADINGAGENTS_BACKEND_URL", f"http://me:{password}@127.0.0.1:1/v1")
    assert command("analyze", "VELQ", "2025-03-14", *OFFLINE).code == 0
    target = tmp_path / "out.zip"
    outcome = command("runs", "export", listed(command)[0]["run_id"], "--to", str(target), "--checkpoints")
    assert outcome.code == 0
    with zipfile.ZipFile(target) as archive:
        content = b"".join(map(archive.read, archive.namelist()))
    assert b"VELQ" in content
    for secret in (key, password):
        assert secret.encode() not in content


def test_a_report_is_exported_by_its_format_or_by_the_ending_of_its_file(command: Command, tmp_path: Path):
    assert command("analyze", "VELQ", "2025-03-14", *OFFLINE).code == 0
    run, target = listed(command)[0]["run_id"], tmp_path / "report.pdf"

    outcome = command("runs", "export", run, "--out", str(target))
    assert (outcome.code, outcome.out) == (0, f"Wrote {target}\n")
    assert target.read_bytes().startswith(b"%PDF-")
    assert command("runs", "export", run, "--out", str(target)).code == 2
    book = tmp_path / "figures"
    told = json.loads(command("runs", "export", run, "--format", "xlsx", "--out", str(book), "--json").out)
    assert told == {"file": str(book), "run_id": run, "format": "xlsx", "status": "done"}
    assert zipfile.is_zipfile(book)
    for words in (["--format", "doc"], [], ["--format", "zip"]):
        assert command("runs", "export", run, *words).code == 2


# delete


def test_delete_removes_what_is_named_and_says_that_lessons_stay(command: Command, some: Path):
    outcome = command("runs", "delete", run_id(1), run_id(4, "OMBZ"), "--yes")
    assert outcome.code == 0
    assert "Deleted 2 runs. Lessons drawn from them stay" in outcome.out
    assert len(listed(command)) == 3
    told = json.loads(command("runs", "delete", run_id(5), "--yes", "--json").out)
    assert told == {"deleted": [run_id(5)], "status": "done"}


def test_none_is_deleted_where_one_is_under_way(command: Command, some: Path):
    folder = RunFolder(some, run_id(9))
    outcome = command("runs", "delete", run_id(1), run_id(9), "--yes")
    assert outcome.code != 0
    assert "still running" in outcome.errors[0]
    assert len(listed(command)) == 6
    folder.close()
    assert command("runs", "delete", run_id(1), run_id(9), "--yes").code == 0


def _said_on(master: int) -> Iterator[str]:
    """Yield what a terminal shows, whose other side has been closed: one read may give its first line alone."""
    with contextlib.suppress(OSError):  # as Linux says that nobody writes any more
        while said := os.read(master, 10_000):
            yield said.decode()


@pytest.mark.parametrize(("said", "left"), [("y\n", 4), ("n\n", 5), ("\n", 5)])
def test_on_a_terminal_delete_asks_first(some: Path, said: str, left: int):
    master, terminal = pty.openpty()
    os.write(master, said.encode())
    with WarmProcess(
        ["-m", "cli.main", "runs", "delete", run_id(1)],
        stdin=terminal,
        stdout=subprocess.PIPE,
        stderr=terminal,
        env=environment(TERM="xterm", COLUMNS="120"),
    ) as process:
        process.communicate(60)
    os.close(terminal)
    shown = "".join(_said_on(master))
    os.close(master)
    assert process.returncode == 0
    assert run_id(1) in shown
    assert "[y/N]" in shown
    assert len(list((some / "runs").iterdir())) == left
