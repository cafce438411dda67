"""The appendix of evidence: an entry for each item with its words, what opens them, and where it is cited."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import quote, urldefrag

from tradingagents.features.deep_report.report.citations import Citations, anchor_of, section_anchor
from tradingagents.features.deep_report.report.valuation_blocks import DRIVERS, change
from tradingagents.features.deep_report.schemas.thesis import DeepReportRecord, PassageRecord, ThesisValuation
from tradingagents.files.plain_text import one_line
from tradingagents.reports import formatting as words
from tradingagents.reports.document import Block, Heading, Line, Table, one_line_of_markdown
from tradingagents.reports.inner_links import inner_link, without_links
from tradingagents.reports.names import figure_anchor, for_people, tool_anchor, tool_label
from tradingagents.schemas.records import DataSheetRecord

_WORDED = frozenset({"filing", "call", "news"})
"""Types of source whose quotations are sentences; those of the others are rows of tables."""
_KINDS = {
    "filing": "filing",
    "call": "earnings call",
    "statement": "statements",
    "prices": "prices",
    "news": "news",
    "insiders": "trades of insiders",
    "peers": "peers",
    "estimates": "estimates",
    "macro": "economic series",
}
_DIRECTIONS = {"supports": "Supports", "contradicts": "Contradicts", "neutral": "Says nothing for or against"}
_LINK_SAFE = str.maketrans({"(": "%28", ")": "%29", "[": "%5B", "]": "%5D", "|": "%7C", "'": "%27", " ": "%20"})
_LABEL_SAFE = str.maketrans({"[": "(", "]": ")", "`": "'", "*": "", "_": " "})
_FRAGMENT_WORDS = 6
"""Words of a quotation by which a browser finds it in its document."""


_MOST_SYMBOLS = 12


def appendix(record: DeepReportRecord, citations: Citations) -> list[Block]:
    """Return an entry for each item, in the order of the labels."""
    titles = {hypothesis.id: hypothesis.title for hypothesis in record.hypotheses}
    documents = record.exhibits.documents if record.exhibits is not None else {}
    held = frozenset(passage.item for passage in _passages(record))
    effects = _effects(record.valuation)
    blocks: list[Block] = []
    for key, label in citations.labels.items():
        item = citations.items[key]
        blocks.append(Heading(f"{label}. {one_line(item['claim'])}", level=4, id=anchor_of(label)))
        if item["source"]["kind"] in _WORDED:
            blocks.append(Line("> " + _plain(one_line(item["quote"]))))
        facts = _facts(item, titles, documents, effects, citations.sections.get(key, ()))
        opened = f" {inner_link(passage_anchor(label), 'Open the passage')}." if key in held else ""
        blocks.append(Line(" ".join(facts) + opened))
    return blocks


def passages(record: DeepReportRecord, citations: Citations) -> list[Block]:
    """Return the words around the quotations of stored documents that no address opens, the quotation marked."""
    blocks: list[Block] = []
    order = list(citations.labels)
    for passage in sorted(
        _passages(record), key=lambda passage: order.index(passage.item) if passage.item in order else len(order)
    ):
        label, item = citations.labels.get(passage.item), citations.items.get(passage.item)
        if label is None or item is None:
            continue
        source = item["source"]
        title = _plain(one_line(f"{source['title']}, {source['place']}".rstrip(", ")))
        blocks.append(Heading(f"{label}. {title}", level=4, id=passage_anchor(label)))
        parts = [_plain(one_line(words)) for words in (passage.before, passage.quote, passage.after)]
        blocks.append(Line(f"… {parts[0]} **{parts[1]}** {parts[2]} … {inner_link(anchor_of(label), 'Back')}"))
    return blocks


def passage_anchor(label: str) -> str:
    """Return the id of the passage of an item."""
    return f"passage-{label.lower()}"


def _passages(record: DeepReportRecord) -> Sequence[PassageRecord]:
    return record.exhibits.passages if record.exhibits is not None else ()


def source_link(item: Mapping[str, Any], documents: Mapping[str, str]) -> str:
    """Return the title of an item's source as Markdown that opens its passage: article, document, or row of the data.

    Args:
        item: The item of evidence.
        documents: Addresses of stored documents, by key.
    """
    source = item["source"]
    title = _plain(one_line(source["title"])).translate(_LABEL_SAFE)
    address = str(source["address"])
    if source["kind"] in ("filing", "call"):
        url = documents.get(address.partition("#")[0], "")
        return f"[{title}]({_passage(url, item['quote']).translate(_LINK_SAFE)})" if _is_web(url) else title
    if _is_web(address):
        return f"[{title}]({address.translate(_LINK_SAFE)})"
    method = address.partition(":")[0]
    row = figure_name(item)
    return inner_link(figure_anchor(row, method) if row else tool_anchor(method), without_links(title)[:120])


def figure_name(item: Mapping[str, Any]) -> str:
    """Return the figure whose row of a table an item quotes; empty for words."""
    head, bar, _ = str(item["quote"]).partition(" | ")
    return head if bar and head.replace("_", "").isalnum() else ""


def _facts(
    item: Mapping[str, Any],
    titles: Mapping[str, str],
    documents: Mapping[str, str],
    effects: Mapping[str, float],
    sections: Sequence[str],
) -> Iterable[str]:
    source = item["source"]
    kind = _KINDS.get(source["kind"], source["kind"])
    place = f", {_plain(one_line(source['place']))}" if source["place"] else ""
    yield f"Source ({kind}): {source_link(item, documents)}{place}, known {source['known_at'][:10]}."
    if source["kind"] not in _WORDED:
        yield f"Row: “{_plain(for_people(one_line(item['quote'])))}”."
    direction = _DIRECTIONS.get(item["direction"], item["direction"])
    title = _plain(one_line(titles.get(item["hypothesis"], item["hypothesis"]))).rstrip(".")
    yield f"{direction}: {title}. Confidence {words.percent(item['confidence'])}."
    if effect := item.get("effect"):
        worth = f", {effects[item['id']]:+,.2f} a share" if item["id"] in effects else ""
        claimed = change(effect["driver"], effect["change"])
        yield f"Moves {DRIVERS[effect['driver']]} by {claimed} before its confidence{worth}."
    if sections:
        yield "Cited in " + ", ".join(inner_link(section_anchor(name), _plain(name)) for name in sections) + "."
    else:
        yield "Not cited in the text."


def _effects(value: ThesisValuation | None) -> dict[str, float]:
    return {step.item: step.value_effect for step in value.steps} if value is not None else {}


def _passage(url: str, quotation: str) -> str:
    """Return the address of a document at the words of a quotation."""
    if url.lower().endswith(".pdf"):
        return url
    first = " ".join(quotation.split()[:_FRAGMENT_WORDS])
    return f"{urldefrag(url).url}#:~:text={quote(first, safe='').replace('-', '%2D')}"


def _is_web(address: str) -> bool:
    return address.startswith(("https://", "http://"))


def _plain(text: str) -> str:
    """Return a text from outside as words within a line of Markdown."""
    return one_line_of_markdown(without_links(text)).replace("|", "\\|")


def compact_sheet(sheet: Sequence[DataSheetRecord]) -> Table | None:
    """Return what was read, without its figures, which the page and the workbook have; None for nothing."""
    groups: dict[tuple[str, str], list[DataSheetRecord]] = {}
    for row in sheet:
        groups.setdefault((row.method, row.vendor), []).append(row)
    rows = [
        (
            tool_label(method),
            _symbols(found),
            vendor,
            words.window(
                min((row.start for row in found if row.start), default=None),
                max((row.end for row in found if row.end), default=None),
            ),
            words.count(sum(row.rows for row in found)),
            words.instant(max((row.known_at for row in found if row.known_at), default=None)),
        )
        for (method, vendor), found in groups.items()
    ]
    return Table(("Data", "Companies", "Source", "Period", "Rows", "Newest known by"), rows) if rows else None


def _symbols(rows: Sequence[DataSheetRecord]) -> str:
    names = list(dict.fromkeys(row.symbol or "market" for row in rows))
    shown = ", ".join(names[:_MOST_SYMBOLS])
    return f"{shown} and {len(names) - _MOST_SYMBOLS} more" if len(names) > _MOST_SYMBOLS else shown
