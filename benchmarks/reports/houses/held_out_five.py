"""Three houses written after the fourth held-out set, and measured before any change for them.

A preview e-mail of traders, a blog post in questions and answers, slides of a credit analyst.
"""

from __future__ import annotations

from benchmarks.reports.house import House, Layout

_BASE = {
    "revenue": ("revenue", "sales"), "gross_profit": ("gross profit",), "operating_income": ("operating income",),
    "net_income": ("net income",), "operating_cash_flow": ("operating cash flow",), "free_cash_flow": ("free cash flow",),
    "research_and_development": ("R&D expense",), "cash": ("cash",), "total_debt": ("total debt",),
    "total_assets": ("total assets",), "equity": ("equity",), "gross_margin": ("gross margin",),
    "operating_margin": ("operating margin",), "net_margin": ("net margin",), "eps_diluted": ("EPS",),
}  # fmt: skip
TRADING_EMAIL = House(
    "trading e-mail",
    {
        **_BASE,
        "revenue": ("revs", "revenue"),
        "operating_income": ("EBIT", "op income"),
        "free_cash_flow": ("FCF",),
        "operating_cash_flow": ("CFO",),
        "gross_margin": ("GM", "gross margin"),
        "operating_margin": ("op margin", "EBIT margin"),
        "research_and_development": ("R&D",),
        "cash": ("cash",),
        "total_debt": ("debt", "gross debt"),
        "eps_diluted": ("EPS", "diluted EPS"),
    },
    {
        "flow": (
            "- {company} {metric}: {value} in {period} (LY {prior}), so {growth} {up}.",
            "- Reminder on {company}: {period} {metric} {value}, {period2} {value2}.",
            "- {company} did {value} of {metric} in {period}; a year ago it was {prior} and the quarter before {previous}.",
            "- What matters for {company} is {metric}, {value} last time out ({period}).",
        ),
        "margin": (
            "- {company} {metric} {period}: {value} (LY {prior}).",
            "- Watch {metric} at {company}. It {widened} {points} y/y to {value} in {period}.",
        ),
        "growth": ("- {company} {metric} {rose} {growth} y/y in {period}.",),
        "sheet": ("- {company} had {value} of {metric} at {period} end.",),
        "per_share": ("- {company} {metric} {value} in {period} vs LY {prior}.",),
        "two": ("- {company} {period}: {metric} {value} / {metric2} {second}.",),
        "price": ("- {company} last {value} ({day} close).",),
        "peer": ("- {company} {metric} {value} in {period}, {company2} {peer_value}.",),
    },
    ("Q{n}'{yy}", "{n}Q{yy}", "FQ{n} {year}"),
    ("FY{yy}", "FY{year}"),
    ("${b:.2f}bn", "${b:.1f}bn"),
    ("${m:.0f}m", "${m:,.0f}mm"),
    points=("{v:.0f}bp", "{v:.0f}bps"),
    rose=("rose",),
    fell=("fell",),
    up=("higher",),
    down=("lower",),
    widened=("widened",),
    narrowed=("narrowed",),
    layouts=(
        Layout("periods down", caption="{company} actuals, $m", quarter="Q{n}'{yy}", fiscal_year="FY{yy}", corner="$m"),
        Layout("companies down", caption="{period}, $m", quarter="Q{n}'{yy}", fiscal_year="FY{yy}", corner="Name"),
    ),
    titles=("# {symbol}: what to watch tomorrow",),
    headings=("Set-up", "Numbers", "Positioning"),
    asides=(
        "- Street looks for [[$1.94]] on [[$24.6bn]]; whisper is [[$2.02]].",
        "- Options imply a [[6.5%]] move; the last four averaged [[4.8%]].",
        "- Short interest [[1.9%]] of float.",
        "- Guide was [[$23.8bn]] to [[$24.4bn]].",
    ),
    lists=True,
)  # fmt: skip
QUESTIONS_BLOG = House(
    "questions blog",
    {
        **_BASE,
        "net_income": ("profit", "net income", "bottom-line profit"),
        "operating_income": ("operating profit", "operating income"),
        "research_and_development": ("R&D spending",),
        "total_debt": ("debt",),
        "eps_diluted": ("earnings per share",),
        "equity": ("shareholders' equity",),
    },
    {
        "flow": (
            "**How big was {company}'s {metric} in {period}?** It was {value}, up or down from {prior} a year earlier.",
            "**Has {company}'s {metric} grown?** In {period} it {rose} {growth}, to {value}.",
            "**Is {value} a lot?** That is what {company} booked as {metric} in {period}; in {period2} it was {value2}.",
            "I went through the filing, and {company}'s {metric} for {period} is {value}. Yes, really.",
        ),
        "margin": (
            "**How much of each dollar does {company} keep?** Its {metric} was {value} in {period}, compared to {prior} the year before.",
            "{company} runs a {metric} of {value} ({period}).",
        ),
        "sheet": ("**What's on {company}'s balance sheet?** {value} of {metric} as of {day}.",),
        "per_share": ("**And per share?** {company} earned {value} per share in {period}. A year earlier: {prior}.",),
        "two": ("With {metric} of {value} and {metric2} of {second}, {period} was a typical one for {company}.",),
        "price": ("**What does a share cost?** {company} closed at {value} on {day}.",),
        "peer": ("**And the rival?** In {period}, {company2} had {metric} of {peer_value}; {company} had {value}.",),
    },
    ("the {word} quarter of {year}", "Q{n} {year}", "the quarter that ended on {month} {day}, {end_year}"),
    ("{year}", "the {year} fiscal year"),
    ("${b:.1f} billion", "${b:.2f} billion"),
    ("${m:.0f} million", "${m:.1f} million"),
    rose=("went up by", "rose"),
    fell=("went down by", "fell"),
    layouts=(
        Layout("against last year", caption="{company}, in millions of dollars", quarter="Q{n} {year}", fiscal_year="{year}", corner=""),
        Layout("list", caption="{company}, {period}, in millions of dollars", quarter="Q{n} {year}", fiscal_year="{year}", corner=""),
    ),
    titles=("# 12 questions about {company} ({symbol}), answered",),
    headings=("The basics", "The money", "Should I care?"),
    asides=(
        "**How many people work there?** About [[64,000]].",
        "**What would I pay for it?** Not more than [[$118]].",
        "**Who owns it?** The founder still has [[13.4%]].",
        "**How large is the market?** Some say [[$310 billion]] by 2030.",
    ),
)  # fmt: skip
CREDIT_SLIDES = House(
    "credit slides",
    {
        **_BASE,
        "revenue": ("net sales", "revenues"),
        "operating_income": ("operating income", "EBIT"),
        "total_debt": ("total debt", "gross debt"),
        "cash": ("cash and cash equivalents", "cash"),
        "operating_cash_flow": ("cash flow from operations", "cash from operations"),
        "free_cash_flow": ("free cash flow", "FCF"),
        "equity": ("shareholders' equity",),
        "eps_diluted": ("diluted EPS",),
    },
    {
        "flow": (
            "- {Metric} ({company}, {period}): {value}; prior year {prior}",
            "- {company}: {metric} of {value} in {period}, {growth} {up} than prior year",
            "- {company}: {period} {metric} {value} vs. {value2} in {period2}",
            "- {company} generated {value} of {metric} during {period}",
        ),
        "margin": (
            "- {Metric} ({company}): {value} in {period}, {prior} prior year",
            "- {company} {metric} {widened} by {points} to {value} in {period}",
        ),
        "sheet": (
            "- {company}: {metric} {value} at end of {period}",
            "- {Metric} of {company} at {day}: {value}",
        ),
        "per_share": ("- {company} {metric}: {value} in {period} (prior year {prior})",),
        "two": ("- {company}, {period}: {metric} {value}; {metric2} {second}",),
        "peer": ("- {Metric}, {period}: {value} at {company}, {peer_value} at {company2}",),
    },
    ("Q{n}/{year}", "Q{n} FY{year}", "3M ended {mon} {day}, {end_year}"),
    ("FY {year}", "fiscal {year}", "12M ended {mon} {day}, {end_year}"),
    ("USD {b:.1f} bn", "USD {b:.2f} bn"),
    ("USD {m:,.0f} m",),
    percents=("{v:.1f} %",),
    points=("{v:.0f} bps",),
    up=("higher",),
    down=("lower",),
    widened=("widened",),
    narrowed=("narrowed",),
    layouts=(
        Layout("periods across", caption="{company}: key credit figures (USD m)", quarter="Q{n}/{yy}", fiscal_year="FY{yy}", corner="USD m", brackets=True),
        Layout("companies across", caption="Peers, {period} (USD m)", quarter="Q{n}/{yy}", fiscal_year="FY{yy}", corner="USD m"),
        Layout("growth rows", caption="{company}: trend (USD m)", quarter="Q{n}/{yy}", fiscal_year="FY{yy}", corner=""),
    ),
    titles=("# {company} ({symbol}): credit update",),
    headings=("Business profile", "Cash flow and leverage", "Liquidity"),
    asides=(
        "- Covenant: net leverage below [[3.5x]]; headroom about [[USD 4.2 bn]]",
        "- USD [[2.0 bn]] 4.25 % notes due 2031 trade at [[98.6]]",
        "- We expect net leverage of [[1.8x]] by FY 2027",
    ),
    lists=True,
)  # fmt: skip
HELD_OUT_FIVE = (TRADING_EMAIL, QUESTIONS_BLOG, CREDIT_SLIDES)
