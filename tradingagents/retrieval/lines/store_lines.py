"""Read a question for lines with the companies of a store in it, and answer it from their books."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from tradingagents.dataflows.reference.company_names import KnownCompany, known_companies
from tradingagents.retrieval.index.companies import Companies, company_id
from tradingagents.retrieval.lines.answering import answer_lines
from tradingagents.retrieval.lines.answers.as_printed import answer_by_rows, as_printed
from tradingagents.retrieval.lines.answers.not_computed import with_what_is_not_computed
from tradingagents.retrieval.lines.answers.set_bounds import SetBound, with_bound, without_bound
from tradingagents.retrieval.lines.asked.asked_labels import words_kept
from tradingagents.retrieval.lines.asked.asked_qualifiers import without_names_left_out
from tradingagents.retrieval.lines.asked.names_of_brands import with_common_rest
from tradingagents.retrieval.lines.asked.read_question import read_line_question
from tradingagents.retrieval.lines.cells.found_cells import SEVERAL
from tradingagents.retrieval.lines.company_books import LineBooks
from tradingagents.retrieval.lines.explained_basis import says_basis, with_explanation, without_explanation
from tradingagents.retrieval.lines.line_answer import LineAnswer
from tradingagents.retrieval.lines.line_questions import COMPANY_MARK, LineQuestion
from tradingagents.retrieval.lines.mended_words import mended_words
from tradingagents.retrieval.lines.parts.parts_within import of_parts_within
from tradingagents.retrieval.lines.parts.share_of_whole import (
    NOT_A_SHARE,
    as_line_over,
    as_shares,
    asks_both,
    asks_share,
    is_no_share,
    is_of_group,
    is_of_one_whole,
    is_of_total,
    part_and_whole,
)
from tradingagents.retrieval.lines.row_cells import names_row
from tradingagents.retrieval.lines.rows.label_words import stems_of
from tradingagents.retrieval.lines.strange_words import without_strange_words
from tradingagents.retrieval.lines.written_names import as_written, listed_named
from tradingagents.retrieval.models import DocumentInfo, SourceDocument
from tradingagents.retrieval.questions.companies import listed_instruments
from tradingagents.retrieval.questions.plain_words import spaced
from tradingagents.retrieval.series.build import FactSource

_ASKS_FOR_TEXT = re.compile(
    r"(?i)\b(?:why|explain\w*|describe\w*|discuss\w*|summari[sz]e\w*|reasons?|because|drove|driv(?:en|ers?)|caus(?:e|ed|es)"
    r"|sa(?:y|id|ys)|comment\w*|risks?|strateg\w+|guidance|outlook|expect\w*|polic(?:y|ies)|affect\w*)\b"
)
"""What no table answers, even where a figure stands in the question."""
_WHOLE_COMPANY = frozenset({"amex", "bofa", "coke", "google", "facebook", "raytheon", "chase", "square"})
"""Names of companies that share no word with the listed one and still mean the whole of it."""
_BASIS = re.compile(r"(?i)\b(?:on|based|using|before|after|net of|excl\w*|incl\w*)\b")
"""Words of a remark that says on what a figure is based."""
_COIN = "-USD"
"""How the symbol of a coin ends, which files nothing."""
_MOST_OWNERS = 3
"""Companies whose filings may hold a word that names a product of one of them."""
_FEWEST_MORE = 3
"""Letters by which the name of a part goes on after that of its company."""
_LETTERS = 4
"""Letters that a name and a company's own have in common at the beginning of a word."""


def lines_asked(
    question: str,
    infos: Sequence[DocumentInfo],
    open_document: Callable[[str], SourceDocument],
    facts: FactSource | None = None,
    as_of: datetime | None = None,
    absent: Sequence[str] = (),
    holding: Callable[[str], Collection[str]] | None = None,
) -> LineAnswer | None:
    """Answer a question for lines over years, companies, parts or qualifiers.

    Args:
        question: In plain words.
        infos: The stored filings that were known.
        open_document: Gives a document by its key.
        facts: Facts beyond the stored filings.
        as_of: Nothing known later is read.
        absent: Names of companies that the question names and of which nothing is stored.
        holding: Gives the keys of the documents that hold a word; without it no company is found by its products.

    Returns:
        None where it is another question: for one figure of one year of a company, or for what no table answers. A
        refusal may be answered elsewhere where `perhaps_elsewhere` says so.
    """
    answer = _asked(question, infos, open_document, facts, as_of, absent, holding)
    if holding is None or answer is None or answer.complete:
        return answer
    mended, remarks = mended_words(question, holding)
    again = _asked(mended, infos, open_document, facts, as_of, absent, holding) if remarks else None
    if again is None or again.refusal:
        return answer
    return again.model_copy(update={"question": question, "notes": (*again.notes, *remarks)})


def _asked(
    question: str,
    infos: Sequence[DocumentInfo],
    open_document: Callable[[str], SourceDocument],
    facts: FactSource | None,
    as_of: datetime | None,
    absent: Sequence[str],
    holding: Callable[[str], Collection[str]] | None,
) -> LineAnswer | None:
    """Answer a question for lines as it is written."""
    if _ASKS_FOR_TEXT.search(question):
        return None
    written = as_written(question, infos)
    question, bound = without_bound(written)
    named_in = without_names_left_out(question)
    companies = books_named(named_in, infos, open_document, facts, as_of, absent)
    if not companies and named_in != question:
        companies = books_named(question, infos, open_document, facts, as_of, absent)
    asked = read_of(question, companies)
    if not companies and holding is not None:
        asked, companies = _makers_of(asked, infos, open_document, facts, as_of, holding)
    if not companies:
        return None
    placed = [books.placed(asked.statement, asked.of_report) for books in companies]
    answer = _answered(asked, question, companies, placed, bound)
    printed = None if bound else as_printed(asked, question, placed, lambda rest: read_of(rest, companies))
    if printed is not None:
        by_rows = answer_by_rows(answer, printed, placed)
        answer = by_rows if by_rows is answer or by_rows is None else with_what_is_not_computed(question, by_rows)
    return None if answer is None else answer.model_copy(update={"question": written})


def _answered(
    asked: LineQuestion,
    question: str,
    companies: Sequence[LineBooks],
    placed: Sequence[LineBooks],
    bound: SetBound | None,
) -> LineAnswer | None:
    """Answer a question for lines by its words; `placed` are the books of its companies where it names a report."""
    if asked.unread or not (_is_of_lines(asked) or (bound and asked.measures)):
        return None
    if foreign := _brand_of_another(question, companies):
        return LineAnswer(question=question, refusal=foreign)
    companies = placed
    if asked.of_report and (absent_of := [books.name for books in companies if not books.infos]):
        refusal = f"the annual report of {asked.of_report} of {', '.join(absent_of)} is not stored"
        return LineAnswer(question=question, refusal=refusal)
    share = asks_share(question) and (is_of_one_whole(asked) or is_of_group(asked) or is_of_total(asked))
    part, whole = part_and_whole(asked) if share else (asked, asked)
    answer = _of_words(part, companies, on_basis=says_basis(asked))
    if share and not answer.complete and (line := as_line_over(part, question)) is not None:
        answer = _of_words(line, companies, on_basis=False)
    several = any(SEVERAL in value.gap for value in answer.values)  # which of them is meant nobody can tell
    by_words = bool(answer.refusal) and not asked.measures and not several
    if by_words and not _asks_figures(asked):
        return None  # its words name no row: perhaps a passage answers it
    plain = asked.is_plain_but_for_words and not asked.part and not share and not several
    if answer.refusal and asked.measures and plain:
        return None  # the reader of single figures answers it
    if share and not answer.refusal:
        answer = as_shares(answer, answer_lines(whole, companies), beside=asks_both(question))
    if is_no_share(question, answer) and not answer.refusal:
        return LineAnswer(question=question, refusal=NOT_A_SHARE)
    if bound is not None and not answer.refusal:
        answer = with_bound(answer, bound)
    return _with_remarks(answer, question, asked).model_copy(update={"perhaps_elsewhere": by_words})


def _of_words(asked: LineQuestion, companies: Sequence[LineBooks], *, on_basis: bool) -> LineAnswer:
    """Answer a question for lines by all its words; where that fails, by its basis alone or without strange words."""
    answer = _of_rows_together(asked, companies)
    if on_basis and not answer.complete:
        answer = _on_basis_alone(asked, companies) or answer
    if answer.refusal or not answer.complete:
        answer = _without_strange_words(asked, companies, answer)
    return answer


def _with_remarks(answer: LineAnswer, question: str, asked: LineQuestion) -> LineAnswer:
    """Return an answer to a question as it was asked, with notes on its remarks in brackets that are not read."""
    unread = tuple(_unread_in_brackets(question, asked))
    if not answer.refusal:
        answer = with_what_is_not_computed(asked.text, answer)
    refusal = answer.refusal or " ".join(unread)  # a figure on another basis would look right
    return answer.model_copy(
        update={"question": question, "notes": (*answer.notes, *unread), "refusal": refusal.rstrip(".")}
    )


_ASKS_NUMBER = re.compile(
    r"(?i)\b(?:how (?:many|much|fast|big|large)|numbers? of|counts?|rates?|ratios?|margins?|percent\w*|percentages?"
    r"|shares? of|amounts?|totals?|by (?:year|quarter)|each (?:year|quarter))\b|%|\$"
)
"""Words that ask for a number whatever it is of."""


def _asks_figures(asked: LineQuestion) -> bool:
    """Whether a question without a measure asks for figures all the same, and not for what a text says."""
    several = (
        asked.span.has_several
        or asked.functions
        or asked.direction
        or asked.compares
        or asked.group
        or asked.alternatives
    )
    return bool(several or asked.qualifiers or _ASKS_NUMBER.search(asked.text))


def _on_basis_alone(asked: LineQuestion, companies: Sequence[LineBooks]) -> LineAnswer | None:
    """Return the answer on a basis that leaves out by itself what the question names; None where no filing says so."""
    found = _of_rows_together(without_explanation(asked), companies)
    return with_explanation(asked, found, companies) if found.complete else None


def _without_strange_words(asked: LineQuestion, companies: Sequence[LineBooks], answer: LineAnswer) -> LineAnswer:
    """Return an answer that leaves out words which no table has, and says so, where it is whole but for them."""
    names, brands = _other_names(asked, companies)
    plainer, words = without_strange_words(asked, companies, names, brands)
    if plainer == asked:
        return answer
    found = _of_rows_together(plainer, companies)
    notes = tuple(f"{word} is read as the name of its company." for word in words if word in brands)
    words = tuple(word for word in words if word not in names | brands)
    update = {"not_honoured": words, "notes": (*found.notes, *notes)}
    return found.model_copy(update=update) if found.complete else answer


def _other_names(asked: LineQuestion, companies: Sequence[LineBooks]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the words of other names of companies, as `square` of Block, and those of their brands, as `aetna` of CVS.

    None of brands where a measure is asked for: the revenue of a brand is that of a part.
    """
    named = [
        (name.lower(), is_part(name, symbol))
        for known in known_companies()
        for symbol in {books.symbol for books in companies} & set(known.symbols)
        for name in known.also
    ]
    names = {name for name, is_brand in named if not is_brand and " " not in name}
    brands = {word for name, is_brand in named if is_brand and not asked.measures for word in name.split()}
    return frozenset(names), frozenset(brands)


def _of_rows_together(asked: LineQuestion, companies: Sequence[LineBooks]) -> LineAnswer:
    """Answer a question for lines; what it lists may be one row, as `energy generation and storage`."""
    answer = answer_lines(asked, companies)
    if not answer.complete and (within := of_parts_within(asked, lambda each: answer_lines(each, companies))):
        return within
    if answer.refusal and len(asked.alternatives) > 1 and not asked.direction:
        others = tuple(label for label in asked.labels if label not in asked.alternatives)
        one = replace(asked, labels=(" ".join(asked.alternatives), *others), alternatives=())
        joined = answer_lines(one, companies)
        return answer if joined.refusal else joined
    return answer


def _unread_in_brackets(question: str, asked: LineQuestion) -> Iterator[str]:
    """Yield a note on each remark in brackets that says of what else a figure is meant, such as `(on net sales)`."""
    names = {measure.name for measure in asked.measures}
    for remark in re.findall(r"\(([^()]{3,60})\)", question):
        read = read_line_question(f"({remark})")
        is_left_out = bool(read.excluded) and read.excluded == asked.excluded
        if _BASIS.search(remark) and not is_left_out and {measure.name for measure in read.measures} - names:
            yield f"What stands in brackets, {remark!r}, is not read."


def _brand_of_another(question: str, companies: Sequence[LineBooks]) -> str:
    """Say that a brand is called one company's and is another's, as `Amazon's Reality Labs`; empty where none is."""
    marked, parts = marked_question(question, companies)
    for number, brand in parts:
        owner = re.search(rf"([^\x00-\ud7ff])['\u2019]s? {chr(COMPANY_MARK + number)}", marked)
        other = ord(owner.group(1)) - COMPANY_MARK if owner else number
        if other != number and 0 <= other < len(companies):
            return f"{brand} is a part of {companies[number].name}, and not of {companies[other].name}"
    return ""


def _is_of_lines(asked: LineQuestion) -> bool:
    """Whether a question is for more than one figure of one period, or for a row that it names itself."""
    if asked.is_plain:
        return False
    if asked.measures or asked.group:
        return True
    own = asked.labels or asked.own_labels
    return bool(own and (asked.span.periods or asked.span.last or asked.span.since or asked.compares))


def books_named(
    question: str,
    infos: Sequence[DocumentInfo],
    open_document: Callable[[str], SourceDocument],
    facts: FactSource | None = None,
    as_of: datetime | None = None,
    absent: Sequence[str] = (),
) -> list[LineBooks]:
    """Return the books of the companies that a question names, in its order; of the only one where it names none.

    A listed company without a filing, and each of `absent`, has books too: they state nothing but what `facts` knows.
    """
    by_company: dict[str, list[DocumentInfo]] = {}
    for info in map(_as_filed, infos):
        by_company.setdefault(company_id(info.symbol, info.company), []).append(info)
    named = Companies((own[0].symbol, own[0].company) for own in by_company.values()).named(question)
    unlisted = Companies(("", info.company) for info in map(_as_filed, infos) if not info.symbol and info.company)
    listed = [
        mention.symbol
        for mention in listed_named(question)
        if not (unlisted.named(mention.written) or unlisted.named(mention.written.title()))
    ]
    if companies_listed := [symbol for symbol in listed if not symbol.endswith(_COIN)]:
        listed = companies_listed  # the bitcoin that a company holds
    listed += [company.symbols[0] for company, _ in _makers(question)]
    books = [
        LineBooks(own[0].symbol or own[0].company, own[0].symbol, own, open_document, facts, as_of)
        for known, own in by_company.items()
        if known in named or own[0].symbol in listed
    ]
    known_symbols = {each.symbol or _symbol_of(each.name) for each in books}
    others = [
        symbol
        for symbol in dict.fromkeys(listed)
        if symbol not in known_symbols and not any(_writes(each, symbol) for each in books)
    ]
    books += [LineBooks(symbol, symbol, (), open_document, facts, as_of) for symbol in others]
    books += [
        LineBooks(name, "", (), open_document, None, as_of)
        for name in absent
        if name not in {*known_symbols, *others} and not listed_instruments().mentions(spaced(name))
    ]
    if not books and len(by_company) == 1:
        (own,) = by_company.values()
        return [LineBooks(own[0].symbol or own[0].company, own[0].symbol, own, open_document, facts, as_of)]
    marked, _ = marked_question(question, books)
    return sorted(books, key=lambda each: marked.find(chr(COMPANY_MARK + books.index(each))) % (len(marked) + 1))


def _writes(books: LineBooks, symbol: str) -> bool:
    """Whether the newest filing of a company defines an abbreviation that is also a ticker, as `ARM` or `MPC`."""
    newest = max(books.infos, key=lambda info: info.known_at, default=None)
    if newest is None:
        return False
    defined = re.compile(rf"\([\"\u201c]?(?:or )?[\"\u201c]?{re.escape(symbol)}[\"\u201d]?\)")
    return any(defined.search(page.text) for page in books.readable(newest).pages)


def marked_question(question: str, companies: Sequence[LineBooks]) -> tuple[str, tuple[tuple[int, str], ...]]:
    """Return a question with a sign for each company's name, and the parts that it names by a brand.

    `AWS` names Amazon and one part of it: the figure wanted is that part's, by the number of its company.
    """
    text = spaced(question)
    makers = {company.symbols[0]: written for company, written in _makers(text)}
    numbers = {books.symbol: number for number, books in enumerate(companies) if books.symbol}
    parts: dict[tuple[int, str], None] = {}
    for symbol in makers.keys() & numbers.keys():
        text = text.replace(makers[symbol], chr(COMPANY_MARK + numbers[symbol]))
    unlisted = Companies(("", info.company) for books in companies for info in books.infos if not info.symbol)
    for mention in reversed(listed_named(text)):
        if mention.symbol in numbers and not unlisted.named(mention.written):
            number = numbers[mention.symbol]
            is_brand = not mention.by_ticker and is_part(mention.written, mention.symbol)
            kept = f" {mention.written} " if is_brand else ""
            text = f"{text[: mention.start]}{chr(COMPANY_MARK + number)}{kept}{text[mention.end :]}"
            if is_brand:
                parts[number, mention.written.lower()] = None
    for number, books in enumerate(companies):
        names = {(info.symbol, info.company) for info in books.infos} or {(books.symbol, books.name)}
        for name in names:
            text = Companies([name]).without_names(text, chr(COMPANY_MARK + number))
        if books.symbol and all(company in ("", symbol) for symbol, company in names):  # known by its ticker alone
            text = re.sub(rf"(?i)\b{re.escape(books.symbol)}\b", chr(COMPANY_MARK + number), text)
    return text, tuple(parts)


def _as_filed(info: DocumentInfo) -> DocumentInfo:
    """Return a filing without a ticker that is another company's, as that of a company's later owner."""
    return replace(info, symbol="") if info.symbol and _is_of_owner(info.company, info.symbol) else info


@lru_cache(maxsize=1000)
def _is_of_owner(company: str, symbol: str) -> bool:
    return any(symbol in each.symbols for each in known_companies()) and is_part(company, symbol)


@lru_cache(maxsize=1000)
def _symbol_of(company: str) -> str:
    """Return the ticker of a company of which only the name is stored; empty where it is not listed."""
    mentions = listed_instruments().mentions(f"of {company}")
    return mentions[0].symbol if len(mentions) == 1 else ""


def _makers_of(
    asked: LineQuestion,
    infos: Sequence[DocumentInfo],
    open_document: Callable[[str], SourceDocument],
    facts: FactSource | None,
    as_of: datetime | None,
    holding: Callable[[str], Collection[str]],
) -> tuple[LineQuestion, list[LineBooks]]:
    """Return the question with the books of the companies whose filings have rows named by its words, as products.

    Where each of several products is of one company, and they are of several, each company is asked for its own.
    """
    owners = {label: _owner(label, infos, open_document, holding) for label in asked.alternatives or asked.labels}
    makers = list(dict.fromkeys(filter(None, owners.values())))
    if len(makers) > 1 and not (asked.alternatives and all(owners.values())):
        makers = makers[:1]
    books = []
    for maker in makers:
        own = [info for info in infos if company_id(info.symbol, info.company) == maker]
        books.append(LineBooks(own[0].symbol or own[0].company, own[0].symbol, own, open_document, facts, as_of))
    if len(makers) > 1:
        theirs = tuple((makers.index(maker), label) for label, maker in owners.items() if maker is not None)
        common = tuple(label for label in asked.labels if label not in owners)
        asked = replace(asked, labels=common, alternatives=(), apart=frozenset(), own_labels=theirs, compares=True)
    return asked, books


def _owner(
    label: str,
    infos: Sequence[DocumentInfo],
    open_document: Callable[[str], SourceDocument],
    holding: Callable[[str], Collection[str]],
) -> Hashable | None:
    """Return the one company whose filings have rows named by a word of a label; None where there are several."""
    by_key = {info.key: info for info in infos}
    for word in label.split():
        held = [by_key[key] for key in holding(word) if key in by_key]
        if not 0 < len({company_id(info.symbol, info.company) for info in held}) <= _MOST_OWNERS:
            continue
        having = {
            company_id(info.symbol, info.company)
            for info in held
            if any(names_row(table, word) for table in open_document(info.key).tables)
        }
        if len(having) == 1:
            return having.pop()
    return None


def _makers(question: str) -> list[tuple[KnownCompany, str]]:
    """Return the companies that a question names by a product, as in `the iPhone maker`, with what is written."""
    return [
        (company, found.group())
        for company in known_companies()
        for name in company.products
        if (found := re.search(rf"(?i)(?:the )?\b{re.escape(name)}[- ]maker\b", question))
    ]


def is_part(written: str, symbol: str) -> bool:
    """Return whether a name is a brand of a company rather than the company: no word of its listed name is in it."""
    company = next(each for each in known_companies() if symbol in each.symbols)
    name, plain = company.name.lower(), written.lower().strip()
    initials = "".join(word[0] for word in re.findall(r"[a-z]+", name))
    if plain in _WHOLE_COMPANY or plain.replace("&", "").replace(".", "") in (initials, symbol.lower()):
        return False
    if "".join(word[0] for word in re.findall(r"[a-z]+", plain)).startswith(symbol.lower()):  # IBM in full
        return False
    listed = set(re.findall(r"[a-z0-9]+", name))
    if plain.isalpha() and any(_goes_on(plain, word) and plain.removeprefix(word) not in listed for word in listed):
        return True  # UnitedHealthcare is a part of UnitedHealth
    starts = {word[:_LETTERS] for word in re.findall(r"[a-z0-9]+", name)}
    whole = {word[:_LETTERS] for word in re.findall(r"[a-z0-9]+", plain)}
    if whole <= starts | {symbol.lower()}:
        return False
    also = (name.lower().replace("'", "") for name in company.also)
    return any(plain.replace("'", "").startswith(name) for name in also) and not whole & starts


def _goes_on(name: str, word: str) -> bool:
    """Return whether a name is a word of another one with some more letters."""
    return len(word) > _LETTERS and name.startswith(word) and len(name) - len(word) >= _FEWEST_MORE


def read_of(question: str, companies: Sequence[LineBooks]) -> LineQuestion:
    """Return a question for lines, read; the names of its companies are none of its words."""
    marked, parts = marked_question(question, companies)
    asked = read_line_question(marked)
    named = (*asked.labels, *(label for _, label in asked.own_labels), *asked.combined)
    asked = replace(asked, spoken=stems_of(question) - stems_of(" ".join(named)))
    if len(companies) < 2:
        return asked
    asked = with_common_rest(asked, {number: words_kept(brand) for number, brand in parts})
    brands = {(number, label) for number, brand in parts for label in asked.labels if words_kept(brand) in label}
    theirs = {label for _, label in brands}
    return replace(
        asked,
        labels=tuple(label for label in asked.labels if label not in theirs),
        alternatives=tuple(label for label in asked.alternatives if label not in theirs),
        own_labels=(*asked.own_labels, *sorted(brands)),
    )
