"""What a document says of itself: company, ticker, form, period; and what the caller knows of it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime

from tradingagents.errors import UsageError
from tradingagents.retrieval.models import DocumentInfo, DocumentKind
from tradingagents.retrieval.reading.tables.periods import find_date


@dataclass(frozen=True, slots=True)
class Cover:
    """What a document says of itself; empty where it does not."""

    kind: DocumentKind | None = None
    company: str = ""
    symbol: str = ""
    form: str = ""
    fiscal_year: int | None = None
    fiscal_quarter: int | None = None
    period_end: date | None = None
    year_end: tuple[int, int] | None = None
    """Month and day on which fiscal years end."""


@dataclass(frozen=True, slots=True)
class Hints(Cover):
    """What the caller knows of a document. A hint stands above what the document says."""

    url: str = ""
    accession: str = ""


NO_HINTS = Hints()


def make_info(content: bytes, cover: Cover, *, known_at: datetime, name: str, hints: Hints) -> DocumentInfo:
    """Return what is known of a document, by hint or from itself."""
    if known_at.tzinfo is None:
        raise UsageError("The instant at which a document became known needs a time zone; give it in UTC.")
    company = hints.company or cover.company
    symbol = (hints.symbol or cover.symbol).upper()
    form = hints.form or cover.form
    year = hints.fiscal_year or cover.fiscal_year
    quarter = hints.fiscal_quarter or cover.fiscal_quarter
    period_end = hints.period_end or cover.period_end
    told = hints.fiscal_year if cover.fiscal_year is None and quarter is None else None
    if hints.period_end is None and period_end is not None and told and period_end.year < told:
        period_end = None  # the day of a column that shows an earlier year: no fiscal year ends before it begins
    return DocumentInfo(
        key=hashlib.sha256(content).hexdigest(),
        name=name or short_name(symbol or company, form, year, quarter, period_end),
        kind=hints.kind or cover.kind or "filing",
        company=company,
        symbol=symbol,
        form=form,
        known_at=known_at.astimezone(UTC),
        fiscal_year=year,
        fiscal_quarter=quarter,
        period_end=period_end,
        url=hints.url,
        accession=hints.accession,
    )


def short_name(who: str, form: str, year: int | None, quarter: int | None, period_end: date | None) -> str:
    """Return a name for lists and citations, such as `AAPL 10-K 2024` or `NVDA call Q2 2025`."""
    when = "" if year is None else f"Q{quarter} {year}" if quarter else str(year)
    if not when and period_end is not None:
        when = period_end.isoformat()
    return " ".join(part for part in (who or "unknown company", form or "document", when) if part)


def cover_of_tags(texts: Mapping[str, str]) -> Cover:
    """Read the tagged cover page of a filing."""
    period = texts.get("dei:DocumentFiscalPeriodFocus", "")
    year = texts.get("dei:DocumentFiscalYearFocus", "")
    end = texts.get("dei:DocumentPeriodEndDate", "")
    return Cover(
        company=texts.get("dei:EntityRegistrantName", ""),
        symbol=texts.get("dei:TradingSymbol", "").upper(),
        form=texts.get("dei:DocumentType", ""),
        fiscal_year=int(year) if re.fullmatch(r"(?:19|20)\d\d", year) else None,
        fiscal_quarter=int(period[1]) if re.fullmatch(r"Q[1-4]", period) else None,
        period_end=_tagged_date(end, year),
        year_end=_year_end(texts.get("dei:CurrentFiscalYearEndDate", "")),
    )


def _tagged_date(text: str, year: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return find_date(text) or (find_date(f"{text}, {year}") if year.isdigit() else None)


def _year_end(text: str) -> tuple[int, int] | None:
    found = re.fullmatch(r"-{0,2}(\d\d)-(\d\d)", text)
    if found is not None and 1 <= int(found[1]) <= 12 and 1 <= int(found[2]) <= 31:
        return int(found[1]), int(found[2])
    day = find_date(f"{text}, 2000")
    return None if day is None else (day.month, day.day)


_FORM = re.compile(
    r"^[^\S\n]*+form\s++(?P<form>10-?K|10-?Q|8-?K|20-?F|40-?F|6-?K|DEF\s?14A)(?P<amended>\s?/\s?A)?\b",
    re.IGNORECASE | re.MULTILINE,
)
_PERIOD = re.compile(
    r"(?:fiscal year|quarterly period|quarter|year|period)\s+ended:?\s+(?P<date>[A-Z][a-z]+\s+\d{1,2},?\s+\d{4})",
    re.IGNORECASE,
)
_COMPANY = re.compile(r"^(?P<name>.{2,100})\n+\(exact name of (?:the )?registrant", re.IGNORECASE | re.MULTILINE)
_AFTER_FILE_NUMBER = re.compile(
    r"^commission file (?:number|no\.?):?\s*[\d-]+\s*\n+(?P<name>[A-Z][^\n]{1,99})$", re.IGNORECASE | re.MULTILINE
)
"""The company on a cover that doesn't say which line is its name."""
_DATELINE = re.compile(
    r"(?:[\u2014\u2013\u2015]|--|\n)\s{0,80}+(?P<name>[A-Z][\w&.,'\u2019 ]{1,60}?),?\s{0,20}"
    r"\(\s{0,20}(?:nasdaq|nyse|new york stock exchange)[^():]{0,25}:\s*(?P<symbol>[A-Z]{1,5}(?:[.-][A-Z])?)\s*\)",
    re.IGNORECASE,
)
"""Who reports, in a release: `-- Example Corp. (NASDAQ: EXM) today reported`."""
_REPORTED_QUARTER = re.compile(
    r"\b(?P<quarter>first|second|third|fourth)[\s-]+quarter\s+(?:and\s+(?:full|fiscal)[\s-]year\s+)?"
    r"(?:(?:of\s+)?fiscal\s+(?:year\s+)?)?(?P<year>20\d\d)\b",
    re.IGNORECASE,
)
_QUARTERS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_HEADLINE = 600
"""Characters of a release that hold its headline."""
_TICKER = re.compile(r"\b(?P<symbol>[A-Z]{1,5}(?:[.-][A-Z])?)\s+(?:The\s+)?(?:Nasdaq|New York Stock Exchange|NYSE)\b")
_REPORTED = re.compile(
    r"(?P<date>[A-Z][a-z]{1,15}\s{1,20}\d{1,2},?\s+\d{4})\s{0,60}+\(?date of (?:report|earliest)"
    r"|date of report[^\n]{0,60}:\s*(?P<after>[A-Z][a-z]+\s+\d{1,2},?\s+\d{4})",
    re.IGNORECASE,
)


def cover_of_text(text: str) -> Cover:
    """Read the cover page of a filing from its first pages."""
    form = _FORM.search(text)
    name = "" if form is None else _form_name(form)
    period = _PERIOD.search(text)
    if period is None and name.startswith("8-K"):
        reported = _REPORTED.search(text)
        end = None if reported is None else find_date(reported["date"] or reported["after"])
    else:
        end = None if period is None else find_date(period["date"])
    company = _COMPANY.search(text) or _AFTER_FILE_NUMBER.search(text)
    ticker = _TICKER.search(text)
    release = _DATELINE.search(text) if form is None else None
    reported = _REPORTED_QUARTER.search(text[:_HEADLINE]) if release is not None else None
    company, ticker = company or release, ticker or release
    return Cover(
        company="" if company is None else company["name"].strip(),
        symbol="" if ticker is None else ticker["symbol"].replace(".", "-"),
        form=name,
        fiscal_year=int(reported["year"]) if reported else end.year if end and name.startswith("10-K") else None,
        fiscal_quarter=_QUARTERS[reported["quarter"].lower()] if reported else None,
        period_end=end,
    )


def _form_name(found: re.Match[str]) -> str:
    plain = re.sub(r"[\s-]", "", found["form"]).upper()
    name = {"10K": "10-K", "10Q": "10-Q", "8K": "8-K", "20F": "20-F", "40F": "40-F", "6K": "6-K", "DEF14A": "DEF 14A"}
    return name[plain] + ("/A" if found["amended"] else "")


def merge(tagged: Cover, printed: Cover) -> Cover:
    """Take what is tagged, and what is printed where nothing is tagged."""
    return Cover(
        company=tagged.company or printed.company,
        symbol=tagged.symbol or printed.symbol,
        form=tagged.form or printed.form,
        fiscal_year=tagged.fiscal_year or printed.fiscal_year,
        fiscal_quarter=tagged.fiscal_quarter or printed.fiscal_quarter,
        period_end=tagged.period_end or printed.period_end,
        year_end=tagged.year_end,
    )
