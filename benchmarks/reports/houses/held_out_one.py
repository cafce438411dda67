"""Eight houses written after the grammar was frozen (commit 657fd5f) and measured before anything was changed for them.

A newswire's research alert, a telecom-like press release, a statement analysis, a trading update, a flash note, an
annual report's discussion, a recap of a call, a blog.
"""

from __future__ import annotations

from benchmarks.reports.house import House, Layout

_PLAIN = {
    "revenue": ("revenue",), "gross_profit": ("gross profit",), "operating_income": ("operating income",),
    "net_income": ("net income",), "operating_cash_flow": ("operating cash flow",), "free_cash_flow": ("free cash flow",),
    "research_and_development": ("R&D spending",), "cash": ("cash",), "total_debt": ("debt",), "total_assets": ("total assets",),
    "equity": ("equity",), "gross_margin": ("gross margin",), "operating_margin": ("operating margin",),
    "net_margin": ("net margin",), "eps_diluted": ("diluted EPS",),
}  # fmt: skip
ALERT = House(
    "alert",
    {**_PLAIN, "revenue": ("revenue", "sales"), "eps_diluted": ("GAAP EPS", "diluted EPS"), "total_debt": ("borrowings", "total debt")},
    {
        "flow": (
            "{company} {period} {metric} of {value} ({growth} Y/Y {up}) speaks to steady demand.",
            "{company} turned in {value} of {metric} for {period} vs. {prior} a year ago.",
            "{period} {metric} landed at {value}, versus {previous} in the quarter before.",
        ),
        "margin": (
            "Mix {widened} {metric} at {company} by {points} to {value} in {period}.",
            "{period} {metric} was {value}, {up} {points} from a year ago.",
        ),
        "two": ("{period} {metric} of {value} came on {metric2} of {second}.", "{company} logged {value} of {metric} on {metric2} of {second} in {period}."),
        "per_share": ("{company} earned {value} a share (diluted) in {period} vs. {prior} last year.", "{period} {metric} of {value} at {company} vs. {prior} a year earlier."),
        "sheet": ("{company} exited {period} with {value} of {metric}.",),
        "price": ("{company} shares last closed at {value} ({day}).",),
    },
    ("FQ{n} {year}", "FY {yy} Q{n}", "Q{n} FY {yy}"), ("FY {yy}", "FY {year}"),
    ("${b:.1f}B", "${b:.2f}B"), ("${m:.0f}M", "${m:.1f}M"), points=("{v:.0f} bps",), negative="-{}",
    widened=("lifted",), narrowed=("cut",),
    layouts=(Layout("periods across", caption="Per-share data and results (USD M)", quarter="Q{n} {year} (fiscal)", fiscal_year="FY {year}", form=",.1f", corner="USD M"),),
    titles=("# Research alert: {company} ({symbol})",), headings=("Analysis", "Rationale"),
    asides=(
        "Our 12-month target of [[$140]], up [[$4]], is [[36x]] our FY 29 EPS view of [[$3.88]].",
        "Organic growth of [[6%]] was led by skin care.",
        "Trimming 3%-5% of headcount would lift profit by [[$450M]].",
    ),
)
RELEASE = House(
    "release",
    {**_PLAIN, "revenue": ("net revenues", "total revenues"), "net_income": ("net earnings", "net income"), "cash": ("cash and cash equivalents",),
     "operating_cash_flow": ("cash provided by operating activities",), "research_and_development": ("R&D costs",), "equity": ("stockholders' equity",),
     "operating_income": ("income from operations",)},
    {
        "flow": (
            "{Metric} totaled {value} in {period}, compared to {prior} in the year-earlier period.",
            "For {period}, {metric} totaled {value}, {up} {growth} versus the year-earlier period.",
            "{company} delivered {metric} of {value} in {period}, compared with {value2} for {period2}.",
        ),
        "margin": ("{company}'s {metric} was {value} in {period}, compared to {prior} in the year-earlier period and {value2} in {period2}.",),
        "growth": ("{Metric} for {period} {rose} {growth} compared to the prior-year period, {company} said.",),
        "per_share": ("{Metric} totaled {value} for {period} at {company} compared to {prior} in the year-earlier period.",),
        "sheet": ("At {day}, {company}'s {metric} totaled {value}.",),
        "two": ("For {period}, {company} recorded {metric} and {metric2} of {value} and {second}.",),
    },
    ("{word}-quarter fiscal {year}", "the {word} quarter of fiscal year {year}", "the quarter ended {month} {day}, {end_year}"),
    ("full-year fiscal {year}", "the fiscal year ended {month} {day}, {end_year}"),
    ("${b:.1f} billion", "${b:.2f} billion"), ("${m:.0f} million",), percents=("{v:.1f} percent",), negative="negative {}",
    layouts=(
        Layout("against last year", caption="Consolidated statements of income (dollars in millions)", quarter="{Word} Quarter {year}", fiscal_year="Fiscal Year {year}", brackets=True, corner=""),
        Layout("periods down", caption="Quarterly trend for {company} (in millions except EPS and percentages)", quarter="{q} {year}", fiscal_year="Year {year}", form=",.1f", corner="Fiscal period"),
    ),
    titles=("# {company} ({symbol}) announces results",), headings=("Consolidated results", "Highlights"),
    asides=(
        "Wireless operating income margin was [[30.8 percent]], a record high.",
        "The company expects capital spending between [[$16 billion]] and [[$17 billion]] this year.",
        "Postpaid churn was [[0.84 percent]].",
    ),
)
ANALYSIS = House(
    "analysis",
    {**_PLAIN, "gross_margin": ("gross profit margin",), "operating_margin": ("operating profit margin",), "net_margin": ("net profit margin",),
     "revenue": ("total revenues", "revenue"), "equity": ("shareholders' equity",)},
    {
        "flow": (
            "{Metric} of {company} moved from {value2} in {period2} to {value} in {period}.",
            "A level of {value} was reached by {metric} in {period}.",
            "Between {period2} and {period}, {metric} went from {value2} to {value} at {company}.",
        ),
        "margin": (
            "The {metric} of {company} shows a trend from {value2} in {period2} to {value} in {period}.",
            "In {period}, the {metric} stood at {value}, which compares with {value2} recorded in {period2}.",
        ),
        "sheet": ("{Metric} of {company} amounted to {value} at the end of {period}, versus {prior} one year before.",),
        "per_share": ("{company}'s {metric} reached {value} in {period}.",),
        "growth": ("Growth in {metric} of {company} was {growth} {up} in {period} relative to the corresponding period of the previous year.",),
        "peer": ("In {period}, {company} generated {metric} of {value}, whereas {company2} generated {peer_value}.",),
    },
    ("Q{n} of fiscal {year}", "the quarter to {month} {day}, {end_year}", "{q} FY{year}"), ("fiscal {year}", "FY{year}"),
    ("${b:.2f} billion", "${m:,.0f} million", "US$ {b:.2f} billion"), ("${m:,.1f} million",), percents=("{v:.2f}%",), up=("positive",), down=("negative",),
    layouts=(
        Layout("growth rows", caption="Common-size and growth, US$ in millions", quarter="{mon} {day}, {end_year}", fiscal_year="FY{year}", corner="US$ in millions"),
        Layout("companies across", caption="Comparison to competitors, {period} (US$ in millions)", fiscal_year="fiscal {year}", corner=""),
    ),
    titles=("# {company} ({symbol}): analysis of financial statements",), headings=("Income statement", "Profitability", "Balance sheet"),
    asides=(
        "Cost as a share of revenue in the services business fell to about [[41%]].",
        "The peer average return on capital is [[13.7%]].",
        "Revenue derived from services declined to a range between [[42%]] and [[51%]].",
    ),
)
UPDATE = House(
    "update",
    {**_PLAIN, "revenue": ("turnover", "group revenue"), "operating_income": ("operating profit", "trading profit"), "net_income": ("profit after tax",),
     "cash": ("cash at bank", "cash"), "total_debt": ("gross borrowings", "borrowings"), "equity": ("net assets", "shareholders' funds"),
     "operating_cash_flow": ("cash generated from operations",), "research_and_development": ("research and development costs",),
     "eps_diluted": ("diluted earnings per share",), "gross_margin": ("gross margin",)},
    {
        "flow": (
            "{Metric} in {period} amounted to {value} ({period2}: {value2}).",
            "The group achieved {metric} of {value} in {period} (prior year: {prior}).",
            "{company}'s {metric} for {period} {rose} by {growth} to {value} (last year: {prior}).",
        ),
        "margin": ("{company}'s {metric} for {period} was {value} (prior year: {prior}).", "At {value}, {metric} in {period} was {up} {points} on the previous year."),
        "growth": ("{company} {rose} {metric} by {growth} over {period}.",),
        "sheet": ("{Metric} of {company} at the period end stood at {value} ({day}).", "As at {day}, {metric} of {company} were {value}."),
        "per_share": ("{company}: {metric} of {value} for {period} (prior year: {prior}).",),
        "two": ("{company} converted {metric} of {value} into {metric2} of {second} during {period}.",),
        "price": ("The closing share price of {company} on {day} was {value}.",),
    },
    ("the three months to {day} {month} {end_year}", "Q{n} FY{yy}", "the {word} quarter of FY{yy}"), ("the year to {day} {month} {end_year}", "FY{yy}"),
    ("${b:.2f}bn", "${b:.1f}bn", "${m:,.0f}m"), ("${m:.1f}m",), days=("{day} {month} {year}",), negative="({})",
    rose=("increased", "grew"), fell=("decreased", "reduced"),
    layouts=(
        Layout("against last year", caption="Financial summary", quarter="Q{n} FY{yy}", fiscal_year="FY{yy}", money_note=" ($m)", share_note=" ($)", form=",.1f", brackets=True, corner="$m unless stated"),
        Layout("list", caption="{company} at a glance, {period}", quarter="Q{n} FY{yy}", fiscal_year="FY{yy}", money_note=", $m", share_note=", $", percent_note=", %", corner=""),
    ),
    titles=("# {company} ({symbol}): trading update",), headings=("Overview", "Current trading", "Finance review"),
    asides=(
        "Like-for-like sales rose [[4.2%]].",
        "The board proposes a final dividend of [[$0.42]] per share.",
        "The order book stood at [[$2.4bn]], covering [[83%]] of next year.",
        "We remain on track for revenue of at least [[$9.1bn]].",
    ),
)
FLASH = House(
    "flash",
    {**_PLAIN, "revenue": ("Sales", "Revs"), "operating_income": ("EBIT",), "net_income": ("NI", "Net profit"), "gross_profit": ("GP", "Gross profit"),
     "operating_cash_flow": ("OCF", "CFO"), "free_cash_flow": ("FCF",), "research_and_development": ("R&D",), "gross_margin": ("GM",), "operating_margin": ("EBIT margin",),
     "net_margin": ("Net margin",), "eps_diluted": ("Dil. EPS", "Diluted EPS")},
    {
        "flow": (
            "* {period} {metric} {value}, {growth} {up} y/y",
            "* {Metric} {value} in {period} vs {prior} LY",
            "* {period}: {metric} {value} / {metric2} {second}",
        ),
        "margin": ("* {company} {period} {metric} {value} ({points} y/y {up})", "* {Metric} {period} {value} vs {value2} in {period2}"),
        "per_share": ("* {company} {period} {metric} {value} vs {prior} LY",),
        "sheet": ("* {company} {metric} {value} at {period} end",),
        "peer": ("* {period} {metric}: {company} {value}, {company2} {peer_value}",),
        "price": ("* {company} px {value} ({day} close)",),
    },
    ("Q{n} FY{yy}", "{n}Q FY{yy}", "FQ{n}-{yy}"), ("FY{yy}", "FY{yy}A"), ("${b:.2f}bn", "${m:,.0f}mn"), ("${m:.1f}mn",), points=("{v:.0f}bp", "{v:.0f} bps"), days=("{day}-{mon}-{end_yy}",),
    layouts=(Layout("periods across", caption="{company} P&L snapshot, $mn", quarter="{n}QFY{yy}", fiscal_year="FY{yy}A", corner="$mn"),
             Layout("companies down", caption="Comps, {period}", fiscal_year="FY{yy}", money_note=" ($mn)", corner="Name")),
    titles=("# FLASH: {company} ({symbol})",), headings=("First take", "Detail"),
    asides=("* PT [[$185]], OW", "* Buyback: [[$500mn]] left", "* FY29e sales [[$33bn]], EBIT [[$7.1bn]]"),
)
DISCUSSION = House(
    "discussion",
    {**_PLAIN, "revenue": ("net sales", "total net sales"), "operating_income": ("operating income",), "research_and_development": ("research and development expense", "R&D expense"),
     "operating_cash_flow": ("cash flows from operating activities", "net cash provided by operating activities"), "cash": ("cash and cash equivalents",), "total_debt": ("total debt",),
     "equity": ("total shareholders' equity",), "eps_diluted": ("diluted earnings per share", "earnings per diluted share")},
    {
        "flow": (
            "{Metric} {rose} {growth}, to {value} in {period} from {prior} in the same period of the preceding fiscal year.",
            "{company} generated {metric} of {value} during {period}, as against {value2} during {period2}.",
            "During {period}, {metric} of {company} were {value}.",
        ),
        "margin": ("{Metric} as a percentage of net sales was {value} in {period} for {company}.", "{company}'s {metric} percentage was {value} during {period} and {value2} during {period2}."),
        "growth": ("The {metric} of {company} {rose} {growth} during {period} compared to the corresponding period of the prior year.",),
        "sheet": ("As of {day}, {company} held {metric} of {value}, compared with {prior} twelve months earlier.",),
        "per_share": ("{Metric} of {company} were {value} and {value2} in {period} and {period2}, respectively.",),
        "two": ("{Metric} and {metric2} of {company} were {value} and {second}, respectively, during {period}.",),
    },
    ("the {word} quarter of {year} (fiscal)", "the three-month period ended {month} {day}, {end_year}", "the {word} fiscal quarter of {year}"),
    ("fiscal {year}", "the fiscal year {year}", "the twelve-month period ended {month} {day}, {end_year}"),
    ("${b:.1f} billion", "${m:,.0f} million", "${b:.2f} billion"), ("${m:.1f} million",), negative="({})",
    layouts=(Layout("periods across", caption="(dollars in thousands, except per share data)", quarter="Three months ended {month} {day}, {end_year}", fiscal_year="Fiscal year {year}", scale=1e3, brackets=True, corner=""),),
    titles=("# {company} ({symbol}): management's discussion",), headings=("Results of operations", "Liquidity"),
    asides=(
        "The effective interest rate of the term loan was [[5.43%]].",
        "International net sales represented [[38%]] of the total.",
        "We have authority to repurchase a further [[$6.2 billion]] of common stock.",
    ),
)
RECAP = House(
    "recap",
    {**_PLAIN, "revenue": ("top line", "revenue"), "net_income": ("bottom line", "net profit"), "operating_income": ("operating earnings",), "cash": ("cash on hand",),
     "total_debt": ("total borrowings",), "research_and_development": ("research and development spending",), "operating_cash_flow": ("operating cash flow",)},
    {
        "flow": (
            "On the call the CFO said that {metric} had come to {value} in {period}, {up} from {prior} a year earlier.",
            "The {metric} at {company} hit {value} in {period} after {value2} in {period2}.",
            "Analysts cheered {value} in {metric} for {period} at {company}.",
        ),
        "margin": ("{company} squeezed a {value} {metric} out of {period}, {points} {up} from last year.", "A {metric} of {value} for {period} left {company} {up} on the year."),
        "growth": ("{company}'s {metric} {rose} by {growth} in {period}, a pace that few expected.",),
        "per_share": ("That left {company} with {value} in {metric} for {period}.",),
        "sheet": ("{company} had {metric} of {value} when {period} ended.",),
        "price": ("Shares in {company} finished at {value} on {day}.",),
        "peer": ("{company} reported {metric} of {value} for {period}; rival {company2} reported {peer_value}.",),
    },
    ("the {word} quarter of fiscal {year}", "fiscal Q{n} {year}", "the quarter ending {month} {day}, {end_year}"), ("fiscal {year}", "its fiscal year {year}"),
    ("${b:.1f} billion", "${b:.2f} billion"), ("${m:.0f} million",), percents=("{v:.1f}%", "{v:.1f} percent"), up=("up",), down=("down",),
    layouts=(Layout("list", caption="{company}: the numbers for {period}", quarter="fiscal Q{n} {year}", fiscal_year="fiscal {year}", money_note=" (in billions)", scale=1e9, form=",.2f", corner=""),),
    titles=("# {company} ({symbol}) earnings call recap",), headings=("What was said", "The numbers"),
    asides=(
        "Management guided to revenue of [[$5.8 billion]] at the midpoint for the coming quarter.",
        "About [[60%]] of bookings came from new customers.",
        "Traders had priced in a move of [[7%]] after the print.",
    ),
)
BLOG = House(
    "blog",
    {**_PLAIN, "revenue": ("sales", "revenue"), "net_income": ("profit", "net profit"), "operating_income": ("operating profit",), "cash": ("cash",), "free_cash_flow": ("free cash flow", "FCF"),
     "eps_diluted": ("earnings per share (diluted)", "diluted EPS")},
    {
        "flow": (
            "I like that {company} pulled in {value} of {metric} in {period}, even if {period2} brought {value2}.",
            "Back in {period2} the {metric} was {value2}, while for {period} {company} shows {value}.",
            "{company} now does {value} in {metric} ({period}).",
        ),
        "margin": ("With a {metric} of {value} in {period}, {company} is no software company.", "{company} kept its {metric} at {value} in {period} ({prior} one year before)."),
        "growth": ("{company} {rose} its {metric} {growth} in {period} year on year.",),
        "per_share": ("For {period} {company} printed {value} in {metric}, last year it was {prior}.",),
        "sheet": ("There is {value} of {metric} on the books of {company} as of {period}.",),
        "price": ("I paid less than the {value} at which {company} closed on {day}.",),
        "two": ("Of {metric} of {value}, {company} turned {second} into {metric2} in {period}.",),
    },
    ("Q{n} FY{year}", "Q{n} of FY{yy}", "the {word} quarter of fiscal {year}"), ("FY{year}", "fiscal year {year}"),
    ("${b:.1f}B", "${b:.2f} billion", "${b:.1f} bn"), ("${m:.0f}M", "${m:.1f} million"), rose=("grew", "increased"), fell=("shrank", "decreased"),
    layouts=(Layout("periods down", caption="{company} over time (millions of dollars)", quarter="Q{n} FY{year}", fiscal_year="FY{year}", corner="When"),),
    titles=("# Why I own {company} ({symbol})",), headings=("The business", "The numbers", "Valuation"),
    asides=(
        "I assume growth of [[8%]] for ten years and a discount rate of [[9%]].",
        "My position is [[4.5%]] of the portfolio at a cost of [[$81]].",
        "Subscribers are up [[19%]] to [[41 million]].",
    ),
)
HELD_OUT_ONE = (ALERT, RELEASE, ANALYSIS, UPDATE, FLASH, DISCUSSION, RECAP, BLOG)
