"""Heads of columns that are printed in words over several lines above a table of plain text.

    2022 2021                                      a line of groups, here years
    Year over Year                                 heads, each over some lines
    Percentage Increase
    (Decrease)
    Percentage Increase (Decrease) Assuming No Changes in FX Rates
    ...

Text tells no columns, so that a reading is taken only where it is the only one: every line from the first row upwards
that holds nothing but words of heads is read, all of them make heads, and there are as many heads as columns. What can
be worked out has to agree: a rate of change with its two amounts, the parts of a change with their sum.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from tradingagents.retrieval.lines.heads.above_tables import first_figure, lines_above
from tradingagents.retrieval.lines.heads.quarter_heads import of_quarters
from tradingagents.retrieval.models import Column, FiledTable, Page, Row, SourceDocument
from tradingagents.retrieval.text_headers import header_marks

_MOST_LINES = 18
"""Lines over which the heads of a table may run."""
_MOST_UNDER = 3
"""Lines between the heads and the first row, such as the name of a group of rows."""
_MOST_ABOVE = 10
"""Lines above the heads in which the period of the whole table may stand."""
_YEARS = r"(?:fiscal(?: year)? |fy ?)?(?P<year>(?:19|20)\d\d)"
_PERIOD = (
    r"(?P<span>three|six|nine|twelve|3|6|9|12) months ended (?:[a-z]+\.? \d{1,2}, )?(?P<ended>(?:19|20)\d\d)"
    r"|years? ended (?:[a-z]+\.? \d{1,2}, )?(?P<yearly>(?:19|20)\d\d)"
)
_NAMES: tuple[tuple[str, str], ...] = (
    ("constant currency change percent", (r"percentage increase \(decrease\) assuming no changes in fx rates"
     r"|% change excluding (?:foreign )?currency changes"
     r"|(?:% )?constant[- ]currency (?:% )?(?:growth|change)(?: %)?|% change (?:in |at )?constant currency")),
    ("core constant currency change percent", r"core constant currency % change,?(?: non-gaap measure)?"),
    ("organic change percent", (r"organic % change,?(?: non-gaap measure)?"
     r"|organic (?:local-currency )?(?:net )?(?:sales|revenues?)(?: growth| change)?(?: \(non-gaap\)| %)?")),
    ("organic volume change percent", r"organic volume"),
    ("total change percent", (r"(?:gaap )?reported % change,?(?: gaap measure)?|total (?:net )?sales (?:growth|change)"
     r"|(?:net sales|revenues?) (?:growth|change)(?: \(gaap\)| %)?|year over year percentage increase \(decrease\)"
     r"|% change (?:as )?reported|reported")),
    ("currency effect percent", (r"(?:impact of )?foreign (?:currency )?exchange"
     r"(?: translation)?(?: rates?)?(?: impact)?"
     r"|(?:currency )?translation|currency(?: impact)?")),
    ("acquisitions and divestitures effect percent",
     r"acquisitions?(?: and|/| &) divestitures?(?: impact)?(?:/other)?"),
    ("acquisitions effect percent", r"acquisitions?"),
    ("divestitures effect percent", r"divestitures?"),
    ("volume effect percent", r"volume(?:/mix)?"),
    ("price effect percent", r"effective net pricing|(?:net )?pric(?:e|ing)(?: realization(?: and mix)?)?"),
    ("mix effect percent", r"mix"),
    ("operations change percent", r"operations|operational"),
    ("% change", r"(?:% |percent(?:age)? )?change|change %|%chg"),
    ("$ change", r"\$ change"),
    ("% of total", r"(?:% |percent )of (?:total|(?:net )?(?:sales|revenues?)|worldwide sales)"),
    ("EBIT margin percent", r"ebit ?/ ?sales %"),
    ("return on funds percent", r"ebit ?/ ?average funds employed %"),
    ("EBIT", r"ebit(?: \$ million)?"),
    ("operating margin percent", r"operating margin"),
    ("operating income", r"operating (?:income|profit)(?: ?/? ?\(loss\))?"),
    ("net sales", r"net sales(?: \$ million)?|sales to customers"),
    ("revenues", r"(?:net )?revenues?"),
    ("total", r"total"),
)  # fmt: skip
"""What heads say, by what they are brought to; of two that begin alike the longer is read."""
_GROUPS = tuple(f"n{at}" for at in range(len(_NAMES)))
_TOKEN = re.compile(
    rf"(?P<period>{_PERIOD})|(?P<years>{_YEARS}"
    r"(?: ?(?:vs\.?|versus|-) ?(?P<against>(?:fiscal )?(?:(?:19|20)\d\d|\d\d)))?)(?!\d)"
    r"|'?(?P<short>\b\d\d) ?(?:vs\.?|versus) ?'?\d\d(?!\d)(?: ?%? ?change)?"
    + "".join(f"|(?P<{group}>{pattern})(?![\\w-])" for group, (_, pattern) in zip(_GROUPS, _NAMES, strict=True))
)
_FILLER = re.compile(
    r"(?:impacts? of|percentage point impact|percent(?:age)? change(?= (?:19|20)\d\d)|(?:net )?revenues? year over year"
    r" % change|worldwide sales change|by (?:business |operating |reportable )?segments?|by geographic areas?"
    r"|business segments?|adjusted non-gaap results|years? ended (?:[a-z]+ \d{1,2},?)?(?= (?:19|20)\d\d| [$%])"
    r"|unaudited|in (?:millions|billions|thousands)|dollars in (?:millions|billions)|[\s,.:|-])+"
)
_WORDS_OF_HEADS = frozenset(
    re.findall(
        r"[a-z]+",
        " ".join(pattern for _, pattern in _NAMES)
        + " impact of percentage point worldwide sales by business segment segments geographic area areas adjusted"
        " non gaap results year years ended dollars in millions million billions thousands unaudited fiscal fy vs"
        " versus months three six nine twelve operating december june september march january july percent loss"
        " decrease measure local customers to revenue acquisition divestiture price change",
    )
)
_FEWEST_WORDS = 3
"""Words of a line above the heads from which on it is a title rather than a part of them."""
_UNITS = re.compile(r"\((?:u\.s\. )?(?:dollars |amounts |\$ )?(?:in )?(?:millions|billions|thousands)[^)]{0,60}\)")
_CAPTION = re.compile(rf"(?i){_UNITS.pattern}")
_NOTE = re.compile(r"\((?:\d|[a-z])\)|[*\u2020]")
_SPANS = re.compile(
    r"(?i)\b(?:(?:first|second|third|fourth) quarter|(?:three|six|nine|twelve) months|full year|year[- ]to[- ]date)\b"
)
_DATED = re.compile(r"(?i)\b(?:weeks|months|quarter|year)s? ended\b")
_MONTHS = {"three": 3, "six": 6, "nine": 9, "twelve": 12, "3": 3, "6": 6, "9": 9, "12": 12, "full": 12}
_PARTS = ("organic change percent", "operations change percent", "currency effect percent",
          "acquisitions effect percent",
          "divestitures effect percent", "acquisitions and divestitures effect percent")  # fmt: skip
"""Parts that a change of sales is made of; an organic change is itself one of volume, price and mix."""
_ROUNDED = 1.1
"""Percentage points by which parts of a change differ from their sum, or a change from its two amounts."""
_EXACT = 0.3
"""The same where the figures alone tell which of two columns is the newer."""


@dataclass(frozen=True, slots=True)
class _Head:
    """A head of a column, or of a group of columns."""

    name: str = ""
    """Of `_NAMES`; empty for a year or a period."""
    year: int = 0
    months: int = 0


def with_worded_heads(document: SourceDocument, table: FiledTable) -> FiledTable:
    """Return a table of plain text with the heads of its columns; as it is where they are told or cannot be read."""
    if quarterly := of_quarters(table, document):
        return quarterly
    if not is_untold(table):
        return table
    found = _read_in_words(document, table)
    return found if found is not None else _without_irregular_years(table)


def _without_irregular_years(table: FiledTable) -> FiledTable:
    """Return a table without the years of its columns where they stand in no order: then they are of other columns."""
    years = [column.header for column in table.columns]
    if not all(year.isdigit() for year in years) or len(set(years)) == len(years):
        return table
    run = years[: next((at for at in range(1, len(years)) if years[at] == years[0]), len(years))]
    again = (run * len(years))[: len(years)]
    in_order = run in (sorted(run), sorted(run, reverse=True))
    if (in_order and again == years) or sorted(years) == years or sorted(years, reverse=True) == years:
        return table
    return replace(table, columns=tuple(replace(column, header="", fiscal_year=None) for column in table.columns))


def _read_in_words(document: SourceDocument, table: FiledTable) -> FiledTable | None:
    """Return a table with the heads that the lines above it say; None where they cannot be read for certain."""
    page = next((page for page in document.pages if page.number == table.page), None)
    begin = first_figure(table)
    if page is None or begin is None or begin > len(page.text):
        return None
    lines = lines_above(page, begin)
    for under in range(_MOST_UNDER + 1):
        above = lines[: len(lines) - under]
        run = _run(above)
        if not run:
            continue
        above = above[: len(above) - len(run)]
        heads = list(_heads(" ".join(run)))
        named = run[-1].rstrip().endswith(":") or not any(map(str.isdigit, "".join(run)))
        if not heads and named:  # the name of a group of rows in words of heads
            continue
        columns = _columns(heads, len(table.columns), above, page, document) if heads and not _goes_on(above) else None
        if columns is None:
            return None
        found = replace(table, columns=columns, rows=without_heads(table.rows, run), title=_title(above, run))
        if _agrees(found):
            return found
        turned = replace(found, columns=_turned(columns))
        return turned if turned.columns != columns and _changes_agree(turned, _EXACT) else _without_twins(table)
    return None


def _turned(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return columns with the years of each two before a rate of change in the other order.

    Text of a PDF may have columns in another order than their heads: the rates tell which of two is the newer. Of the
    other columns nothing tells the order, so that they are of no period.
    """
    found = [column if column.header.isdigit() or _is_change(column) else Column("") for column in columns]
    for at in range(2, len(columns)):
        first, second = columns[at - 2 : at]
        if first.header.isdigit() and second.header.isdigit() and not columns[at].header.isdigit():
            found[at - 2], found[at - 1] = second, first
    return tuple(found)


def _without_twins(table: FiledTable) -> FiledTable:
    """Return a table whose figures contradict the heads above them without years that several of its columns have."""
    dated = [column for column in table.columns if column.fiscal_year]
    return table if len(set(dated)) == len(dated) else replace(table, columns=tuple(Column("") for _ in table.columns))


def is_untold(table: FiledTable) -> bool:
    """Whether the columns of a table are not told apart, and none of its figures is tagged."""
    if len(table.columns) < 2 or any(
        cell is not None and cell.fact is not None for row in table.rows for cell in row.cells
    ):
        return False
    heads = [column.header.strip() for column in table.columns]
    return not all(heads) or len(set(heads)) < len(heads)


def _goes_on(above: Sequence[str]) -> bool:
    """Whether the line above the heads may be one of them in words that are not known."""
    last = above[-1].strip() if above else ""
    return 0 < len(last.split()) < _FEWEST_WORDS and not re.search(r"\d|:$", last) and last.upper() != last


def _plain(text: str) -> str:
    plain = _NOTE.sub(" ", _UNITS.sub(" ", text.lower().replace("\u2019", "'")))
    plain = re.sub(r"(\d{1,2})/(\d{1,2})/((?:19|20)\d\d)", r"\3", plain)
    plain = re.sub(r"- (?=[a-z])", "-", plain)
    return f"{' '.join(plain.split())} "


def _run(lines: Sequence[str]) -> list[str]:
    """Return the lines from the last one upwards that hold nothing but words of heads."""
    found: list[str] = []
    for line in reversed(lines[-_MOST_LINES:]):
        plain = _plain(line).strip()
        words = re.findall(r"[a-z]+", plain)
        if not plain or any(word not in _WORDS_OF_HEADS for word in words) or re.search(r"\d,\d{3}|\d\.\d", plain):
            break
        found.insert(0, line)
    return found


def _heads(text: str) -> Iterator[_Head]:
    """Yield the heads of a text in order; nothing where a part of it is no head."""
    plain, at, found = _plain(text), 0, []
    while at < len(plain):
        if skipped := _FILLER.match(plain, at):
            at = skipped.end()
            continue
        token = _longest(plain, at)
        if token is None:
            return
        found.append(_head(token))
        at = token.end()
    yield from found


def _longest(plain: str, at: int) -> re.Match[str] | None:
    """Return the longest head that begins at a place; None where none does."""
    whole = _TOKEN.match(plain, at)
    each = [re.compile(rf"(?P<{group}>{pattern})(?![\w-])").match(plain, at)
            for group, (_, pattern) in zip(_GROUPS, _NAMES, strict=True)]  # fmt: skip
    found = [match for match in (whole, *each) if match is not None]
    return max(found, key=lambda match: match.end(), default=None)


def _head(token: re.Match[str]) -> _Head:
    groups = token.groupdict()
    if groups.get("period"):
        year = int(groups["ended"] or groups["yearly"])
        return _Head(year=year, months=_MONTHS.get(groups["span"] or "12", 12))
    if groups.get("against") or groups.get("short"):  # 2022 vs. 2021
        return _Head("% change", year=int(groups["year"] or 2000 + int(groups["short"])))
    if groups.get("years"):
        return _Head(year=int(groups["year"]))
    at = next(number for number, group in enumerate(_GROUPS) if groups.get(group))
    name, said = _NAMES[at][0], re.search(r"\b(?:net )?(?:sales|revenues?)\b", token.group())
    return _Head(name.replace(" change percent", f" {said.group()} change percent") if said else name)


def _columns(
    heads: Sequence[_Head], count: int, above: Sequence[str], page: Page, document: SourceDocument
) -> tuple[Column, ...] | None:
    """Return the columns that heads name; None where they name others, or more or fewer."""
    heads = _with_changes_together(heads)
    if len(heads) == count and any(head.name for head in heads):
        if all(not head.year for head in heads):
            whole = _period_above(above, document)
            return None if whole is None else tuple(_column(head, whole) for head in heads)
        return _in_line(heads, above, page)
    groups, names = heads[: len(heads) - count], heads[len(heads) - count :]
    if len(groups) > 1 and all(head.name and not head.year for head in groups) and all(not head.name for head in names):
        return _years_under_names(groups, names)
    if (
        len(heads) < count
        or any(head.year for head in names)
        or not all(head.year or "change" in head.name for head in groups)
    ):
        return None
    sizes = _sizes(names)
    if len(groups) == 1:
        sizes = [count]
    if len(sizes) != len(groups):
        return None
    of = [group for group, size in zip(groups, sizes, strict=True) for _ in range(size)]
    newest = max((group.year for group in groups), default=0)
    return tuple(_column(name, group, newest) for name, group in zip(names, of, strict=True))


def _years_under_names(groups: Sequence[_Head], years: Sequence[_Head]) -> tuple[Column, ...] | None:
    """Return columns of the same years under each of some names, as `Net Sales Profit` over `2022 2021 2022 2021`."""
    size = len(years) // len(groups)
    if size * len(groups) != len(years) or list(years[:size]) * len(groups) != list(years):
        return None
    return tuple(_column(groups[at // size], year) for at, year in enumerate(years))


def _with_changes_together(heads: Sequence[_Head]) -> list[_Head]:
    """Return heads in which `$ change % change` above `22 vs. 21 22 vs. 21` are two heads rather than four."""
    bare = [head for head in heads if "change" in head.name and not head.year]
    dated = [head for head in heads if head.name and head.year]
    if not dated or (bare and len(bare) != len(dated)):
        return list(heads)
    names = iter(bare)
    return [
        replace(head, name=next(names, head).name) if head.name and head.year else head
        for head in heads
        if head.year or head not in bare
    ]


def _sizes(names: Sequence[_Head]) -> list[int]:
    """Return the lengths of groups of heads: the first name of all begins each of them."""
    starts = [at for at, head in enumerate(names) if head.name == names[0].name]
    return [end - start for start, end in zip(starts, [*starts[1:], len(names)], strict=True)]


def _in_line(heads: Sequence[_Head], above: Sequence[str], page: Page) -> tuple[Column, ...] | None:
    """Return columns of years with rates of change beside them, each of the newer of the two years before it."""
    years = [head.year for head in heads if head.year and not head.name]
    spans: list[int] = [_months_above(above)] * len(heads)
    if len(set(years)) < len(years):
        halves = _halves(heads, page)
        if halves is None:
            return None
        spans = halves
    columns: list[Column] = []
    seen: list[int] = []
    first = heads[0].months  # `three months ended March 31, 2021 2020`
    heads = [replace(head, months=head.months or first) if head.year else head for head in heads]
    for at, head in enumerate(heads):
        if at and spans[at] != spans[at - 1]:
            seen = []
        if head.name and head.year:
            columns.append(_column(head, replace(head, name="", months=spans[at])))
            continue
        if head.year:
            seen.append(head.year)
            columns.append(Column(str(head.year), fiscal_year=head.year, months=head.months or spans[at] or None))
            continue
        if len(seen) < 2 or abs(seen[-1] - seen[-2]) != 1:
            return None
        columns.append(_column(head, _Head(year=max(seen[-2:]), months=spans[at])))
    return tuple(columns)


def _halves(heads: Sequence[_Head], page: Page) -> list[int] | None:
    """Return the months of each column where the same heads stand twice, for a quarter and for the year so far."""
    half = len(heads) // 2
    if list(heads[:half]) != list(heads[half:]):
        return None
    for line in page.text.splitlines():
        spans = [found.group() for found in _SPANS.finditer(line)]
        if len(spans) == 2 and not re.search(r"\d", line):
            months = list(map(_months_of, spans))
            return [months[0]] * half + [months[1]] * half if all(months) and months[0] != months[1] else None
    return None


def _months_above(above: Sequence[str]) -> int:
    """Return the months of a period that a line of its own states just above the heads, as `FIRST QUARTER`; else 0."""
    for line in reversed(above[-_FEWEST_WORDS:]):
        if span := _SPANS.fullmatch(line.strip()):
            return _months_of(span.group())
    return 0


def _months_of(span: str) -> int:
    return 3 if "quarter" in span.lower() else _MONTHS.get(span.lower().split()[0], 0)


def _period_above(above: Sequence[str], document: SourceDocument) -> _Head | None:
    """Return the period that the nearest line above the heads states for the whole table; None where none does."""
    for line in reversed(above[-_MOST_ABOVE:]):
        marks = header_marks(line.strip())
        years = {int(mark.text) for mark in marks if mark.kind == "year"}
        if _DATED.search(line):
            years |= {int(year) for year in re.findall(r"\b(?:19|20)\d\d\b", line)}
        if len(years) > 1:
            return None
        if years:
            return _Head(year=_fiscal(years.pop(), document))
    return None


def _fiscal(year: int, document: SourceDocument) -> int:
    own = document.info.fiscal_year
    return year if own is None or own - year not in (0, 1) or document.info.fiscal_quarter is None else own


def _column(head: _Head, of: _Head, newest: int = 0) -> Column:
    if not of.year:  # under a head such as `% change`
        name = f"{head.name.removesuffix(' percent')} {of.name}"
        return Column(f"{name} {newest}", fiscal_year=newest or None, months=head.months or None)
    return Column(f"{head.name} {of.year}", fiscal_year=of.year, months=of.months or None)


def without_heads(rows: Sequence[Row], run: Sequence[str]) -> tuple[Row, ...]:
    """Return rows without headings that are lines of the heads."""
    lines = " ".join(" ".join(run).split())
    return tuple(
        replace(row, headings=tuple(heading for heading in row.headings if " ".join(heading.split()) not in lines))
        for row in rows
    )


def _title(above: Sequence[str], run: Sequence[str]) -> str:
    """Return the text above the heads, and what a line among them says of all, such as `Worldwide Sales Change`."""
    lines = [_CAPTION.sub(" ", line).strip() for line in above[-_MOST_ABOVE:]]
    said = [line for line in lines if line and len(re.findall(r"\d[\d.,]*", line)) < 2]
    of_all = [line.strip() for line in run if _FILLER.fullmatch(_plain(line)) and re.search(r"(?i)sales|revenue", line)]
    return " ".join((*said[-2:], *of_all))[-300:]


def _agrees(table: FiledTable) -> bool:
    """Whether what the heads say agrees with the figures, where it can be worked out."""
    return _changes_agree(table) and _parts_agree(table)


def _is_change(column: Column) -> bool:
    return column.header.startswith(("% change", "total"))


def _changes_agree(table: FiledTable, rounded: float = _ROUNDED) -> bool:
    dated = [(column.fiscal_year, at) for at, column in enumerate(table.columns) if column.header.isdigit()]
    for at, column in enumerate(table.columns):
        year = column.fiscal_year or 0
        years = dict(dated) | dict(pair for pair in dated if pair[1] < at)  # those before it, where there are some
        if not _is_change(column) or not {year, year - 1} <= set(years):
            continue
        found = [(values[years[year]], values[years[year - 1]], values[at]) for values in _values(table)]
        known = [
            (new, old, rate) for new, old, rate in found if new is not None and old and rate is not None and old > 0
        ]
        right = [abs(100 * (new / old - 1) - rate) <= max(rounded, abs(rate) / 20) for new, old, rate in known]
        if known and sum(right) * 4 < len(right) * 3:
            return False
    return True


def _parts_agree(table: FiledTable) -> bool:
    """Whether the parts of each change add up, in one of the two directions in which filings state effects."""
    names = [
        re.sub(r" (?:(?:net )?(?:sales|revenues?)(?= change))| (?:19|20)\d\d$", "", column.header)
        for column in table.columns
    ]
    size = names.index(names[0], 1) if names[0] in names[1:] else len(names)
    if size * (len(names) // size) != len(names) or names != names[:size] * (len(names) // size):
        return True
    return all(_adds_up(names[:size], table, begin) for begin in range(0, len(names), size))


def _adds_up(names: Sequence[str], table: FiledTable, begin: int) -> bool:
    if len(set(names)) < len(names) or "total change percent" not in names or not set(names) & set(_PARTS[:2]):
        return True
    total = begin + names.index("total change percent")
    own = begin + next(at for at, name in enumerate(names) if name in _PARTS[:2])
    effects = [at for at, name in enumerate(names, begin) if name in _PARTS and at != own]
    known = [values for values in _values(table) if all(values[at] is not None for at in (total, own, *effects))]
    for sign in (1, -1):
        right = [
            abs((values[total] or 0) - (values[own] or 0) - sign * math.fsum(values[at] or 0 for at in effects))
            <= _ROUNDED
            for values in known
        ]
        if sum(right) * 4 >= len(right) * 3:
            return True
    return False


def _values(table: FiledTable) -> Iterator[list[float | None]]:
    """Yield the printed numbers of each row; a dash is nothing, and nothing is None."""
    for row in table.rows:
        yield [None if cell is None else _printed(cell.text) for cell in row.cells]


def _printed(text: str) -> float | None:
    found = re.search(r"\d[\d,]*(?:\.\d+)?", text)
    if found is None:
        return 0.0 if re.search(r"[\u2013\u2014-]", text) else None
    value = float(found.group().replace(",", ""))
    return -value if re.search(r"\(|[\u2212-]", text[: found.start()]) else value
