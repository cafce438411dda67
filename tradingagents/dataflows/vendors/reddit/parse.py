"""Convert Reddit's posts from the API's JSON and from Atom feeds, and match them to symbols."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any, NamedTuple
from xml.etree import ElementTree

from tradingagents.dataflows.models import SocialPost
from tradingagents.dataflows.responses.lost_rows import lost, not_listed, unread
from tradingagents.dataflows.vendors.posts import count, crypto_base, instant, shortened, words

SITE = "https://www.reddit.com"
BEGAN, LATEST = 1_119_484_800, 4_102_444_800
"""June 2005, when Reddit began, and 2100, in seconds: milliseconds lie beyond."""
_ATOM = "{http://www.w3.org/2005/Atom}"
_US_STOCK = re.compile(r"[A-Z]{1,5}(?:-[A-Z])?")
_SHORT = 2
"""Symbols up to this length are usually words, initials or units."""
_WORDS = """
ALL AM AN AND ANY ARE ATH BE BEST BIG BILL BIT BOOM BUY CAKE CALL CALM CAN CAR CARE CASH CAT CEO COKE COST CPI
CUZ DAY DD DO DOW EAT EDIT ELSE EPS ETF EV EVER FAST FED FLY FOR FREE FUN FUND GAIN GAP GDP GO GOLD GOOD HAS HE
HIGH HOLD HOPE HUGE IMO IPO IRS IT JOB KEY LAND LIFE LINK LIVE LOAN LOT LOVE LOW MAIN MAN MAX MEN MIND MOON NEAR
NEW NEXT NICE NOW OIL OLD ON ONE OPEN OR OUT PAY PEAK PLAN PLAY PLUS POST PUMP PUT RARE REAL RIDE ROCK ROOT RUN
RUSH SAFE SAVE SEC SEE SELL SHE SHIP SHOP SITE SNOW SO SPOT STAY STEM SUN TA TAX TEAM TECH TELL TEN TOP TRUE TV
TWO UK UP USA USD VERY WELL WIN WORK YOLO YOU
"""
WORDS = frozenset(_WORDS.split())
"""Words of the language and of these communities, often in capitals: they count as symbols with a $ only."""

Speaks = Callable[[str], bool]


class Found(NamedTuple):
    """A post on a page, whether it mentions the symbol or not."""

    post: SocialPost
    text: str
    """Title and text at full length; those of `post` are shortened."""


def names_of(symbol: str) -> tuple[str, ...]:
    """Return common spellings of a symbol: BRK-B, BRK.B, BRKB; BTC for BTC-USD; () for indices and foreign listings."""
    if coin := crypto_base(symbol):
        return (coin,)
    if not _US_STOCK.fullmatch(symbol):
        return ()
    stem, _, share = symbol.partition("-")
    return (f"{stem}.{share}", f"{stem}-{share}", f"{stem}{share}") if share else (stem,)


def is_a_word(name: str) -> bool:
    """Return whether a symbol without its $ may mean something else."""
    return len(name) <= _SHORT or name in WORDS


def speaks_of(symbol: str) -> Speaks:
    """Return a test whether a text mentions a symbol: as a cashtag in any case, or in capitals as a separate word."""
    names = names_of(symbol)
    every = "|".join(map(re.escape, names))
    tagged = re.compile(rf"\$(?:{every})(?![\w-]|\.\w)", re.IGNORECASE)
    plain = "|".join(re.escape(name) for name in names if not is_a_word(name))
    bare = re.compile(rf"(?<![\w$.&-])(?:{plain})(?![\w&-]|\.\w)") if plain else None
    return lambda text: bool(tagged.search(text) or (bare and bare.search(text)))


def listed(page: Any, symbol: str, counted_at: datetime) -> list[Found] | None:
    """Return the posts of an API page; None if it isn't a listing, or none of its posts is valid."""
    children = _dict(_dict(page).get("data")).get("children")
    if not isinstance(children, list):
        return None
    stated = _dict(_dict(page).get("data")).get("dist")
    if isinstance(stated, int):
        not_listed("post", stated - len(children))
    posts = [post for child in children if (post := _from_json(_dict(child).get("data"), symbol, counted_at))]
    return posts if posts or not children else None


def fed(body: bytes, symbol: str) -> list[Found] | None:
    """Return the posts of an Atom feed; None if it isn't one, or none of its posts is valid.

    A document type is refused: feeds have none, and its entities can expand without bound.
    """
    parser = ElementTree.XMLParser(target=_NoDocumentType())  # noqa: S314 - no document type, so no entities
    try:
        parser.feed(body)
        feed = parser.close()
    except (ElementTree.ParseError, ValueError, LookupError):  # LookupError: an unknown encoding
        return None
    if feed.tag != f"{_ATOM}feed":
        return None
    entries = feed.findall(f"{_ATOM}entry")
    posts = [post for entry in entries if (post := _from_atom(entry, symbol))]
    return posts if posts or not entries else None


class _NoDocumentType(ElementTree.TreeBuilder):
    def doctype(self, _name: str, _public: str | None, _system: str | None) -> None:
        raise ValueError("a feed has no document type")


class _Plain(HTMLParser):
    """The text between the tags."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []

    def handle_data(self, data: str) -> None:
        self.parts.append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag in ("p", "li", "div"):
            self.parts.append(" ")


def _from_json(data: Any, symbol: str, counted_at: datetime) -> Found | None:
    found = _dict(data)
    title, selftext, path = words(found.get("title")), found.get("selftext"), words(found.get("permalink"))
    posted_at = _since_1970(found.get("created_utc"))
    if title is None or path is None or posted_at is None:
        lost("post", title=title, permalink=path, created_utc=posted_at)
        return None
    score, comments = count(found.get("score")), count(found.get("num_comments"))
    for name, number in (("score", score), ("num_comments", comments)):
        if number is None:
            unread(name, found.get(name), since=posted_at)
    return _found(
        symbol,
        f"{title} {selftext if isinstance(selftext, str) else ''}",
        posted_at,
        author=words(found.get("author")),
        community=words(found.get("subreddit")),
        url=f"{SITE}{path}" if path.startswith("/") else None,
        score=score,
        comments=comments,
        counted_at=None if score is None and comments is None else counted_at,
    )


def _from_atom(entry: ElementTree.Element, symbol: str) -> Found | None:
    title = words(entry.findtext(f"{_ATOM}title"))
    posted_at = instant(entry.findtext(f"{_ATOM}published") or entry.findtext(f"{_ATOM}updated"))
    if title is None or posted_at is None:
        lost("post", title=title, published=posted_at)
        return None
    author = words(entry.findtext(f"{_ATOM}author/{_ATOM}name"))
    category, link = entry.find(f"{_ATOM}category"), entry.find(f"{_ATOM}link")
    return _found(
        symbol,
        f"{title} {_self_text(entry.findtext(f'{_ATOM}content') or '')}",
        posted_at,
        author=author.removeprefix("/u/") if author else None,
        community=None if category is None else words(category.get("term")),
        url=None if link is None else words(link.get("href")),
    )


def _found(symbol: str, text: str, posted_at: datetime, **more: Any) -> Found:
    post = SocialPost(symbol, shortened(text) or "", posted_at, known_at=posted_at, source="reddit", **more)
    return Found(post, html.unescape(text))


def _self_text(content: str) -> str:
    """Return the author's text: a feed puts it between two marks, which link posts don't have."""
    written = content.partition("<!-- SC_OFF -->")[2].partition("<!-- SC_ON -->")[0]
    plain = _Plain()
    plain.feed(written)
    plain.close()
    return "".join(plain.parts)


def _since_1970(seconds: Any) -> datetime | None:
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not BEGAN <= seconds < LATEST:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (ValueError, OverflowError, OSError):  # NaN, and years outside the calendar
        return None


def _dict(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
