"""`tradingagents runs verify`: prints what does not follow, and exits with 5."""

from __future__ import annotations

import json
from pathlib import Path

from cli.commands.runs_verify import _cell
from tests.cli.conftest import Command
from tests.support.golden_files import assert_golden


def test_a_run_is_verified_and_a_changed_digit_is_named(command: Command, tmp_path: Path):
    home = ["--home", str(tmp_path)]
    asked = "What was the operating margin of VELQ in fiscal 2024?"
    assert command("research", asked, "--offline", "--as-of", "2025-03-14", *home).code == 0
    (folder,) = (tmp_path / "runs").iterdir()
    sound = command("runs", "verify", folder.name, *home)
    assert sound.code == 0
    card = json.loads((folder / "run.json").read_text())
    card["answer"] = card["answer"].replace("51.12%", "51.21%")
    card["tasks"][0]["facts"][0]["figures"][0]["derivation"]["cells"][0]["value"] *= 1.01
    (folder / "run.json").write_text(json.dumps(card))
    wrong = command("runs", "verify", folder.name, *home)
    assert wrong.code == 5
    assert_golden("cli/runs_verify.txt", f"{sound.out}\n{wrong.out}".replace(folder.name, "RUN"))
    told = json.loads(command("runs", "verify", folder.name, "--json", *home).out)
    assert (told["sound"], len(told["problems"])) == (False, 3)


def test_a_run_is_sealed_and_verified_on_a_machine_without_it(command: Command, tmp_path: Path):
    home, file = ["--home", str(tmp_path / "home")], str(tmp_path / "velq.dossier")
    asked = ("research", "What are the margins of VELQ?", "--offline", "--as-of", "2025-03-14")
    assert command(*asked, *home).code == 0
    (folder,) = (tmp_path / "home" / "runs").iterdir()
    sealed = command("runs", "seal", folder.name, "--out", file, *home)
    assert sealed.code == 0
    again = command("runs", "seal", folder.name, "--out", file, *home)
    assert (again.code, "is there already" in again.err) == (2, True)
    elsewhere = ["--home", str(tmp_path / "elsewhere")]
    sound = command("runs", "verify", file, *elsewhere)
    assert sound.code == 0
    told = json.loads(command("runs", "verify", file, "--json", *elsewhere).out)
    assert (told["sound"], told["run_id"]) == (True, folder.name)
    assert told["root"] in sealed.out
    assert told["root"] in sound.out
    assert command("runs", "verify", file, "--root", "0" * 64, *elsewhere).code == 5
    other = json.loads(command("runs", "verify", file, "--model", "offline", "--json", *elsewhere).out)
    assert (other["differing"], other["model"]) == ([], "offline/rules")
    table = command("runs", "verify", file, "--model", "offline", *elsewhere)
    assert "0 of" in table.out
    assert command("runs", "verify", file, "--model", "nobody/x", *elsewhere).code == 2
    refused = command("runs", "verify", folder.name, "--model", "offline", *home)
    assert (refused.code, f"tradingagents runs seal {folder.name}" in refused.err) == (2, True)
    content = bytearray(Path(file).read_bytes())
    content[content.index(b"# What are") + 3] ^= 1
    Path(file).write_bytes(content)
    changed = command("runs", "verify", file, *elsewhere)
    assert changed.code == 5
    assert "run/report.md: its content was changed" in changed.out
    assert not (tmp_path / "elsewhere").exists()


def test_of_two_answers_the_lines_that_differ_are_shown():
    same, other = "First line.\nSecond line.", "First line.\nAnother line."
    assert (_cell(same, other), _cell(other, same)) == ("Second line.", "Another line.")
    assert _cell(same, same) == "First line."
    assert (_cell(0.35384, 1), _cell(None, 1), _cell("SELL", "BUY"), _cell(7, 7)) == ("0.3538", "-", "SELL", "7")
    long = "\n".join(f"Line {number}." for number in range(20))
    assert _cell(long, "") == "\n".join([*long.splitlines()[:6], "(14 more lines; --json has all)"])
