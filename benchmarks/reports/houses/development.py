"""Houses on which the grammar was developed: a broker, a fund's letter, a results note, a newspaper, slides, a memo."""

from __future__ import annotations

from benchmarks.reports.house import House, Layout

_COMMON = {
    "revenue": ("revenue", "sales"),
    "gross_profit": ("gross profit",),
    "operating_income": ("operating income", "operating profit"),
    "net_income": ("net income", "net profit"),
    "operating_cash_flow": ("operating cash flow", "cash from operations"),
    "free_cash_flow": ("free cash flow", "FCF"),
    "research_and_development": ("R&D expense", "R&D"),
    "cash": ("cash", "cash and equivalents"),
    "total_debt": ("total debt", "debt"),
    "total_assets": ("total assets",),
    "equity": ("shareholders' equity", "book equity"),
    "gross_margin": ("gross margin",),
    "operating_margin": ("operating margin", "EBIT margin"),
    "net_margin": ("net margin",),
    "eps_diluted": ("diluted EPS", "diluted earnings per share"),
}

BROKER = House(
    "broker",
    {**_COMMON, "operating_income": ("EBIT", "operating profit"), "revenue": ("revenues", "sales", "turnover")},
    {
        "flow": (
            "{period} {metric} printed at {value} ({growth} y/y {up}).",
            "{Metric} {period}: {value} vs {prior} in the prior-year period.",
            "{company} booked {metric} of {value} in {period}, {up} {growth} y/y from {prior}.",
            "{Metric} {rose} {growth} to {value} in {period} ({period2}: {value2}).",
            "For {period}, {company} posted {metric} of {value} ({period2}: {value2}).",
        ),
        "margin": (
            "{company}'s {metric} {widened} {points} y/y to {value} in {period}.",
            "{Metric} of {value} in {period} ({period2}: {value2}) at {company}.",
        ),
        "two": (
            "{company} printed {metric} of {value} and {metric2} of {second} in {period}.",
            "{period} {metric}/{metric2} at {company} came to {value}/{second}.",
        ),
        "sheet": (
            "{company} held {metric} of {value} at end-{period}.",
            "Balance sheet of {company}: {metric} {value} as of {day}.",
        ),
        "per_share": (
            "{company} {period} {metric}: {value} ({prior} a year ago).",
            "{Metric} for {period} printed at {value} at {company}.",
        ),
        "price": ("{company} (close {day}: {value}) remains our top pick.",),
        "peer": ("{company}'s {metric} of {value} in {period} compares with {peer_value} at {company2}.",),
    },
    ("{n}Q{yy}FY", "{n}QFY{yy}", "FQ{n}'{yy}", "Q{n} FY{yy}"),
    ("FY{yy}", "FY{year}", "FY{yy}A"),
    ("${b:.1f}bn", "${m:,.0f}m", "US${b:.2f}bn"),
    ("${m:.1f}m",),
    points=("{v:.0f}bps", "{v:.0f}bp"),
    negative="-{}",
    days=("{day} {month} {year}", "{iso}"),
    rose=("rose", "grew", "jumped"),
    fell=("fell", "slid", "dropped"),
    layouts=(
        Layout(
            "periods across",
            caption="Figure 1: Summary P&L ($m)",
            quarter="{n}Q{yy}",
            fiscal_year="FY{yy}A",
            brackets=True,
        ),
        Layout(
            "against last year",
            caption="{company} results",
            quarter="{n}QFY{yy}",
            fiscal_year="FY{yy}",
            money_note=" ($m)",
        ),
        Layout("growth rows", caption="$m", quarter="{n}QFY{yy}", fiscal_year="FY{yy}A"),
    ),
    titles=("# {company} ({symbol}): Buy",),
    headings=("What happened", "Numbers", "Model check"),
    asides=(
        "We cut our FY27E EPS estimate to [[$7.85]] and our target price to [[$212]].",
        "Consensus looked for sales of [[$9.4bn]].",
        "Cloud revenue of [[$3.7bn]] was the highlight.",
        "Backlog reached [[$44.1bn]], and bookings grew [[31%]].",
        "Our DCF uses a WACC of [[8.5%]] and terminal growth of [[2.5%]].",
    ),
)
LETTER = House(
    "letter",
    {
        **_COMMON,
        "revenue": ("sales", "revenues"),
        "net_income": ("net earnings", "profit", "earnings"),
        "gross_margin": ("gross margins", "gross margin"),
        "total_debt": ("borrowings",),
        "equity": ("shareholders' funds", "book equity"),
    },
    {
        "flow": (
            "In {period} {company} took in {value} of {metric}, against {prior} twelve months earlier.",
            "{company}, which we have owned since 2014, earned {value} of {metric} in {period}; a year earlier it had been {prior}.",
            "When we first wrote about {company}, {metric} was {value2} in {period2}; in {period} it was {value}.",
            "The business made {metric} of {value} in {period}.",
        ),
        "margin": ("{company} enjoyed {metric} of {value} in {period}, compared to {prior} a year before.",),
        "growth": (
            "{company} saw {metric} {rose} by {growth} in {period}.",
            "In {period} {metric} at {company} {rose} {growth} on a year earlier.",
        ),
        "sheet": (
            "{company} closed {period} with {metric} of {value}, a fortress by any standard.",
            "There was {value} of {metric} on the balance sheet of {company} at the end of {period}.",
        ),
        "per_share": (
            "{company} earned {value} per diluted share in {period}, compared to {prior} in the prior year.",
        ),
        "price": ("At {value} a share on {day}, {company} is still cheap in our eyes.",),
        "two": ("In {period} {company} turned {metric} of {value} into {metric2} of {second}.",),
        "peer": ("While {company} had {metric} of {value} in {period}, {company2} reported {peer_value}.",),
    },
    (
        "the {word} quarter of fiscal {year}",
        "the three months to {month} {end_year}",
        "the {word} fiscal quarter of {year}",
    ),
    ("fiscal {year}", "the year to {month} {end_year}", "the {year} fiscal year"),
    ("${b:.1f} billion", "${b:.2f} billion"),
    ("${m:.0f} million", "${m:.1f} million"),
    percents=("{v:.1f} per cent", "{v:.1f} percent"),
    negative="minus {}",
    layouts=(
        Layout(
            "list",
            caption="{company} in {period}, in billions of dollars",
            scale=1e9,
            form=",.2f",
            fiscal_year="fiscal {year}",
            corner="",
        ),
        Layout(
            "companies down",
            caption="Our holdings in {period} (in millions)",
            fiscal_year="fiscal year {year}",
            corner="Holding",
        ),
    ),
    titles=("# Letter to partners: {company} ({symbol})",),
    headings=("Dear partners", "Portfolio review"),
    asides=(
        "Our fund returned [[12.4%]] net of fees, and we hold [[18]] companies.",
        "If the business compounds at [[9%]] for a decade, a buyer today would earn [[11%]] a year.",
        "Services sales of [[$2.3 billion]] are the jewel.",
        "Management bought back [[2.1%]] of the shares at [[$140.50]].",
    ),
)
RESULTS = House(
    "results",
    {
        **_COMMON,
        "operating_income": ("income from operations", "operating income"),
        "net_income": ("net income", "net earnings"),
        "operating_cash_flow": ("net cash provided by operating activities", "operating cash flow"),
        "cash": ("cash and cash equivalents",),
        "research_and_development": ("research and development expenses",),
        "equity": ("total stockholders' equity",),
    },
    {
        "flow": (
            "{Metric} for {period} was {value}, compared with {prior} for the same period of the prior year.",
            "{Metric} of {value}, {up} {growth} year over year, in {period} for {company}.",
            "{company} reported {metric} of {value} for {period}, versus {value2} in {period2}.",
            "- {Metric}: {value} in {period}",
        ),
        "margin": (
            "GAAP {metric} was {value} in {period}, as compared to {prior} in the year-ago quarter.",
            "{company}'s {metric} for {period} was {value}.",
        ),
        "growth": ("{company}'s {metric} {rose} {growth} year-over-year in {period}.",),
        "sheet": (
            "As of {day}, {company} had {metric} of {value}.",
            "{company} ended {period} with {value} in {metric}.",
        ),
        "per_share": (
            "{Metric} for {period} was {value}, compared with {prior} for the same period of the prior year.",
            "GAAP {metric} at {company} was {value} for {period}.",
        ),
        "two": ("{Metric} and {metric2} of {company} for {period} were {value} and {second}, respectively.",),
        "price": ("{company} shares closed at {value} on {day}.",),
    },
    (
        "the {word} quarter of fiscal {year}",
        "the quarter ended {month} {day}, {end_year}",
        "the three months ended {month} {day}, {end_year}",
        "{word} quarter fiscal {year}",
    ),
    (
        "fiscal year {year}",
        "the year ended {month} {day}, {end_year}",
        "the fiscal year ended {month} {day}, {end_year}",
    ),
    ("${b:.2f} billion", "${b:.1f} billion", "${m:,.1f} million"),
    ("${m:.1f} million",),
    negative="({})",
    layouts=(
        Layout(
            "periods across",
            caption="(In millions, except per share amounts)",
            quarter="Quarter ended {month} {day}, {end_year}",
            fiscal_year="Year ended {month} {day}, {end_year}",
            brackets=True,
        ),
        Layout("against last year", caption="Selected figures (in thousands)", quarter="{q} FY{year}", scale=1e3),
    ),
    titles=("# {company} ({symbol}) reports results",),
    headings=("Financial highlights", "Business outlook", "Results of operations"),
    asides=(
        "For the next quarter the company expects revenue of [[$6.1 billion]], plus or minus [[2%]].",
        "Non-GAAP operating income was [[$4.4 billion]].",
        "The board authorised share repurchases of up to [[$10.0 billion]].",
        "Adjusted EPS, which excludes amortisation, was [[$3.21]].",
    ),
)
NEWSPAPER = House(
    "newspaper",
    {
        **_COMMON,
        "revenue": ("revenue", "sales"),
        "net_income": ("net profit", "profit", "net income"),
        "operating_income": ("operating profit",),
    },
    {
        "flow": (
            "{company}'s {metric} {rose} to {value} in {period} from {prior} a year earlier.",
            "{Metric} at {company} {rose} {growth} to {value} in {period}, from {prior} in the same period a year ago.",
            "The company said {metric} came to {value} for {period}.",
            "{company} said on Tuesday that {metric} for {period} {rose} {growth} from a year earlier to {value}.",
        ),
        "margin": ("{Metric} {widened} to {value} in {period} from {prior} the year before, {company} said.",),
        "growth": ("{company} said {metric} {rose} {growth} in {period}.",),
        "per_share": (
            "{company} earned {value} per diluted share in {period}, compared with {prior} a share a year earlier.",
        ),
        "price": ("{company}'s shares ended at {value} on {day}.",),
        "sheet": ("{company} had {value} in {metric} at the end of {period}.",),
        "peer": ("{company}'s {metric} in {period} was {value}, against {company2}'s {peer_value}.",),
    },
    (
        "the quarter ended {month} {day}, {end_year}",
        "the three months to {month} {day}, {end_year}",
        "its fiscal {word} quarter of {year}",
        "the {month} quarter of {end_year}",
    ),
    ("the year ended {month} {day}, {end_year}", "its {year} financial year", "fiscal {year}"),
    ("${b:.2f} billion", "${b:.1f}bn", "$ {b:.1f} billion"),
    ("${m:.0f} million", "${m:.1f}mn"),
    negative="-{}",
    percents=("{v:.1f}%", "{v:.1f} per cent"),
    layouts=(
        Layout(
            "companies across",
            caption="How they compare, {period} ($bn)",
            scale=1e9,
            form=",.2f",
            fiscal_year="fiscal {year}",
            corner="",
        ),
    ),
    titles=("# {company} ({symbol}) faces questions",),
    headings=("Markets", "The numbers"),
    asides=(
        "Analysts had expected revenue of [[$8.9 billion]], according to LSEG data.",
        "The company forecast current-quarter sales of between [[$7.1 billion]] and [[$7.4 billion]].",
        "Revenue in China fell [[14%]].",
        "The company will cut [[1,400]] jobs.",
    ),
)
SLIDES = House(
    "slides",
    {
        **_COMMON,
        "revenue": ("Revenue", "Net sales"),
        "gross_margin": ("GM", "Gross margin"),
        "operating_margin": ("EBIT margin", "Op. margin"),
        "eps_diluted": ("Diluted EPS",),
        "operating_income": ("EBIT", "Op. income"),
    },
    {
        "flow": (
            "- {period}: {Metric} {value} (PY: {prior})",
            "- {Metric} {period}: {value}, {up} {growth} y/y",
            "- {company}: {metric} {value} in {period}; {metric2} {second}",
            "- {Metric} ({period}) = {value}",
        ),
        "margin": (
            "- {company} {metric} {period}: {value} ({period2}: {value2})",
            "- {Metric} {value} in {period}, {up} {points} y/y",
        ),
        "per_share": ("- {company} {metric} {period}: {value} vs. {prior} PY",),
        "sheet": ("- {company} {metric} (end of {period}): {value}",),
        "price": ("- {company} price on {day}: {value}",),
    },
    ("Q{n} FY{yy}", "Q{n}-FY{yy}", "CY{calendar_yy} Q{calendar_q}", "Q{calendar_q} CY{calendar_year}"),
    ("FY{yy}", "FY {year}"),
    ("${b:.1f}B", "${b:.2f}bn", "${m:,.0f}mn"),
    ("${m:.0f}mn", "${m:.1f}M"),
    negative="({})",
    layouts=(
        Layout(
            "periods down",
            caption="{company} key figures",
            quarter="Q{n} FY{yy}",
            scale=1e9,
            form=",.2f",
            money_note=" ($B)",
            share_note=" ($)",
            percent_note=" (%)",
            corner="Period",
        ),
        Layout("list", caption="{company} snapshot {period}", money_note=" ($m)", share_note=" ($)", corner="KPI"),
    ),
    titles=("# {company} ({symbol}) at a glance",),
    headings=("Snapshot", "KPIs"),
    asides=(
        "- Headcount: [[48,200]]",
        "- Guidance FY28: revenue [[$31B]], EBIT margin [[28%]]",
        "- Net retention [[112%]]",
    ),
)
DEVELOPMENT = (BROKER, LETTER, RESULTS, NEWSPAPER, SLIDES)
