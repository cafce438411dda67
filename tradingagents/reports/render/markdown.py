"""Reports as Markdown files: one for each text of a run, and `complete_report.md` with everything."""

from __future__ import annotations

from collections.abc import Sequence

from tradingagents.dataflows.reference.sectors import DISPLAY
from tradingagents.reports import blocks
from tradingagents.reports import formatting as words
from tradingagents.reports import sections as outline
from tradingagents.reports.articles_read import article_groups, articles_markdown
from tradingagents.reports.blocks import COMPLETE
from tradingagents.reports.citation_marks import shown_in_markdown, tally, with_marks
from tradingagents.reports.decision_notes import beside_decision, track_record
from tradingagents.reports.model_text import as_markdown
from tradingagents.schemas.records import DecisionRecord, RunRecord

_DEBATES = {"research": "2_research/debate.md", "risk": "4_risk/debate.md"}


def report_files(record: RunRecord) -> dict[str, str]:
    """Return the files of a run by relative path, in reading order. Parts that a run did not reach have no file.

    Texts by models keep their words; their headings are moved below ours, and figures that could not be traced to the
    data are marked.
    """
    record = with_marks(record)
    files = {
        section.file: blocks.document(f"{section.title}: {_subject(record)}", as_markdown(text, under=1))
        for section, text in outline.written(record["reports"], outline.every_section())
    }
    for debate, path in _DEBATES.items():
        if turns := outline.turns_of(record, debate):
            files[path] = blocks.document(f"{debate.capitalize()} debate: {_subject(record)}", _turns(turns, level=2))
    decision = record["decision"]
    final = outline.decision_texts()[-1].file
    if decision is not None and final not in files:
        title = f"Decision: {_subject(record)}"
        files[final] = blocks.document(title, _decision(record, decision))
    files[COMPLETE] = complete_report(record)
    return {path: shown_in_markdown(text) for path, text in sorted(files.items())}


def complete_report(record: RunRecord) -> str:
    """Return everything as one document: the decision first, then the texts in order, the data sheet and the costs."""
    decision = record["decision"]
    investment_plan, trading_plan, final_decision = outline.decision_texts()
    parts = [
        blocks.notice(outline.notice(record)),
        _instrument(record),
        blocks.chapter("Decision", _decision(record, decision) if decision else ""),
        blocks.chapter("Analysts", _texts(record, *outline.analysts(), outline.market_scan())),
        blocks.chapter("Research", _debate(record, "research"), _texts(record, investment_plan)),
        blocks.chapter("Trading", _texts(record, trading_plan)),
        # The final text is the decision written out; it stands in for the decision only where there is none.
        blocks.chapter("Risk", _debate(record, "risk"), "" if decision else _texts(record, final_decision)),
        blocks.chapter("Lessons used", _lessons(record)),
        blocks.chapter("What was read", articles_markdown(article_groups(record))),
        blocks.chapter("Data sheet", tally(record.get("grounding")), blocks.data_sheet(record["data_sheet"])),
        blocks.chapter("Warnings", blocks.bullets(record["warnings"])),
        blocks.chapter("Model use", blocks.usage(record["usage"], record["timing"], "run")),
        blocks.closing(),
    ]
    return blocks.document(f"Trading report: {_subject(record)}", *parts)


def _subject(record: RunRecord) -> str:
    return f"{record['instrument']['name']} ({record['ticker']}), {record['trade_date']}"


def _instrument(record: RunRecord) -> str:
    who = record["instrument"]
    return blocks.facts(
        [
            ("Instrument", f"{who['name']} ({who['symbol']}), {who['kind']}"),
            ("Sector", " / ".join(part for part in (DISPLAY.get(who["sector"] or ""), who["industry"]) if part)),
            ("Exchange", f"{who['exchange']}, prices in {who['currency']}"),
            ("Benchmark", who["benchmark"] or ""),
            ("Trade date", record["trade_date"]),
            ("Session", record["session"]),
            ("Cut-off", f"{words.instant(record['cutoff'])}: nothing later was read"),
            ("Run", record["run_id"]),
        ]
    )


def _decision(record: RunRecord, decision: DecisionRecord) -> str:
    headline = f"**{blocks.line(words.action_words(decision['action']))}**"
    if decision["action"] != "NO_DECISION":
        headline += f" with confidence {words.percent(decision['confidence'])}"
    levels = [
        (name, f"{value} ({far})" if far else value)
        for name, value, far in outline.terms(decision, record["instrument"])
    ]
    evidence = [
        f"{item['claim']} ({item['source']}){f' [{note}]' if (note := words.evidence_note(item)) else ''}"
        for item in decision["key_evidence"]
    ]
    return blocks.joined(
        headline,
        as_markdown(track_record(decision), under=3),
        blocks.notice(beside_decision(record)),
        blocks.table(("Term", "Value"), levels) if levels else "",
        as_markdown(decision["rationale"], under=3),
        blocks.labelled("Reasoning", decision.get("reasoning")),
        blocks.labelled_list("Plan", decision.get("plan") or []),
        blocks.labelled_list("Key evidence", evidence),
        blocks.labelled("What the other side had right", decision["dissent"]),
        blocks.labelled("What would change it", decision["would_change"]),
    )


def _texts(record: RunRecord, *sections: outline.Section) -> str:
    return blocks.texts(outline.written(record["reports"], sections))


def _lessons(record: RunRecord) -> str:
    """Return the lessons that agents were shown, each once."""
    return "\n\n".join(
        f"### {blocks.line(agents)}\n\n{as_markdown(lesson['recommendation'], under=3)}\n\n"
        f"From {blocks.line(lesson['memory'])}: {blocks.line(outline.lesson_origin(lesson))}."
        for agents, lesson in outline.lessons(record)
    )


def _debate(record: RunRecord, name: str) -> str:
    turns = outline.turns_of(record, name)
    return f"### Debate\n\n{_turns(turns, level=4)}" if turns else ""


def _turns(turns: Sequence[dict[str, str]], *, level: int) -> str:
    return "\n\n".join(
        f"{'#' * level} {number}. {blocks.line(turn['speaker'])}\n\n{as_markdown(turn['text'], under=level)}"
        for number, turn in enumerate(turns, start=1)
    )
