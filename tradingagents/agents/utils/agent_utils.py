"""The tools by their public import path, as LangChain tools: `get_stock_data.invoke({...})`, `llm.bind_tools([...])`.

Each answers with the settings of `dataflows.config` and is dated by its latest date argument; see
`capabilities.standalone`.
"""

from __future__ import annotations

from tradingagents.capabilities.registry import by_name
from tradingagents.capabilities.tools import standalone_tool

get_stock_data = standalone_tool(by_name("get_stock_data"))
get_indicators = standalone_tool(by_name("get_indicators"))
get_macro_regime = standalone_tool(by_name("get_macro_regime"))
get_peer_comparison = standalone_tool(by_name("get_peer_comparison"))
get_sector_relative = standalone_tool(by_name("get_sector_relative"))
get_fundamentals = standalone_tool(by_name("get_fundamentals"))
get_balance_sheet = standalone_tool(by_name("get_balance_sheet"))
get_cashflow = standalone_tool(by_name("get_cashflow"))
get_income_statement = standalone_tool(by_name("get_income_statement"))
get_ttm_analysis = standalone_tool(by_name("get_ttm_analysis"))
get_news = standalone_tool(by_name("get_news"))
get_global_news = standalone_tool(by_name("get_global_news"))
get_insider_transactions = standalone_tool(by_name("get_insider_transactions"))
get_market_movers = standalone_tool(by_name("get_market_movers"))
get_market_indices = standalone_tool(by_name("get_market_indices"))
get_sector_performance = standalone_tool(by_name("get_sector_performance"))
get_industry_performance = standalone_tool(by_name("get_industry_performance"))
get_topic_news = standalone_tool(by_name("get_topic_news"))
get_earnings_calendar = standalone_tool(by_name("get_earnings_calendar"))
get_economic_calendar = standalone_tool(by_name("get_economic_calendar"))
