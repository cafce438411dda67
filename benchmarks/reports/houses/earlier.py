"""The first four sets of phrasings: looked at before the grammar was written (see docs/benchmarks.md)."""

from __future__ import annotations

from benchmarks.reports.house import House, Layout

_ASIDES = (
    "We think that the market underrates how long this can last.",
    "Management repeated that it sees 3 reasons for caution, and gave no guidance.",
    "The next catalyst is the product cycle; page 4 of the appendix has our channel checks.",
    "Our target price of [[$310]] rests on a discounted cash flow.",
    "We expect margins to widen by [[150 basis points]] over the coming 3 years.",
)
_WIDE = (
    Layout("periods across", caption="USD millions, except per share", quarter="{q} FY{year}"),
    Layout(
        "companies down",
        caption="Comparison for {period}:",
        fiscal_year="fiscal {year}",
        money_note=" ($M)",
        corner="Company",
    ),
)
_NARROW = (
    Layout(
        "periods down",
        caption="Summary financials of {company}",
        quarter="{n}Q FY{year}",
        scale=1e9,
        form=",.2f",
        money_note=" ($bn)",
        share_note=" ($)",
        corner="Period",
    ),
    Layout("companies across", caption="Peers, {period} ($ millions)", fiscal_year="fiscal {year}", corner=""),
)
_FIRST_QUARTERS = ("{q} FY{year}", "the {word} quarter of fiscal {year}", "the quarter ended {month} {day}, {end_year}")
_FIRST_YEARS = ("fiscal {year}", "FY{year}", "fiscal year {year}")
_BILLIONS = ("${b:.2f} billion", "${m:,.0f} million", "${b:.1f}B")
_FIRST_NAMES = {
    "revenue": ("revenue",),
    "gross_profit": ("gross profit",),
    "operating_income": ("operating income",),
    "net_income": ("net income",),
    "operating_cash_flow": ("operating cash flow",),
    "free_cash_flow": ("free cash flow",),
    "research_and_development": ("research and development expense",),
    "cash": ("cash",),
    "total_debt": ("total debt",),
    "total_assets": ("total assets",),
    "equity": ("shareholders' equity",),
    "gross_margin": ("gross margin",),
    "operating_margin": ("operating margin",),
    "net_margin": ("net margin",),
    "eps_diluted": ("diluted EPS",),
}
_FIRST_SENTENCES = {
    "flow": (
        "{company} reported {metric} of {value} in {period}.",
        "In {period}, {company}'s {metric} was {value}.",
        "{Metric} came in at {value} for {period}.",
        "{company} generated {value} of {metric} in {period}, in line with our model.",
        "We start from {period}: {metric} amounted to {value}.",
    ),
    "margin": (
        "{company}'s {metric} was {value} in {period}.",
        "In {period}, {metric} reached {value}.",
        "{Metric} of {value} in {period} shows the pricing power of {company}.",
    ),
    "growth": (
        "{Metric} {rose} {growth} year over year in {period}.",
        "In {period}, {company}'s {metric} {rose} by {growth} from a year earlier.",
    ),
    "sheet": (
        "At the end of {period}, {company} had {metric} of {value}.",
        "{company} ended {period} with {metric} of {value}.",
    ),
    "per_share": (
        "{company} earned {value} per diluted share in {period}.",
        "Diluted EPS was {value} in {period}.",
    ),
    "price": (
        "The shares of {company} closed at {value} on {day}.",
        "{company} last traded at {value} ({day}).",
    ),
}
_SECOND_NAMES = {
    "revenue": ("net sales",),
    "gross_profit": ("gross profit",),
    "operating_income": ("operating profit",),
    "net_income": ("net profit",),
    "operating_cash_flow": ("cash flow from operations",),
    "free_cash_flow": ("FCF",),
    "research_and_development": ("R&D spending",),
    "cash": ("cash and equivalents",),
    "total_debt": ("borrowings",),
    "total_assets": ("assets",),
    "equity": ("book equity",),
    "gross_margin": ("gross profit margin",),
    "operating_margin": ("EBIT margin",),
    "net_margin": ("net profit margin",),
    "eps_diluted": ("diluted earnings per share",),
}
_SECOND_SENTENCES = {
    "flow": (
        "For {period}, we note {metric} of {value} at {company}.",
        "{company} posted {period} {metric} of {value}.",
        "{Metric} ({period}): {value}.",
        "{company} delivered {value} in {metric} over {period}.",
        "The {metric} that {company} booked for {period} stands at {value}.",
    ),
    "margin": (
        "{period} {metric} stood at {value}.",
        "With {value}, the {metric} of {company} in {period} was the number to watch.",
        "{company} ran a {metric} of {value} during {period}.",
    ),
    "growth": (
        "Against the same period of the prior year, {metric} of {company} {rose} {growth} in {period}.",
        "{company} {rose} {metric} {growth} y/y in {period}.",
    ),
    "sheet": (
        "The balance sheet of {company} showed {metric} of {value} at the close of {period}.",
        "As of {day}, {metric} stood at {value}.",
    ),
    "per_share": (
        "Diluted earnings per share for {period} were {value}.",
        "{company} made {value} a share (diluted) in {period}.",
    ),
    "price": (
        "On {day}, {company}'s stock finished at {value}.",
        "Price ({day} close): {value}.",
    ),
}
_PRESS_NAMES = {
    "revenue": ("sales",),
    "gross_profit": ("gross profit",),
    "operating_income": ("operating earnings",),
    "net_income": ("profit",),
    "operating_cash_flow": ("cash from operations",),
    "free_cash_flow": ("free cash flow",),
    "research_and_development": ("R&D",),
    "cash": ("cash and cash equivalents",),
    "total_debt": ("total debt",),
    "total_assets": ("total assets",),
    "equity": ("stockholders' equity",),
    "gross_margin": ("gross margin",),
    "operating_margin": ("operating margin",),
    "net_margin": ("net margin",),
    "eps_diluted": ("diluted earnings per share",),
}
_PRESS_SENTENCES = {
    "flow": (
        "In its recently announced earnings for {period}, {company} reported {metric} of {value}.",
        "In {period}, {company} generated {value} in {metric}, ahead of what the market had hoped for.",
        "{company} reported results for {period} topping the market's hopes, with {metric} of {value}.",
        "Generating {value} in {metric} in {period}, {company} is now one of the largest in its field.",
        "{company} has grown a lot since it was founded, and {metric} hit {value} in {period}.",
    ),
    "margin": (
        "{company} revealed a {value} {metric} for {period}, but its shares reflect years of growth already.",
        "Its {metric} was {value} in {period}, as costs at {company} moved with sales.",
    ),
    "growth": (
        "{company} reported {period} results beating expectations, with {metric} {up} {growth} year on year.",
        "{company} has seen significant growth, as its {metric} {rose} by {growth} in {period}.",
        "{Metric} {rose} {growth} in {period} at {company}.",
    ),
    "sheet": ("{company} finished {period} with {value} of {metric} on its balance sheet.",),
    "per_share": (
        "{company} posted profit per diluted share of {value} for {period}.",
        "For {period}, {company} delivered diluted earnings per share of {value}.",
    ),
    "price": (
        "{company} shares ended {day} at {value}.",
        "Shares of {company} closed {day} at {value} each.",
    ),
}
_FRESH_NAMES = {
    "revenue": ("total revenue",),
    "gross_profit": ("gross profit",),
    "operating_income": ("EBIT",),
    "net_income": ("net earnings",),
    "operating_cash_flow": ("operating cash flow",),
    "free_cash_flow": ("free cash flow",),
    "research_and_development": ("research and development expense",),
    "cash": ("cash",),
    "total_debt": ("total debt",),
    "total_assets": ("total assets",),
    "equity": ("equity",),
    "gross_margin": ("gross margin",),
    "operating_margin": ("operating margin",),
    "net_margin": ("net margin",),
    "eps_diluted": ("diluted EPS",),
}
_FRESH_SENTENCES = {
    "flow": (
        "{Metric} at {company} was {value} in {period}, compared with {value2} in {period2}.",
        "{company} lifted {metric} from {value2} in {period2} to {value} in {period}.",
        "- {period}: {metric} {value} ({period2}: {value2})",
        "While {metric} had been {value2} in {period2}, {company} printed {value} for {period}.",
        "{company} turned in {metric} of {value} for {period}; a year or a quarter never tells the whole story.",
    ),
    "margin": (
        "{Metric} for {period} came to {value} at {company}, versus {value2} in {period2}.",
        "{company}: {metric} {value} ({period}).",
    ),
    "growth": ("{company} {rose} {metric} by {growth} in {period} over the prior-year period.",),
    "sheet": ("{company} carried {metric} of {value} on its books at the end of {period}.",),
    "per_share": ("{company} recorded diluted EPS of {value} in {period}, against {value2} in {period2}.",),
    "price": ("{company} stock changed hands at {value} when the market closed on {day}.",),
}

FIRST = House(
    "first",
    _FIRST_NAMES,
    _FIRST_SENTENCES,
    _FIRST_QUARTERS,
    _FIRST_YEARS,
    _BILLIONS,
    ("${m:.1f} million",),
    percents=("{v:.1f}%", "{v:.2f}%"),
    layouts=_WIDE,
    asides=_ASIDES,
)
SECOND = House(
    "second",
    _SECOND_NAMES,
    _SECOND_SENTENCES,
    ("{n}QFY{yy}", "FQ{n} {year}", "the three months ended {month} {day}, {end_year}"),
    ("FY{yy}", "the fiscal year ended {month} {day}, {end_year}", "FY {year}"),
    ("USD {b:.2f}bn", "${b:.1f} bn", "${m:,.1f}m"),
    ("USD {m:.1f}m",),
    percents=("{v:.1f} percent", "{v:.2f}%"),
    layouts=_NARROW,
    asides=_ASIDES,
)
PRESS = House(
    "press",
    _PRESS_NAMES,
    _PRESS_SENTENCES,
    _FIRST_QUARTERS,
    _FIRST_YEARS,
    _BILLIONS,
    ("${m:.1f} million",),
    percents=("{v:.1f}%", "{v:.2f}%"),
    layouts=(*_WIDE, *_NARROW),
    asides=_ASIDES,
)
FRESH = House(
    "fresh",
    _FRESH_NAMES,
    _FRESH_SENTENCES,
    _FIRST_QUARTERS,
    _FIRST_YEARS,
    _BILLIONS,
    ("${m:.1f} million",),
    percents=("{v:.1f}%", "{v:.2f}%"),
    layouts=(*_WIDE, *_NARROW),
    asides=_ASIDES,
)
EARLIER = (FIRST, SECOND, PRESS, FRESH)
