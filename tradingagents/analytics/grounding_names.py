"""Names of companies, sectors and indices, learnt from the tables of the answers that a run was given."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from tradingagents.analytics.grounding_words import Kind, Phrases, common_phrases, phrase_book, tokens

_NAME_COLUMNS = frozenset(("symbol", "ticker", "name", "company", "index", "sector", "industry", "insider", "fund"))
_PLAIN_NAMES = frozenset(
    "consumer information communication health real specialty industrial electrical household integrated discount packaged "
    "aerospace farm group global first american united national general international energy materials".split()
)
_SYMBOL = re.compile(r"\^?[A-Z][A-Z0-9]*(?:[.-][A-Z0-9]+)?=?[A-Z]*|\d{3,6}\.[A-Z]{1,3}")


def names_in(answers: Iterable[str], subject: tuple[str, ...]) -> Phrases:
    """Return the names that answers use in their tables, each with the symbol or first name it stands for."""
    pairs: list[tuple[str, Kind, str]] = [(one, "subject", subject[0].lower()) for one in _said(subject)]
    for answer in answers:
        columns: list[int] = []
        header: list[str] = []
        for line in answer.split("\n"):
            if not line.startswith("|"):
                header = []
                continue
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if not header:
                header = cells
                columns = [at for at, name in enumerate(cells[:2]) if name.lower() in _NAME_COLUMNS]
                continue
            own = [cells[at] for at in columns if at < len(cells)]
            if own and not own[0].startswith("---"):
                pairs += _aliases(own)
                if "benchmark" in cells:
                    pairs.append((own[0], "subject", "@fund"))
    return phrase_book(pairs, common_phrases())


def _aliases(own: Sequence[str]) -> list[tuple[str, Kind, str]]:
    names = [part for name in own for part in re.split(r"\s*[()]\s*", name) if part]
    symbol = next((name for name in names if _SYMBOL.fullmatch(name)), names[0]).lower()
    return [(name, "subject", symbol) for name in _said(names)]


def _said(names: Sequence[str]) -> list[str]:
    """Return names with the short forms that people use: `Groverly` for Groverly Markets."""
    short = []
    if any(_SYMBOL.fullmatch(name) for name in names):
        for name in names:
            words = [word for word, _, _ in tokens(name)]
            if len(words) > 1 and len(words[0]) > 4 and words[0] not in _PLAIN_NAMES:
                short.append(words[0])
    return [*names, *short]
