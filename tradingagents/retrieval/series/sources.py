"""Where the facts of a series come from: the market's vendors and the stored filings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

from tradingagents.dataflows.market_data import MarketData
from tradingagents.dataflows.models import Frequency, Statement, StatementKind
from tradingagents.dataflows.vendor import Vendor
from tradingagents.errors import DataError, VendorNotConfigured
from tradingagents.retrieval.series.fact import SeriesFact
from tradingagents.retrieval.series.history import FactHistory
from tradingagents.retrieval.series.items import kind_of
from tradingagents.retrieval.series.reported import facts_of_reported, facts_of_statements, withheld_of_statements


class MarketFacts:
    """What was known at a market's cut-off: figures that filings tag, and statements of the vendor of statements."""

    def __init__(self, data: MarketData) -> None:
        """Set the market; nothing is asked yet."""
        self._data = data
        self.problems: dict[str, None] = {}
        """Why a source could not be asked, in sentences, each once."""

    def groups(self, company: str, item: str) -> Iterator[FactHistory]:
        """Yield the facts as filed, then the statements of the vendor, which are asked for only where still needed."""
        filed = self.filed(company)
        if filed:
            yield FactHistory(company, filed)
        yield from self.stated(company, item)

    def stated(self, company: str, item: str) -> Iterator[FactHistory]:
        """Yield the statements of the vendor of statements, asked for only where an item stands in them."""
        kind = kind_of(item)
        if kind is None:
            return
        statements = self._statements(company, kind)
        if statements:
            withheld = withheld_of_statements(statements)
            yield FactHistory(company, facts_of_statements(statements), statements[0].source, withheld)

    def filed(self, company: str) -> tuple[SeriesFact, ...]:
        """Return the figures that filings tag, as the vendor of them delivers them; () where none does."""
        if not self._data.supports(Vendor.get_reported_facts):
            return ()
        try:
            return facts_of_reported(self._data.rows(Vendor.get_reported_facts, company))
        except (DataError, VendorNotConfigured) as error:
            self.problems[str(error)] = None
            return ()

    def _statements(self, company: str, kind: StatementKind) -> list[Statement]:
        found: list[Statement] = []
        for frequency in get_args(Frequency):
            try:
                found += self._data.statement_versions(company, kind, frequency)
            except (DataError, VendorNotConfigured) as error:
                self.problems[str(error)] = None
        return found
