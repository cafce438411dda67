"""The phrases by which texts speak of figures: what they measure, over which period, of whom, which way they went."""

from __future__ import annotations

import re
from collections.abc import Mapping

_WORD = re.compile(r"\S+")


def _table(text: str) -> Mapping[str, tuple[str, ...]]:
    """Read `what: phrase, phrase` entries, continued on indented lines."""
    entries = re.sub(r"\n    ", " ", text.strip()).split("\n")
    return {what: tuple(said.split(", ")) for what, _, said in (entry.partition(": ") for entry in entries)}


CONCEPTS = _table("""
price: price, prices, close, closes, closed, closing, last close, closing price, share price, stock price, trades
    at, trading at, traded at, trade at, last price, market price, current price, settled at
open: opened at, opening price
high: high, highs, peak, peaked, intraday high, highest
low: low, lows, trough, intraday low, lowest
high_52w: high 52w, 52w high, 52 week high, 52 weeks high, yearly high, year high, annual high, high of the last 52
    weeks, one year high, high of the year
low_52w: low 52w, 52w low, 52 week low, 52 weeks low, yearly low, year low, annual low, low of the last 52 weeks,
    one year low, low of the year
range_52w: 52 week range, 52w range, year range, years range, yearly range, range of 52 weeks
level: support, resistance, floor, ceiling, range
sma50: close 50 sma, sma 50, 50 sma, 50 day sma, 50 day moving average, 50 day average, 50 day mean, 50dma, 50 dma,
    50 session mean, 50 session average, mean of 50 sessions, ma50, 50 day, sma50, 50 day simple moving average,
    fifty day average, 50 day ma
sma200: close 200 sma, sma 200, 200 sma, 200 day sma, 200 day moving average, 200 day average, 200 day mean, 200dma,
    200 dma, 200 session mean, 200 session average, mean of 200 sessions, ma200, 200 day, sma200, 200 day simple
    moving average, long term average, 200 day ma
ema10: close 10 ema, ema 10, 10 ema, 10 day ema, 10 day exponential moving average, ema10, ten day ema
ma: moving average, moving averages, sma, ema
macd: macd, macd line
macds: macds, signal line, macd signal
macdh: macdh, macd histogram, histogram
rsi: rsi, relative strength index, relative strength
boll: boll, bollinger middle, middle band, bollinger mid
bollinger: bollinger bands, bollinger band, bollinger
boll_ub: boll ub, upper bollinger band, upper bollinger, bollinger upper band, upper band, bollinger upper
boll_lb: boll lb, lower bollinger band, lower bollinger, bollinger lower band, lower band, bollinger lower
atr: atr, average true range, daily range, true range
vwma: vwma
mfi: mfi, money flow index
volume: volume, volumes, trading volume, turnover in shares
avg_volume: avg volume 20d, avg volume, average volume, average daily volume, mean volume
volatility: volatility 20d, volatility, annualised volatility, annualized volatility, realised volatility, realized
    volatility, vol
drawdown: max drawdown 1y, max drawdown, drawdown, maximum drawdown, deepest fall, peak to trough
beta: beta
return: return, returns, returned, change, performance, gain over, momentum, moved, move, change pct
alpha: alpha, outperformance, outperformed, outperforms, underperformance, underperformed, excess return, ahead of
    its sector, behind its sector, return against the sector, relative performance,
    relative return, leads by, lags by, gap to its sector
rank: rank 3m, rank, ranks, ranked
peers: peers count
revenue: revenue, revenues, sales, turnover, top line, net sales, ttm revenue, trailing revenue
gross_profit: gross profit, ttm gross profit
operating_income: operating income, operating profit, ebit, ttm operating income
ebitda: ebitda, ttm ebitda
net_income: net income, net profit, net earnings, bottom line, ttm net income
profit: profit, profits, earnings, earned
operating_cash_flow: operating cash flow, cash from operations, ocf, ttm operating cash flow
free_cash_flow: free cash flow, fcf, ttm free cash flow
cash_flow: cash flow, cash flows
gross_margin: gross margin, gross margins
operating_margin: operating margin, operating margins, ebit margin
net_margin: net margin, net margins, profit margin, net profit margin
margin: margin, margins
roe: roe, return on equity
roa: roa, return on assets
fcf_margin: fcf margin, free cash flow margin
fcf_yield: fcf yield, free cash flow yield
dividend_yield: dividend yield, yields, yielding
dividend: dividend, dividends, payout
pe: pe ttm, pe, p/e, price/earnings, price to earnings, price earnings, p/e ratio, trailing earnings, earnings
    multiple, times earnings, trailing pe, trailing p/e, price to earnings ratio
forward_pe: forward pe, forward p/e, forward earnings
ps: ps ttm, price/sales, ps, p/s, price to sales, times sales, price to sales ratio, p/s ratio
pb: pb, book, price/book, p/b, price to book, price to book ratio, times book, book value multiple, p/b ratio
peg: peg, peg ratio, price to growth
ev_ebitda: ev ebitda, ev/ebitda, enterprise value to ebitda, ev to ebitda
multiple: multiple, valuation, multiples
market_cap: market cap, market capitalisation, market capitalization, market value, values the company,
    capitalisation, capitalization
enterprise_value: enterprise value, ev
eps: eps ttm, eps, earnings per share, a share, per share, eps basic, eps diluted, diluted eps, basic eps
debt_to_equity: debt to equity, debt equity, d/e, leverage ratio, gearing, debt to equity ratio, debt/equity
current_ratio: current ratio
net_cash: net cash, net debt
total_debt: total debt, debt, debts, borrowings
equity: equity, shareholders equity, book equity, stockholders equity
total_assets: total assets, assets
total_liabilities: total liabilities, liabilities
cash: cash, cash and equivalents, cash position, cash pile
inventory: inventory, inventories
capital_expenditure: capital expenditure, capex, capital expenditures, capital spending
shares: shares outstanding, share count, shares, shares basic, shares diluted
revenue_qoq: revenue qoq
revenue_yoy: revenue yoy, revenue growth
companies: companies, companies with prices
articles: articles, article, headlines, news items
posts: posts, post
bullish: bullish
bearish: bearish
tagged: tagged
untagged: untagged, without a tag, no tag
bullish_share: bullish share, share of bullish
insider: insider, insiders, insiders sold, insiders bought
insider_net: net value, net insider
insider_buys: buys, buy value, bought, insider buying, purchases
insider_sells: sells, sell value, insider selling, insider sales
net_shares: net shares
regime_score: regime score, macro score, score
weight: market weight, weight
""")
"""What a figure measures. The names of statement items are added from `dataflows.reference.line_items`."""
PERIODS = _table("""
1d: 1d, 1 day, on the day, daily, today, in the session, day
1w: 1w, 1 week, one week, week, weekly, over the week
1m: 1m, 1 month, one month, month, monthly, a month, over the month
3m: 3m, 3 month, 3 months, three months, three month
6m: 6m, 6 month, 6 months, six months, six month, over six, half year
ytd: ytd, year to date, this year, since january, so far this year
1y: 1y, 12 months, one year, twelve months
yoy: yoy, year over year, year on year, than a year before, from a year ago, than a year earlier, than a year ago,
    y/y, annual growth, on the year, over the year before, a year earlier
qoq: qoq, quarter over quarter, quarter on quarter, sequential, sequentially, q/q, from the previous quarter, over
    the quarter before
""")
WAYS = _table("""
down: fell, fall, falls, fallen, falling, down, drop, drops, dropped, dropping, decline, declines, declined,
    declining, decrease, decreased, lost, lose, loses, losing, loss, losses, lower, slipped, slips, slump, slumps,
    slumped, shed, below, beneath, behind, short, shrank, shrunk, contracted, sank, tumbled, eased, trails, lags,
    lagged, underperformed, underperforms, sold, sell, sells, selling, cheaper, discount, plunged, retreated,
    weakened, cut
up: rose, rise, rises, risen, rising, up, gain, gains, gained, gaining, increase, increased, increases, added, adds,
    climbed, climbs, climb, higher, grew, grow, grows, growth, growing, advanced, rallied, rallies, above, ahead,
    jumped, surged, leads, outperformed, outperforms, bought, buy, buys, buying, premium, expanded, improved,
    returned
""")
SUBJECTS = _table("""
^gspc: s&p 500, s&p500, s&p, gspc, broad index, spx
^dji: dow, dow jones, dow jones industrial average, dji, djia
^ixic: nasdaq, nasdaq composite, ixic
^rut: russell 2000, russell, rut
^vix: vix, volatility index, cboe volatility index
@fund: sector etf, sector fund, etf, benchmark, sector, fund
@own: the stock, stock, the shares, its shares, the company, the share price
@peers: peer, peers, rival, rivals, competitor, competitors
information technology: technology, tech, information technology
health care: healthcare, health care
consumer staples: staples, consumer staples
consumer discretionary: discretionary, consumer discretionary
bond yield: bond yields, bond yield, ten year yields, ten year yield, 10 year yield, treasury yield, treasury
    yields, 10 year yields, ten year treasury
""")
"""Whom figures are of, beside the companies and sectors that a run's answers name. `@own` is the stock studied, `@fund`
what it is compared with, `@peers` any other company."""
CUES = _table("""
own: entry, enter, entries, stop, stops, stop loss, target, targets, take profit, profit target, size, sized,
    position, position size, allocation, allocate, commit, commits, portfolio, risk, trim, probability, confidence,
    conviction, odds, chance, weighting, limit order, buy near, buy at, sell at, exit, trailing stop, reward to
    risk, proposed, propose, derived, net score, tone, similarity, counted, reward, stake, buy zone, accumulate,
    asks for, ask for, asked for, side weighs, weighs
claim: broker, brokers, analyst, analysts, consensus, street, price target, guidance
if: if, should, unless, until, once, a close below, a close above, close below, close above, a break below, a break
    above, break below, break above, a move above, a move below, a drop below, a fall below, a rise above, a drop
    under, would, below which, falls below, rises above, drops below, crosses below, crosses above, slips under,
    threshold, closes below, closes above
past: from, previous, previously, before, earlier, prior, ago, was, were, had, compared, versus, vs, against, since,
    quarter, quarters, quarterly, year, years, peaked, rallied, range, between, after, began, beginning, start, end
    of, climbed, recent, history, bottomed, traded between, in january, improved from, weeks ago, on
pair: exceeds, exceed, exceeded, outweighs, surplus, gap, spread, difference, net, combined, together, total of,
    sum, distance, points, ratio, compares
""")
"""Words that tell how a number is meant: `own`, the writer's proposal or judgement; `claim`, somebody else's view;
`if`, a condition; `past`, a look back; `pair`, a difference, sum or ratio."""
WIDER = {
    "price": ("open", "high", "low", "boll"),
    "high": ("high_52w", "price"),
    "low": ("low_52w", "price"),
    "range_52w": ("high_52w", "low_52w"),
    "level": (
        "price", "open", "high", "low", "high_52w", "low_52w", "sma50", "sma200", "ema10", "boll", "boll_ub", "boll_lb",
    ),
    "ma": ("sma50", "sma200", "ema10"),
    "macd": ("macdh", "macds"),
    "margin": ("gross_margin", "operating_margin", "net_margin", "fcf_margin"),
    "profit": ("net_income", "gross_profit", "operating_income", "eps", "ebitda"),
    "cash_flow": ("operating_cash_flow", "free_cash_flow"),
    "multiple": ("pe", "ps", "pb", "peg", "ev_ebitda", "forward_pe"),
    "volume": ("avg_volume",),
    "shares": ("volume", "avg_volume", "net_shares", "insider_sells", "insider_buys", "shares_basic", "shares_diluted"),
    "insider": ("insider_buys", "insider_sells", "insider_net", "net_shares"),
    "insider_net": ("insider_buys", "insider_sells"),
    "revenue": ("revenue_qoq", "revenue_yoy"),
    "revenue_yoy": ("revenue", "revenue_qoq"),
    "return": ("change",),
    "eps": ("eps_basic", "eps_diluted"),
    "bollinger": ("boll_ub", "boll_lb", "boll"),
    "bullish_share": ("bullish",),
    "dividend": ("dividends_paid",),
}  # fmt: skip
"""Concepts that a looser word may stand for."""
RATIO_OF = {
    "revenue": ("ps",),
    "ebitda": ("ev_ebitda",),
    "profit": ("pe",),
    "net_income": ("pe",),
    "eps": ("pe",),
    "equity": ("pb",),
}
"""Multiples by what they are a multiple of: `11.5x sales`."""
LEVELS = frozenset(
    ("price", "open", "high", "low", "high_52w", "low_52w", "sma50", "sma200", "ema10", "boll", "boll_ub", "boll_lb")
)
"""Concepts that are prices of one instrument, so that a distance between two of them makes sense."""
UNSIGNED = frozenset(("drawdown", "insider_net", "net_shares", "capital_expenditure", "dividends_paid", "dividend"))
"""What people state without its sign."""
SAYS_NOTHING = frozenset(
    _WORD.findall("""
a about after against all also an and any are as at barely be bearish both bullish but by can clearly company could
day days down each eur fall far fell figure five for four from gain gained get had has have high how in into is it
its just last less loss lost low many may metric might month months more most much n/a neutral new not of on one
only or other our out over overall per percent point points price quarter quarters reading rise rose said say says
session sessions share shares should slightly so some source still stock such table than that the their then there
they this three to today two under up usd value very was week weeks well were what when which while who will with
would year years
""")
)
"""Words that two texts may share without speaking of the same thing."""
