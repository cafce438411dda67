"""Brings writings that mean the same to one: `comps` and `same-store sales` are `comparable sales`."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from importlib.resources import files


@cache
def _words() -> dict[str, dict[str, list[str]]]:
    source = files("tradingagents.retrieval.lines").joinpath("wording.toml")
    return tomllib.loads(source.read_text("utf-8"))


@cache
def _writings(part: str) -> tuple[re.Pattern[str], dict[str, str]]:
    """Return the pattern of all writings of a part, the longest first, and what each is brought to."""
    meanings = {writing: meant for meant, writings in _words()[part].items() for writing in writings}
    longest = sorted(meanings, key=len, reverse=True)
    return re.compile(rf"(?<![\w&-])(?:{'|'.join(map(re.escape, longest))})(?![\w&]|-\w)"), meanings


def _brought(text: str, part: str) -> str:
    pattern, meanings = _writings(part)
    return pattern.sub(lambda found: meanings[found.group()], text)


_TAKEN_OUT = re.compile(
    r"\b(?:if (?:you|we|one) )?(?:tak(?:e|ing)|strip(?:ping)?|leav(?:e|ing)) (?P<what>[^,.;:?]{2,40}?) out\b"
    r"(?: of (?:both|all|the|it|this)(?: (?:years?|figures?|numbers?|periods?|quarters?))?)?"
)


_HOME, _ABROAD = r"(?:at )?home", r"(?:abroad|overseas)"
_LINK = r"(?: market)?,? (?:or|and|vs\.?|versus|than|against)(?: in)?(?: the)?"
_HOME_AND_ABROAD = re.compile(rf"\b{_HOME}(?P<link>{_LINK}) {_ABROAD}\b")
_ABROAD_AND_HOME = re.compile(rf"\b{_ABROAD}(?P<link>{_LINK}) {_HOME}\b")
"""What tables call domestic and international; either word alone is also in names, as `home` in `home improvement`."""


@cache
def _own_names() -> re.Pattern[str]:
    source = files("tradingagents.retrieval.lines").joinpath("wording.toml")
    names = tomllib.loads(source.read_text("utf-8"))["names"]["names"]
    return re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(names, key=len, reverse=True)))})(?![\w-])")


def asked_words(text: str) -> str:
    """Return a question in small letters in the words of tables.

    Names of lines that have the name of a measure in them, such as `comparable sales`, come in capitals: no measure is
    read in them.
    """
    plain = _TAKEN_OUT.sub(lambda found: f"excluding {found['what']}", text)
    plain = _HOME_AND_ABROAD.sub(r"domestic\g<link> international", plain)
    plain = _ABROAD_AND_HOME.sub(r"international\g<link> domestic", plain)
    plain = _brought(_brought(plain, "questions"), "both")
    return _own_names().sub(lambda found: found.group().upper(), plain)


@lru_cache(maxsize=100_000)
def row_words(text: str) -> str:
    """Return a text of a table in small letters with one word for each meaning."""
    return _brought(text, "both")
