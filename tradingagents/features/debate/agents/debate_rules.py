"""Rules that cases, rebuttals and verdicts keep, whoever wrote them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from tradingagents.features.debate.schemas import (
    OTHER_SIDE,
    DebateCase,
    DebateRebuttal,
    DebateSide,
    DebateVerdict,
    RebuttalRecord,
    reply_id,
)

LEAST_POINTS, MOST_POINTS = 3, 5
LEAST_CONTENTIONS, MOST_CONTENTIONS = 2, 5
MOST_COUNTERS = 5
SHORTEST_QUOTE = 12
"""Characters of a quotation that names its argument; a shorter argument is quoted whole."""
_QUOTATION_MARKS = str.maketrans({"\u201c": '"', "\u201d": '"', "\u2018": "'", "\u2019": "'"})
BANDS = ((3, "strong bear"), (4, "lean bear"), (5, "neutral"), (6, "lean bull"), (10, "strong bull"))
"""Highest conviction of each band."""


def band_of(conviction: int) -> str:
    """Return the band of a conviction from 1 to 10."""
    return next(name for highest, name in BANDS if conviction <= highest)


def statements_of(
    side: DebateSide, cases: Mapping[str, Mapping[str, object]], rebuttals: Iterable[RebuttalRecord]
) -> dict[str, str]:
    """Return what a side has said, by the ids under which the other one answers: `bear-1`, `bear-r1b`."""
    said: dict[str, str] = {}
    if case := cases.get(side):
        points = DebateCase.model_validate(case).points
        said |= {f"{side}-{number}": point.claim for number, point in enumerate(points, 1)}
    for rebuttal in rebuttals:
        if rebuttal.side == side:
            replies = [str(counter["reply"]) for counter in rebuttal.counters[:MOST_COUNTERS]]
            said |= {reply_id(side, rebuttal.round, number): text for number, text in enumerate(replies)}
    return said


def case_problems(case: DebateCase, evidence: Collection[str]) -> str | None:
    """Return what is wrong with an opening statement; None where it can be used.

    Args:
        case: The statement.
        evidence: Ids that can be cited.
    """
    count = len(case.points)
    problems = [] if LEAST_POINTS <= count <= MOST_POINTS else [f"There are {count} points; give 3 to 5."]
    for number, point in enumerate(case.points, 1):
        if not point.evidence:
            problems.append(f"Point {number} cites no evidence; cite the ids that it rests on.")
        problems += _unknown(f"Point {number}", point.evidence, evidence)
    return " ".join(problems) or None


def rebuttal_problems(
    rebuttal: DebateRebuttal, side: DebateSide, statements: Mapping[str, str], evidence: Collection[str]
) -> str | None:
    """Return what is wrong with a rebuttal; None where it can be used.

    Args:
        rebuttal: The rebuttal.
        side: Who speaks.
        statements: What the other side said, by id.
        evidence: Ids that can be cited.
    """
    count = len(rebuttal.counters)
    problems = [] if 1 <= count <= MOST_COUNTERS else [f"There are {count} answers; give 1 to {MOST_COUNTERS}."]
    for number, counter in enumerate(rebuttal.counters, 1):
        where = f"Answer {number}"
        said = statements.get(counter.point)
        if said is None:
            known = ", ".join(statements)
            problems.append(
                f"{where} answers {counter.point}, which is no argument of the {OTHER_SIDE[side]}; those are {known}."
            )
        elif not is_quoted(counter.quote, said):
            problems.append(f"{where}: the quote is not verbatim in {counter.point}; copy its words exactly.")
        problems += _unknown(where, counter.evidence, evidence)
    return " ".join(problems) or None


def verdict_problems(verdict: DebateVerdict, evidence: Collection[str]) -> str | None:
    """Return what is wrong with a verdict; None where it can be used.

    Args:
        verdict: The verdict.
        evidence: Ids that can be cited.
    """
    count = len(verdict.contentions)
    problems = (
        [] if LEAST_CONTENTIONS <= count <= MOST_CONTENTIONS else [f"There are {count} contentions; give 2 to 5."]
    )
    if verdict.other_conviction == verdict.conviction:
        problems.append("other_conviction equals conviction; name a condition that would change it.")
    for number, contention in enumerate(verdict.contentions, 1):
        problems += _unknown(f"Contention {number}", contention.evidence, evidence)
    buckets = verdict.evidence
    problems += _unknown("evidence", [*buckets.bull, *buckets.bear, *buckets.disputed], evidence)
    placed = [*buckets.bull, *buckets.bear, *buckets.disputed]
    if twice := sorted({label for label in placed if placed.count(label) > 1}):
        problems.append(f"{', '.join(twice)} stands in two buckets; put it in one.")
    return " ".join(problems) or None


def is_quoted(quote: str, statement: str) -> bool:
    """Tell whether words stand verbatim in a statement; white space and the form of quotation marks do not count."""
    words, said = _plain(quote), _plain(statement)
    return len(words) >= min(SHORTEST_QUOTE, len(said)) and words in said


def _plain(text: str) -> str:
    return " ".join(text.translate(_QUOTATION_MARKS).split()).strip(' "')


def _unknown(where: str, cited: Sequence[str], known: Collection[str]) -> list[str]:
    wrong = [label for label in dict.fromkeys(cited) if label not in known]
    return [f"{where} cites {', '.join(wrong)}, which does not exist."] if wrong else []
