"""Names of companies, sectors and figures, learnt from the tables of the answers that a run was given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tradingagents.provenance.phrases import Phrases, Told, common_phrases, marks, phrase_book, tokens

_NAME_COLUMNS = frozenset(("symbol", "ticker", "name", "company", "index", "sector", "industry", "fund"))
_PLAIN_NAMES = frozenset(
    re.findall(
        r"\w+",
        """
advanced aerospace american applied best block communication consumer digital discount dollar electrical energy farm
first general global group health household industrial information integrated international match materials national
packaged public real royal southern specialty standard state texas united western
""",
    )
)
"""First words of company names that say too little to stand for them."""
_SYMBOL = re.compile(r"\^?[A-Z][A-Z0-9]*(?:[.-][A-Z0-9]+)?=?[A-Z]*|\d{3,6}\.[A-Z]{1,3}")
_FIGURE = re.compile(r"^\| ([a-z][a-z0-9_]+) \|", re.MULTILINE)
_WORDS = 4
"""Most words of a figure's name."""

Pair = tuple[str, Told, str]


def names_in(answers: Iterable[str], subject: tuple[str, ...]) -> Phrases:
    """Return the phrases that hold for every run, and the names that answers use in their tables.

    Args:
        answers: What tools answered, as Markdown.
        subject: Symbol and name of the one stock studied; () for none.
    """
    pairs = list(_aliases(subject)) if subject else []
    for answer in answers:
        header: list[str] = []
        columns: list[int] = []
        for line in answer.split("\n"):
            if not line.startswith("|"):
                header = []
                continue
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not header:
                header = cells
                columns = [at for at, name in enumerate(cells[:2]) if name.lower() in _NAME_COLUMNS]
            elif columns and not cells[0].startswith("---"):
                pairs += _aliases([cells[at] for at in columns if at < len(cells)])
        pairs += _figure_names(answer)
    return phrase_book(pairs, common_phrases())


def _aliases(own: Sequence[str]) -> Iterator[Pair]:
    """Yield what a company, a sector or an index is called, all standing for its symbol or else its name."""
    names = [part for name in own for part in re.split(r"\s*[()]\s*", name) if part and part != "n/a"]
    symbol = next((name for name in names if _SYMBOL.fullmatch(name)), None)
    for name in names:
        if name == symbol:
            yield name, "symbol", name.lower()
            continue
        words = [word for word, *_ in tokens(name)]
        if len(words) > 1 or not marks(tokens(name), common_phrases()):
            yield name, "name" if symbol else "subject", (symbol or names[0]).lower()
        short = words[0] if words else ""
        if symbol and len(words) > 1 and len(short) > 4 and short not in _PLAIN_NAMES | common_phrases().keys():
            yield short, "name", symbol.lower()


def _figure_names(answer: str) -> Iterator[Pair]:
    """Yield names of figures that no phrase of ours knows: `signal_breadth` measures what it is called."""
    for name in _FIGURE.findall(answer):
        words = tokens(name)
        if len(words) <= _WORDS and not any(mark.kind == "concept" for mark in marks(words, common_phrases())):
            yield name, "concept", name
