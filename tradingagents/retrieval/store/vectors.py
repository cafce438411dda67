"""Dense vectors beside the words: a LangChain `Embeddings`, or a small model that comes with its package.

A hybrid search adds what both say. A reranker orders the passages that were found anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tradingagents.errors import ConfigurationError

if TYPE_CHECKING:
    from langchain_core.embeddings import Embeddings


class EmbeddingsMissing(ConfigurationError):
    """The package of a vector model is not installed."""


@dataclass(frozen=True, slots=True)
class HybridWeights:
    """How much vectors and words count in a hybrid search.

    0.7 and 0.3 are usual where words are searched without knowledge of filings; the defaults are what measures best.
    """

    vector: float = 0.1
    keyword: float = 0.9


class TextVectors(Protocol):
    """A model that turns texts into vectors of length 1."""

    @property
    def name(self) -> str:
        """Name of the model: vectors of different models are stored apart."""
        ...

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each text."""
        ...

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question."""
        ...


class Reranker(Protocol):
    """Judges how well passages answer a question, reading both together."""

    def scores(self, query: str, passages: Sequence[str]) -> Sequence[float]:
        """Return a score for each passage; larger is better."""
        ...


class LangChainVectors:
    """Vectors of any LangChain `Embeddings`."""

    def __init__(self, embeddings: Embeddings, name: str) -> None:
        """Take the embeddings and a name that tells this model from others."""
        self._embeddings = embeddings
        self.name = name

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each text."""
        return _unit_length(np.array(self._embeddings.embed_documents(list(texts)), dtype=np.float32))

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question."""
        vectors = _unit_length(np.array([self._embeddings.embed_query(text)], dtype=np.float32))
        return np.asarray(vectors[0], dtype=np.float32)


class WordVectors:
    """Static word vectors that the package `wordllama` carries; nothing is downloaded."""

    name = "wordllama-l2-256"

    def __init__(self) -> None:
        """Load the model.

        Raises:
            EmbeddingsMissing: `wordllama` is not installed.
        """
        try:
            import wordllama
        except ImportError:
            raise EmbeddingsMissing("Local vectors need wordllama; install the extra `embeddings`.") from None
        # The package looks for its own tokenizer in the cache folder only.
        folder = Path(wordllama.__file__).parent
        self._model: Any = wordllama.WordLlama.load(cache_dir=folder, disable_download=True)

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Return a row for each text."""
        if not texts:
            return np.zeros((0, 256), dtype=np.float32)
        return _unit_length(np.asarray(self._model.embed(list(texts)), dtype=np.float32))

    def query(self, text: str) -> NDArray[np.float32]:
        """Return the vector of a question."""
        return np.asarray(self.passages([text])[0], dtype=np.float32)


class CrossEncoderReranker:
    """A cross-encoder of `sentence-transformers`, such as `cross-encoder/ms-marco-MiniLM-L-6-v2`."""

    def __init__(self, model: str) -> None:
        """Load a model by name or folder.

        Raises:
            EmbeddingsMissing: `sentence-transformers` is not installed.
        """
        try:
            from sentence_transformers import CrossEncoder
        except ImportError:
            raise EmbeddingsMissing("A cross-encoder needs the extra `rerank`; install it.") from None
        self._model: Any = CrossEncoder(model)

    def scores(self, query: str, passages: Sequence[str]) -> Sequence[float]:
        """Return a score for each passage; larger is better."""
        return [float(score) for score in self._model.predict([(query, passage) for passage in passages])]


def hybrid_scores(
    keyword: NDArray[np.float32], vector: NDArray[np.float32], weights: HybridWeights
) -> NDArray[np.float32]:
    """Return the weighted sum of the two scores; the vectors' are first spread as widely as the words' are."""
    if not len(keyword):
        return keyword
    spread = float(vector.std())
    width = float(keyword.std()) or 1.0  # no word of the question occurs
    scaled = (vector - vector.mean()) / spread * width + keyword.mean() if spread else vector * 0
    total: NDArray[np.float32] = weights.keyword * keyword + weights.vector * scaled.astype(np.float32)
    return total


def _unit_length(vectors: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)
