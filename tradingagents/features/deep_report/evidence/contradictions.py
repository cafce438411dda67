"""Contradictions in evidence: found by rule, decided by the rank of the source and its age, or left with both sides.

Two items contradict each other where one supports a hypothesis and the other speaks against it, or where they move one
driver of the value in opposite directions in the same years. Where their claims are about the same matter, only one can
be right: a filing outranks a call, a call outranks news, and of equal ranks the newer one prevails. What is overruled
stays in the bundle, but moves neither confidence nor value. Claims about different matters may both be right and stand.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from operator import itemgetter

from tradingagents.features.deep_report.schemas.thesis import Contradiction
from tradingagents.retrieval.index.words import stem, stems_of, words_of
from tradingagents.schemas.evidence import DriverEffect, EvidenceItem, SourceKind

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


Ranked = tuple[tuple[int, float, str, str], Contradiction]
"""A contradiction with what it is sorted by: the strongest winner first, then the surest pair."""


def contradictions(items: Collection[EvidenceItem]) -> list[Contradiction]:
    """Return the contradictions among items, those that are decided first, then by how sure both sides are.

    All that are decided are returned, and of the others the surest pair for each driver and hypothesis.
    """
    groups = _groups(items)
    overruled: set[str] = set()
    found: dict[frozenset[str], Contradiction] = {}
    for pair in _sorted(ranked for group in groups for ranked in group.decided()):
        ids = frozenset((pair.supports, pair.contradicts))
        if ids not in found and not ids & overruled:
            overruled.add(pair.overruled)
            found[ids] = pair
    for pair in _sorted(ranked for group in groups for ranked in group.surest(overruled)):
        found.setdefault(frozenset((pair.supports, pair.contradicts)), pair)
    return list(found.values())


def _sorted(found: Iterable[Ranked]) -> list[Contradiction]:
    return [pair for _, pair in sorted(found, key=itemgetter(0))]


def upheld(items: Collection[EvidenceItem], found: Iterable[Contradiction] | None = None) -> list[EvidenceItem]:
    """Return the items that no other overrules, in the order given; `found` are their contradictions, where known."""
    overruled = {pair.overruled for pair in (contradictions(items) if found is None else found)}
    return [item for item in items if item.id not in overruled]


def same_matter(claim: str, other: str) -> bool:
    """Return whether two claims are about the same matter and period.

    >>> same_matter("Gross margin rose to 44.1% in 2024", "The gross margin fell to 41% in 2024")
    True
    >>> same_matter("Gross margin rose to 44.1% in 2024", "The gross margin fell to 41% in 2023")
    False
    >>> same_matter("Europe net sales rose in 2024", "Wearables net sales fell in 2024")
    False
    """
    return _agree(_matter(claim), _matter(other))


@dataclass(frozen=True, slots=True)
class _Matter:
    words: frozenset[str]
    years: frozenset[str]
    first: str
    """The word with which the claim begins: mostly its subject."""


@dataclass(frozen=True, slots=True)
class _Group:
    """The items on both sides of one question: a driver's, or one hypothesis's."""

    about: str
    supports: list[EvidenceItem]
    contradicts: list[EvidenceItem]

    def decided(self) -> Iterator[Ranked]:
        """Yield the contradictions about one matter that rank or age decides."""
        matters = {item.id: _matter(item.claim) for item in (*self.supports, *self.contradicts)}
        for item, other in self._pairs():
            if _agree(matters[item.id], matters[other.id]):
                made = _decided(item, other, self.about)
                if made.prevails:
                    yield _order(item, other, made), made

    def surest(self, overruled: Collection[str]) -> Iterator[Ranked]:
        """Yield the surest pair of which nothing decides; nothing where there is none."""
        for item, other in self._pairs():
            if item.id not in overruled and other.id not in overruled:
                made = _decided(item, other, self.about)
                if not made.prevails:
                    yield _order(item, other, made), made
                    return

    def _pairs(self) -> Iterator[tuple[EvidenceItem, EvidenceItem]]:
        """Yield both sides of the same years, the surest first."""
        pairs = product(sorted(self.supports, key=_sureness), sorted(self.contradicts, key=_sureness))
        if self.about == WHOLE_HYPOTHESIS:
            yield from pairs
        else:
            yield from ((item, other) for item, other in pairs if _overlap(item.effect, other.effect))


def _groups(items: Iterable[EvidenceItem]) -> list[_Group]:
    """Return what items may disagree about: drivers, then hypotheses."""
    groups: dict[tuple[str, str], _Group] = {}

    def group(about: str, hypothesis: str) -> _Group:
        return groups.setdefault((about, hypothesis), _Group(about, [], []))

    ordered = sorted(items, key=lambda item: item.id)
    for item in ordered:
        if item.effect is not None and item.effect.change:
            sides = group(item.effect.driver, "")
            (sides.supports if item.effect.change > 0 else sides.contradicts).append(item)
    for item in ordered:
        if item.direction != "neutral":
            sides = group(WHOLE_HYPOTHESIS, item.hypothesis)
            (sides.supports if item.direction == "supports" else sides.contradicts).append(item)
    return list(groups.values())


def _overlap(effect: DriverEffect | None, other: DriverEffect | None) -> bool:
    if effect is None or other is None:
        return False
    return max(effect.first_year, other.first_year) <= min(effect.last_year, other.last_year)


def _agree(matter: _Matter, other: _Matter) -> bool:
    if matter.years and other.years and not matter.years & other.years:
        return False
    if matter.first not in other.words and other.first not in matter.words:
        return False  # sales of Europe against sales of tablets
    shared = len(matter.words & other.words)
    return shared >= LEAST_SHARED and shared >= SAME_MATTER * min(len(matter.words), len(other.words))


def _sureness(item: EvidenceItem) -> tuple[float, str]:
    return -item.confidence, item.id


def _decided(supports: EvidenceItem, contradicts: EvidenceItem, about: str) -> Contradiction:
    def outcome(prevails: EvidenceItem | None, why: str) -> Contradiction:
        return Contradiction(
            hypothesis=supports.hypothesis,
            supports=supports.id,
            contradicts=contradicts.id,
            about=about,
            prevails=prevails.id if prevails is not None else "",
            why=why,
        )

    if not same_matter(supports.claim, contradicts.claim):
        return outcome(None, "they are about different matters")
    kinds = [item.source.kind for item in (supports, contradicts)]
    ranks = [RANKS[kind] for kind in kinds]
    if ranks[0] != ranks[1]:
        best, worst = (0, 1) if ranks[0] > ranks[1] else (1, 0)
        return outcome((supports, contradicts)[best], f"the source {kinds[best]} outranks {kinds[worst]}")
    days = [item.source.known_at for item in (supports, contradicts)]
    if days[0] == days[1]:
        return outcome(None, "their sources have the same rank and age")
    newer = supports if days[0] > days[1] else contradicts
    return outcome(newer, f"the source of {max(days):%Y-%m-%d} is newer than that of {min(days):%Y-%m-%d}")


def _order(supports: EvidenceItem, contradicts: EvidenceItem, found: Contradiction) -> tuple[int, float, str, str]:
    sides = (supports, contradicts)
    rank = max(RANKS[side.source.kind] for side in sides) if found.prevails else 0
    return -rank, -sum(side.confidence for side in sides), supports.id, contradicts.id


@lru_cache(maxsize=20_000)
def _matter(claim: str) -> _Matter:
    """Return the stems that name the matter of a claim, without figures and directions, and its years."""
    years = frozenset(word for word in words_of(claim) if word.isdigit() and int(word) in _YEARS)
    words = [w for w in stems_of(claim) if not w[0].isdigit() and w not in _directions()]
    return _Matter(frozenset(words), years, words[0] if words else "")


@lru_cache(maxsize=1)
def _directions() -> frozenset[str]:
    return frozenset(stem(word) for word in _DIRECTIONS.split())
