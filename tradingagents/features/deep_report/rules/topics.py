"""The hypotheses that the rules state about a company, made from its own figures, with the tests of each.

What moved most gives the hypothesis: growth against its past, the part of revenue that added or lost most, the margin
against the year before, what is paid out against free cash flow, debt against operating income, the growth that the
price asks for, and the risk that the annual report names most unusually often. Thresholds follow from the company's own
past; where that is not known, from the usual levels of `offline.scores`. Neither is calibrated.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.features.deep_report.rules import effects
from tradingagents.features.deep_report.rules.brief import CompanyProfile, RevenuePart, SourceFigure
from tradingagents.features.deep_report.rules.sentences import TextTest
from tradingagents.offline.scores import USUAL_GROWTH, USUAL_MARGIN
from tradingagents.schemas.evidence import EvidenceDirection

COMPARABLE = 3.0
"""A median of peers more than this many times the company's own multiple, or less than its inverse, is that of other
businesses: it decides nothing."""
NEAR = 1.25
"""A multiple of up to this many times its peers' median is within their reach."""
ROOM = 2.0
"""Points by which a margin may fall short of its level in a weak quarter."""
CARRIED = 3.0
"""Years of operating income that debt less liquid means may amount to."""
LEAST_PART = 0.05
"""Part of revenue below which a part carries no hypothesis."""
Effect = Callable[[float, CompanyProfile], Mapping[str, Any] | None]
Judge = Callable[[float, CompanyProfile, Mapping[str, SourceFigure]], EvidenceDirection]

RISK_WORDS: Mapping[str, tuple[str, ...]] = {
    "tariffs": ("tariff", "trade restriction", "export control", "trade polic"),
    "competition": ("competition", "competitor", "competitive"),
    "antitrust action": ("antitrust", "competition law"),
    "litigation": ("litigation", "lawsuit", "legal proceeding"),
    "cyber attacks": ("cyber", "security breach", "data breach"),
    "supply shortages": ("supplier", "supply chain", "shortage"),
    "currency moves": ("exchange rate", "foreign currenc", "u.s. dollar"),
    "lost patents": ("patent", "exclusivity", "biosimilar", "generic"),
    "artificial intelligence": ("artificial intelligence", "ai"),
    "rising interest rates": ("interest rate", "indebtedness", "credit rating"),
    "faulty products": ("defect", "recall", "product liability"),
    "weak consumers": ("consumer", "recession", "housing"),
    "privacy rules": ("privacy", "data protection"),
}
"""How sentences name a risk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureTest:
    """A figure that speaks for a hypothesis above a threshold and against it below."""

    name: str
    confidence: float
    least: float | None = None
    """In the figure's unit; at it the figure supports. None: the figure says nothing by itself."""
    below: bool = False
    """Whether the figure supports below the threshold instead."""
    effect: Effect | None = None
    """The change of a driver that the figure carries; None for none."""
    judge: Judge | None = None
    """What the figure says where a threshold alone does not decide it."""
    or_silent: bool = False
    """Whether the figure is left out where it says nothing for or against."""
    against: bool = False
    """Whether the figure is judged by that of the fiscal year before the last one filed, and says so."""

    def direction(
        self, value: float, profile: CompanyProfile, figures: Mapping[str, SourceFigure]
    ) -> EvidenceDirection:
        """Return what a value says about the hypothesis."""
        if self.judge is not None:
            return self.judge(value, profile, figures)
        if self.least is None:
            return "neutral"
        return "supports" if (value <= self.least if self.below else value >= self.least) else "contradicts"


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """One hypothesis of the rules."""

    title: str
    thesis: str
    evidence_needed: tuple[str, ...]
    """What is searched for in filings and calls."""
    impact: str
    tests: tuple[FigureTest, ...]
    text: TextTest | None = None


def topics_of(profile: CompanyProfile) -> tuple[Topic, ...]:
    """Return the hypotheses about a company: at least five, at most seven."""
    made = (
        _growth(profile),
        _part(profile),
        _margin(profile),
        _price(profile),
        _payout(profile),
        _debt(profile),
        _risk(profile),
    )
    return tuple(topic for topic in made if topic is not None)


def money(value: float, profile: CompanyProfile) -> str:
    """Return an amount in words."""
    return Figure("", value, profile.currency).text


def _growth(profile: CompanyProfile) -> Topic:
    now, before = profile.value("revenue_yoy"), profile.growth_before
    title, past, floor = "Revenue keeps growing", "", USUAL_GROWTH
    if now is not None and now < 0:
        title, floor = "Revenue returns to growth", 0.0
    elif now is not None and before is not None:
        past = f", after {before:.1f}% a year in the years before"
        if now >= before:
            title, floor = "Revenue keeps growing faster than in the years before", (now + max(before, 0.0)) / 2
        else:
            title, floor = "The growth of revenue slows no further", now
    floor = float(math.floor(floor))
    test = f"Growth of a quarter below {floor:g}% would prove it wrong."
    if now is not None and now < floor:
        test = "A fall of revenue in the next fiscal year would prove it wrong."
    newest = f"Revenue changed by {now:+.1f}% on the year{past}." if now is not None else ""
    return Topic(
        title=title,
        thesis=f"{newest or 'Demand carries the growth of revenue.'} {test}",
        evidence_needed=(
            "Net sales or revenue increased or decreased compared to the year before due to",
            "Total revenue grew, demand and outlook for growth",
        ),
        impact="HIGH",
        tests=(
            FigureTest(name="revenue_yoy", least=floor, confidence=0.9, effect=effects.latest_growth),
            FigureTest(name="eps_yoy", least=max(floor, 0.0), confidence=0.5),
            FigureTest(name="filed_revenue", confidence=0.7, judge=_rose("revenue")),
        ),
        text=TextTest(subjects=("net sales", "revenue", "revenues", "sales"), whole=True),
    )


def _part(profile: CompanyProfile) -> Topic | None:
    """State that the part of revenue that moved most continues, or that its fall ends."""
    whole = sum(part.value for part in profile.parts)
    large = [part for part in profile.parts if whole > 0 and part.value >= LEAST_PART * whole and part.before > 0]
    if len(large) < 2:
        return None
    most = max(large, key=lambda part: abs(part.change))
    rises = most.change >= 0
    others = f"revenue as a whole {_added(whole - sum(part.before for part in profile.parts), profile)}"
    return Topic(
        title=f"{most.label} carries the growth of revenue" if rises else f"{most.label} stops losing revenue",
        thesis=f"{most.label} {_added(most.change, profile)} of revenue in fiscal {profile.year} "
        f"({most.growth:+.1f}%), "
        f"more than any other part; {others}. "
        f"A {'fall' if rises else 'further fall'} of {most.label} in the next fiscal year would prove it wrong.",
        evidence_needed=(
            f"{most.label} net sales or revenue increased or decreased due to",
            f"{most.label} demand and growth",
        ),
        impact="HIGH",
        tests=tuple(_part_test(part, most) for part in large),
        text=TextTest(subjects=(most.label.lower(),)),
    )


def _part_test(part: RevenuePart, most: RevenuePart) -> FigureTest:
    name = f"part {part.label}"
    if part is not most:
        return FigureTest(name=name, confidence=0.4)
    return FigureTest(
        name=name,
        confidence=0.8,
        judge=lambda _value, _profile, _figures: "supports" if part.change >= 0 else "contradicts",
    )


def _margin(profile: CompanyProfile) -> Topic:
    now, before = profile.value("operating_margin"), _margin_of_year(profile, "operating_income", earlier=True)
    title, past = "The operating margin holds its level", ""
    floor = math.floor(now - ROOM) if now is not None else USUAL_MARGIN
    if now is not None and before is not None:
        past = f", after {before:.1f}% in the fiscal year {(profile.year or 0) - 1}"
        title = "The operating margin holds its rise" if now >= before else "The operating margin recovers"
        floor = math.floor(min(now, before) - ROOM) if now >= before else math.floor(now - ROOM / 2)
    level = f"The operating margin of twelve months is {now:.1f}%{past}." if now is not None else ""
    return Topic(
        title=title,
        thesis=f"{level or 'Products command prices above their cost.'} "
        f"An operating margin of a quarter below {floor:g}% would prove it wrong.",
        evidence_needed=(
            "Gross margin percentage increased or decreased due to",
            "Operating income, operating margin and costs increased or decreased due to",
        ),
        impact="HIGH",
        tests=(
            FigureTest(
                name="operating_margin",
                least=before if before is not None else floor,
                confidence=0.9,
                against=before is not None,
            ),
            FigureTest(name="gross_margin", confidence=0.8, judge=_above_year("gross_profit"), against=True),
            FigureTest(name="net_margin", confidence=0.6, judge=_above_year("net_income"), against=True),
            FigureTest(name="filed_operating_income", confidence=0.7, judge=_rose("operating_income")),
            FigureTest(name="eps_surprise", least=0, confidence=0.5, effect=effects.surprise),
            FigureTest(name="filed_gross_profit", confidence=0.6, judge=_rose("gross_profit")),
        ),
        text=TextTest(subjects=("gross margin", "gross profit", "operating income", "operating margin", "margin")),
    )


def _payout(profile: CompanyProfile) -> Topic:
    flows = profile.flows
    made, spent = _flow(profile, "operating_cash_flow"), _flow(profile, "capital_expenditure")
    paid = sum(flows[name][0] for name in ("dividends_paid", "share_repurchases") if name in flows)
    free = made - spent if made is not None and spent is not None else None
    counted = free is not None and paid > 0  # both are filed: neither a score nor a change says more
    if free is not None and paid > 0:
        title = "Free cash flow covers dividends and buy-backs"
        thesis = (
            f"In fiscal {profile.year} {money(free, profile)} were free after investment, and {money(paid, profile)} "
            "went to shareholders. Free cash flow below what is paid out would prove it wrong."
        )
    elif free is not None and made is not None:
        title = "Operating cash flow carries the investments"
        thesis = (
            f"In fiscal {profile.year} {money(free, profile)} of {money(made, profile)} were left after investment. "
            "Investment above the operating cash flow would prove it wrong."
        )
    else:
        title = "Earnings turn into cash"
        thesis = "What is earned arrives as cash. Operating cash flow below net income would prove it wrong."
    return Topic(
        title=title,
        thesis=thesis,
        evidence_needed=(
            "Cash provided by operating activities increased or decreased due to",
            "Share repurchases, dividends and capital expenditures",
        ),
        impact="MED",
        tests=(
            FigureTest(name="ttm_free_cash_flow", least=0, confidence=0.8, effect=effects.conversion),
            FigureTest(name="ttm_operating_cash_flow", confidence=0.7, judge=_above_income),
            FigureTest(name="filed_operating_cash_flow", confidence=0.8, judge=_covers(paid, spends=False)),
            FigureTest(
                name="filed_capital_expenditure",
                confidence=0.6,
                judge=_covers(paid, spends=True),
                effect=effects.filed_conversion,
            ),
            FigureTest(name="filed_share_repurchases", confidence=0.6, judge=_covers(paid, spends=True)),
            FigureTest(name="filed_dividends_paid", confidence=0.6, judge=_covers(paid, spends=True)),
            *(() if counted else (FigureTest(name="piotroski_f_score", least=6, confidence=0.5),)),
        ),
        text=None if counted else TextTest(
            subjects=("cash provided by operating activities", "cash generated by operating activities",
                      "operating cash flow", "free cash flow", "cash flows from operating activities",
                      "cash flow from operations"),
        ),
    )  # fmt: skip


def _debt(profile: CompanyProfile) -> Topic:
    cash, debt, income = profile.cash, profile.debt, profile.value("ttm_operating_income")
    carried = None
    if cash is None or debt is None:
        title = "The balance sheet can carry a downturn"
        thesis = "Debt is low against equity and liquid means are ample. Debt above equity would prove it wrong."
    elif debt <= cash:
        title = "Liquid means exceed debt"
        thesis = (
            f"Cash and securities of {money(cash, profile)} stand against debt of {money(debt, profile)}. "
            "Debt above liquid means would prove it wrong."
        )
        carried = True
    else:
        title = "Operating income carries the debt"
        years = (debt - cash) / income if income is not None and income > 0 else None
        said = f", {years:.1f} times the operating income of twelve months" if years is not None else ""
        thesis = (
            f"Debt less cash and securities is {money(debt - cash, profile)}{said}. "
            f"More than {CARRIED:g} times the operating income would prove it wrong."
        )
        carried = years is not None and years <= CARRIED
    means = cash is not None and debt is not None and debt <= cash
    owed, held = _decided(None if means else carried), _decided(True if means else None)
    return Topic(
        title=title,
        thesis=thesis,
        evidence_needed=(
            "Total debt, term debt, notes and maturities increased or decreased",
            "Liquidity, cash and marketable securities, credit facility",
        ),
        impact="MED",
        tests=(
            FigureTest(name="filed_long_term_debt", confidence=0.9, judge=owed, effect=effects.net_debt),
            FigureTest(name="filed_short_term_debt", confidence=0.5, judge=owed),
            FigureTest(name="filed_cash", confidence=0.8, judge=held),
            FigureTest(name="filed_short_term_investments", confidence=0.6, judge=held),
            FigureTest(name="filed_long_term_investments", confidence=0.6, judge=held),
            FigureTest(
                name="debt_to_equity",
                least=None if carried is not None else 1,
                confidence=0.9 if carried is None else 0.4,
                below=True,
                effect=effects.debt_to_equity,
            ),
            FigureTest(name="current_ratio", least=None if means else 1, confidence=0.6),
        ),
        text=TextTest(subjects=("total debt", "long-term debt", "borrowings", "interest expense"), falls_support=True),
    )


def _price(profile: CompanyProfile) -> Topic:
    implied, shown = profile.value("implied_sales_growth"), profile.growth_before
    now, price = profile.value("revenue_yoy"), profile.figures.get("price")
    best = max((growth for growth in (shown, now) if growth is not None), default=None)
    thesis = "The share trades within reach of its peers' multiples. A P/E far above theirs would prove it wrong."
    if implied is not None and best is not None:
        at = f"At {price.shown} the" if price is not None else "The"
        test = (
            f"Growth of a quarter below {math.floor(implied):g}% would prove it wrong."
            if best >= implied
            else f"Growth of a quarter of {math.ceil(implied):g}% or more would speak for it."
        )
        thesis = (
            f"{at} price asks for growth of revenue of {implied:.1f}% a year over five years, the margin unchanged; "
            f"the company has shown {best:.1f}%. {test}"
        )
    return Topic(
        title="The price asks for no more growth than the company has shown",
        thesis=thesis,
        evidence_needed=("Outlook and guidance for revenue and margin", "Long-term growth and market opportunity"),
        impact="HIGH",
        tests=(
            FigureTest(name="implied_sales_growth", least=best, confidence=0.8, below=True),
            FigureTest(name="pe_ttm", confidence=0.5, judge=_near("peer_median_pe_ttm")),
            FigureTest(name="peer_median_pe_ttm", confidence=0.4),
            FigureTest(name="ev_ebitda", confidence=0.5, judge=_near("peer_median_ev_ebitda")),
            FigureTest(name="peer_median_ev_ebitda", confidence=0.4),
            FigureTest(name="net_value", confidence=0.3, judge=_insiders, or_silent=True),
        ),
    )


def _risk(profile: CompanyProfile) -> Topic | None:
    if not profile.risk:
        return None
    margin = profile.value("operating_margin")
    floor = math.floor(margin - ROOM) if margin is not None else USUAL_MARGIN
    return Topic(
        title=f"The operating margin withstands {profile.risk}",
        thesis=f"The risk factors of {profile.risk_document} name {profile.risk} {profile.risk_times:.1f} times as "
        f"often as the median annual report. An operating margin of a quarter below {floor:g}% would prove it wrong.",
        evidence_needed=(
            f"Risk of {profile.risk} adversely affects results",
            f"Effect of {profile.risk} on margin and costs",
        ),
        impact="MED",
        tests=(
            FigureTest(
                name="operating_margin",
                least=_past_margin(profile, floor),
                confidence=0.6,
                against=_margin_of_year(profile, "operating_income", earlier=True) is not None,
            ),
        ),
        text=TextTest(subjects=RISK_WORDS[profile.risk], risk=True),
    )


def _past_margin(profile: CompanyProfile, floor: float) -> float:
    before = _margin_of_year(profile, "operating_income", earlier=True)
    return floor if before is None else before


def _flow(profile: CompanyProfile, name: str) -> float | None:
    return profile.flows[name][0] if name in profile.flows else None


def _margin_of_year(profile: CompanyProfile, name: str, *, earlier: bool) -> float | None:
    """Return an item over revenue in percent, of the fiscal year or of the one before."""
    at = 1 if earlier else 0
    item, revenue = (profile.flows.get(flow, (None, None))[at] for flow in (name, "revenue"))
    return 100 * item / revenue if item is not None and revenue else None


def _added(change: float, profile: CompanyProfile) -> str:
    return f"{'added' if change >= 0 else 'lost'} {money(abs(change), profile)}"


def _rose(name: str) -> Judge:
    """Judge a flow of the fiscal year by the year before."""

    def judge(_value: float, profile: CompanyProfile, _figures: Mapping[str, SourceFigure]) -> EvidenceDirection:
        now, before = profile.flows.get(name, (None, None))
        if now is None or before is None:
            return "neutral"
        return "supports" if now >= before else "contradicts"

    return judge


def _above_year(name: str) -> Judge:
    """Judge a margin of twelve months by that of the fiscal year before."""

    def judge(value: float, profile: CompanyProfile, _figures: Mapping[str, SourceFigure]) -> EvidenceDirection:
        before = _margin_of_year(profile, name, earlier=True)
        if before is None:
            return "neutral"
        return "supports" if value >= before else "contradicts"

    return judge


def _covers(paid: float, *, spends: bool) -> Judge:
    """Judge a flow by whether free cash flow covers what is paid out; without payouts, by whether any is left.

    What comes in speaks for it where it does, what goes out speaks against it where it does not; the other is shown.
    """

    def judge(_value: float, profile: CompanyProfile, _figures: Mapping[str, SourceFigure]) -> EvidenceDirection:
        made, spent = _flow(profile, "operating_cash_flow"), _flow(profile, "capital_expenditure")
        if made is None or spent is None:
            return "neutral"
        covered = made - spent >= paid
        return "neutral" if covered == spends else "supports" if covered else "contradicts"

    return judge


def _above_income(value: float, profile: CompanyProfile, _figures: Mapping[str, SourceFigure]) -> EvidenceDirection:
    income = profile.value("ttm_net_income")
    if income is None or "operating_cash_flow" in profile.flows:  # the filing decides it
        return "neutral"
    return "supports" if value >= income else "contradicts"


def _decided(holds: bool | None) -> Judge:
    def judge(_value: float, _profile: CompanyProfile, _figures: Mapping[str, SourceFigure]) -> EvidenceDirection:
        return "neutral" if holds is None else "supports" if holds else "contradicts"

    return judge


def _near(peers: str) -> Judge:
    """Judge a multiple by the peers' median, where the peers' businesses are comparable."""

    def judge(value: float, profile: CompanyProfile, figures: Mapping[str, SourceFigure]) -> EvidenceDirection:
        other = figures.get(peers)
        median = other.value if other is not None else profile.value(peers)
        if median is None or median <= 0 or not 1 / COMPARABLE <= median / value <= COMPARABLE:
            return "neutral"
        return "supports" if value <= NEAR * median else "contradicts"

    return judge


def _insiders(value: float, _profile: CompanyProfile, _figures: Mapping[str, SourceFigure]) -> EvidenceDirection:
    """Judge the net trades of insiders: purchases speak for the price; sales are mostly routine and decide nothing."""
    return "supports" if value > 0 else "neutral"
