"""Whether a question asks what a term means: `what's a P/E ratio`, `was ist ne Dividendenrendite`, 市盈率是什么意思."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tradingagents.retrieval.questions.plain_words import plain_words

_FILLED = r"(?:(?:eigentlich|denn|uberhaupt|genau|bitte|nochmal|even|actually|really|exactly)\s+)*"
_NAME = r"(?P<term>[a-z]+(?: [a-z]+){0,2})"
_ASKS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"^(?:.* )?what (?:is|are|s)(?: meant by)? {_FILLED}(?:an?|that|this|those)(?P<term> .+)$",
        rf"^(?:.* )?what (?:do|does|is) (?P<term>.+?) {_FILLED}(?:mean|stand for|about)\b.*$",
        rf"^(?:.* )?(?:what|how) (?:do|does|would) (?:an? |the ){_NAME} (?:do|affect|change)\b.*$",
        r"^(?:.* )?how (?:do|does|would) (?:you|one|i|we) (?:work out|calculate|compute|figure out)(?P<term> .+)$",
        r"^(?:.* )?how (?:is|are)(?P<term> .+?) (?:worked out|calculated|computed)\b.*$",
        r"^(?:.* )?wie (?:berechnet man|wird|werden)(?P<term> .+?)(?: berechnet| errechnet)?$",
        rf"^(?:.* )?was (?:macht|bewirkt|andert) (?:eine?[nmrs]? ){_NAME} (?:mit|bei|an|fur)\b.*$",
        r"^(?:.* )?what (?:is|are) (?P<term>[a-z]+(?: [a-z]+){0,2}) and .+$",
        r"^(?:.* )?(?:explain|define|meaning of|definition of)(?: me| to me| what)?(?: an?| the)?(?P<term> .+)$",
        rf"^(?:.* )?was (?:ist|is|sind) {_FILLED}(?:eine?[nmrs]?|nen?|n)(?P<term> .+)$",
        rf"^(?:.* )?was (?:bedeutet|heisst|heit|bedeuten|heissen) {_FILLED}(?P<term>.+)$",
        r"^(?:.* )?(?:erklar|erklare)(?: mir)?(?P<term> .+)$",
        r"^(?P<term>.+?)(?:到底|究竟)?(?:是什么意思|什么意思|是啥意思|是啥|是什么东西|是什么概念)",
        r"^(?:请问)?(?:什么是|什么叫|啥是|啥叫|解释一下|解释|请解释)(?P<term>.+)$",
    )
)


_FOR_SOMETHING = re.compile(
    r"\bmeans? for (?:the )?(?:stocks?|shares|equities|markets?|investors|economy|bonds?|prices|tech|me|us)\b"
    r"|\bbedeute[nt]? .{1,40} fur (?:die )?(?:aktien|markte?|anleger|kurse|wirtschaft)\b|对.{1,12}(?:意味着|影响)"
)
"""Words that ask what something does to something else, which no explanation of a term says."""


def asked_term(text: str) -> str:
    """Return, in plain letters, what a question asks the meaning of; empty where it asks for no meaning."""
    plain = plain_words(text)
    if _FOR_SOMETHING.search(plain):
        return ""
    return next((found["term"].strip() for pattern in _ASKS if (found := pattern.match(plain))), "")


def term_in(asked: str, names: Iterable[tuple[str, str]]) -> str:
    """Return which term is meant: that of the longest name that stands in what is asked; empty for none.

    Args:
        asked: What the meaning is asked of, in plain letters.
        names: Each name in plain letters, with the key of its term.
    """
    found = [
        (len(name), key, name)
        for name, key in names
        if (f" {name} " in f" {asked} " if name.isascii() else name in asked)
    ]
    _, key, name = max(found, default=(0, "", ""))
    return "" if name and _is_longer(asked, name) else key


_BEFORE = frozenset({"ev", "forward", "net", "gross", "operating", "adjusted", "negative", "trailing"})
_BEHIND = frozenset({"yield", "margin", "growth", "per", "conversion", "rendite", "marge", "wachstum"})
_BEHIND_SIGNS = ("收益率", "比率", "率", "增长")


def _is_longer(asked: str, name: str) -> bool:
    """Tell whether a name is part of a longer one: `free cash flow yield` is no free cash flow."""
    before, _, behind = f" {asked} ".partition(f" {name} " if name.isascii() else name)
    if not name.isascii():
        return behind.strip().startswith(_BEHIND_SIGNS)
    return bool(_BEFORE & set(before.split()[-1:]) or _BEHIND & set(behind.split()[:1]))
