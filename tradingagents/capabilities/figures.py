"""Single figures for a period that is named: from statements, and of a price between two days."""

from __future__ import annotations

from datetime import date, timedelta

from tradingagents.analytics.price.price_change import PriceChange
from tradingagents.analytics.price.price_change import price_change as change_of
from tradingagents.capabilities.capability import capability
from tradingagents.capabilities.company import FUNDAMENTALS_FROM, every_statement, per_quoted_share
from tradingagents.dataflows.market_data import MarketData
from tradingagents.errors import NoData, UsageError
from tradingagents.retrieval.figures.statement_figures import Change, FigureRequest, StatementFigure
from tradingagents.retrieval.figures.statement_figures import statement_figure as figure_of

BEFORE_WINDOW = timedelta(days=20)
"""Calendar days of prices before a window, which hold the close before its first day."""


@capability(
    title="Figure of the statements",
    returns=StatementFigure,
    requires={"get_income_statement"},
    uses=set(FUNDAMENTALS_FROM) - {"get_income_statement"},
    example={"figure": "revenue", "period": "twelve_months"},
)
def get_statement_figure(
    data: MarketData,
    ticker: str,
    figure: str,
    period: str = "twelve_months",
    change: Change = "none",
    from_period: str = "",
    curr_date: date | None = None,
) -> StatementFigure:
    """Compute one figure of a company's statements for a named period, with its formula and the cells it rests on.

    Args:
        ticker: Ticker, for example AAPL.
        figure: A line item or ratio in words, for example revenue, operating margin, free cash flow, quick ratio.
        period: FY2024, Q3 FY2024, latest_year, latest_quarter or twelve_months.
        change: growth, difference, average or cagr over the periods from `from_period`; none: the value of the period.
        from_period: First period of a change, written like `period` or as `3 years before`; empty: a year before.
        curr_date: Day by which statements were filed, YYYY-MM-DD; none: the day of this study.
    """
    market = data.as_of_date(curr_date)
    statements = per_quoted_share(market, ticker, every_statement(market, ticker))
    if not statements:
        vendor, last = market.vendor_of("get_income_statement"), market.cutoff.session
        raise NoData(f"{vendor} has no statement of {ticker} from {last} or before; continue without it.")
    return figure_of(
        statements,
        FigureRequest(figure, period, from_period, change),
        as_of=market.as_of,
        fetched_at=market.asked_at,
        profile=market.known_profile(ticker),
    )


@capability(title="Price change", returns=PriceChange, requires={"get_stock_data"})
def get_price_change(data: MarketData, ticker: str, start_date: date, end_date: date) -> PriceChange:
    """Get what a price did between two days: closes, change, total return with dividends, highest and lowest close.

    Args:
        ticker: Symbol, for example AAPL or ^GSPC.
        start_date: First day, YYYY-MM-DD; the base of changes is the last close on or before it.
        end_date: Last day, YYYY-MM-DD.
    """
    if start_date > end_date:
        raise UsageError(f"The window begins on {start_date}, after its end on {end_date}; exchange the two.")
    days = (data.as_of - start_date).days + BEFORE_WINDOW.days
    prices = data.prices(ticker, days=max(days, data.settings.price_history_days))
    return change_of(prices, as_of=data.as_of, start=start_date, end=end_date, known_at=data.cutoff.instant)
