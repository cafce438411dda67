"""Transcripts of calls as documents: who says what, in which role, in the prepared remarks or among the questions.

Read from JSON, one call an object (`symbol`, `event_date`, `fiscal_year`, `fiscal_quarter`, `segments` with `speaker`,
`role`, `text`), and from plain text, as `Name (role): words` or as `Name -- Role` on a line above the words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Any, Literal

from tradingagents.dataflows.reference.calendar import sessions
from tradingagents.errors import UnreadableDocument
from tradingagents.retrieval.models import CallTurn, Page, SourceDocument, TextPlace
from tradingagents.retrieval.reading.info import NO_HINTS, Cover, Hints, make_info
from tradingagents.retrieval.reading.limits import unpack
from tradingagents.retrieval.reading.plain import decode
from tradingagents.retrieval.reading.tree import clean

LONG_PAGE = 6_000
_MAX_SEGMENTS = 20_000
_NAME = r"[A-Z][\w.'’\-]*(?:[ \t]+(?:[A-Z][\w.'’\-]*|de|van|von|der|la)){0,4}"
_SAID = re.compile(rf"^(?P<speaker>{_NAME})(?:\s*\((?P<role>[^()\n]{{1,120}})\))?:[ \t]*(?P<text>.*)$")
_ABOVE = re.compile(rf"^(?P<speaker>{_NAME})\s+(?:--|—|–)\s+(?P<role>[^\n:.]{{1,120}})$|^(?P<operator>Operator)$")
_PART = re.compile(
    r"^(?:prepared remarks|presentation"
    r"|(?P<questions>questions?\s*(?:and|&)\s*answers?(?: session)?|q\s*&\s*a)):?$",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"\bfirst question\b|\byour (?:first|next) question\b|\bquestion (?:comes|is coming|is) from\b"
    r"|\bfrom the line of\b",
    re.IGNORECASE,
)
_ANNOUNCES = re.compile(
    r"\b(?:open|turn|move|go)\b.{0,60}\b(?:to|for|up)\b.{0,30}\bquestions\b|\b(?:begin|start|conduct|take)\b.{0,40}\bquestion",
    re.IGNORECASE,
)
_PERIOD = re.compile(
    r"\b(?:Q(?P<short>[1-4])|(?P<word>first|second|third|fourth)[\s-]quarter)\b.{0,20}?\b(?:FY\s?)?(?P<year>20\d\d)\b",
    re.IGNORECASE,
)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_SYMBOL = re.compile(r"\((?:(?:NASDAQ|NYSE|NYSEAMERICAN)\s*:\s*)?(?P<symbol>[A-Z]{1,5}(?:[.-][A-Z])?)\)")
_CALL = re.compile(r"\b(?:earnings|conference) call\b", re.IGNORECASE)
Part = Literal["prepared", "questions"]


@dataclass(frozen=True, slots=True)
class _Said:
    speaker: str
    role: str
    part: Part | None
    text: str


def read_calls(content: bytes) -> Iterator[SourceDocument]:
    """Read a file of calls: a JSON object a line, also as a gzip file.

    A call without an instant (`known_at`) counts as known from the open of the session after its day.

    Raises:
        UnreadableDocument: A line is not a call; the message names it.
    """
    for number, line in enumerate(unpack(content).splitlines(), start=1):
        if not line.strip():
            continue
        call = _parse(line)
        if call is None:
            raise UnreadableDocument(f"Line {number} of the file is not a call with segments; correct or remove it.")
        yield read_call(line.strip(), known_at=_known_at(call, number))


def is_call(content: bytes) -> bool:
    """Tell whether content is a call in JSON."""
    return content.lstrip().startswith(b"{") and _parse(content) is not None


def read_call(content: bytes, *, known_at: datetime, name: str = "", hints: Hints = NO_HINTS) -> SourceDocument:
    """Read one call in JSON.

    Raises:
        UnreadableDocument: It is not a call.
    """
    call = _parse(content)
    if call is None:
        raise UnreadableDocument(
            "The JSON is not a call with segments of speaker and text; see the format in the guide."
        )
    said = [
        _Said(_text(segment.get("speaker")), _text(segment.get("role")), _part(segment.get("section")), text)
        for segment in call["segments"][:_MAX_SEGMENTS]
        if isinstance(segment, dict) and (text := _text(segment.get("text")))
    ]
    cover = Cover(
        kind="call",
        company=_text(call.get("company")),
        symbol=_text(call.get("symbol")).upper(),
        form="call",
        fiscal_year=_number(call.get("fiscal_year"), 1900, 2100),
        fiscal_quarter=_number(call.get("fiscal_quarter"), 1, 4),
        period_end=None,
    )
    return _document(content, said, cover, known_at=known_at, name=name, hints=hints)


def looks_like_call(text: str) -> bool:
    """Tell whether plain text is a transcript: it speaks of a call, and several lines begin with speakers."""
    lines = text.split("\n")[:2_000]
    speakers = sum(1 for line in lines if _ABOVE.match(line.strip()) or _SAID.match(line.strip()))
    roles = sum(
        1 for line in lines if ((found := _SAID.match(line.strip())) and found["role"]) or _ABOVE.match(line.strip())
    )
    return speakers >= 3 and roles >= 2 and bool(_CALL.search(text[:5_000]) or _PART.search(text))


def read_plain_call(content: bytes, *, known_at: datetime, name: str = "", hints: Hints = NO_HINTS) -> SourceDocument:
    """Read one call in plain text.

    Raises:
        UnreadableDocument: It names no speaker.
    """
    text = decode(content)
    head, said = _speakers(text)
    if not said:
        raise UnreadableDocument("The transcript names no speaker; write lines such as `Jane Doe (CFO): words`.")
    title = "\n".join(head) or said[0].text[:1_000]
    period = _PERIOD.search(title) or _PERIOD.search(said[0].text[:1_000])
    symbol = _SYMBOL.search(title)
    quarter = None
    if period is not None:
        quarter = int(period["short"]) if period["short"] else _QUARTERS[period["word"].lower()]
    cover = Cover(
        kind="call",
        symbol="" if symbol is None else symbol["symbol"].replace(".", "-"),
        company="" if symbol is None else title[: symbol.start()].split("\n")[-1].strip(),
        form="call",
        fiscal_year=None if period is None else int(period["year"]),
        fiscal_quarter=quarter,
    )
    return _document(content, said, cover, known_at=known_at, name=name, hints=hints)


def _speakers(text: str) -> tuple[list[str], list[_Said]]:
    """Return the lines before the first speaker, and what each speaker says."""
    head: list[str] = []
    said: list[_Said] = []
    part: Part | None = None
    for raw in text.split("\n"):
        line = raw.strip()
        if not line:
            continue
        if found := _PART.match(line):
            part = "questions" if found["questions"] else "prepared"
        elif found := _ABOVE.match(line):
            said.append(_Said(found["speaker"] or "Operator", (found["role"] or "Operator").strip(), part, ""))
        elif (found := _SAID.match(line)) and (found["role"] or _known_speaker(found["speaker"], said)):
            said.append(_Said(found["speaker"], (found["role"] or "").strip(), part, found["text"].strip()))
        elif said:
            last = said[-1]
            said[-1] = _Said(last.speaker, last.role, last.part, f"{last.text} {line}".strip())
        else:
            head.append(line)
    return head, [turn for turn in said if turn.text]


def _known_speaker(name: str, said: Sequence[_Said]) -> bool:
    """Tell whether a name without a role is a speaker: the operator, somebody heard before, or first and last name."""
    return name == "Operator" or len(name.split()) >= 2 or any(turn.speaker == name for turn in said)


def _document(
    content: bytes, said: Sequence[_Said], cover: Cover, *, known_at: datetime, name: str, hints: Hints
) -> SourceDocument:
    if not said:
        raise UnreadableDocument("The call has no words; get the transcript again.")
    info = make_info(content, cover, known_at=known_at, name=name, hints=hints)
    pages: list[list[str]] = [[]]
    size = 0
    turns: list[CallTurn] = []
    for turn, part in zip(said, _parts(said), strict=True):
        prefix = f"{turn.speaker or 'Unknown speaker'}{f' ({turn.role})' if turn.role else ''}: "
        for piece in _pieces(prefix + turn.text):
            if size + len(piece) > LONG_PAGE and pages[-1]:
                pages.append([])
                size = 0
            place = TextPlace(info.key, len(pages) - 1, size, size + len(piece))
            turns.append(CallTurn(turn.speaker or "Unknown speaker", turn.role, part, place))
            pages[-1].append(piece)
            size += len(piece) + 1
    texts = tuple(Page(number, "\n".join(lines)) for number, lines in enumerate(pages))
    return SourceDocument(info=info, pages=texts, turns=tuple(turns), warnings=_warnings(said))


def _warnings(said: Sequence[_Said]) -> tuple[str, ...]:
    if len({turn.speaker for turn in said}) > 1:
        return ()
    return ("The transcript does not tell the speakers apart.",)


def _pieces(text: str) -> Iterator[str]:
    """Cut a long turn at the ends of sentences."""
    while len(text) > LONG_PAGE:
        cut = text.rfind(". ", 0, LONG_PAGE) + 1
        cut = cut if cut > LONG_PAGE // 2 else LONG_PAGE
        yield text[:cut].strip()
        text = text[cut:].strip()
    if text:
        yield text


def _parts(said: Sequence[_Said]) -> list[Part]:
    """Return the part of each turn: as the source says, else questions begin where the first one is called."""
    if any(turn.part == "questions" for turn in said):
        return [turn.part or "prepared" for turn in said]
    begin = len(said)
    for at, turn in enumerate(said[2:], start=2):
        if _OPENS.search(turn.text):
            begin = at
            break
        if _ANNOUNCES.search(turn.text[-400:]) and at + 1 < len(said):
            begin = at + 1
            break
    return ["prepared" if at < begin else "questions" for at in range(len(said))]


def _parse(content: bytes) -> dict[str, Any] | None:
    try:
        call = json.loads(content)
    except (ValueError, RecursionError):
        return None
    good = isinstance(call, dict) and isinstance(call.get("segments"), list)
    return call if good else None


def _known_at(call: Mapping[str, Any], line: int) -> datetime:
    text = _text(call.get("known_at"))
    try:
        if text:
            instant = datetime.fromisoformat(text)
            return instant.astimezone(UTC) if instant.tzinfo else instant.replace(tzinfo=UTC)
        return sessions().next_open(date.fromisoformat(_text(call.get("event_date"))[:10]))
    except ValueError:
        raise UnreadableDocument(
            f"The call in line {line} has no day; give `event_date` as YYYY-MM-DD or `known_at` with its time zone."
        ) from None


def _part(section: object) -> Part | None:
    text = _text(section).casefold()
    if not text:
        return None
    return "questions" if "question" in text or "q&a" in text else "prepared"


def _number(value: object, least: int, most: int) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and least <= value <= most else None


def _text(value: object) -> str:
    return clean(value) if isinstance(value, str) else ""
