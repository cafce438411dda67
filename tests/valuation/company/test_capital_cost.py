"""Beta, growth and return after the forecast, against numbers by hand."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from tests.support.fakes import make_prices
from tests.valuation.company.test_facts import PROFILE, balance, income
from tradingagents.errors import NoData
from tradingagents.valuation.company.answer_parts import CapitalYear, PeerBeta
from tradingagents.valuation.company.assumptions import AssumptionBook
from tradingagents.valuation.company.capital_cost import beta_of, stable_cost, stable_growth_of, stable_return
from tradingagents.valuation.company.claims import Sourced
from tradingagents.valuation.company.facts import CompanyFacts, company_facts
from tradingagents.valuation.company.market_rates import MarketRates, peer_beta
from tradingagents.valuation.cost_of_capital import CostOfCapital, weight_of_own_beta

RATE, PREMIUM = Sourced(0.04, "test"), Sourced(0.05, "test")
LEVERED = tuple(PeerBeta(symbol, beta, None) for symbol, beta in zip("ABCDE", (0.8, 0.9, 1.0, 1.1, 1.2), strict=True))
"""Mean 1, spread sqrt(0.025) = 0.158."""


def rates(
    own: float | None = 1.5, error: float | None = 0.1, peers: tuple[PeerBeta, ...] = LEVERED, of: str = ""
) -> MarketRates:
    return MarketRates(RATE, PREMIUM, own, "SPY", peers, error, 504, of)


def taken(book: AssumptionBook) -> dict[str, float]:
    return {row.name: row.value for row in book.rows}


@pytest.fixture
def firm() -> CompanyFacts:
    profile = replace(PROFILE, sector="consumer-discretionary")
    return company_facts(make_prices("ACMQ"), income(), balance(), [], profile)


@pytest.mark.parametrize(("error", "spread", "weight"), [(0.1, 0.2, 0.8), (0.2, 0.2, 0.5), (0.3, 0.0, 0.0), (0, 0, 1)])
def test_weights_by_precision(error: float, spread: float, weight: float) -> None:
    assert weight_of_own_beta(error, spread) == pytest.approx(weight)


def test_own_and_peers_with_debt(firm: CompanyFacts) -> None:
    book = AssumptionBook({})
    found = beta_of(firm, rates(of="the industry Broadline Retail"), book, 0.3, 0.25)
    # 0.025 / (0.025 + 0.01) = 0.714286 of the own beta: 0.714286 * 1.5 + 0.285714 * 1.0
    assert taken(book) == pytest.approx({"beta_regression": 1.5, "beta_peers": 1.0, "beta_weight": 0.714286}, abs=1e-6)
    assert found.value == pytest.approx(1.357143, abs=1e-6)
    assert found.source == "get_stock_data: own beta 1.50 with a weight of 71%, peers 1.00, both with debt"
    own, peers, weight = (row.source for row in book.rows)
    assert own == "get_stock_data: 504 daily returns on SPY, standard error 0.10; with debt"
    assert peers.endswith("5 peers of the industry Broadline Retail, with debt, spread 0.16: A, B, C, D, E")
    assert "Vasicek 1973" in weight


def test_without_debt_where_five_peers_are_known_so(firm: CompanyFacts) -> None:
    # debt of a third of the equity, tax of 25 %: each beta without debt is the one with it over 1.25
    peers = tuple(peer_beta(one.symbol, 1.25 * one.regression, 100.0, 300.0, 0.25) for one in LEVERED)
    book = AssumptionBook({})
    found = beta_of(firm, rates(own=1.8, error=0.12, peers=peers), book, 0.8 / 3, 0.25)  # own over 1.2
    assert peers[0].debt_share == 0.25
    assert taken(book) == pytest.approx({"beta_regression": 1.8, "beta_peers": 1.0, "beta_weight": 0.714286}, abs=1e-6)
    assert found.value == pytest.approx(1.2 * 1.357143, abs=1e-6)
    assert "both without debt" in found.source


def test_a_bank_is_never_held_against_betas_without_debt(firm: CompanyFacts) -> None:
    peers = tuple(peer_beta(one.symbol, one.regression, 900.0, 100.0, 0.25) for one in LEVERED)
    book = AssumptionBook({})
    beta_of(replace(firm, profile=replace(firm.profile, sector="financials")), rates(peers=peers), book)
    assert taken(book)["beta_peers"] == pytest.approx(1.0)


def test_fewer_than_five_peers_leave_the_own_beta_on_its_way_to_one(firm: CompanyFacts) -> None:
    book = AssumptionBook({})
    found = beta_of(firm, rates(peers=LEVERED[:4]), book)
    assert found.value == pytest.approx(4 / 3)
    assert "Blume 1975" in found.source
    assert set(taken(book)) == {"beta_regression"}


def test_peers_alone_where_the_own_beta_is_not_known(firm: CompanyFacts) -> None:
    book = AssumptionBook({})
    found = beta_of(firm, rates(own=None, error=None), book)
    assert found.value == pytest.approx(1.0)
    assert taken(book)["beta_weight"] == 0
    assert found.source.endswith("the own beta is not known")
    with pytest.raises(NoData, match=r"The beta of .* is not known.*Give beta="):
        beta_of(firm, rates(own=None, error=None, peers=LEVERED[:4]), AssumptionBook({}))


def test_the_peers_do_not_stand_in_for_a_beta_that_is_withheld(firm: CompanyFacts) -> None:
    """A listing of years whose bars are broken has a beta: it is not known from these bars."""
    broken = replace(rates(own=None, error=None), regression_withheld="The beta of ACMQ is withheld.")
    with pytest.raises(NoData, match=r"is withheld\. Give beta="):
        beta_of(firm, broken, AssumptionBook({}))
    given = AssumptionBook({"beta_regression": 1.5})
    assert beta_of(firm, broken, given).value == pytest.approx(1.5)


@pytest.mark.parametrize(
    ("own", "sector", "bounded", "words"),
    [
        (0.05, "energy", 0.6, "0.05 in all, taken within 0.6 to 1.9, the bounds of the sector energy"),
        (4.0, "technology", 2.2, "4.00 in all, taken within 0.6 to 2.2, the bounds of the sector technology"),
        (0.1, None, 0.4, "0.10 in all, taken within 0.4 to 2.2, the bounds where the sector is not known"),
    ],
)
def test_bounds_are_said_where_they_bind(
    firm: CompanyFacts, own: float, sector: str | None, bounded: float, words: str
) -> None:
    company = replace(firm, profile=replace(firm.profile, sector=sector))
    found = beta_of(company, rates(own=own, error=0.0), AssumptionBook({}))
    assert found.value == bounded
    assert words in found.source
    assert "bounds" not in beta_of(company, rates(own=1.0, error=0.0), AssumptionBook({})).source


@pytest.mark.parametrize(
    ("risk_free", "currency", "growth"),
    [(0.03, "USD", 0.025), (0.0428, "USD", 0.0378), (0.05, "USD", 0.038), (0.05, "GBP", 0.045), (0.002, "JPY", -0.003)],
)
def test_growth_stays_below_the_risk_free_rate(risk_free: float, currency: str, growth: float) -> None:
    assert stable_growth_of(AssumptionBook({}), risk_free, currency) == pytest.approx(growth)


def test_the_mature_company_has_the_leverage_of_its_peers() -> None:
    capital = CostOfCapital(0.08, 0.09, 0.05, 1.1, 100.0, equity_weight=0.9)
    book = AssumptionBook({})
    # the company's own tenth: 0.9 * 9 % + 0.1 * 5.5 % * 0.75
    assert stable_cost(book, rates(), capital, (0.04, 0.05), 0.25) == pytest.approx(0.085125)
    peers = tuple(peer_beta(name, 1.0, debt, 60.0, 0.25) for name, debt in (("A", 20.0), ("B", 40.0), ("C", 140.0)))
    # shares of 25 %, 40 % and 70 %: 0.6 * 9 % + 0.4 * 5.5 % * 0.75
    book = AssumptionBook({})
    assert stable_cost(book, rates(peers=peers), capital, (0.04, 0.05), 0.25) == pytest.approx(0.0705)
    assert taken(book)["target_debt_share"] == pytest.approx(0.4)
    assert book.rows[0].source.endswith("of A, B, C")
    heavy = replace(capital, equity_weight=0.2)
    book = AssumptionBook({})
    stable_cost(book, rates(), heavy, (0.04, 0.05), 0.25)
    assert book.rows[0].value == 0.5
    assert book.rows[0].source.endswith("; 80%, taken as 50% at the most")


def test_an_advantage_lasts_only_where_the_past_shows_it(firm: CompanyFacts) -> None:
    def after(*incomes: float, today: float = 0.12) -> float:
        years = tuple(CapitalYear(date(2024 - n, 12, 31), 500, one, 100, None) for n, one in enumerate(incomes))
        return stable_return(AssumptionBook({}), replace(firm, years=years), 0.08, today, 0.25)

    assert after(20, 20, 20) == pytest.approx(0.10)  # 15 % after tax in each year: half of four points
    assert after(20, 20, 20, today=0.40) == pytest.approx(0.23)  # 15 points at the most, of 16
    assert after(20, 20) == 0.08
    assert after(20, 10, 20) == 0.08  # 7.5 % in one year
    assert after(20, 20, 20, today=0.05) == 0.08
