"""The items of 10-K, 10-Q and 8-K: their order, the words of their titles, and which a filing must have."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ItemName:
    """An item of a form."""

    item: str
    """As in `Section.item`, such as 1A or II-1A."""
    title: str
    pattern: re.Pattern[str]
    """Finds the title, in one of its usual wordings."""
    required: bool = True
    """Whether a filing without it is noted."""
    long: bool = False
    """Whether it is a long text, so that a short one must say where the text stands."""
    short: bool = False
    """Whether it is a few sentences at most, so that a long one is doubtful."""


def _item(item: str, title: str, words: str, *, marks: str = "required") -> ItemName:
    return ItemName(
        item, title, re.compile(words, re.IGNORECASE), "required" in marks, "long" in marks, "short" in marks
    )


_10K = (
    _item("1", "Business", r"^(?:description of )?business", marks="required long"),
    _item("1A", "Risk Factors", r"^risk factors", marks="required long"),
    _item("1B", "Unresolved Staff Comments", r"unresolved", marks="short"),
    _item("1C", "Cybersecurity", r"cyber", marks=""),
    _item("2", "Properties", r"propert"),
    _item("3", "Legal Proceedings", r"legal"),
    _item("4", "Mine Safety Disclosures", r"mine safety|submission of matters|reserved|removed", marks="short"),
    _item("4A", "Executive Officers", r"executive officers", marks=""),
    _item("5", "Market for Registrant's Common Equity", r"market\b.*(?:equity|stock|shares|securities|units)"),
    _item("6", "Selected Financial Data", r"reserved|selected|omitted|removed", marks=""),
    _item("7", "Management's Discussion and Analysis", r"management.{0,3}s? discussion", marks="required long"),
    _item("7A", "Quantitative and Qualitative Disclosures About Market Risk", r"quantitative|market risk"),
    _item(
        "8",
        "Financial Statements and Supplementary Data",
        r"(?:consolidated )?financial statements",
        marks="required long",
    ),
    _item("9", "Changes in and Disagreements with Accountants", r"changes in|disagreements", marks="short"),
    _item("9A", "Controls and Procedures", r"controls"),
    _item("9B", "Other Information", r"other information", marks=""),
    _item("9C", "Disclosure Regarding Foreign Jurisdictions", r"foreign jurisdictions", marks="short"),
    _item("10", "Directors, Executive Officers and Corporate Governance", r"directors"),
    _item("11", "Executive Compensation", r"executive compensation|compensation"),
    _item("12", "Security Ownership", r"security ownership"),
    _item("13", "Certain Relationships and Related Transactions", r"certain relationships"),
    _item("14", "Principal Accountant Fees and Services", r"principal account|accountant fees|audit fees"),
    _item("15", "Exhibits and Financial Statement Schedules", r"exhibit|financial statement schedules"),
    _item("16", "Form 10-K Summary", r"(?:form )?10\W?k summary|summary|none", marks="short"),
)
_10Q = (
    _item("I-1", "Financial Statements", r"^(?:\w+ ){0,3}financial statements", marks="required long"),
    _item("I-2", "Management's Discussion and Analysis", r"management.{0,3}s? discussion", marks="required long"),
    _item("I-3", "Quantitative and Qualitative Disclosures About Market Risk", r"quantitative|market risk"),
    _item("I-4", "Controls and Procedures", r"controls"),
    _item("II-1", "Legal Proceedings", r"legal", marks=""),
    _item("II-1A", "Risk Factors", r"risk factors", marks=""),
    _item("II-2", "Unregistered Sales of Equity Securities", r"unregistered|purchases|changes in|issuer", marks=""),
    _item("II-3", "Defaults Upon Senior Securities", r"default", marks="short"),
    _item("II-4", "Mine Safety Disclosures", r"mine safety|submission of matters|reserved|removed", marks="short"),
    _item("II-5", "Other Information", r"other information", marks=""),
    _item("II-6", "Exhibits", r"exhibit"),
)  # fmt: skip

ITEMS: Mapping[str, tuple[ItemName, ...]] = {"10-K": _10K, "10-Q": _10Q}
"""By form, in the order in which filings have them."""

PART_OF: Mapping[str, int] = {
    **{name.item: 1 for name in _10K[:8]},
    **{name.item: 2 for name in _10K[8:17]},
    **{name.item: 3 for name in _10K[17:22]},
    **{name.item: 4 for name in _10K[22:]},
    **{name.item: 1 for name in _10Q[:4]},
    **{name.item: 2 for name in _10Q[4:]},
}
"""The part of its form in which an item stands."""
