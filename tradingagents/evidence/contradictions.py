"""Contradictions in evidence: found by rule, decided by the rank of the source and its age, or left with both sides.

Two items contradict each other where one supports a hypothesis and the other speaks against it, or where they move one
driver of the value in opposite directions in the same years. Where their claims are about the same matter, only one can
be right: a filing outranks a call, a call outranks news, and of equal ranks the newer one prevails. What is overruled
stays in the bundle, but moves neither confidence nor value. Claims about different matters may both be right and stand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from tradingagents.retrieval.index.words import stem, stems_of, words_of
from tradingagents.schemas.evidence import EvidenceItem, SourceKind

RANKS: Mapping[SourceKind, int] = {
    **dict.fromkeys(("filing", "statement", "insiders", "prices", "macro"), 3),
    **dict.fromkeys(("call", "estimates", "peers"), 2),
    "news": 1,
}
"""What was filed or measured outranks what was said or expected, and that what was reported."""
SAME_MATTER = 0.6
"""Share of the words of the shorter claim that both must have, at least two, to be about the same matter."""
LEAST_SHARED = 2
WHOLE_HYPOTHESIS = "the hypothesis"
_DIRECTIONS = (
    "rise rose risen rising fall fell fallen grow grew grown growing increase decrease decline improve worsen higher "
    "lower up down drop shrink shrank expand contract slow accelerate gain lose lost"
)
"""Words that tell the direction, which is what two claims differ in."""
_YEARS = range(1990, 2100)


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Two items that cannot, or need not, both be right."""

    supports: EvidenceItem
    """Of the two, the one that supports its hypothesis or raises the driver."""
    contradicts: EvidenceItem
    about: str
    """The driver, or the hypothesis as a whole."""
    prevails: str
    """Id of the item that is right by rank or age; empty where both stand."""
    why: str
    """Why it prevails, or why both stand."""

    @property
    def overruled(self) -> str:
        """Id of the item that does not count; empty where both stand."""
        if not self.prevails:
            return ""
        return self.contradicts.id if self.prevails == self.supports.id else self.supports.id


def contradictions(items: Collection[EvidenceItem]) -> list[Contradiction]:
    """Return the contradictions among items, those that are decided first, then by how sure both sides are.

    All that are decided are returned, and of the others the surest pair for each driver and hypothesis.
    """
    pairs = sorted(_pairs(items), key=_order)
    overruled: set[str] = set()
    found = []
    topics: set[tuple[str, str]] = set()
    for one in pairs:
        if one.prevails and not {one.supports.id, one.contradicts.id} & overruled:
            overruled.add(one.overruled)
            found.append(one)
    for one in pairs:
        topic = (one.about, one.supports.hypothesis)
        stands = not {one.supports.id, one.contradicts.id} & overruled
        if not one.prevails and stands and topic not in topics:
            topics.add(topic)
            found.append(one)
    return found


def upheld(items: Collection[EvidenceItem]) -> list[EvidenceItem]:
    """Return the items that no other overrules, in the order given."""
    overruled = {one.overruled for one in contradictions(items)}
    return [item for item in items if item.id not in overruled]


def same_matter(one: str, other: str) -> bool:
    """Return whether two claims are about the same matter and period.

    >>> same_matter("Gross margin rose to 44.1% in 2024", "The gross margin fell to 41% in 2024")
    True
    >>> same_matter("Gross margin rose to 44.1% in 2024", "The gross margin fell to 41% in 2023")
    False
    """
    first, second = _matter(one), _matter(other)
    years, others = ({word for word in found if word.isdigit()} for found in (first, second))
    if years and others and not years & others:
        return False
    words, known = first - years, second - others
    shared = len(words & known)
    return shared >= LEAST_SHARED and shared >= SAME_MATTER * min(len(words), len(known))


def _pairs(items: Collection[EvidenceItem]) -> Iterable[Contradiction]:
    moving = [one for one in items if one.effect is not None or one.direction != "neutral"]
    for one, other in combinations(sorted(moving, key=lambda item: item.id), 2):
        if (about := _opposite(one, other)) is not None:
            first, second = (one, other) if _is_for(one, about) else (other, one)
            yield _decided(first, second, about)


def _opposite(one: EvidenceItem, other: EvidenceItem) -> str | None:
    """Return what two items disagree about; None for nothing."""
    if one.effect is not None and other.effect is not None and one.effect.driver == other.effect.driver:
        years = range(
            max(one.effect.first_year, other.effect.first_year), min(one.effect.last_year, other.effect.last_year) + 1
        )
        if one.effect.change * other.effect.change < 0 and years:
            return one.effect.driver
    if one.hypothesis == other.hypothesis and {one.direction, other.direction} == {"supports", "contradicts"}:
        return WHOLE_HYPOTHESIS
    return None


def _is_for(one: EvidenceItem, about: str) -> bool:
    if about == WHOLE_HYPOTHESIS or one.effect is None:
        return one.direction == "supports"
    return one.effect.change > 0


def _decided(supports: EvidenceItem, contradicts: EvidenceItem, about: str) -> Contradiction:
    def outcome(prevails: EvidenceItem | None, why: str) -> Contradiction:
        return Contradiction(supports, contradicts, about, prevails.id if prevails is not None else "", why)

    if not same_matter(supports.claim, contradicts.claim):
        return outcome(None, "they are about different matters")
    kinds = [one.source.kind for one in (supports, contradicts)]
    ranks = [RANKS[kind] for kind in kinds]
    if ranks[0] != ranks[1]:
        best, worst = (0, 1) if ranks[0] > ranks[1] else (1, 0)
        return outcome((supports, contradicts)[best], f"the source {kinds[best]} outranks {kinds[worst]}")
    days = [one.source.known_at for one in (supports, contradicts)]
    if days[0] == days[1]:
        return outcome(None, "their sources have the same rank and age")
    newer = supports if days[0] > days[1] else contradicts
    return outcome(newer, f"the source of {max(days):%Y-%m-%d} is newer than that of {min(days):%Y-%m-%d}")


def _order(one: Contradiction) -> tuple[int, float, str, str]:
    """Return by what contradictions are sorted: the strongest winner first, then the surest pair."""
    sides = (one.supports, one.contradicts)
    rank = max(RANKS[side.source.kind] for side in sides) if one.prevails else 0
    return -rank, -sum(side.confidence for side in sides), one.supports.id, one.contradicts.id


@lru_cache(maxsize=20_000)
def _matter(claim: str) -> frozenset[str]:
    """Return the stems that name the matter of a claim, and its years; no other figures and no directions."""
    years = {word for word in words_of(claim) if word.isdigit() and int(word) in _YEARS}
    return frozenset(word for word in stems_of(claim) if not word[0].isdigit() and word not in _directions()) | years


@lru_cache(maxsize=1)
def _directions() -> frozenset[str]:
    return frozenset(stem(word) for word in _DIRECTIONS.split())
