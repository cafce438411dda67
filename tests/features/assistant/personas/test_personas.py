"""Persona files: what is read, what is refused, and what the fit check says of a memo."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml

from tradingagents.capabilities.registry import registry
from tradingagents.features.assistant.personas.loader import (
    PersonaError,
    checked_personas,
    library_files,
    load_personas,
    read_persona,
)
from tradingagents.files.yaml_file import LARGEST_FILE
from tradingagents.schemas.memo import MemoSubmission
from tradingagents.settings import Settings

KNOWN = {name: one.name for one in registry().values() for name in (one.name, *one.aliases)}
FOURTH = {
    "name": "income_investor",
    "title": "Income investor",
    "lens": "dividends and what covers them",
    "prompt": "Judge whether the dividend is covered.",
    "tools": ["financials", "get_cashflow"],
    "out_of_scope": "Companies that pay nothing.",
}


def written(folder: Path, file: str = "income.yaml", **changes: object) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / file
    path.write_text(yaml.safe_dump({**FOURTH, **changes}), encoding="utf-8")
    return path


def memo(**changes: object) -> MemoSubmission:
    fields = {"stance": "bullish", "confidence": 60, "thesis": "Free cash flow covers the debt.", **changes}
    return MemoSubmission.model_validate(fields)


def test_the_library_has_three_personas_whose_tools_exist_and_differ():
    personas = load_personas(Settings(home=Path("/nonexistent")), KNOWN)
    assert [one.name for one in personas] == ["warren_buffett", "howard_marks", "stanley_druckenmiller"]
    assert personas[0].tool_name == "consult_warren_buffett"
    buffett, marks, druckenmiller = (set(one.tools) for one in personas)
    assert {"valuation", "get_financials", "fundamental_screen"} <= buffett
    assert {"get_macro_indicators", "risk_profile", "macro_focus"} <= marks
    assert {"macro_focus", "market_snapshot", "get_macro_indicators"} <= druckenmiller
    assert all(set(one.tools) <= set(registry()) for one in personas)
    assert all(one.fit.subjects and one.offline != "none" for one in personas)


def test_a_fourth_persona_is_a_file_in_the_user_s_folder(tmp_path: Path):
    written(tmp_path / "personas")
    personas = load_personas(Settings(home=tmp_path), KNOWN)
    assert [one.name for one in personas][3:] == ["income_investor"]
    assert personas[3].tools == ("get_financials", "get_cashflow"), "an alias counts as the capability"
    named = Settings(home=tmp_path / "empty", personas_dir=tmp_path / "personas")
    assert len(load_personas(named, KNOWN)) == 4


def test_a_changed_file_is_read_again(tmp_path: Path):
    path = written(tmp_path)
    assert read_persona(path).title == "Income investor"
    written(tmp_path, title="Another title")
    os.utime(path, ns=(1, 1))
    assert read_persona(path).title == "Another title"


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"tools": ["finncials"]}, "there is no capability 'finncials'; did you mean"),
        ({"tools": ["consult_howard_marks"]}, "a persona consults nobody"),
        ({"tools": []}, "tools"),
        ({"name": "warren_buffett"}, "there is a persona warren_buffett"),
        ({"name": "Not A Name"}, "name"),
        ({"mood": "good"}, "mood"),
        ({"fit": {"at_least": 2, "subjects": {"cover": ["cover"]}}}, "at_least is 2, but there are 1 subjects"),
        ({"offline": "vibes"}, "offline"),
    ],
)
def test_a_bad_file_is_refused_with_its_name_and_what_to_correct(tmp_path: Path, changes: dict[str, object], said: str):
    path = written(tmp_path, **changes)
    with pytest.raises(PersonaError, match=r"income\.yaml") as caught:
        checked_personas((*library_files(), path), KNOWN)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("name: [", "no valid YAML"),
        ("- a\n- b\n", "holds no fields"),
        ("name: !!python/object/apply:os.system ['true']\n", "no valid YAML"),
        ("a: &a [x, x]\nb: [*a, *a]\n", "aliases"),
        ("x: " + "y" * LARGEST_FILE, "at most"),
        ("[" * 5000, "no valid YAML"),
    ],
)
def test_what_is_no_plain_small_yaml_is_refused(tmp_path: Path, text: str, said: str):
    path = tmp_path / "bad.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PersonaError, match=r"bad\.yaml") as caught:
        read_persona(path)
    assert said in str(caught.value)


def test_a_pipe_is_not_read(tmp_path: Path):
    os.mkfifo(tmp_path / "pipe.yaml")
    with pytest.raises(PersonaError, match="not a regular file"):
        read_persona(tmp_path / "pipe.yaml")


def test_the_fit_check_names_what_a_memo_leaves_out_and_lets_an_abstention_pass():
    buffett = checked_personas(library_files(), KNOWN)[0]
    assert buffett.missing_subjects(memo()) == ()
    chart_talk = memo(thesis="The chart looks strong.", key_evidence=["RSI 60"])
    assert "value against price" in buffett.missing_subjects(chart_talk)
    assert len(buffett.missing_subjects(chart_talk)) == 5
    assert buffett.missing_subjects(memo(stance="abstain", thesis="Out of scope.")) == ()


@pytest.mark.parametrize("confidence", [-1, 101, 50.5, "80", True])
def test_a_confidence_is_a_whole_number_from_0_to_100(confidence: object):
    with pytest.raises(ValueError, match="confidence"):
        memo(confidence=confidence)
