"""Two houses written after the fifth held-out set was corrected for, and measured before any change for them.

A wire service's summary of results, an investment club's minutes. At first its quarters had no year (`fiscal
fourth-quarter`), so that nobody could have said which one was meant: they got one.
"""

from __future__ import annotations

from benchmarks.reports.house import House, Layout

_BASE = {
    "revenue": ("revenue", "sales"), "gross_profit": ("gross profit",), "operating_income": ("operating profit",),
    "net_income": ("net income", "net profit"), "operating_cash_flow": ("operating cash flow",),
    "free_cash_flow": ("free cash flow",), "research_and_development": ("research and development costs",),
    "cash": ("cash",), "total_debt": ("debt",), "total_assets": ("assets", "total assets"), "equity": ("equity",),
    "gross_margin": ("gross margin",), "operating_margin": ("operating margin",), "net_margin": ("net margin",),
    "eps_diluted": ("earnings per share", "EPS"),
}  # fmt: skip
WIRE_SUMMARY = House(
    "wire summary",
    {
        **_BASE,
        "net_income": ("net income", "profit", "earnings"),
        "revenue": ("revenue", "sales"),
        "operating_income": ("operating income", "operating profit"),
    },
    {
        "flow": (
            "{company} ({symbol}) on Tuesday reported {period} {metric} of {value}.",
            "The company, {company}, posted {metric} of {value} in {period}, a rise or fall from {prior} a year ago.",
            "{Metric} at {company} {rose} to {value} in {period} from {prior} in the same quarter or year a year before.",
            "For {period}, {company} had {metric} of {value}. That compares with {prior} the previous year.",
        ),
        "margin": ("{company}'s {metric} came to {value} in {period}, versus {prior} a year ago.",),
        "growth": ("{Metric} {rose} {growth} at {company} in {period}.",),
        "sheet": ("At the end of {period}, {company} had {metric} of {value}.",),
        "per_share": (
            "On a per-share basis, {company} said it earned {value} in {period}.",
            "{company} said it had net income of {value} per share in {period}, up or down from {prior} per share.",
        ),
        "two": ("In {period}, {company} turned {metric} of {value} into {metric2} of {second}.",),
        "price": ("{company} shares ended at {value} on {day}.",),
    },
    ("fiscal {year} {word}-quarter", "the {word} quarter of fiscal {year}", "the quarter ended {month} {day}, {end_year}"),
    ("fiscal {year}", "the year ended {month} {day}, {end_year}"),
    ("${b:.2f} billion", "${b:.1f} billion"),
    ("${m:.1f} million",),
    rose=("rose", "climbed"),
    fell=("fell", "slipped"),
    layouts=(
        Layout("list", caption="{company} {period}, in millions", quarter="Q{n} {year}", fiscal_year="FY {year}", corner=""),
        Layout("against last year", caption="{company}, in millions except per share", quarter="Q{n} FY{year}", fiscal_year="FY{year}", corner=""),
    ),
    titles=("# {company}: earnings snapshot",),
    headings=("Results", "Outlook", "Shares"),
    asides=(
        "The results beat Wall Street expectations; the average estimate was for [[$1.71]] per share.",
        "The company expects full-year revenue in the range of [[$61 billion]] to [[$63 billion]].",
        "Shares have climbed [[14%]] since the beginning of the year.",
    ),
)  # fmt: skip
CLUB_MINUTES = House(
    "club minutes",
    {
        **_BASE,
        "revenue": ("turnover", "sales", "revenue"),
        "operating_income": ("operating profit", "EBIT"),
        "total_debt": ("borrowings", "debt"),
        "cash": ("cash in the bank", "cash"),
    },
    {
        "flow": (
            "Anna presented {company}: {metric} of {value} for {period} and {value2} for {period2}.",
            "Somebody asked about {company}'s {metric}. Answer: {value} in {period}, {prior} the year before.",
            "{company} - {metric} {period}: {value} ({growth} {up} on the year).",
            "It was noted that {company} made {value} in {metric} in {period}, which was {growth} {up} than the year before.",
        ),
        "margin": ("{company}'s {metric} ({value} in {period}, {prior} a year earlier) was discussed at length.",),
        "sheet": ("The treasurer pointed to {metric} of {value} at {company} (end of {period}).",),
        "per_share": ("{company}: {metric} {value} for {period}; the year before {prior}.",),
        "two": ("{company} in {period}: {metric} {value}, of which {metric2} {second}.",),
        "price": ("{company} stood at {value} on {day}.",),
        "peer": ("Compared on {metric} for {period}: {company} {value}, {company2} {peer_value}.",),
    },
    ("Q{n} {year}", "the {word} quarter of {year}"),
    ("{year}", "FY{year}", "the {year} financial year"),
    ("${b:.1f}bn", "$ {b:.2f} bn"),
    ("${m:.0f}m", "$ {m:.1f} m"),
    up=("up", "higher"),
    down=("down", "lower"),
    layouts=(
        Layout("periods across", caption="{company} ($m)", quarter="Q{n} {year}", fiscal_year="{year}", corner=""),
        Layout("companies down", caption="Shortlist, {period} ($m)", quarter="Q{n} {year}", fiscal_year="{year}", corner="Company"),
    ),
    titles=("# Minutes: should we buy {company} ({symbol})?",),
    headings=("Present", "Discussion", "Vote"),
    asides=(
        "The club has [[$48,200]] to invest; Ben wants to keep [[20%]] back.",
        "Carla would buy below [[$95]] and sell at [[$140]].",
        "Dividends of [[$412]] were received.",
    ),
)  # fmt: skip
HELD_OUT_SIX = (WIRE_SUMMARY, CLUB_MINUTES)
