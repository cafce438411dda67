"""What kind of question is asked, told by the phrasings of `phrasings.yaml` that a question is nearest to.

A phrasing is near where it shares rare words, or parts of them, and, where the extra `embeddings` is installed, where
its static vector points the same way. Below a threshold, chosen on the development half of the questions in
`tests/retrieval/questions`, a question is not understood.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tradingagents.files.yaml_file import packaged_table
from tradingagents.retrieval.questions.plain_words import IN_CJK, plain_words

if TYPE_CHECKING:
    from tradingagents.retrieval.store.vectors import TextVectors

LANGUAGES = ("en", "de", "fr", "es", "zh", "ja")
NEAR_BY_WORDS, NEAR_BY_VECTORS = 0.35, 0.4
"""Nearness from which on a question is of a kind, by words alone and by words and vectors together."""
VECTOR_WEIGHT = 0.3
WRONG_SUBJECT = 0.1
"""What a kind that is about no company loses where a company is named."""
PART_WEIGHT = 0.3
"""What four letters of a word weigh beside the whole word."""
BEST_WEIGHT, MOST_PHRASINGS = 0.8, 3
"""A kind is as near as its nearest phrasing, and a little as the nearest few."""
_MEANINGFUL = re.compile("[\u3400-\u9fff\u30a0-\u30ff]")
"""Signs that mean something alone: not those of Japanese endings."""
_STANDS_FOR_COMPANY = re.compile(r"(?<![A-Za-z])[XY](?![A-Za-z])")


@dataclass(frozen=True, slots=True)
class QuestionKind:
    """A kind of question."""

    name: str
    phrasings: tuple[str, ...]
    """Without the companies that they are about."""
    company: bool = False
    """Whether it is about a company."""
    example: str = ""
    """A question of the kind that can be asked."""
    declined: str = ""
    """Why a question of the kind gets no answer; empty where it may get one."""
    languages: tuple[str, ...] = ()
    """Of each phrasing."""
    of_companies: bool = False
    """Whether a question that names a company may be of the kind."""

    def words(self) -> frozenset[str]:
        """Return the words of its phrasings."""
        return frozenset(word for phrasing in self.phrasings for word in phrasing.split())


@dataclass(frozen=True, slots=True)
class KindMatch:
    """The kind that a question is nearest to."""

    kind: QuestionKind
    nearness: float
    """0 to 1."""
    near: bool
    """Whether it is near enough to be of the kind."""
    language: str = "en"
    """Of the nearest phrasing."""


@cache
def _written() -> Mapping[str, Mapping[str, Any]]:
    read: Mapping[str, Mapping[str, Any]] = packaged_table(__package__, "phrasings.yaml")
    return read


@cache
def question_kinds() -> Mapping[str, QuestionKind]:
    """Return the kinds of `phrasings.yaml` by name."""
    return {
        name: QuestionKind(
            name,
            tuple(plain_words(_STANDS_FOR_COMPANY.sub(" ", each)) for language in LANGUAGES for each in kind[language]),
            kind.get("company", False),
            kind.get("example", ""),
            kind.get("declined", ""),
            tuple(language for language in LANGUAGES for _ in kind[language]),
            bool(kind.get("company") or (kind.get("declined") and not kind.get("general"))),
        )
        for name, kind in _written().items()
    }


def phrasings_as_written(name: str) -> tuple[str, ...]:
    """Return the phrasings of a kind, with `X` for companies."""
    kind = _written()[name]
    return tuple(each for language in LANGUAGES for each in kind[language])


def _features(plain: str) -> tuple[str, ...]:
    """Return words and parts of words; of Chinese and Japanese signs and pairs of signs."""
    found: set[str] = set()
    for word in plain.split():
        if IN_CJK.search(word):
            found |= {word[at : at + 2] for at in range(len(word) - 1)} or {word}
            found |= set(_MEANINGFUL.findall(word))
            continue
        found.add(word)
        if len(word) > 3:
            edged = f"<{word}>"
            found |= {f"#{edged[at : at + 4]}" for at in range(len(edged) - 3)}
    return tuple(sorted(found))


class KindReader:
    """Finds the kind of a question by the phrasings of each kind."""

    def __init__(self, kinds: Mapping[str, QuestionKind], vectors: TextVectors | None = None) -> None:
        """Index the phrasings.

        Args:
            kinds: The kinds by name.
            vectors: Turns texts into vectors; None: words alone decide.
        """
        self._kinds = list(kinds.values())
        phrasings = [(number, plain) for number, kind in enumerate(self._kinds) for plain in kind.phrasings]
        self._kind_of = np.array([number for number, _ in phrasings])
        self._languages = [language for kind in self._kinds for language in kind.languages]
        features = [_features(plain) for _, plain in phrasings]
        self._counts = Counter(feature for each in features for feature in each)
        self._size = len(phrasings)
        self._holding: defaultdict[str, list[int]] = defaultdict(list)
        for place, each in enumerate(features):
            for feature in each:
                self._holding[feature].append(place)
        self._lengths = np.array([self._length(each) or 1.0 for each in features])
        self._vectors = vectors
        self._placed = vectors.passages([plain or " " for _, plain in phrasings]) if vectors else None

    def match(self, plain: str, *, about_company: bool) -> KindMatch:
        """Return the kind that a question is nearest to.

        Args:
            plain: The question by `plain_words`, without companies, periods and days.
            about_company: Whether it names a company.
        """
        if not plain:
            return KindMatch(next(kind for kind in self._kinds if "" in kind.phrasings), 1.0, about_company)
        by_words = self._by_words(plain)
        nearness = self._of_kinds(by_words)
        least = NEAR_BY_WORDS
        if self._vectors is not None and self._placed is not None:
            by_vector = self._placed @ self._vectors.query(plain)
            nearness = (1 - VECTOR_WEIGHT) * nearness + VECTOR_WEIGHT * self._of_kinds(by_vector)
            least = NEAR_BY_VECTORS
        if about_company:
            nearness -= WRONG_SUBJECT * np.array([not kind.of_companies for kind in self._kinds])
        best = int(np.argmax(nearness))
        language = self._languages[int(np.argmax(np.where(self._kind_of == best, by_words, -1.0)))]
        return KindMatch(self._kinds[best], float(nearness[best]), bool(nearness[best] >= least), language)

    def _weight(self, feature: str) -> float:
        rare = math.log((self._size + 1) / (self._counts[feature] + 0.5))
        return rare * (PART_WEIGHT if feature.startswith("#") else 1.0)

    def _length(self, features: Sequence[str]) -> float:
        return math.sqrt(sum(self._weight(feature) ** 2 for feature in features))

    def _by_words(self, plain: str) -> NDArray[np.float64]:
        """Return the cosine of a question and each phrasing over their weighted words."""
        shared, asked = np.zeros(self._size), _features(plain)
        for feature in asked:
            if places := self._holding.get(feature):
                shared[places] += self._weight(feature) ** 2
        found: NDArray[np.float64] = shared / (self._lengths * (self._length(asked) or 1.0))
        return found

    def _of_kinds(self, of_phrasings: NDArray[np.float64] | NDArray[np.float32]) -> NDArray[np.float64]:
        found = np.zeros(len(self._kinds))
        for number in range(len(self._kinds)):
            best = np.sort(of_phrasings[self._kind_of == number])[::-1][:MOST_PHRASINGS]
            found[number] = BEST_WEIGHT * best[0] + (1 - BEST_WEIGHT) * best.mean()
        return found


@cache
def kind_reader() -> KindReader:
    """Return the reader of this installation: with vectors where the extra `embeddings` is installed."""
    # The package of the store opens databases: who reads only figures from a question does without it.
    from tradingagents.retrieval.store.vectors import EmbeddingsMissing, WordVectors

    try:
        return KindReader(question_kinds(), WordVectors())
    except EmbeddingsMissing:
        return KindReader(question_kinds())
