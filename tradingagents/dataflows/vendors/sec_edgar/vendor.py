"""`SecEdgarVendor`: profiles, statements, filings and insider trades from the SEC's EDGAR."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, ClassVar

from tradingagents.dataflows.cutoff import utc_now
from tradingagents.dataflows.gateway.http import nothing, unreadable
from tradingagents.dataflows.gateway.vendor_config import Access
from tradingagents.dataflows.models import (
    Filing,
    FilingDocument,
    Frequency,
    HoldingsReport,
    InsiderTransaction,
    Profile,
    ReportedFact,
    Statement,
    StatementKind,
)
from tradingagents.dataflows.reference.calendar import exchange_of
from tradingagents.dataflows.reference.investors import find_investor, known_investors, name_words, number_of
from tradingagents.dataflows.responses.lost_rows import contradicted
from tradingagents.dataflows.vendor import Vendor
from tradingagents.dataflows.vendors.sec_edgar.client import Edgar
from tradingagents.dataflows.vendors.sec_edgar.documents import why_not_of_filing
from tradingagents.dataflows.vendors.sec_edgar.facts import Facts, read_facts
from tradingagents.dataflows.vendors.sec_edgar.holdings import FORMS, is_plain_text, read_holdings
from tradingagents.dataflows.vendors.sec_edgar.industries import is_fund, sector_of
from tradingagents.dataflows.vendors.sec_edgar.ownership import read_ownership
from tradingagents.dataflows.vendors.sec_edgar.statements import reported_facts, statements_of
from tradingagents.dataflows.vendors.sec_edgar.submissions import (
    ACCESSION,
    Entry,
    Submissions,
    content_type_of,
    may_have_exhibits,
    read_entries,
    read_exhibits,
    read_submissions,
    sizes_of,
)
from tradingagents.errors import NoData

INSIDER_WINDOW = timedelta(days=730)
MAX_FORMS = 200
"""Forms 4 read per call, the newest: each is a request. Large companies file about 60 to 150 a year."""
_INSIDER_FORMS = frozenset({"4", "4/A"})


class SecEdgarVendor(Vendor):
    """Filings of US-listed companies, with the instant of acceptance. History is complete: nothing is live only."""

    name: ClassVar[str] = "sec_edgar"
    statements_together: ClassVar[bool] = True
    unconfirmed: ClassVar[Mapping[str, str]] = {"get_filings": "number and times of these filings"}

    insiders_reach: ClassVar[timedelta | None] = timedelta(days=730)

    def __init__(self, access: Access, *, now: Callable[[], datetime] = utc_now) -> None:
        """Set up; sends nothing yet.

        Args:
            now: The clock: insider trades are those of the two years before it.

        Raises:
            VendorNotConfigured: `EDGAR_IDENTITY` isn't set, or contains no e-mail address.
        """
        self._edgar = Edgar(access, now)
        self._now = now

    def get_profile(self, symbol: str) -> Profile:
        """Return a ticker's profile; the sector is the nearest to its SIC code.

        Raises:
            NoData: No company files under it.
        """
        found = self._submissions(symbol, self._edgar.cik_of(symbol))
        return Profile(
            symbol=symbol,
            name=found.name,
            kind="etf" if is_fund(found.sic) else "stock",
            sector=None if is_fund(found.sic) else sector_of(found.sic),
            industry=found.industry,
            exchange=exchange_of(symbol),
            currency="USD",
        )

    def get_statements(self, symbol: str, kind: StatementKind, freq: Frequency) -> tuple[Statement, ...]:
        """Return every version filed of the statements of one kind and frequency, newest period first.

        Raises:
            NoData: The company tagged none: funds, companies before 2009, quarters of foreign companies.
        """
        about = f"{freq} {kind} statements of {symbol}"
        cik = self._edgar.cik_of(symbol)
        filed = self._submissions(symbol, cik)
        facts = self._edgar.facts(cik, lambda page: self._facts(page, about), about=about)
        accepted = {entry.accession: entry.known_at for entry in filed.entries}
        found = statements_of(symbol, facts, accepted, kind, freq, year_end=filed.year_end)
        if not found:
            raise nothing(self.name, about)
        return found

    def get_reported_facts(self, symbol: str) -> tuple[ReportedFact, ...]:
        """Return the tagged figures of a company's statements and their notes, oldest filing first.

        Raises:
            NoData: The company tagged none.
        """
        about = f"tagged facts of {symbol}"
        cik = self._edgar.cik_of(symbol)
        accepted = {entry.accession: entry.known_at for entry in self._submissions(symbol, cik).entries}
        facts = self._edgar.facts(cik, lambda page: self._facts(page, about), about=about)
        if not facts.every:
            raise nothing(self.name, about)
        return reported_facts(symbol, cik, facts, accepted)

    def get_filings(self, symbol: str, start: date, end: date) -> tuple[Filing, ...]:
        """Return what the company filed, and others about it, on the days [start, end], newest first; () for none.

        Raises:
            NoData: No company files under this ticker.
        """
        cik = self._edgar.cik_of(symbol)
        filed = self._filed(self._submissions(symbol, cik), start, end)
        return tuple(entry.filing(symbol, cik) for entry in filed)

    def get_holdings(self, investor: str, start: date, end: date) -> tuple[HoldingsReport, ...]:
        """Return the reports on Form 13F that an investor filed on the days [start, end], newest first; () for none.

        Raises:
            NoData: Nobody known has that name, EDGAR has another investor under its number, or the reports are plain
                text, as they were before mid-2013.
        """
        number = number_of(investor)
        known = None if number is not None else find_investor(investor, known_investors())
        cik = number or (known.cik if known else 0)
        about = f"holdings of {known.name if known else f'CIK {cik}'}"
        index = self._submissions(f"CIK {cik}", cik)
        if known is not None and not name_words(known.name) & name_words(index.name):
            raise NoData(f"EDGAR's CIK {cik} is {index.name}, not {known.name}; give the CIK of {known.name}.")
        forms = [entry for entry in self._filed(index, start, end) if entry.form in FORMS]
        read = [self._holdings(entry, cik, about) for entry in forms]
        found = tuple(report for report in read if report is not None)
        if forms and not found:
            raise NoData(
                f"The holdings that {index.name} filed from {start} to {end} are plain text; ask for a day "
                f"after mid-2013."
            )
        return found

    def _holdings(self, entry: Entry, cik: int, about: str) -> HoldingsReport | None:
        """Return the report of one filing; None if it is plain text."""
        path = entry.complete_text(cik)
        filing = self._edgar.document(path)
        if is_plain_text(filing, entry.filed_on):
            return None
        report = read_holdings(filing, entry, cik, self._edgar.public_url(path))
        if report is None:
            raise unreadable(self.name, f"{about} in {entry.accession}")
        return report

    def _filed(self, index: Submissions, start: date, end: date) -> tuple[Entry, ...]:
        """Return what was filed on the days [start, end], newest first, from older pages too where they reach back."""
        entries: dict[str, Entry] = {entry.accession: entry for entry in index.entries}
        for page in index.older:
            if page.first <= end and start <= page.last:
                older = read_entries(self._edgar.older_submissions(page.name))
                if older is None:
                    raise unreadable(self.name, f"filings in {page.name}")
                entries = {entry.accession: entry for entry in older} | entries
        found = [entry for entry in entries.values() if start <= entry.filed_on <= end]
        return tuple(sorted(found, key=lambda entry: (entry.known_at, entry.accession), reverse=True))

    def get_filing_document(self, symbol: str, accession: str) -> tuple[FilingDocument, ...]:
        """Return the main document of a filing and after it the exhibits that are reports of their own.

        These are the releases of an 8-K or 6-K (EX-99) and the annual report to shareholders of a 10-K (EX-13). The
        result is () where the company's index does not list the number.

        Raises:
            NoData: No company files under this ticker, or the number is not one of EDGAR's.
        """
        if not ACCESSION.fullmatch(accession):
            raise NoData(f"{accession!r} is not an accession number; write it like 0000320193-24-000123.")
        cik = self._edgar.cik_of(symbol)
        filed = self._submissions(symbol, cik)
        entry = self._entry(filed, accession)
        if entry is None:
            return ()
        filing = entry.filing(symbol, cik)
        path = f"{entry.folder(cik)}/{entry.document}" if entry.document else entry.complete_text(cik)
        page = self._index_page(entry, cik)
        sizes = sizes_of(page)
        names = (filed.name, *filed.former_names)
        body = self._document(path, size=sizes.get(path), form=entry.form, names=names)
        document = FilingDocument(
            symbol,
            entry.form,
            entry.known_at,
            entry.filed_on,
            accession,
            filing.url,
            content_type_of(path),
            body,
            entry.period_end,
        )
        if page and not sizes:
            contradicted("list of exhibits", "whose page names no document", since=entry.known_at)
        return (document, *self._exhibits(document, page, entry.folder(cik)))

    def _index_page(self, entry: Entry, cik: int) -> bytes:
        """Return the page that lists a filing's documents; empty where no exhibits are read, or there is no page."""
        if not may_have_exhibits(entry.form):
            return b""
        try:
            return self._edgar.document(f"{entry.folder(cik)}/{entry.accession}-index.htm")
        except NoData:  # a filing of before 2001 has no such page, and its exhibits are part of one text
            return b""

    def _exhibits(self, main: FilingDocument, page: bytes, folder: str) -> Iterator[FilingDocument]:
        sizes = sizes_of(page)
        for kind, path in read_exhibits(page, main.form, folder):
            url, body = self._edgar.public_url(path), self._document(path, size=sizes.get(path))
            yield replace(main, form=kind, url=url, content_type=content_type_of(path), content=body)

    def _document(self, path: str, *, size: int | None, form: str = "", names: tuple[str, ...] = ()) -> bytes:
        """Return a document of a filing; see `why_not_of_filing`."""
        body = self._edgar.document(path)
        if why := why_not_of_filing(body, path, size=size, form=form, names=names):
            raise unreadable(self.name, f"document {path}, {why},")
        return body

    def _entry(self, filed: Submissions, accession: str) -> Entry | None:
        """Return the index's line of a filing, from the first page or the page of its year."""
        for entry in filed.entries:
            if entry.accession == accession:
                return entry
        year = int(accession[11:13])
        for page in filed.older:
            if page.first.year % 100 <= year <= page.last.year % 100 or page.first.year // 100 != page.last.year // 100:
                older = read_entries(self._edgar.older_submissions(page.name))
                if older is None:
                    raise unreadable(self.name, f"filings in {page.name}")
                if found := next((entry for entry in older if entry.accession == accession), None):
                    return found
        return None

    def get_insider_transactions(self, symbol: str) -> tuple[InsiderTransaction, ...]:
        """Return the trades in the newest forty Forms 4 of the last two years, newest first; () for none.

        Raises:
            NoData: No company files under this ticker.
        """
        cik = self._edgar.cik_of(symbol)
        since = self._now() - INSIDER_WINDOW
        forms = [
            entry
            for entry in self._submissions(symbol, cik).entries
            if entry.form in _INSIDER_FORMS and entry.known_at >= since
        ]
        forms.sort(key=lambda entry: (entry.known_at, entry.accession), reverse=True)
        read = [trades for entry in forms[:MAX_FORMS] if (trades := self._trades(entry, symbol, cik)) is not None]
        if forms and not read:
            raise unreadable(self.name, f"insider trades of {symbol}")
        found = [trade for trades in reversed(read) for trade in trades]
        return tuple(sorted(found, key=lambda trade: (trade.transaction_date, trade.known_at), reverse=True))

    def _submissions(self, symbol: str, cik: int) -> Submissions:
        def read(page: Any) -> Submissions:
            found = read_submissions(page, now=self._now())
            if found is None:
                raise unreadable(self.name, f"filings of {symbol}")
            return found

        return self._edgar.submissions(cik, read, about=f"filings of {symbol}")

    def _facts(self, page: Any, about: str) -> Facts:
        found = read_facts(page)
        if found is None:
            raise unreadable(self.name, about)
        return found

    def _trades(self, entry: Entry, symbol: str, cik: int) -> tuple[InsiderTransaction, ...] | None:
        """Return the trades of one form; None if its document is missing, or isn't XML."""
        # The index names the page for browsers; the XML it is made from is next to its folder.
        document = (entry.document or "").rpartition("/")[2]
        if not document.endswith(".xml"):
            return None
        try:
            body = self._edgar.document(f"{entry.folder(cik)}/{document}")
        except NoData:
            return None
        return read_ownership(body, symbol, cik, entry.known_at)
