"""What a question lists: neighbours that are one name, and words that are said once and meant of each."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from tradingagents.retrieval.index.words import word_list
from tradingagents.retrieval.lines.line_answer import LineValue

_MOST_JOINED = 4
"""Parts of a list that may be one name, as `defense, space and security`."""
IsRow = Callable[..., bool]
"""Whether a label is that of a row; with words said once that the row has to say."""


def joined_names(labels: Sequence[str], apart: AbstractSet[str], is_row: IsRow, *, measured: bool) -> list[str]:
    """Return labels with those neighbours made one that are one row's label, but for those that are set apart.

    Beside a measure a bare figure, as `cost`, is another one.
    """
    found: list[str] = []
    rest = list(labels)
    while rest:
        ends = (at for at in range(1, len(rest)) if rest[at] in apart or (measured and _is_bare_figure(rest[at])))
        most = next(ends, len(rest))
        length = next(
            (count for count in range(min(most, _MOST_JOINED), 1, -1) if is_row(" and ".join(rest[:count]))), 1
        )
        found.append(" and ".join(rest[:length]))
        rest = rest[length:]
    return found


def with_words_of_each(labels: list[str], is_row: IsRow, *, measured: bool, anew: bool = False) -> list[str]:
    """Return labels with the words that are said once and meant of each, where rows answer for them so.

    Args:
        labels: As they are listed.
        is_row: Tells whether a row answers for a label, and says some words.
        measured: Whether a measure is named beside them.
        anew: Whether words are shared though each label is a row by itself, which may be of another figure.
    """
    if not anew and all(map(is_row, labels)) and (measured or len(labels[0].split()) >= len(labels[-1].split())):
        return labels
    for shared, words in _shared(labels):
        if all(is_row(label, words) for label in shared):
            return shared
    return labels


def of_rows_of_one_name(labels: Sequence[str], value: Callable[[str], LineValue]) -> list[str]:
    """Return labels with the first words of the first one said of each, where rows of one name answer for them so.

    Args:
        labels: As they are listed.
        value: Gives the figure of a label, of the nearest row where none is called so.

    Returns:
        Nothing where the others have figures of the same unit by themselves, or where no first words do.
    """
    first, *rest = labels
    words = first.split()
    if len(words) < 2 or not rest:
        return []
    own = value(first)
    others = [value(label) for label in rest]
    if own.value is None or not own.row or all(other.value is not None and other.unit == own.unit for other in others):
        return []
    for count in range(len(words) - 1, 0, -1):
        shared = [f"{' '.join(words[:count])} {label}" for label in rest]
        found = [own, *map(value, shared)]
        named = {each.row.rpartition(" / ")[2] for each in found if each.value is not None and each.unit == own.unit}
        cells = {(operand.document_name, operand.place) for each in found for operand in each.operands}
        if (
            all(each.row.rpartition(" / ")[2] in named for each in found)
            and len(named) == 1
            and len(cells) == len(found)
        ):
            return [first, *shared]
    return []


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
            found += [] if _is_bare_figure(label) else [label]
            continue
        after = next((other for other in labels[at:] if other in heads and not heads[other]), "")
        head = before or next(filter(None, heads.values()), "")
        found.append(f"{label} {_figure_after(after)}" if after or not head else f"{head} {label}")
    return found


def with_figures_of_parts(labels: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the parts that labels beside a measure name, and each bare figure said of each: `leasing sales and cost`.

    All labels are parts where none is one, or no figure stands among them.
    """
    parts = [label for label in labels if not _is_bare_figure(label)]
    bare = [label for label in labels if label not in parts]
    return (parts, [f"{part} {figure}" for figure in bare for part in parts]) if parts else (list(labels), [])


def ends_with_figure(label: str) -> bool:
    """Return whether a label is a figure by itself, as `bitcoin costs`, of which no other measure is wanted."""
    return is_figure_word(label.split()[-1]) and not label.endswith("fixed income")


def _figure_before(label: str) -> str:
    """Return the words up to the figure that a label begins with, as `profit of orbital`; empty where it ends so."""
    words = label.split()
    last = max(at for at, word in enumerate(words) if is_figure_word(word))
    if last == len(words) - 1 and not _is_bare_figure(label):
        return ""
    return " ".join((*words[: last + 1], "of"))


def _is_bare_figure(label: str) -> bool:
    return all(map(is_figure_word, label.split()))


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
        if names_figure(labels[0]) and not names_figure(words):
            return  # `paid net additions, EMEA vs UCAN`: `paid EMEA` may be a row of another figure
        yield [labels[0]] + [f"{words} {label}" for label in labels[1:]], words
