"""Results of the questions about a company's value: typed for programs, short Markdown for models and persons."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from pydantic import BaseModel, ConfigDict

from tradingagents.dataflows.reference.metrics import Figure
from tradingagents.dataflows.results import Result
from tradingagents.schemas.valuation_models import FittedModel
from tradingagents.valuation.company.answer_parts import (
    SUMMED,
    TITLES,
    CapitalYear,
    CompanyKind,
    PeerBeta,
    ValuationAssumption,
    ValueCases,
    sum_words,
)
from tradingagents.valuation.cost_of_capital import CostOfCapital
from tradingagents.valuation.dcf import Projection, Valuation
from tradingagents.valuation.equity_models import (
    EquityInputs,
    EquityValuation,
    ExcessReturnInputs,
    FundsInputs,
    net_asset_value,
)
from tradingagents.valuation.inputs import ValuationInputs
from tradingagents.valuation.limited_liability import floored
from tradingagents.valuation.relative import MULTIPLES, ImpliedRange
from tradingagents.valuation.reverse import ImpliedDriver
from tradingagents.valuation.sensitivity import TornadoBar

_RATES = (
    *("growth", "margin", "tax", "risk_free", "premium", "wacc", "spread", "roic", "return", "payout", "cost"),
    *("probability", "proceeds", "cap_rate"),
    *("weight", "debt_share"),
)


NOTHING_LEFT = "There the claims before the shares exceed the operations, and the share is worth nothing."
"""What a value of 0 means."""


class BetaEvidence(BaseModel):
    """Betas that a cost of capital may use."""

    model_config = ConfigDict(frozen=True)

    regression: float | None
    """Of the company's own daily returns on the benchmark's over two years."""
    benchmark: str
    sector_unlevered: float | None
    """Mean of the peers' betas without their debt; None with fewer than five."""
    peers: tuple[PeerBeta, ...]
    standard_error: float | None = None
    """Newey-West, of `regression`."""
    returns: int = 0
    """Daily returns of `regression`."""
    peers_of: str = ""
    """What the peers have in common, such as `the industry Semiconductors`."""
    peers_mean: float | None = None
    """Mean of the peers' betas on the basis used; None with fewer than five, or where a beta was given."""
    weight: float | None = None
    """Weight of the own beta against `peers_mean`; None where that is."""
    used: float | None = None
    """Beta of the equity in the cost of capital; None where none is read."""

    def sentence(self) -> str:
        """Return own beta, peers, weight and result in one sentence."""
        parts = []
        if self.regression is not None:
            error = "" if self.standard_error is None else f" ± {self.standard_error:.2f}"
            parts.append(f"own {self.regression:.2f}{error} ({self.returns} daily returns on {self.benchmark})")
        if self.peers_mean is not None:
            parts.append(f"peers {self.peers_mean:.2f}" + (f" ({self.peers_of})" if self.peers_of else ""))
        if self.weight is not None:
            parts.append(f"weight of the own {self.weight:.0%}")
        if self.used is not None:
            parts.append(f"used {self.used:.2f}")
        return f"Beta: {'; '.join(parts)}." if parts else "Beta: not known."


class ValuedCompany(Result):
    """What all answers about a company's value share."""

    name: str
    kind: CompanyKind
    """What the model was chosen by (docs/concepts/valuation.md)."""
    model: FittedModel
    price: float
    """Last close, as traded."""
    price_day: date
    base_period: date
    """Last day of the figures that the inputs are built from."""
    figures_of: str
    """Those figures in words, such as `four quarters to 2024-12-28`."""
    kernel_inputs: ValuationInputs | EquityInputs
    assumptions: tuple[ValuationAssumption, ...]

    def _heading(self, what: str) -> str:
        """Return a heading that names the company and the figures."""
        return f"{what}, figures of {self.figures_of}"

    def _assumed(self) -> str:
        """Return the assumptions as a table."""
        return _assumption_table(self.assumptions)


class CompanyValuationInputs(ValuedCompany):
    """Inputs of a valuation, built from data."""

    beta: BetaEvidence
    capital: CostOfCapital | None
    """Parts of the cost of capital; None where a model values the equity."""
    history: tuple[CapitalYear, ...]
    """Revenue, operating income and reinvestment of past years, newest first."""

    @property
    def title(self) -> str:
        """Heading."""
        return self._heading(f"Valuation inputs: {self.name} ({self.symbol}), {TITLES[self.model]}")

    def figures(self) -> tuple[Figure, ...]:
        """Return betas and the cost of capital."""
        found = [
            Figure("beta_regression", self.beta.regression),
            Figure("beta_error", self.beta.standard_error),
            Figure("beta_peers", self.beta.peers_mean),
            Figure("beta_weight", None if self.beta.weight is None else 100 * self.beta.weight, "%"),
            Figure("beta_used", self.beta.used),
        ]
        if self.capital is not None:
            found += [
                Figure("wacc", 100 * self.capital.wacc, "%"),
                Figure("cost_of_equity", 100 * self.capital.cost_of_equity, "%"),
                Figure("equity_weight", 100 * self.capital.equity_weight, "%"),
            ]
        return tuple(found)

    def body(self) -> str:
        """Return assumptions and history as tables."""
        peers = ", ".join(map(_beta_words, self.beta.peers)) or "none known"
        betas = f"{self.beta.sentence()}\n\nBetas of peers on {self.beta.benchmark}, with debt: {peers}."
        parts = [self._assumed(), betas]
        if self.history:
            money = self.currency or ""
            head = "| Twelve months to | Revenue | Operating income | Invested capital | Reinvestment |"
            rows = (
                f"| {year.end} | {_money(year.revenue, money)} | {_money(year.operating_income, money)} | "
                f"{_money(year.invested_capital, money)} | {_money(year.reinvestment, money)} |"
                for year in self.history
            )
            parts.append("\n".join((head, "|---|---|---|---|---|", *rows)))
        return "\n\n".join(parts)


def _beta_words(peer: PeerBeta) -> str:
    error = "" if peer.standard_error is None else f" ± {peer.standard_error:.2f}"
    return f"{peer.symbol} {peer.regression:.2f}{error}"


class CompanyValuation(ValuedCompany):
    """What a company is worth, and what its price implies."""

    valuation: Valuation | EquityValuation
    opening: tuple[str, ...] = ()
    """Sentences that open the answer: what the price pays for, range, value, movers, doubts (`company.opening`)."""
    cases: ValueCases
    """The low, the base and the high case that the opening names."""
    projection: Projection | None
    """Year by year; None where a model values the equity, whose years are in `valuation`."""
    value_per_share: float
    upside: float
    """Value over price, less 1."""
    implied_name: str
    """What `implied` is: `growth_years_1_to_5`, `return_on_equity`, `dividend_growth` or `funds_growth`."""
    implied: float | None
    """What the price implies; None where no rate explains it."""
    kernel_version: str

    @property
    def title(self) -> str:
        """Heading."""
        return self._heading(f"Valuation: {self.name} ({self.symbol}), {TITLES[self.model]}")

    def figures(self) -> tuple[Figure, ...]:
        """Return value, price and what the price implies."""
        money = self.currency or ""
        implied = None if self.implied is None else 100 * self.implied
        found = [
            Figure("value_per_share", self.value_per_share, money),
            Figure("price", self.price, money),
            Figure("upside", 100 * self.upside, "%"),
            Figure(f"implied_{self.implied_name}", implied, "%"),
        ]
        if isinstance(self.valuation, Valuation) and self.valuation.terminal_share is not None:
            found.append(Figure("terminal_share", 100 * self.valuation.terminal_share, "%"))
        if isinstance(self.kernel_inputs, FundsInputs):
            found.append(Figure("net_asset_value_per_share", self.second_view, money))
        return tuple(found)

    @property
    def second_view(self) -> float | None:
        """Value of a share by the properties of a real-estate trust at a capitalisation rate, at least 0.

        None where it is not known, and of every other model.
        """
        worth = net_asset_value(self.kernel_inputs) if isinstance(self.kernel_inputs, FundsInputs) else None
        return None if worth is None else floored(worth)

    def lead(self) -> str:
        """Return the opening as Markdown."""
        return "\n".join(f"- {sentence}" for sentence in self.opening)

    def body(self) -> str:
        """Return the bridge from operations to the share, and the assumptions."""
        return "\n\n".join((self._bridge(), self._assumed()))

    def bridge(self) -> tuple[tuple[str, float], ...]:
        """Return the steps from present values to the value per share, in order, with their signs."""
        inputs, value = self.kernel_inputs, self.valuation
        if not isinstance(inputs, ValuationInputs) or not isinstance(value, Valuation):
            start = inputs.book_equity if isinstance(inputs, ExcessReturnInputs) else 0.0
            assert isinstance(value, EquityValuation)  # noqa: S101 - the models come in pairs
            first = (("book_equity", start),) if start else ()
            return (
                *first,
                ("pv_explicit", value.pv_explicit),
                ("pv_terminal", value.pv_terminal),
                ("equity_value", value.equity_value),
                *((("shares_out", inputs.shares_out),) if isinstance(inputs, FundsInputs) else ()),
                ("value_per_share", value.value_per_share),
            )
        return (
            ("pv_explicit", value.pv_explicit),
            ("pv_terminal", value.pv_terminal),
            ("pv_operating", value.pv_operating),
            ("failure", value.pv_after_failure - value.pv_operating),
            ("debt", -inputs.debt - (inputs.net_debt or 0.0)),
            ("minority_interest", -inputs.minority_interest),
            ("cash", inputs.cash),
            ("non_operating_assets", inputs.non_operating_assets),
            ("equity_value", value.equity_value),
            ("options", -value.option_value),
            ("shares_out", inputs.shares_out),
            ("value_per_share", value.value_per_share),
        )

    def _bridge(self) -> str:
        money = self.currency or ""
        rows = (
            f"| {self._held(name)} | {Figure(name, step, 'shares' if name == 'shares_out' else money).text} |"
            for name, step in self.bridge()
            if step
        )
        return "\n".join(("| From operations to the share | |", "|---|---|", *rows))

    def _held(self, name: str) -> str:
        """Return what a step of the bridge holds."""
        return sum_words(name, self.assumptions) if name in SUMMED else name


class ValuationSensitivity(ValuedCompany):
    """Value per share over two drivers, and over each driver alone."""

    rows_driver: str
    columns_driver: str
    row_levels: tuple[float, ...]
    column_levels: tuple[float, ...]
    values: tuple[tuple[float | None, ...], ...]
    """By row and column; None where the inputs cannot be valued."""
    reasons: tuple[str, ...]
    """Why cells have no value, each once."""
    base_value: float
    tornado: tuple[TornadoBar, ...]
    """The widest first."""
    kernel_version: str

    @property
    def title(self) -> str:
        """Heading."""
        return self._heading(f"Sensitivity of the value of {self.name} ({self.symbol})")

    def figures(self) -> tuple[Figure, ...]:
        """Return the base value with the lowest and highest cell."""
        money = self.currency or ""
        cells = [cell for row in self.values for cell in row if cell is not None]
        return (
            Figure("value_per_share", self.base_value, money),
            Figure("price", self.price, money),
            Figure("grid_lowest", min(cells, default=None), money),
            Figure("grid_highest", max(cells, default=None), money),
        )

    def body(self) -> str:
        """Return the grid and the tornado as tables."""
        head = f"| {self.rows_driver} \\ {self.columns_driver} | "
        head += " | ".join(level_text(self.columns_driver, one) for one in self.column_levels) + " |"
        rows = [
            f"| {level_text(self.rows_driver, level)} | "
            + " | ".join("n/a" if cell is None else f"{cell:.2f}" for cell in row)
            + " |"
            for level, row in zip(self.row_levels, self.values, strict=True)
        ]
        grid = "\n".join((head, "|---" * (1 + len(self.column_levels)) + "|", *rows))
        bars = [
            f"| {bar.driver} | {bar.low_shift:g} / {bar.high_shift:g} | {_cell(bar.low)} | {_cell(bar.high)} |"
            for bar in self.tornado
        ]
        tornado = "\n".join(("| Driver | Shift | At low | At high |", "|---|---|---|---|", *bars))
        parts = [grid, tornado]
        if self.reasons:
            parts.append(f"Cells without a value: {'; '.join(self.reasons)}.")
        nothing = sum(cell is not None and cell <= 0 for row in self.values for cell in row)
        if nothing:
            parts.append(f"Cells of 0.00: {nothing}. {NOTHING_LEFT}")
        return "\n\n".join(parts)


class PriceExpectations(ValuedCompany):
    """What each driver must be for the value to equal the price."""

    base_value: float | None
    """Value per share of the inputs; None where they give none, as a note says."""
    drivers: tuple[ImpliedDriver, ...]
    implied_rates: tuple[tuple[str, float | None, float | None], ...] = ()
    """Of an equity model: name, the rate in the inputs, and the one the price implies."""

    @property
    def title(self) -> str:
        """Heading."""
        return self._heading(f"What the price of {self.name} ({self.symbol}) implies")

    def figures(self) -> tuple[Figure, ...]:
        """Return value and price, and what the price implies of each driver."""
        money = self.currency or ""
        found = [Figure("value_per_share", self.base_value, money), Figure("price", self.price, money)]
        for driver in self.drivers:
            percent = driver.driver != "sales_to_capital"
            level = None if driver.level is None else driver.level * (100 if percent else 1)
            found.append(Figure(f"implied_{driver.driver}", level, "%" if percent else "x"))
        for name, _, rate in self.implied_rates:
            found.append(Figure(f"implied_{name}", None if rate is None else 100 * rate, "%"))
        return tuple(found)

    def body(self) -> str:
        """Return each driver in the inputs and as the price implies it."""
        rows = [
            f"| {driver.driver} | {level_text(driver.driver, driver.base_level)} | "
            f"{'no level explains the price' if driver.level is None else level_text(driver.driver, driver.level)} |"
            for driver in self.drivers
        ]
        rows += [
            f"| {name}, {'every year and for ever' if name == 'return_on_equity' else 'every year of the forecast'} | "
            f"{'n/a' if base is None else f'{base:.2%} in the first year'} | "
            f"{'no rate explains the price' if rate is None else f'{rate:.2%}'} |"
            for name, base, rate in self.implied_rates
        ]
        return "\n".join(("| Driver, the others unchanged | In the inputs | Implied |", "|---|---|---|", *rows))


class RelativeValuation(Result):
    """Prices of a share at the multiples of its peers."""

    name: str
    figures_of: str
    """The company's own figures in words, such as `four quarters to 2024-12-28`."""
    sector: str | None
    price: float
    ranges: tuple[ImpliedRange, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return f"Relative valuation: {self.name} ({self.symbol}), figures of {self.figures_of}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the price and the price that the median of each multiple implies."""
        money = self.currency or ""
        return (
            Figure("price", self.price, money),
            *(Figure(f"price_at_{one.multiple}", one.prices[1] if one.prices else None, money) for one in self.ranges),
        )

    def body(self) -> str:
        """Return multiples, quartiles and implied prices as a table."""
        head = "| Multiple | Own | First quartile | Median | Third quartile | Price at them | Peers |"
        rows = (
            f"| {MULTIPLES[implied.multiple]} | {_times(implied.own)} | "
            + " | ".join(_times(value) for value in implied.quartiles or (None, None, None))
            + f" | {_prices(implied.prices, implied.reason)} |"
            + f" {', '.join(symbol for symbol, _ in implied.peers) or 'none'} |"
            for implied in self.ranges
        )
        return "\n".join((head, "|---" * 7 + "|", *rows))


class IndexValuation(Result):
    """The return and the equity risk premium that the level of an index implies."""

    level: float
    payout: float
    """Dividends and buybacks of twelve months, in points of the index."""
    implied_return: float
    risk_free: float
    implied_premium: float
    published_premium: float | None
    """Of the dated table, for comparison."""
    assumptions: tuple[ValuationAssumption, ...]

    @property
    def title(self) -> str:
        """Heading."""
        return f"Implied equity risk premium: {self.symbol}"

    def figures(self) -> tuple[Figure, ...]:
        """Return the implied return and premium."""
        published = None if self.published_premium is None else 100 * self.published_premium
        return (
            Figure("level", self.level),
            Figure("payout_yield", 100 * self.payout / self.level, "%"),
            Figure("implied_return", 100 * self.implied_return, "%"),
            Figure("risk_free", 100 * self.risk_free, "%"),
            Figure("implied_equity_premium", 100 * self.implied_premium, "%"),
            Figure("published_equity_premium", published, "%"),
        )

    def body(self) -> str:
        """Return the assumptions."""
        return _assumption_table(self.assumptions)


def _assumption_table(assumptions: Iterable[ValuationAssumption]) -> str:
    rows = (f"| {row.name} | {shown_assumption(row)} | {row.source} |" for row in assumptions)
    return "\n".join(("| Assumption | Value | Source |", "|---|---|---|", *rows))


def level_text(driver: str, level: float) -> str:
    """Return a driver's level as shown: a rate in percent, a multiple with x."""
    return f"{level:.2f}x" if driver == "sales_to_capital" else f"{level:.2%}"


def shown_assumption(row: ValuationAssumption) -> str:
    """Return an assumption as people read it: rates in percent, amounts scaled."""
    if any(part in row.name for part in _RATES) and abs(row.value) < 10:
        return f"{row.value:.2%}"
    return Figure(row.name, row.value).text


def _money(value: float | None, currency: str) -> str:
    return Figure("money", value, currency).text


def _cell(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.2f}"


def _times(value: float | None) -> str:
    return Figure("multiple", value, "x").text


def _prices(prices: Sequence[float] | None, reason: str | None) -> str:
    return " / ".join(f"{bars:.2f}" for bars in prices) if prices else reason or "n/a"


def each_once(texts: Iterable[str]) -> tuple[str, ...]:
    """Return texts in their order without repeats."""
    return tuple(dict.fromkeys(texts))
