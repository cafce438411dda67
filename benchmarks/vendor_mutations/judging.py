"""What became of a changed answer, judged by the figures that reach an agent."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Literal

from benchmarks.data_corruptions.asking import Reply as Answered
from benchmarks.data_corruptions.asking import Shown
from benchmarks.data_corruptions.judging import same
from benchmarks.vendor_mutations.asking import Heard
from benchmarks.vendor_mutations.kinds import Changed
from tradingagents.dataflows.reference.currencies import NOT_STATED

Outcome = Literal[
    "right value", "next vendor", "stated gap", "unstated gap", "wrong, of one source", "silently wrong", "crash"
]
OUTCOMES: tuple[Outcome, ...] = (
    "right value",
    "next vendor",
    "stated gap",
    "unstated gap",
    "wrong, of one source",
    "silently wrong",
    "crash",
)
"""From the best to the worst: a case counts as the worst of its questions."""
NAMES = {
    "yfinance": ("Yahoo", "yfinance"),
    "alpha_vantage": ("Alpha Vantage", "alpha_vantage"),
    "finnhub": ("Finnhub", "finnhub"),
    "fred": ("FRED", "fred"),
    "sec_edgar": ("EDGAR", "sec_edgar"),
    "financial_datasets": ("Financial Datasets", "financial_datasets"),
    "stocktwits": ("StockTwits", "stocktwits"),
    "reddit": ("Reddit", "reddit"),
    "tavily": ("Tavily", "tavily"),
}
OF_THE_QUESTION = frozenset({"weak_matches"})
NOT_WHOLE = "is not whole"
"""What an answer says that was made of a part of the rows: its counts are those of the part."""
COUNTED = re.compile(
    r"(sessions|posts|tagged|untagged|bullish|bearish|articles|articles_in_source|filings|form_\w+|buys|sells|bullish_share|net_shares|\w+_value|"
    r"comments|\w+_change_\w+|cell [\w-]+ (Posts|Untagged|Bullish|Bearish|Comments)|post in the place of another) is "
)
UNCONFIRMED = re.compile(r"(?P<who>\w+) alone gives the (?P<what>[a-z ]+) of these \w+: nothing confirms them")
"""What an answer says of the number or the times of rows that nothing shows to be wrong."""
_OF_ANOTHER_TIME = re.compile(r"(post|article|filing) ['\"].*['\"] is of ")
_UNCONFIRMED_WAYS = {
    "number": COUNTED,
    "times": _OF_ANOTHER_TIME,
    "choice": re.compile(r"\w+ is \S+ and was absent"),
    "prices": re.compile(r"(\w+_(price|change_1d)|cell \S+ (Price|Change %)) is "),
    "amounts": re.compile(r"(\w+_(eps|eps_estimate)|us_\w+|cell \S+ (EPS|Estimate|Actual|Expected|Previous)) is "),
    "volumes": re.compile(r"(\w+_volume|cell \S+ Volume) is "),
}
"""What is wrong of rows whose number, times, choice or amounts a vendor alone gives."""
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_MERGED = re.compile(r"Bars before (?P<day>\d{4}-\d{2}-\d{2}) are (?P<period>\w+)")
"""How the bars of a table are merged: of a shorter history they are merged less, and their rows are others."""
_POST = re.compile(r'### Post \([^)]*(?P<at>\d{4}-\d{2}-\d{2} \d{2}:\d{2}) UTC[^)]*\)\n"(?P<text>.*)"')
TOLD_APART = 40
"""Characters of a post that tell it from others of its minute."""
Posts = frozenset[tuple[str, str]]
"""Minute and first words of each post."""
_ARTICLE = re.compile(r"### (?P<title>.+) \((?:.*, )?(?P<at>\d{4}-\d{2}-\d{2}[^,)]*)[^)]*\)")

_FILING = re.compile(r"\| \d{4}-\d{2}-\d{2} \| (?P<at>\d{4}-\d{2}-\d{2} \d{2}:\d{2}) \|.*\| (?P<url>https://\S+) \|")


@dataclass(frozen=True)
class Verdict:
    """What became of a case."""

    outcome: Outcome
    findings: tuple[str, ...] = ()
    """What is wrong, missing or said, each on a line."""


def judge(vendor: str, changed: Changed, truth: Heard, given: Heard, posts: Posts = frozenset()) -> Verdict:
    """Judge every question that was asked; the worst counts.

    Args:
        vendor: Who gave the changed answer.
        changed: The change.
        truth: What reaches an agent of the unchanged answer.
        given: What reaches it now.
        posts: All of the unchanged answer, of which an agent is shown some.
    """
    worst: Outcome = "right value"
    findings: list[str] = []
    for question in given.answers:
        outcome, found = _of_question(vendor, changed, truth, given, question, posts)
        if OUTCOMES.index(outcome) > OUTCOMES.index(worst):
            worst = outcome
        findings += [f"{question}: {outcome}: {line}" for line in found[:4]]
    return Verdict(worst, tuple(findings))


def _of_question(
    vendor: str, changed: Changed, truth: Heard, given: Heard, question: str, posts: Posts
) -> tuple[Outcome, tuple[str, ...]]:
    true, reply = _of_the_same_bars(truth.answers[question], given.answers[question])
    if reply.crash:
        return "crash", (reply.crash,)
    text = given.texts[question]
    if reply.refused:
        names_vendor = any(name in text for name in NAMES[vendor])
        return ("stated gap" if names_vendor else "unstated gap"), (f"{reply.refused}: {text}",)
    wrong = [*_wrong(changed, true, reply), *_wrong_articles(truth.texts[question], text)]
    wrong += _wrong_filings(truth.texts[question], text)
    wrong += _wrong_posts(posts_shown(truth.texts[question]), posts_shown(text), posts)
    new = reply.sentences - true.sentences
    told = [line for line in new if any(name in line for name in NAMES[vendor]) and not line.startswith("###")]
    if wrong and not (any(NOT_WHOLE in line for line in told) and all(COUNTED.match(line) for line in wrong)):
        return ("wrong, of one source" if is_unconfirmed(vendor, text, wrong) else "silently wrong"), tuple(wrong)
    missing = [*_missing(true, reply, text), *_missing_articles(truth.texts[question], text)]
    if missing:
        stated = bool(told) or all(says_so for says_so, _ in missing)
        lines = [line for says_so, line in missing if stated or not says_so]
        return ("stated gap" if stated else "unstated gap"), (*lines[:3], *told[:1])
    if wrong:
        return "stated gap", (*wrong[:3], *told[:1])
    if reply.currency == NOT_STATED != true.currency:
        return "stated gap", ("the currency is not stated",)
    if given.vendors[question] != truth.vendors[question]:
        return "next vendor", ()
    return "right value", ()


def is_unconfirmed(vendor: str, text: str, wrong: Iterable[str]) -> bool:
    """Return whether an answer says of all that is wrong of it that its vendor alone gives it: numbers or times."""
    said = " ".join(found["what"] for found in UNCONFIRMED.finditer(text) if found["who"] == vendor)
    ways = [pattern for word, pattern in _UNCONFIRMED_WAYS.items() if word in said]
    return all(any(way.match(line) for way in ways) for line in wrong)


def _of_the_same_bars(true: Answered, reply: Answered) -> tuple[Answered, Answered]:
    """Return two answers; of tables of bars that are merged otherwise, with the rows that are sessions in both."""
    merged = [next((found for said in one.sentences if (found := _MERGED.search(said))), None) for one in (true, reply)]
    ways = [found.groupdict() if found else {"day": "", "period": ""} for found in merged]
    if ways[0] == ways[1]:
        return true, reply
    first = max(way["day"] for way in ways)
    cells = {key: value for key, value in reply.cells.items() if not _DAY.fullmatch(key[0]) or key[0] >= first}
    return true, replace(reply, cells=cells)


def _wrong(changed: Changed, true: Answered, reply: Answered) -> Iterator[str]:
    for name, found in reply.figures.items():
        expected = true.figures.get(name)
        if name in OF_THE_QUESTION:
            continue
        if expected is None:
            yield f"{name} is {found.value:g} and was absent"
        elif not _is_same(changed, name, expected, found):
            yield f"{name} is {found.value:g} {found.unit}, was {expected.value:g} {expected.unit}"
    if reply.currency != true.currency:
        if reply.currency in (None, NOT_STATED) or (changed.currency and reply.currency == changed.currency):
            return  # amounts of another currency that say so
        yield f"amounts in {reply.currency}, were in {true.currency}"
        return
    for key, value in reply.cells.items():
        cell = true.cells.get(key)
        unit = "%" if "%" in key[2] else ""
        if cell is None:
            if "#" in key[1] or not true.cells or _is_moved(key, value, true, reply):
                yield f"row {key[0]} {key[1]} {key[2]} {value:g} was not there"
        elif not same(key[2], Shown(cell, unit), Shown(value, unit)):
            yield f"cell {key[0]} {key[2]} is {value:g}, was {cell:g}"


def _is_moved(key: tuple[str, str, str], value: float, true: Answered, reply: Answered) -> bool:
    """Return whether a row stands at the day beside its own: the same of the table, with the same value."""
    if not _DAY.fullmatch(key[0]):
        return False
    day = date.fromisoformat(key[0])
    beside = [((day + timedelta(days=by)).isoformat(), *key[1:]) for by in (-1, 1)]
    return any(other in true.cells and other not in reply.cells and true.cells[other] == value for other in beside)


def _is_same(changed: Changed, name: str, true: Shown, found: Shown) -> bool:
    if true.unit == found.unit or found.unit.startswith(NOT_STATED):
        return same(name, true, found)
    in_currency = changed.currency is not None and found.unit.startswith(changed.currency)
    return in_currency and abs(found.value - changed.rate * true.value) <= 0.01 * abs(changed.rate * true.value)


def _missing(true: Answered, reply: Answered, text: str) -> Iterator[tuple[bool, str]]:
    """Yield what is absent, and whether its place says so: `n/a`, in an answer that names its vendor."""
    labels = {line.split("|")[1].strip() for line in text.splitlines() if line.startswith("|") and "n/a" in line}
    for name in true.figures:
        if name not in reply.figures and name not in OF_THE_QUESTION:
            in_row_of_symbol = name.partition("_")[0] in labels  # `HAS_market_cap` is a cell of the row of HAS
            yield f"| {name} | n/a" in text or in_row_of_symbol, f"{name} is absent"
    gone = [key for key in true.cells if key not in reply.cells]
    if gone:
        yield all(key[0] in labels for key in gone), f"{len(gone)} cells are absent, first {gone[0]}"


def _articles(text: str) -> Mapping[str, frozenset[str]]:
    """Return when the articles of each title are of."""
    titles: dict[str, set[str]] = {}
    for found in _ARTICLE.finditer(_POST.sub("", text)):
        titles.setdefault(found["title"], set()).add(found["at"])
    return {title: frozenset(times) for title, times in titles.items()}


def posts_shown(text: str) -> Posts:
    """Return the posts that an answer quotes."""
    return frozenset((found["at"], found["text"][:TOLD_APART]) for found in _POST.finditer(text))


def _wrong_posts(true: Posts, given: Posts, posts: Posts) -> Iterator[str]:
    """Yield posts of another time, and those that are shown in the place of others."""
    for post in sorted(given - true):
        if any(_is_one_post(post, other) for other in true):
            continue  # its text is shorter, or in another encoding: what is judged are figures
        if any(_is_one_post(post, other) for other in posts):
            yield f"post in the place of another is {post[1]!r} of {post[0]}"
        else:
            yield f"post {post[1]!r} is of {post[0]}, and was not"


def _is_one_post(post: tuple[str, str], other: tuple[str, str]) -> bool:
    """Return whether two posts are of one minute and begin alike, as far as both go and in letters of any encoding."""
    one, two = (re.sub(r"[^a-z0-9]", "", text.lower()) for _, text in (post, other))
    return post[0] == other[0] and (one.startswith(two) or two.startswith(one))


def _wrong_articles(true: str, given: str) -> Iterator[str]:
    """Yield the articles of another time; one that is shown with its day alone has lost a part, which is missing."""
    expected = _articles(true)
    for title, times in _articles(given).items():
        if title in expected and not times <= expected[title] | _days_of(expected[title]):
            yield f"article {title[:40]!r} is of {sorted(times)}, was of {sorted(expected[title])}"


def _wrong_filings(true: str, given: str) -> Iterator[str]:
    """Yield the filings that were accepted at another time."""
    expected = {found["url"]: found["at"] for found in _FILING.finditer(true)}
    for found in _FILING.finditer(given):
        if found["at"] != expected.get(found["url"], found["at"]):
            yield f"filing {found['url'][-40:]!r} is of {found['at']}, was of {expected[found['url']]}"


def _days_of(times: Iterable[str]) -> frozenset[str]:
    return frozenset(at[: len("2025-06-13")] for at in times)


def _missing_articles(true: str, given: str) -> Iterator[tuple[bool, str]]:
    found = _articles(given)
    for title, times in _articles(true).items():
        if title not in found:
            yield False, f"article {title[:40]!r} is absent"
        elif found[title] - times:
            yield False, f"article {title[:40]!r} is shown with its day alone"
