"""Which pages of a filing are its primary statements, its management discussion, its notes, its contents or exhibits.

A statement page is recognised by its title, by the labels of its rows, by the figures on it, and by the other
statements near it: a filing prints its primary statements one after another.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal, get_args

PageKind = Literal[
    "income",
    "balance",
    "cashflow",
    "equity",
    "comprehensive",
    "notes",
    "segments",
    "mda",
    "business",
    "risks",
    "events",
    "audit",
    "cover",
    "contents",
    "exhibits",
    "signatures",
]
StatementPage = Literal["income", "balance", "cashflow", "equity", "comprehensive"]
STATEMENTS: tuple[StatementPage, ...] = get_args(StatementPage)


def page_kind_names() -> tuple[PageKind, ...]:
    """Return the names of all kinds."""
    return get_args(PageKind)


LIKELY = 0.5
"""Score from which a page is taken for what it looks like."""
_NEAR = 4
"""Pages on either side in which the other primary statements are expected."""
_TITLE_LINES = 14


@dataclass(frozen=True, slots=True)
class KindsOfPage:
    """What a page looks like."""

    page: int
    """Counted from 0."""
    scores: Mapping[PageKind, float] = field(default_factory=dict)
    """0 to 1 for each kind that the page shows any sign of; several may hold, such as notes and segments."""

    @property
    def kind(self) -> PageKind | None:
        """The kind with the highest score; None where no kind is likely."""
        best = max(self.scores.items(), key=lambda item: item[1], default=None)
        return best[0] if best is not None and best[1] >= LIKELY else None

    @property
    def statement(self) -> StatementPage | None:
        """Which primary statement the page most likely is; None if none."""
        best = max(STATEMENTS, key=lambda kind: self.scores.get(kind, 0.0))
        return best if self.scores.get(best, 0.0) >= LIKELY else None


def page_kinds(pages: Sequence[str]) -> tuple[KindsOfPage, ...]:
    """Tell the kinds of every page of one filing, in order, from the text of its pages."""
    features = [_features(text) for text in pages]
    parts = _parts(features)
    statements = [_statement_scores(page) for page in features]
    found = []
    for number, page in enumerate(features):
        scores: dict[PageKind, float] = {
            kind: score for kind, score in _with_neighbours(statements, number).items() if score >= 0.05
        }
        scores |= _other_scores(page, parts[number])
        found.append(KindsOfPage(number, {kind: round(score, 3) for kind, score in scores.items()}))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Features:
    """What the rules look at, computed once for a page."""

    labels: tuple[str, ...]
    """The lines in lower case, without the figures at their end."""
    lines: tuple[str, ...]
    """The lines in lower case."""
    rows: int
    """Lines that end in a figure."""
    prose: int
    """Long lines without figures at their end."""
    head: str
    """The letters of the first lines: print sets titles with stray spaces."""
    letters: str
    """The letters of the page's upper part, without breaks."""


_ENDS_IN_FIGURE = re.compile(r"(?:\d[\d,.]{0,30}\)?\s{0,60}+%?|[—–])\s{0,60}+\)?\s{0,60}$")  # noqa: RUF001
_NOT_LETTERS = re.compile(r"[^a-z]+")
_PROSE_LENGTH = 60


def _features(text: str) -> _Features:
    plain = text.lower().replace("\u2019", "'")
    lines = [" ".join(words) for line in plain.splitlines() if (words := line.split())]
    ends = [_ENDS_IN_FIGURE.search(line) is not None for line in lines]
    labels = tuple(_label(line) if end else line for line, end in zip(lines, ends, strict=True))
    first = [line for line in lines[:_TITLE_LINES] if len(line) < 140]
    return _Features(
        labels=labels,
        lines=tuple(lines),
        rows=sum(ends),
        prose=sum(not end and len(line) > _PROSE_LENGTH for line, end in zip(lines, ends, strict=True)),
        head="\n".join(_NOT_LETTERS.sub("", line) for line in first),
        letters="".join(_NOT_LETTERS.sub("", line) for line in lines[: 3 * _TITLE_LINES]),
    )


def _label(line: str) -> str:
    """Return a row without the figures at its end; the number of an item or a note stays."""
    words = line.split()
    while len(words) > 2 and not any(letter.isalpha() for letter in words[-1]):
        words.pop()
    return " ".join(words)


def _pattern(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{kind})" for kind in alternatives), re.MULTILINE)


def _rows(*weighted: tuple[float, str]) -> tuple[tuple[float, re.Pattern[str]], ...]:
    """Return the rows a statement shows: each a weight and the pattern its label begins with."""
    return tuple((weight, re.compile(rule)) for weight, rule in weighted)


_OWNER = r"(?:stockholders?|shareholders?|shareowners?|owners?|members?|total|common)?"
_TITLES: Mapping[StatementPage, re.Pattern[str]] = {
    "income": _pattern(
        r"statements?of(?:consolidated)?(?:net)?(?:income|operations|earnings|profitandloss|incomeloss)(?!tax)",
        r"(?:income|operations|earnings)statements?$",
        r"^incomestatements?",
        r"resultsofoperations\(?consolidatedstatement",
    ),
    "balance": _pattern(
        r"(?:consolidated|condensed)?balancesheets?",
        r"statements?of(?:consolidated)?financial(?:position|condition)",
    ),
    "cashflow": _pattern(r"statements?of(?:consolidated)?cashflows?", r"cashflowstatements?"),
    "equity": _pattern(
        rf"statements?of(?:changesin|consolidated)?(?:consolidated)?{_OWNER}(?:equity|investment|deficit)",
        r"statements?of(?:shareholders|stockholders|shareowners)",
    ),
    "comprehensive": _pattern(r"statements?of(?:consolidated)?(?:other)?comprehensive\n?(?:income|loss|earnings)"),
}
_ROWS: Mapping[StatementPage, tuple[tuple[float, re.Pattern[str]], ...]] = {
    "income": _rows(
        (1.0, r"(?:total )?(?:net )?(?:sales|revenues?|operating revenues?)\b"),
        (1.0, r"(?:total )?costs? (?:of|and expenses)\b|total operating expenses|total noninterest expense"),
        (0.7, r"gross (?:profit|margin)"),
        (
            0.7,
            r"(?:income|profit|earnings|loss) ?(?:\(loss\) )?from operations|operating (?:income|profit|earnings)",
        ),
        (1.0, r"(?:income|earnings|profit|loss)\b.{0,40}before\b.{0,40}taxes"),
        (1.0, r"(?:provision|benefit|income tax|taxes on).{0,30}(?:tax|income|earnings)|income tax"),
        (1.0, r"(?:consolidated )?net (?:income|earnings|loss|\(loss\))"),
        (1.0, r"(?:.{0,60}[\s-])?basic\b"),
        (1.0, r"(?:.{0,60}[\s-])?dilut(?:ed|ion)\b|assuming dilution"),
        (0.8, r"weighted[\s-]+average|(?:earnings|income|loss).{0,20} per.{0,12} share"),
    ),
    "balance": _rows(
        (0.7, r"cash(?:,| and) .{0,10}(?:cash )?equivalents|cash and due from"),
        (1.0, r"total current assets|deposits|loans"),
        (1.5, r"total assets"),
        (0.7, r"accounts? payable|payables|accounts payable and"),
        (1.0, r"total current liabilities|trading liabilities|total deposits"),
        (0.8, r"total liabilities(?! and)"),
        (1.0, r"retained earnings|reinvested earnings|accumulated deficit|earnings (?:retained|reinvested)"),
        (0.8, r"accumulated other comprehensive|additional (?:paid|capital)|capital in excess"),
        (0.8, r"total.{0,60}equity|total.{0,40}(?:deficit|investment)"),
        (1.5, r"total liabilities(?:,| and| &).{0,80}|total equity and liabilities"),
    ),
    "cashflow": _rows(
        (0.6, r"net (?:income|earnings|loss|\(loss\))"),
        (0.8, r"depreciation"),
        (1.5, r".{0,40}cash.{0,40}operat(?:ing|ions)"),
        (1.5, r".{0,40}cash.{0,40}invest(?:ing|ment)"),
        (1.5, r".{0,40}cash.{0,40}financing"),
        (1.0, r"(?:purchases?|additions?|acquisitions?|payments?) (?:of|to|for) .{0,20}(?:property|capital)"),
        (0.5, r"capital expenditures"),
        (0.8, r"(?:cash )?dividends?(?: paid)?|payments? of.{0,20}dividends"),
        (1.2, r"cash.{0,80}(?:beginning|end) of|balance.{0,10}(?:beginning|end) of (?:the )?(?:year|period)"),
        (0.6, r"effect of.{0,30}exchange|exchange rate effect"),
    ),
    "equity": _rows(
        (1.5, r"balances?,? .{0,40}|(?:beginning|ending) balance|balance at"),
        (1.0, r"net (?:income|earnings|loss)"),
        (1.0, r"(?:.{0,10}other )?comprehensive (?:income|loss|\(loss\))"),
        (1.0, r"(?:cash )?dividends?.{0,10}(?:declared|paid|\(|common|\$|per)"),
        (1.0, r"(?:stock|share|equity)[\s-]*based compensation|stock options?|share repurchases?"),
        (1.0, r"(?:repurchases?|purchases?|issuances?|issued|retirement) .{0,20}(?:common|treasury|stock|shares)"),
        (1.0, r".{0,60}(?:additional|paid-in|retained|treasury|accumulated other)"),
    ),
    "comprehensive": _rows(
        (1.0, r"(?:consolidated )?net (?:income|earnings|loss|\(loss\))"),
        (1.5, r"(?:total )?(?:other )?comprehensive (?:income|loss|earnings|\(loss\))"),
        (1.2, r"(?:foreign )?currency translation|(?:cumulative )?translation|foreign currency"),
        (1.0, r".{0,40}(?:unrealized|hedg|derivative|available-for-sale|marketable)"),
        (1.0, r".{0,40}(?:pension|defined benefit|retirement|postretirement)"),
        (1.0, r"(?:less: )?.{0,20}comprehensive.{0,30}attributable"),
    ),
}
_ENOUGH: Mapping[StatementPage, float] = {
    "income": 6.5,
    "balance": 7.0,
    "cashflow": 7.0,
    "equity": 5.0,
    "comprehensive": 5.0,
}
"""Weight of rows that a complete statement shows."""
_NOT_PRIMARY = _pattern(
    r"consolidating",
    r"proforma",
    r"parentcompany(?:only)?",
    r"condensedfinancialinformation",
    r"selectedfinancial",
    r"financial(?:highlights|summary)",
    r"nongaap",
    r"^reconciliation(?:of|s)",
    r"schedulei\b",
    r"aspercentage|percentof(?:net)?(?:sales|revenue)",
    r"^guarantor",
    r"^(?:the)?(?:impact|effect)s?of",
)
_ENTIRE = re.compile(r"accompanying.{0,30}notes|see.{0,30}notes|integral part|notes to.{0,30}financial statements are")


def _statement_scores(page: _Features) -> dict[StatementPage, float]:
    """Score a page by itself as each of the primary statements."""
    scores: dict[StatementPage, float] = {}
    if page.rows < 5:
        return scores
    grid = page.rows / (page.rows + 2 * page.prose)
    closed = any(_ENTIRE.search(label) for label in (*page.labels[:6], *page.labels[-6:]))
    denied = _NOT_PRIMARY.search(page.head) is not None
    for kind in STATEMENTS:
        weight = sum(value for value, rule in _ROWS[kind] if any(rule.match(label) for label in page.labels))
        rows = min(weight / _ENOUGH[kind], 1.0)
        title = _TITLES[kind].search(page.head) is not None
        score = 0.42 * rows + 0.3 * title + 0.1 * closed + 0.18 * grid
        if not title:
            score *= 0.75
        if denied:
            score *= 0.5
        if page.prose > page.rows:
            score *= 0.5
        scores[kind] = score if rows >= 0.3 else score * 0.5
    return scores


def _with_neighbours(scores: Sequence[Mapping[StatementPage, float]], number: int) -> dict[StatementPage, float]:
    """Raise the score of a page whose neighbours are other statements, and lower it for a page that has none near."""
    own = scores[number]
    near = [scores[at] for at in range(max(number - _NEAR, 0), min(number + _NEAR + 1, len(scores))) if at != number]
    result = {}
    for kind, score in own.items():
        company = sum(
            sorted(max((page.get(other, 0.0) for page in near), default=0.0) for other in STATEMENTS if other != kind)[
                -2:
            ]
        )
        result[kind] = score * (0.7 + 0.3 * min(company / 1.4, 1.0))
    best = max(result.values(), default=0.0)
    # A page is one statement, or two that share it; the labels that all statements have are no evidence.
    return {kind: score if score >= 0.8 * best else score * 0.5 for kind, score in result.items()}


_ITEM = re.compile(r"(?:part\s+[iv]+[\s,.:-]*)?items?\s+(\d{1,2}[abc]?)\b[\s.:—–-]*(.{0,90})")  # noqa: RUF001
_PARTS: tuple[tuple[PageKind | None, re.Pattern[str]], ...] = (
    ("mda", re.compile(r"management's discussion and analysis|management's financial discussion")),
    ("risks", re.compile(r"risk factors")),
    ("business", re.compile(r"(?:description of )?business\b")),
    ("notes", re.compile(r"notes to (?:the )?(?:condensed |consolidated |unaudited |interim )*financial statements")),
    ("exhibits", re.compile(r"(?:index to )?exhibits\b|exhibit index")),
    (None, re.compile(r"(?:quantitative and qualitative|financial statements|properties|legal proceedings|controls and|"
                      r"changes in and|unresolved|mine safety|market for|selected|directors|executive comp|security|"
                      r"certain relationships|principal account|unregistered|other information|defaults)")),
)  # fmt: skip
_RUNNING: tuple[tuple[PageKind, re.Pattern[str]], ...] = (
    ("notes", re.compile(r"notesto(?:the)?(?:condensed|consolidated|unaudited|interim)*financialstatements")),
    ("mda", re.compile(r"management'?sdiscussionandanalysis|managementsdiscussionandanalysis")),
)
_SEGMENTS = re.compile(
    r"(?:note\s*\d+\W*|\d+\W+)?(?:business |operating |reportable |industry )?segments?"
    r"(?: and geographic\w*| information| reporting| results| data| financial|\b.{0,30}$)"
    r"|.{0,40}\b(?:by|for each) (?:reportable |operating |business )?segments?"
)
_PAGE_NUMBER = re.compile(r"[^$%,)]\D[\s.](\d{1,3})$")
_EXHIBIT_LINE = re.compile(
    r"(?:exhibit\s*)?\(?\d{1,3}(?:\.\d+|\([a-z]\))?\)?\*?\s+.{0,80}"
    r"(?:agreement|certificat|indenture|by-?laws|incorporat|consent|subsidiaries|plan|amend|form of|xbrl)"
)
_EVENT = re.compile(r"item\s+[1-9]\.\d\d\b")
_MANY = 4


def _parts(features: Sequence[_Features]) -> list[PageKind | None]:
    """Tell for each page the part of the filing it stands in, from item headings and running headers."""
    part: PageKind | None = None
    found: list[PageKind | None] = []
    for page in features:
        items = [match for label in page.labels if (match := _ITEM.match(label))]
        if 0 < len({match.group(1) for match in items}) < _MANY:
            heading = items[0].group(2)
            named = [kind for kind, rule in _PARTS if rule.match(heading.strip())]
            part = named[0] if named else part
        running = [kind for kind, rule in _RUNNING if rule.search(page.head[:400])]
        here = running[0] if running and len(items) < _MANY else part
        if running and len(items) < _MANY:
            part = running[0]
        found.append(here)
    return found


def _page_numbers_rise(lines: Sequence[str]) -> bool:
    """Tell whether most lines end in a page number, each at least as large as the one before: a table of contents."""
    numbers = [int(match.group(1)) for line in lines if (match := _PAGE_NUMBER.search(line[-7:]))]
    if len(numbers) < 2 * _MANY or len(numbers) < 0.4 * len(lines):
        return False
    rising = sum(after >= before for before, after in pairwise(numbers))
    return rising >= 0.9 * (len(numbers) - 1) and numbers[-1] > numbers[0] + _MANY


def _other_scores(page: _Features, part: PageKind | None) -> dict[PageKind, float]:
    """Score the kinds that are not statements."""
    scores: dict[PageKind, float] = {}
    items = {match.group(1) for label in page.labels if (match := _ITEM.match(label))}
    exhibits = sum(_EXHIBIT_LINE.match(label) is not None for label in page.labels)
    listed = _page_numbers_rise(page.lines)
    if len(items) >= _MANY or listed:
        scores["contents"] = min(0.5 + len(items) / 16 + (0.2 if listed else 0.0), 1.0)
    if exhibits >= _MANY:
        scores["exhibits"] = min(exhibits / 8, 1.0)
    if any(_EVENT.match(label) for label in page.labels):
        scores["events"] = 1.0
    if "commissionfilenumber" in page.letters and "exactname" in page.letters:
        scores["cover"] = 1.0
    if "reportofindependentregistered" in page.head:
        scores["audit"] = 1.0
    if any(label.startswith(("signature", "pursuant to the requirements")) for label in page.labels):
        scores["signatures"] = 0.8
    if any(_SEGMENTS.match(label) for label in page.labels if len(label) < 90):
        mentions = sum("segment" in label for label in page.labels)
        scores["segments"] = min(0.3 + 0.05 * mentions + (0.2 if page.rows > page.prose else 0.0), 1.0)
    if part is not None and "contents" not in scores:
        scores[part] = max(scores.get(part, 0.0), 0.6)
    return scores
