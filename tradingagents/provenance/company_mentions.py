"""Which companies a text names, and where.

Known are the subject of the study, the companies of the list (`company_names.known_companies`), those that a caller
adds, and the tickers in the tables of what the writer was given. Others are found by their form: `Name (TICK)`, a
cashtag, a legal form, and names that figures are said of more than once (`Name's revenue`, `Name shares`).

Names and tickers that are also words (Target, ALL, IT) count where their surroundings say that a company is meant.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from importlib.resources import files
from typing import NamedTuple

from tradingagents.dataflows.reference.company_names import known_companies, known_names, plain_name

OWN = ""
"""Stands for the subject of the study where a company is named."""
MARKET = "^"
"""Begins the key of an index or of a fund that tracks one."""

WORDS: Mapping[str, frozenset[str]] = {
    name: frozenset(words)
    for name, words in tomllib.loads(
        files("tradingagents.provenance").joinpath("company_words.toml").read_text("utf-8")
    ).items()
}
"""The lists of `company_words.toml`."""
_CAPITAL_WORD = re.compile(r"(?<!\S)[*#\"'\u201c\u201d(>_]{0,6}[^\W\d_a-z]\S*")
_TICKER = re.compile(r"(?<![A-Za-z])[A-Z]{2,5}(?:[.\-][A-Z]{1,2})?\b")
_CAPITALS = re.compile(r"(?<![\w.&/$^-])\$?\^?[A-Z0-9][A-Z0-9]{0,9}(?:[.\-/][A-Z]{1,3}){0,2}(?![\w&])")
_LISTED = re.compile(r"\b(?:NYSE|NASDAQ|Nasdaq|NasdaqGS|AMEX|LSE|XETRA|TSX)\s?:\s?$")
_MARKED = re.compile(
    r"(?:\((?:[A-Za-z]{2,8}\s?:\s?)?"
    r"|(?:[Tt]icker|[Ss]ymbol|[Ss]tock|[Cc]ompany|[Ii]nstrument|[Aa]sset)(?: symbol)?[\s:|*]{1,6})$"
)
_IN_BRACKETS = re.compile(
    r"\(\s?(?:(?:NYSE|NASDAQ|Nasdaq|NasdaqGS|AMEX|LSE|XETRA|ETR|FRA|TSX|OTC|HKEX|TYO|SIX|EPA)\s?:\s?)?"
    r"([A-Z]{1,5}(?:[.\-][A-Z]{1,3})?|\d{3,6}\.[A-Z]{1,2})\s?\)"
)
_FINANCE = (
    r"(?:revenues?|sales|earnings|margins?|profits?|shares?|stock|eps|guidance|dividends?|valuation|p/e|balance sheet"
    r"|cash flow|free cash flow|market cap|backlog|order book|price|results|debt|buybacks?|growth|income|chart|rsi"
    r"|ebitda|business|multiple|outlook|quarter|umsatz\w{0,12}|gewinn\w{0,12}|marge\w{0,6}|aktien?\w{0,6}|kurs\w{0,12}"
    r"|bewertung|ergebnis\w{0,6})\b"
)
_VERBS = (
    r"(?:reported|posted|announced|generated|earned|guided|delivered|trades|traded|closed|gained|grew|rallied|raised|sells"
    r"|beat|misse[sd]|ended|expects|plans|keeps|kept|offers|returned|warned|suspended|cut|launched|earns|has|will"
    r"|booked|converts|looks|completed|broke|fell|rose|lost|gave back|has (?:fallen|gained|risen|lost)|yields|argues"
    r"|is (?:a (?:buy|sell|hold)|fairly|under|over|cheap|expensive|attractive|dear)\w{0,8}"
    r"|meldete|erwartet|erzielte|steigerte|notiert|schloss)\b"
)
_COMPANY_BEHIND = re.compile(
    rf"['\u2019]s?\s|\s\(|,?\s(?:Inc|Corp|Co|plc|PLC|AG|SE|Ltd|Platforms|Motor|Holdings)\b|[\s-]{{1,2}}{_FINANCE}|\s{_VERBS}"
    r"|\s(?:is|was|has|remains|deserves|offers|faces|looks|will|may|can)\s(?!\d|[$€£]|at\b|around\b|above\b|below\b|near\b)",
    re.IGNORECASE,
)
_COMPANY_BEFORE = re.compile(
    r"(?:\b(?:shares (?:of|in)|buy|sell|hold|short|long|own|accumulate|von|stock of)|:)[\s*]{1,4}$", re.IGNORECASE
)
_INSIDE = re.compile(
    r"(?<!\b[Tt]he)(?<!\ba)(?<!\ban)(?<!set)(?<!with)(?<!price)(?<!stop)(?<!profit)(?<!and)(?<=[a-z]),?\s$"
)
"""In front of a word with a capital inside a sentence, where no noun is meant."""
_ARTICLE = re.compile(r"\b(?:the|an?)\s$", re.IGNORECASE)
_COUNTED = re.compile(r"(?:\b(?:the|an?|its|class|series|plan|vitamin|day|week|hour)[ -]|\d[ -]?)$", re.IGNORECASE)
"""In front of capitals that are no ticker: `the MA`, `Class C`, `6 PM`."""
_FORM_BEHIND = re.compile(r"['\u2019]s\s|,?\s(?:Inc|Corp|Co|plc|PLC|AG|SE|Ltd)\b|\s\(")
_LEVEL_BEHIND = re.compile(r"\s?(?:prices?\b|:|of \$|\$|\d|at \$)", re.IGNORECASE)
_STRONG = re.compile(
    rf"['\u2019]s?\s(?:[\w\-]{{1,15}}\s){{0,2}}{_FINANCE}|[\s-](?:shares|stock|Aktien?)\b"
    r"|\s(?:trades|is (?:a (?:buy|sell|hold)|fairly valued|undervalued|overvalued))\b"
)
"""What says by itself that a name that is on no list is a company's."""
_FIGURE_OF = re.compile(rf"['\u2019]s?\s[a-z]|[\s-](?:shares|stock|Aktien?)\b|\s{_VERBS}")
_TITLED = re.compile(
    r"(?:[Rr]eport|[Aa]nalysis|[Rr]eview|[Ss]ummary|[Uu]pdate|[Ff]undamentals|[Ss]entiment|[Mm]ood|[Pp]icture|[Tt]hesis"
    r"|[Cc]ase) (?:for|on|of) $"
)
_TRADED = re.compile(rf"(?:['\u2019]s)? (?:shares|stock)\b| {_VERBS}| [+\-\u2212]\d")
"""What stands behind a ticker that is a word or a letter."""
_CLAUSE_BEFORE = re.compile(
    r"(?:^|[.:;!?,|>#(\n\u2013\u2014\-]|\b(?:and|but|while|so|yet|that|since|because|if|when|where|as|than|think|believe|say|says"
    r"|see|at|in|of|on|for|with|from|to|by|against|keep|like|prefer|und|aber|dass|bei|von|mit))[\s*\"\u201c]{1,4}$|^[*#\s]{0,6}$",
    re.IGNORECASE,
)
"""In front of a name that begins a clause, or that a preposition or a verb takes."""
_SUBJECT_BEHIND = re.compile(
    r"['\u2019]s?\s[a-z]| is (?:basing|trading|consolidating|up|down|above|below|near|at|cheap|expensive|rich|oversold"
    r"|overbought|fairly|under|over|testing|holding|breaking|still|now|not|in an?)\b"
    r"| [a-z]{2,12}ed\b| (?:vs\.|ranked|holds|held|trades|stops|leaves|makes|sits|stands|remains|deserves|needs|testet"
    r"|steht|liegt|bleibt)\b"
    r"| (?:at|above|below|under|over|near) [$\u20ac\u00a3]?\d| [\u2013\u2014-] [A-Z][a-z]"
)
"""Behind a ticker of which figures, levels and the like are said."""
_AT = re.compile(r" (?:at|is at|is|near) [$\u20ac\u00a3]?\d")
"""Behind a level of a price: `LOW at 201`."""
_TRADED_BEFORE = re.compile(
    r"\b(?:[Bb]uy(?:ing)?|[Ss]ell(?:ing)?|[Hh]old(?:ing)?|[Oo]wn(?:ing)?|[Ss]hort(?:ing)?|[Ll]ong|[Aa]ccumulate"
    r"|[Aa]dd(?: to)?|[Tt]rim|[Rr]educe|[Aa]void|[Oo]verweight|[Uu]nderweight|[Pp]osition in|[Ss]hares (?:of|in)"
    r"|[Ee]xposure to|[Bb]ullish on|[Bb]earish on|[Ss]ize|[Kk]eep|(?:quarter|growth|margins?) at"
    r"|[Pp]lan [\u2013\u2014:-]) \**$"
)
"""In front of a ticker that is traded."""
_TABLE_SYMBOL = re.compile(r"^\|[ *]{0,4}(\^?[A-Z0-9]{2,6}(?:[.\-][A-Z]{1,2})?)[ *]{0,4}\|", re.MULTILINE)
_TITLE_TICKER = re.compile(
    r"(?:\b(?:[Rr]eport|[Aa]nalysis|[Rr]eview|[Ss]ummary|[Uu]pdate|[Ff]undamentals|[Ss]entiment|[Nn]ews|[Mm]ood|[Pp]icture"
    r"|[Tt]hesis) (?:for|on|of) "
    r"|(?:Ticker|Symbol)[\s:|*]{1,8}|(?:^|[.!?]\s)(?=[A-Z.\-]{3,8} (?:trades|shares|stock|closed)\b))"
    r"([A-Z]{2,5}(?:[.\-][A-Z]{1,2})?)\b",
    re.MULTILINE,
)
_SHARES_OF = re.compile(
    r"\b(?=[SsPpIiNnOoCcBbMm])(?:[Ss]hares (?:of|in)|[Pp]osts (?:about|on)|[Ii]nsiders (?:of|at)"
    r"|[Ss]entiment (?:around|on|for)|[Nn]ews (?:flow )?(?:on|about)|[Oo]utlook for"
    r"|[Cc]ase for|[Bb]ullish on|[Bb]earish on|[Cc]hart of|[Pp]rice of"
    r"|[Mm]argins? (?:of|at)|[Pp]urchase of|[Ss]ale of)(?: [A-Z][\w&.\-]{1,20}){1,4}"
)
_PROPOSED = re.compile(
    r"\b(?=[RrPpAaWIDV])(?:(?:[Rr]ecommend|[Pp]ropose|[Aa]dvise|[Ww]e|I) (?:that you |to )?"
    r"(?:buy|sell|hold|short)(?: shares of)?"
    r"|(?:Recommendation|Decision|Action|Verdict|Rating|Proposal|PROPOSAL)[:* ]{1,6}(?:BUY|SELL|HOLD|Buy|Sell|Hold))"
    r"(?: [A-Z][\w&.\-]{1,20}){1,4}(?= (?:at|with|here|now|on|because|for|as)\b|[.,]|$)"
)
_PLACE_BEHIND = re.compile(r"\s(?:Trends|Finance|News|Search interest|videos?|clips?|searches|comments?)\b")
"""Behind a company on whose pages something was said: `Google Trends`, `a YouTube video`."""
_SIGN = re.compile(r"[^\w&]|_")
_LONGEST_NAME = 60
_LONGEST_TITLE = 100
_MOST_WORDS = 5
_SHORT = 4
"""Letters up to which a name counts only as it is written."""
_OFTEN = 2
"""How often a name without a ticker or a legal form is written before it is taken for a company's."""


class Named(NamedTuple):
    """Where a text names a company, characters [start, end); `OWN` is the subject of the study."""

    company: str
    start: int
    end: int


class Phrase(NamedTuple):
    """A name: in lower case without punctuation, as it is written, and whose it is."""

    plain: str
    written: str
    company: str
    needs_more: bool
    """Whether it is a word too."""


class CompanyBook:
    """The names and tickers by which the texts of a run are read."""

    def __init__(self, symbol: str, name: str, more: Iterable[tuple[str, str]] = ()) -> None:
        """Read the list.

        Args:
            symbol: Ticker of the subject.
            name: Its name from its profile; the ticker if unknown.
            more: Tickers and names of companies that are not on the list.
        """
        self._symbol, self._name = symbol, name
        self.phrases: dict[str, list[Phrase]] = {}
        self.tickers: dict[str, str] = {}
        own = self._own_names()
        for company in known_companies():
            is_own = symbol in company.symbols or (own and plain_name(company.name).lower() in own)
            key = OWN if is_own else company.name
            if not is_own and company.symbols[0].startswith(MARKET):
                key = f"{MARKET}{company.name}"
            self._add(key, company.symbols, (company.name, *company.also, *(company.products if is_own else ())))
        for ticker, written in more:
            if ticker != symbol:
                self._add(written, (ticker,), dict.fromkeys((written, written.partition(" ")[0])))
        listed_as = symbol.split(".")[0]
        own_tickers = (symbol, listed_as) if listed_as.isalpha() and len(listed_as) > 1 else (symbol,)
        self._add(OWN, own_tickers, (name, *known_names(symbol, name)))
        # What a form alone tells to be a company may be the subject where nobody knows its name.
        self._is_known = name != symbol or any(symbol in company.symbols for company in known_companies())

    def is_in(self, company: str, text: str) -> bool:
        """Tell whether a text holds a name or the ticker of a company, however it is meant."""
        known = [one.written for phrases in self.phrases.values() for one in phrases if one.company == company]
        tickers = [ticker for ticker, whose in self.tickers.items() if whose == company]
        named = any(name in text for name in known or [company])
        return named or any(re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text) for one in tickers)

    @cached_property
    def own_words(self) -> frozenset[str]:
        """The words of the subject's names that are no ordinary words."""
        words = (word for one in known_names(self._symbol, self._name) for word in _plain(one).split())
        return frozenset(word for word in words if len(word) >= _SHORT and word not in WORDS["no_names"])

    def _own_names(self) -> frozenset[str]:
        return frozenset(one.lower() for one in (plain_name(self._name), *known_names(self._symbol, self._name)))

    def _add(self, company: str, symbols: Iterable[str], names: Iterable[str]) -> None:
        for symbol in symbols:
            for spelling in {symbol, symbol.replace("-", "."), symbol.replace("-", "/"), symbol.removesuffix("-USD")}:
                if company == OWN or self.tickers.get(spelling) != OWN:
                    self.tickers[spelling] = company
        for name in names:
            spaced = _plain(name).strip()
            plain = " ".join(spaced.split())
            if not plain:
                continue
            first = plain.split(" ", 1)[0]
            known = [one for one in self.phrases.get(first, []) if one.plain != spaced]
            taken = [one.company for one in self.phrases.get(first, []) if one.plain == spaced]
            if company != OWN and taken and taken[0] != company:
                continue  # the subject's names are its own
            phrase = Phrase(spaced, name, company, plain in WORDS["word_names"])
            self.phrases[first] = sorted([*known, phrase], key=lambda one: -len(one.plain))

    def named(self, text: str, given: str = "", *, english: bool = True) -> list[Named]:
        """Return the companies that a text names, in order; a name with its ticker behind it counts once.

        Args:
            text: What a model wrote.
            given: What it was given; the tickers in its tables are known.
            english: Whether it writes English; else a name may end in a genitive `s`.
        """
        sure, likely = self._by_form(text, given) if self._is_known else ({}, {})
        local = {**sure, **likely}
        by_name = list(self._by_name(text, local, english=english))
        by_ticker = self._by_ticker(text, given, local, {one.company for one in by_name})
        found = [*by_name, *by_ticker]
        found.sort(key=lambda one: (one.start, -one.end))
        apart: list[Named] = []
        for mention in found:
            if apart and mention.start < apart[-1].end:
                continue
            if apart and mention.company == apart[-1].company and text[apart[-1].end : mention.start].strip() == "(":
                apart[-1] = apart[-1]._replace(end=mention.end)
                continue
            apart.append(mention)
        title = text.find("\n", 0, _LONGEST_TITLE)
        if any(one.company == OWN and one.start > title for one in apart):
            # What has revenue may be a product of the subject.
            return [one for one in apart if one.company not in likely]
        return apart

    def _by_name(self, text: str, local: Mapping[str, str], *, english: bool) -> Iterator[Named]:
        plain = _plain(text)
        phrases = self.phrases
        if names := [name for name in local if not name.isupper()]:
            phrases = dict(phrases)
            for name in names:
                begins = _plain(name).split()[0]
                by_form = Phrase(_plain(name).strip(), name, local[name], needs_more=False)
                phrases[begins] = sorted([*phrases.get(begins, []), by_form], key=lambda phrase: -len(phrase.plain))
        first = {word for word in set(plain.split()) if word in phrases or (not english and word[:-1] in phrases)}
        seen, free = list[tuple[Named, Phrase]](), 0
        for start, word in sorted(_places(plain, first)):
            if start < free:
                continue
            for phrase in phrases.get(word, ()) or (phrases.get(word[:-1], ()) if not english else ()):
                end = start + len(phrase.plain)
                if plain.startswith(phrase.plain, start) and _ends(plain, end, phrase, english=english):
                    seen.append((Named(phrase.company, start, end), phrase))
                    free = end
                    break
        meant = {one.company for one, phrase in seen if _is_meant(text, one.start, one.end, phrase)}
        for mention, phrase in seen:
            if mention.company != OWN and _PLACE_BEHIND.match(text, mention.end):
                continue
            again = mention.company in meant and phrase.needs_more and _may_be_meant(text, mention.start, mention.end)
            if again or _is_meant(text, mention.start, mention.end, phrase):
                yield mention

    def _by_ticker(self, text: str, given: str, local: Mapping[str, str], known: Collection[str]) -> Iterator[Named]:
        listed: frozenset[str] | None = None
        doubtful: list[tuple[str, Named]] = []
        sure = set[str]()
        for found in _CAPITALS.finditer(text):
            token, start, end = found[0].lstrip("$"), found.start(), found.end()
            if not token.strip("0123456789") and "." not in token:
                continue
            token = token if token in self.tickers else token.split("/")[0].rstrip("-.")
            company = self.tickers.get(token, self.tickers.get(f"^{token}", local.get(token)))
            if company is None:
                if token in WORDS["no_tickers"] or token in WORDS["word_tickers"] or len(token) < 2:
                    continue
                if found[0].startswith("$") and token.isalpha():
                    yield Named(token, start, end)
                    continue
                if listed is None:
                    listed = _table_symbols(given)
                if token not in listed:
                    continue
                company = token
            one = Named(company, start, end)
            is_known = company in known and len(token) > 1 and token not in WORDS["no_tickers"]
            if company == OWN and token not in ("A", "I"):
                yield one
            elif is_known or self._is_ticker(text, token, start, end, company):
                sure.add(token)
                yield one
            else:
                doubtful.append((token, one))
        # What is a ticker once is one wherever it stands.
        yield from (one for token, one in doubtful if token in sure and not _is_counted(text, one.start))

    def _is_ticker(self, text: str, token: str, start: int, end: int, company: str) -> bool:
        """Tell whether capitals are the ticker of a company, by what stands around them."""
        if text[start] == "$":
            return True
        before = text[max(0, start - 24) : start]
        in_brackets = text[end : end + 1] == ")" and before.endswith(("(", ": ", ":"))
        if in_brackets and len(token) <= 3 and _are_initials(token, text[max(0, start - _LONGEST_NAME) : start - 1]):
            return len(token) > 2 and token in self.tickers and token not in WORDS["no_tickers"]
        doubtful = len(token) < 2 or token in WORDS["word_tickers"] or token in WORDS["no_tickers"]
        if not doubtful:
            return True
        if _LISTED.search(before):
            return True
        if _MARKED.search(before) and (len(token) > 1 or text[end : end + 1] in (")", "*", "\n", "")):
            return not in_brackets or token not in WORDS["no_tickers"] or company == OWN
        if _TITLED.search(before):
            return True
        behind = text[end : end + 40]
        if token in ("A", "I") or _is_counted(text, start):
            return False
        if _TRADED.match(behind):
            return True
        if token in WORDS["no_companies"] or (len(token) > 1 and token in WORDS["no_tickers"] and _AT.match(behind)):
            return False
        if _TRADED_BEFORE.search(before) and not behind[:2].strip(" ,.:;!?*\n)"):
            return True
        is_cell = before.rstrip(" *").endswith("|") and behind.lstrip(" *").startswith("|")
        if is_cell and token not in WORDS["no_tickers"]:
            return True
        return bool(_CLAUSE_BEFORE.search(text[max(0, start - 12) : start]) and _SUBJECT_BEHIND.match(behind))

    def _by_form(self, text: str, given: str) -> tuple[dict[str, str], dict[str, str]]:
        """Return names and tickers that only their form tells to be a company's, with whose they are.

        Returns:
            Those with a ticker, a legal form or a proposal; those of which figures are said, which a product may have.
        """
        found: dict[str, str] = {}
        for match in _IN_BRACKETS.finditer(text):
            ticker, name = match[1], self._name_before(text, match.start(), capitals=True)
            if not name or ticker in self.tickers or ticker in WORDS["no_tickers"] or _are_initials(ticker, name):
                continue
            found[name] = found[ticker] = name
        ends = list(_name_ends(text))
        for end in ends:
            if _legal_form().match(text, end) and (name := self._name_before(text, end)):
                found.setdefault(name, name)
        unknown = {token for token in _TICKER.findall(text) if token not in self.tickers} - WORDS["no_tickers"]
        for match in _TITLE_TICKER.finditer(text) if unknown else ():
            if match[1] in unknown:
                found.setdefault(match[1], match[1])
        for match in _PROPOSED.finditer(text):
            if name := self._name_before(text, match.end()):
                found.setdefault(name, name)
        weak = {name for end in ends if _FIGURE_OF.match(text, end) and (name := self._name_before(text, end))}
        strong = {name for end in ends if _STRONG.match(text, end) and (name := self._name_before(text, end))}
        strong |= {name for match in _SHARES_OF.finditer(text) if (name := self._name_before(text, match.end()))}
        new = (weak | strong) - found.keys()
        often = [name for name in new if name in strong or _times(name, text) >= _OFTEN]
        short = {name: company for name in often if (company := self._shortened(name, text))}
        return {**found, **short}, {name: name for name in often if name not in short and name not in given}

    def _shortened(self, name: str, text: str) -> str | None:
        """Return the one known company whose name begins with a word, if its ticker stands in the text, too."""
        companies = {one.company for one in self.phrases.get(_plain(name), ())}
        tickers = {found[0].lstrip("$") for found in _CAPITALS.finditer(text)}
        named = {company for ticker in tickers if (company := self.tickers.get(ticker)) in companies}
        return named.pop() if len(named) == 1 else None

    def _name_before(self, text: str, end: int, *, capitals: bool = False) -> str:
        """Return the words with a capital that end at a place, if they may name a company that is not known.

        Args:
            text: The text.
            end: Where they end.
            capitals: Whether they may be capitals alone, as a ticker is.
        """
        words: list[str] = []
        for word in reversed(text[max(0, end - _LONGEST_NAME) : end].split()):
            bare = word.strip("*#\"'\u201c\u201d(>_,")
            if not bare or not (bare[0].isupper() or (bare in ("&", "of", "de", "and") and words)):
                break
            if words and (word[-1] in ",;:)" or (word[-1] in ".!?" and len(bare) > 3)):
                break
            words.insert(0, bare.rstrip("."))
            if len(words) == _MOST_WORDS or word[0] in '*#"\u201c(':
                break
        while words and (
            words[0].lower().rstrip("'\u2019s") in WORDS["no_names"]
            or words[0].lower() in WORDS["no_names"]
            or words[0] in ("&", "of", "de", "and")
        ):
            words.pop(0)
        while words and capitals and words[-1].lower() in ("company", "group", "holdings"):
            words.pop()
        name = " ".join(words)
        plain = _plain(name).split()
        if not plain or len(name) < 3 or (name.isupper() and not capitals) or plain[-1] in WORDS["no_names"]:
            return ""
        if self.own_words & set(plain) or self._knows(plain):
            return ""
        return name

    def _knows(self, plain: list[str]) -> bool:
        """Tell whether the words of a name hold one that is known."""
        joined = f" {' '.join(plain)} "
        return any(f" {one.plain} " in joined for word in plain for one in self.phrases.get(word, ()))


@lru_cache(maxsize=64)
def company_book(symbol: str, name: str, more: tuple[tuple[str, str], ...] = ()) -> CompanyBook:
    """Return the book of a subject; runs on the same one share it."""
    return CompanyBook(symbol, name, more)


@lru_cache(maxsize=1)
def _legal_form() -> re.Pattern[str]:
    forms = "|".join(sorted(form for form in WORDS["legal_forms"] if form.isalpha()))
    return re.compile(rf"\s+(?:{forms})\b", re.IGNORECASE)


def _name_ends(text: str) -> Iterator[int]:
    """Yield where a word with a capital ends: before a blank, an apostrophe or a hyphen, and not behind a genitive."""
    for run in _CAPITAL_WORD.finditer(text):
        yield from (run.start() + at for at, char in enumerate(run[0]) if at and char in "'\u2019-")
        if not run[0].endswith(("'s", "\u2019s")):
            yield run.end()


def _places(plain: str, words: Iterable[str]) -> Iterator[tuple[int, str]]:
    """Yield where whole words stand in a text without punctuation, with the word."""
    for word in words:
        at = plain.find(word)
        while at >= 0:
            end = at + len(word)
            if not plain[at - 1 : at].strip() and not plain[end : end + 1].strip():
                yield at, word
            at = plain.find(word, end)


def _plain(text: str) -> str:
    """Return a text in lower case, with a blank for what is neither letter, digit nor `&`; as long as it was."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(low if len(low := char.lower()) == 1 else char for char in text)
    return _SIGN.sub(" ", lowered)


@lru_cache(maxsize=64)
def _table_symbols(given: str) -> frozenset[str]:
    return frozenset(_TABLE_SYMBOL.findall(given))


def _times(name: str, text: str) -> int:
    return sum(1 for _ in re.finditer(rf"(?<!\w){re.escape(name)}(?!\w)", text))


def _is_counted(text: str, start: int) -> bool:
    """Tell whether an article or the like stands in front of capitals, so that they name a thing and no company."""
    return bool(_COUNTED.search(text[max(0, start - 12) : start]))


def _are_initials(token: str, name: str) -> bool:
    """Tell whether a name in front of an abbreviation begins its words with its letters."""
    words = re.findall(r"[A-Za-z]+", name)[-len(token) :]
    return "".join(word[0] for word in words).upper() == token.upper()


def _ends(plain: str, end: int, phrase: Phrase, *, english: bool) -> bool:
    """Tell whether a name ends at a place, or behind the `s` of a genitive there."""
    if not plain[end : end + 1].isalnum():
        return True
    return not english and plain[end] == "s" and not plain[end + 1 : end + 2].isalnum() and not phrase.needs_more


def _may_be_meant(text: str, start: int, end: int) -> bool:
    """Tell whether a word with a capital may stand for a company named elsewhere, and for no level of a price."""
    before = text[max(0, start - 8) : start].lower()
    if _ARTICLE.search(before) and not _FORM_BEHIND.match(text, end):
        return False
    return text[start].isupper() and not _LEVEL_BEHIND.match(text, end) and "price " not in before


def _is_meant(text: str, start: int, end: int, phrase: Phrase) -> bool:
    """Tell whether words that are a name stand for the company."""
    written, name = text[start:end], phrase.written
    is_short = len(phrase.plain.replace(" ", "")) <= _SHORT and name != name.lower()
    if is_short and written != name and (not written[0].isupper() or (name.isupper() and phrase.company != OWN)):
        return False
    if phrase.company == OWN:
        return not phrase.needs_more or (text[start].isupper() and text[max(0, start - 6) : start].lower() != "price ")
    in_small = written[0].islower() and name[0].isupper()
    if not in_small and not phrase.needs_more:
        return True
    before = text[max(0, start - 20) : start]
    if _ARTICLE.search(before):
        return bool(_FORM_BEHIND.match(text, end))
    if _COMPANY_BEHIND.match(text, end):
        return True
    if in_small or _LEVEL_BEHIND.match(text, end):
        return False
    return bool(_COMPANY_BEFORE.search(before) or _INSIDE.search(before))
