"""Texts of a model about the right company, and about another one, from templates over names of companies.

Two halves that share no template and no pair of companies: `tuned` is what the rule was made with, `aside` what it was
measured on afterwards. Names of companies are facts; every figure is made up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tradingagents.dataflows.vendors.simulated import COMPANIES

Half = Literal["tuned", "aside"]


@dataclass(frozen=True)
class Who:
    """A company as texts name it."""

    symbol: str
    name: str
    short: str


@dataclass(frozen=True)
class Case:
    """A text, the company it should be about, and whether it is about another one."""

    kind: str
    own: Who
    other: Who
    text: str
    is_other: bool


REAL = {
    "tuned": (
        Who("AAPL", "Apple Inc.", "Apple"),
        Who("MSFT", "Microsoft Corporation", "Microsoft"),
        Who("AAL", "American Airlines Group Inc.", "American Airlines"),
        Who("AXP", "American Express Company", "American Express"),
        Who("TGT", "Target Corporation", "Target"),
        Who("WMT", "Walmart Inc.", "Walmart"),
        Who("GOOGL", "Alphabet Inc.", "Google"),
        Who("META", "Meta Platforms, Inc.", "Meta"),
        Who("F", "Ford Motor Company", "Ford"),
        Who("GM", "General Motors Company", "General Motors"),
        Who("CAT", "Caterpillar Inc.", "Caterpillar"),
        Who("ALL", "The Allstate Corporation", "Allstate"),
        Who("NESN.SW", "Nestlé S.A.", "Nestlé"),
        Who("SIE.DE", "Siemens AG", "Siemens"),
        Who("7203.T", "Toyota Motor Corporation", "Toyota"),
    ),
    "aside": (
        Who("NVDA", "NVIDIA Corporation", "Nvidia"),
        Who("AMD", "Advanced Micro Devices, Inc.", "AMD"),
        Who("V", "Visa Inc.", "Visa"),
        Who("MA", "Mastercard Incorporated", "Mastercard"),
        Who("GAP", "The Gap, Inc.", "Gap"),
        Who("XYZ", "Block, Inc.", "Block"),
        Who("ON", "ON Semiconductor Corporation", "ON Semiconductor"),
        Who("NOW", "ServiceNow, Inc.", "ServiceNow"),
        Who("KEY", "KeyCorp", "KeyCorp"),
        Who("T", "AT&T Inc.", "AT&T"),
        Who("BRK-B", "Berkshire Hathaway Inc.", "Berkshire Hathaway"),
        Who("GE", "GE Aerospace", "GE Aerospace"),
        Who("SAP.DE", "SAP SE", "SAP"),
        Who("MC.PA", "LVMH Moët Hennessy - Louis Vuitton", "LVMH"),
        Who("ZBRA", "Zebra Technologies Corporation", "Zebra Technologies"),
        Who("KEX", "Kirby Corporation", "Kirby"),
    ),
}
_MADE_UP = tuple(Who(one.symbol, one.name, one.short_name) for one in COMPANIES.values())
MADE_UP = {"tuned": _MADE_UP[:24], "aside": _MADE_UP[24:48]}

# {O}: what the text is about; {o}: its ticker; {n}: its full name; {P}, {p}: another one, by name and ticker.
ABOUT = {
    "tuned": (
        "# {n} ({o}): technical report\n\n{O} closed at 187.20, 4.1 % above its 50-day average of 179.80. RSI stands at "
        "61.4. The 52-week range runs from 142.10 to 199.60.\n\n## Trend\nThe stock has gained 12.3 % in three months. "
        "Momentum is positive and volume confirms it.\n\n## Outlook\n{O} remains in an uptrend above 175.",
        "{O}'s revenue grew 14.2 % to 21.4 billion over the last four quarters, and its operating margin reached 24.1 %. "
        "Free cash flow was 5.2 billion. Debt is moderate.\n\nAt 28.4 times earnings the shares are dear, but {O}'s "
        "growth supports them.",
        "The news flow on {O} was positive this week. {O} announced a buyback of 10 billion, and {o} rose 3.2 % on it. "
        "Analysts at two brokers raised their targets. Insiders sold 12,400 shares.",
        "**Ticker:** {o}\n**Date:** 2025-03-14\n\n- Close 187.20, up 1.2 %\n- RSI 61.4, MACD above its signal\n- Support "
        "at 175, resistance at 199\n\nThe trend is up.",
        "As the bull I hold that {O} deserves a higher price. Its margin of 24.1 % is the best of its group, and the "
        "balance sheet is strong. The bear says that growth slows, but {O} guided to 12 % growth.",
        "{O} is a buy: revenue grows 14.2 % and the price stands above its averages.",
        "Revenue grows 14.2 % and the margin widens. FINAL TRANSACTION PROPOSAL: **BUY {O}**",
        "{o} trades above its 200-day average of 165.30, with an RSI of 61.4. Volume is 1.3 times its mean.",
        "Der Kurs von {O} schloss bei 187,20 und liegt 4,1 % über dem 50-Tage-Durchschnitt. {O} steigerte den Umsatz um "
        "14,2 % auf 21,4 Milliarden. Die Marge beträgt 24,1 %. Die Bewertung ist hoch.",
        "shares of {O} fell 2.1 % on Friday after the company cut its outlook. The stock is down 8 % this month. "
        "Short interest is 3.1 % of the float.",
    ),
    "aside": (
        "Fundamentals of {n}\n\nSales reached 8.9 billion in the quarter, 6.3 % more than a year ago. Gross margin was "
        "41.7 %. {O} returned 1.1 billion to shareholders. The current ratio is 1.6. Compared with its sector {O} is "
        "cheap at 13.2 times earnings.",
        "Sentiment around {O} ({o}) turned this week. Of 42 posts 27 were positive. The mood follows the quarterly "
        "figures, in which {O} beat estimates by 4 %. Attention is twice the usual.",
        "I disagree with the bull. {O} has missed its guidance in two of four quarters, and debt rose 18 %. At 31.0 "
        "times earnings there is no margin of safety. {O}'s cash conversion of 61 % is weak.",
        "## Market report for {o}\n\n| Indicator | Value | Reading |\n|---|---|---|\n| RSI | 44.1 | neutral |\n| MACD | "
        "-0.42 | bearish |\n\nThe price of {O} fell below its 20-day average. A close under 60 would confirm the break.",
        "We recommend to sell {O} at 64.10 with a stop at 69. Growth has stalled at 1.2 %, and the multiple has not.",
        "In summary, {O} offers growth of 9.4 % at a fair price. The plan is to enter at 64.10, with a stop at 59.80 and "
        "a target of 74.00. {O}'s next report is due in April.",
        "Key points:\n- {O} earned 2.14 a share, 0.11 more than expected\n- Revenue of 8.9 billion, up 6.3 %\n- {O} keeps "
        "its guidance for the year\n- Net debt is 1.4 times EBITDA",
        "Die Aktie von {O} notiert bei 64,10 und damit 3,3 % unter ihrem Hoch. Im Quartal stieg der Umsatz auf 8,9 "
        "Milliarden. {O} hat die Prognose bestätigt. Das KGV liegt bei 13,2.",
        "$"
        + "{o} broke out on heavy volume. Price 64.10, RSI 66.2. Next resistance is 69.80; a stop below 59.80 limits "
        "the loss.",
        "On balance the risk is acceptable. {O}'s beta is 1.08 and its drawdown of the year 17 %. A position of 4 % keeps "
        "the loss at the stop below 0.3 % of equity.",
    ),
}
"""Texts about one company: about the right one, or, with another name in them, about another."""

PEERS = {
    "tuned": (
        "{O} closed at 187.20, above its 50-day average. RSI is 61.4.\n\n## Peers\n{P} trades at 33.1 times earnings, "
        "{P}'s margin is 44 %, and {P} has gained 12 % in three months. {O} is cheaper at 28.4 times.",
        "{O} grows 14.2 % against 9 % at {P}. Its margin of 24.1 % is lower than {P}'s 31 %. We prefer {O} to {P}.",
        "Competition from {P} is the main risk. {P} launched a rival product in March and priced it 10 % lower. {P} also "
        "hired two managers of {O}. Still, {O}'s revenue rose 14.2 %.",
        "Revenue rose 14.2 % and the margin widened to 24.1 %. Peers such as {P} ({p}) trade at 33.1 times earnings, so "
        "the stock is cheap at 28.4 times.",
        "{P}, a large customer of {O}, cut its orders by 5 %. Demand from {P} makes up 11 % of {O}'s sales.",
        "The stock fell 2.1 % on Friday with the market. News that {P} will report next week had no effect. The company "
        "keeps its guidance.",
        "| Company | P/E | Margin |\n|---|---|---|\n| {o} | 28.4 | 24.1 % |\n| {p} | 33.1 | 44 % |\n\n{O} is the cheaper one.",
        "{O} ({o}) is our pick. Unlike {P}, it has no debt. {P} may cut prices, which would hurt both. Hold {O}.",
        "Goldman Sachs raised its price target on {O} to 210, and Morgan Stanley rates it overweight. JPMorgan cut its "
        "estimate. {O} rose 1.4 %.",
        "{O} liegt 4,1 % über dem 50-Tage-Durchschnitt. Der Wettbewerber {P} wächst mit 9 % langsamer. Gegenüber {P} ist "
        "{O} günstig bewertet.",
    ),
    "aside": (
        "Sector news dominated the week. {P} warned on demand and fell 7 %. {P}'s chief executive resigned. {P} will "
        "restate two quarters. For {O} the direct effect is small: it sells little there, and {O} kept its guidance.",
        "The bear points to {P}. But {O} is not {P}: its debt is half as high, and growth of 6.3 % holds.",
        "Sales reached 8.9 billion, 6.3 % more than a year ago. The company's multiple of 13.2 is below the 18.4 of {P} "
        "and below the median of the group.",
        "{O} buys its parts from {P}. A strike at {P} would stop deliveries for weeks. {P} supplies a third of its needs; "
        "{O} holds stocks for ten days.",
        "## Competitive position\n{P} leads the market with 38 %. {P} spends 4 billion on research. {P} has cut prices "
        "twice.\n\n## Assessment\n{O} defends its 22 % and earns a margin of 41.7 %. We hold {O}.",
        "Relative to the benchmark SPY, {O} lost 3.1 % this month. XLK fell 1.2 %. {P} gained 4 %, the most of the group.",
        "A rotation from {P} into {O} is under way. Posts about {P} fell by half. {O} was named in 42 posts.",
        "Pair idea: long {O}, short {P}. {O} has the stronger balance sheet, with net cash of 2.1 billion.",
        "The stock is 3.3 % below its high. {P} announced a merger on Monday. Such deals lift the whole sector, and the "
        "company is seen as a target. RSI is 58.",
        "{O} and {P} signed a supply deal. {P} will pay 1.2 billion over five years. {P}'s shares rose 2 %, those of {O} "
        "5.1 %. The deal adds 3 % to {O}'s revenue.",
    ),
}
"""Texts about the right company that name another one, often."""

HALVES = {
    "tuned": (
        "{P} closed at 410.20, above its 200-day average of 395.10. {P}'s cloud revenue grew 20 % to 28.5 billion. {P} "
        "raised its dividend by 10 %.",
        "Operating margin at {P} reached 44.6 %. {P} earned 3.23 a share, and {P}'s guidance implies growth of 13 %. The "
        "market has rewarded {P} with a multiple of 33.1.",
    ),
    "aside": (
        "{P} reported sales of 3.4 billion, 2.2 % less than a year ago. Margins at {P} fell to 9.8 %. {P} suspended its "
        "buyback of 500 million. {P} trades at 11.4 times earnings.",
        "## Valuation\nAt 11.4 times earnings {P} looks cheap. {P} yields 4.6 %. {P}'s debt is 2.9 times EBITDA. Book "
        "value of {P} is 31.20 a share.",
    ),
}
"""Second halves about another company, put behind a short text about the right one."""


def pairs(half: Half) -> Iterator[tuple[Who, Who]]:
    """Yield the subject and another company, without end."""
    real, made_up = REAL[half], MADE_UP[half]
    for step in itertools.count(1):
        for group in (real, made_up):
            for at, own in enumerate(group):
                other = group[(at + step) % len(group)]
                if other is not own:
                    yield own, other


def _filled(template: str, own: Who, other: Who | None = None) -> str:
    parts = {"{O}": own.short, "{o}": own.symbol, "{n}": own.name}
    parts |= {"{P}": other.short, "{p}": other.symbol} if other else {}
    for mark, name in parts.items():
        template = template.replace(mark, name)
    return template


def about_another(half: Half, number: int = 100) -> list[Case]:
    """Return texts that are about another company, a fifth of them by half."""
    about, halves, cases = itertools.cycle(ABOUT[half]), itertools.cycle(HALVES[half]), []
    for at, (own, other) in enumerate(itertools.islice(pairs(half), number)):
        if at % 5 == 4:
            text = f"{_filled(ABOUT[half][(at // 5) % 3], own)}\n\n{_filled(next(halves), own, other)}"
            cases.append(Case("half", own, other, text, is_other=True))
        else:
            cases.append(Case("whole", own, other, _filled(next(about), other), is_other=True))
    return cases


def about_its_own(half: Half, number: int = 100) -> list[Case]:
    """Return texts that are about the right company; two of three name another one."""
    about, peers, cases = itertools.cycle(ABOUT[half]), itertools.cycle(PEERS[half]), []
    for at, (own, other) in enumerate(itertools.islice(pairs(half), number)):
        template: Sequence[str] = next(about) if at % 3 == 2 else next(peers)
        cases.append(
            Case("own" if at % 3 == 2 else "peers", own, other, _filled(str(template), own, other), is_other=False)
        )
    return cases
