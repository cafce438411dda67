"""`doubt_of`: why a figure that a sentence seems to guide to is not given out.

What is left after these doubts is plainly said: a figure of an item of the table, of the company or of a part that the
same sentence names, in words of which none is without a known use. Each kind that is declined was wrong more often than
one time in twenty on companies whose sentences no rule had been written for.
"""

from __future__ import annotations

import re
from collections.abc import Set

from tradingagents.retrieval.guidance.guided_items import item_mentions
from tradingagents.retrieval.guidance.sentences.segments import OF_SEGMENTS
from tradingagents.retrieval.guidance.sentences.window import SaidRange, Window

_TOLD = re.compile(
    r"\b(?:told|recall|remember|mid-?year|(?:previously|originally|initially) \w+"
    r"|(?:we|i|it|company|had|was|were) (?:had )?(?:anticipated|expected|projected|forecasted|planned|guided|assumed"
    r"|estimated|targeted|said|communicated|laid out|outlined|indicated|shared|provided)"
    r"|last (?:quarter|time|call|year),? (?:we|i)\b"
    r"|(?:prior|previous|earlier|old|original|initial) (?:[\w-]+ ){0,3}?(?:guidance|guide|outlook|range|forecast"
    r"|expectation|target|view|estimate)s?)\b",
    re.IGNORECASE,
)
_OTHERS_EXPECT = re.compile(
    r"\b(?:you|one|investors|people|analysts|consensus|customers?) (?:would|might|should|can|could|may|will)\b",
    re.IGNORECASE,
)
_DIFFERENCE = re.compile(
    r"\b(?:additional|another|incremental|further|extra|more(?! than)|fewer|less(?! than)|raised?(?! to)|increase in|adds?|adding)\b"
    r"[^,;]{0,30}$",
    re.IGNORECASE,
)
_DIFFERENCE_BEHIND = re.compile(
    r"^ (?:of|in) (?:incremental|additional|extra|further|new)\b|^[ -](?:(?!of\b|in\b|to\b)[\w-]+ ){0,2}(?:more(?! than)|fewer|less(?! than)|additional|incremental|better|worse)\b"
    r"|^[^,;]{0,40}\b(?:from|than|versus|compared to|relative to|over|above|below) (?:our |the |what )*"
    r"(?:previous|prior|earlier|last|original|initial|midyear|we)\b(?![ -](?:year|fiscal|quarter))",
    re.IGNORECASE,
)
_SEGMENT = re.compile(r"\b(?:segment|division|subsidiary|franchise)(?:s|[\u2019']s)?\b", re.IGNORECASE)
_CAPITAL = re.compile(r"\b[A-Z][\w&\u2019'-]*")
_SUBJECT = re.compile(
    r"\b(?:we|our|the company)\b(?=[\w\u2019' ]*?\b(?:expect|anticipat|project|forecast|rais|increas|narrow|updat|reaffirm"
    r"|maintain|lower|see|guid|estimat|target)\w*)",
    re.IGNORECASE,
)
_USUAL = re.compile(
    r"(?:I|US|U|S|IT|More|GAAP|Non|NON|EPS|EBITDA|SG&A|R&D|G&A|DD&A|D&A|OI&E|FX|COGS|FFO|AFFO|NOI|ROIC|ROCE|NII|FCF|CFO|CAPEX"
    r"|Cap[eE]x|Op[eE]x|FY\w*|CY\w*|H[12]|Q[1-4]|January|February|March|April|May|June|July|August|September|October"
    r"|November|December|Fiscal|Full|Year|Adjusted|Core|Domestic|Net|Revenues?|Sales|Total|Operating|Gross|Free|Cash|Capital"
    r"|USD|EUR|GBP|JPY|Diluted|Non-GAAP|LIFO|FIFO|COVID(?:-19)?)(?:[\u2019']s)?"
)
"""Words with a capital that name nobody."""
_PLAIN_PARTS = frozenset(
    [
        "domestic",
        "international",
        "federal",
        "segment",
        "core",
        "cash",
        "u.s",
        "all-in",
        "consolidated",
        "worldwide",
        "global",
        "foreign",
        "preferred",
    ]
)
"""Words in small letters that say plainly what a figure is of."""


def doubt_of(said: SaidRange, window: Window, company: Set[str]) -> str:
    """Return why a range is withheld, in words; empty where the sentence is plain.

    Args:
        said: What was read.
        window: The figure in its sentence.
        company: Words of the company's own names, in lower case.
    """
    own = said.part.partition("excluding")[0].strip()
    if said.measure == "change" and said.amount.kind == "money":
        return "it says by how much money the item moves, and not from where"
    if " to " in said.item:
        return "it is a share of another figure"
    if said.is_inherited:
        return "only a sentence before says of which part of the company it is"
    if said.item in OF_SEGMENTS and not (own or said.is_whole) and _SEGMENT.search(window.whole):
        return "its sentence speaks of a part of the company too"
    if _TOLD.search(window.lead):
        return "it may repeat what was said or expected before"
    if _OTHERS_EXPECT.search(window.lead):
        return "others than the company may expect it"
    if _DIFFERENCE.search(window.left) or _DIFFERENCE_BEHIND.match(window.right):
        return "it may be the difference from another figure"
    if own and not _is_plainly_named(own, window.whole):
        return f"what {own!r} is in the sentence is not understood"
    if strangers := _strangers(own, window, company):
        return f"what {strangers[0]!r} has to do with it is not understood"
    return ""


def _is_plainly_named(part: str, text: str) -> bool:
    """Tell whether a part is printed as a name, or called a segment."""
    if re.search(rf"\b{re.escape(part)} (?:segment|division)\b", text, re.IGNORECASE):
        return True
    return all(word in _PLAIN_PARTS or _stands_with_capital(word, text) for word in part.split())


def _stands_with_capital(word: str, text: str) -> bool:
    printed = re.finditer(rf"(?<![\w&]){re.escape(word)}(?![\w&])", text, re.IGNORECASE)
    return any(found[0][:1].isupper() and (found.start() > 0 or found[0][1:2].isupper()) for found in printed)


def _strangers(part: str, window: Window, company: Set[str]) -> list[str]:
    """Return the names around a figure of which it is not known what they have to do with it.

    What stands before `we expect` is why it is expected.
    """
    subject = [match.start() for match in _SUBJECT.finditer(window.lead)]
    start = max(window.before, subject[-1] if subject else 0)
    cut = re.search(r"[,;.](?!\d)", window.right)
    end = window.amount.end + (cut.start() if cut else len(window.right))
    items = [(one.start, one.end) for one in item_mentions(window.text)]
    found: list[str] = []
    for match in _CAPITAL.finditer(window.text, start, end):
        is_first = not re.search(r"\w", window.text[: match.start()])
        is_item = any(first <= match.start() < last for first, last in items)
        word = re.sub(r"[\u2019']s?$", "", match[0].lower())
        if not (is_first or is_item or _USUAL.fullmatch(match[0]) or word in part or word in company):
            found.append(match[0])
    return found
