"""The words of a question that nothing else reads: labels that rows of tables have to answer for, and whose they are.

Words that say nothing of a row are left out by a closed list (`word_lists.toml`); every other word is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cache

from tradingagents.retrieval.index.words import word_list

MEASURED = "|"
"""Stands in the question where a measure was named."""
_APART = re.compile(r"[?!:;()\[\]]|\s-{1,2}\s|\.\s")
_LIST = re.compile(
    r",\s{0,3}(?:and|or|vs\.?|versus|against|plus|while|whereas)\b|,|(?<![\w'])(?:and|or|vs?\.?|versus|against|plus|than|while|whereas"
    r"|compared (?:with|to|against)"
    r"|relative to|(?:sur)?passed|exceed(?:s|ed)?|beats?|beaten|overtook|overtaken|outsold|outsell|outgrew|outgrow"
    r"|overtake|outearn(?:ed)?|outspen[dt]|out(?:perform|pac)ed)(?![\w'])|\s\+\s|\s/\s"
)
_SET_APART = re.compile(
    r"\b(?:(?:sur)?passed|exceed\w*|beat\w*|overt\w+|outs\w+|outgr\w+|outp\w+|or|vs?\.?|versus|against|than|compared"
    r"|relative|while|whereas)"
)
_WHOLE = re.compile(r"\b(?:as a whole|all of|overall|in total|altogether|company-?wide|group-?wide|total|the whole)\b")
_TOTAL = re.compile(
    r"\W*(?:(?:in|the|and|company|a|as|for|group|its) ?)*(?:total|overall|consolidated|whole|worldwide"
    r"|together)(?: company| group| firm)?\W*"
)
_NO_VERBS = frozenset({"publishing", "printing"})
"""Businesses, though forms of verbs of questions."""
_WORD = re.compile(r"[\w.&'-]{0,60}[\w&]|\+")
_SHORT = re.compile(r"\(\s{0,2}([a-z]{3,6})\s{0,2}\)")
TOTAL = "total company"
"""The phrase for the company as a whole, where it is listed beside its parts."""


@dataclass(frozen=True, slots=True)
class AskedLabels:
    """Phrases that rows have to answer for."""

    labels: tuple[str, ...] = ()
    """Of every company, those of `alternatives` among them."""
    alternatives: tuple[str, ...] = ()
    """Those that are listed or set against each other: a figure is wanted of each."""
    apart: frozenset[str] = frozenset()
    """Those of `alternatives` that `or` and the like set apart from the one before: never one name together."""
    own: tuple[tuple[int, str], ...] = ()
    """Those of one company alone, by its number."""
    without: frozenset[str] = frozenset()
    """Words that are said not to be meant."""


@dataclass(frozen=True, slots=True)
class _Phrase:
    words: str
    group: int
    start: int
    apart: bool
    clause: str
    companies: tuple[int, ...] = field(default=())
    joined: str = ""


def read_labels(rest: str, first_mark: int, last_mark: int) -> AskedLabels:
    """Return the labels of a question.

    Args:
        rest: The question without what else was read; `MEASURED` stands where its measures were.
        first_mark: Code of the sign that stands for the first company.
        last_mark: Code before which the signs of companies end.
    """
    phrases = _with_whole_names(list(_phrases(_without_short_names(rest), first_mark, last_mark)))
    denied = _denied(phrases)
    phrases = [phrase for phrase in phrases if phrase not in denied]
    marks = [at for at, sign in enumerate(rest) if first_mark <= ord(sign) < last_mark]
    own = _own(phrases, rest, marks, first_mark)
    common = [phrase for phrase in phrases if phrase.words and phrase not in own and not _repeats(phrase, phrases)]
    if all(phrase.words == TOTAL for phrase in common):
        common = []
    groups = {phrase.group for phrase in common if sum(phrase.group == each.group for each in common) > 1}
    groups = {max(groups)} if groups else groups  # a list after a dash or a colon is of what stands before it
    listed = [phrase for phrase in common if phrase.group in groups]
    return AskedLabels(
        tuple(dict.fromkeys(phrase.words for phrase in common)),
        tuple(dict.fromkeys(phrase.words for phrase in listed)),
        frozenset(phrase.words for phrase in listed if phrase.apart),
        tuple(dict.fromkeys((number, phrase.words) for phrase, number in own.items())),
        _without(phrases) | _words_denied(denied, phrases),
    )


def _with_whole_names(phrases: Sequence[_Phrase]) -> list[_Phrase]:
    """Return phrases with the part of one of several companies in one piece, as `Defense, Space & Security`."""
    if len({company for phrase in phrases for company in phrase.companies}) < 2:
        return list(phrases)
    found: list[_Phrase] = []
    for phrase in phrases:
        before = found[-1] if found and found[-1].group == phrase.group else None
        goes_on = phrase.joined == "" and " & " in phrase.words and not phrase.companies
        if before and goes_on and len(before.companies) == 1 and before.words and MEASURED not in before.clause:
            found[-1] = replace(
                before, words=f"{before.words} {phrase.words}", clause=f"{before.clause},{phrase.clause}"
            )
        else:
            found.append(phrase)
    return found


def _words_denied(denied: Sequence[_Phrase], phrases: Sequence[_Phrase]) -> frozenset[str]:
    said = {word for phrase in denied for word in phrase.words.split()}
    return frozenset(said - {"not", "of", "and"} - {word for phrase in phrases for word in phrase.words.split()})


def _without(phrases: Sequence[_Phrase]) -> frozenset[str]:
    """Return the words that phrases say not to be meant, such as `total` in `the U.S. segment, not total U.S.`."""
    said = {word for phrase in phrases if _repeats(phrase, phrases) for word in _WORD.findall(phrase.clause.lower())}
    others = {word for phrase in phrases if not _repeats(phrase, phrases) for word in phrase.words.split()}
    return frozenset(said - others - {"not", "the", "and"})


def _denied(phrases: Sequence[_Phrase]) -> list[_Phrase]:
    """Return the phrases that only say what is not meant, as `(not med supp or PDP)` and `total, not just paid`.

    The rows of the answer have none of their words. `Sales not in Europe` is a part of what it asks for, and is kept.
    """
    found: list[_Phrase] = []
    before: _Phrase | None = None
    for phrase in phrases:
        begins = re.match(r"\W*(?:and |so )?not\b", phrase.clause) and len(phrase.words.split()) > 1
        follows = before is not None and before in found and phrase.group == before.group and phrase.joined == "or"
        if (begins or follows) and not phrase.companies and MEASURED not in phrase.clause:
            found.append(phrase)
        before = phrase
    return found if len(found) < len([phrase for phrase in phrases if phrase.words]) else []


def _repeats(phrase: _Phrase, phrases: Sequence[_Phrase]) -> bool:
    """Whether a phrase says only what something is not, in words of the others: `the U.S. segment, not total U.S.`."""
    words = phrase.words.split()
    others = {word for other in phrases if other is not phrase for word in other.words.split()}
    return words[:1] == ["not"] and set(words[1:]) <= others


def _without_short_names(rest: str) -> str:
    """Return a question without short names in brackets that repeat the name before them, as `Defense (BDS)`."""

    def kept(found: re.Match[str]) -> str:
        before = _WORD.findall(rest[max(0, found.start() - 60) : found.start()])[-4:]
        initials = {word[0] for word in before if not is_filler(word)}
        return found.group() if not initials & set(found[1]) else " " * len(found.group())

    return _SHORT.sub(kept, rest)


def _phrases(rest: str, first_mark: int, last_mark: int) -> Iterator[_Phrase]:
    begin, group = 0, 0
    for end in [*(found.span() for found in _APART.finditer(rest)), (len(rest), len(rest))]:
        clause_start, apart, joined = begin, False, ""
        clause = rest[begin : end[0]]
        for found in [*(found.span() for found in _LIST.finditer(clause)), (len(clause), len(clause))]:
            part = rest[clause_start : begin + found[0]]
            companies = tuple(ord(sign) - first_mark for sign in part if first_mark <= ord(sign) < last_mark)
            words = words_kept(part)
            listed = joined == "and" or (clause_start > begin and not joined and MEASURED not in part)
            if not words and listed and _TOTAL.fullmatch(part):
                words = TOTAL
            if words or companies:
                yield _Phrase(words, group, clause_start, apart, part, companies, joined)
            joined = clause[found[0] : found[1]].strip(" ,")
            apart = bool(_SET_APART.search(joined))
            clause_start = begin + found[1]
        begin, group = end[1], group + 1


def _own(phrases: Sequence[_Phrase], rest: str, marks: Sequence[int], first_mark: int) -> dict[_Phrase, int]:
    """Return the phrases that are said of one company, with its number.

    A phrase between the names of companies is of the one beside it; one after the last name is of the last company
    where the others have phrases too. Where a company stands bare, as in `Visa's volume against Mastercard's`, all is
    common.
    """
    numbers = {ord(rest[at]) - first_mark for at in marks}
    if len(numbers) < 2:
        return {}
    found: dict[_Phrase, int] = {}
    for phrase in phrases:
        if not phrase.words or phrase.words == TOTAL:
            continue
        place = phrase.start + max(0, phrase.clause.find(phrase.words.split()[0]))
        if len(set(phrase.companies)) == 1:
            own = phrase.companies[0]
            if place > marks[0] and (place < marks[-1] or own == ord(rest[marks[-1]]) - first_mark):
                found[phrase] = own
    said = set(found.values())
    bare = numbers - said
    if not found or (len(said) == 1 and ord(rest[marks[-1]]) - first_mark in said):
        return {}  # said after the last name alone: it is of all
    measured = all(MEASURED in phrase.clause for phrase in found)
    for number in bare:
        clauses = [phrase.clause for phrase in phrases if number in phrase.companies]
        whole = any(_WHOLE.search(clause) or (measured and MEASURED in clause) for clause in clauses)
        if not whole:
            return {}
    return found


def is_filler(word: str) -> bool:
    """Return whether a word in small letters names no row of a table."""
    plain = word.strip(".'-")
    of_verb = plain in verb_forms("of_line_verbs") and plain not in _NO_VERBS
    return not plain or plain in word_list("of_line_questions") or of_verb


@cache
def verb_forms(words: str) -> frozenset[str]:
    """Return every form of the verbs of a list.

    Not their stems, which nouns share, as `comparable` has that of `compare`.
    """
    forms: set[str] = set()
    for verb in word_list(words):
        root = verb.removesuffix("e")
        forms |= {
            verb,
            f"{verb}s",
            f"{verb}es",
            f"{root}ed",
            f"{root}ing",
            f"{verb}{verb[-1]}ed",
            f"{verb}{verb[-1]}ing",
        }
        forms |= {f"{verb[:-1]}ies", f"{verb[:-1]}ied"} if verb.endswith("y") else set()
    return frozenset(forms)


def words_kept(part: str) -> str:
    """Return a part of a question without the words that name no row, in small letters."""
    part = part.lower()
    words = [word.strip(".'-") for word in _WORD.findall(part) if word.strip("'.-&+") or word == "&"]
    while words and (words[0] == "&" or is_filler(words[0])):
        words.pop(0)
    while words and (words[-1] == "&" or is_filler(words[-1])):
        words.pop()
    return " ".join(word for word in words if word in ("of", "and") or not is_filler(word))
