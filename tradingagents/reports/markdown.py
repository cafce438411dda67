"""Reports as Markdown files: one for each text of a run, and `complete_report.md` with everything."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tradingagents.dataflows.sectors import DISPLAY
from tradingagents.record import DataSheetRecord, DecisionRecord, RunRecord
from tradingagents.reports import outline, words
from tradingagents.reports.model_text import as_markdown

COMPLETE = "complete_report.md"
_DEBATES = {"research": "2_research/debate.md", "risk": "4_risk/debate.md"}


def report_files(record: RunRecord) -> dict[str, str]:
    """Return the files of a run by relative path, in reading order. Parts that a run did not reach have no file.

    Texts by models keep their words; their headings are moved below ours.
    """
    files = {
        section.file: _document(f"{section.title}: {_subject(record)}", as_markdown(text, under=1))
        for section in outline.SECTIONS
        if (text := outline.text_of(record, section.key))
    }
    for debate, path in _DEBATES.items():
        if turns := outline.turns_of(record, debate):
            files[path] = _document(f"{debate.capitalize()} debate: {_subject(record)}", _turns(turns, level=2))
    decision = record["decision"]
    if decision is not None and outline.FINAL_DECISION.file not in files:
        files[outline.FINAL_DECISION.file] = _document(f"Decision: {_subject(record)}", _decision(record, decision))
    files[COMPLETE] = complete_report(record)
    return dict(sorted(files.items()))


def complete_report(record: RunRecord) -> str:
    """Return everything as one document: the decision first, then the texts in order, the data sheet and the costs."""
    notice = outline.notice(record)
    decision = record["decision"]
    parts = [
        f"> **{_line(notice)}**" if notice else "",
        _instrument(record),
        _chapter("Decision", _decision(record, decision) if decision else ""),
        _chapter("Analysts", _texts(record, outline.ANALYSTS)),
        _chapter("Research", _debate(record, "research"), _texts(record, [outline.INVESTMENT_PLAN])),
        _chapter("Trading", _texts(record, [outline.TRADER_PLAN])),
        # The final text is the decision written out; it stands in for the decision only where there is none.
        _chapter("Risk", _debate(record, "risk"), _texts(record, [] if decision else [outline.FINAL_DECISION])),
        _chapter("Data sheet", _data_sheet(record["data_sheet"])),
        _chapter("Warnings", _bullets(record["warnings"])),
        _chapter("Model use", _usage(record)),
        f"---\n\n{outline.NO_ADVICE}",
    ]
    return _document(f"Trading report: {_subject(record)}", *parts)


def _document(title: str, *parts: str) -> str:
    return "\n\n".join([f"# {_line(title)}", *(part for part in parts if part)]) + "\n"


def _chapter(title: str, *parts: str) -> str:
    body = [part for part in parts if part]
    return "\n\n".join([f"## {title}", *body]) if body else ""


def _subject(record: RunRecord) -> str:
    return f"{record['instrument']['name']} ({record['ticker']}), {record['trade_date']}"


def _instrument(record: RunRecord) -> str:
    who = record["instrument"]
    facts = {
        "Instrument": f"{who['name']} ({who['symbol']}), {who['kind']}",
        "Sector": " / ".join(part for part in (DISPLAY.get(who["sector"] or ""), who["industry"]) if part),
        "Exchange": f"{who['exchange']}, prices in {who['currency']}",
        "Benchmark": who["benchmark"] or "",
        "Trade date": record["trade_date"],
        "Session": record["session"],
        "Cut-off": f"{words.instant(record['cutoff'])}: nothing later was read",
        "Run": record["run_id"],
    }
    return _table(("Fact", "Value"), [(name, value) for name, value in facts.items() if value])


def _decision(record: RunRecord, decision: DecisionRecord) -> str:
    headline = f"**{_line(words.action_words(decision['action']))}**"
    if decision["action"] != "NO_DECISION":
        headline += f" with confidence {words.percent(decision['confidence'])}"
    levels = [
        (name, f"{value} ({far})" if far else value)
        for name, value, far in outline.terms(decision, record["instrument"])
    ]
    evidence = [f"{item['claim']} ({item['source']})" for item in decision["key_evidence"]]
    return "\n\n".join(
        part
        for part in (
            headline,
            _table(("Term", "Value"), levels) if levels else "",
            as_markdown(decision["rationale"], under=3),
            f"**Key evidence**\n\n{_bullets(evidence)}" if evidence else "",
            _labelled("What the other side had right", decision["dissent"]),
            _labelled("What would change it", decision["would_change"]),
        )
        if part
    )


def _labelled(label: str, text: str | None) -> str:
    return f"**{label}**\n\n{as_markdown(text, under=3)}" if text and text.strip() else ""


def _texts(record: RunRecord, sections: Iterable[outline.Section]) -> str:
    return "\n\n".join(
        f"### {section.title} ({section.author})\n\n{as_markdown(text, under=3)}"
        for section in sections
        if (text := outline.text_of(record, section.key))
    )


def _debate(record: RunRecord, name: str) -> str:
    turns = outline.turns_of(record, name)
    return f"### Debate\n\n{_turns(turns, level=4)}" if turns else ""


def _turns(turns: Sequence[dict[str, str]], *, level: int) -> str:
    return "\n\n".join(
        f"{'#' * level} {number}. {_line(turn['speaker'])}\n\n{as_markdown(turn['text'], under=level)}"
        for number, turn in enumerate(turns, start=1)
    )


def _data_sheet(sheet: Sequence[DataSheetRecord]) -> str:
    if not sheet:
        return ""
    rows = [
        (
            entry["method"],
            entry["symbol"] or "market",
            entry["vendor"],
            words.window(entry["start"], entry["end"]),
            words.count(entry["rows"]),
            words.instant(entry["known_at"]),
            words.instant(entry["fetched_at"]),
            ", ".join(f"{name} {words.figure(value)}" for name, value in entry["figures"].items()),
            " ".join(entry["notes"]),
        )
        for entry in sheet
    ]
    header = ("Method", "Symbol", "Vendor", "Window", "Rows", "Known by", "Fetched", "Figures", "Notes")
    return _table(header, rows)


def _usage(record: RunRecord) -> str:
    rows = [
        (use.name, *map(words.count, (use.calls, use.tokens_in, use.cached, use.tokens_out)), words.usd(use.cost))
        for use in outline.uses(record["usage"])
    ]
    header = ("Agent", "Calls", "Tokens in", "of these cached", "Tokens out", "USD")
    return f"{_table(header, rows)}\n\nThe run took {words.duration(record['timing']['wall_s'])}."


def _bullets(lines: Iterable[str]) -> str:
    return "\n".join(f"- {_line(line)}" for line in lines)


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(text: str) -> str:
    return _line(text).replace("|", "\\|")


def _line(text: str) -> str:
    """Return text as one line of Markdown that opens no HTML."""
    return " ".join(text.split()).replace("<", "&lt;")
