"""Questions for lines over spans, read by rule.

    read_line_question("How did net sales of Greater China move since FY2022?").span  # since FY2022

Every word is accounted for: it names a measure, a period, something to compute or to compare, a qualifier, or it is one
of `labels`, the words that a row of a table has to answer for. What could not be read is never dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from tradingagents.retrieval.index.words import stem
from tradingagents.retrieval.lines.asked.asked_comparison import (
    OVER_PERIODS,
    with_change_since_extreme,
    with_comparison,
)
from tradingagents.retrieval.lines.asked.asked_functions import TOTAL_OVER, with_functions
from tradingagents.retrieval.lines.asked.asked_labels import AskedLabels, read_labels, words_kept
from tradingagents.retrieval.lines.asked.asked_measures import ALSO_CALLED, PER_DOLLAR, asked_measure, read_measures
from tradingagents.retrieval.lines.asked.asked_places import without_filing, without_statement
from tradingagents.retrieval.lines.asked.asked_qualifiers import (
    MARKS,
    QUALIFIER_MARK,
    with_qualifiers,
    without_what_is_left_out,
)
from tradingagents.retrieval.lines.asked.asked_spans import AskedSpan, read_spans
from tradingagents.retrieval.lines.asked.places_of_each import with_place_of_each
from tradingagents.retrieval.lines.asked.plain_text import plain_question
from tradingagents.retrieval.lines.line_questions import COMPANY_MARK, ORGANIC, AskedMeasure, LineQuestion
from tradingagents.retrieval.lines.wording import asked_words
from tradingagents.retrieval.series.span import FiscalPeriod

_COMBINED = re.compile(r"(?P<what>[^,;:?\ue000-\uefff]{2,80}?)\s(?:combined|together|taken together)\b")
_FEWEST_COMBINED = 2
"""Parts that can be added up."""
_TRAILING = re.compile(r"\bttm\b")
_IN_AMOUNT = re.compile(
    r"\b(?:in |by )?(?:absolute|dollar|money|usd|cash) (?:terms|amounts?)\b|\bin (?:us )?dollars\b|\babsolute(?:ly)?\b"
    r"|\bin \$|\bmost dollars\b"
)
_PART_WORDS = re.compile(r"\b(?:business|segment|division|unit|group)\b")
_WITHIN = re.compile(r"\b(?:within|inside|among)\s(?P<what>[^,?]{2,60}),")
_AVERAGES_OF_BALANCES = re.compile(
    r"\b(?:on|with|using"
    r"|over) (?:the )?averages? (?:of (?:the )?(?:opening and closing )?)?(?:balances?"
    r"|inventor(?:y|ies)|assets|equity|receivables|payables)\b"
)
_PER_EMPLOYEE = re.compile(r"\b(?:per|for each|for every) (?:full-time )?(?:employee|head|worker)s?\b")
_PER_ONE = re.compile(
    r"\bper (?!(?:diluted |basic |common |ordinary )?shares?\b|year\b|yr\b|annum\b|quarter\b|qtr\b|cent\b|segment\b"
    r"|region\b|product\b|business\b|division\b|country\b|category\b|company\b|the\b|its\b|their\b|note\b|latest\b|annual\b"
    r"|10-?[kq]\b|filings?\b|reports?\b)(?P<what>[a-z][\w-]{1,30})"
)
"""For one of what an amount is wanted; `per region` asks for each region."""
_HEADCOUNT_USED = re.compile(
    r"\b(?:us(?:e|ing)|on|based on|with) (?:the )?(?:year[- ]end |yr[- ]end |end of (?:the )?year )?"
    r"(?:headcounts?|employees|number of employees|employee (?:count|numbers?))\b"
)
_UNSUPPORTED = re.compile(
    r"\b(?:first|second) half\b|\bh[12]\b|\b(?:six|nine)[- ]months?\b|\bmonths?\b"
    r"|\bweek(?:s|ly)?\b|\bper (?:employee|store|customer|day)\b"
    r"|\bguid(?:ance|ed)\b|\bforecasts?\b|\bexpect(?:s|ed)?\b|\bbudget\b|\boutlook\b"
    r"|\bnext (?:year|quarter)\b|\bmedian\b"
)
_BY_OWN_RULES = re.compile(
    r"\bas (?:each(?: company| one| of them)?|the company|they|it) (?:itself |themselves )?"
    r"(?:defines?|reports?)(?: it| them)?\b|\bas defined by (?:each(?: company)?|the company|them)\b"
    r"|\b(?:by|on|under|per|using) (?:its|their|each company) own (?:definition|measure|terms)s?\b"
    r"|\b(?:per|according to|as per) (?:the|its|their)(?: own)? (?:latest |newest |most recent |last )?"
    r"(?:10-?[kq]|annual report|filing|report)s?\b"
)
"""Says that a figure is wanted as its filings print it, which every answer gives."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_FILING_OF_YEAR = re.compile(r"\b(?:19|20)\d\d (?:form )?(?:10-?[kq]|annual report|quarterly report|filing)\b")
_AND_TOTAL = re.compile(
    r"(?:\band|,|\bplus|\bwith|\bas well as|\balong with) (?:in |for |of |the |its |a |on ){0,3}"
    r"(?:total|overall|consolidated|group|company)(?: company| group| as a whole)?(?=\W*$|\s*[,;?.-])"
)
_ONE_OF_THEM = re.compile(
    r"\b(?:product|drug|brand|one|name|item|leg|side|medicine|franchise)s? (?:of|among|out of) "
    r"(?:the |these |those |all )?(?:two|three|four|five|[2-9]|lot|bunch)\b|\b(?<=which )(?:leg|side|one|drug)\b"
    r"|(?<=which [\ue000-\uefff] )(?:drug|medicine|product|brand|therapy|vaccine|franchise)\b"
    r"|(?<=which )(?:market|place|area|unit|channel|line)\b(?=[^?]{0,120} or )"
)
_ON_A_BASIS = re.compile(
    r"\b(?:organic\w*|adjusted|core|underlying|non-?\s?gaap|constant[- ]currency|currency[- ]neutral)\b"
)
_NOT_ADJUSTED = re.compile(
    r"\bnot (?:the )?(?:adjusted|non-?\s?gaap|organic|underlying|core|(?:in |at )?constant[- ]currency)\b"
)
_NOT_AS_REPORTED = re.compile(
    r"\W?\bnot (?:the )?(?:as )?(?:reported|gaap)\b(?: (?:one|ones|figures?|number|basis|growth|change))?\W?"
)
"""Says again that a figure is wanted on another basis."""
_AND_AMOUNT = re.compile(
    r"(?:\$|\b(?:amounts?|dollars?|values?|figures?|levels?))(?: amount)? (?:and|&|\+|plus) (?:the |its )?"
    r"(?:%|percent\w*|growth|change)"
)
_AND_GROWTH = re.compile(
    r"\b(?:and|plus|with|as well as) (?:(?:its|their) (?:[\w-]+ ){0,3}?(?:growth|changes?)\b"
    r"|(?:the )?growth(?: rate)? (?:excluding|ex|without|in|at|on|adjusted)\b)"
)
_AND_CHANGE = re.compile(
    r"\b(?:and|plus|with|\+|&) (?:also )?(?:the |its |by (?:what|how much) )?(?:(?:organic|annual|yoy|underlying) )?"
    r"(?:%|(?:percent(?:age)?|growth|change)\b)"
)
_SAYS_CHANGE = re.compile(r"\b(?:growth|gr[eo]w\w*|chang\w*|increas\w*|decreas\w*|declin\w*|r[io]se|f[ae]ll)\b")
_SIZE = re.compile(r"\b(?:bigger|larger|smaller)\b(?! (?:growth|increase|change|rise|gain|jump|fall|drop|decline))")
_CHANGES = r"(?:growth|gr[eo]w\w*|chang\w*|increas\w*|decreas\w*|declin\w*|mov\w+)"
_SIZE_AND_CHANGE = re.compile(
    r"\b(?:highest|higher|largest|greatest|greater|best|better|lowest|lower|worst|worse|most|more|least|less)\b"
    rf"(?:(?! {_CHANGES}\b)[^?.;:]){{1,80}}?(?:[?.;:,]? ?\b(?:and|also|plus|with)\b)(?: also)?"
    rf" (?:(?:the|its|their|what|show|give|me|yoy|y/y|annual|respective|each|of|how|did|has|have) ){{0,4}}{_CHANGES}\b"
)
"""`Which has the better margin, and the change on 2023?` compares the figures, and gives their changes besides."""
_ATTRIBUTABLE = re.compile(
    r"\battributable to (?:the )?(?:common )?(?:shareholders|stockholders|shareowners|owners|parent|company|group"
    r"|[\ue000-\uefff])(?: of the (?:parent|company))?"
    r"|,? (?:i\.e\.?,? )?(?:net of|after|excluding|before deducting) noncontrolling interests?"
)
"""Of earnings that belong to shareholders: `net income` is theirs, as the statements give it."""
_AGAINST = re.compile(
    r"\b(?:vs?\.?|versus|against|compared?|comparison|than|gap|difference|spread|by how (?:much|many)"
    r"|(?:sur)?passed|overtaken?|overtook|exceed(?:s|ed)?|outsold|outsell|outgrew|outgrow|outearn(?:ed)?|outspen[dt]"
    r"|how (?:much|many|far)"
    r" (?:points? )?(?:more|less|higher|lower|bigger|wider|ahead|behind|above|below)|or)(?=\W)"
)


_YEAR_END = re.compile(
    r"\((?:[a-z]+ ){0,3}(?:ends?|ended|ending)(?: on| in)? (?:\d{1,2} )?"
    r"(?P<month>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?(?: \d{1,2},?)? (?P<year>(?:19|20)\d\d)\)"
)
"""A remark on when the year before it ends."""
_NET_OF_INTEREST = re.compile(r"\b(?P<revenue>(?:total )?revenues?) net of interest expenses?\b")
"""The name of what a bank earns, of which nothing is left out."""
_KIND_OF_COMPANY = re.compile(
    r"\b(?P<which>which|what|whose) (?:of (?:the|these) (?:two|three|four|[2-9]) )?"
    r"(?:(?:big|tech|us|payment|card|home|drug|chip|oil|auto)[- ])?"
    r"(?:retailers?|grocers?|banks?|lenders?|insurers?|(?:chip|drug|car|auto|plane|aircraft|phone)[- ]?makers?"
    r"|networks?|carriers?|telcos?|airlines?|brewers?|stocks?|issuers?|firms?|compan(?:y|ies)|giants?)(?= [a-z])"
)
"""What the companies are that a question sets against each other: no row is called so."""
_DEALS = r"(?:m&a|acquisitions?(?: (?:and|&) (?:divestitures?|disposals?))?)"
_FX = r"(?:fx|currency|foreign exchange)"
_OF_ORGANIC = re.compile(
    r"\(?(?:\bi\.?e\.?,? |\bso )?\b(?:ex|excl\.?|excluding|without|no|before|net of)[- ](?:the )?"
    rf"(?:{_FX}(?: effects?| impacts?)?(?: and|,| &| or|/) ?(?:no |without )?{_DEALS}"
    rf"|{_DEALS}(?: and|,| &| or|/) ?(?:no |without )?{_FX})\b(?: effects?| impacts?)?\)?"
)
"""What organic growth leaves out by its name."""
_WHOLE_GROUP = re.compile(r"\b(?:whole|entire|total|overall|consolidated) group\b")


def _without_year_end(plain: str) -> tuple[str, tuple[int, int] | None]:
    """Return a question without a remark on when its last year ends, and that month; as it is without another year."""
    found = _YEAR_END.search(plain)
    if found is None or not _YEAR.search(_FISCAL.sub(r" 20\g<year> ", plain[: found.start()])):
        return plain, None
    month = 1 + "janfebmaraprmayjunjulaugsepoctnovdec".index(found["month"]) // 3
    return f"{plain[: found.start()]} {plain[found.end() :]}", (int(found["year"]), month)


_FISCAL = re.compile(r"\bfy ?'?(?:20)?(?P<year>\d\d)\b")


def read_line_question(text: str) -> LineQuestion:
    """Return what a question for lines asks.

    Args:
        text: The question, each company that it names replaced by a sign of its own, from `COMPANY_MARK` on.
    """
    plain, year_end = _without_year_end(_without_what_is_implied(plain_question(text)))
    plain, left_out = without_what_is_left_out(_WHOLE_GROUP.sub(" ", plain))
    plain = TOTAL_OVER.sub("cumulative", plain)
    plain, statement = without_statement(plain)
    plain, report = without_filing(plain)
    span, rest = read_spans(plain)
    span = _up_to_report(span, report)
    rest = PER_DOLLAR.sub(lambda found: f"which has the most {found['what']} margin", rest)
    per_employee = bool(_PER_EMPLOYEE.search(rest))
    rest = _HEADCOUNT_USED.sub(" ", _PER_EMPLOYEE.sub(" ", rest)) if per_employee else rest
    question = replace(
        _with_ways(LineQuestion(text, span=span, unread=_unread(plain, rest, span), excluded=left_out), plain),
        year_end=year_end,
        statement=statement,
        of_report=report,
        of_companies=_of_companies(span.text, span),
        per_employee=per_employee,
        per_one="" if per_employee or not (one := _PER_ONE.search(plain)) else one["what"],
    )
    question, rest = with_change_since_extreme(question, rest)
    question, rest = with_comparison(question, rest, over_periods=bool(OVER_PERIODS.search(plain)))
    rest = f" {asked_words(' '.join(rest.split()))} "  # `earned more from operations` is `earned from operations` now
    question, rest = with_qualifiers(question, _without_denied_basis(rest))
    rest = _AVERAGES_OF_BALANCES.sub(" ", rest)
    for pattern, name in ALSO_CALLED:
        rest = pattern.sub(f" {name} ", rest)
    question, rest = with_functions(question, rest)
    measures, rest = read_measures(rest)
    return _with_labels(question, measures, MARKS.sub(" ", rest))


def _without_what_is_implied(plain: str) -> str:
    """Return a question without words that say what its other words mean anyway, as `as the company reports it`."""
    if re.search(r"\bnet (?:income|earnings|profit|margin)", plain):
        plain = _ATTRIBUTABLE.sub(" ", plain)
    plain = _BY_OWN_RULES.sub(" ", _NET_OF_INTEREST.sub(r"\g<revenue>", plain))
    if len({sign for sign in plain if COMPANY_MARK <= ord(sign) < QUALIFIER_MARK}) > 1:
        plain = _KIND_OF_COMPANY.sub(r"\g<which>", plain)
    return _OF_ORGANIC.sub(" ", plain) if re.search(r"\borganic", plain) else plain


def _up_to_report(span: AskedSpan, report: int) -> AskedSpan:
    """Return a span whose last years end with that of a report, as `the last three years in the 2024 annual report`."""
    if not report or not span.last or span.quarterly:
        return span
    years = tuple(FiscalPeriod(report - back) for back in range(span.last))
    return replace(span, periods=years[::-1], last=0)


def _unread(plain: str, rest: str, span: AskedSpan) -> tuple[str, ...]:
    """Return what no answer takes into account: periods and words that are not supported, a filing's unclear year."""
    unread = [found.group().strip() for found in _UNSUPPORTED.finditer(rest)]
    if len(set(_YEAR.findall(plain))) > 1:  # the year of a filing beside years of figures: which one tells what
        unread += [found.group() for found in _FILING_OF_YEAR.finditer(plain)]
    return tuple(dict.fromkeys((*unread, *span.unread)))


def _with_labels(question: LineQuestion, measures: tuple[AskedMeasure, ...], rest: str) -> LineQuestion:
    """Return a question with its measures and with the labels that the rest of its words are."""
    within = _WITHIN.search(rest)
    context = words_kept(_PART_WORDS.sub(" ", within["what"])) if within else ""
    rest = rest[: within.start()] + " : " + rest[within.end() :] if within else rest
    question, rest, combined = _combined_parts(question, rest)
    grows = "growth" in question.functions
    found = with_place_of_each(_listed_labels(rest), rest)
    found = _said_once(_without_signs(_without_repeats(found, measures, grows=grows), measures))
    measures, found = _with_bare_measure(question, measures, found)
    combined = combined or _added_up(question, rest, found)
    return replace(
        question, unread=(*question.unread, *filter(_is_vague, found.labels)), measures=measures, labels=found.labels,
        alternatives=found.alternatives, apart=found.apart,
        own_labels=found.own, without=found.without, context=context, combined=combined,
    )  # fmt: skip


def _with_ways(question: LineQuestion, plain: str) -> LineQuestion:
    """Return a question with the ways in which it wants figures told: against each other, in total."""
    return replace(
        question,
        against=bool(_AGAINST.search(plain)),
        by_size=bool(_SIZE.search(plain) or _SIZE_AND_CHANGE.search(plain)),
        with_total=bool(_AND_TOTAL.search(plain)),
        trailing=bool(_TRAILING.search(plain)),
        in_amount=bool(_IN_AMOUNT.search(plain)),
        and_amount=_wants_amount(plain),
        and_growth=bool(_AND_GROWTH.search(plain)),
    )


def _wants_amount(plain: str) -> bool:
    """Whether a figure is wanted beside its change, as in `organic net sales and % change`."""
    change = _AND_CHANGE.search(plain)
    beside = change is not None and not _SAYS_CHANGE.search(plain[: change.start()])
    return bool(_AND_AMOUNT.search(plain)) or (beside and bool(ORGANIC.search(plain)))


def _without_denied_basis(rest: str) -> str:
    """Return a question without a basis that is not wanted, as in `not adjusted` and `organic, not reported`."""
    rest = _NOT_ADJUSTED.sub(" reported ", rest)
    return _NOT_AS_REPORTED.sub(" ", rest) if _ON_A_BASIS.search(rest) else rest


def _combined_parts(question: LineQuestion, rest: str) -> tuple[LineQuestion, str, tuple[str, ...]]:
    """Return the question, its rest and the labels that it wants added up; quarters taken together are a sum."""
    together = _COMBINED.search(rest)
    if together is None:
        return question, rest, ()
    combined = _labels(together["what"]).labels
    if len(combined) < _FEWEST_COMBINED:  # quarters, not parts, are taken together
        combined = ()
        several = question.span.has_several and "sum" not in question.functions
        question = replace(question, functions=(*question.functions, *(("sum",) if several else ())))
    return question, rest[: together.end("what")] + " , " + rest[together.end() :], combined


def _added_up(question: LineQuestion, rest: str, found: AskedLabels) -> tuple[str, ...]:
    """Return the labels that `plus` joins, as `Japan plus Rest of Asia Pacific`; none where something else does."""
    listed = [r"\W+".join(map(re.escape, label.split())) for label in found.alternatives]
    joined = len(listed) > 1 and all(
        re.search(rf"(?<!\w){one} plus (?:the |its )?{other}(?!\w)", rest) for one, other in pairwise(listed)
    )
    return found.alternatives if joined and not (question.direction or question.compares) else ()


def _with_bare_measure(
    question: LineQuestion, measures: tuple[AskedMeasure, ...], found: AskedLabels
) -> tuple[tuple[AskedMeasure, ...], AskedLabels]:
    """Return the measure that is meant where none is named: of parts the operating margin, of growth the revenue."""
    if not measures and question.group and found.labels and set(found.labels) <= _BARE_MARGIN:
        bare = asked_measure("operating margin", "metric", "operating_margin", margin=False)
        return (replace(bare, qualifiers=question.qualifiers),), AskedLabels()
    if not measures and not found.labels and not question.group and "growth" in question.functions:
        bare = asked_measure("revenue", "item", "revenue", margin=False)  # how fast a company grew
        return (replace(bare, qualifiers=question.qualifiers),), found
    return measures, found


_VAGUE = frozenset(
    {"profitable", "profitability", "healthy", "health", "performance", "liquidity", "leverage", "valuation"}
)
"""Words that ask for a judgement rather than for a row, where no word beside them names one, as in `health care`."""
_OF_JUDGEMENTS = _VAGUE | {"financial", "operational", "operating", "fiscal", "general", "economic", "of", "and"}


def _is_vague(label: str) -> bool:
    words = set(label.split())
    return bool(words & _VAGUE) and words <= _OF_JUDGEMENTS


_BARE_MARGIN = frozenset({"margin", "margins"})
_REPEATED = ("margin", "rate", "growth", "loss", "profit")


def _without_repeats(found: AskedLabels, measures: Sequence[AskedMeasure], *, grows: bool) -> AskedLabels:
    """Return labels without those that only name the kind of a measure again, as in `give both margins`."""
    kinds = {kind for kind in _REPEATED for measure in measures if kind in measure.name}
    kinds |= {"rate", "growth rate"} if grows and len(found.labels) > 1 else set()  # `which grew faster? rates`
    kinds |= {"loss", "losses", "profit"} if any("income" in measure.name for measure in measures) else set()
    repeats = kinds | {f"{kind}s" for kind in kinds}
    return replace(
        found,
        labels=tuple(label for label in found.labels if label not in repeats),
        alternatives=tuple(label for label in found.alternatives if label not in repeats),
    )


def _said_once(found: AskedLabels) -> AskedLabels:
    """Return labels without those that only say a part of another one again, as in `what were the two volumes?`."""

    def repeats(label: str) -> bool:
        words = {stem(word) for word in label.split()}
        others = [{stem(word) for word in other.split()} for other in found.labels if other != label]
        return label not in found.alternatives and any(words < other for other in others)

    return replace(found, labels=tuple(label for label in found.labels if not repeats(label)))


_SIGNS = frozenset({"negative", "positive", "profitable", "unprofitable", "zero", "red", "black"})
"""Words that ask for the sign of figures, which the figures show."""


def _without_signs(found: AskedLabels, measures: Sequence[AskedMeasure]) -> AskedLabels:
    """Return labels without those that only ask for the sign of a figure, as in `when did it turn profitable?`."""
    signs = {label for label in found.labels if set(label.split()) <= _SIGNS}
    others = {label for label in found.labels if label not in signs}
    if not signs or not (measures or others):
        return found
    labels = tuple(label for label in found.labels if label in others)
    return replace(
        found, labels=labels, alternatives=tuple(label for label in found.alternatives if label in others),
    )  # fmt: skip


def _with_common_rate(found: AskedLabels) -> AskedLabels:
    """Return labels with comparable sales asked of each of a list that they introduce, as in `comps, A or B`."""
    rates = [label for label in found.alternatives if "comparable" in label.split()]
    if len(rates) != 1 or len(found.alternatives) < 3:
        return found
    return replace(found, alternatives=tuple(label for label in found.alternatives if label not in rates))


def _listed_labels(rest: str) -> AskedLabels:
    """Return the labels of a question; a noun for those that it lists, as `product of the three`, is none."""
    plain = _labels(_ONE_OF_THEM.sub(" ", rest))
    return _with_common_rate(plain if plain.alternatives else _labels(rest))


def _labels(rest: str) -> AskedLabels:
    return read_labels(rest, COMPANY_MARK, QUALIFIER_MARK)


def _of_companies(plain: str, span: AskedSpan) -> tuple[tuple[int, int, FiscalPeriod], ...]:
    """Return the period of each company where each is followed by one of its own; nothing where one is of all.

    A list of as many periods as companies, in which one stands twice, tells them in the order of the companies.
    """
    marks = [
        (at, ord(sign) - COMPANY_MARK) for at, sign in enumerate(plain) if COMPANY_MARK <= ord(sign) < QUALIFIER_MARK
    ]
    companies = list(dict.fromkeys(number for _, number in marks))
    if len(companies) < 2:
        return ()
    if marks and len(span.places) == len(companies) > len({period for _, period in span.places}) > 1:
        return tuple((number, at, period) for number, (at, period) in zip(companies, span.places, strict=True))
    if len(set(span.periods)) < 2 and len(span.places) < 2:
        return ()
    found: dict[int, tuple[int, FiscalPeriod]] = {}
    for number, (start, company) in enumerate(marks):
        end = marks[number + 1][0] if number + 1 < len(marks) else len(plain)
        within = [(place, period) for place, period in span.places if start < place < end]
        if len(within) > 1:
            return ()
        if within:
            found[company] = within[0]
    told = tuple((number, at, period) for number, (at, period) in sorted(found.items()))
    return told if set(found) == set(companies) else ()
