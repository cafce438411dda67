"""Damaged snapshot folders: each question has an answer, a stated gap, or a typed error. Seeded and bounded."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path

import pytest

from tests.cli.conftest import Outcome, command  # noqa: F401 - the fixture
from tests.contracts.test_look_ahead import QUESTIONS
from tests.fuzz.damaged_folders import Case, complaint, damaged, sound_folder
from tests.support.tiers import examples, sampled
from tradingagents.dataflows.gateway.cache import Memo
from tradingagents.dataflows.interface import Vendors
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.snapshots.check import check_folder
from tradingagents.settings import load_settings

AS_OF, NOW = date(2025, 3, 14), datetime(2025, 6, 30, 22, tzinfo=UTC)
SEEDS, CASES = (11, 12, 13), examples(10, fast=5)
RUNS = (21, 22)
RUNS_EACH = 2
PROMISED = (3, 4)
"""Exit codes of a folder that is none, and of data that are not to be had."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return sound_folder(tmp_path_factory.mktemp("sound") / "market")


def complaints(case: Case) -> list[str]:
    """Put every question to a folder, and check it; return what did not end as promised."""
    settings = load_settings({"data_vendor": "snapshot", "data_dir": str(case.folder)}, environ={})
    vendors, memo = Vendors(settings, environ={}), Memo(64)
    found: list[str | None] = []
    for name, (capability, arguments) in QUESTIONS.items():
        data = MarketData(settings, AS_OF, vendors=vendors, memo=memo, now=lambda: NOW)

        def ask(capability=capability, arguments=arguments, data=data) -> str:
            return capability.ask(data, **arguments("ACMQ", AS_OF)).to_markdown()

        wrong = complaint(ask, PROMISED)
        found.append(wrong and f"{name}: {wrong}")
        found += [f"{name}: {warning}" for warning in data.sheet.warnings if "\n" in warning]
    wrong = complaint(lambda: check_folder(case.folder, now=lambda: NOW), PROMISED)
    found.append(wrong and f"data check: {wrong}")
    return [f"{case.name}: {one}" for one in found if one]


@pytest.mark.parametrize("seed", sampled(SEEDS, every=3))
def test_every_question_and_the_check_end_as_promised(sound: Path, tmp_path: Path, seed: int):
    assert [one for case in damaged(sound, tmp_path, seed=seed, count=CASES) for one in complaints(case)] == []


@pytest.mark.parametrize("seed", sampled(RUNS, every=2))
def test_a_run_on_a_damaged_folder_ends_as_promised(
    sound: Path,
    tmp_path: Path,
    command,  # noqa: F811 - pytest's way to a fixture of another folder
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
):
    monkeypatch.setenv("TRADINGAGENTS_HOME", str(tmp_path / "home"))
    for case in damaged(sound, tmp_path, seed=seed, count=RUNS_EACH):
        ran: Outcome = command("analyze", "ACMQ", "2025-03-14", "--offline", "--data-dir", str(case.folder), "--quiet")
        assert ran.code in (0, *PROMISED), f"{case.name}: {ran.code} {ran.err[-500:]}"
        for text in (ran.out, ran.err):
            assert "nexpected" not in text, f"{case.name}: {text[-500:]}"
            assert "Traceback" not in text, case.name
        told = command("data", "check", str(case.folder))
        assert told.code in (0, *PROMISED), f"{case.name}: {told.err[-500:]}"
        assert "nexpected" not in told.err, f"{case.name}: {told.err[-500:]}"
