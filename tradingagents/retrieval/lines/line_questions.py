"""Questions for lines over spans, read by rule: what of, over which periods, what is computed, what is compared.

    read_line_question("How did net sales of Greater China move since FY2022?").periods  # since FY2022

Every word is accounted for: it names a measure, a period, something to compute or to compare, a qualifier, or it is one
of `labels`, the words that a row of a table has to answer for. What could not be read is never dropped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Literal

from tradingagents.retrieval.calculation import Output
from tradingagents.retrieval.line_items import Metric, line_items, metrics
from tradingagents.retrieval.lines.asked_labels import MEASURED, AskedLabels, read_labels, words_kept
from tradingagents.retrieval.lines.asked_spans import AskedSpan, read_spans
from tradingagents.retrieval.lines.wording import asked_words
from tradingagents.retrieval.questions.figures import named_measures
from tradingagents.retrieval.series.span import FiscalPeriod

LineFunction = Literal["value", "growth", "sequential", "multiple", "cagr", "average", "weighted", "sum"]
"""What is computed; `sequential` is the growth of a period over the one just before it."""
Direction = Literal["highest", "lowest", "both", ""]
Qualifier = Literal[
    "adjusted",
    "organic",
    "constant currency",
    "excluding",
    "core",
    "originally reported",
    "latest",
    "GAAP",
    "basic",
    "diluted",
]
Group = Literal["segment", "region", "product", ""]
COMPANY_MARK = 0xE000
"""Code of the sign that stands for the first company of a question; the second is the next one, and so on."""


@dataclass(frozen=True, slots=True)
class AskedMeasure:
    """Something that is measured."""

    name: str
    """In the words of the question."""
    expression: str
    """Formula over line items, for one period; empty where only a row of that name can give it."""
    output: Output = "money"
    metric: Metric | None = None
    item: str = ""
    """The line item, where it is one."""
    qualifiers: tuple[Qualifier, ...] = ()
    """Those said of it."""


@dataclass(frozen=True, slots=True)
class LineQuestion:
    """A question for lines, read."""

    text: str
    measures: tuple[AskedMeasure, ...] = ()
    labels: tuple[str, ...] = ()
    """Phrases that rows of tables have to answer for, such as a segment, a product or a figure of the company's own."""
    alternatives: tuple[str, ...] = ()
    """Those of `labels` that are set against each other or listed: a figure is wanted of each."""
    apart: frozenset[str] = frozenset()
    """Those of `alternatives` that are set apart from the one before, and are no one name together with it."""
    span: AskedSpan = field(default_factory=AskedSpan)
    of_companies: tuple[tuple[int, int, FiscalPeriod], ...] = ()
    """The number of each company with its period and where that stands, where each has one of its own."""
    own_labels: tuple[tuple[int, str], ...] = ()
    """Phrases that only rows of one company have to answer for, with its number."""
    combined: tuple[str, ...] = ()
    """Those of `alternatives` that are to be added up."""
    functions: tuple[LineFunction, ...] = ()
    direction: Direction = ""
    """Which of several is asked for: of companies, labels, a group or periods; empty where none is."""
    over_periods: bool = False
    """Whether it is a period that is asked for, as in "which quarter was best"."""
    group: Group = ""
    """Whose members are compared, as in "which segment"."""
    qualifiers: tuple[Qualifier, ...] = ()
    """All that are said."""
    with_total: bool = False
    """Whether the figure of the whole company is asked for beside those of a group."""
    context: str = ""
    """What the labels are parts of, as in "within the data center business"."""
    without: frozenset[str] = frozenset()
    """Words that rows must not have: they are said not to be meant."""
    excluded: str = ""
    """What is to be left out, in the words of the question."""
    compares: bool = False
    """Whether companies are set against each other."""
    by_size: bool = False
    """Whether it is the figures that are compared, though their growth is asked for too."""
    against: bool = False
    """Whether words set figures against each other, such as `versus`, `compared with` or `by how many points`."""
    unread: tuple[str, ...] = ()
    """Parts that no rule reads, such as a half-year."""

    @property
    def is_plain(self) -> bool:
        """Whether it asks for one figure of one period, without a qualifier or a label of its own."""
        one = len(self.span.periods) <= 1 and self.span.last <= 1 and self.span.since is None
        several = self.compares or self.group or self.direction or len(self.measures) > 1 or self.combined
        spoken = set(self.qualifiers) - {"GAAP", "diluted", "basic"}
        return one and not (self.labels or self.own_labels or spoken or several)

    @property
    def part(self) -> str:
        """The words beside a measure that ask for a part of it, as `advertising` revenue; empty where none do."""
        plain = _plain(self.text)
        for measure in self.measures:
            for label in self.labels:
                words, name = r"\W+".join(map(re.escape, label.split())), re.escape(measure.name)
                beside = rf"(?<!\w){words} {name}\b|\b{name} (?:from|of|in|for|by) (?:the |its |their )?{words}(?!\w)"
                if not _STATE.fullmatch(label) and re.search(beside, plain):
                    return label
        return ""

    @property
    def is_plain_but_for_words(self) -> bool:
        """Whether it were plain without words that no rule knows."""
        return replace(self, labels=(), alternatives=()).is_plain and not self.excluded


_STATE = re.compile(
    r"improv(?:ing|ed)|declin(?:ing|ed)|grow(?:ing|n)|rising|falling|positive|negative|healthy|stable|meaningful|useful"
    r"|relevant|conventional|reasonable|significant|expenses?|costs?|spending|stated|actual|exact"
)
"""Words beside a measure that say how it is, and name no part of it."""
_QUALIFIERS: tuple[tuple[Qualifier, re.Pattern[str]], ...] = (
    (
        "constant currency",
        re.compile(
            r"(?:on a |in |at )?(?:adjusted for (?:fx|(?:foreign )?(?:currency|exchange)(?: effects?| rates?)?)\b"
            r"|constant[- ]currenc(?:y|ies)|currency[- ]neutral|fx[- ](?:adjusted|neutral)"
            r"|foreign exchange[- ]adjusted|(?:prior|previous)[- ](?:year|period)(?:'s)? (?:exchange"
            r"|currency) rates?)(?: basis)?"
            r"|\boperational(?: \(?ex[- ]currency\)?)?(?= sales| growth| change|,| as well)"
            r"|(?:excluding|without|before|ex|net of)[- ](?:the )?(?:effects? of |impacts? of )?(?:changes in )?"
            r"(?:foreign )?(?:currenc(?:y|ies)|fx|(?:foreign )?exchange(?: rates?)?)(?: effects?"
            r"| impacts?| movements?)?"
        ),
    ),
    ("organic", re.compile(r"\borganic(?:ally)?(?: local[- ]currency)?\b|\blike[- ]for[- ]like\b")),
    ("core", re.compile(r"\bcore\b")),
    (
        "adjusted",
        re.compile(
            r"(?<!un)\badjusted\b|(?:\(?the )?\bnon-?\s?gaap(?: ones?| figures?| basis| measures?)?\b"
            r"|\bunderlying\b|\bnormali[sz]ed\b"
        ),
    ),
    (
        "originally reported",
        re.compile(
            r"\b(?:as )?(?:originally|first|initially|previously) (?:reported|stated|published|filed"
            r"|report)\b|\boriginal(?:ly)?\b"
        ),
    ),
    (
        "latest",
        re.compile(
            r"\b(?:what is the figure for .{0,12}|and )?in the (?:latest|newest|most recent) (?:10-k"
            r"|annual report|filing)\b|\bafter the [\w-]+ (?:stock |share )?split\b"
            r"|\bin the newest report\b|\bsplit[- ]adjusted\b|\b(?:as )?(?:restated|recast)\b"
        ),
    ),
    ("GAAP", re.compile(r"\b(?:on a )?(?:as[- ]reported|gaap|reported|unadjusted)(?: basis)?\b")),
    ("diluted", re.compile(r"\bdiluted(?! eps| earnings)\b")),
    ("basic", re.compile(r"\bbasic(?! eps| earnings| cards?\b)\b")),
)


def qualifiers_in(text: str) -> frozenset[Qualifier]:
    """Return the qualifiers that a text in small letters says, such as a row's label or a column's head."""
    return frozenset(name for name, pattern in _PRINTED if pattern.search(text))


_PRINTED: tuple[tuple[Qualifier, re.Pattern[str]], ...] = (
    *((name, pattern) for name, pattern in _QUALIFIERS if name in ("organic", "core")),
    ("adjusted", re.compile(r"(?<!un)\badjusted\b|non-?\s?gaap|\bunderlying\b|\bnormali[sz]ed\b")),
    (
        "constant currency",
        re.compile(
            r"constant[- ]currenc|currency[- ]neutral|fx[- ](?:adjusted|neutral)|(?:at )?(?:prior"
            r"|previous)\W(?:(?:year|period)\W)?(?:exchange )?rates|\boperation(?:s|al)\b(?= change)"
            r"|no changes in fx|local[- ]currenc|decrease\)? local\b|(?:exclud|without"
            r"|ex)\w*.{0,45}(?:currency|exchange)"
        ),
    ),
    ("GAAP", re.compile(r"\bas reported\b|(?<!non-)(?<!non )\bgaap\b")),
)
"""How tables print them."""
_QUALIFIER_MARK = 0xF000
_MARKS = re.compile(f"[{chr(0xF000)}-{chr(0xF000 + len(_QUALIFIERS))}]")
_COMBINED = re.compile(r"(?P<what>[^,;:?\ue000-\uefff]{2,80}?)\s(?:combined|together|taken together)\b")
_PART_WORDS = re.compile(r"\b(?:business|segment|division|unit|group)\b")
_WITHIN = re.compile(r"\b(?:within|inside|among)\s(?P<what>[^,?]{2,60}),")
_EXCLUDED = re.compile(
    r"(?:\bi\.?e\.?,? )?\b(?:exclud(?:ing|es?)|leaving out|stripped of|stripping out|without|except(?: for)?|"
    r"ex|not counting|other than|before|net of)[ -](?:the )?"
    r"(?P<what>[^,;:?()\ue000-\uf8ff]{2,60}?)(?=\s*(?:[,;:?()]|$|\band\b|\bin\b|\bfor\b|\bover\b|\bdid\b"
    r"|\bas\b|-\s|\b(?:vs?|versus|against|compared)\b|\b[1-4]q\W?\d\d|\bq[1-4]\b|\b(?:fy|fiscal )?(?:19|20)\d\d\b))"
)
_CURRENCY = (
    r"(?:(?:foreign )?currency|fx|(?:foreign )?exchange(?: rates?)?)(?: (?:effects?|impacts?|movements?|changes?))?"
)
_NO_MORE = r"(?!(?:as |the )?(?:reported|gaap|nominal|unadjusted|total|organic|its|in|what|how)\b)"
_CURRENCY_AND_MORE = re.compile(
    rf"\bexcluding (?:the )?(?:(?:effects?|impacts?) of )?(?:changes in )?"
    rf"(?:{_CURRENCY} and (?P<more>{_NO_MORE}[a-z ]{{3,40}}?)|(?P<also>[a-z ]{{3,40}}?) and {_CURRENCY})"
    rf"(?=\s*(?:[,;:?()]|$|-\s))"
)
_FUNCTIONS: tuple[tuple[LineFunction, re.Pattern[str]], ...] = (
    (
        "multiple",
        re.compile(
            r"\bmultipl(?:y|ied)\b|\bhow many times(?= +(?:larger|bigger|greater|higher|as|is|was|are)\b)"
            r"|\bby what (?:factor|multiple)\b|\bas a multiple\b"
        ),
    ),
    (
        "cagr",
        re.compile(
            r"\bcagrs?\b|\bcompound(?:ed)?(?: annual(?:i[sz]ed)?)?"
            r" (?:growth|rate)(?: rate)?(?: of growth)?\b"
        ),
    ),
    (
        "sequential",
        re.compile(
            r"\bsequential(?:ly)?(?: growth| change)?\b|\bquarter[- ]o(?:ver|n)[- ]quarter(?: growth)?\b|\bqoq\b"
            r"(?: in the last of the (?:four )?quarters)?"
        ),
    ),
    ("weighted", re.compile(r"\bweighted(?: average)?\b")),
    ("average", re.compile(r"\b(?:simple )?(?:averages?|mean)(?: of the annual rates)?\b")),
    (
        "sum",
        re.compile(
            r"\bttm\b|\btrailing[- ](?:twelve|12)[- ]months?\b|\b(?:sum"
            r"|total) of (?:the )?(?:last )?(?:four )?(?=quarters)"
            r"|\bcumulative(?:ly)?\b|\bsum(?= of\b)|\badded up\b|\bin aggregate\b"
        ),
    ),
    (
        "growth",
        re.compile(
            r"\b(?:year[- ]o(?:ver|n)[- ]year|yoy"
            r"|annual)?[- ]?(?:percent(?:age)? )?(?:growth(?: rate)?s?|gr[eo]w(?:n|ing|s)?|growers?)\b"
            r"|(?<!net )(?<!total )\bchanges?\b(?! in (?:cash|working|fair))|\byear[- ]o(?:ver|n)[- ]year\b"
            r"|\byoy\b|\b(?:percent(?:age)?|%) (?:changes?|increases?"
            r"|decreases?|rises?|falls?|declines?|drops?)\b"
            r"|\b(?:increased?|decreased?|declined?|fell|fallen|rose|risen|shr[au]nk|dropped|fall|rise|drop|decline|gained)\b"
            r"|\b(?:has|have|had) (?:[\ue000-\uefff] )?lost\b"
            r"|\b(?:worsen(?:ed|ing)?|improved?|improving|deteriorated?)\b"
            r"|\b(?:compares?|compared|stack(?:ed)? up)\b.{0,30}\b(?:in percent|percentage)\b"
        ),
    ),
)
_IN_TOTAL = re.compile(
    r"\bin total\b|\baltogether\b|\b(?:(?:two|three|four|five|\d)[- ]years? )totals?\b|\btotal(?:s"
    r"|ed)? over\b|\bover the whole\b"
    r"|\b(?:and|plus|with)\b(?: (?:what|s|is|whats|the|a|their|its)){0,4} +totals?(?=\W{0,3}$|\s{0,3}[,;?:])"
)
_AVERAGES_OF_BALANCES = re.compile(
    r"\b(?:on|with|using"
    r"|over) (?:the )?averages? (?:of (?:the )?(?:opening and closing )?)?(?:balances?"
    r"|inventor(?:y|ies)|assets|equity|receivables|payables)\b"
)
_HIGHEST = re.compile(
    r"\b(?:the )?(?:(?:most|more) (?:profitable|lucrative|money)|most|highest|higher|largest|larger|biggest"
    r"|bigger|greatest"
    r"|greater|fastest|faster|quickest|quicker|best|better|strongest|stronger|fattest|fatter|heaviest|heavier|hardest"
    r"|richest|richer|tops(?: the list)?|leads|widest|steepest|deepest|longest|longer)(?: first)?\b"
)
_LOWEST = re.compile(
    r"\b(?:the )?(?:least profitable|least|lowest|lower|smallest|smaller|slowest|slower|weakest|weaker|worst"
    r"|worse|fewest"
    r"|fewer|thinnest|thinner|lightest|lighter|cheapest|shortest|shorter)(?: first)?\b"
)
_MORE, _LESS = re.compile(r"\bmore\b"), re.compile(r"\bless\b")
_RANKED = re.compile(
    r"\b(?:rank(?:ed|ing)?|order(?:ed)?|sort(?:ed)?)\b|\bin (?:descending|ascending) order\b"
    r"|\b(?:from )?(?:the )?(?:best to worst|worst to best|high(?:est)? to low(?:est)?"
    r"|low(?:est)? to high(?:est)?|largest to smallest"
    r"|smallest to largest|biggest to smallest|fastest to slowest)\b|\bleague table\b"
)
_STEEPEST_FALL = re.compile(
    r"\b(?:the )?(?:steepest|sharpest|biggest|largest|worst) (?:percentage |percent )?(?:fall|decline|drop|decrease)\b"
    r"|\b(?:fell|declined|dropped|shrank) (?:the )?(?:most|fastest)\b"
    r"|\b(?:and )?which (?:one )?(?:shrank|fell|declined)\b"
)
_OVER_PERIODS = re.compile(
    r"\b(?:which|what|in which|in what) (?:fiscal )?(?:quarter|year)\b|\bthe (?:weakest|best"
    r"|strongest|worst) (?:quarter|year)\b"
    r"|\b(?:best|weakest|worst|strongest|peak|highest|lowest) (?:quarter|year)\b"
)
_ASKS_WHICH = re.compile(
    r"\bwho(?:se)?\b|\bwhich\b|\brank\b|\bis .{0,60}\bbigger\b|\b(?:was|is|did|does|were|are)\b.{0,80}\bor\b|\bor\b"
)
_GROUPS: tuple[tuple[Group, re.Pattern[str]], ...] = (
    (
        "segment",
        re.compile(
            r"\b(?:which|what|by|each|every|per)\b[^,;:?]{0,40}?\b(?:reportable |operating "
            r"|business )?(?:segments?|divisions?"
            r"|business areas?|business units?|lines of business)\b"
            r"|\b(?:(?:two|three|four|five|six|all|reportable|operating|business|its|their"
            r"|the) ){0,4}(?:segments|divisions"
            r"|business areas|business units|lines of business)\b"
        ),
    ),
    (
        "region",
        re.compile(
            r"\b(?:which|what|by|each|every|per)\b[^,;:?]{0,40}?\b(?:geograph(?:y|ies|ic (?:areas?|segments?"
            r"|regions?))|regions?"
            r"|countr(?:y|ies))\b|\b(?:(?:two|three|four|five|six|all|geographic|its|their"
            r"|the) ){0,4}(?:regions|geographies)\b"
        ),
    ),
    (
        "product",
        re.compile(
            r"\b(?:which|what|by|each|every|per)\b[^,;:?]{0,40}?\b(?:product (?:categor(?:y|ies)|lines?"
            r"|groups?|famil(?:y|ies))"
            r"|products?|categor(?:y|ies)|brands?|models?|end markets?|market platforms?)\b"
            r"|\bproduct (?:categories|lines|groups)\b"
        ),
    ),
)
_UNSUPPORTED = re.compile(
    r"\b(?:first|second) half\b|\bh[12]\b|\b(?:six|nine)[- ]months?\b|\bmonths?\b"
    r"|\bweek(?:s|ly)?\b|\bper (?:employee|store|customer|day)\b"
    r"|\bguid(?:ance|ed)\b|\bforecasts?\b|\bexpect(?:s|ed)?\b|\bbudget\b|\boutlook\b"
    r"|\bnext (?:year|quarter)\b|\bmedian\b"
)
_TOTAL_OVER = re.compile(
    r"\btotal(?! (?:net |operating )?(?:revenues?|sales|assets|debt|liabilities|equity|cash|costs|expenses|income)\b)"
    r"(?=[^,;?]{1,60}\b(?:over|across|during)\b)"
    r"|\btotal(?= (?:cash |amount |money )?(?:spent|paid|spend|spending|raised|returned|repaid)\b)"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_FILING_OF_YEAR = re.compile(r"\b(?:19|20)\d\d (?:form )?(?:10-?[kq]|annual report|quarterly report|filing)\b")
_RATIO_WORDS = re.compile(
    r"^\s{0,40}(?:(?:expenses?|spending|costs?)\s{0,40})?(?:as (?:a |an )?(?:%|percent|percentage|share"
    r"|fraction|proportion|multiple) of"
    r"|over|divided by|relative to|/)\s{0,40}(?:its |their |the )?(?:total |net )?$"
)
_AND_TOTAL = re.compile(
    r"(?:\band|,|\bplus|\bwith|\bas well as|\balong with) (?:in |for |of |the |its |a |on ){0,3}"
    r"(?:total|overall|consolidated|group|company)(?: company| group| as a whole)?(?=\W*$|\s*[,;?.-])"
)
_SIZE = re.compile(r"\b(?:is|was|are|were)\b[^.?]{0,40}\b(?:bigger|larger|smaller)\b")
_ATTRIBUTABLE = re.compile(
    r"\battributable to (?:the )?(?:common )?(?:shareholders|stockholders|shareowners|owners|parent|company|group"
    r"|[\ue000-\uefff])(?: of the (?:parent|company))?"
    r"|,? (?:i\.e\.?,? )?(?:net of|after|excluding|before deducting) noncontrolling interests?"
)
"""Of earnings that belong to shareholders: `net income` is theirs, as the statements give it."""
_AGAINST = re.compile(
    r"\b(?:vs?\.?|versus|against|compared?|comparison|than|gap|difference|spread|by how (?:much|many)"
    r"|how (?:much|many|far)"
    r" (?:points? )?(?:more|less|higher|lower|bigger|wider|ahead|behind|above|below)|or)(?=\W)"
)
_RELATIVE_TO = re.compile(
    r"\b(?:relative to|in relation to|in proportion to|(?:as (?:a |an )?|what |which )(?:%|percent|percentage|share"
    r"|fraction|proportion) of)"
    r"(?: (?:its|their|the|total|net|own)){0,3} $"
)
_SUM_WORDS = re.compile(r"^\s*(?:plus|\+)\s*$")
_PER_DOLLAR = re.compile(
    r"\bkeeps? (?:the )?(?:most|least) of each sales dollar as (?P<what>net earnings"
    r"|net income|operating income|profit)\b"
)
_ALSO_CALLED: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bprofitable at the operating (?:line|level)\b"), "operating margin"),
    (re.compile(r"\boperating (?:loss(?:es)?|results?)\b|\bloss(?:es)? from operations\b"), "operating income"),
    (re.compile(r"\bnet loss(?:es)?\b"), "net income"),
    (re.compile(r"(?<!provision )\bprovision(?= over\b)|\b(?:tax )?provision(?! for)\b"), "income taxes"),
    (re.compile(r"\b(?:share |stock )?(?:buy ?backs?|repurchases?)(?: of (?:stock|shares))?\b"), "share repurchases"),
)
"""What else measures are called in questions, with a name of `line_items.toml` or `metrics.toml`."""


def read_line_question(text: str) -> LineQuestion:
    """Return what a question for lines asks.

    Args:
        text: The question, each company that it names replaced by a sign of its own, from `COMPANY_MARK` on.
    """
    plain = _plain(text)
    if re.search(r"\bnet (?:income|earnings|profit|margin)", plain):
        plain = _ATTRIBUTABLE.sub(" ", plain)
    plain = _CURRENCY_AND_MORE.sub(_apart_from_currency, plain)
    excluded = _EXCLUDED.search(plain)
    left_out = ""
    if excluded and not _is_currency(excluded.group()):
        left_out = _trimmed(excluded["what"])
        plain = plain[: excluded.start()] + " " * len(excluded.group()) + plain[excluded.end() :]
    plain = _TOTAL_OVER.sub("cumulative", plain)
    span, rest = read_spans(plain)
    rest = _PER_DOLLAR.sub(lambda found: f"which has the most {found['what']} margin", rest)
    unread = [found.group().strip() for found in _UNSUPPORTED.finditer(rest)]
    if len(set(_YEAR.findall(plain))) > 1:  # the year of a filing beside years of figures: which one tells what
        unread += [found.group() for found in _FILING_OF_YEAR.finditer(plain)]
    question = LineQuestion(text, span=span, unread=tuple(dict.fromkeys((*unread, *span.unread))), excluded=left_out)
    question = replace(
        question,
        of_companies=_of_companies(span.text, span),
        against=bool(_AGAINST.search(plain)),
        by_size=bool(_SIZE.search(plain)),
        with_total=bool(_AND_TOTAL.search(plain)),
    )
    question, rest = _with_comparison(question, rest, over_periods=bool(_OVER_PERIODS.search(plain)))
    question, rest = _with_qualifiers(question, rest)
    rest = _AVERAGES_OF_BALANCES.sub(" ", rest)
    for pattern, name in _ALSO_CALLED:
        rest = pattern.sub(f" {name} ", rest)
    question, rest = _with_functions(question, rest)
    measures, rest = _measures(rest)
    rest = _MARKS.sub(" ", rest)
    within = _WITHIN.search(rest)
    context = words_kept(_PART_WORDS.sub(" ", within["what"])) if within else ""
    rest = rest[: within.start()] + " : " + rest[within.end() :] if within else rest
    combined: tuple[str, ...] = ()
    if together := _COMBINED.search(rest):
        combined = _labels(together["what"]).labels
        rest = rest[: together.end("what")] + " , " + rest[together.end() :]
    found = _without_signs(_without_repeats(_labels(rest), measures), measures)
    measures, found = _with_bare_measure(question, measures, found)
    vague = [label for label in found.labels if _is_vague(label)]
    return replace(
        question, unread=(*question.unread, *vague), measures=measures, labels=found.labels,
        alternatives=found.alternatives, apart=found.apart,
        own_labels=found.own, without=found.without, context=context, combined=combined,
    )  # fmt: skip


def _with_bare_measure(
    question: LineQuestion, measures: tuple[AskedMeasure, ...], found: AskedLabels
) -> tuple[tuple[AskedMeasure, ...], AskedLabels]:
    """Return the measure that is meant where none is named: of parts the operating margin, of growth the revenue."""
    if not measures and question.group and found.labels and set(found.labels) <= _BARE_MARGIN:
        bare = _measure("operating margin", "metric", "operating_margin", margin=False)
        return (replace(bare, qualifiers=question.qualifiers),), AskedLabels()
    if not measures and not found.labels and not question.group and "growth" in question.functions:
        bare = _measure("revenue", "item", "revenue", margin=False)  # how fast a company grew
        return (replace(bare, qualifiers=question.qualifiers),), found
    return measures, found


_VAGUE = frozenset(
    {"profitable", "profitability", "healthy", "health", "performance", "liquidity", "leverage", "valuation"}
)
"""Words that ask for a judgement rather than for a row, where no word beside them names one, as in `health care`."""
_OF_JUDGEMENTS = _VAGUE | {"financial", "operational", "operating", "fiscal", "general", "economic", "of", "and"}


def _apart_from_currency(found: re.Match[str]) -> str:
    """Return what is left out beside the effect of currency, each by itself."""
    return f"in constant currency excluding {found['more'] or found['also']} ,"


def _is_vague(label: str) -> bool:
    words = set(label.split())
    return bool(words & _VAGUE) and words <= _OF_JUDGEMENTS


_BARE_MARGIN = frozenset({"margin", "margins"})
_REPEATED = ("margin", "rate", "growth", "loss", "profit")


def _without_repeats(found: AskedLabels, measures: Sequence[AskedMeasure]) -> AskedLabels:
    """Return labels without those that only name the kind of a measure again, as in `give both margins`."""
    kinds = {kind for kind in _REPEATED for measure in measures if kind in measure.name}
    kinds |= {"loss", "losses", "profit"} if any("income" in measure.name for measure in measures) else set()
    repeats = kinds | {f"{kind}s" for kind in kinds}
    return replace(
        found,
        labels=tuple(label for label in found.labels if label not in repeats),
        alternatives=tuple(label for label in found.alternatives if label not in repeats),
    )


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


def _labels(rest: str) -> AskedLabels:
    return read_labels(rest, COMPANY_MARK, _QUALIFIER_MARK)


_PROPER = re.compile(r"(?<=[\w,] )(?:Greater|More|Lower|Upper|Best|Better|First|Top|Other|New|Total) [A-Z][a-z]+")
"""Names that begin with a word of comparison or another one that says nothing by itself."""


def _plain(text: str) -> str:
    names = [found.group() for found in _PROPER.finditer(text)]
    for name in names:  # capitals keep a name from being read as words
        text = text.replace(name, name.upper())
    plain = _lowered(text)
    for name in names:
        plain = plain.replace(name.lower(), name.upper())
    return plain


def _lowered(text: str) -> str:
    plain = text.lower().replace("\u2019", "'").replace("&amp;", "&")
    plain = re.sub(r"[\u2013\u2014\u2212]", "-", plain)
    plain = re.sub(r"'s(?![a-z])", " ", plain)
    plain = re.sub(r"\b(\d{3})s\b", r"\1", plain)  # 737s
    return f" {' '.join(asked_words(plain).split())} "


def _with_comparison(question: LineQuestion, rest: str, *, over_periods: bool) -> tuple[LineQuestion, str]:
    marks = len({sign for sign in rest if COMPANY_MARK <= ord(sign) < _QUALIFIER_MARK})
    fall = _STEEPEST_FALL.search(rest)
    group: Group = ""
    for name, pattern in _GROUPS:
        if named := pattern.search(rest):
            group = name
            rest = f"{rest[: named.start()]} {_group_qualifiers(named.group())} {rest[named.end() :]}"
            break
    direction: Direction = ""
    if fall:
        rest = _STEEPEST_FALL.sub(" fell ", rest)
        direction = "both" if _HIGHEST.search(rest) else "lowest"
    ranked = _RANKED.search(rest)
    rest = _RANKED.sub(" ", rest)
    asks = bool(_ASKS_WHICH.search(rest)) or over_periods or bool(group) or bool(fall)
    high = _HIGHEST.search(rest) or (asks and _MORE.search(rest))
    low = _LOWEST.search(rest) or (asks and _LESS.search(rest))
    if not direction and (high or low):
        direction = "both" if high and low else "highest" if high else "lowest"
    direction = direction or ("highest" if ranked or (group and question.against) else "")
    rest = _LOWEST.sub(" ", _HIGHEST.sub(" ", rest))
    if direction:
        rest = _LESS.sub(" ", _MORE.sub(" ", rest))
    rest = _OVER_PERIODS.sub(" ", rest)
    return replace(question, direction=direction, over_periods=over_periods, group=group, compares=marks > 1), rest


def _group_qualifiers(text: str) -> str:
    """Return the words between `which` and the group that say more than that, such as a superlative."""
    return re.sub(
        r"\b(?:which|what|rank|by|each|every|of|the|its|their|all|per|two|three|four|five|six|reportable|operating|business"
        r"|areas?|units?|segments?|divisions?|geograph\w*|regions?|countr\w*|products?|categor\w*|lines?|groups?|famil\w*"
        r"|brands?|models?|end markets?|market platforms?)\b",
        " ",
        text,
    )


def _with_qualifiers(question: LineQuestion, rest: str) -> tuple[LineQuestion, str]:
    found: list[Qualifier] = []
    for number, (name, pattern) in enumerate(_QUALIFIERS):
        if pattern.search(rest):
            found.append(name)
            rest = pattern.sub(f" {chr(_QUALIFIER_MARK + number)} ", rest)
    if question.excluded:
        found.append("excluding")
    return replace(question, qualifiers=tuple(found)), rest


def _is_currency(text: str) -> bool:
    """Whether what is left out is currency: that is a qualifier of its own."""
    return any(name == "constant currency" and pattern.search(text) for name, pattern in _QUALIFIERS)


def _trimmed(text: str) -> str:
    words = text.split()
    filler = {"the", "its", "their", "any", "all", "effects", "effect", "impact", "of"}
    while words and words[0] in filler:
        words.pop(0)
    return " ".join(words)


def _of_companies(plain: str, span: AskedSpan) -> tuple[tuple[int, int, FiscalPeriod], ...]:
    """Return the period of each company where each is followed by one of its own; nothing where one is of all.

    A list of as many periods as companies, in which one stands twice, tells them in the order of the companies.
    """
    marks = [
        (at, ord(sign) - COMPANY_MARK) for at, sign in enumerate(plain) if COMPANY_MARK <= ord(sign) < _QUALIFIER_MARK
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


def _with_functions(question: LineQuestion, rest: str) -> tuple[LineQuestion, str]:
    found: list[LineFunction] = []
    for name, pattern in _FUNCTIONS:
        if pattern.search(rest):
            found.append(name)
            rest = pattern.sub(" ", rest)
    if "weighted" in found and "average" in found:
        found.remove("average")
    several = len(question.span.periods) > 1 or question.span.last > 1 or question.span.since is not None
    if several and _IN_TOTAL.search(rest):
        found.append("sum")
        rest = _IN_TOTAL.sub(" ", rest)
    two = len(question.span.periods) == 2 and question.against and not question.of_companies
    if (question.span.against_year_before or (two and not question.over_periods)) and not found:
        found.append("growth")
    return replace(question, functions=tuple(found)), rest


def _measures(rest: str) -> tuple[tuple[AskedMeasure, ...], str]:
    """Return what is measured, and the question without it."""
    named = named_measures(rest)
    measures: list[AskedMeasure] = []
    starts: list[int] = []
    whole, skip = rest, False
    for at, (start, end, kind, key) in enumerate(named):
        if skip:
            skip = False
            continue
        starts.append(start)
        following = named[at + 1] if at + 1 < len(named) else None
        between = rest[end : following[0]] if following else "."
        if following and (_RATIO_WORDS.match(between) or _SUM_WORDS.match(between)):
            measures.append(_joined(rest, named[at], following, divided=not _SUM_WORDS.match(between)))
            skip = True
        else:
            margin = re.match(r"\s*margins?\b", rest[end:])
            measures.append(_measure(rest[start:end], kind, key, margin=bool(margin)))
    for (start, end, _, _), following in pairwise((*named, (len(rest), len(rest), "", ""))):
        tail = re.match(r"\s*margins?\b", rest[end:])
        stop = end + (tail.end() if tail else 0)
        between = rest[stop : following[0]]
        joined = _RATIO_WORDS.match(between) or _SUM_WORDS.match(between)
        rest = (
            rest[:start]
            + MEASURED * (stop - start)
            + (" " * len(between) if joined else between)
            + rest[following[0] :]
        )
    measures = _qualified(whole, _said_once(whole, _over(whole, list(zip(starts, measures, strict=True)))))
    unique = {(measure.expression, measure.qualifiers): measure for measure in reversed(measures)}
    return tuple(measure for measure in measures if unique[measure.expression, measure.qualifiers] is measure), rest


def _over(rest: str, places: Sequence[tuple[int, AskedMeasure]]) -> list[tuple[int, AskedMeasure]]:
    """Return the measures as ratios to the one that stands apart from them as `relative to sales`, where one does."""
    below = [
        (at, measure)
        for at, measure in places
        if _RELATIVE_TO.search(rest[:at][-60:]) and " / " not in measure.expression
    ]
    above = [(at, measure) for at, measure in places if (at, measure) not in below]
    if len(below) != 1 or not above or any(measure.output != "money" for _, measure in (*above, *below)):
        return list(places)
    divisor = below[0][1]
    return [
        (
            at,
            AskedMeasure(
                f"{measure.name} / {divisor.name}", f"({measure.expression}) / ({divisor.expression})", "percent"
            ),
        )
        for at, measure in above
    ]


def _said_once(rest: str, places: Sequence[tuple[int, AskedMeasure]]) -> list[tuple[int, AskedMeasure]]:
    """Return the measures without those that name or explain another one.

    `Capital intensity: capex over revenue` is the one that stands after the colon, whatever else bears that name; a
    figure in brackets that is a part of another one says how that is meant.
    """
    colon = rest.find(":")
    ratios = [measure for at, measure in places if at > colon >= 0 and " / " in measure.expression]
    kept = [(at, measure) for at, measure in places if not (ratios and at < colon)]
    bare = [(at, measure) for at, measure in kept if rest.rfind("(", 0, at) <= rest.rfind(")", 0, at)]
    return [
        (at, measure)
        for at, measure in kept
        if (at, measure) in bare or not any(measure.expression in other.expression for _, other in bare)
    ]


def _qualified(rest: str, places: Sequence[tuple[int, AskedMeasure]]) -> list[AskedMeasure]:
    """Return the measures with their qualifiers: those before one are said of it and the ones after it without any.

    Qualifiers that stand after all measures, or before all but apart from them, are said of each.
    """
    marks = [(at, _QUALIFIERS[ord(sign) - _QUALIFIER_MARK][0]) for at, sign in enumerate(rest) if _MARKS.match(sign)]
    found: list[AskedMeasure] = []
    before: tuple[Qualifier, ...] = ()
    last = -1
    for start, measure in places:
        own = tuple(name for at, name in marks if last < at < start)
        before = own or before
        found.append(replace(measure, qualifiers=before))
        last = start
    after = tuple(name for at, name in marks if at > last)
    return [replace(measure, qualifiers=tuple(dict.fromkeys((*measure.qualifiers, *after)))) for measure in found]


def _measure(name: str, kind: str, key: str, *, margin: bool) -> AskedMeasure:
    if kind == "metric":
        metric = metrics()[key]
        if margin and metric.output == "money":
            return AskedMeasure(f"{name} margin", f"({metric.formula}) / revenue", "percent")
        return AskedMeasure(name, metric.formula, metric.output, metric)
    if margin:
        known = next((metric for metric in metrics().values() if metric.formula == f"{key} / revenue"), None)
        return AskedMeasure(f"{name} margin", f"{key} / revenue", "percent", known)
    unit = line_items()[key].unit
    output: Output = "per_share" if unit == "per_share" else "number" if unit == "shares" else "money"
    return AskedMeasure(name, key, output, item=key)


def _joined(
    rest: str, first: tuple[int, int, str, str], second: tuple[int, int, str, str], *, divided: bool
) -> AskedMeasure:
    above, below = (_measure(rest[one[0] : one[1]], one[2], one[3], margin=False) for one in (first, second))
    if divided and above.expression == below.expression:  # subscription revenue as a share of revenue
        return above
    if divided:
        formula = f"{above.expression} / {below.expression}"
        known = next((metric for metric in metrics().values() if metric.formula == formula), None)
        expression = formula if known else f"({above.expression}) / ({below.expression})"
        return AskedMeasure(f"{above.name} / {below.name}", expression, "percent", known)
    return AskedMeasure(f"{above.name} plus {below.name}", f"{above.expression} + {below.expression}", "money")
