"""What a question lists: neighbours that are one name, and words that are said once and meant of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from tradingagents.retrieval.index.words import word_list

_MOST_JOINED = 4
"""Parts of a list that may be one name, as `defense, space and security`."""
IsRow = Callable[..., bool]
"""Whether a label is that of a row; with words said once that the row has to say."""


def joined_names(labels: Sequence[str], apart: AbstractSet[str], is_row: IsRow) -> list[str]:
    """Return labels with those neighbours made one that are one row's label, but for those that are set apart."""
    found: list[str] = []
    rest = list(labels)
    while rest:
        most = next((at for at in range(1, len(rest)) if rest[at] in apart), len(rest))
        length = next(
            (count for count in range(min(most, _MOST_JOINED), 1, -1) if is_row(" and ".join(rest[:count]))), 1
        )
        found.append(" and ".join(rest[:length]))
        rest = rest[length:]
    return found


def with_words_of_each(labels: list[str], is_row: IsRow, *, measured: bool) -> list[str]:
    """Return labels with the words that are said once and meant of each, where rows answer for them so.

    Args:
        labels: As they are listed.
        is_row: Tells whether a row answers for a label, and says some words.
        measured: Whether a measure is named beside them.
    """
    if all(map(is_row, labels)) and (measured or len(labels[0].split()) >= len(labels[-1].split())):
        return labels
    for shared, words in _shared(labels):
        if all(is_row(label, words) for label in shared):
            return shared
    return labels


def with_figure_of_each(labels: Sequence[str]) -> list[str]:
    """Return labels with the figure that is named once, before or after them, said of each.

    As in `profit of Orbital and Lunar`, `Orbital and Lunar profit`, and `profit: Orbital, Lunar`. The same labels where
    each names a figure, or none does.
    """
    heads = {label: _figure_before(label) for label in labels if names_figure(label)}
    if not heads or len(heads) == len(labels):
        return list(labels)
    found: list[str] = []
    before = ""
    for at, label in enumerate(labels):
        if label in heads:
            before = heads[label]
            found += [] if all(map(is_figure_word, label.split())) else [label]
            continue
        after = next((other for other in labels[at:] if other in heads and not heads[other]), "")
        head = before or next(filter(None, heads.values()), "")
        found.append(f"{label} {_figure_after(after)}" if after or not head else f"{head} {label}")
    return found


def _figure_before(label: str) -> str:
    """Return the words up to the figure that a label begins with, as `profit of orbital`; empty where it ends with it."""
    words = label.split()
    last = max(at for at, word in enumerate(words) if is_figure_word(word))
    if last == len(words) - 1 and not all(map(is_figure_word, words)):
        return ""
    return " ".join((*words[: last + 1], "of"))


def _figure_after(label: str) -> str:
    """Return the words from the first one for a figure on, as `profit` of `lunar profit`."""
    words = label.split()
    first = next((at for at, word in enumerate(words) if is_figure_word(word)), 0)
    return " ".join(words[first:])


def names_figure(label: str) -> bool:
    """Return whether a label says what is measured, as `segment profit`, beside the part it is of."""
    return any(map(is_figure_word, label.split()))


def is_figure_word(word: str) -> bool:
    """Return whether a word names a figure that parts of a company have, as `profit`."""
    return word in word_list("of_figures")


def _shared(labels: Sequence[str]) -> Iterator[tuple[list[str], str]]:
    """Yield lists of labels in which the others have the last words of the last one too, or the first of the first.

    With these words, which a row has to say.
    """
    first, last = labels[0].split(), labels[-1].split()
    for count in range(len(last) - 1, 0, -1):
        words = " ".join(last[-count:])
        yield [f"{label} {words}" for label in labels[:-1]] + [labels[-1]], words
    for count in range(len(first) - 1, 0, -1):
        words = " ".join(first[:count])
        yield [labels[0]] + [f"{words} {label}" for label in labels[1:]], words
