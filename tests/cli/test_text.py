"""Text that others wrote, made fit for a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.text import clean, one_line, opening_words, plain, with_flags
from tests.cli.test_printed_commands import PRINTED, texts


@given(st.text())
def test_clean_text_has_no_control_character_but_line_breaks_and_tabs(text: str):
    assert all(letter in "\n\t" or letter.isprintable() or ord(letter) > 0x9F for letter in clean(text))


@given(st.text())
def test_one_line_is_one_line(text: str):
    assert "\n" not in one_line(text)
    assert len(one_line(text).splitlines()) <= 1


def test_escapes_go_with_their_arguments():
    assert clean("a\x1b[31;1mb\x1b[0m\x1b]8;;http://x\x07c\x9b2Jd") == "abc2Jd"


def test_emphasis_goes_and_its_words_stay():
    assert plain("Revenue grew **14.20%**, see `get_news` and 2 * 3 * 4.") == (
        "Revenue grew 14.20%, see get_news and 2 * 3 * 4."
    )


def test_an_opening_has_no_marks_of_lists_and_headings():
    assert opening_words("# Bull\n\n1. **Growth** first\n- then margin") == "Bull Growth first then margin"
    assert len(opening_words("word " * 200)) == 240


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("use recorded data (data_vendor='snapshot').", "use recorded data (--data-vendor snapshot)."),
        ("choose one with data_vendor or data_vendors.", "choose one with --data-vendor or data_vendors."),
        ("check the network; llm_provider='offline' works.", "check the network; --offline works."),
        ("needs backend_url='http://localhost:8000/v1'.", "needs --backend-url http://localhost:8000/v1."),
        ("a folder with the setting home or TRADINGAGENTS_HOME.", "a folder with --home or TRADINGAGENTS_HOME."),
        ("raise max_debate_rounds.", "raise --debate-rounds."),
        ("name another folder with folder='DIR'.", "name another folder with --out DIR."),
        ("name another file with target='FILE'.", "name another file with --to FILE."),
        ("Cannot read /tmp/data_dir/a; name data_dir.", "Cannot read /tmp/data_dir/a; name --data-dir."),
        (
            "Cannot read data_dir.json, x-data_dir or a\\data_dir",
            "Cannot read data_dir.json, x-data_dir or a\\data_dir",
        ),
        ("lies in the setting home of Kansas", "lies in the setting home of Kansas"),
        ("raise budget_usd and run again.", "raise --budget-usd and run again."),
        ("was cut; raise max_output_tokens, or name", "was cut; raise TRADINGAGENTS_MAX_OUTPUT_TOKENS, or name"),
        ("Set structured_output=json_schema to", "Set TRADINGAGENTS_STRUCTURED_OUTPUT=json_schema to"),
        ("replace it with force=True.", "replace it with --force."),
        ("run it alone with debug=True and report it.", "run it alone with --debug and report it."),
        ("Study them with conviction='low'.", "Study them with --conviction low."),
        ("import these with basis='split_adjusted' if", "import these with --basis split_adjusted if"),
        ("with symbol='S' or named={'symbol': 'COLUMN'}.", "with --symbol S or --map symbol=COLUMN."),
        ("Bar(symbol='AAPL', basis='as_traded')", "Bar(symbol='AAPL', basis='as_traded')"),
        ("TRADINGAGENTS_DATA_VENDOR cannot be 7", "TRADINGAGENTS_DATA_VENDOR cannot be 7"),
        ("Unknown setting 'data_vendor'", "Unknown setting 'data_vendor'"),
    ],
)
def test_a_setting_that_a_message_names_is_shown_as_its_flag(said: str, shown: str):
    assert with_flags(said) == shown


FLAG = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
OTHER_PROGRAMS = re.compile(r"pip install --upgrade\b")
"""Commands of other programs, which Python's reader types in a terminal too."""


def test_messages_of_the_library_name_settings_and_no_flags():
    """Whole command lines of this program may stand in a message: each is run by `test_printed_commands`.

    A kind declares the flags by which the command line asks it, and what is wrong with them.
    """
    package = Path(__file__).resolve().parents[2] / "tradingagents"
    declarations = {*package.glob("*/*/kind.py"), package / "runtime" / "presentation.py"}
    told = {
        f"{path.relative_to(package)}: {text}"
        for path in package.rglob("*.py")
        if path not in declarations
        if FLAG.search(path.read_text("utf-8"))  # parsing all takes six seconds
        for text in texts(path)
        if FLAG.search(OTHER_PROGRAMS.sub("", PRINTED.sub("", text)))
    }
    assert told == set()


def test_the_search_for_flags_finds_them(tmp_path: Path):
    module = tmp_path / "module.py"
    module.write_text('"""Uses --json."""\nwhy = f"{1}; name another with --data-dir."\n', encoding="utf-8")
    assert [text for text in texts(module) if FLAG.search(text)] == ["RUN; name another with --data-dir."]
