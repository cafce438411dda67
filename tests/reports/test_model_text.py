import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from tests.reports.page import Page
from tradingagents.reports import model_text
from tradingagents.reports.model_text import as_html, as_inline_html, as_markdown, first_words


def test_headings_move_below_ours_and_keep_their_steps():
    assert as_markdown("# A\n\ntext\n\n### B", under=2) == "### A\n\ntext\n\n##### B"
    assert as_html("## A\n\n### B", under=3) == "<h4>A</h4>\n<h5>B</h5>\n"


def test_headings_never_go_deeper_than_six():
    assert as_markdown("# A\n\n#### B", under=5) == "###### A\n\n###### B"


def test_underlined_headings_become_hashed_ones():
    assert as_markdown("Title\n=====\n\nPart\n---\ntext", under=1) == "## Title\n\n### Part\ntext"


def test_a_hash_in_code_is_no_heading():
    assert as_markdown("# A\n\n```\n# not one\n```", under=2) == "### A\n\n```\n# not one\n```"


def test_headings_in_lists_and_quotes_move_too():
    assert as_markdown("# A\n\n> # B\n\n- ## C", under=2) == "### A\n\n> ### B\n\n- #### C"


@pytest.mark.parametrize("fence", ["```", "~~~~", "```python"])
def test_a_fence_left_open_is_closed(fence):
    closed = as_markdown(f"text\n\n{fence}\nx = 1", under=1)
    tokens = MarkdownIt().parse(closed + "\n\nafter")
    assert [token.type for token in tokens] == [
        *("paragraph_open", "inline", "paragraph_close"),
        "fence",
        *("paragraph_open", "inline", "paragraph_close"),
    ]


def test_blocks_of_html_become_text():
    assert as_markdown("before\n\n<!-- hidden\n\n# A", under=1) == "before\n\n&lt;!-- hidden\n\n## A"


@given(st.text(alphabet="#`~<>!-=|*[]()/ \n\r\tab1.", max_size=80))
def test_whatever_a_model_writes_what_follows_stays_what_it_is(text):
    document = f"## Before\n\n{as_markdown(text, under=2)}\n\n## After\n\nthe end"
    tokens = MarkdownIt("commonmark").enable("table").parse(document)
    top = [at for at, token in enumerate(tokens) if token.type == "heading_open" and token.level == 0]
    chapters = [tokens[at + 1].content for at in top if tokens[at].tag in ("h1", "h2")]
    assert chapters == ["Before", "After"]
    assert not any(token.type == "html_block" for token in tokens)


@given(st.text(alphabet="#`~<>!-=|*[]()/ \n\r\tab1.:&;\"'", max_size=80))
def test_whatever_a_model_writes_its_html_is_well_formed(text):
    Page(str(as_html(text, under=3)))
    Page(str(as_inline_html(text)))


def test_only_web_links_are_links():
    html = as_html(
        "[a](https://a.example) [b](javascript:alert(1)) [c](file:///etc/passwd) [d](/x) <https://e.example>", under=2
    )
    links = Page(str(html)).of("a")
    assert [link["href"] for link in links] == ["https://a.example", "https://e.example"]
    assert {link["rel"] for link in links} == {"noopener noreferrer nofollow"}


def test_an_image_is_its_description():
    assert as_html("![a *chart*](https://a.example/x.png)", under=2) == "<p>[image: a chart]</p>\n"


def test_table_cells_are_aligned_by_class():
    page = Page(str(as_html("| a | b |\n|---|--:|\n| 1 | 2 |", under=2)))
    assert page.of("td") == [{}, {"class": "right value"}]
    assert page.of("div") == [{"class": "scroll"}]


def test_html_is_shown_as_text():
    assert as_inline_html("a <b>c</b>") == "a &lt;b&gt;c&lt;/b&gt;"


@given(st.text(st.sampled_from("ab ,.%$()/'=?+-_*~[]<>&!\\\"\n1é€")) | st.text())
def test_a_line_without_marks_reads_as_if_it_had_been_parsed(text: str):
    parsed = model_text._render(model_text._html_parser().parseInline(text))
    assert as_inline_html(text) == parsed


@given(st.text(st.sampled_from("ab1 .,:%$()/'=?+-_*<\n\té")), st.integers(1, 5))
def test_a_paragraph_on_one_plain_line_reads_as_if_it_had_been_parsed(text: str, under: int):
    assert as_html(text, under=under) == model_text._render(model_text.markdown_tokens(text, under=under))


@given(st.text(st.sampled_from('ab1 -+%$:#=^{}@>.()/_*~[]<&!\\`"\n')))
def test_signs_of_extensions_are_read_like_other_text(text: str):
    stock = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    stock.validateLink = lambda url: url.lower().startswith(("http://", "https://"))
    tokens = model_text.markdown_tokens(text, under=0)
    assert [token.as_dict() for token in tokens if token.type == "inline"] == [
        token.as_dict() for token in stock.parse(text) if token.type == "inline"
    ]


def test_first_words_are_plain_and_cut_at_a_word():
    assert first_words("# T\n\nThe **trend** is\nup.", enough=5) == "The trend is up."
    assert first_words("**Action:** BUY\n\n**Stop:** 9", limit=60) == "Action: BUY · Stop: 9"
    assert first_words("one two three", limit=9) == "one two …"
    assert first_words("| a |\n|---|\n| 1 |") == ""


LINES = (
    "# one", "## two", "####### seven", "#tag", "text", "- item", "  # indented", "    # code", "| a | b |",
    "|---|---|", "# a | b", "> quote", "1. first", "", "", "*emphasis*", "\tcode", "#", "-|-", "[a]: https://example.com",
)  # fmt: skip


@given(st.lists(st.sampled_from(LINES), max_size=10), st.integers(0, 4))
def test_headings_read_off_the_lines_are_those_of_the_whole_parse(lines: list[str], under: int):
    """A fence at the end makes the text one that is parsed, and changes nothing before it."""
    fence = "\n\n~~~\n~~~"
    text = "\n".join(lines).strip()
    assert as_markdown(f"{text}{fence}", under=under) == f"{as_markdown(text, under=under)}{fence}".strip()


@given(
    st.lists(st.sampled_from((*LINES, "(source simulated, 3 rows)", "A longer line of words, then [a].")), max_size=10)
)
def test_an_opening_read_in_part_is_that_of_the_whole(lines: list[str]):
    """A definition of a link far behind the words makes the whole opening be read, and changes none of them."""
    text = "\n".join(lines).replace("[a]: https://example.com", "")
    assert first_words(text) == first_words(f"{text}\n\n# end\n\n[unused]: https://example.com")


def test_first_words_are_remembered_by_the_opening_alone():
    opening = "Rates fell. " * 100
    first_words(f"{opening} One end.")
    hits = model_text._first_words.cache_info().hits
    assert first_words(f"{opening} Another end.") == first_words(opening)
    assert model_text._first_words.cache_info().hits == hits + 2
