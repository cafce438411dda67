"""A home whose files were damaged: every command says what is wrong in a line, or goes on without; never a bug."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from cli.main import run
from tests.support.tiers import sampled

DAY = "2025-03-14"
SEED = 22
CASES, PARTS = 28, 3
DEEP = "[" * 50_000 + "]" * 50_000
Damage = Callable[[Path], None]


def _rewritten(change: Callable[[bytes], bytes]) -> Damage:
    def damage(path: Path) -> None:
        path.write_bytes(change(path.read_bytes()))

    return damage


def _every_value(value: object) -> Damage:
    """Replace every value of a JSON object, or of each line's, by one value."""

    def damage(path: Path) -> None:
        lines = path.read_text("utf-8", errors="replace")
        try:
            whole = json.loads(lines)
            path.write_text(json.dumps(dict.fromkeys(whole, value)), "utf-8")
        except (ValueError, TypeError):
            path.write_text(lines.replace('"data": {', f'"data": {json.dumps(value)}, "x": {{'), "utf-8")

    return damage


def _folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def _pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


DAMAGES: dict[str, Damage] = {
    "empty": _rewritten(lambda _: b""),
    "half": _rewritten(lambda content: content[: len(content) // 2]),
    "zeros": _rewritten(lambda content: b"\0" * len(content)),
    "no UTF-8": _rewritten(lambda content: b"\xff\xfe" + content),
    "list": _rewritten(lambda _: b"[1, 2]\n"),
    "deep": _rewritten(lambda _: DEEP.encode()),
    "deep inside": _rewritten(lambda _: f'{{"a": {DEEP}}}\n'.encode()),
    "huge number": _rewritten(lambda _: b'{"status": ' + b"9" * 6000 + b"}\n"),
    "numbers": _every_value(1e300),
    "nulls": _every_value(None),
    "lists": _every_value([]),
    "texts": _every_value("\x1b[2J\u202e"),
    "no JSON": _rewritten(lambda content: content.replace(b'"', b"'")),
    "folder": _folder,
    "pipe": _pipe,
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home with a finished run, one that the budget ended, a watch list, and an outcome."""
    made = tmp_path_factory.mktemp("home")
    rest = ("--offline", "--quiet", "--home", str(made))
    assert run(["analyze", "VELQ", DAY, *rest]) == 0
    assert run(["analyze", "OMBZ", DAY, "--max-llm-calls", "5", *rest]) == 6
    assert run(["watch", "add", "VELQ", "--home", str(made)]) == 0
    assert run(["watch", "run", DAY, *rest]) == 0
    assert run(["research", "What was the revenue of VELQ in fiscal year 2023?", "--date", DAY, *rest]) == 0
    return made


@pytest.mark.parametrize("part", sampled(range(PARTS), every=PARTS))
def test_no_damage_is_a_bug(home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str], part: int):
    chosen = random.Random(SEED + part)  # noqa: S311 - no secret
    files = sorted(path.relative_to(home) for path in home.rglob("*") if path.is_file() and path.name != "lock")
    files = [path for path in files if path.suffix not in (".html", ".md")]
    ids = sorted(path.name for path in (home / "runs").iterdir())
    wrong: list[tuple[object, ...]] = []
    for number in range(part, CASES, PARTS):
        damaged = tmp_path / str(number)
        shutil.copytree(home, damaged)
        file, (name, damage) = files[number % len(files)], chosen.choice(list(DAMAGES.items()))
        damage(damaged / file)
        for command in commands(chosen, ids):
            code = run([*command, "--home", str(damaged)])
            said = capfd.readouterr()
            text = said.out + said.err
            bad = [word for word in ("Traceback", "Unexpected", "an unexpected", "\x1b[2J") if word in text]
            if bad or code not in (0, 2, 3, 4, 5, 6):
                wrong.append((str(file), name, command, code, said.err[-300:]))
        shutil.rmtree(damaged)
    assert wrong == []


def commands(chosen: random.Random, ids: list[str]) -> list[list[str]]:
    """Return what is run on a damaged home: what only reads, always; what works, at times."""
    reads = [["runs", "list"], ["runs", "costs"], ["watch", "list"], ["memory", "list"]]
    reads += [["runs", what, chosen.choice(ids)] for what in ("show", "verify")]
    reads += [["thesis", "list"], ["tasks", "list"], ["evidence", "list", "VELQ"]]
    works = [
        *(["runs", "resume", one, "--quiet"] for one in ids),
        ["watch", "run", DAY, "--offline", "--quiet"],
        ["analyze", "VELQ", DAY, "--offline", "--dry-run"],
    ]
    return [*chosen.sample(reads, 3), *([chosen.choice(works)] if chosen.random() < 0.25 else [])]


def test_a_run_whose_card_is_damaged_is_not_sealed(home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]):
    damaged = tmp_path / "damaged"
    shutil.copytree(home, damaged)
    run_id = sorted(path.name for path in (damaged / "runs").iterdir())[0]
    DAMAGES["lists"](damaged / "runs" / run_id / "run.json")
    out = tmp_path / "dossier.zip"
    assert run(["runs", "seal", run_id, "--out", str(out), "--home", str(damaged)]) in (2, 3, 4)
    assert "Unexpected" not in capfd.readouterr().err
    assert not out.exists()


def test_folders_with_names_that_no_run_has_are_not_shown(
    home: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]
):
    copy = tmp_path / "copy"
    shutil.copytree(home, copy)
    (copy / "runs" / f"20250314T101010Z-\x1b[2J\u202eVELQ-{DAY}-abcdef").mkdir()
    assert run(["runs", "list", "--home", str(copy)]) == 0
    assert "\x1b[2J" not in capfd.readouterr().out
