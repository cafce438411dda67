"""The simulated market: fictional companies and a market around them, made from a seed. No key, no network.

Invented companies over the eleven sectors (`companies.py`) move with a market that is calm, nervous or in a bear phase
(`market.py`), with their sector, with their earnings and on their own (`shares.py`). Indices and funds are exactly what
they hold (`world.py`). Books balance and become known when they are filed (`books.py`, `filings.py`). Filings surprise,
and move prices for weeks (`operations.py`). The press leads, lags or babbles (`news.py`, `global_news.py`); the world's
tensions are found by topic only. A crowd repeats what prices and press have said (`posts.py`). The economy
(`economy.py`) follows the market, and moves nothing.
What is hidden from readers, tests can ask for: `SimulatedVendor.earnings_truth`, `news_truth`, `traits`, `regime`.

Everything depends on the seed and on its own label only, never on the question or the day it is asked, and a longer
calendar only adds to it. Gaps are there on purpose:

* `NO_NEWS`: companies nobody writes about, so `get_news` is empty.
* `NO_POSTS`: companies nobody posts about: those without news, and the smallest.
* `NO_STATEMENTS`: companies that file nothing, so `get_statements` raises `NoData`: a holding of royalties, and a
  listing of March 2025 that also has a short price history and is in no index.

Live ratios (`get_fundamentals`) are not answered: statements and prices say the same for any day.
"""

from tradingagents.dataflows.vendors.simulated.companies import COMPANIES, NO_NEWS, NO_STATEMENTS
from tradingagents.dataflows.vendors.simulated.market import Regime
from tradingagents.dataflows.vendors.simulated.posts import NO_POSTS
from tradingagents.dataflows.vendors.simulated.truth import EarningsTruth, NewsTruth
from tradingagents.dataflows.vendors.simulated.vendor import SYMBOLS, SimulatedVendor

__all__ = [
    "COMPANIES",
    "NO_NEWS",
    "NO_POSTS",
    "NO_STATEMENTS",
    "SYMBOLS",
    "EarningsTruth",
    "NewsTruth",
    "Regime",
    "SimulatedVendor",
]
