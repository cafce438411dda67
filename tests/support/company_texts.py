"""Texts of a model about the right company, and about another one, from templates over names of companies.

Two halves that share no template and no pair of companies: `tuned` is what the rule was made with, `aside` what it was
measured on afterwards. Names of companies are facts; every figure is made up.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
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
    given: str = ""
    """What the model was given: news on the other company where the text is about the right one."""


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
        Who("INTC", "Intel Corporation", "Intel"),
        Who("TSM", "Taiwan Semiconductor Manufacturing Company Limited", "TSMC"),
        Who("COST", "Costco Wholesale Corporation", "Costco"),
        Who("BBY", "Best Buy Co., Inc.", "Best Buy"),
        Who("LOW", "Lowe's Companies, Inc.", "Lowe's"),
        Who("HD", "The Home Depot, Inc.", "Home Depot"),
        Who("GS", "The Goldman Sachs Group, Inc.", "Goldman Sachs"),
        Who("C", "Citigroup Inc.", "Citi"),
        Who("A", "Agilent Technologies, Inc.", "Agilent"),
        Who("SHEL", "Shell plc", "Shell"),
        Who("DAL", "Delta Air Lines, Inc.", "Delta"),
        Who("UAL", "United Airlines Holdings, Inc.", "United Airlines"),
        Who("MBG.DE", "Mercedes-Benz Group AG", "Mercedes-Benz"),
        Who("RHM.DE", "Rheinmetall AG", "Rheinmetall"),
        Who("6758.T", "Sony Group Corporation", "Sony"),
        Who("SNAP", "Snap Inc.", "Snap"),
        Who("WSM", "Williams-Sonoma, Inc.", "Williams-Sonoma"),
        Who("PAYC", "Paycom Software, Inc.", "Paycom"),
        Who("HAPAG.DE", "Hapag-Lloyd AG", "Hapag-Lloyd"),
        Who("BTC-USD", "Bitcoin USD", "Bitcoin"),
        Who("QCOM", "QUALCOMM Incorporated", "Qualcomm"),
        Who("TXN", "Texas Instruments Incorporated", "Texas Instruments"),
        Who("DG", "Dollar General Corporation", "Dollar General"),
        Who("DLTR", "Dollar Tree, Inc.", "Dollar Tree"),
        Who("MS", "Morgan Stanley", "Morgan Stanley"),
        Who("WFC", "Wells Fargo & Company", "Wells Fargo"),
        Who("DIS", "The Walt Disney Company", "Disney"),
        Who("SBUX", "Starbucks Corporation", "Starbucks"),
        Who("DE", "Deere & Company", "Deere"),
        Who("SO", "The Southern Company", "Southern Company"),
        Who("COIN", "Coinbase Global, Inc.", "Coinbase"),
        Who("ZM", "Zoom Video Communications, Inc.", "Zoom"),
        Who("AIR.PA", "Airbus SE", "Airbus"),
        Who("BAYN.DE", "Bayer Aktiengesellschaft", "Bayer"),
        Who("0700.HK", "Tencent Holdings Limited", "Tencent"),
        Who("NOVO-B.CO", "Novo Nordisk A/S", "Novo Nordisk"),
        Who("GRMN", "Garmin Ltd.", "Garmin"),
        Who("TROW", "T. Rowe Price Group, Inc.", "T. Rowe Price"),
        Who("WDFC", "WD-40 Company", "WD-40"),
        Who("ETH-USD", "Ethereum USD", "Ethereum"),
    ),
    "aside": (
        Who("AVGO", "Broadcom Inc.", "Broadcom"),
        Who("MU", "Micron Technology, Inc.", "Micron"),
        Who("CRM", "Salesforce, Inc.", "Salesforce"),
        Who("ORCL", "Oracle Corporation", "Oracle"),
        Who("JPM", "JPMorgan Chase & Co.", "JPMorgan"),
        Who("BAC", "Bank of America Corporation", "Bank of America"),
        Who("PG", "The Procter & Gamble Company", "Procter & Gamble"),
        Who("CL", "Colgate-Palmolive Company", "Colgate"),
        Who("UNH", "UnitedHealth Group Incorporated", "UnitedHealth"),
        Who("HUM", "Humana Inc.", "Humana"),
        Who("LMT", "Lockheed Martin Corporation", "Lockheed Martin"),
        Who("IT", "Gartner, Inc.", "Gartner"),
        Who("NKE", "NIKE, Inc.", "Nike"),
        Who("ADS.DE", "adidas AG", "adidas"),
        Who("BMW.DE", "Bayerische Motoren Werke AG", "BMW"),
        Who("ASML", "ASML Holding N.V.", "ASML"),
        Who("005930.KS", "Samsung Electronics Co., Ltd.", "Samsung"),
        Who("PINS", "Pinterest, Inc.", "Pinterest"),
        Who("CELH", "Celsius Holdings, Inc.", "Celsius"),
        Who("BTC-USD", "Bitcoin USD", "Bitcoin"),
    ),
}
_MADE_UP = tuple(Who(one.symbol, one.name, one.short_name) for one in COMPANIES.values())
MADE_UP = {"tuned": _MADE_UP[:40], "aside": _MADE_UP[40:]}

FOLDER = Path(__file__).parents[1] / "provenance" / "subject_texts"


@cache
def templates(kind: str, half: Half) -> tuple[str, ...]:
    """Return the texts of a file, each behind `===`.

    `{O}`, `{o}`, `{n}`: what the text is about, short, ticker, full name; `{P}`, `{p}`: another company.
    """
    text = (FOLDER / f"{kind}_{half}.md").read_text("utf-8")
    return tuple(part.partition("\n")[2].strip() for part in text.split("=== ")[1:])


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
    about, halves, cases = itertools.cycle(templates("about", half)), itertools.cycle(templates("halves", half)), []
    for at, (own, other) in enumerate(itertools.islice(pairs(half), number)):
        if at % 5 == 4:
            text = f"{_filled(templates('about', half)[(at // 5) % 3], own)}\n\n{_filled(next(halves), own, other)}"
            cases.append(Case("half", own, other, text, is_other=True))
        else:
            cases.append(Case("whole", own, other, _filled(next(about), other), is_other=True))
    return cases


def about_its_own(half: Half, number: int = 100) -> list[Case]:
    """Return texts that are about the right company; two of three name another one."""
    about, peers, cases = itertools.cycle(templates("about", half)), itertools.cycle(templates("peers", half)), []
    for at, (own, other) in enumerate(itertools.islice(pairs(half), number)):
        template = next(about) if at % 3 == 2 else next(peers)
        text, given = _filled(template, own, other), f"| {other.symbol} | 17.5x |\n{other.short} in the news"
        cases.append(Case("own" if at % 3 == 2 else "peers", own, other, text, is_other=False, given=given))
    return cases
