"""`GuidanceTable` and `GuidanceRecord`: the ledger of what was guided to, and what came of it, as answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime
from typing import ClassVar

from pydantic import BaseModel, ConfigDict

from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.files.plain_text import one_line
from tradingagents.retrieval.guidance.ledger import GuidanceEntry, GuidanceLedger
from tradingagents.retrieval.guidance.outcomes import GuidanceOutcome
from tradingagents.retrieval.guidance.statements import GuidanceStatement
from tradingagents.retrieval.results import SOURCE

MOST_SHOWN = 80
"""Statements that a table shows, of the latest periods: older ones are asked for by their item."""
MOST_WITHHELD = 5
"""Sentences that are shown with why they are withheld."""
_UNITS = {"percent": "%", "ratio": "x"}
_VERDICTS = ("beat", "met", "missed")
DECLINED = (
    "Read by rule, and only what a sentence says plainly: about two of five statements are found. A line of a segment "
    "or a product is given where its name stands beside it; items that are no line of the statements bear the "
    "company's own words."
)


class GuidedRow(BaseModel):
    """One statement about a coming period."""

    model_config = ConfigDict(frozen=True)

    item: str
    """Such as `revenue`, `revenue growth`, `cloud revenue` of a segment, or the words of the company."""
    basis: str
    """`GAAP`, `adjusted`, `organic` or `constant currency`; empty where the sentence names none."""
    period: str
    """Fiscal period, such as `FY2026` or `Q2 FY2026`."""
    low: float | None
    """In `unit`, unscaled; a percentage is 12.5 for 12.5 %. None where the end is open."""
    high: float | None
    unit: str
    """Currency code, `USD/share`, `percent`, `basis points` or `shares`."""
    revision: str
    """`first`, or against the statement before: `raised`, `lowered`, `narrowed`, `widened`, `moved`, `reaffirmed`."""
    quote: str
    """The sentence as it stands."""
    document: str
    key: str
    """Key of the stored document."""
    page: int
    """Counted from 1."""
    speaker: str
    """Who said it; empty for a release."""
    said: datetime
    """When it was known, UTC."""
    by_model: bool = False
    """Whether a model read it, held to the words that it quoted, in place of a rule."""


class WithheldGuidance(BaseModel):
    """A sentence whose figure is not given out."""

    model_config = ConfigDict(frozen=True)

    figure: str
    reason: str
    sentence: str


class GuidanceTable(Result):
    """What a company guided to, by fiscal period and item, each statement with the words that say it."""

    tabulated: ClassVar[bool] = True

    statements: tuple[GuidedRow, ...]
    """The latest periods first, then by item and day: a revision stands below what it revises."""
    withheld: tuple[WithheldGuidance, ...]
    """The last few."""
    withheld_count: int
    documents: int
    """Calls and releases that were known and read."""

    @property
    def title(self) -> str:
        """Heading."""
        return f"Guidance of {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the ends of the last statement for each item and period."""
        found: dict[str, Figure] = {}
        for row in self.statements:
            for end, value in (("low", row.low), ("high", row.high)):
                name = _name(row.item, row.basis, row.period, end)
                found[name] = Figure(name, value, _UNITS.get(row.unit, row.unit), row.period)
        return tuple(found.values())

    def body(self) -> str:
        """Return a row for each statement, its words, and what is withheld."""
        if not self.statements:
            return f"No guidance was found in {self.documents} documents." + self._withheld()
        head = "| Period | Item | Basis | Guided | Revision | Said | Where | Words |"
        rows = [
            f"| {row.period} | {row.item} | {row.basis or 'not stated'} | {shown_range(row.low, row.high, row.unit)} | "
            f"{row.revision} | {row.said:%Y-%m-%d} | {one_line(_where(row))} | "
            f"{_quoted(row.quote)}{' (read by a model)' if row.by_model else ''} |"
            for row in self.statements[:MOST_SHOWN]
        ]
        older = len(self.statements) - MOST_SHOWN
        more = f"\n\n{older} statements of earlier periods are not shown: name an item." if older > 0 else ""
        return "\n".join((head, "|---|---|---|---|---|---|---|---|", *rows)) + more + self._withheld()

    def _withheld(self) -> str:
        if not self.withheld_count:
            return ""
        lines = [f"- {one.figure}: {one.reason}. {_quoted(one.sentence)}" for one in self.withheld]
        count = f"{self.withheld_count} figure{'s' if self.withheld_count > 1 else ''}"
        return f"\n\nWithheld, {count}; the last:\n" + "\n".join(lines)


class OutcomeRow(BaseModel):
    """A statement beside what was reported for its period."""

    model_config = ConfigDict(frozen=True)

    item: str
    basis: str
    period: str
    guided: str
    """The range in words."""
    said_in: str
    """Document and day."""
    actual: float | None
    """In the unit of the guidance; None where nothing is compared."""
    unit: str
    verdict: str
    """`beat`, `met` or `missed`; of costs `above`, `within` or `below`; empty where nothing is compared."""
    against_low: float | None
    """How far the figure lies above the low end: in per cent of it, in basis points where the unit is a percentage."""
    against_middle: float | None
    against_high: float | None
    filing: str
    """Where the reported figure stands."""
    reason: str
    """Why nothing is compared; empty where it is."""


class GuidanceRecord(Result):
    """How what a company reported compares with what it had guided to last before."""

    tabulated: ClassVar[bool] = True

    outcomes: tuple[OutcomeRow, ...]
    """The latest periods first, then by item."""
    compared: int
    """Statements that a reported figure of the same basis stands beside."""
    documents: int

    @property
    def title(self) -> str:
        """Heading."""
        return f"Guidance of {self.symbol} against what was reported"

    def figures(self) -> tuple[Figure, ...]:
        """Return how many were beaten, met and missed, and how far each lies from the middle of its range."""
        found = [Figure("guidance_compared", self.compared, "statements")]
        found += [Figure(f"guidance_{verdict}", self._number(verdict), "statements") for verdict in _VERDICTS]
        for row in self.outcomes:
            if row.against_middle is not None:
                name = _name(row.item, row.basis, row.period, "against_middle")
                found.append(Figure(name, row.against_middle, _difference_unit(row.unit), row.period))
        return tuple(found)

    def lead(self) -> str:
        """Return the count of what was beaten, met and missed."""
        if not self.compared:
            return "None of the guidance can be compared with a reported figure of the same basis."
        counts = {
            verdict: sum(row.verdict == verdict for row in self.outcomes) for verdict in ("beat", "met", "missed")
        }
        others = self.compared - sum(counts.values())
        told = ", ".join(f"{verdict} {number}" for verdict, number in counts.items())
        return f"Of {self.compared} statements compared: {told}" + (f"; {others} of costs." if others else ".")

    def _number(self, verdict: str) -> int:
        return sum(row.verdict == verdict for row in self.outcomes)

    def body(self) -> str:
        """Return a row for each statement, with the reason where nothing is compared."""
        if not self.outcomes:
            return f"No guidance was found in {self.documents} documents."
        head = "| Period | Item | Basis | Guided | Said in | Reported | Verdict | Low | Middle | High | Stands in |"
        rows = [
            f"| {row.period} | {row.item} | {row.basis or 'not stated'} | {row.guided} | {one_line(row.said_in)} | "
            f"{'' if row.actual is None else _shown(row.actual, row.unit)} | {row.verdict or 'not compared'} | "
            + " | ".join(
                "" if value is None else f"{value:+.1f} {_difference_unit(row.unit)}"
                for value in (row.against_low, row.against_middle, row.against_high)
            )
            + f" | {one_line(row.filing or row.reason)} |"
            for row in self.outcomes
        ]
        return "\n".join((head, "|---|---|---|---|---|---|---|---|---|---|---|", *rows))


def guidance_table(symbol: str, ledger: GuidanceLedger, *, as_of: date, fetched_at: datetime) -> GuidanceTable:
    """Return a ledger as an answer.

    Args:
        symbol: Ticker.
        ledger: Of documents that were known by the day.
        as_of: The day of the question.
        fetched_at: When the documents were read.
    """
    return GuidanceTable(
        symbol=symbol,
        as_of=as_of,
        source=SOURCE,
        known_at=max((entry.statement.known_at for entry in ledger.entries), default=None),
        fetched_at=fetched_at,
        rows=len(ledger.entries),
        notes=(DECLINED,),
        statements=tuple(map(_row, ledger.entries)),
        withheld=tuple(
            WithheldGuidance(figure=one.figure, reason=one.reason, sentence=one.words)
            for one in ledger.withheld[-MOST_WITHHELD:]
        ),
        withheld_count=len(ledger.withheld),
        documents=ledger.documents,
    )


def guidance_record(
    symbol: str, outcomes: Sequence[GuidanceOutcome], documents: int, *, as_of: date, fetched_at: datetime
) -> GuidanceRecord:
    """Return what came of guidance as an answer.

    Args:
        symbol: Ticker.
        outcomes: In the order in which they are shown.
        documents: How many were read.
        as_of: The day of the question.
        fetched_at: When it was worked out.
    """
    known = [one.statement.known_at for one in outcomes] + [one.reported_at for one in outcomes if one.reported_at]
    return GuidanceRecord(
        symbol=symbol,
        as_of=as_of,
        source=SOURCE,
        known_at=max(known, default=None),
        fetched_at=fetched_at,
        rows=len(outcomes),
        notes=(DECLINED,),
        outcomes=tuple(map(_outcome, outcomes)),
        compared=sum(one.actual is not None for one in outcomes),
        documents=documents,
    )


def _row(entry: GuidanceEntry) -> GuidedRow:
    said = entry.statement
    return GuidedRow(
        item=_item(said),
        basis=said.basis,
        period=said.period.label,
        low=said.low,
        high=said.high,
        unit=said.unit,
        revision=entry.revision,
        quote=said.words,
        document=said.document,
        key=said.place.document,
        page=said.place.page + 1,
        speaker=said.speaker,
        said=said.known_at,
        by_model=said.by_model,
    )


def _outcome(found: GuidanceOutcome) -> OutcomeRow:
    said = found.statement
    return OutcomeRow(
        item=_item(said),
        basis=said.basis,
        period=said.period.label,
        guided=shown_range(said.low, said.high, said.unit),
        said_in=f"{said.document}, {said.known_at:%Y-%m-%d}",
        actual=found.actual,
        unit=said.unit,
        verdict=found.verdict,
        against_low=found.against(said.low),
        against_middle=found.against(said.middle),
        against_high=found.against(said.high),
        filing=found.filing,
        reason=found.reason,
    )


def _item(said: GuidanceStatement) -> str:
    part, _, without = said.part.partition("excluding ")
    words = f"{part.strip()} {said.item.replace('_', ' ')}".strip() + (f" excluding {without}" if without else "")
    since = f" since {said.since}" if said.since else ""
    measures = {
        "growth": f"{words} growth{since}",
        "sequential": f"{words} growth on the quarter before",
        "change": f"{words} change",
    }
    return measures.get(said.measure, words)


def shown_range(low: float | None, high: float | None, unit: str) -> str:
    """Return a range as people write it, such as `1.2B USD to 1.4B USD`, `at least 12%` or `16%`."""
    if low is None or high is None:
        end = high if low is None else low
        return "" if end is None else f"{'at most' if low is None else 'at least'} {_shown(end, unit)}"
    return _shown(low, unit) if low == high else f"{_shown(low, unit)} to {_shown(high, unit)}"


def _shown(value: float, unit: str) -> str:
    return Figure("", value, _UNITS.get(unit, unit)).text


def _difference_unit(unit: str) -> str:
    return "bp" if unit == "percent" else "%"


def _where(row: GuidedRow) -> str:
    speaker = f", {row.speaker}" if row.speaker else ""
    return f"{row.document}, page {row.page}{speaker}"


def _quoted(sentence: str) -> str:
    plain = one_line(sentence).replace("|", "/")
    return f"“{plain if len(plain) <= 300 else plain[:299] + '…'}”"


def _name(*parts: str) -> str:
    return "_".join(part for part in parts if part).lower().replace(" ", "_")
