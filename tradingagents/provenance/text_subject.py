"""Which company a text is about, where that is not the one it should be about.

A sentence is about another company if it begins with it, says figures of it or proposes to trade it, and names neither
the subject of the study nor how the two stand to one another (a peer, a customer, a comparison). `the company` is the
one last spoken of, the subject at first. A text is about another one if

- a sentence proposes to trade it, or the title names it;
- the subject is named in headings at most, and the text begins with the other one and stays with it, or speaks of it
  three times;
- whole paragraphs without the subject, a large part of the text, are about it;
- it stands nowhere in the data, carries more sentences than the subject, and the text ends on it;
- the body never names the subject and opens with it, known or of a name such as `… Technologies`;
- the subject is named once, in passing, and the text opens with it and judges it in the end.

Naming others as often as one likes is no fault in itself.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import groupby, islice
from typing import NamedTuple

from tradingagents.provenance.company_mentions import MARKET, OWN, WORDS, CompanyBook, Named

_SENTENCE_END = re.compile(r"[.!?](?<!\b[A-Za-z]\.)(?<!Inc\.)(?<!Corp\.)(?<!Co\.)[\"')*_]*\s+(?=[\"'(*_A-ZÄÖÜ\d$€£])")
_HEADING = re.compile(r"\s{0,4}(?:#{1,6}\s|\*\*[^*]{1,120}\*\*:?\s{0,4}$|[^|.:]{1,100}:\s{0,4}$)")
_LABEL = re.compile(
    r"[\s*#>|\-]{0,8}(?:ticker|symbol|stock|company|instrument|asset|security|subject|unternehmen|wertpapier|aktie|firma)"
    r"(?: (?:symbol|name|ticker|studied|analy[sz]ed))?[\s*]{0,4}[:|=]",
    re.IGNORECASE,
)
_PROPOSES = re.compile(
    r"\b(?:buy(?:ing)?|sell(?:ing)?|hold(?:ing)?|owning|short(?:ing)?|long|accumulate|overweight|underweight|kaufen?"
    r"|verkaufen?|halten)\b[\s*:,\u2013-]{0,6}"
    r"(?:(?:the )?shares (?:of|in) |(?:a |the )?(?:\w{1,12} )?position in |more |von )?\**$",
    re.IGNORECASE,
)
_ORDER = re.compile(r"[\s*]{0,4}(?:buy|sell|hold|keep|short|long|kaufen|verkaufen|halten)\b", re.IGNORECASE)
_HEDGE = re.compile(r"\b(?:hedg\w{1,4}|pair|spread|against|basket)\b", re.IGNORECASE)
_PROPOSAL = re.compile(
    r"\b(?:final|proposal|recommendation|recommends?|action|decision|verdict|rating|conclusion|case|empfehlung|entscheidung"
    r"|plan|we|i)\b",
    re.IGNORECASE,
)
_CUE = re.compile(
    r"\b(?:peers?|rivals?|competitors?|compet\w{1,8}|customers?|suppliers?|partners?|partnership|clients?|sector|industry"
    r"|benchmark|compar\w{2,8}|versus|vs|than|against|relative to|alongside|unlike|rather than|instead of|such as"
    r"|including|alternatives?|holdings?(?!,? \(?(?-i:[A-Z])|\*)|constituents?|members?|correlat\w{2,6}|read-?across"
    r"|headwinds? from"
    r"|threat\w{0,6} from|wettbewerb\w{0,6}|konkurren\w{1,6}|rival\w{1,4}"
    r"|kunden?|lieferant\w{0,3}|partner\w{0,4}|vergl\w{2,8}|gegenüber|branche\w{0,4}"
    r"|sektor\w{0,2})\b",
    re.IGNORECASE,
)
"""Words in front of a company that say how it stands to another one."""
_APPOSED = re.compile(
    r"[^.;]{0,40}\b(?:rivals?|peers?|competitors?|competes|customer|supplier|supplies|partner|wettbewerber|kunde"
    r"|lieferant|than (?:the|this) (?:company|stock|group)|threat\w{0,4}|pressur\w{1,4} (?:the|its) (?:company|stock)"
    r"|the company['\u2019]s)\b",
    re.IGNORECASE,
)
"""The same behind it."""
_BROKER = re.compile(
    r"[^.;]{0,80}\b(?:analysts?|upgrad\w{1,4}|downgrad\w{1,4}|reiterat\w{1,4}|initiat\w{1,4} coverage"
    r"|(?:price )?targets? (?:of|to|from|price)|price targets?|rates? (?:the|it)|kursziel\w{0,2})\b",
    re.IGNORECASE,
)
"""Behind a bank that is a source of the news and not its subject."""
_SAYS = re.compile(
    r"(?:['\u2019]s?)?\s(?:\w{1,12}\s)?(?:sees?|estimates?|forecasts?|says|said|notes?|data|index|ratings?)\b"
)
_ACCORDING = re.compile(r"(?:[Aa]ccording to|[Pp]er|[Dd]ata (?:of|from|by)|[Rr]ated by|[Ss]ource:|from) $")
"""Around a company that is quoted."""
_JUDGED = re.compile(
    r"(?:['\u2019]s?)?\s(?:\w{1,12}\s){0,2}(?:fairly valued|undervalued|overvalued|oversold|overbought|unsuitable|beta"
    r"|drawdown|volatility|uptrend|downtrend|is a (?:buy|sell|hold)|must be (?:bought|sold)|argues for|deserves)\b"
)
_JUDGES = re.compile(
    r"\b(?:position in|exposure to|stop (?:for|on)|target for|risk in|upside (?:in|for)|case for|thesis on"
    r"|picture for|mood (?:on|around)|purchase of|sale of) $"
)
"""Around a company that is judged as something to trade."""
_LEAD = re.compile(r"[\s*#>\-•|\"“(]{0,8}(?:\d{1,2}[.)]\s)?")
_OF = re.compile(
    r"\b(?:shares|stock|revenue|sales|earnings|margin|price|valuation|outlook|profit|umsatz|gewinn|aktien?|kurs|marge"
    r"|ergebnis)\s(?:of|in|for|at|von|bei|der|des)\s(?:the\s|die\s)?$",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"(?:as (?:the|a|an) [\w ]{1,30}, )?(?:as (?:the|a|an) \w{1,20} )?(?:i|we|ich|wir) [\w ]{2,20},? (?:that|dass) "
    r"(?:the )?",
    re.IGNORECASE,
)
_VIEW = re.compile(r"from an? [\w ]{3,20} (?:point of view|perspective|standpoint),? (?:the )?", re.IGNORECASE)
_UNNAMED = re.compile(
    r"\b(?:(?:the|this) (?:stock|company|shares?|firm|group|price|business|bank|issuer)|revenue|margins?|earnings"
    r"|die aktie|das unternehmen|der kurs)\b",
    re.IGNORECASE,
)
_ITSELF = re.compile(r"\b(?:the|this) (?:company|firm|group|issuer)\b|\bdas unternehmen\b", re.IGNORECASE)
"""Stands for the company last spoken of; for the subject where none was."""
_FIGURE = re.compile(r"\d")
_COMPANY_WORD = re.compile(
    r"[\s*#>\-\u2022\"\u201c]{0,8}((?:[A-Z][\w&.\-]{0,20} ){1,3}(?:(?:and|of) )?(?:Holdings?|Technolog(?:y|ies)"
    r"|Therapeutics|Pharma(?:ceuticals?)?|Biosciences?|Biotech|Bancorp|Bancshares|Group|Industries|Semiconductors?|Systems|Motors"
    r"|Airlines|Airways|Resources|Partners|Properties|Realty|Brands|Foods|Laborator(?:y|ies)|Labs|Networks|Robotics"
    r"|Quantum|Wellness|Healthcare|Financial|Restaurants|Stores|Chemicals?|Petroleum|Energy|Genomics|Genetics|Medical"
    r"|Steel|Mining|Metals|Gold|Silver|Materials|Aerospace|Aviation|Logistics|Trucking|Pipelines?|Midstream|Insurance"
    r"|Bank|Capital|Homes|Hotels|Resorts|Apparel|Beverages?|Solar|Space|Interactive|Electronics|Instruments"
    r"|International|Worldwide|Corp|Corporation|Inc|Company|Co|plc|Ltd))"
    r"(?:['\u2019]s? [a-z]| [a-z]{2,12} )"
)
"""A name of a kind that companies bear, as the subject with which a sentence begins."""
_PREFERS = re.compile(
    r"\b(?:rate|prefer|favou?r|top pick|inexpensive|cheap(?:er)?|expensive|undervalued|overvalued|fairly valued"
    r"|conviction|strong buy|outperform|better (?:buy|stock|molecule|business|model)|would (?:own|buy|hold|sell)"
    r"|a (?:buy|sell|hold))\b",
    re.IGNORECASE,
)
"""What a conclusion says of the stock that it is about."""
_HOOK = 4
"""Words of a first sentence that says nothing of anybody: `Scale is everything.`"""
_OPENING = 2
"""Sentences with which a text opens, and with which it ends."""
_LEAD_WORDS = 4
"""Words in front of a company with which a sentence may begin and still be about it."""
_MOST_LEAD = 12
"""The same where a comma ends them."""
_NEAR = 30
"""Characters in front of a company within which words say how it stands to the subject."""
_LONGEST_TITLE = 80
_MANY = 3
"""Sentences about another company that carry a text without the subject's name; with it there must be more."""
_STRETCH = 3
"""How often paragraphs name another company to be about it."""
_PART = 0.25
"""Of a text's words, in paragraphs about another company, that make it half about that one."""


_CAPITALIZED = re.compile(r"(?<![\w'\u2019])[^\W\d_a-z]\w*")
"""A word with a capital, or of a script that has none."""
_SMALL_WORD = re.compile(r"(?<!\w)[a-z]+(?!\w)")
_REPORT_WORDS = frozenset(
    (
        *("reply", "answer", "overview", "media", "debator", "bollinger", "fibonacci", "sharpe", "ichimoku"),
        *("relative", "exponential"),
    )
)
"""Words of roles, measures and kinds of text that reports write with a capital; none is a company's name."""
_CLEAR = 2
"""Sentences that name the subject of a text that is plainly about it."""


class TextPart(NamedTuple):
    """A sentence, a heading or a row of a table, characters [start, end)."""

    start: int
    end: int
    kind: str
    """`heading`, `row` or `sentence`."""
    aside: bool
    """Whether it stands below a heading that speaks of peers, customers, the sector."""
    paragraph: int
    """Where its line ends."""
    header: bool = False
    """Whether it is the first row of a table."""


class _Told(NamedTuple):
    """What a sentence is about: `OWN` where the subject is named, a company, or None."""

    about: str | None
    title: bool
    proposal: bool
    words: int
    figure: bool
    named: tuple[str, ...]
    """The companies in it."""
    touched: tuple[str, ...]
    """Those that it does not say to be peers or the like of another."""
    unnamed: bool
    """Whether it speaks of the subject without its name: `the stock`, figures of nobody else, a peer as such."""
    line: int
    """Where its line ends."""
    header: bool
    """Whether it is a heading or a labelled line, which names what the text should be about and not what it is."""


def other_subject(text: str, book: CompanyBook, given: str = "", *, english: bool = True) -> str | None:
    """Return the company that a text is about instead of the subject of the study; None where it is about that, or any.

    Args:
        text: What a model wrote.
        book: The names by which the run's texts are read, and its subject.
        given: What the model was given.
        english: Whether it writes English.
    """
    named = _named(text, book, given, english)
    if not any(one.company != OWN for one in named):
        return _unknown(text, named)
    told = _told_of(text, book, given, english)
    for subject in told:
        if subject.proposal and subject.about and not subject.about.startswith(MARKET):
            return _shown(subject.about)
    names = Counter(one.company for one in named)
    titled = next((one.about for one in told if one.title and one.about is not None), None)
    if titled and titled != OWN and names[titled] > names[OWN] and (not titled.startswith(MARKET) or not names[OWN]):
        return _shown(titled)
    body = [one for one in told if not one.header]
    subjects = [one.about for one in body if one.about is not None]
    others = Counter(subjects)
    own = others.pop(OWN, 0)
    for company, count in others.most_common():
        if company.startswith(MARKET):
            if not names[OWN] and count >= _MANY and subjects[0] == company:
                return _shown(company)
            continue
        if own:
            carries = count > max(_MANY, own) and subjects[-1] == company and not book.is_in(company, given)
        elif not (carries := count >= _MANY):
            carries = _opens(body, company, is_titled=names[OWN] > 0, is_given=book.is_in(company, given))
        if carries or _has_part(body, company):
            return _shown(company)
    if own == 0 and not names[OWN]:
        return _without_subject(text, named, book, given) or _opening(text, body, named)
    if not names[OWN]:
        return _opening(text, body, named)
    return _judged_instead(text, body, names)


def is_subject_clear(text: str, book: CompanyBook, given: str = "", *, english: bool = True) -> bool:
    """Tell whether rules see that a text is about the subject of the study, or about nobody.

    It is where two sentences name the subject, and no more name any one other company; or where nothing in it may be
    the name of another one. Of a text of which `other_subject` finds nothing, what is left is unclear.

    Args:
        text: What a model wrote.
        book: The names by which the run's texts are read, and its subject.
        given: What the model was given; a word that stands there in small letters is no name.
        english: Whether it writes English.
    """
    named = _named(text, book, given, english)
    if not named:
        return not _may_name(text, named, given)
    body = [one for one in _told_of(text, book, given, english) if not one.header]
    times = Counter(company for one in body for company in set(one.named) if not company.startswith(MARKET))
    own = times.pop(OWN, 0)
    if own >= _CLEAR:
        return own >= max(times.values(), default=0)
    return not times and not _may_name(text, named, given)


@lru_cache(maxsize=64)
def _named(text: str, book: CompanyBook, given: str, english: bool) -> Sequence[Named]:
    """Return the companies that a text names; remembered, since two questions are asked of each report."""
    return tuple(book.named(text, given, english=english))


@lru_cache(maxsize=64)
def _told_of(text: str, book: CompanyBook, given: str, english: bool) -> Sequence[_Told]:
    """Return what the sentences of a text tell of companies; remembered, as `_named` is."""
    return tuple(_told(text, list(_sentences(text)), _named(text, book, given, english)))


def _may_name(text: str, named: Sequence[Named], given: str) -> bool:
    """Tell whether a text holds what may be the name of a company that nobody knows."""
    small = set(_SMALL_WORD.findall(text))
    if len(small) > 1 and not any(char.isupper() for char in text):
        return True  # all in small letters, names too
    words = [one for one in _CAPITALIZED.finditer(text) if not any(at.start <= one.start() < at.end for at in named)]
    new = {one[0] for one in words if one[0].lower() not in small | WORDS["no_names"] | _REPORT_WORDS} - WORDS[
        "no_tickers"
    ]
    return any(len(word) > 1 and not _stands_small(word.lower(), given) for word in new)


def _stands_small(word: str, given: str) -> bool:
    """Tell whether a word in small letters stands in a long text; found as letters first, which is fast."""
    return word in given and bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", given))


def _opening(text: str, body: Sequence[_Told], named: Sequence[Named]) -> str | None:
    """Return the company with which a text that never names the subject opens: what `the company` stands for in it.

    One that nobody knows is told by the kind of its name: `Axcelis Technologies reported`.
    """
    first = next((one for one in body if one.about is not None or one.unnamed or one.words > _HOOK), None)
    opening = None if first is None else first.about
    if opening and opening not in WORDS["sources"] and not opening.startswith(MARKET):
        at = next(one.start for one in named if one.company == opening)
        begins = max(sentence.start for sentence in _sentences(text) if sentence.start <= at)
        return opening if len(text[begins:at].replace("*", " ").split()) <= 1 else None
    return None if first is not None and first.named else _unknown(text, named)


def _unknown(text: str, named: Sequence[Named]) -> str | None:
    """Return a company that nobody knows with which a text opens that names the subject in a heading at most."""
    sentences = (sentence for sentence in _sentences(text) if sentence.kind == "sentence")
    for sentence in islice(sentences, _OPENING):
        if any(one.company == OWN and one.end > sentence.start for one in named):
            return None
        if found := _COMPANY_WORD.match(text, sentence.start, sentence.end):
            return found[1]
    return None


def _judged_instead(text: str, body: Sequence[_Told], names: Counter[str]) -> str | None:
    """Return the company with which a text opens and which it judges, where the subject is named once, in passing."""
    first = next((one for one in body if one.named), None)
    if first is None or names[OWN] != 1 or first.named[0] in (OWN, *WORDS["sources"]):
        return None
    company = first.named[0]
    last = next(one for one in reversed(body) if one.named)
    ending = (text[sentence.start : sentence.end] for sentence in list(_sentences(text))[-_OPENING:])
    is_judged = company in last.named and any(map(_PREFERS.search, ending))
    return company if is_judged and names[company] > 1 and not company.startswith(MARKET) else None


def _opens(body: Sequence[_Told], company: str, *, is_titled: bool, is_given: bool) -> bool:
    """Tell whether a text without the subject's name begins with another company and stays with it.

    Args:
        body: The text without its headings.
        company: The other company.
        is_titled: Whether a heading names the subject.
        is_given: Whether the other company stands in the data.
    """
    subjects = [one.about for one in body if one.about is not None]
    if subjects[0] == company and subjects.count(company) > 1:
        return True
    at = next((i for i, one in enumerate(body) if one.touched or one.unnamed), 0)
    first = body[at]
    if sum(one.named.count(company) for one in body) > 1:
        return company in first.touched or first.about == company
    return not is_titled and first.about == company and (at == 0 or first.figure or not is_given)


def _without_subject(text: str, named: Sequence[Named], book: CompanyBook, given: str) -> str | None:
    """Return the company that a text without the subject's name speaks of.

    It is one that nothing names that was given, or else one that the text begins with and names again, or whose worth
    or risk it judges in so many words.
    """
    times = Counter(one.company for one in named)
    first = next(_sentences(text)).end
    for mention in named:
        before, after = text[max(0, mention.start - _NEAR) : mention.start], mention.end
        related = _CUE.search(before) or _APPOSED.match(text, after) or _BROKER.match(text, after)
        is_source = mention.company in WORDS["sources"] and (_SAYS.match(text, after) or _ACCORDING.search(before))
        if related or is_source or mention.company.startswith(MARKET):
            continue
        opens = mention.end <= first and times[mention.company] > 1
        is_new = (len(times) == 1 or times[mention.company] > 1) and not book.is_in(mention.company, given)
        if opens or is_new or _JUDGED.match(text, after) or _JUDGES.search(before):
            return mention.company
    return None


def is_named_most(claims: Sequence[str], book: CompanyBook, given: str = "", *, english: bool = True) -> str | None:
    """Return the company that more than half of some claims, two at least, are about, and none about the subject."""
    about: Counter[str] = Counter()
    for claim in claims:
        named = book.named(claim, given, english=english)
        told = _told(claim, list(_sentences(claim)), named)
        about.update({one.about for one in told if one.about is not None})
    if OWN in about or not about:
        return None
    company, count = about.most_common(1)[0]
    return None if count < 2 or 2 * count <= len(claims) or company.startswith(MARKET) else company


def _has_part(told: Sequence[_Told], company: str) -> bool:
    """Tell whether a paragraph or more without the subject, a large part of a text, is about another company."""
    total = sum(one.words for one in told) or 1
    own_lines = {one.line for one in told if one.about == OWN}
    for has_own, group in groupby(told, key=lambda one: one.line in own_lines):
        part = list(group)
        if has_own:
            continue
        count = sum(1 for one in part if one.about == company)
        mentions = sum(one.named.count(company) for one in part)
        words = sum(one.words for one in part)
        if count > 1 and mentions >= _STRETCH and words >= _PART * total and any(one.figure for one in part):
            return True
    return False


def _shown(company: str) -> str:
    return company.removeprefix(MARKET)


def _told(text: str, sentences: Sequence[TextPart], named: Sequence[Named]) -> Iterator[_Told]:
    at, aside_until, topic = 0, 0, OWN
    for sentence in sentences:
        inside: list[Named] = []
        while at < len(named) and named[at].start < sentence.end:
            inside.append(named[at])
            at += 1
        said = text[sentence.start : sentence.end]
        if sentence.kind == "sentence" and not inside and topic == OWN and _CUE.search(said):
            aside_until = sentence.paragraph  # `Sector news dominated the week.`
        told = sentence._replace(aside=sentence.aside or sentence.end <= aside_until)
        about, title, proposal = _about(text, told, inside, is_first=sentence is sentences[0])
        if about is None and not inside and topic == OWN and _ITSELF.search(said):
            about = OWN
        topic = topic if about is None else about
        names = tuple(one.company for one in inside)
        figure = bool(_FIGURE.search(said))
        is_unnamed = bool(names) or figure or bool(_UNNAMED.search(said))
        unnamed = sentence.kind != "heading" and about is None and is_unnamed
        touched = () if told.aside or OWN in names or _CUE.search(said) else names
        header = sentence.kind == "heading" or bool(_LABEL.match(said)) or _is_title(text, sentence)
        words = len(said.split())
        yield _Told(about, title, proposal, words, figure, names, touched, unnamed, sentence.paragraph, header)


def _is_title(text: str, sentence: TextPart) -> bool:
    """Tell whether a sentence is a first line of a few words, no order to trade, that no sign ends."""
    if sentence.end > _LONGEST_TITLE or sentence.end != sentence.paragraph or sentence.end == len(text):
        return False
    said = text[sentence.start : sentence.end].strip()
    is_first = not text[: sentence.start].strip()
    return is_first and said[-1:].isalnum() and not said.startswith(("-", "|")) and not _ORDER.match(said)


def _about(text: str, sentence: TextPart, inside: Sequence[Named], *, is_first: bool) -> tuple[str | None, bool, bool]:
    """Return what a sentence is about, whether it is the title, and whether it is a proposal."""
    if any(one.company == OWN for one in inside):
        return OWN, sentence.kind == "heading" or is_first, False
    said = text[sentence.start : sentence.end]
    if not inside:
        return None, False, False
    first = inside[0]
    before = text[sentence.start : first.start]
    label = _LABEL.match(said)
    if label and len(before) <= label.end() + 40 and not sentence.aside:
        return first.company, True, False
    if sentence.kind == "row":
        about = _of_header(inside) if sentence.header else None
        return about, False, False
    if sentence.aside or _CUE.search(before):
        return None, False, False
    if _PROPOSES.search(before[-60:]) and _is_proposal(before) and not _HEDGE.search(said):
        return first.company, False, True
    alone = len({one.company for one in inside}) == 1
    if sentence.kind == "heading":
        is_title = alone and not _CUE.search(said)
        return (first.company if is_title else None), is_title and is_first, False
    if _APPOSED.match(text, first.end, sentence.end) or _BROKER.match(text, first.end, sentence.end):
        return None, False, False
    lead = before[_end_of_lead(before) :]
    words = lead.replace("*", " ").split()
    if words and len(words) <= _MOST_LEAD and lead.rstrip(" *").endswith(","):
        begins = words[0].lower().strip(",") in WORDS["leads"] | WORDS["subordinate"]
        return (first.company if begins and not _UNNAMED.search(lead) else None), False, False
    if _HOLDS.fullmatch(lead) or _VIEW.fullmatch(lead):
        return first.company, False, False
    if words and (words[0].lower().strip(",") in WORDS["subordinate"] or "that" in words):
        return None, False, False
    if len(words) <= _LEAD_WORDS or _OF.search(before):
        return first.company, False, False
    return None, False, False


def _of_header(inside: Sequence[Named]) -> str | None:
    """Return the one company, funds and indices aside, that the header of a table names."""
    companies = {one.company for one in inside if not one.company.startswith(MARKET)}
    return companies.pop() if len(companies) == 1 else None


def _is_proposal(before: str) -> bool:
    """Tell whether words in front of the name of a company propose to trade it: an order, or a labelled line."""
    lead = before[_end_of_lead(before) :].strip("* ")
    return len(lead.split()) <= 2 or bool(_PROPOSAL.search(lead))


def _end_of_lead(text: str) -> int:
    found = _LEAD.match(text)
    return found.end() if found else 0


def _sentences(text: str) -> Iterator[TextPart]:
    start, aside, in_table = 0, False, False
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        if line.strip():
            kind = "row" if line.lstrip().startswith("|") else "heading" if _HEADING.match(line) else "sentence"
            if kind == "heading":
                aside = bool(_CUE.search(line))
                yield TextPart(start, end, kind, aside, end)
            elif kind == "row":
                yield TextPart(start, end, kind, aside, end, header=not in_table)
            else:
                begin = start
                for stop in _SENTENCE_END.finditer(line):
                    yield TextPart(begin, start + stop.end(), kind, aside, end)
                    begin = start + stop.end()
                if text[begin:end].strip():
                    yield TextPart(begin, end, kind, aside, end)
        in_table = line.lstrip().startswith("|")
        start = end
