"""Series from stored filings, joined with what a market's vendors deliver of the same company."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import datetime

from tradingagents.retrieval.index.companies import company_id
from tradingagents.retrieval.models import DocumentInfo, Scope
from tradingagents.retrieval.series.build import series
from tradingagents.retrieval.series.fact import Series, SeriesFact, Version
from tradingagents.retrieval.series.history import FactHistory
from tradingagents.retrieval.series.items import our_name
from tradingagents.retrieval.series.sources import MarketFacts
from tradingagents.retrieval.series.span import Span
from tradingagents.retrieval.store.documents import DocumentStore


class FiledFacts:
    """What was known of companies from stored filings and, where a market is given, from its vendors.

    Of a line item first the facts that are tagged are a source, stored filings and vendors together; then those with
    the statement cells of filings without tags; then the statements of a vendor. A series is made of one of them.
    """

    def __init__(self, store: DocumentStore, as_of: datetime | None = None, market: MarketFacts | None = None) -> None:
        """Set the store and the market; nothing is read yet.

        Args:
            store: The filings.
            as_of: Filings known later are not seen; None: the present.
            market: Vendors to join; None: stored filings alone.
        """
        self._store = store
        self._as_of = as_of
        self._market = market
        self._histories: dict[str, list[FactHistory]] = {}

    def groups(self, company: str, item: str) -> Iterator[FactHistory]:
        """Yield the facts of a company, the preferred source first.

        Args:
            company: Ticker, or the name of a company whose filings tell no ticker.
            item: Our name of the line item, or a tag.
        """
        if company not in self._histories:
            self._histories[company] = list(self._of_filings(company))
        yield from self._histories[company]
        if self._market is not None:
            yield from self._market.stated(company, item)

    def documents(self, company: str) -> tuple[DocumentInfo, ...]:
        """Return the stored filings of a company that were known, the latest known first."""
        wanted = {company.upper(), company_id("", company)}
        known = self._store.documents(Scope(as_of=self._as_of, kinds=("filing",)))
        return tuple(info for info in known if company_id(info.symbol, info.company) in wanted)

    def _of_filings(self, company: str) -> Iterator[FactHistory]:
        keys = tuple(sorted(info.key for info in self.documents(company)))
        stored = tuple(_of(company, self._store.facts(Scope(as_of=self._as_of, documents=keys)))) if keys else ()
        filed = _beyond(stored, self._market.filed(company)) if self._market is not None else ()
        with_tags = {fact.place.document for fact in stored if fact.item is None}
        tagged = [fact for fact in stored if fact.place.document in with_tags]
        if tagged or filed:
            yield FactHistory(company, (*tagged, *filed))
        if len(tagged) < len(stored):
            yield FactHistory(company, (*stored, *filed))


def filed_series(
    store: DocumentStore,
    company: str,
    item: str,
    span: Span,
    as_of: datetime | None = None,
    version: Version = "latest",
    *,
    market: MarketFacts | None = None,
) -> Series:
    """Return a line item of a company over a span from its stored filings; see `series`.

    Args:
        store: The filings.
        company: Ticker, or the name of a company whose filings tell no ticker.
        item: Our name such as `revenue`, or a tag such as `us-gaap:Goodwill`.
        span: The fiscal years or quarters.
        as_of: Nothing known later is in it; None: the present.
        version: `first`: each period as first stated; `latest`: as the newest filing known at `as_of` states it.
        market: Vendors whose facts are joined; None: stored filings alone.

    Raises:
        UsageError: There is no such item or version.
    """
    return series(FiledFacts(store, as_of, market), company, our_name(item), span, as_of, version)


def _of(company: str, facts: Iterable[SeriesFact]) -> Iterator[SeriesFact]:
    """Yield facts under the name by which the company is asked for."""
    for fact in facts:
        yield fact if fact.company == company else replace(fact, company=company)


def _beyond(stored: Iterable[SeriesFact], filed: Iterable[SeriesFact]) -> tuple[SeriesFact, ...]:
    """Return the facts of filings that are not stored: a stored one is read with its places."""
    held = {fact.place.accession for fact in stored if fact.place.accession and fact.item is None}
    return tuple(fact for fact in filed if fact.place.accession not in held)
