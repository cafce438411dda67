"""Three houses written after the third held-out set, and measured before any change for them.

A sell-side note full of tables, a newspaper article, a fund's letter to its investors.
"""

from __future__ import annotations

from benchmarks.reports.house import House, Layout

_BASE = {
    "revenue": ("revenue", "sales"), "gross_profit": ("gross profit",), "operating_income": ("operating income",),
    "net_income": ("net income",), "operating_cash_flow": ("operating cash flow",), "free_cash_flow": ("free cash flow",),
    "research_and_development": ("R&D",), "cash": ("cash",), "total_debt": ("debt",), "total_assets": ("total assets",),
    "equity": ("shareholders' equity",), "gross_margin": ("gross margin",), "operating_margin": ("operating margin",),
    "net_margin": ("net margin",), "eps_diluted": ("EPS",),
}  # fmt: skip
SELL_SIDE = House(
    "sell side",
    {
        **_BASE,
        "revenue": ("revenue", "top line"),
        "operating_income": ("EBIT",),
        "gross_profit": ("gross profit", "GP"),
        "net_income": ("net income", "reported net income"),
        "free_cash_flow": ("FCF",),
        "operating_cash_flow": ("CFO", "operating cash flow"),
        "operating_margin": ("EBIT margin",),
        "gross_margin": ("gross margin", "GM"),
        "eps_diluted": ("diluted EPS", "GAAP EPS"),
    },
    {
        "flow": (
            "**{period} {metric} of {value}** ({up} {growth} y/y) sets the base for our model of {company}.",
            "{company} printed {metric} of {value} for {period}; we note {prior} in the year-ago period.",
            "Recall {company}'s {period} {metric} of {value}, following {previous} in the prior quarter.",
            "{Metric} at {company}: {value} in {period}, {growth} {up} y/y.",
        ),
        "margin": (
            "{company}'s {period} {metric} of {value} {widened} {points} y/y.",
            "{Metric} for {company} printed at {value} in {period} vs. {prior} a year ago.",
        ),
        "sheet": ("{company} exited {period} with {value} of {metric}.",),
        "per_share": ("{company}'s {period} {metric} came in at {value}, compared to {prior} a year ago.",),
        "two": ("{company}, {period}: {metric} {value}, {metric2} {second}.",),
        "price": ("Priced as of {day} close: {company} {value}.",),
        "peer": ("{period} {metric}: {company} {value}, {company2} {peer_value}.",),
    },
    ("F{n}Q{yy}", "FQ{n}'{yy}", "Q{n} FY{yy}"),
    ("FY{yy}", "FY{year}A"),
    ("${b:.2f}B", "${m:,.0f}M", "${b:.1f}B"),
    ("${m:.0f}M",),
    points=("{v:.0f}bps", "{v:.0f} bps"),
    up=("up",),
    down=("down",),
    widened=("expanded",),
    narrowed=("contracted",),
    layouts=(
        Layout(
            "periods across",
            caption="Exhibit 1: {company} income statement summary ($M, except per share)",
            quarter="FQ{n}'{yy}A",
            fiscal_year="FY{yy}A",
            corner="FYE",
            brackets=True,
        ),
        Layout(
            "growth rows", caption="Exhibit 2: growth profile of {company}, $M", quarter="F{n}Q{yy}",
            fiscal_year="FY{yy}", corner="",
        ),
        Layout("companies across", caption="Exhibit 3: comps, {period}, $M", fiscal_year="FY{yy}", corner=""),
        Layout(
            "against last year", caption="Exhibit 4: {company} variance table ($M)", quarter="F{n}Q{yy}",
            fiscal_year="FY{yy}", corner="",
        ),
    ),
    titles=("# {company} ({symbol}): model update, Outperform",),
    headings=("Bottom line", "Model", "Valuation"),
    asides=(
        "Our PT moves to [[$245]] on [[28x]] our CY26 estimate of [[$8.75]].",
        "Street is at [[$31.2B]] for next year; we sit at [[$32.6B]].",
        "Cloud posted sales of [[$3.1B]] and grew [[41%]] in FY24.",
        "Backlog of [[$12.4B]] covers [[9.5]] months.",
    ),
)  # fmt: skip
NEWSPAPER_ARTICLE = House(
    "newspaper article",
    {
        **_BASE,
        "revenue": ("revenue", "sales", "turnover"),
        "operating_income": ("operating profit",),
        "net_income": ("net profit", "profit"),
        "research_and_development": ("research spending", "spending on research and development"),
        "total_debt": ("debt", "borrowings"),
        "cash": ("cash",),
        "equity": ("equity",),
        "eps_diluted": ("earnings per share",),
        "operating_margin": ("operating margin",),
    },
    {
        "flow": (
            "{company} said on Thursday that {metric} {rose} to {value} in {period}, from {prior} in the same period a year before.",
            "In {period}, {metric} at {company} {rose} {growth} to {value}.",
            "Three years of change have left their mark on {company}: {metric} was {value} in {period}; in {period2} it had been {value2}.",
            "The group's {metric} of {value} in {period} compared with {prior} twelve months earlier.",
        ),
        "margin": (
            "For every $100 that {company} takes in it has to pay its way, and its {metric} was {value} in {period}, against {prior} a year earlier.",
            "The {metric} at {company} {widened} to {value} in {period} from {prior} a year earlier.",
        ),
        "growth": ("At {company}, {metric} {rose} by {growth} in {period}, the company said.",),
        "sheet": ("{company} had {metric} of {value} at the end of {period}.", "{Metric} of {company} stood at {value} on {day}."),
        "per_share": ("{company} earned {value} a share in {period}, compared with {prior} a share a year earlier.",),
        "two": ("{company} made {metric2} of {second} on {metric} of {value} in {period}.",),
        "price": ("Shares in {company} closed at {value} on {day}.",),
        "peer": ("{company}, whose {metric} was {value} in {period}, is often compared with {company2}, which had {peer_value}.",),
    },
    ("the {word} quarter of fiscal {year}", "its {word} fiscal quarter of {year}", "the three months to {month} {day}, {end_year}"),
    ("fiscal {year}", "the year to {month} {day}, {end_year}", "its {year} fiscal year"),
    ("${b:.1f}bn", "${b:.2f}bn"),
    ("${m:.0f}mn", "${m:.1f}mn"),
    percents=("{v:.1f} per cent",),
    rose=("rose", "climbed"),
    fell=("fell", "dropped"),
    up=("up",),
    down=("down",),
    layouts=(
        Layout("periods down", caption="{company} in figures ($mn)", quarter="Q{n} FY{year}", fiscal_year="FY{year}", corner=""),
        Layout("list", caption="{company}: {period} at a glance ($mn)", quarter="Q{n} FY{year}", fiscal_year="FY{year}", corner=""),
    ),
    titles=("# {company} ({symbol}) tests investors' patience",),
    headings=("What happened", "The numbers", "What comes next"),
    asides=(
        "Analysts polled by the paper had hoped for [[$29.4bn]].",
        "About [[4,500]] jobs will go, at a cost of [[$780mn]].",
        "A fund that owns [[3.2 per cent]] of the group wants it to sell the unit for [[$6bn]].",
        "The logistics arm had revenue of [[$2.7bn]] in fiscal 2024.",
        "Rivals in Asia sell similar goods for [[$349]].",
    ),
)  # fmt: skip
FUND_LETTER = House(
    "fund letter",
    {
        **_BASE,
        "revenue": ("revenues", "sales"),
        "operating_income": ("operating income", "operating earnings"),
        "net_income": ("net income", "net earnings"),
        "free_cash_flow": ("free cash flow", "free cash"),
        "total_debt": ("total debt", "debt"),
        "cash": ("cash", "cash on hand"),
        "eps_diluted": ("diluted earnings per share", "earnings per share"),
        "equity": ("book equity", "shareholders' equity"),
    },
    {
        "flow": (
            "When we bought {company}, {metric} were or was {value2} ({period2}); in {period} the figure was {value}.",
            "{company} produced {value} of {metric} in {period}, which is {growth} {up} than or on the year before.",
            "We own {company} because of numbers like these: {metric} of {value} in {period}.",
            "Over {period}, {company} turned in {metric} of {value} against {prior} the year before.",
        ),
        "margin": (
            "A {metric} of {value} in {period} tells you what kind of business {company} is.",
            "{company}'s {metric} in {period}, at {value}, {widened} by {points}.",
        ),
        "growth": ("{company}'s {metric} {rose} {growth} in {period}; we were not surprised.",),
        "sheet": ("{company} ended {period} with {metric} of {value}, and we sleep well.",),
        "per_share": ("{company} reported {metric} of {value} for {period}, after {prior} the year before.",),
        "two": ("Of {company}'s {value} in {metric} for {period}, we think less than of its {metric2} of {second}.",),
        "price": ("We valued our shares of {company} at {value}, the close of {day}.",),
    },
    ("the {word} quarter of fiscal {year}", "Q{n} of fiscal {year}"),
    ("fiscal {year}", "its fiscal year {year}"),
    ("${b:.1f} billion", "${b:.2f} billion"),
    ("${m:.0f} million",),
    rose=("grew", "advanced"),
    fell=("fell", "shrank"),
    up=("more",),
    down=("less",),
    layouts=(
        Layout("companies down", caption="Our holdings, {period} (millions of dollars)", fiscal_year="fiscal {year}", corner="Holding"),
        Layout("periods across", caption="{company}, a short history (millions of dollars)", quarter="Q{n} fiscal {year}", fiscal_year="Fiscal {year}", corner=""),
    ),
    titles=("# Letter to our partners: why we hold {company} ({symbol})",),
    headings=("Performance", "Our largest holding", "Mistakes"),
    asides=(
        "The fund returned [[7.4%]] net of fees, against [[5.1%]] for the index.",
        "It is [[11.2%]] of our capital, bought at [[$41.30]].",
        "If margins hold, it could earn [[$9.00]] a share in five years.",
        "We sold our stake in a packaging maker for [[$18 million]].",
    ),
)  # fmt: skip
HELD_OUT_FOUR = (SELL_SIDE, NEWSPAPER_ARTICLE, FUND_LETTER)
