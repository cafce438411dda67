"""Eight houses written after what the first held-out set showed had been corrected, and measured before any change.

A credit opinion, an Asian broker, a terse terminal story, a language model's commentary, an investment committee's
memo, a tear sheet, a trade magazine, a footnoted study.
"""

from __future__ import annotations

from benchmarks.reports.house import House, Layout

_BASE = {
    "revenue": ("revenue",), "gross_profit": ("gross profit",), "operating_income": ("operating profit",),
    "net_income": ("net profit",), "operating_cash_flow": ("operating cash flow",), "free_cash_flow": ("free cash flow",),
    "research_and_development": ("research and development expense",), "cash": ("cash",), "total_debt": ("total debt",),
    "total_assets": ("total assets",), "equity": ("shareholders' equity",), "gross_margin": ("gross margin",),
    "operating_margin": ("operating margin",), "net_margin": ("net margin",), "eps_diluted": ("diluted EPS",),
}  # fmt: skip
CREDIT = House(
    "credit",
    {
        **_BASE,
        "total_debt": ("reported debt", "gross debt"),
        "cash": ("unrestricted cash", "cash"),
        "operating_cash_flow": ("cash flow from operations", "CFO"),
        "free_cash_flow": ("free cash flow", "FCF"),
        "operating_income": ("EBIT",),
        "revenue": ("revenues",),
    },
    {
        "flow": (
            "Its {metric} reached {value} during {period}, which compares favourably with {prior} one year earlier; {company} thus retains headroom.",
            "{company}'s {metric} for {period} totalled {value} ({prior} for the same period a year earlier).",
            "We note that {company} produced {metric} of {value} over {period} (over {period2}: {value2}).",
        ),
        "margin": (
            "{company}'s {metric} slipped or improved depending on mix, and ended {period} at {value}.",
            "{Metric} of {company}, at {value} in {period}, was {up} {points} on the year.",
        ),
        "sheet": (
            "Liquidity of {company} rests on {metric} of {value} as of {day}.",
            "{company}'s {metric} was {value} at {period}-end ({prior} a year before).",
        ),
        "per_share": ("{company} reported {metric} of {value} in {period}.",),
        "two": ("Against {metric} of {value} in {period}, {company} had {metric2} of {second}.",),
    },
    ("the quarter ended {month} {end_year}", "Q{n} FY{year}", "the {word} quarter of fiscal {year}"),
    ("the year ended {month} {end_year}", "fiscal {year}", "FY{year}"),
    ("${b:.1f} billion", "USD{b:.1f} billion", "${b:.2f} billion"),
    ("${m:.0f} million", "USD{m:.0f} million"),
    days=("{month} {day}, {year}",),
    up=("up",),
    down=("down",),
    negative="-{}",
    layouts=(
        Layout(
            "periods across",
            caption="Exhibit 2. {company}, key indicators (US$ millions)",
            quarter="Q{n} FY{year}",
            fiscal_year="FYE {year}",
            brackets=True,
            corner="(US$ millions)",
        ),
        Layout(
            "companies down",
            caption="Exhibit 5. Peer comparison, {period}",
            fiscal_year="fiscal {year}",
            money_note=" (US$ millions)",
            corner="Issuer",
        ),
    ),
    titles=("# {company} ({symbol}): credit opinion",),
    headings=("Credit strengths", "Liquidity analysis", "Profile"),
    asides=(
        "We could upgrade the rating if debt/EBITDA stays below [[2.0x]] and RCF/net debt above [[35%]].",
        "The $1.5 billion revolver, of which [[$1.3 billion]] was undrawn, matures in 2029.",
        "Our adjusted leverage was [[2.4x]].",
    ),
)
ASIA = House(
    "asia",
    {
        **_BASE,
        "operating_income": ("operating profit", "OP"),
        "net_income": ("net profit", "NP"),
        "revenue": ("sales", "turnover"),
        "gross_margin": ("GPM", "gross margin"),
        "operating_margin": ("OPM", "operating margin"),
        "net_margin": ("NPM", "net margin"),
        "research_and_development": ("R&D expenses",),
    },
    {
        "flow": (
            "{period} {metric} {rose} {growth} YoY to {value}.",
            "{company}'s {period} {metric} was {value} (YoY {growth} {up}).",
            "{company} announced {period} results: {metric} {value}, YoY {growth} {up}.",
            "Vs {previous} in the preceding quarter, {company} made {value} of {metric} in {period}.",
        ),
        "margin": (
            "{company}: {period} {metric} {widened} {points} YoY to {value}.",
            "{period} {metric} at {company} came in at {value}.",
        ),
        "growth": ("{company} grew or shrank with its end markets: {period} {metric} {rose} {growth} YoY.",),
        "per_share": ("{company} {period} {metric} was {value}.",),
        "sheet": ("{company} has {metric} of {value} as at end-{period}.",),
        "price": ("Share price of {company} on {day}: {value}.",),
    },
    ("{n}QFY{yy}", "Q{n} FY{year}"),
    ("FY{yy}", "FY{year}"),
    ("US${b:.1f}bn", "US${m:,.0f}m"),
    ("US${m:.0f}m",),
    points=("{v:.0f}bp", "{v:.0f}bps"),
    days=("{day} {mon} {year}",),
    rose=("rose", "increased", "expanded"),
    fell=("fell", "decreased", "contracted"),
    layouts=(
        Layout(
            "growth rows", caption="US$m, FYE as reported", quarter="{n}QFY{yy}", fiscal_year="FY{yy}A", corner="US$m"
        ),
        Layout(
            "against last year",
            caption="{company} results table (US$m)",
            quarter="{n}QFY{yy}",
            fiscal_year="FY{yy}",
            corner="US$m",
        ),
    ),
    titles=("# {company} ({symbol} US): Outperform",),
    headings=("Results in brief", "What's new", "Recommendation"),
    asides=(
        "We raise our TP to [[US$230]], based on [[24x]] FY30 PE.",
        "Our FY29 EPS is [[6%]] above street.",
        "Memory ASP fell [[9%]] QoQ.",
    ),
)
TERMINAL = House(
    "terminal",
    {
        **_BASE,
        "revenue": ("revenue", "sales"),
        "net_income": ("net income", "profit"),
        "operating_income": ("operating income",),
    },
    {
        "flow": (
            "{company} {period} {metric} {value} vs. {value2} in {period2}",
            "{company} had {metric} of {value} in {period}, data show. In {period2} it was {value2}.",
            "{Metric} for {period} was {value}, {company} said in a statement Thursday, a change from {prior} a year ago.",
        ),
        "margin": (
            "{company} {period} {metric} {value}, y/y {prior}",
            "{company}'s {metric} was {value} in {period}, a change of {points} from the prior year.",
        ),
        "growth": ("{company}'s {metric} {rose} {growth} from a year earlier in {period}, it said.",),
        "per_share": (
            "{company} {period} {metric} {value} vs. {prior} y/y",
            "{company} had {period} earnings of {value} a share, diluted.",
        ),
        "sheet": ("{company} {metric} {value} at end of {period}",),
        "price": ("The stock of {company} closed {day} at {value}.",),
    },
    ("{word}-quarter fiscal {year}", "fiscal {word} quarter {year}", "Q{n} fiscal {year}"),
    ("fiscal {year}", "fiscal-year {year}"),
    ("${b:.2f}b", "${b:.2f} billion", "${b:.1f} billion"),
    ("${m:.1f}m", "${m:.1f} million"),
    layouts=(
        Layout(
            "list",
            caption="{company} {period} at a glance, USD millions",
            quarter="Q{n} fiscal {year}",
            fiscal_year="fiscal {year}",
            form=",.1f",
            corner="Item",
        ),
    ),
    titles=("# {company} ({symbol}) results: what to know",),
    headings=("Key figures", "Context"),
    asides=(
        "Estimate [[$7.71b]] (Bloomberg consensus)",
        "Sees 4Q revenue [[$8.2b]] to [[$8.6b]]",
        "Shares are up [[12%]] this year through Wednesday.",
    ),
)
MODEL = House(
    "model",
    {
        **_BASE,
        "operating_income": ("operating income",),
        "net_income": ("net income",),
        "research_and_development": ("R&D investment", "R&D expense"),
        "equity": ("shareholder equity",),
        "eps_diluted": ("diluted earnings per share", "diluted EPS"),
    },
    {
        "flow": (
            "**{company}** delivered {metric} of **{value}** in {period}, reflecting {up} momentum against the {prior} recorded one year prior.",
            "Notably, {company}'s {metric} for {period} stood at {value}, underscoring the resilience of its model.",
            "On a year-over-year basis, {metric} {rose} by approximately {growth}, reaching {value} in {period}.",
            "Looking at {period}, {company} generated {value} in {metric}, whereas {period2} had produced {value2}.",
        ),
        "margin": (
            "{company} maintained a {metric} of {value} in {period}, compared to {value2} in {period2}.",
            "In {period}, {company}'s {metric} {widened} by {points} year-over-year, landing at {value}.",
        ),
        "growth": ("This translates into {growth} year-over-year {metric} movement for {company} in {period} ({up}).",),
        "sheet": ("From a balance-sheet perspective, {company} held {value} in {metric} at the end of {period}.",),
        "per_share": (
            "On the bottom line, {company} posted {metric} of {value} for {period}, versus {prior} in the same quarter or year before.",
        ),
        "peer": (
            "By comparison, {company2} posted {metric} of {peer_value} in {period}, while {company} posted {value}.",
        ),
        "two": ("{company} paired {metric} of {value} with {metric2} of {second} in {period}.",),
    },
    ("Q{n} FY{year}", "the {word} quarter of fiscal year {year}", "fiscal Q{n} {year}"),
    ("FY{year}", "fiscal year {year}"),
    ("${b:.2f}B", "${b:.2f} billion", "${b:.1f} billion"),
    ("${m:.1f}M", "${m:.1f} million"),
    up=("positive",),
    down=("negative",),
    points=("{v:.0f} basis points",),
    layouts=(
        Layout(
            "periods across",
            caption="**Table 1: Key metrics for {company} (USD billions unless noted)**",
            quarter="Q{n} FY{year}",
            fiscal_year="FY{year}",
            scale=1e9,
            form=",.2f",
            corner="Metric",
        ),
        Layout("companies across", caption="**Peer snapshot, {period} ($M)**", fiscal_year="FY{year}", corner="Metric"),
    ),
    titles=("# Investment analysis: {company} ({symbol})",),
    headings=("Financial performance", "Bull case", "Bear case", "Conclusion"),
    asides=(
        "In our base case, revenue compounds at [[9%]] and the stock is worth [[$240]].",
        "The total addressable market may reach [[$1.2 trillion]] by 2032.",
        "Assigning a [[25%]] probability to the bear case is prudent.",
    ),
)
MEMO = House(
    "memo",
    {
        **_BASE,
        "revenue": ("net revenue", "top-line revenue"),
        "net_income": ("net income", "NI"),
        "operating_income": ("EBIT", "operating income"),
        "operating_cash_flow": ("CFO",),
        "free_cash_flow": ("FCF",),
        "cash": ("cash & equivalents",),
        "total_debt": ("funded debt", "total debt"),
        "equity": ("book equity",),
    },
    {
        "flow": (
            "1. {company} {metric}: {value} ({period}), {value2} ({period2}).",
            "2. {period} {metric} of {value} at {company}, i.e. {growth} {up} on {prior}.",
            "{company}'s {metric} came out at {value} in {period} - the comparable figure a year before was {prior}.",
        ),
        "margin": (
            "3. {company} {metric}: {value} in {period}; {value2} in {period2}.",
            "{period} closed with a {metric} of {value} at {company} ({points} {up} y/y).",
        ),
        "sheet": ("4. {company} {metric}: {value} ({period} close).",),
        "per_share": ("5. {company} {metric}: {value} for {period}, {prior} for the year-ago period.",),
        "price": ("Reference price for {company}: {value} (close of {day}).",),
        "two": ("{period}: {company} with {metric} {value}, {metric2} {second}.",),
        "peer": ("{period} {metric}: {value} ({company}) vs. {peer_value} ({company2}).",),
    },
    ("Q{n} FY{year}", "FQ{n} FY{yy}", "Q{n}/FY{yy}"),
    ("FY{year}", "FY{yy}"),
    ("$ {b:.2f}bn", "${b:.1f}bn", "${m:,.0f}mm"),
    ("${m:.1f}mm",),
    days=("{day} {mon} {year}",),
    negative="({})",
    layouts=(
        Layout(
            "periods down",
            caption="Appendix A - {company} ($mm)",
            quarter="Q{n}/FY{yy}",
            fiscal_year="FY{yy}",
            corner="Period",
            brackets=True,
            form=",.1f",
        ),
    ),
    titles=("# IC memo: {company} ({symbol})",),
    headings=("1. Investment thesis", "2. Financials", "3. Risks"),
    asides=(
        "Entry multiple [[11.5x]], exit multiple [[12.0x]], hurdle IRR [[18%]].",
        "Position size proposed: [[3.5%]] of NAV, stop at [[-15%]].",
        "Top ten customers account for [[46%]] of net revenue.",
    ),
)
TEAR = House(
    "tear",
    {
        **_BASE,
        "revenue": ("Revenue", "Total Revenue"),
        "gross_profit": ("Gross Profit",),
        "operating_income": ("Operating Income", "EBIT"),
        "net_income": ("Net Income",),
        "operating_cash_flow": ("Cash from Operations",),
        "free_cash_flow": ("Free Cash Flow",),
        "gross_margin": ("Gross Margin",),
        "operating_margin": ("Operating Margin",),
        "net_margin": ("Net Margin",),
        "eps_diluted": ("EPS (diluted)", "Diluted EPS"),
        "cash": ("Cash & Equivalents",),
        "total_debt": ("Total Debt",),
    },
    {
        "flow": (
            "{company} | {metric} | {period} | {value}",
            "- {metric}, {period}: {value} (yr ago {prior})",
            "- {metric} ({period}): {value}; ({period2}): {value2}",
        ),
        "margin": ("- {company} {metric}, {period}: {value} (yr ago {prior})",),
        "sheet": ("- {company} {metric}, {period}: {value}",),
        "per_share": ("- {company} {metric}, {period}: {value} (yr ago {prior})",),
        "price": ("- {company} last close ({day}): {value}",),
    },
    ("Q{n} FY{year}", "FQ{n} {year}", "quarter ended {iso}"),
    ("FY {year}", "year ended {iso}"),
    ("${b:.2f}B", "${m:,.1f}M"),
    ("${m:,.1f}M",),
    days=("{iso}",),
    layouts=(
        Layout(
            "periods across",
            caption="Income summary ($M except per share)",
            quarter="{iso}",
            fiscal_year="{iso} (FY)",
            form=",.1f",
            corner="Fiscal period end",
        ),
        Layout(
            "companies down",
            caption="Industry peers: {period}, $ in millions",
            fiscal_year="FY {year}",
            corner="Company",
        ),
        Layout(
            "list",
            caption="Snapshot: {period}",
            quarter="FQ{n} {year}",
            fiscal_year="FY {year}",
            money_note=" ($B)",
            scale=1e9,
            form=",.2f",
            share_note=" ($)",
            percent_note=" (%)",
            corner="Metric",
        ),
    ),
    titles=("# Tear sheet: {company} ({symbol})",),
    headings=("Fundamentals", "Profitability", "Snapshot"),
    asides=("- Employees: [[64,300]]", "- Short interest: [[2.1%]] of float", "- Analyst target (mean): [[$201.40]]"),
)
MAGAZINE = House(
    "magazine",
    {
        **_BASE,
        "revenue": ("sales", "turnover"),
        "net_income": ("profits", "net profit"),
        "operating_income": ("operating profits", "operating profit"),
        "cash": ("cash",),
        "total_debt": ("debts", "debt"),
        "research_and_development": ("research and development",),
        "eps_diluted": ("earnings per diluted share",),
    },
    {
        "flow": (
            "In {period}, when it last opened its books, {company} showed {metric} of {value}; twelve months before, the figure was {prior}.",
            "{company}, whose {metric} {rose} by {growth} in {period} to {value}, is in no hurry.",
            "The firm's {metric}, {value2} in {period2}, were {value} by {period}, and {company} wants more.",
        ),
        "margin": (
            "For each of the products that it sold in {period} {company} kept a {metric} of {value}.",
            "Its {metric}, {value} in {period}, makes {company} the envy of others; in {period2} it was {value2}.",
        ),
        "growth": ("{company}'s {metric} {rose} by a useful {growth} in {period}.",),
        "sheet": ("It had {value} in {metric} when {period} closed, according to {company}.",),
        "price": ("A share of {company} cost {value} when trading ended on {day}.",),
        "per_share": ("{company}'s {metric} were {value} in {period}, having been {prior} a year earlier.",),
    },
    ("the {word} quarter of fiscal {year}", "the quarter to {month} {day}, {end_year}"),
    ("fiscal {year}", "the fiscal year {year}", "the year to {month} {day}, {end_year}"),
    ("${b:.1f}bn", "${b:.2f}bn"),
    ("${m:.0f}m",),
    layouts=(
        Layout(
            "companies across",
            caption="Sizing them up: {period}, $bn",
            scale=1e9,
            form=",.1f",
            fiscal_year="fiscal {year}",
            corner="",
        ),
    ),
    titles=("# The quiet ambition of {company} ({symbol})",),
    headings=("Business", "Briefing"),
    asides=(
        "A rival in Shenzhen charges [[30%]] less.",
        "The market for such gadgets is worth [[$90bn]] a year.",
        "Regulators may fine the firm up to [[$400m]].",
    ),
)
STUDY = House(
    "study",
    {
        **_BASE,
        "revenue": ("total revenue", "revenue"),
        "net_income": ("net earnings",),
        "operating_income": ("operating income",),
        "operating_margin": ("operating income margin",),
        "eps_diluted": ("earnings per share, diluted", "diluted EPS"),
    },
    {
        "flow": (
            "{company} reported {metric} of {value} for {period}.¹",
            "For comparison, {metric} at {company} was {value2} for {period2} and {value} for {period}.",
            "The {period} figure for {metric} at {company} is {value}, the {period2} figure {value2}.",
            "{Metric} ({company}): {value}, {value2} in {period}, {period2}.",
        ),
        "margin": (
            "{company}'s {metric} equalled {value} for {period} [2].",
            "The {metric} was {value} ({period}) at {company}, {points} {up} year over year.",
        ),
        "growth": ("{company} recorded a year-on-year change in {metric} of {growth} ({up}) in {period}.",),
        "sheet": ("{Metric} on the {company} balance sheet ({period}): {value}.",),
        "per_share": ("{company}'s {metric}, came to {value} for {period}.",),
        "two": ("{company} disclosed {metric} ({value}) and {metric2} ({second}) for {period}.",),
    },
    ("the {word} fiscal quarter of {year}", "Q{n} of fiscal year {year}", "the quarter ended {day} {month} {end_year}"),
    ("fiscal year {year}", "the year ended {day} {month} {end_year}"),
    ("${b:.2f} billion", "${b:.3f} billion", "${m:,.0f} million"),
    ("${m:.1f} million",),
    up=("higher",),
    down=("lower",),
    percents=("{v:.1f}%", "{v:.2f}%"),
    layouts=(
        Layout(
            "periods across",
            caption="Table 3. {company}: selected items, USD thousand (a)",
            quarter="Q{n} of fiscal year {year}",
            fiscal_year="fiscal year {year}",
            scale=1e3,
            corner="Item (b)",
        ),
    ),
    titles=("# A study of {company} ({symbol})",),
    headings=("3.1 Income", "3.2 Balance sheet", "3.3 Discussion"),
    asides=(
        "(a) Excludes [[$38 million]] of transition costs.",
        "(b) Segment figures sum to [[104%]] before eliminations.",
        "The regression explains [[61%]] of the variance (n = [[412]]).",
    ),
)
HELD_OUT_TWO = (CREDIT, ASIA, TERMINAL, MODEL, MEMO, TEAR, MAGAZINE, STUDY)
