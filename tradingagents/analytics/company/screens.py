"""Screens of a company's books: each is a published formula with its inputs, and says which input is missing.

Piotroski F      nine signals of improving books                  Piotroski, Journal of Accounting Research 38, 2000
Altman Z, Z''    distance from bankruptcy                         Altman, Journal of Finance 23, 1968; Altman, Hartzell
and Peck, Salomon Brothers, 1995
Beneish M        likelihood that earnings are manipulated         Beneish, Financial Analysts Journal 55, 1999
DuPont           return on equity as a product of its causes      F. Donaldson Brown, DuPont, 1914
Graham number    price above which a defensive buyer stops        Graham, The Intelligent Investor, 1973
Magic formula    earnings yield and return on capital             Greenblatt, The Little Book That Beats …, 2005
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict

from tradingagents.analytics.company.fiscal_years import FiscalYear
from tradingagents.analytics.price.returns import percent, ratio
from tradingagents.dataflows.reference.metrics import Figure

ScreenName = Literal["piotroski_f", "altman_z", "beneish_m", "dupont", "graham_number", "magic_formula"]
SCREEN_NAMES: tuple[ScreenName, ...] = get_args(ScreenName)
MANUFACTURERS = frozenset(
    {"industrials", "materials", "consumer-discretionary", "consumer-staples", "technology", "healthcare", "energy"}
)
"""Sectors whose companies are taken for manufacturers, but for the industries below."""
SERVICES = (
    *("software", "services", "retail", "restaurant", "hotel", "cruise", "casino", "airline", "railroad", "trucking"),
    *("distribution", "distributor", "consult", "managed health", "facilities", "education", "internet", "logistics"),
)
"""Words of an industry that sells services or other firms' goods."""
PIOTROSKI_STRONG, PIOTROSKI_WEAK = 8, 2
"""Signals that hold, from which and up to which a company counts as strong and as weak."""
ALTMAN_SAFE, ALTMAN_DISTRESS = 2.99, 1.81
"""Z-scores above which a manufacturer is safe, and below which it is in distress; those of Z'' are in `altman_z`."""
BENEISH_FLAG = -1.78
"""A score above it resembles the manipulators of Beneish's sample."""
GRAHAM_PRODUCT = 22.5
"""Graham's limits together: 15 times earnings and 1.5 times book value."""


class ScreenPart(BaseModel):
    """One signal or ratio of a screen, with the numbers it is computed from."""

    model_config = ConfigDict(frozen=True)

    name: str
    value: float | None
    """The ratio, or 1 for a signal that holds and 0 for one that does not; None where an input is missing."""
    formula: str
    """The definition in words."""
    inputs: Mapping[str, float | None]
    """Numbers that went in: money in the currency of the statements, ratios as fractions. None: not given."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Return the inputs that are not given."""
        return tuple(name for name, value in self.inputs.items() if value is None)


class ScreenScore(BaseModel):
    """The result of one screen."""

    model_config = ConfigDict(frozen=True)

    framework: ScreenName
    title: str
    score: float | None
    """None where the screen cannot be computed; `reading` says why."""
    unit: str = ""
    reading: str
    """What the score says, in a sentence."""
    reference: str
    parts: tuple[ScreenPart, ...]


@dataclass(frozen=True, slots=True)
class ScreenedCompany:
    """What the screens read of a company."""

    years: tuple[FiscalYear, ...]
    """Newest first."""
    market_cap: float | None
    """In the currency of the statements; None where that is another one than the prices'."""
    price: float | None
    eps: float | None
    """Over the last twelve months, on the share basis of the day."""
    shares: float | None
    sector: str | None
    industry: str | None

    @property
    def year(self) -> FiscalYear:
        """The newest year."""
        return self.years[0]

    @property
    def financial(self) -> bool:
        """Tell whether it is a bank, an insurer or another financial company."""
        return self.sector == "financials"


def piotroski_f(company: ScreenedCompany) -> ScreenScore:
    """Count how many of the nine signals hold; assets are those at the start of each year."""
    parts = _piotroski_parts(company.years)
    known = [part for part in parts if part.value is not None]
    missing = [part.name for part in parts if part.value is None]
    score = sum(part.value for part in known if part.value is not None) if known else None
    if missing and any(year.withheld for year in company.years):  # a count of the rest would read like a weak one
        score, reading = None, f"Not computable: items of the statements are withheld ({', '.join(missing)})."
    elif score is None:
        reading = "Not computable: two years of statements are needed."
    else:
        grade = "strong" if score >= PIOTROSKI_STRONG else "weak" if score <= PIOTROSKI_WEAK else "middling"
        reading = f"{score:.0f} of {len(known)} signals hold"
        reading += f"; not computable: {', '.join(missing)}." if missing else f" ({grade}; 8-9 strong, 0-2 weak)."
    return ScreenScore(
        framework="piotroski_f",
        title="Piotroski F-score",
        score=score,
        reading=reading,
        reference="Piotroski 2000",
        parts=parts,
    )


def _piotroski_parts(years: tuple[FiscalYear, ...]) -> tuple[ScreenPart, ...]:
    now, before = years[0], years[1] if len(years) > 1 else None
    opening, opening_before = _assets(years, 1), _assets(years, 2)
    if before is not None and opening_before is None:
        opening, opening_before = _assets(years, 0), _assets(years, 1)  # both years on the same footing
    roa, roa_before = ratio(now.get("net_income"), opening), _of(before, "net_income", opening_before)
    turn, turn_before = ratio(now.get("revenue"), opening), _of(before, "revenue", opening_before)
    cash, income = now.get("operating_cash_flow"), now.get("net_income")
    both = {"operating_cash_flow": cash, "net_income": income}
    return (
        _signal("return_on_assets", "net income over assets is positive", {"roa": roa}, _above(roa, 0.0)),
        _signal(
            "operating_cash_flow",
            "cash flow from operations is positive",
            {"operating_cash_flow": cash},
            _above(cash, 0.0),
        ),
        _rise("change_in_return_on_assets", "return on assets rose", "roa", roa, roa_before),
        _signal("accruals", "cash flow from operations exceeds net income", both, _above(cash, income)),
        *_financing_signals(years, now, before),
        _rise("change_in_gross_margin", "gross margin rose", "gross_margin", _gross_margin(now), _gross_margin(before)),
        _rise("change_in_asset_turnover", "revenue over assets rose", "asset_turnover", turn, turn_before),
    )


def _financing_signals(
    years: tuple[FiscalYear, ...], now: FiscalYear, before: FiscalYear | None
) -> tuple[ScreenPart, ...]:
    """Return the signals of leverage, liquidity and share count."""
    lever, lever_before = _leverage(years, 0), _leverage(years, 1)
    count, count_before = (_shares(year) for year in (now, before))
    fell = True if lever == 0 and lever_before == 0 else _above(lever_before, lever)
    same = None if count is None or count_before is None else count <= count_before
    return (
        _change(
            "change_in_leverage",
            "long-term debt over average assets fell, or there is none",
            "leverage",
            lever,
            lever_before,
            fell,
        ),
        _rise(
            "change_in_liquidity", "current ratio rose", "current_ratio", _current_ratio(now), _current_ratio(before)
        ),
        _change("no_share_issue", "share count did not rise", "shares", count, count_before, same),
    )


def altman_z(company: ScreenedCompany) -> ScreenScore:
    """Compute Altman's Z for a manufacturer, his Z'' of 1995 for another company; a financial company has neither."""
    now = company.year
    assets, liabilities = now.get("total_assets"), now.get("total_liabilities")
    capital = _difference(now.get("current_assets"), now.get("current_liabilities"))
    ratios = {
        "x1": ("working capital over assets", {"working_capital": capital, "total_assets": assets}),
        "x2": ("retained earnings over assets", {"retained_earnings": now.get("retained_earnings"), "assets": assets}),
        "x3": ("operating income over assets", {"operating_income": now.get("operating_income"), "assets": assets}),
    }
    maker = _is_manufacturer(company)
    if maker:
        ratios["x4"] = (
            "market value over liabilities",
            {"market_cap": company.market_cap, "total_liabilities": liabilities},
        )
        ratios["x5"] = ("revenue over assets", {"revenue": now.get("revenue"), "total_assets": assets})
        weights = {"x1": 1.2, "x2": 1.4, "x3": 3.3, "x4": 0.6, "x5": 0.999}
        safe, distress, name, reference = ALTMAN_SAFE, ALTMAN_DISTRESS, "Z", "Altman 1968"
    else:
        ratios["x4"] = (
            "book equity over liabilities",
            {"equity": now.get("equity"), "total_liabilities": liabilities},
        )
        weights = {"x1": 6.56, "x2": 3.26, "x3": 6.72, "x4": 1.05}
        safe, distress, name, reference = 2.60, 1.10, "Z''", "Altman, Hartzell and Peck 1995"
    parts = tuple(
        ScreenPart(name=key, value=_quotient(inputs), formula=f"{words}, times {weights[key]:g}", inputs=inputs)
        for key, (words, inputs) in ratios.items()
    )
    score = None if company.financial else _weighted(parts, weights)
    if company.financial:
        reading = "Not computable: the model was not made for banks, insurers and other financial companies."
    elif score is None:
        reading = f"Not computable: {_missing(parts)} not given."
    else:
        zone = "safe" if score > safe else "distress" if score < distress else "grey"
        kind = "a manufacturer" if maker else "a company that is no manufacturer"
        reading = f"{name} for {kind}: {zone} zone (above {safe:g} safe, below {distress:g} distress)."
    return ScreenScore(
        framework="altman_z",
        title=f"Altman {name}-score",
        score=score,
        reading=reading,
        reference=reference,
        parts=parts,
    )


def beneish_m(company: ScreenedCompany) -> ScreenScore:
    """Compute the eight-variable M-score from two years."""
    parts = _beneish_parts(company.year, company.years[1]) if len(company.years) > 1 else ()
    weights = {
        "dsri": 0.920,
        "gmi": 0.528,
        "aqi": 0.404,
        "sgi": 0.892,
        "depi": 0.115,
        "sgai": -0.172,
        "tata": 4.679,
        "lvgi": -0.327,
    }
    total = None if company.financial or not parts else _weighted(parts, weights)
    score = None if total is None else total - 4.84
    if company.financial:
        reading = "Not computable: the model leaves out banks, insurers and other financial companies."
    elif not parts:
        reading = "Not computable: two years of statements are needed."
    elif score is None:
        reading = f"Not computable: {_missing(parts)} not given."
    else:
        alike = "resembles" if score > BENEISH_FLAG else "does not resemble"
        reading = f"{alike} companies that manipulated their earnings (above {BENEISH_FLAG:g} does)."
        reading = reading[0].upper() + reading[1:]
    return ScreenScore(
        framework="beneish_m",
        title="Beneish M-score",
        score=score,
        reading=reading,
        reference="Beneish 1999",
        parts=parts,
    )


def _beneish_parts(now: FiscalYear, before: FiscalYear) -> tuple[ScreenPart, ...]:
    pair = (now, before)
    days = [ratio(year.get("receivables"), year.get("revenue")) for year in pair]
    margins = [_gross_margin(year) for year in pair]
    soft = [_soft_assets(year) for year in pair]
    sales = [year.get("revenue") for year in pair]
    wear = [_depreciation_rate(year) for year in pair]
    overhead = [ratio(year.get("selling_general_administrative"), year.get("revenue")) for year in pair]
    debt = [_debt_share(year) for year in pair]
    accruals = {
        "net_income": now.get("net_income"),
        "operating_cash_flow": now.get("operating_cash_flow"),
        "total_assets": now.get("total_assets"),
    }
    tata = ratio(_difference(accruals["net_income"], accruals["operating_cash_flow"]), accruals["total_assets"])
    return (
        _index("dsri", "receivables over revenue, against the year before", "receivables_to_revenue", days),
        _index("gmi", "gross margin of the year before, against this year's", "gross_margin", margins, inverse=True),
        _index("aqi", "assets that are neither current nor fixed, against the year before", "other_assets", soft),
        _index("sgi", "revenue, against the year before", "revenue", sales),
        _index("depi", "depreciation rate of the year before, against this year's", "depreciation", wear, inverse=True),
        _index("sgai", "overhead over revenue, against the year before", "overhead_to_revenue", overhead),
        ScreenPart(name="tata", value=tata, formula="net income less cash flow, over assets", inputs=accruals),
        _index("lvgi", "debt and current liabilities over assets, against the year before", "leverage", debt),
    )


def dupont(company: ScreenedCompany) -> ScreenScore:
    """Split the return on equity into margin, turnover and leverage, at the year's end."""
    now = company.year
    income, revenue, equity = now.get("net_income"), now.get("revenue"), _positive(now.get("equity"))
    assets, pretax, operating = now.get("total_assets"), now.get("pretax_income"), now.get("operating_income")
    roe = ratio(income, equity)
    parts = (
        _quotient_part("net_margin", "net income over revenue", net_income=income, revenue=revenue),
        _quotient_part("asset_turnover", "revenue over assets", revenue=revenue, total_assets=assets),
        _quotient_part("equity_multiplier", "assets over equity", total_assets=assets, equity=equity),
        _quotient_part("tax_burden", "net income over pretax income", net_income=income, pretax_income=pretax),
        _quotient_part("interest_burden", "pretax over operating income", pretax=pretax, operating_income=operating),
        _quotient_part("operating_margin", "operating income over revenue", operating=operating, revenue=revenue),
    )
    reading = "Return on equity is net margin times asset turnover times equity multiplier."
    if roe is None:
        reading = f"Not computable: {_missing(parts[:3])} not given, or equity is not positive."
    return ScreenScore(
        framework="dupont",
        title="DuPont return on equity",
        score=percent(roe),
        unit="%",
        reading=reading,
        reference="DuPont Corporation, 1914",
        parts=parts,
    )


def graham_number(company: ScreenedCompany) -> ScreenScore:
    """Return the price at which 15 times earnings and 1.5 times book value meet."""
    book = ratio(company.year.get("equity"), company.shares)
    inputs = {"eps": company.eps, "book_value_per_share": book, "price": company.price}
    score = None
    if company.eps is None or book is None:
        reading = "Not computable: earnings or book value per share not given in the currency of the price."
    elif company.eps <= 0 or book <= 0:
        reading = "Not computable: earnings and book value per share must both be positive."
    else:
        score = math.sqrt(GRAHAM_PRODUCT * company.eps * book)
        side = "below" if company.price is not None and company.price <= score else "above"
        reading = f"The price is {side} it." if company.price is not None else "The price is not known."
    part = ScreenPart(name="graham_number", value=score, formula="√(22.5 x EPS x book value per share)", inputs=inputs)
    return ScreenScore(
        framework="graham_number",
        title="Graham number",
        score=score,
        unit="money",
        reading=reading,
        reference="Graham 1973",
        parts=(part,),
    )


def magic_formula(company: ScreenedCompany, peers: Mapping[str, ScreenedCompany] | None = None) -> ScreenScore:
    """Rank a company among its peers by earnings yield and return on capital; the lowest sum of ranks is first.

    Args:
        peers: Those it is ranked with, by symbol; those without both ratios are left out. None: no rank is wanted.
    """
    yields, returns = _magic_ratios(company)
    parts: tuple[ScreenPart, ...] = (yields, returns)
    ranked = {symbol: _magic_ratios(peer) for symbol, peer in (peers or {}).items() if not peer.financial}
    known = {symbol: pair for symbol, pair in ranked.items() if None not in (pair[0].value, pair[1].value)}
    score: float | None = None
    if company.financial:
        reading = "Not computable: Greenblatt leaves out financial companies."
    elif yields.value is None or returns.value is None:
        reading = f"Not computable: {_missing(parts)} not given, or not positive."
    elif not known:
        reading = "No rank: no peer with both ratios is known."
    else:
        own, others = (yields.value, returns.value), [(_number(one), _number(two)) for one, two in known.values()]
        sums = [_rank_sum(pair, [own, *others]) for pair in [own, *others]]
        score = 1.0 + sum(total < sums[0] for total in sums[1:])
        reading = f"Rank {score:.0f} of {len(sums)} among {', '.join(known)}."
    return ScreenScore(
        framework="magic_formula",
        title="Magic formula rank",
        score=score,
        reading=reading,
        reference="Greenblatt 2005",
        parts=parts,
    )


def _magic_ratios(company: ScreenedCompany) -> tuple[ScreenPart, ScreenPart]:
    now = company.year
    operating, cash = now.get("operating_income"), now.get("cash")
    debt = now.get("total_debt")
    if debt is None and "total_debt" not in now.withheld:
        debt = _sum(now, "long_term_debt", "short_term_debt")
    value = None
    if company.market_cap is not None and debt is not None and cash is not None:
        value = _positive(company.market_cap + debt - cash)
    working = _working_capital(now)
    fixed = now.get("fixed_assets")
    capital = None if working is None or fixed is None else _positive(max(working, 0.0) + fixed)
    return (
        ScreenPart(
            name="earnings_yield",
            value=ratio(operating, value),
            formula="operating income over enterprise value",
            inputs={"operating_income": operating, "enterprise_value": value},
        ),
        ScreenPart(
            name="return_on_capital",
            value=ratio(operating, capital),
            formula="operating income over working capital without excess cash, plus fixed assets",
            inputs={"operating_income": operating, "capital": capital},
        ),
    )


def _working_capital(year: FiscalYear) -> float | None:
    """Return current assets less cash, less current liabilities without debt."""
    assets, liabilities = year.get("current_assets"), year.get("current_liabilities")
    if assets is None or liabilities is None or not year.withheld.isdisjoint(("cash", "short_term_debt")):
        return None
    return assets - (year.get("cash") or 0.0) - (liabilities - (year.get("short_term_debt") or 0.0))


def _rank_sum(pair: tuple[float, float], among: list[tuple[float, float]]) -> int:
    """Return the sum of a company's two ranks, 1 for the highest ratio."""
    return sum(1 + sum(other[index] > pair[index] for other in among) for index in (0, 1))


def _is_manufacturer(company: ScreenedCompany) -> bool:
    industry = (company.industry or "").lower()
    return company.sector in MANUFACTURERS and not any(word in industry for word in SERVICES)


def _signal(name: str, formula: str, inputs: Mapping[str, float | None], holds: bool | None) -> ScreenPart:
    return ScreenPart(name=name, value=None if holds is None else float(holds), formula=formula, inputs=inputs)


def _change(
    name: str, formula: str, ratio_name: str, now: float | None, before: float | None, holds: bool | None
) -> ScreenPart:
    return _signal(name, formula, {ratio_name: now, f"{ratio_name}_before": before}, holds)


def _rise(name: str, formula: str, ratio_name: str, now: float | None, before: float | None) -> ScreenPart:
    return _change(name, formula, ratio_name, now, before, _above(now, before))


def _index(name: str, formula: str, ratio_name: str, pair: list[float | None], *, inverse: bool = False) -> ScreenPart:
    now, before = pair
    value = ratio(before, now) if inverse else ratio(now, before)
    return ScreenPart(name=name, value=value, formula=formula, inputs={ratio_name: now, f"{ratio_name}_before": before})


def _quotient_part(name: str, formula: str, **inputs: float | None) -> ScreenPart:
    return ScreenPart(name=name, value=_quotient(inputs), formula=formula, inputs=inputs)


def _quotient(inputs: Mapping[str, float | None]) -> float | None:
    numerator, denominator = inputs.values()
    return ratio(numerator, denominator)


def _weighted(parts: tuple[ScreenPart, ...], weights: Mapping[str, float]) -> float | None:
    values = {part.name: part.value for part in parts}
    found = [weight * value for name, weight in weights.items() if (value := values[name]) is not None]
    return sum(found) if len(found) == len(weights) else None


def _missing(parts: tuple[ScreenPart, ...]) -> str:
    lacking = [name for part in parts if part.value is None for name in (part.missing or (part.name,))]
    return ", ".join(dict.fromkeys(name.replace("_", " ") for name in lacking))


def _above(left: float | None, right: float | None) -> bool | None:
    return None if left is None or right is None else left > right


def _difference(left: float | None, right: float | None) -> float | None:
    return None if left is None or right is None else left - right


def _positive(value: float | None) -> float | None:
    return value if value is not None and value > 0 else None


def _number(part: ScreenPart) -> float:
    return 0.0 if part.value is None else part.value


def _assets(years: tuple[FiscalYear, ...], number: int) -> float | None:
    return years[number].get("total_assets") if len(years) > number else None


def _of(year: FiscalYear | None, name: str, denominator: float | None) -> float | None:
    return ratio(year.get(name), denominator) if year is not None else None


def _leverage(years: tuple[FiscalYear, ...], number: int) -> float | None:
    """Return long-term debt over the average of the year's first and last assets; over the last where one is known."""
    if len(years) <= number or any("total_assets" in year.withheld for year in years[number : number + 2]):
        return None
    ends = [assets for assets in (_assets(years, number), _assets(years, number + 1)) if assets is not None]
    return ratio(years[number].get("long_term_debt"), sum(ends) / len(ends) if ends else None)


def _current_ratio(year: FiscalYear | None) -> float | None:
    return ratio(year.get("current_assets"), year.get("current_liabilities")) if year is not None else None


def _shares(year: FiscalYear | None) -> float | None:
    return year.get("shares_basic", "shares_diluted") if year is not None else None


def _gross_margin(year: FiscalYear | None) -> float | None:
    if year is None:
        return None
    gross = year.get("gross_profit")
    if gross is None:
        gross = _difference(year.get("revenue"), year.get("cost_of_revenue"))
    return ratio(gross, year.get("revenue"))


def _soft_assets(year: FiscalYear) -> float | None:
    current, fixed, assets = (year.get(name) for name in ("current_assets", "fixed_assets", "total_assets"))
    if current is None or fixed is None or not assets:
        return None
    return 1 - (current + fixed) / assets


def _depreciation_rate(year: FiscalYear) -> float | None:
    wear, fixed = year.get("depreciation_and_amortization"), year.get("fixed_assets")
    return None if wear is None or fixed is None else ratio(wear, wear + fixed)


def _debt_share(year: FiscalYear) -> float | None:
    return ratio(_sum(year, "long_term_debt", "current_liabilities"), year.get("total_assets"))


def _sum(year: FiscalYear, *names: str) -> float | None:
    values = [year.get(name) for name in names]
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None


SCREENS = {
    "piotroski_f": piotroski_f,
    "altman_z": altman_z,
    "beneish_m": beneish_m,
    "dupont": dupont,
    "graham_number": graham_number,
}
"""The screens that need the company alone."""


def screen_figures(score: ScreenScore, currency: str) -> tuple[Figure, ...]:
    """Return a screen's score and parts as figures; fractions that people read as percentages are in percent."""
    unit = currency if score.unit == "money" else score.unit
    whole = score.framework in ("piotroski_f", "magic_formula")
    head = int(score.score) if whole and score.score is not None else score.score
    name = "magic_formula_rank" if score.framework == "magic_formula" else f"{score.framework}_score"
    named = {"dupont": "dupont_roe", "graham_number": "graham_number"}.get(score.framework, name)
    return (Figure(named, head, unit), *_part_figures(score))


def _part_figures(score: ScreenScore) -> tuple[Figure, ...]:
    prefix = {"piotroski_f": "f", "altman_z": "z", "beneish_m": "m", "dupont": "dupont", "magic_formula": "magic"}
    if score.framework not in prefix:
        return ()
    own, found = prefix[score.framework], []
    for part in score.parts:
        name = f"{own}_{part.name}"
        if score.framework == "piotroski_f":
            found.append(Figure(name, None if part.value is None else int(part.value)))
        elif part.name.endswith(("margin", "yield", "capital")):
            found.append(Figure(name, percent(part.value), "%"))
        else:
            found.append(Figure(name, part.value, "x" if score.framework == "dupont" else ""))
    return tuple(found)
