"""Six houses written after what the second held-out set showed had been corrected, and measured before any change.

A private bank's note, an exchange announcement, an industry newsletter, a quant desk's summary, an equity primer,
an auditor-like review.
"""

from __future__ import annotations

from benchmarks.reports.house import House, Layout

_BASE = {
    "revenue": ("revenue", "sales"), "gross_profit": ("gross profit",), "operating_income": ("operating income",),
    "net_income": ("net income",), "operating_cash_flow": ("operating cash flow",), "free_cash_flow": ("free cash flow",),
    "research_and_development": ("R&D expense",), "cash": ("cash",), "total_debt": ("total debt",),
    "total_assets": ("total assets",), "equity": ("shareholders' equity",), "gross_margin": ("gross margin",),
    "operating_margin": ("operating margin",), "net_margin": ("net margin",), "eps_diluted": ("diluted EPS",),
}  # fmt: skip
BANK = House(
    "bank",
    {
        **_BASE,
        "operating_income": ("operating profit", "EBIT"),
        "net_income": ("net profit",),
        "total_debt": ("debt", "borrowings"),
        "eps_diluted": ("diluted EPS", "diluted earnings per share"),
    },
    {
        "flow": (
            "{company} closed {period} with {metric} of {value}, {growth} {up} on the year.",
            "At {value}, {metric} for {period} was {up} from {prior} at the same stage last year.",
            "{Metric} came to {value} in {period}, while {period2} had seen {value2}.",
        ),
        "margin": (
            "The {metric} {widened} to {value} in {period} ({prior} a year earlier), which we regard as the main news from {company}.",
            "{company} achieved a {metric} of {value} in {period}.",
        ),
        "growth": ("{company} reported that its {metric} {rose} {growth} in {period} compared with the prior year.",),
        "sheet": ("With {metric} of {value} at the end of {period}, {company} has room for manoeuvre.",),
        "per_share": ("{company} reported {metric} of {value} for {period} (prior-year period: {prior}).",),
        "price": ("{company} closed at {value} on {day}.",),
        "peer": ("In {period} {company} reported {metric} of {value}, compared with {peer_value} for {company2}.",),
    },
    ("the {word} quarter of fiscal {year}", "Q{n} FY{yy}", "the three months to end-{month} {end_year}"),
    ("fiscal {year}", "FY{yy}", "the financial year {year}"),
    ("USD {b:.1f}bn", "USD {b:.2f}bn", "USD {m:,.0f}m"),
    ("USD {m:.0f}m",),
    days=("{day} {month} {year}",),
    up=("up",),
    down=("down",),
    negative="-{}",
    layouts=(
        Layout(
            "against last year",
            caption="{company}: {period} results (USD m)",
            quarter="Q{n} FY{yy}",
            fiscal_year="FY{yy}",
            corner="USD m",
        ),
        Layout(
            "companies down", caption="Valuation universe: {period} (USD m)", fiscal_year="FY{yy}", corner="Company"
        ),
    ),
    titles=("# {company} ({symbol}): investment view",),
    headings=("Key takeaways", "Results", "Our view"),
    asides=(
        "We raise our fair value to [[USD 230]] and keep our Buy rating.",
        "Consensus expects EPS growth of [[14%]] next year.",
        "Recurring revenue makes up [[72%]] of the total.",
    ),
)
EXCHANGE = House(
    "exchange",
    {
        **_BASE,
        "revenue": ("revenue from operations", "total revenue"),
        "net_income": ("profit after tax", "net profit"),
        "operating_income": ("operating profit",),
        "cash": ("cash and cash equivalents",),
        "total_debt": ("borrowings",),
        "equity": ("shareholders' equity", "net assets"),
        "eps_diluted": ("diluted EPS",),
    },
    {
        "flow": (
            "{Metric} for {period}: {value} (corresponding period of the previous year: {prior}).",
            "{company} recorded {metric} of {value} for {period} as compared to {prior} for the corresponding period of the previous year.",
            "The company's {metric} for {period} {rose} by {growth} to {value}.",
        ),
        "margin": (
            "{company}'s {metric} stood at {value} for {period} as against {prior} in the corresponding period of the previous year.",
        ),
        "growth": (
            "{company}'s {metric} for {period} {rose} by {growth} over the corresponding period of the previous year.",
        ),
        "sheet": ("{company}'s {metric} as on {day} stood at {value}.",),
        "per_share": (
            "{Metric} of {company} for {period} stood at {value} as compared to {prior} in the corresponding period last year.",
        ),
        "two": ("For {period}, {company} registered {metric} of {value} and {metric2} of {second}.",),
    },
    ("the quarter ended {day} {month} {end_year}", "Q{n} FY{yy}"),
    ("the year ended {day} {month} {end_year}", "FY{yy}"),
    ("US$ {b:.2f} billion", "US${m:,.1f} million"),
    ("US${m:.1f} million",),
    days=("{day} {month} {year}",),
    negative="({})",
    layouts=(
        Layout(
            "periods across",
            caption="Statement of results (US$ million, except per share data)",
            quarter="Quarter ended {day} {month} {end_year}",
            fiscal_year="Year ended {day} {month} {end_year}",
            form=",.1f",
            brackets=True,
            corner="Particulars",
        ),
    ),
    titles=("# {company} ({symbol}): announcement of results",),
    headings=("Financial results", "Commentary"),
    asides=(
        "The board recommended a dividend of [[US$0.35]] per share.",
        "The order backlog stood at [[US$3.1 billion]].",
        "Utilisation was [[83.4%]].",
    ),
)
NEWSLETTER = House(
    "newsletter",
    {
        **_BASE,
        "net_income": ("profit", "net income"),
        "operating_income": ("operating profit", "operating income"),
        "research_and_development": ("R&D", "R&D spending"),
        "free_cash_flow": ("FCF", "free cash flow"),
    },
    {
        "flow": (
            "{company}: {period} {metric} of {value}, {up} {growth}.",
            "{company} did {value} in {metric} in {period}, {up} from {prior}.",
            "{Metric} at {company} went from {value2} in {period2} to {value} in {period}.",
            "{company} spent or earned its way to {metric} of {value} in {period}, {growth} {up} from a year ago.",
        ),
        "margin": (
            "{company}'s {metric}: {value} in {period}, versus {prior} a year ago.",
            "{Metric} {widened} {points} to {value} at {company} in {period}.",
        ),
        "growth": ("{metric} growth of {company} in {period}: {growth} {up} year over year.",),
        "sheet": ("{company} sat on {value} of {metric} at the end of {period}.",),
        "price": ("{company} stock: {value} at the close on {day}.",),
        "per_share": ("{company} made {value} per share (diluted) in {period}, {prior} a year ago.",),
        "peer": ("{metric} in {period}: {value} at {company}, {peer_value} at {company2}.",),
    },
    ("Q{n} FY{year}", "fiscal Q{n} {year}", "Q{n} of fiscal {year}"),
    ("FY{year}", "fiscal {year}"),
    ("${b:.1f}B", "${b:.2f}B", "${b:.1f} billion"),
    ("${m:.0f}M",),
    up=("up",),
    down=("down",),
    rose=("grew",),
    fell=("shrank",),
    widened=("rose",),
    narrowed=("fell",),
    layouts=(
        Layout(
            "list",
            caption="{company}, {period}",
            quarter="Q{n} FY{year}",
            fiscal_year="FY{year}",
            money_note=" ($B)",
            scale=1e9,
            form=",.1f",
            share_note=" ($)",
            corner="",
        ),
        Layout(
            "periods down",
            caption="{company} by period, in $M",
            quarter="Q{n} FY{year}",
            fiscal_year="FY{year}",
            corner="",
        ),
    ),
    titles=("# This week: {company} ({symbol})",),
    headings=("The big story", "By the numbers", "Quick hits"),
    asides=(
        "The app has [[410 million]] monthly users.",
        "It is raising [[$600 million]] at a [[$9 billion]] valuation.",
        "Gartner thinks the market will hit [[$75 billion]] by 2030.",
    ),
)
QUANT = House(
    "quant",
    {
        **_BASE,
        "revenue": ("Sales", "Revenue"),
        "gross_profit": ("Gross profit",),
        "operating_income": ("EBIT",),
        "net_income": ("Net income",),
        "operating_cash_flow": ("CFO",),
        "free_cash_flow": ("FCF",),
        "gross_margin": ("Gross margin",),
        "operating_margin": ("EBIT margin",),
        "net_margin": ("Net margin",),
        "eps_diluted": ("Diluted EPS",),
    },
    {
        "flow": (
            "- {company} | {period} | {metric} = {value} | y/y {growth} {up}",
            "- {metric} [{period}]: {value} vs {value2} [{period2}]",
            "- {period} {metric}: {value} (previous quarter: {previous})",
        ),
        "margin": ("- {company} {metric} [{period}]: {value} vs {value2} [{period2}]",),
        "sheet": ("- {company} {metric} [{period}] = {value}",),
        "per_share": ("- {company} {metric} [{period}] = {value} (year ago: {prior})",),
        "price": ("- {company} close [{day}] = {value}",),
    },
    ("FY{year}Q{n}", "Q{n} FY{year}"),
    ("FY{year}",),
    ("${b:.2f}bn", "${m:,.0f}m"),
    ("${m:.1f}m",),
    days=("{iso}",),
    up=("up",),
    down=("down",),
    layouts=(
        Layout(
            "periods across",
            caption="{company} fundamentals ($m)",
            quarter="FY{year}Q{n}",
            fiscal_year="FY{year}",
            form=",.1f",
            corner="Factor input",
        ),
        Layout(
            "growth rows",
            caption="Fundamental momentum, $m",
            quarter="FY{year}Q{n}",
            fiscal_year="FY{year}",
            corner="$m",
        ),
    ),
    titles=("# Factor sheet {company} ({symbol})",),
    headings=("Inputs", "Signals"),
    asides=(
        "- Value z-score [[-0.84]], momentum z-score [[1.32]]",
        "- Predicted alpha: [[2.3%]]",
        "- Information ratio [[0.71]] over [[120]] names",
    ),
)
PRIMER = House(
    "primer",
    {
        **_BASE,
        "operating_income": ("operating income", "income from operations"),
        "net_income": ("net earnings", "net income"),
        "revenue": ("revenues", "net sales"),
        "cash": ("cash and equivalents",),
        "eps_diluted": ("diluted earnings per share",),
    },
    {
        "flow": (
            "To put this in perspective, {company} generated {metric} of {value} in {period}, up or down from {prior} in the comparable period a year earlier.",
            "{company}'s {metric} climbed or fell over time: {value2} in {period2}, {value} in {period}.",
            "By {period}, {metric} had reached {value}.",
        ),
        "margin": (
            "{company} earns a {metric} of {value} ({period}).",
            "{company}'s {metric} in {period} was {value}, {points} {up} from the year before.",
        ),
        "sheet": ("{company}'s balance sheet at the end of {period} carried {metric} of {value}.",),
        "per_share": ("{Metric} of {company} amounted to {value} in {period} and to {value2} in {period2}.",),
        "two": ("In {period}, {company}'s {metric} was {value} and its {metric2} was {second}.",),
        "price": ("As of the close on {day}, {company} traded at {value} per share.",),
    },
    ("the {word} quarter of fiscal {year}", "the fiscal quarter ended {month} {day}, {end_year}"),
    ("fiscal {year}", "the fiscal year ended {month} {day}, {end_year}"),
    ("${b:.2f} billion", "${b:.1f} billion"),
    ("${m:.1f} million",),
    up=("higher",),
    down=("lower",),
    layouts=(
        Layout(
            "periods across",
            caption="Selected financial data of {company} (in millions of US dollars)",
            quarter="Q{n} fiscal {year}",
            fiscal_year="Fiscal {year}",
            brackets=True,
            corner="",
        ),
    ),
    titles=("# Understanding {company} ({symbol})",),
    headings=("Company history", "How it makes money", "Financial overview"),
    asides=(
        "The company serves [[190]] countries through [[2,300]] partners.",
        "A one-point change in tax rate would move EPS by about [[$0.08]].",
        "Industry shipments grew [[6.5%]] last year.",
    ),
)
REVIEW = House(
    "review",
    {
        **_BASE,
        "revenue": ("net revenue", "revenue"),
        "operating_income": ("operating income",),
        "operating_cash_flow": ("cash generated by operating activities", "operating cash flow"),
        "total_debt": ("total debt", "indebtedness"),
    },
    {
        "flow": (
            "Per the filed statements of {company}, {metric} amounted to {value} in {period} and {value2} in {period2}.",
            "{company} shows {metric} of {value} for {period}; the comparative figure for the preceding year is {prior}.",
            "We traced {metric} of {value} ({period}) to the accounts of {company}.",
        ),
        "margin": ("The {metric} of {company} computes to {value} for {period} and to {value2} for {period2}.",),
        "growth": ("{company}'s {metric} thus {rose} {growth} in {period} against the preceding year.",),
        "sheet": ("The balance sheet of {company} as at {day} shows {metric} of {value}.",),
        "per_share": ("{company} discloses {metric} of {value} for {period} ({period2}: {value2}).",),
        "two": ("{Metric} and {metric2} of {company} amounted to {value} and {second} in {period}.",),
    },
    ("the {word} quarter of fiscal year {year}", "the quarter ended {month} {day}, {end_year}"),
    ("fiscal year {year}", "the year ended {month} {day}, {end_year}"),
    ("${m:,.1f} million", "${b:.2f} billion"),
    ("${m:,.1f} million",),
    negative="({})",
    layouts=(
        Layout(
            "against last year",
            caption="Comparative statement for {company} (in millions)",
            quarter="{q} FY{year}",
            fiscal_year="FY{year}",
            form=",.1f",
            brackets=True,
            corner="Line item",
        ),
        Layout(
            "companies across",
            caption="Cross-check, {period}, in millions of dollars",
            fiscal_year="fiscal year {year}",
            corner="",
        ),
    ),
    titles=("# Review of {company} ({symbol})",),
    headings=("Procedures", "Findings", "Comparatives"),
    asides=(
        "Planning materiality was set at [[$45.0 million]].",
        "We tested [[60]] samples with an error rate of [[1.7%]].",
        "Provisions of [[$310.5 million]] rest on estimates.",
    ),
)
HELD_OUT_THREE = (BANK, EXCHANGE, NEWSLETTER, QUANT, PRIMER, REVIEW)
