"""The items of 10-K, 10-Q, 20-F and 8-K: their order, the words of their titles, and which a filing must have."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
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
    _item("5", "Market for Registrant's Common Equity", r"market\b.{0,200}(?:equity|stock|shares|securities|units)"),
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
_20F = (
    _item("1", "Identity of Directors, Senior Management and Advisers", r"identity of directors", marks="short"),
    _item("2", "Offer Statistics and Expected Timetable", r"offer statistics", marks="short"),
    _item("3", "Key Information", r"key information", marks="required long"),
    _item("4", "Information on the Company", r"information (?:on|about) \w+", marks="required long"),
    _item("4A", "Unresolved Staff Comments", r"unresolved", marks="short"),
    _item("5", "Operating and Financial Review and Prospects", r"operating\b.{0,200}\breview", marks="required long"),
    _item("6", "Directors, Senior Management and Employees", r"directors", marks="required"),
    _item("7", "Major Shareholders and Related Party Transactions", r"major shareholders|related party"),
    _item("8", "Financial Information", r"financial information"),
    _item("9", "The Offer and Listing", r"offer and listing|listing", marks=""),
    _item("10", "Additional Information", r"additional information"),
    _item("11", "Quantitative and Qualitative Disclosures About Market Risk", r"quantitative|market risk"),
    _item("12", "Description of Securities Other Than Equity Securities", r"description of securities", marks=""),
    _item("13", "Defaults, Dividend Arrearages and Delinquencies", r"default", marks="short"),
    _item("14", "Material Modifications to the Rights of Security Holders", r"material modifications", marks="short"),
    _item("15", "Controls and Procedures", r"controls"),
    _item("16A", "Audit Committee Financial Expert", r"audit committee", marks="short"),
    _item("16B", "Code of Ethics", r"code of ethics", marks="short"),
    _item("16C", "Principal Accountant Fees and Services", r"principal account|accountant fees|audit fees", marks=""),
    _item("16D", "Exemptions from the Listing Standards for Audit Committees", r"exemptions", marks="short"),
    _item("16E", "Purchases of Equity Securities", r"purchases", marks=""),
    _item("16F", "Change in Registrant's Certifying Accountant", r"certifying accountant", marks="short"),
    _item("16G", "Corporate Governance", r"corporate governance", marks=""),
    _item("16H", "Mine Safety Disclosure", r"mine safety", marks="short"),
    _item("16I", "Disclosure Regarding Foreign Jurisdictions", r"foreign jurisdictions", marks="short"),
    _item("16J", "Insider Trading Policies", r"insider trading", marks=""),
    _item("16K", "Cybersecurity", r"cyber", marks=""),
    _item("17", "Financial Statements", r"financial statements", marks=""),
    _item("18", "Financial Statements", r"financial statements"),
    _item("19", "Exhibits", r"exhibit"),
)  # fmt: skip

ITEMS: Mapping[str, tuple[ItemName, ...]] = {"10-K": _10K, "10-Q": _10Q, "20-F": _20F}
"""By form, in the order in which filings have them."""

PART_OF: Mapping[str, int] = {
    **{name.item: 1 for name in _10K[:8]},
    **{name.item: 2 for name in _10K[8:17]},
    **{name.item: 3 for name in _10K[17:22]},
    **{name.item: 4 for name in _10K[22:]},
    **{name.item: 1 for name in _10Q[:4]},
    **{name.item: 2 for name in _10Q[4:]},
}
"""The part of a 10-K or 10-Q in which an item stands."""
_PART_OF_20F: Mapping[str, int] = {
    **{name.item: 1 for name in _20F[:13]},
    **{name.item: 2 for name in _20F[13:27]},
    **{name.item: 3 for name in _20F[27:]},
}


def part_of(names: Sequence[ItemName], item: str) -> int:
    """Return the part in which an item of a form stands; 0 for a form without parts."""
    return (_PART_OF_20F if names is _20F else PART_OF).get(item, 0)
