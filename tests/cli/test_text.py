"""Text that others wrote, made fit for a terminal."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from cli.text import clean, one_line, opening_words, plain


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
