"""Items of a filing: headings told from the table of contents, cross references and running headers.

A section is either right or says what is doubtful about it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from tradingagents.retrieval.models import ItemSection, Page
from tradingagents.retrieval.reading.item_names import ITEMS, ItemName, part_of

MAX_CANDIDATES = 2_000
_LONGEST_HEADING = 400
_GROUP_GAP = 1_500
"""Characters between two entries of a table of contents at most: that of the statements may stand between them."""
_LIST_GAP = 60
_SHORTEST_LONG = 2_000
_LONGEST_SHORT = 6_000
_HEADING = re.compile(
    r"^\W{0,3}(?:part\s+(?P<part>i{1,3}|iv)\b\W*)?items?\s*(?P<number>\d{1,2}(?:\.\d\d)?)(?:\s?\(?(?P<letter>[abc]|(?<=\d)[d-k])\b\)?)?"
    r"(?P<more>(?:\s*(?:,|and|&|through|–|-)\s*(?:items?\s*)?\d{1,2}[abc]?\b)*)(?P<mark>[\s.:—–-]*)(?P<title>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_NUMBER = re.compile(r"\d{1,2}[abc]?", re.IGNORECASE)
_PART = re.compile(r"^\W{0,3}part\s+(?P<part>i{1,3}|iv)\b(?P<rest>.{0,60})$", re.IGNORECASE)
_CROSS = re.compile(
    r"^(?:of|in|to|and|or|above|below|herein|hereof|for|is|are|was|were|as|which|that|under|on|with|by|contains?|includes?|shall)\b|^[,;)\"”’]"
)
_CONTINUED = re.compile(r"\bcontinued\b|\bcont(?:'|’)?d\b", re.IGNORECASE)
_PAGE_NUMBER = re.compile(
    r"(?:(?<!\s)\s++|(?<!\.)\.{3,}+\s*+)(?:[FS]-)?\d{1,3}(?:\s*+[-–,]\s*+\d{1,3}){0,12}+$|(?<!\s)\s{2,}+(?:N/?A|\*++)$",
    re.IGNORECASE,
)
_SIGNATURES = re.compile(
    r"^\W{0,3}signatures?\W{0,3}$|^pursuant to the requirements? of\b.*\bsecurities exchange act of 1934", re.IGNORECASE
)
_ELSEWHERE = re.compile(
    r"incorporated\b.{0,400}\bby reference|by reference|refer to|reference is made|\bsee\b|set forth|appears?|"
    r"is included|are included|"
    r"is contained|are contained|beginning on|begins? on|is presented|are presented|submitted|is filed|are filed|"
    r"not applicable|not required|\bnone\b|omitted|reserved|smaller reporting|no (?:material )?changes",
    re.IGNORECASE,
)
_UNNUMBERED = {
    "4": re.compile(r"^(?:information about )?(?:our |the )?executive officers\b.{0,60}$", re.IGNORECASE),
    "16": re.compile(
        r"^(?:index to exhibits|exhibits? index|index to (?:consolidated )?financial statements)\b", re.IGNORECASE
    ),
}
"""Headings without a number that end an item."""
_ROMAN = {"I": 1, "II": 2, "III": 3, "IV": 4}
_FORM = {"10-K": "10-K", "10-KT": "10-K", "10-K405": "10-K", "10-Q": "10-Q", "10-QT": "10-Q", "8-K": "8-K",
         "20-F": "20-F"}  # fmt: skip


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """A line of a document that may be a heading."""

    text: str
    page: int
    offset: int
    """Character of the page at which it begins."""
    bold: bool = False
    bold_start: bool = False
    """Whether its first words are bold."""
    anchor: str = ""
    link: str = ""
    """Where it links to within the document: entries of a table of contents do."""
    in_table: bool = False
    cells: int = 1


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A line that may be the heading of an item."""

    line: HeadingLine
    at: int
    """Position among the lines."""
    order: int
    """Position of the item among those of the form."""
    others: tuple[int, ...]
    """Further items of a combined heading such as `Items 1 and 2`."""
    title: str
    score: float
    titled: bool
    contents: bool
    """Whether it is an entry of a table of contents."""
    running: bool = False
    """Whether it heads page after page."""


def read_sections(
    form: str, pages: Sequence[Page], lines: Sequence[HeadingLine]
) -> tuple[tuple[ItemSection, ...], tuple[str, ...]]:
    """Return the items of a filing in the order of its text, and warnings about what was not found.

    Args:
        form: Form as filed; other forms than 10-K, 10-Q, 20-F and 8-K have no items that are read.
    """
    family = _FORM.get(form.upper().removesuffix("/A"), "")
    if not family:
        return (), ()
    names = ITEMS.get(family) or _items_of_report(lines)
    candidates, cut = _candidates(names, lines, pages)
    chosen = _choose(candidates)
    chosen, unordered = _add_unordered(chosen, candidates)
    sections = _sections(chosen, names, lines, pages)
    sections = [_doubt(section, names, chosen, candidates, pages, unordered) for section in sections]
    return tuple(sections), (*_warnings(sections, names, form), *cut)


def lines_of(pages: Sequence[Page]) -> list[HeadingLine]:
    """Return the lines of pages of which nothing but the text is known."""
    found: list[HeadingLine] = []
    for page in pages:
        offset = 0
        for line in page.text.split("\n"):
            if line.strip():
                found.append(HeadingLine(line.strip(), page.number, offset + len(line) - len(line.lstrip())))
            offset += len(line) + 1
    return found


def _items_of_report(lines: Sequence[HeadingLine]) -> tuple[ItemName, ...]:
    """Return the items of an 8-K, as numbered in its text."""
    numbers = {found["number"] for line in lines if (found := _HEADING.match(line.text)) and "." in found["number"]}
    return tuple(
        ItemName(number, f"Item {number}", re.compile(r"^[A-Z]"), required=False) for number in sorted(numbers)
    )


def _candidates(
    names: Sequence[ItemName], lines: Sequence[HeadingLine], pages: Sequence[Page]
) -> tuple[list[_Candidate], tuple[str, ...]]:
    order = {name.item: at for at, name in enumerate(names)}
    parted = "I-1" in order
    matches = [(at, line, found) for at, line in enumerate(lines) if (found := _match(line)) is not None]
    if len(matches) > MAX_CANDIDATES:
        return [], (f"More than {MAX_CANDIDATES} lines begin like items, so that none is read.",)
    running = _running([line for _, line, _ in matches])
    contents = _contents([(at, line) for at, line, _ in matches], pages)
    part = ""
    found_candidates: list[_Candidate] = []
    headed: set[tuple[int, str]] = set()
    parts = {at: found["part"].upper() for at, line in enumerate(lines) if (found := _PART.match(line.text))}
    positions = sorted(parts)
    cursor = 0
    for at, line, found in matches:
        while cursor < len(positions) and positions[cursor] <= at:
            part = parts[positions[cursor]]
            cursor += 1
        own = (found["part"] or part).upper()
        again = (line.page, line.text.casefold()) in headed
        for prefix in ("I-", "II-") if parted else ("",):
            candidate = _candidate(prefix, own, at, line, found, order, names, lines)
            if candidate is not None:
                heads = line.text.casefold() in running and _at_top(line) and not again
                score = candidate.score - (0.5 if heads else 0.0)
                found_candidates.append(replace(candidate, score=score, contents=at in contents, running=heads))
        headed.add((line.page, line.text.casefold()))
    return found_candidates, ()


def _match(line: HeadingLine) -> re.Match[str] | None:
    if len(line.text) > _LONGEST_HEADING and not line.bold_start:
        return None
    found = _HEADING.match(line.text)
    if found is None or _CONTINUED.search(line.text[:200]) or _CROSS.match(found["title"]):
        return None
    if found["title"] and not found["mark"]:
        return None
    return found


def _candidate(
    prefix: str,
    part: str,
    at: int,
    line: HeadingLine,
    found: re.Match[str],
    order: Mapping[str, int],
    names: Sequence[ItemName],
    lines: Sequence[HeadingLine],
) -> _Candidate | None:
    item = f"{prefix}{found['number']}{(found['letter'] or '').upper()}"
    if item not in order:
        return None
    title = _PAGE_NUMBER.sub("", found["title"]).strip(" .:—–-")
    if not title and at + 1 < len(lines):
        following = lines[at + 1].text
        title = following if len(following) < 160 and _HEADING.match(following) is None else ""
    titled = bool(names[order[item]].pattern.search(title[:120]))
    others = tuple(
        order[other] for number in _NUMBER.findall(found["more"]) if (other := f"{prefix}{number.upper()}") in order
    )
    score = 1.0 + (2.0 if titled else 0.0) + (1.0 if line.bold else 0.5 if line.bold_start else 0.0)
    score += 0.5 if line.text[: len(line.text) // 2].isupper() else 0.0
    if prefix:
        score += 1.0 if part == prefix.rstrip("-") else -1.0 if part else 0.0
    if len(title) > 200 and not line.bold_start:
        score -= 2.0
    return _Candidate(line, at, order[item], others, title[:200], score, titled, contents=False)


def _at_top(line: HeadingLine) -> bool:
    return line.offset < 120


def _running(lines: Sequence[HeadingLine]) -> frozenset[str]:
    """Return the lines that head page after page."""
    pages: dict[str, set[int]] = defaultdict(set)
    for line in lines:
        if _at_top(line):
            pages[line.text.casefold()].add(line.page)
    return frozenset(text for text, found in pages.items() if len(found) >= 3)


def _contents(matches: Sequence[tuple[int, HeadingLine]], pages: Sequence[Page]) -> frozenset[int]:
    """Return which lines are entries of a table of contents: many close together, with links or page numbers."""
    starts = _starts(pages)
    groups: list[list[tuple[int, HeadingLine]]] = []
    for at, line in matches:
        if groups and starts[line.page] + line.offset - _end(starts, groups[-1][-1][1]) < _GROUP_GAP:
            groups[-1].append((at, line))
        else:
            groups.append([(at, line)])
    marked = {at for group in groups for at in _marked(group)}
    if marked:
        return frozenset(marked)
    numbers = [(at, _number(line)) for at, line in matches]
    return frozenset(at for group in groups if _is_list(group, numbers) for at, _ in group)


def _number(line: HeadingLine) -> str:
    """Return the number of an item with which a line begins."""
    found = _HEADING.match(line.text)
    return "" if found is None else f"{found['number']}{found['letter'] or ''}".casefold()


def _marked(group: Sequence[tuple[int, HeadingLine]]) -> set[int]:
    """Return the lines of a group that link to their items or end with page numbers, if many do."""
    marked = {
        at for at, line in group if (line.link or _PAGE_NUMBER.search(line.text)) and not line.text.endswith("10-K")
    }
    return marked if len(marked) >= 4 and len({line.text.casefold() for _, line in group}) > 3 else set()


def _is_list(group: Sequence[tuple[int, HeadingLine]], numbers: Sequence[tuple[int, str]]) -> bool:
    """Tell whether a group is a list of items without text between them that come again later."""
    close = len(group) >= 8 and all(
        second.page == first.page and second.offset - first.offset - len(first.text) < _LIST_GAP
        for (_, first), (_, second) in pairwise(group)
    )
    if not close:
        return False
    later = {number for at, number in numbers if at > group[-1][0]}
    return sum(_number(line) in later for _, line in group) > len(group) / 2


def _starts(pages: Sequence[Page]) -> list[int]:
    starts = [0]
    for page in pages:
        starts.append(starts[-1] + len(page.text) + 1)
    return starts


def _end(starts: Sequence[int], line: HeadingLine) -> int:
    return starts[line.page] + line.offset + len(line.text)


def _choose(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """Choose the headings, in the order of the items and of the text, that are the best together."""
    proper = {candidate.order for candidate in candidates if not candidate.running and not candidate.contents}
    usable = [
        candidate
        for at, candidate in enumerate(candidates)
        if candidate.score > 0
        and not candidate.contents
        and not (candidate.running and candidate.order in proper)
        and not _repeated(candidate, candidates[at + 1] if at + 1 < len(candidates) else None)
    ]
    best: list[float] = []
    before: list[int] = []
    for index, candidate in enumerate(usable):
        total, previous = 0.0, -1
        for earlier in range(index):
            other = usable[earlier]
            ordered = max((other.order, *other.others)) < candidate.order and other.at < candidate.at
            if ordered and best[earlier] > total:
                total, previous = best[earlier], earlier
        best.append(total + candidate.score)
        before.append(previous)
    chosen: list[_Candidate] = []
    at = max(range(len(usable)), key=lambda index: best[index], default=-1)
    while at >= 0:
        chosen.append(usable[at])
        at = before[at]
    return chosen[::-1]


def _repeated(candidate: _Candidate, following: _Candidate | None) -> bool:
    """Tell whether the same heading comes again at once: the first is what heads the page."""
    if following is None or following.order != candidate.order or following.contents:
        return False
    return following.at - candidate.at <= 3 and following.line.page == candidate.line.page


def _add_unordered(
    chosen: list[_Candidate], candidates: Sequence[_Candidate]
) -> tuple[list[_Candidate], frozenset[int]]:
    """Add items with a clear heading that stands out of the usual order."""
    have = {order for candidate in chosen for order in (candidate.order, *candidate.others)}
    places = {candidate.at for candidate in chosen}
    added: list[_Candidate] = []
    for candidate in sorted(candidates, key=lambda candidate: (-candidate.score, candidate.at)):
        clear = candidate.titled and candidate.score >= 3.5 and not candidate.contents
        if clear and candidate.order not in have and candidate.at not in places:
            added.append(candidate)
            have.add(candidate.order)
            places.add(candidate.at)
    both = sorted([*chosen, *added], key=lambda candidate: candidate.at)
    return both, frozenset(candidate.order for candidate in added)


def _sections(
    chosen: Sequence[_Candidate], names: Sequence[ItemName], lines: Sequence[HeadingLine], pages: Sequence[Page]
) -> list[ItemSection]:
    found: list[ItemSection] = []
    furniture = _furniture(lines)
    for index, candidate in enumerate(chosen):
        following = chosen[index + 1].at if index + 1 < len(chosen) else len(lines)
        ending = _ending(candidate, following, names, lines, last=index + 1 == len(chosen))
        end = max(_before(ending, lines, furniture), candidate.at + 1)
        if end < len(lines):
            last_page, last_offset = lines[end].page, lines[end].offset
        else:
            last_page, last_offset = len(pages) - 1, len(pages[-1].text)
        if last_offset == 0 and last_page > candidate.line.page:
            last_page, last_offset = last_page - 1, len(pages[last_page - 1].text)
        found.extend(
            ItemSection(
                names[order].item,
                candidate.title or names[order].title,
                candidate.line.page,
                candidate.line.offset,
                last_page,
                last_offset,
            )
            for order in (candidate.order, *candidate.others)
        )
    return found


def _ending(
    candidate: _Candidate, following: int, names: Sequence[ItemName], lines: Sequence[HeadingLine], *, last: bool
) -> int:
    """Return the line before which an item ends: the next heading, the next part, or the signatures."""
    own = part_of(names, names[max(candidate.order, *candidate.others, candidate.order)].item)
    for at in range(candidate.at + 1, following):
        line = lines[at]
        if _SIGNATURES.match(line.text) and line.cells == 1 and (last or own >= 3):
            return at
        found = _PART.match(line.text)
        if found is not None and own and _ROMAN[found["part"].upper()] > own and _names_part(found["rest"]):
            return at
        if line.bold and (other := _UNNUMBERED.get(names[candidate.order].item)) and other.match(line.text):
            return at
    return following


def _names_part(rest: str) -> bool:
    """Tell whether a line that begins with a part's number is its heading, not a sentence about it."""
    return not rest.strip(" .:—–-") or bool(
        re.match(r"^[\s.:—–-]*(?:other|financial) information", rest, re.IGNORECASE)
    )


def _furniture(lines: Sequence[HeadingLine]) -> frozenset[str]:
    """Return the lines that stand at the top of page after page."""
    counts: Counter[str] = Counter()
    page = -1
    seen = 0
    for line in lines:
        seen = seen + 1 if line.page == page else 1
        page = line.page
        if seen <= 3 and len(line.text) < 100:
            counts[line.text.casefold()] += 1
    return frozenset(text for text, count in counts.items() if count >= 4)


def _before(end: int, lines: Sequence[HeadingLine], furniture: frozenset[str]) -> int:
    """Step back over the name of the part and what heads the page, where an ending stands at the top of one."""
    first = end
    while first > 0 and end < len(lines) and lines[first - 1].page == lines[end].page:
        text = lines[first - 1].text
        if not (_PART.match(text) or text.casefold() in furniture):
            break
        first -= 1
    return first


def section_text(section: ItemSection, pages: Sequence[Page]) -> str:
    """Return the text of a section, its pages joined by line ends."""
    if section.first_page == section.last_page:
        return pages[section.first_page].text[section.first_offset : section.last_offset]
    return "\n".join(
        (
            pages[section.first_page].text[section.first_offset :],
            *(pages[at].text for at in range(section.first_page + 1, section.last_page)),
            pages[section.last_page].text[: section.last_offset],
        )
    )


def _doubt(
    section: ItemSection,
    names: Sequence[ItemName],
    chosen: Sequence[_Candidate],
    candidates: Sequence[_Candidate],
    pages: Sequence[Page],
    unordered: frozenset[int],
) -> ItemSection:
    """Return a section with what is doubtful about it."""
    order = next(at for at, name in enumerate(names) if name.item == section.item)
    own = next(candidate for candidate in chosen if order in (candidate.order, *candidate.others))
    text = section_text(section, pages)
    name = names[order]
    if name.item == "16" and len(text) > _LONGEST_SHORT:
        section = _to_page_end(section, pages)
        text = section_text(section, pages)
    doubts: list[str] = []
    if not own.titled and not own.line.bold and not own.others:
        doubts.append("its heading has not the usual title and is not in bold")
    if order in unordered:
        doubts.append("it stands out of the usual order")
    if _rival(own, candidates):
        doubts.append("its heading occurs more than once")
    if missing := _missing_after(own, names, chosen):
        doubts.append(f"Item {missing} was not found, and this item may run into it")
    if name.long and len(text) < _SHORTEST_LONG and not _ELSEWHERE.search(text):
        doubts.append("it is much shorter than usual and does not say where its text stands")
    if name.short and len(text) > _LONGEST_SHORT:
        doubts.append("it is much longer than usual")
    return replace(section, sure=not doubts, doubt="; ".join(doubts))


def _to_page_end(section: ItemSection, pages: Sequence[Page]) -> ItemSection:
    """End a section with the page on which it begins."""
    return replace(section, last_page=section.first_page, last_offset=len(pages[section.first_page].text))


def _rival(own: _Candidate, candidates: Sequence[_Candidate]) -> bool:
    """Tell whether another line is as good a heading of the same item, far from the one chosen."""
    return any(
        other.order == own.order and other.at != own.at and not other.contents and not other.running and other.titled
        and other.score >= own.score and abs(other.at - own.at) > 3
        for other in candidates
    )  # fmt: skip


def _missing_after(own: _Candidate, names: Sequence[ItemName], chosen: Sequence[_Candidate]) -> str:
    have = {order for candidate in chosen for order in (candidate.order, *candidate.others)}
    for order in range(max((own.order, *own.others)) + 1, len(names)):
        if order in have:
            return ""
        if names[order].required:
            return names[order].item
    return ""


def _warnings(sections: Sequence[ItemSection], names: Sequence[ItemName], form: str) -> tuple[str, ...]:
    have = Counter(section.item for section in sections)
    missing = [name.item for name in names if name.required and name.item not in have]
    if not sections:
        return (f"No item of this {form} was found; search it by words instead.",)
    unsure = [section.item for section in sections if not section.sure]
    found = []
    if missing:
        found.append(f"Items not found: {', '.join(missing)}.")
    if unsure:
        found.append(f"Items whose place is doubtful: {', '.join(unsure)}.")
    return tuple(found)
