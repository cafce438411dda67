"""Filings and calls as sources.

Where the store holds documents of the company, a search finds passages of all of them; those that the cheap model finds
worth it are read with the page around them. Else the latest annual and quarterly report are taken from the vendor, item
by item. Each round takes the best that the rounds before have not looked at, so that whole filings are read in the end.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from tradingagents.capabilities.filing_documents import MOST_TEXT, FiledItemText, FiledReport
from tradingagents.context import RunContext
from tradingagents.features.deep_report.agents.prompting import MOST_SOURCE_CHARS, PREVIEW_CHARS
from tradingagents.features.deep_report.graph.found_source import FoundSource, StoredPassage, answer_of, candidate
from tradingagents.retrieval.index.words import stems_of
from tradingagents.retrieval.results import DocumentPage, FoundPassage, PassageList
from tradingagents.schemas.evidence import SourceKind

SEARCHES: tuple[tuple[SourceKind, str], ...] = (("filing", "search_filings"), ("call", "search_transcripts"))
PASSAGES = 3
"""New passages of each search."""
MOST_PASSAGES = 20
"""A search returns no more, however many rounds have looked at the best of them."""
MOST_SEARCHES = 4
"""Questions of a round that are searched for."""
STEP = MOST_SOURCE_CHARS * 2 // 3
"""Pages that are longer than one source are read in windows that begin every so many characters and overlap."""
ITEMS: Mapping[str, tuple[str, ...]] = {"10-K": ("1", "1A", "7", "7A", "8"), "10-Q": ("I-2", "II-1A")}
"""Items read of a filing that is not stored: business, risks, discussion, market risk, statements with their notes."""
PARTS = 8
"""Parts of items offered in a round."""


async def filing_sources(
    context: RunContext, ticker: str, wanted: Sequence[str], known: Collection[str], rounds: int
) -> list[FoundSource]:
    """Return passages of filings and calls that were not looked at before.

    Args:
        context: The run's context.
        ticker: The company.
        wanted: What to find out.
        known: Addresses of what was looked at.
        rounds: How many rounds have searched before: later ones look further down the list.
    """
    limit = min(MOST_PASSAGES, PASSAGES * (rounds + 1))
    queries = list(dict.fromkeys(words[:300] for words in wanted))[:MOST_SEARCHES]
    answers = await asyncio.gather(*(_searched(context, name, ticker, queries, limit) for _, name in SEARCHES))
    found = [
        source
        for (kind, _), passages in zip(SEARCHES, answers, strict=True)
        for answer in passages
        for source in _new(answer.passages, kind, known)
    ]
    filings, _ = answers
    return found if filings else [*found, *await _items(context, ticker, wanted, known)]


async def _searched(
    context: RunContext, name: str, ticker: str, queries: Sequence[str], limit: int
) -> list[PassageList]:
    """Return what a search finds for each query; empty where the store has no document of the company.

    Whether it has one is seen by the first query: the others are not asked in vain.
    """

    async def search(query: str) -> PassageList | None:
        answer = await answer_of(context, name, {"query": query, "ticker": ticker, "limit": limit})
        return answer if isinstance(answer, PassageList) and answer.documents else None

    if not queries or (first := await search(queries[0])) is None:
        return []
    others = await asyncio.gather(*map(search, queries[1:]))
    return [found for found in (first, *others) if found is not None]


async def read_whole(context: RunContext, found: Sequence[FoundSource]) -> list[FoundSource]:
    """Return sources with the page around each stored passage; passages of one place become one source."""
    pages = await asyncio.gather(*(_page(context, source) for source in found))
    return list({page.candidate.address: page for page in reversed(pages)}.values())[::-1]


def window_of(start: int) -> int:
    """Return the character at which the window with a passage begins."""
    return start // STEP * STEP


def preview_of(text: str, wanted: Sequence[str]) -> str:
    """Return the lines of a text around the one that shares most words with the questions."""
    words = set(stems_of(" ".join(wanted)))
    lines = text.splitlines() or [""]
    best = max(range(len(lines)), key=lambda number: (len(words & set(stems_of(lines[number]))), -number))
    begin = sum(len(line) + 1 for line in lines[:best])
    return text[max(0, begin - PREVIEW_CHARS // 4) :][:PREVIEW_CHARS]


def _new(passages: Sequence[FoundPassage], kind: SourceKind, known: Collection[str]) -> list[FoundSource]:
    """Return the best passages of different pages that were neither looked at nor read with their page."""
    found: dict[str, FoundSource] = {}
    for passage in passages:
        address = f"{passage.key}#{passage.page}"
        window = f"{address}:{window_of(passage.start)}"
        if f"{address}:{passage.start}-{passage.end}" in known or window in known or window in found:
            continue
        where = (f"page {passage.page}", f"Item {passage.item}" if passage.item else "", passage.speaker)
        source = candidate(
            kind,
            passage.document,
            f"{address}:{passage.start}-{passage.end}",
            ", ".join(part for part in where if part),
            passage.known_at,
            passage.text,
            start=passage.start,
        )
        found[window] = FoundSource(source, stored=StoredPassage(passage.key, passage.page, passage.start))
    return list(found.values())[:PASSAGES]


async def _page(context: RunContext, source: FoundSource) -> FoundSource:
    """Return a source with the page of its passage; as it is where it has none or the page cannot be read."""
    if source.stored is None:
        return source
    place = source.stored
    page = await answer_of(context, "read_filing_page", {"document": place.document, "page": place.page})
    if not isinstance(page, DocumentPage):
        return source
    begin = window_of(place.start)
    text = page.text[begin : begin + MOST_SOURCE_CHARS]
    address = f"{place.document}#{place.page}:{begin}"
    return FoundSource(replace(source.candidate, address=address, text=text, start=begin)) if text.strip() else source


async def _items(context: RunContext, ticker: str, wanted: Sequence[str], known: Collection[str]) -> list[FoundSource]:
    """Return the parts of the latest reports that share most words with the questions."""
    parts = [part for form, items in ITEMS.items() for part in await _parts(context, ticker, form, items)]
    new = [part for part in parts if part.candidate.address not in known]
    stems = [set(stems_of(part.candidate.text)) for part in new]
    common = Counter(word for found in stems for word in found)
    words = set(stems_of(" ".join(wanted)))
    weights = [sum(1 / common[word] for word in words & found) for found in stems]
    ranked = sorted(range(len(new)), key=lambda number: (-weights[number], number))
    best = [new[number] for number in ranked[:PARTS] if weights[number] > 0]
    return [
        FoundSource(replace(part.candidate, preview=preview_of(part.candidate.text, wanted)), part.result)
        for part in best
    ]


async def _parts(context: RunContext, ticker: str, form: str, items: Collection[str]) -> list[FoundSource]:
    """Return the items of the latest filing of a form, cut into sources; nothing where no vendor has it."""
    listed = await answer_of(context, "sec_filing_document", {"ticker": ticker, "form": form})
    if not isinstance(listed, FiledReport) or listed.known_at is None:
        return []
    found = []
    for item in dict.fromkeys(filed.item for filed in listed.items if filed.item in items):
        offset: int | None = 0
        while offset is not None:
            given = {"ticker": ticker, "item": item, "form": form, "accession": listed.accession}
            text = await answer_of(context, "sec_filing_section", {**given, "offset": offset, "limit": MOST_TEXT})
            if not isinstance(text, FiledItemText):
                break
            name = f"{listed.symbol} {form} {listed.fiscal_year or ''}".strip()
            for begin, part in _cut(text.text):
                at = offset + begin
                place = f"Item {item}, from character {at}, page {text.first_page} on"
                address = f"{listed.accession}#Item {item}:{at}"
                found.append(FoundSource(candidate("filing", name, address, place, listed.known_at, part, start=at)))
            offset = text.next_offset
    return found


def _cut(text: str) -> Iterator[tuple[int, str]]:
    """Yield parts of at most one source's length with their first character, cut at a line where there is one."""
    begin = 0
    while begin < len(text):
        end = min(len(text), begin + MOST_SOURCE_CHARS)
        line = text.rfind("\n", begin + MOST_SOURCE_CHARS // 2, end) if end < len(text) else -1
        end = line + 1 if line > 0 else end
        if text[begin:end].strip():
            yield begin, text[begin:end]
        begin = end
