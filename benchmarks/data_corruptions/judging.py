"""Compares what was answered about a corrupted company with the truth."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from benchmarks.data_corruptions.allowances import allowed
from benchmarks.data_corruptions.asking import RUN, Replies, Reply, Shown

RELATIVE = 0.01
"""By how much a figure may differ from the true one."""
POINTS = 0.25
"""By how many percentage points a percentage may differ whatever its size: a quarter of what 1 % of a price does."""
YIELD_POINTS = 0.02
"""The same for yields, which are small."""
SMALL = 0.011
"""By how much any other figure may differ whatever its size: one unit of the last digit shown."""
_NO_REASON = re.compile(
    r"weekly, dated by|[Ff]iling dates? (?:is |are )?assumed|are listed|stories on|lies after|what does not recur"
)
"""Notes that name days and are no reason for anything absent."""
_PLACE = re.compile(
    r"data-faults\.md#|\d{4}-\d{2}-\d{2}|profile|histor|currenc|exchange rate|\bin [A-Z]{3}\b", re.IGNORECASE
)
"""What names the rows or the cause: the page of faults, a day, the length of the history, the profile, a currency."""
NO_FIGURE = frozenset({"weak_matches"})
"""Figures about the question rather than the data."""


@dataclass(frozen=True)
class Finding:
    """One figure that is not as it should be."""

    question: str
    figure: str
    true: float | None
    shown: float | None
    is_cell: bool = False

    @property
    def text(self) -> str:
        """The finding on one line."""
        true = "absent" if self.true is None else f"{self.true:.6g}"
        shown = "absent" if self.shown is None else f"{self.shown:.6g}"
        return f"{self.question}: {self.figure} true {true}, shown {shown}"


@dataclass(frozen=True)
class Verdict:
    """What became of a case."""

    wrong: tuple[Finding, ...] = ()
    """Figures and cells that are wrong, and nothing withholds them."""
    silent: tuple[Finding, ...] = ()
    """Figures that are absent without a reason that names rows or cause."""
    crashes: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    """New sentences that state a cause and name a day or the page of faults."""
    absent: int = 0
    """Figures that are absent with a reason."""
    allowed: int = 0
    """Figures that differ and may."""


def judge(
    kind: str, rows: tuple[date, ...], truth: Replies, given: Replies, remaining: tuple[Replies, ...] = ()
) -> Verdict:
    """Compare answers with the true ones.

    Args:
        kind: The kind of the case and its variant, such as `year-to-date with-start`.
        rows: The days or period ends of the corrupted rows.
        truth: The answers of the clean copy.
        given: Those of the corrupted one.
        remaining: Those of the clean copy without the bars that the answers say are withheld or left out.
    """
    wrong: list[Finding] = []
    silent: list[Finding] = []
    crashes: list[str] = []
    reasons: list[str] = []
    absent = allowances = 0
    for question in {**truth, **given}:
        true, reply = truth.get(question, Reply()), given.get(question, Reply())
        rest = remaining[0].get(question, Reply()) if remaining else Reply()
        if reply.crash:
            if not true.crash:
                crashes.append(f"{question}: {reply.crash}")
            continue
        told = new_reasons(true, reply)
        reasons += told
        if question.startswith(RUN) and question not in given:  # the run did without it, and says why
            told = new_reasons(truth.get(RUN, Reply()), given.get(RUN, Reply()))
        for name, expected in true.figures.items():
            if name in NO_FIGURE:
                continue
            found = reply.figures.get(name)
            finding = Finding(question, name, expected.value, found.value if found else None)
            if found is None:
                if told:
                    absent += 1
                elif _is_unknowable(kind, question, name):
                    allowances += 1
                else:
                    silent.append(finding)
            elif not same(name, expected, found):
                if _in_its_unit(expected, found) or _may_differ(
                    kind,
                    question,
                    name,
                    rows,
                    told,
                    _equal(name, rest.figures.get(name), found),
                    _distance(expected.value, found.value),
                ):
                    allowances += 1
                else:
                    wrong.append(finding)
        for name, found in reply.figures.items():
            if name not in true.figures and name not in NO_FIGURE:
                if _may_differ(kind, question, name, rows, told, _equal(name, rest.figures.get(name), found)):
                    allowances += 1
                else:
                    wrong.append(Finding(question, name, None, found.value))
        wrong += _wrong_cells(kind, question, rows, (true, reply, rest), told)
    return Verdict(tuple(wrong), tuple(silent), tuple(crashes), tuple(dict.fromkeys(reasons)), absent, allowances)


def new_reasons(true: Reply, reply: Reply) -> list[str]:
    """Return the notes and errors that the true answer lacks, and that name rows or a cause."""
    new = sorted(reply.sentences - true.sentences)
    return [one for one in new if _PLACE.search(one) and not _NO_REASON.search(one)]


def same(name: str, true: Shown, found: Shown) -> bool:
    """Tell whether a figure is right within the tolerance."""
    off = abs(true.value - found.value)
    points = YIELD_POINTS if "yield" in name else POINTS
    least = points if "%" in (true.unit or found.unit) else SMALL
    return off <= max(RELATIVE * abs(true.value), least)


def _in_its_unit(true: Shown, found: Shown) -> bool:
    """Tell whether an amount is shown in another currency, and says so."""
    return true.unit != found.unit and len(found.unit) >= 3 and found.unit[:3].isupper()


def _equal(name: str, rest: Shown | None, found: Shown) -> bool:
    """Tell whether a figure is that of the bars that remain."""
    return rest is not None and same(name, rest, found)


def _distance(true: float | None, found: float) -> float:
    """Return the relative difference of a figure from the true one; infinite where there is none."""
    return abs(found - true) / abs(true) if true else math.inf


def _is_unknowable(kind: str, question: str, figure: str) -> bool:
    """Tell whether nothing in the data shows that a figure is wrong, or why it is absent."""
    return any(one.unknowable for one in allowed(kind, question, figure))


def _may_differ(
    kind: str,
    question: str,
    figure: str,
    rows: tuple[date, ...],
    told: list[str],
    of_remaining: bool,
    distance: float = math.inf,
) -> bool:
    """Tell whether an allowance covers a figure, and the answer says what the allowance asks for."""
    if _is_unknowable(kind, question, figure):
        return True
    return any(
        (not one.of_remaining or of_remaining)
        and (not one.within or distance <= one.within)
        and any(
            re.search(one.says, sentence) and (not one.names_row or any(row.isoformat() in sentence for row in rows))
            for sentence in told
        )
        for one in allowed(kind, question, figure)
    )


def _wrong_cells(
    kind: str, question: str, rows: tuple[date, ...], replies: tuple[Reply, Reply, Reply], told: list[str]
) -> Iterator[Finding]:
    """Yield the cells that differ, and those that are labelled with a corrupted row and should not be there.

    Args:
        replies: The true answer, the one given, and that of the bars that remain.
    """
    true, reply, rest = replies
    if reply.currency != true.currency:
        return  # amounts of another currency that say so
    touched = {row.isoformat() for row in rows}
    for key, value in reply.cells.items():
        label, words, column = key
        expected = true.cells.get(key)
        name = f"[{label} | {column}]"
        if expected is None:
            if not ({label, column} & touched and true.cells):
                continue
            if label in {one[0] for one in true.cells} and "#" not in words and column in {k[2] for k in true.cells}:
                continue  # the row is described in other words
        elif _near(expected, value, column):
            continue
        left = rest.cells.get(key)
        is_left = left is not None and _near(left, value, column)
        distance = _distance(expected, value)
        if not _may_differ(kind, question, name, rows, told, is_left, distance):
            yield Finding(question, name, expected, value, is_cell=True)


def _near(expected: float, value: float, column: str) -> bool:
    percent = "%" in column or "change" in column.lower() or "return" in column.lower() or column == "Drawdown"
    return abs(expected - value) <= max(RELATIVE * abs(expected), POINTS if percent else SMALL)
