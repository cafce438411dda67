"""A company's regulatory filings in a window of days: number by form, and the list, newest first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date, datetime

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.market.scanned import figure_name, table
from tradingagents.analytics.text import cut, one_line
from tradingagents.dataflows.models import Filing
from tradingagents.dataflows.reference.metrics import MISSING, Figure
from tradingagents.dataflows.results import Result

SHOWN = 30
"""Maximum number of filings listed."""
HEADER = "| Filed | Accepted (UTC) | Form | Period to | About | Address |"
EVENTS: Mapping[str, str] = {
    "1.01": "material agreement",
    "1.02": "material agreement ended",
    "1.03": "bankruptcy",
    "1.05": "cybersecurity incident",
    "2.01": "acquisition or disposal of assets",
    "2.02": "results of operations",
    "2.03": "new financial obligation",
    "2.05": "exit or disposal costs",
    "2.06": "impairment",
    "3.01": "notice of delisting",
    "3.02": "unregistered sale of equity",
    "4.01": "change of accountant",
    "4.02": "earlier statements not to be relied on",
    "5.01": "change of control",
    "5.02": "directors or officers leave or join",
    "5.03": "bylaws or fiscal year changed",
    "5.07": "shareholders' vote",
    "7.01": "regulation FD disclosure",
    "8.01": "other events",
    "9.01": "exhibits",
}
"""Short descriptions of the items of Form 8-K."""


class FiledDocument(BaseModel):
    """One filing."""

    model_config = ConfigDict(frozen=True)

    form: str
    filed_on: date
    """The official filing day."""
    accepted_at: datetime
    """UTC; the filing is known from this instant."""
    period_end: date | None
    """End of the period it covers; None if the source does not say."""
    title: str
    items: tuple[str, ...]
    """Items of an 8-K, such as 2.02."""
    url: str


class FilingList(Result):
    """Filings of a window of days that were accepted by the cut-off."""

    counts: Mapping[str, int]
    """Number of filings by form, most frequent first; amendments (`10-K/A`) are counted separately."""
    filings: tuple[FiledDocument, ...]
    """Newest first, at most thirty."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Filings: {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the number of filings, in total and by form."""
        each = (Figure(f"form_{figure_name(form)}", count, "filings") for form, count in self.counts.items())
        return (Figure("filings", sum(self.counts.values()), "filings"), *each)

    def body(self) -> str:
        """Return the filings as a table."""
        if not self.filings:
            return f"The source has no filing accepted from {self.start} to {self.end}."
        return table(HEADER, (_cells(filing) for filing in self.filings))


def filing_list(
    filings: Sequence[Filing],
    *,
    as_of: date,
    symbol: str,
    start: date,
    end: date,
    forms: Sequence[str] = (),
    fetched_at: datetime,
    source: str,
) -> FilingList:
    """List the filings of [start, end].

    Args:
        filings: Filings accepted by the day, in any order.
        start: First filing day.
        end: Last filing day.
        forms: Requested forms, in any case, including their amendments; () means all.
        fetched_at: When the vendor delivered them.
    """
    wanted = {form.strip().upper() for form in forms}
    found = sorted(
        (
            filing
            for filing in filings
            if start <= filing.filed_on <= end and (not wanted or filing.form.upper().removesuffix("/A") in wanted)
        ),
        key=lambda filing: (filing.known_at, filing.accession),
        reverse=True,
    )
    counts = Counter(one_line(filing.form) for filing in found)
    return FilingList(
        symbol=symbol,
        as_of=as_of,
        source=source,
        known_at=max((filing.known_at for filing in found), default=None),
        fetched_at=fetched_at,
        start=start,
        end=end,
        rows=len(found),
        notes=(f"The newest {SHOWN} of {len(found)} filings are listed.",) if len(found) > SHOWN else (),
        counts=dict(sorted(counts.items(), key=lambda one: (-one[1], one[0]))),
        filings=tuple(map(_document, found[:SHOWN])),
    )


def _document(filing: Filing) -> FiledDocument:
    return FiledDocument(
        form=cut(one_line(filing.form), 20),
        filed_on=filing.filed_on,
        accepted_at=filing.known_at,
        period_end=filing.period_end,
        title=cut(one_line(filing.title), 80),
        items=tuple(cut(one_line(item), 10) for item in filing.items),
        url=one_line(filing.url),
    )


def _cells(filing: FiledDocument) -> tuple[str, ...]:
    about = ", ".join(f"{item} {EVENTS[item]}" if item in EVENTS else item for item in filing.items)
    return (
        filing.filed_on.isoformat(),
        f"{filing.accepted_at:%Y-%m-%d %H:%M}",
        filing.form,
        filing.period_end.isoformat() if filing.period_end else MISSING,
        about or filing.title or MISSING,
        filing.url,
    )
