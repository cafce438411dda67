"""Questions of what stands in a filing: its items, and the text of one."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from tradingagents.capabilities.capability import capability
from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Filing, FilingDocument
from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.reference.symbols import normalise
from tradingagents.dataflows.results import Result
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import NoData
from tradingagents.files.plain_text import clean, one_line
from tradingagents.retrieval.models import ItemSection, SourceDocument
from tradingagents.retrieval.reading import read_document
from tradingagents.retrieval.reading.info import Hints
from tradingagents.retrieval.reading.items import section_text

REPORTS_BEFORE = timedelta(days=550)
"""How far back the latest filing of a form is looked for: a company files a 10-K every year, some late."""
LEAST_TEXT, USUAL_TEXT, MOST_TEXT = 200, 6_000, 30_000
_FENCE = "~~~~"


class FiledItem(BaseModel):
    """An item of a filing."""

    model_config = ConfigDict(frozen=True)

    item: str
    """As numbered, such as 1A; II-1A for Part II Item 1A of a 10-Q."""
    title: str
    first_page: int
    """Counted from 1."""
    last_page: int
    characters: int
    doubt: str
    """Why its place is doubtful; empty where it is sure."""


class FilingResult(Result):
    """A filing as filed: what it is and where it comes from."""

    form: str
    accession: str
    company: str
    fiscal_year: int | None
    fiscal_quarter: int | None
    url: str

    @property
    def _about(self) -> str:
        return f"{self.form} of {self.symbol} for the period to {self.end or 'an unknown day'}"


class FiledReport(FilingResult):
    """The items of a filing with their pages and lengths."""

    pages: int
    characters: int
    tables: int
    items: tuple[FiledItem, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return f"Filing: {self._about}"

    def figures(self) -> tuple[Figure, ...]:
        """Return its size."""
        return (
            Figure("pages", self.pages, "pages"),
            Figure("characters", self.characters, "characters"),
            Figure("tables", self.tables, "tables"),
        )

    def body(self) -> str:
        """Return the items as a table."""
        lines = [f"{self.company or self.symbol}, accession {self.accession}, {self.url}", ""]
        if not self.items:
            return "\n".join([*lines, "No items are told apart in this filing."])
        lines += ["| Item | Title | Pages | Characters | Doubt |", "| --- | --- | --- | --- | --- |"]
        for item in self.items:
            pages = f"{item.first_page}-{item.last_page}"
            lines.append(f"| {item.item} | {item.title} | {pages} | {item.characters} | {item.doubt or '-'} |")
        return "\n".join(lines)


class FiledItemText(FilingResult):
    """The text of one item of a filing, or a part of it."""

    item: str
    section_title: str
    first_page: int
    """Page on which the item begins, counted from 1."""
    offset: int
    """Character of the item at which `text` begins."""
    characters: int
    """Length of the whole item."""
    next_offset: int | None
    """Where the next part begins; None at the end."""
    text: str
    """As filed."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Item {self.item}: {self._about}"

    def figures(self) -> tuple[Figure, ...]:
        """Return nothing: the figures are those of the text."""
        return ()

    def body(self) -> str:
        """Return the text between marks: it is quoted material, whatever it says."""
        shown = f"characters {self.offset} to {self.offset + len(self.text)} of {self.characters}"
        more = f"; for the next part ask with offset={self.next_offset}" if self.next_offset is not None else ""
        source = f"{self.section_title}; accession {self.accession}, page {self.first_page}, {shown}{more}. {self.url}"
        return f"{source}\n\n{_FENCE}text\n{self.text.replace(_FENCE, '~ ~ ~ ~').strip()}\n{_FENCE}"


@capability(title="Filed document", returns=FiledReport, requires={"get_filings", "get_filing_document"})
def sec_filing_document(data: MarketData, ticker: str, form: str = "10-K", accession: str = "") -> FiledReport:
    """List the items of a filing as filed: title, pages, length, and what is doubtful about their place.

    Args:
        ticker: Ticker, for example AAPL.
        form: Form whose latest filing is meant, for example 10-K, 10-Q or 8-K.
        accession: Accession number of a certain filing, as get_filings lists it; empty for the latest of the form.
    """
    filed, document = read_filing(data, ticker, form, accession)
    return FiledReport(
        **_common(data, filed, document),
        pages=len(document.pages),
        characters=sum(len(page.text) for page in document.pages),
        tables=len(document.tables),
        items=tuple(_item(section, document) for section in document.sections),
    )


@capability(
    title="Section of a filing",
    returns=FiledItemText,
    requires={"get_filings", "get_filing_document"},
    example={"item": "7"},
)
def sec_filing_section(
    data: MarketData,
    ticker: str,
    item: str,
    form: str = "10-K",
    accession: str = "",
    offset: Annotated[int, Field(ge=0)] = 0,
    limit: Annotated[int, Field(ge=LEAST_TEXT, le=MOST_TEXT)] = USUAL_TEXT,
) -> FiledItemText:
    """Read the text of one item of a filing as filed, such as the risk factors (1A) or management's discussion (7).

    Args:
        ticker: Ticker, for example AAPL.
        item: Item, for example 1A, 7 or 8 of a 10-K, I-2 or II-1A of a 10-Q, 2.02 of an 8-K.
        form: Form whose latest filing is meant, for example 10-K, 10-Q or 8-K.
        accession: Accession number of a certain filing, as get_filings lists it; empty for the latest of the form.
        offset: Character of the item at which to begin; 0 for its start.
        limit: Most characters to return.
    """
    filed, document = read_filing(data, ticker, form, accession)
    section = _section(document, item)
    whole = clean(section_text(section, document.pages)).strip()
    if offset and offset >= len(whole):
        raise NoData(f"Item {section.item} has {len(whole)} characters; ask with a smaller offset.")
    end = _end(whole, offset, limit)
    doubts = (f"The place of this item is doubtful: {section.doubt}.",) if section.doubt else ()
    common = _common(data, filed, document)
    return FiledItemText(
        **common | {"notes": doubts},
        item=section.item,
        section_title=one_line(section.title),
        first_page=section.first_page + 1,
        offset=offset,
        characters=len(whole),
        next_offset=end if end < len(whole) else None,
        text=whole[offset:end],
    )


def read_filing(data: MarketData, ticker: str, form: str, accession: str) -> tuple[FilingDocument, SourceDocument]:
    """Return a filing accepted by the day, and what it says."""
    symbol = normalise(ticker)
    number = one_line(accession) or _latest(data, symbol, form).accession
    found = data.rows(Vendor.get_filing_document, symbol, number)
    if not found:
        raise NoData(
            f"No filing {number[:40]} of {symbol} had been accepted by {data.as_of}; get_filings lists those that had."
        )
    filed = found[0]
    key = ("read_document", filed.accession, hash(filed.content))
    document: SourceDocument | None = data.memo.get(key) if data.memo is not None else None
    if document is None:
        document = read_document(
            filed.content,
            known_at=filed.known_at,
            hints=Hints(
                symbol=symbol,
                form=filed.form,
                period_end=filed.period_end,
                url=filed.url,
                accession=filed.accession,
            ),
        )
        if data.memo is not None:
            data.memo.put(key, document)
    return filed, document


def _latest(data: MarketData, symbol: str, form: str) -> Filing:
    """Return the newest filing of a form; amendments, which often hold one part only, are asked by their number."""
    wanted = one_line(form).upper()
    for filing in data.filings(symbol, data.as_of - REPORTS_BEFORE, data.as_of):
        if filing.form.upper() == wanted:
            return filing
    raise NoData(
        f"No {wanted[:20]} of {symbol} had been accepted from {data.as_of - REPORTS_BEFORE} to {data.as_of}; "
        f"get_filings lists the forms that had."
    )


def _common(data: MarketData, filed: FilingDocument, document: SourceDocument) -> dict[str, object]:
    info = document.info
    return {
        "symbol": filed.symbol,
        "as_of": data.as_of,
        "source": data.vendor_of(Vendor.get_filing_document),
        "known_at": filed.known_at,
        "fetched_at": data.asked_at,
        "end": filed.period_end or info.period_end,
        "rows": 1,
        "notes": document.warnings,
        "form": one_line(filed.form),
        "accession": one_line(filed.accession),
        "company": one_line(info.company),
        "fiscal_year": info.fiscal_year,
        "fiscal_quarter": info.fiscal_quarter,
        "url": one_line(filed.url),
    }


def _item(section: ItemSection, document: SourceDocument) -> FiledItem:
    return FiledItem(
        item=section.item,
        title=one_line(section.title).replace("|", "/"),
        first_page=section.first_page + 1,
        last_page=section.last_page + 1,
        characters=len(section_text(section, document.pages)),
        doubt=section.doubt,
    )


def _section(document: SourceDocument, item: str) -> ItemSection:
    """Return the section of an item, however it is written: 7, Item 7, item 1a, Part II Item 1A."""
    wanted = one_line(item).upper().removeprefix("PART ").replace("ITEM", "").replace(",", " ").split()
    name = "-".join(wanted).rstrip(".:")
    found = [section for section in document.sections if section.item in (name, f"I-{name}")]
    if not found:
        there = ", ".join(section.item for section in document.sections) or "none"
        raise NoData(f"{document.info.name} has no Item {name[:20]}; its items are: {there}.")
    return found[0]


def _end(text: str, offset: int, limit: int) -> int:
    """Return where a part of a text ends: at the end of a line or sentence in its last fifth, if there is one."""
    end = offset + limit
    if end >= len(text):
        return len(text)
    for mark in ("\n", ". "):
        cut = text.rfind(mark, offset + limit * 4 // 5, end)
        if cut > 0:
            return cut + 1
    return end
