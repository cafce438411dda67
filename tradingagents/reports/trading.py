"""The report of a ticker's run: the decision first, then the texts in order, the evidence, and the costs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from markupsafe import Markup

from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.dataflows.reference.symbols import exchange_words
from tradingagents.memory.cohort import market_note
from tradingagents.reports import formatting as words
from tradingagents.reports.anchors import used_in
from tradingagents.reports.blocks import how_it_ran, texts, warnings_on_page, what_it_rests_on
from tradingagents.reports.citation_marks import with_marks
from tradingagents.reports.decision_notes import (
    SETTLING_HEADER,
    decision_notes_of,
    holder_action,
    holder_terms,
    settling_line,
    settling_rows,
    track_record,
)
from tradingagents.reports.document import (
    Block,
    Card,
    Document,
    File,
    Heading,
    Line,
    Masthead,
    Notice,
    Prose,
    Section,
    Table,
    labelled,
    labelled_list,
    one_line_of_markdown,
)
from tradingagents.reports.sections import (
    TextSection,
    analysts,
    decision_texts,
    every_section,
    lesson_origin,
    lessons,
    market_scan,
    notice,
    terms,
    written,
)
from tradingagents.reports.stances import stances
from tradingagents.schemas.cards import RunRecord
from tradingagents.schemas.decision import Decision, KeyEvidence

if TYPE_CHECKING:
    from tradingagents.dataflows.models import Prices
    from tradingagents.reports.earlier import EarlierDecision

Texts = Mapping[str, str]
Debates = Mapping[str, Sequence[Mapping[str, str]]]
_DEBATES = {"research": "2_research/debate.md", "risk": "4_risk/debate.md"}
_SIZES = (("wide", 130, 960), ("narrow", 60, 420))
"""Charts of a page, each with its bars and its width; a phone has no pointer that a bar could answer."""


def trading_document(
    record: RunRecord,
    prices: Prices | None = None,
    *,
    benchmark: Prices | None = None,
    earlier: Sequence[EarlierDecision] = (),
) -> Document:
    """Return the report of a run.

    Args:
        record: The run; missing parts are left out, and a partial run says so at the top.
        prices: Bars up to the trade date for the chart, with enough history for a 200-day average; None for no chart.
        benchmark: Bars of the benchmark over the same days, for a comparison line; None for no line.
        earlier: Decisions on the same instrument for earlier days, the latest first.
    """
    from tradingagents.reports.charts.price_chart import chart_css

    decision = record["decision"]
    charts = _price_charts(record, prices, benchmark) if prices is not None else []
    sources = [item.source for item in decision.key_evidence] if decision else []
    used = used_in(record["reports"], sources, record["data_sheet"])
    record = with_marks(record)
    return Document(
        title=f"Trading report: {_subject(record)}",
        facts=_facts(record),
        masthead=_masthead(record),
        market_note=market_note(record),
        notice=notice(record),
        sections=[
            *_decision_sections(record, charts),
            *text_sections(record.reports, record.debates, decided=record.decision is not None),
            *_learned(record, earlier),
            *what_it_rests_on(record),
            *how_it_ran(record["warnings"], record["usage"], record["timing"], "run"),
        ],
        files=_files(record),
        inline_styles=(chart_css(),),
        used_in=used,
    )


def _decision_sections(record: RunRecord, charts: Sequence[tuple[str, Markup]]) -> list[Section]:
    found = stances(record["reports"])
    decision = [_decision(record, record["decision"])] if record["decision"] else []
    return [
        Section("Decision", decision, id="decision", menu="Decision"),
        *_asked_again(record),
        *_for_book(record),
        Section("", [Card("stances", (found,))] if found else [], only="page"),
        Section("Price", [Card("price_chart", (charts,))] if charts else [], id="chart", menu="Chart", only="page"),
        warnings_on_page(record["warnings"]),
    ]


def _asked_again(record: RunRecord) -> list[Section]:
    """Return whether the same inputs give the same action; nothing for a run whose agents were asked once."""
    if not record.settling:
        return []
    rows = [tuple(map(one_line_of_markdown, row)) for row in settling_rows(record.settling)]
    blocks: list[Block] = [Line(one_line_of_markdown(settling_line(record.settling))), Table(SETTLING_HEADER, rows)]
    return [Section("Asked again", blocks, id="settling", menu="Asked again")]


def _for_book(record: RunRecord) -> list[Section]:
    """Return what the decision means for the book that the run was given; nothing without one."""
    book = record.book
    if book is None:
        return []
    changed = holder_terms(book, record.instrument["currency"])
    blocks: list[Block] = [
        Line(f"**{one_line_of_markdown(holder_action(book))}** ({one_line_of_markdown(book.why)})"),
        *([Table(("Of the book", "Before → after"), changed)] if changed else []),
        *(Line(one_line_of_markdown(note)) for note in book.notes),
        Line(f"Book of {book.day}, worth {book.equity:,.2f} {book.currency}, hash {book.hash[:12]}."),
    ]
    return [Section("For your book", blocks, id="book", menu="Your book")]


def text_sections(reports: Texts, debates: Debates, *, decided: bool) -> list[Section]:
    """Return the sections of a run's texts in order.

    Args:
        reports: Texts by state key.
        debates: Turns by `research` and `risk`.
        decided: Whether the decision stands in a section of its own, which says what the final text says.
    """
    research, risk = _debate(debates, "research", "Bull against bear"), _debate(debates, "risk", "Risk debate")
    investment_plan, trading_plan, final_decision = decision_texts()
    final = _texts(reports, final_decision)
    # The final text is the written decision; in a file it replaces the decision only if there is none.
    in_file = [*risk, *([] if decided else final)]
    analysed = _texts(reports, *analysts(), market_scan(), open_first=True)
    return [
        Section("Analysts", analysed, id="analysts", menu="Analysts"),
        Section("Research", [*research, *_texts(reports, investment_plan)], id="research", menu="Research"),
        Section("Trading", _texts(reports, trading_plan), id="trading", menu="Trading"),
        Section("Risk", [*risk, *final], id="risk", menu="Risk", only="page"),
        Section("Risk", in_file, only="file"),
    ]


def _learned(record: RunRecord, earlier: Sequence[EarlierDecision]) -> list[Section]:
    before = Card("earlier_decisions", (record["ticker"], record["trade_date"], earlier))
    shown = [(agents, lesson, lesson_origin(lesson)) for agents, lesson in lessons(record)]
    plain: list[Block] = []
    for agents, lesson, origin in shown:
        source = f"From {one_line_of_markdown(lesson.memory)}: {one_line_of_markdown(origin)}."
        plain += [Heading(agents), Prose(lesson.recommendation), Line(source)]
    return [
        Section("Earlier decisions", [before] if earlier else [], id="earlier", menu="Earlier decisions", only="page"),
        Section("Lessons used", [Card("lessons", (shown,), plain)] if shown else [], id="lessons", menu="Lessons"),
    ]


def text_files(subject: str, reports: Texts, debates: Debates) -> list[File]:
    """Return the texts of a run that have files of their own.

    Args:
        subject: Of what and when, for the titles.
        reports: Texts by state key.
        debates: Turns by `research` and `risk`.
    """
    found = [
        File(section.file, f"{section.title}: {subject}", [Prose(text, under=1)])
        for section, text in written(reports, every_section())
    ]
    for debate, path in _DEBATES.items():
        if turns := debates.get(debate):
            found.append(File(path, f"{debate.capitalize()} debate: {subject}", list(_turns(turns, level=2))))
    return found


def _files(record: RunRecord) -> list[File]:
    found = text_files(_subject(record), record.reports, record.debates)
    decision, final = record["decision"], decision_texts()[-1].file
    if decision is not None and final not in [file.path for file in found]:
        found.append(File(final, f"Decision: {_subject(record)}", [_decision(record, decision)]))
    return found


def _subject(record: RunRecord) -> str:
    return f"{record['instrument']['name']} ({record['ticker']}), {record['trade_date']}"


def _facts(record: RunRecord) -> list[tuple[str, str]]:
    who = record["instrument"]
    return [
        ("Instrument", f"{who.name} ({who.symbol}), {who.kind}"),
        ("Sector", " / ".join(part for part in (DISPLAY.get(who.sector or ""), who.industry) if part)),
        ("Exchange", f"{exchange_words(who.listing, who.exchange)}, prices in {who.currency}"),
        ("Benchmark", who.benchmark or ""),
        ("Trade date", record["trade_date"]),
        ("Session", record["session"]),
        ("Cut-off", f"{words.cutoff(record)}: nothing later was read"),
        ("Run", record["run_id"]),
    ]


def _masthead(record: RunRecord) -> Masthead:
    who, decision = record["instrument"], record["decision"]
    facts = [
        ("Trade date", record["trade_date"]),
        ("Session", f"{record['session']} ({who.exchange})"),
        ("Cut-off", words.cutoff(record)),
    ]
    if sector := who.sector:
        industry = f" / {who.industry}" if who.industry else ""
        facts.append(("Sector", f"{DISPLAY.get(sector, sector)}{industry}"))
    if who.benchmark:
        facts.append(("Benchmark", who.benchmark))
    action = f" · {words.action_words(decision.action)}" if decision else ""
    return Masthead(
        title=f"{record['ticker']} {record['trade_date']}{action}",
        eyebrow="Trading report",
        heading=who.name,
        detail=record["ticker"],
        facts=facts,
        identity=f"Run {record['run_id']}",
        versions=record.versions,
    )


def _decision(record: RunRecord, decision: Decision) -> Card:
    given, note = terms(decision, record["instrument"]), decision_notes_of(record)
    headline = f"**{one_line_of_markdown(words.action_words(decision.action))}**"
    if decision.action != "NO_DECISION":
        sure = words.sureness(decision.confidence, decision.strength)
        headline += f" with {words.sureness_name([decision]).lower()} {sure}"
    plain = [
        Line(headline),
        Prose(track_record(decision)),
        *([Notice(note)] if note else []),
        Table(("Term", "Value"), [(name, f"{value} ({far})" if far else value) for name, value, far in given]),
        Prose(decision.rationale),
        *labelled("Reasoning", decision.reasoning),
        *labelled_list("Plan", decision.plan or []),
        *labelled_list("Key evidence", [_evidence(item) for item in decision.key_evidence]),
        *labelled("What the other side had right", decision.dissent),
        *labelled("What would change it", decision.would_change),
    ]
    return Card("decision", (decision, given, note), plain)


def _evidence(item: KeyEvidence) -> str:
    note = words.evidence_note(item)
    return f"{item.claim} ({item.source}){f' [{note}]' if note else ''}"


def _texts(reports: Texts, *sections: TextSection, open_first: bool = False) -> list[Card]:
    return texts(written(reports, sections), open_first=open_first)


def _debate(debates: Debates, name: str, title: str) -> list[Card]:
    turns = debates.get(name)
    return [Card("debate", (title, turns), [Heading("Debate"), *_turns(turns, level=4)])] if turns else []


def _turns(turns: Sequence[Mapping[str, str]], *, level: int) -> Iterable[Block]:
    for number, turn in enumerate(turns, start=1):
        yield Heading(f"{number}. {turn['speaker']}", level)
        yield Prose(turn["text"], under=level)


def _price_charts(record: RunRecord, prices: Prices, benchmark: Prices | None) -> list[tuple[str, Markup]]:
    """Draw the chart for wide screens and paper, and again with fewer bars for phones."""
    from tradingagents.reports.charts.price_chart import drawn_chart, empty_chart, overlays_for, price_plot

    lay_out = partial(
        price_plot,
        prices,
        decision=record["decision"],
        trade_date=date.fromisoformat(record["trade_date"]),
        overlays=overlays_for(prices),
        benchmark=benchmark,
    )
    charts = []
    for kind, bars, width in _SIZES:
        plot = lay_out(bars=bars, width=width)
        drawn = drawn_chart(plot, kind == "wide") if plot else empty_chart(prices.symbol, width)
        charts.append((kind, Markup(drawn)))  # noqa: S704 - the chart escapes its texts
    return charts
