"""`FactHistory`: the facts of one company by filing, and the line items that their tags give.

An item of a filing is read from the tags that `reference.xbrl_tags` names for it, and only where the filing states the
statement that it belongs to for the period: a note that repeats a single figure is no version of the statement.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta
from functools import cached_property

from tradingagents.dataflows.models import StatementKind
from tradingagents.dataflows.reference.fiscal_periods import (
    YEARLY_FORMS,
    FiscalCalendar,
    days_of,
    length_of_days,
)
from tradingagents.dataflows.reference.xbrl_tags import (
    COVER_SHARES,
    PER_SHARE_TAGS,
    RECIPES,
    SHARE_TAGS,
    STAND_INS,
    incomplete_debt,
    items_of,
    whole,
)
from tradingagents.retrieval.series.fact import FactPeriod, SeriesFact, Version, WithheldFact
from tradingagents.retrieval.series.items import composed, kind_of, named_item, parts_of
from tradingagents.retrieval.series.share_basis import ShareSplit, splits_told
from tradingagents.retrieval.series.span import FiscalPeriod

Days = tuple[date | None, date]
"""First and last day of a period; the first is None for an instant."""
CONTINUING = "continuing operations only"
_IN_CASH_FLOWS: Mapping[str, StatementKind] = {
    tag: "cashflow"
    for recipes in RECIPES.values()
    for way in recipes["income"]["depreciation_and_amortization"]
    for tag in way
}
"""Tags of an item of the income statement that is whole in the cash flows alone: cost of revenue holds a part of it."""
_EARLIER = (0, -1)
"""How a company's own name of a fiscal year may differ from the calendar year in which it ends."""


@dataclass(slots=True)
class _FilingFacts:
    """What one filing states, by period and then by tag without its taxonomy, or by our name."""

    known_at: datetime
    number: str
    form: str
    taxonomy: str
    currency: str
    """Of most of its figures."""
    tagged: dict[Days, dict[str, SeriesFact]] = field(default_factory=dict)
    named: dict[Days, dict[str, SeriesFact]] = field(default_factory=dict)
    disputed: set[tuple[Days, str]] = field(default_factory=set)
    """Periods and tags to which it gives two different values."""


_STATED: Mapping[Version, str] = {"latest": "last", "first": "first"}


class FactHistory:
    """The facts of one company from filings, or from the statements of one vendor."""

    def __init__(
        self,
        company: str,
        facts: Iterable[SeriesFact],
        source: str = "filings",
        withheld: Iterable[WithheldFact] = (),
    ) -> None:
        """Group the facts by filing.

        Args:
            company: Ticker; facts of another company are left out.
            facts: In any order.
            source: `filings`, or the vendor whose statements they are.
            withheld: Figures of the company that the vendor states and that are not given.
        """
        self.company = company
        self.source = source
        self._filings = _by_filing(fact for fact in facts if fact.company == company)
        self._withheld = tuple(withheld)
        self._items: dict[str, tuple[SeriesFact, ...]] = {}
        self._calendars: dict[datetime | None, FiscalNames] = {}

    def groups(self, company: str, item: str) -> Iterator[FactHistory]:  # noqa: ARG002
        """Yield these facts where they are those of the company: they are a source of a series by themselves."""
        if company == self.company:
            yield self

    @cached_property
    def splits(self) -> tuple[ShareSplit, ...]:
        """The splits that restated share counts tell of, oldest first."""
        return splits_told([(filing.known_at, filing.tagged) for filing in self._filings])

    def versions(self, item: str, as_of: datetime | None) -> tuple[SeriesFact, ...]:
        """Return every statement of an item, or of a tag such as `us-gaap:Goodwill`, the first known first.

        Args:
            as_of: Nothing that was known later is returned; None: everything.
        """
        if item not in self._items:
            kind = kind_of(item)
            found = self._tag_facts(item) if kind is None else self._item_facts(item, kind)
            self._items[item] = tuple(sorted(found, key=lambda fact: (fact.known_at, fact.place.accession)))
        return tuple(_one_basis([fact for fact in self._items[item] if as_of is None or fact.known_at <= as_of]))

    def tags(self, as_of: datetime | None) -> frozenset[str]:
        """Return the tags of its facts that were known, such as `us-gaap:Goodwill`."""
        known = (filing for filing in self._filings if as_of is None or filing.known_at <= as_of)
        return frozenset(fact.tag for filing in known for facts in filing.tagged.values() for fact in facts.values())

    def withheld(self, item: str, as_of: datetime | None) -> Mapping[Days, str]:
        """Return why an item is not given though its source states it, or tags of it are there, by its period."""
        of_vendor = {
            (one.period.start, one.period.end): one.reason.rstrip(".")
            for one in self._known_withheld(as_of)
            if one.item in parts_of(item)
        }
        return of_vendor | {
            days: f"{reason[:1].lower()}{reason[1:].rstrip('.')} ({next(iter(facts.values())).place.name})"
            for filing in self._filings
            if as_of is None or filing.known_at <= as_of
            for days, facts in filing.tagged.items()
            if days[0] is None and kind_of(item) == "balance"
            for name, reason in _incomplete(filing, days).items()
            if name == item
        }

    def withheld_version(
        self, item: str, versions: Sequence[SeriesFact], as_of: datetime | None, version: Version
    ) -> str:
        """Return why the wanted statement of a figure is not given; empty where it is among those that are.

        Args:
            item: Our name of the line item.
            versions: The statements of one period that are given, the first known first.
            as_of: Nothing that was known later counts; None: everything.
            version: Which of them is wanted.
        """
        first, newest = versions[0], versions[-1]
        days = (newest.period.start, newest.period.end)
        for one in self._known_withheld(as_of):
            wanted = one.known_at > newest.known_at if version == "latest" else one.known_at < first.known_at
            if wanted and one.item in parts_of(item) and (one.period.start, one.period.end) == days:
                return f"as stated {_STATED[version]}, known on {one.known_at.date()}: {one.reason.rstrip('.')}"
        return ""

    def _known_withheld(self, as_of: datetime | None) -> list[WithheldFact]:
        return [one for one in self._withheld if as_of is None or one.known_at <= as_of]

    def names(self, as_of: datetime | None) -> FiscalNames:
        """Return how the company names its fiscal periods, as told by what was known at an instant."""
        known = [filing for filing in self._filings if as_of is None or filing.known_at <= as_of]
        withheld = self._known_withheld(as_of)
        key = max([*(one.known_at for one in known), *(one.known_at for one in withheld)], default=None)
        if key not in self._calendars:
            self._calendars[key] = FiscalNames(known, [one.period for one in withheld])
        return self._calendars[key]

    def _tag_facts(self, tag: str) -> Iterator[SeriesFact]:
        name = tag.partition(":")[2]
        for filing in self._filings:
            for days, facts in filing.tagged.items():
                fact = facts.get(name)
                if fact is not None and fact.tag == tag and (days, name) not in filing.disputed:
                    yield fact

    def _item_facts(self, item: str, kind: StatementKind) -> Iterator[SeriesFact]:
        for filing in self._filings:
            for days in dict.fromkeys((*filing.tagged, *filing.named)):
                if (days[0] is None) != (kind == "balance"):
                    continue
                named = filing.named.get(days, {})
                # Of a filing with tags an item by our name is one of whose rows its tags lack a part.
                fact = named.get(item) or _tagged_item(filing, days, item, kind) or named_item(item, named)
                if fact is not None:
                    yield fact


def _one_basis(facts: list[SeriesFact]) -> list[SeriesFact]:
    """Return facts without a basis where a period is stated on it and on the usual one, each time with one value."""
    if not any(fact.basis for fact in facts):
        return facts
    by_period: dict[Days, dict[str, set[float]]] = defaultdict(lambda: defaultdict(set))
    for fact in facts:
        by_period[fact.period.start, fact.period.end][fact.basis].add(fact.value)
    both = [values for values in by_period.values() if len(values) > 1]
    alike = bool(both) and all(len(set.union(*values.values())) == 1 for values in both)
    return [replace(fact, basis="") for fact in facts] if alike else facts


class FiscalNames:
    """The fiscal year and quarter of each day, as a company names them."""

    def __init__(self, filings: Iterable[_FilingFacts], withheld: Iterable[FactPeriod] = ()) -> None:
        """Read the ends of fiscal years, and what the filings themselves call their periods.

        Args:
            filings: What was filed, or stated by a vendor.
            withheld: Periods that were stated too, and of which a figure is not given.
        """
        ends: set[date] = set()
        told: list[FactPeriod] = []
        self._ends: set[date] = set()
        begun: set[date] = set()
        self.newest: dict[bool, date] = {}
        """Last day of the newest year (False) and of the newest quarter (True) reported."""
        for filing in filings:
            for facts in (filing.tagged, filing.named):
                for days, by_name in facts.items():
                    self._take(days, filing.form, ends, begun)
                    told += [fact.period for fact in list(by_name.values())[:1] if fact.period.fiscal_year is not None]
        for period in withheld:
            self._take((period.start, period.end), "", ends, begun)
            told += [period] if period.fiscal_year is not None else []
        # A company whose annual report is not known tells its years by where its half-years begin.
        ends = ends or begun
        self._calendar = FiscalCalendar(ends, None if ends else _assumed_year_end(told))
        offsets = Counter(
            period.fiscal_year - self._calendar.period_of(period.end)[0] for period in told if period.fiscal_year
        )
        self._offset = offsets.most_common(1)[0][0] if offsets else 0
        if self._offset not in _EARLIER:
            self._offset = 0

    def _take(self, days: Days, form: str, ends: set[date], begun: set[date]) -> None:
        start, end = days
        length = None if start is None else length_of_days(days_of(start, end))
        if length is None:
            return
        self._ends.add(end)
        if length == "year" and (form.startswith(YEARLY_FORMS) or not form):
            ends.add(end)
            self.newest[False] = max(end, self.newest.get(False, end))
        elif start is not None and length in ("half-year", "nine months"):
            begun.add(start - timedelta(days=1))
        self.newest[True] = max(end, self.newest.get(True, end))

    def newest_period(self, *, quarterly: bool) -> FiscalPeriod | None:
        """Return the newest fiscal year, or quarter, that was reported; None where none was."""
        end = self.newest.get(quarterly)
        if end is None:
            return None
        found = self.period_of(end)
        return found if quarterly else FiscalPeriod(found.year)

    def period_of(self, end: date) -> FiscalPeriod:
        """Return the fiscal quarter that ends on a day."""
        year, quarter = self._calendar.period_of(end)
        return FiscalPeriod(year + self._offset, int(quarter[1]))

    def ends_period(self, end: date) -> bool:
        """Return whether a reported quarter, half-year, nine months or year ends on a day."""
        return end in self._ends

    def labelled(self, fact: SeriesFact) -> SeriesFact | None:
        """Return a fact with its fiscal year and quarter; None where its period is neither.

        An instant is labelled with the quarter that it ends.
        """
        found = self.of_days(fact.period.start, fact.period.end)
        if found is None:
            return None
        return replace(fact, period=replace(fact.period, fiscal_year=found.year, fiscal_quarter=found.quarter))

    def of_days(self, start: date | None, end: date) -> FiscalPeriod | None:
        """Return the fiscal year or quarter of some days, of an instant the quarter that it ends; None for neither."""
        found = self.period_of(end)
        length = None if start is None else length_of_days(days_of(start, end))
        if length == "year" and found.quarter == 4:
            return FiscalPeriod(found.year)
        return found if start is None or length == "quarter" else None


def _assumed_year_end(told: Iterable[FactPeriod]) -> tuple[int, int] | None:
    """Return month and day of a fiscal year's end from periods whose quarter is told; None where none is."""
    for period in told:
        quarter = period.fiscal_quarter or 4
        end = period.end + timedelta(days=round(365.25 / 4 * (4 - quarter)))
        return end.month, end.day
    return None


def _by_filing(facts: Iterable[SeriesFact]) -> tuple[_FilingFacts, ...]:
    stated: dict[tuple[str, datetime], list[SeriesFact]] = defaultdict(list)
    for fact in facts:
        stated[fact.place.accession or fact.place.document or fact.place.name, fact.known_at].append(fact)
    found = [_filing(number, known_at, together) for (number, known_at), together in stated.items()]
    return tuple(sorted(found, key=lambda filing: (filing.known_at, filing.number)))


def _filing(number: str, known_at: datetime, facts: list[SeriesFact]) -> _FilingFacts:
    tagged = [fact for fact in facts if fact.item is None]
    taxonomies = Counter(fact.tag.partition(":")[0] for fact in tagged)
    currencies = Counter(fact.unit for fact in tagged if len(fact.unit) == 3 and fact.unit.isupper())
    filing = _FilingFacts(
        known_at=known_at,
        number=number,
        form=facts[0].place.form,
        taxonomy=max(RECIPES, key=lambda name: taxonomies[name]),
        currency=currencies.most_common(1)[0][0] if currencies else "",
    )
    for fact in facts:
        days = (fact.period.start, fact.period.end)
        if fact.item is not None:
            filing.named.setdefault(days, {}).setdefault(fact.item, fact)
            continue
        name, there = fact.tag.partition(":")[2], filing.tagged.setdefault(days, {})
        other = there.get(name)
        if other is None or (other.unit != fact.unit and fact.unit == _unit(name, filing.currency)):
            there[name] = fact
        elif other.unit == fact.unit and other.value != fact.value:
            filing.disputed.add((days, name))
        elif other.unit == fact.unit and other.place.cell is None:
            there[name] = fact  # the same, with the place that prints it
    return filing


def _tagged_item(filing: _FilingFacts, days: Days, item: str, kind: StatementKind) -> SeriesFact | None:
    """Return an item of a period as the tags of a filing give it; None where they do not, or not as a statement."""
    facts = _statement_tags(filing, days, kind)
    if not facts or not whole(kind, items_of(kind, filing.taxonomy, {tag: fact.value for tag, fact in facts.items()})):
        return None
    # A note may tag a part of a row, or its principal, with what another filing puts on the row itself: the statement
    # comes first, then the other statements, such as the cash flows that print depreciation.
    printed = {tag: fact for tag, fact in facts.items() if fact.place.statement is not None}
    own = {tag: fact for tag, fact in printed.items() if fact.place.statement == _IN_CASH_FLOWS.get(tag, kind)}
    found = (composed(item, kind, filing.taxonomy, tags) for tags in (own, printed, facts) if tags)
    return next((fact for fact in found if fact is not None), None)


def _incomplete(filing: _FilingFacts, days: Days) -> Mapping[str, str]:
    values = {tag: fact.value for tag, fact in _statement_tags(filing, days, "balance").items()}
    return incomplete_debt("balance", filing.taxonomy, values)


def _statement_tags(filing: _FilingFacts, days: Days, kind: StatementKind) -> Mapping[str, SeriesFact]:
    """Return the tagged facts of a period in the units that statements have, continuing operations standing in."""
    currency = filing.currency
    facts = {
        tag: fact
        for tag, fact in filing.tagged.get(days, {}).items()
        if fact.unit == _unit(tag, currency) and (days, tag) not in filing.disputed
    }
    if kind == "cashflow":
        for tag, main in STAND_INS.items():
            if tag in facts and main not in facts:
                facts[main] = replace(facts[tag], basis=CONTINUING)
    if kind == "balance" and (cover := _cover(filing, days)) is not None:
        facts[COVER_SHARES] = cover
    return facts


def _cover(filing: _FilingFacts, days: Days) -> SeriesFact | None:
    """Return the shares on the cover of a filing, of some weeks later, for its newest balance sheet."""
    sheets = [end for (start, end), facts in filing.tagged.items() if start is None and "Assets" in facts]
    if not sheets or days[1] != max(sheets):
        return None
    counts = {end: facts[COVER_SHARES] for (_, end), facts in filing.tagged.items() if COVER_SHARES in facts}
    return counts[max(counts)] if counts else None


def _unit(tag: str, currency: str) -> str:
    return f"{currency}/share" if tag in PER_SHARE_TAGS else "shares" if tag in SHARE_TAGS else currency
