"""The report of an answer from filings: the answer, its sources with the quoted passages, and how it was found.

On the page a citation is a button that opens its passage in place, without a script.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from markupsafe import Markup, escape

from tradingagents.features.filings_qa.chart import chart_of
from tradingagents.features.filings_qa.schemas import FilingsRecord, SourceRecord
from tradingagents.files.plain_text import one_line
from tradingagents.memory.cohort import market_note
from tradingagents.reports import formatting as words
from tradingagents.reports.charts.figure_svg import figure_css
from tradingagents.reports.document import (
    Block,
    Card,
    Document,
    Exhibit,
    Heading,
    Line,
    Masthead,
    Prose,
    Section,
    Table,
    one_line_of_markdown,
)
from tradingagents.reports.model_text import as_html
from tradingagents.reports.passage_links import FRAGMENT_WORDS, passage_link
from tradingagents.reports.render.html import to_html
from tradingagents.reports.render.markdown import to_markdown

_CITATION = re.compile(r"\[((?:10K|T|N|X)\d{1,3})\]")
_FIGURE = re.compile(r"(?<!\d)\d[\d,]{0,30}[.,]\d+")
"""Figures long enough to be found in a document."""
PASSAGE = 900
"""Characters of a passage in the list of sources; the whole of it opens at its citation."""
_STOPPED = {
    "confident": "the answer reached the confidence of its mode",
    "sufficient": "no further search would have improved it",
    "unsure": "no further search would have improved it, and its confidence is below the bar",
    "no_phrases": "nothing further to search for was named",
    "max_iterations": "the mode's iterations were used up",
    "nothing_found": "nothing was found",
    "rejected": "the question was not accepted",
}
_PROBLEMS = {
    "uncited": "claim without a citation",
    "unknown_source": "citation of a source that was not given",
    "withheld": "figure that is not at its citation",
}


def answer_markdown(record: FilingsRecord) -> str:
    """Return the report as Markdown."""
    return to_markdown(answer_document(record))


def answer_page(record: FilingsRecord) -> str:
    """Return the report as one self-contained page."""
    return to_html(answer_document(record))


def answer_document(record: FilingsRecord) -> Document:
    """Return the report of an answer."""
    confidence = record.confidence
    facts = [
        ("Asked as of", words.instant(record.as_of)),
        ("Mode", record.mode),
        ("Confidence", "" if confidence is None else f"{confidence:.0%}"),
        ("Written by", "fixed rules, no language model" if record.written_by == "rules" else "a language model"),
    ]
    question, drawn = one_line_of_markdown(record.question), chart_of(record.lines if record.status == "done" else None)
    return Document(
        title=question,
        facts=facts,
        masthead=Masthead(
            title=f"Answer: {question[:80]}",
            eyebrow="Answer from filings and calls",
            heading=question,
            detail="",
            facts=[fact for fact in facts if fact[1]],
            identity=f"{record.run_id} · status {record.status}",
        ),
        sections=[
            Section("Answer", _answer(record, drawn), "answer", "Answer"),
            Section("Sources", _sources(record), "sources", "Sources"),
            Section("How it was found", _path(record), "path", "How it was found"),
        ],
        market_note=market_note(record),
        notice=None if record.status == "done" else _not_done(record),
        style="filings.css",
        inline_styles=() if drawn is None else (figure_css(),),
    )


def cited_sources(record: FilingsRecord) -> str:
    """Return the sources that an answer cites as plain text, a line each with its address; empty for none."""
    lines = []
    for source in record.sources:
        if source.label in set(record.cited):
            address = passage_address(source, record.answer)
            lines.append(f"[{source.label}] {one_line(source_name(source))}{f'  {address}' if address else ''}")
    return "\n".join(lines)


def passage_address(source: SourceRecord, answer: str = "") -> str:
    """Return an address that opens the source at what the answer cites; empty where it has none on the web.

    Args:
        source: The source.
        answer: The answer; where a line of it cites the source, the address opens the words or the figure of that line
            in the passage, else the beginning of the passage.
    """
    if source.kind == "news":
        return source.url if source.url.startswith(("https://", "http://")) else ""
    return passage_link(source.url, source.page, source.text, _cited_words(source, answer))


def _cited_words(source: SourceRecord, answer: str) -> str:
    """Return words or a figure of the passage that a line of the answer repeats where it cites the source."""
    text = " ".join(source.text.split())
    figures: list[str] = []
    for line in answer.splitlines():
        if f"[{source.label}]" not in line:
            continue
        words = _CITATION.sub(" ", line).split()
        for at in range(len(words) - FRAGMENT_WORDS + 1):
            run = " ".join(words[at : at + FRAGMENT_WORDS])
            if run in text and any(letter.islower() for letter in run):
                return run
        figures += [figure for figure in _FIGURE.findall(line) if _stands(figure, text)]
    return max(figures, key=len, default="")


def _stands(figure: str, text: str) -> bool:
    return bool(re.search(rf"(?<![\d.,]){re.escape(figure)}(?![\d,])", text))


def source_name(source: SourceRecord) -> str:
    """Return where a passage stands, for people: document, page, item, speaker."""
    parts = [source.name]
    if source.page is not None and source.kind == "filing":
        parts.append(f"page {source.page + 1}")
    if source.item:
        parts.append(f"Item {source.item}")
    if source.speaker:
        parts.append(source.speaker)
    return ", ".join(part for part in parts if part)


def _answer(record: FilingsRecord, drawn: Exhibit | None) -> Sequence[Block]:
    if not record.answer:
        return ()
    known = {source.label: source for source in record.sources}
    answer = Card("cited_answer", (_with_buttons(record.answer, known),), (Prose(record.answer),))
    return (answer, *((drawn,) if drawn is not None else ()))


def _with_buttons(answer: str, sources: dict[str, SourceRecord]) -> Markup:
    """Return the answer as HTML whose citations open their passages, followed by the passages."""
    html = as_html(answer, under=2)
    button = Markup('<button type="button" class="cite" popovertarget="passage-{0}">{0}</button>')
    page = _CITATION.sub(lambda found: str(button.format(found[1])) if found[1] in sources else found[0], str(html))
    used = dict.fromkeys(label for label in _CITATION.findall(answer) if label in sources)
    passages = Markup("").join(_passage(sources[label], answer) for label in used)
    return Markup(page) + passages  # noqa: S704 - rendered above, text from outside escaped


def _passage(source: SourceRecord, answer: str) -> Markup:
    address = passage_address(source, answer)
    link = Markup('<a href="{}" rel="noreferrer">Open the document</a>').format(address) if address else Markup("")
    return Markup(
        '<div popover id="passage-{0}" class="passage">'
        "<p><strong>{0}</strong> {1}</p><blockquote>{2}</blockquote>{3}</div>"
    ).format(source.label, source_name(source), escape(source.text), link)


def _sources(record: FilingsRecord) -> Sequence[Block]:
    cited = set(record.cited)
    blocks: list[Block] = []
    for source in record.sources:
        if source.label not in cited:
            continue
        address = passage_address(source, record.answer)
        name = one_line_of_markdown(source_name(source))
        blocks.append(Heading(f"[{source.label}] {name}"))
        text = source.text if len(source.text) <= PASSAGE else f"{source.text[:PASSAGE]} …"
        blocks.append(Card("quoted", (text,), (Line("\n".join(f"> {_plain(row)}" for row in text.splitlines())),)))
        if address:
            blocks.append(Line(f"[Open the document]({address})"))
    others = len(record.sources) - len(cited)
    if others:
        blocks.append(Line(f"{others} further {'passage was' if others == 1 else 'passages were'} read and not cited."))
    return blocks


def _path(record: FilingsRecord) -> Sequence[Block]:
    blocks: list[Block] = []
    if record.reasoning:
        blocks += [Heading("Plan"), Prose(record.reasoning)]
    if record.iterations:
        header = ("Iteration", "Confidence", "Complete", "Specific", "Accurate", "Clear", "Searched for next")
        rows = [
            (
                str(iteration.number),
                f"{iteration.assessment.overall_confidence:.0%}",
                *(f"{iteration.assessment[score]:.0f}" for score in _SCORES),
                "; ".join(iteration.phrases) or "nothing",
            )
            for iteration in record.iterations
        ]
        blocks += [Heading("Assessment"), Table(header, rows)]
    if record.stopped:
        blocks.append(Line(f"The search ended because {_STOPPED.get(record.stopped, record.stopped)}."))
    if record.problems:
        rows = [(_PROBLEMS.get(problem.kind, problem.kind), problem.text) for problem in record.problems]
        blocks += [Heading("What the citations don't support"), Table(("Problem", "Text"), rows)]
    return blocks


_SCORES = ("completeness_score", "specificity_score", "accuracy_score", "clarity_score")


def _not_done(record: FilingsRecord) -> str:
    if record.status == "rejected":
        return "The question was not accepted."
    if record.status == "no_answer":
        return "The answer cannot be given."
    return f"This answer is not complete: the run's status is {record.status}."


def _plain(text: str) -> str:
    return text.replace("<", "&lt;").replace("`", "'").replace("|", "\\|")
