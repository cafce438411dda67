"""`tradingagents runs verify`: prints what does not follow, and exits with 5."""

from __future__ import annotations

import json
from pathlib import Path

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
