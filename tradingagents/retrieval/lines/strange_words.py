"""Words of a question that no table of the filings has: they name no row, and an answer without them says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial

from tradingagents.retrieval.index.words import stem, words_of
from tradingagents.retrieval.lines.asked.asked_labels import is_filler, verb_forms
from tradingagents.retrieval.lines.company_books import LineBooks
from tradingagents.retrieval.lines.line_questions import LineQuestion
from tradingagents.retrieval.lines.parts.listed_parts import is_figure_word
from tradingagents.retrieval.lines.wording import row_words

_OF_THE_WHOLE = frozenset({"global", "worldwide", "companywide", "overall"})
"""Words that ask for no part."""
_OF_PARTS = frozenset({"unit", "business", "side", "operations", "franchise", "brand", "department", "dept", "dep"})
"""Words that only call what stands before them a part of a company, as `the consulting unit`."""
_LINKS = frozenset({"of", "and", "&"})


def without_strange_words(
    asked: LineQuestion,
    companies: Sequence[LineBooks],
    names: frozenset[str] = frozenset(),
    brands: frozenset[str] = frozenset(),
) -> tuple[LineQuestion, tuple[str, ...]]:
    """Return a question without the words that no table read so far has, and these words.

    Args:
        asked: The question.
        companies: Their filings have been read for it.
        names: Words of other names of the companies, which name no row.
        brands: Words of names of their parts: where no table has them they name none either.

    A word beside one that is kept is a part of its name, as in `Humira biosimilar revenue`, and stays; so does a name,
    which a question writes in capitals, and a word for a figure, as `profit`. A phrase keeps a word at least: without
    it the whole would stand in place of a part. One goes as a whole where others have all words of it that are known.
    Verbs of what companies do, as `sold`, go wherever they stand: they ask for the figure of what they govern. So do
    words that call a part one, as `unit`, after its name.
    """
    known = frozenset().union(*(books.words_read for books in companies))
    phrases = (*asked.labels, *asked.alternatives, *(label for _, label in asked.own_labels))
    alone = _words_alone(asked.text)
    unknown = {
        word
        for label in phrases
        for word in label.split()
        if not (word in _LINKS or is_figure_word(word))
        and re.fullmatch(r"[a-z'-]+", word)
        and not _stems(word) <= known
    }
    strange = unknown & (alone | brands) | names
    strange |= {word for label in asked.labels for word in label.split() if _repeats(label, asked.labels, unknown)}
    verbs = {word for label in phrases for word in label.split() if not _is_of_figure(word, label)}
    verbs &= verb_forms("of_trade_verbs")
    asked = _without_bare_verbs(asked, verbs)
    dropped: dict[str, None] = {}
    shortened = partial(_shortened, strange | verbs | _OF_THE_WHOLE, dropped)
    labels = [shortened(label) for label in asked.labels]
    alternatives = [shortened(label) or label for label in asked.alternatives]
    if asked.labels and not any(labels):
        return asked, ()
    kept = [
        label or before
        for label, before in zip(labels, asked.labels, strict=True)
        if label or before in asked.alternatives
    ]
    changed = replace(
        asked,
        labels=tuple(dict.fromkeys(kept)),
        alternatives=tuple(dict.fromkeys(alternatives)),
        apart=frozenset(shortened(label) or label for label in asked.apart),
        own_labels=tuple(
            (number, shortened(label) or label)
            for number, label in asked.own_labels
            if not (set(label.split()) <= strange & brands and asked.labels)  # another name of its company
        ),
    )
    return changed, tuple(word for word in dropped if word not in _OF_THE_WHOLE | verbs)


def _is_of_figure(word: str, label: str) -> bool:
    """Whether a word says of what the figure after it is, as in `shipping costs`, and is no verb of its clause."""
    words = label.split()
    after = words[words.index(word) + 1 :]
    return word.endswith("ing") and bool(after) and is_figure_word(after[0])


def _without_bare_verbs(asked: LineQuestion, verbs: AbstractSet[str]) -> LineQuestion:
    """Return a question without phrases that are a verb alone, where it names something else."""
    bare = {label for label in asked.labels if set(label.split()) <= verbs}
    others = tuple(label for label in asked.labels if label not in bare)
    if not bare or not (others or asked.measures or asked.own_labels):
        return asked
    listed = tuple(label for label in asked.alternatives if label not in bare)
    alternatives = listed if len(listed) > 1 else ()
    return replace(asked, labels=others, alternatives=alternatives, apart=asked.apart & frozenset(alternatives))


def _shortened(strange: Iterable[str], dropped: dict[str, None], label: str) -> str:
    """Return a phrase without strange words; empty where nothing is left."""
    words = label.split()
    kept = [word for word in words if word not in strange]
    while len(kept) > 1 and kept[-1] in _OF_PARTS and not is_figure_word(kept[-2]):
        kept.pop()
    while kept and kept[0] in _LINKS:
        kept.pop(0)
    while kept and kept[-1] in _LINKS:
        kept.pop()
    dropped |= dict.fromkeys(word for word in words if word in strange)
    return " ".join(kept)


def _repeats(label: str, labels: Sequence[str], unknown: Iterable[str]) -> bool:
    """Whether a phrase has words that no table has, and other phrases have all the rest of it."""
    known = {word for word in label.split() if word not in unknown and word not in _LINKS}
    others = {word for other in labels if other != label for word in other.split()}
    return known < set(label.split()) and known <= others


def _words_alone(text: str) -> frozenset[str]:
    """Return the words in small letters that stand beside words without meaning for a row alone."""
    found: set[str] = set()
    for clause in re.split(r"[?!:;,.()]\s|\s-{1,2}\s|[?!.)]$", text):
        words = re.findall(r"[\w&'\u2019-]+|[\ue000-\uf8ff]", clause)
        beside = ["", *(word.lower() for word in words), ""]
        for at, word in enumerate(words, start=1):
            if word == word.lower() and all(not each or is_filler(each) for each in (beside[at - 1], beside[at + 1])):
                found.add(word)
    return frozenset(found)


def _stems(word: str) -> frozenset[str]:
    return frozenset(map(stem, words_of(row_words(word))))
