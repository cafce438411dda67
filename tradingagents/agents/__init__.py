"""The agents, one file each, listed in `roster`. The names below are imported when first used."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.agents.analysts.fundamentals_analyst import create_fundamentals_analyst
    from tradingagents.agents.analysts.market_analyst import create_market_analyst
    from tradingagents.agents.analysts.news_analyst import create_news_analyst
    from tradingagents.agents.analysts.social_media_analyst import create_social_media_analyst
    from tradingagents.agents.final_decision import FinalDecision
    from tradingagents.agents.managers.research_manager import create_research_manager
    from tradingagents.agents.managers.risk_manager import create_risk_manager
    from tradingagents.agents.researchers.bear_researcher import create_bear_researcher
    from tradingagents.agents.researchers.bull_researcher import create_bull_researcher
    from tradingagents.agents.risk_mgmt.aggressive_debator import create_aggressive_debator
    from tradingagents.agents.risk_mgmt.conservative_debator import create_conservative_debator
    from tradingagents.agents.risk_mgmt.neutral_debator import create_neutral_debator
    from tradingagents.agents.scanners.geopolitical_scanner import create_geopolitical_scanner
    from tradingagents.agents.scanners.industry_deep_dive import create_industry_deep_dive
    from tradingagents.agents.scanners.macro_synthesis import create_macro_synthesis
    from tradingagents.agents.scanners.market_movers_scanner import create_market_movers_scanner
    from tradingagents.agents.scanners.sector_scanner import create_sector_scanner
    from tradingagents.agents.states import AgentState, InvestDebateState, RiskDebateState
    from tradingagents.agents.trader.trader import create_trader
    from tradingagents.agents.utils.memory import FinancialSituationMemory

__all__ = [
    "AgentState",
    "FinalDecision",
    "FinancialSituationMemory",
    "InvestDebateState",
    "RiskDebateState",
    "create_aggressive_debator",
    "create_bear_researcher",
    "create_bull_researcher",
    "create_conservative_debator",
    "create_fundamentals_analyst",
    "create_geopolitical_scanner",
    "create_industry_deep_dive",
    "create_macro_synthesis",
    "create_market_analyst",
    "create_market_movers_scanner",
    "create_neutral_debator",
    "create_news_analyst",
    "create_research_manager",
    "create_risk_manager",
    "create_sector_scanner",
    "create_social_media_analyst",
    "create_trader",
]

_LOAD = lazy_names(
    __name__,
    {
        "create_market_analyst": "analysts.market_analyst",
        "create_social_media_analyst": "analysts.social_media_analyst",
        "create_news_analyst": "analysts.news_analyst",
        "create_fundamentals_analyst": "analysts.fundamentals_analyst",
        "create_bull_researcher": "researchers.bull_researcher",
        "create_bear_researcher": "researchers.bear_researcher",
        "create_research_manager": "managers.research_manager",
        "create_risk_manager": "managers.risk_manager",
        "create_trader": "trader.trader",
        "create_aggressive_debator": "risk_mgmt.aggressive_debator",
        "create_conservative_debator": "risk_mgmt.conservative_debator",
        "create_neutral_debator": "risk_mgmt.neutral_debator",
        "create_geopolitical_scanner": "scanners.geopolitical_scanner",
        "create_market_movers_scanner": "scanners.market_movers_scanner",
        "create_sector_scanner": "scanners.sector_scanner",
        "create_industry_deep_dive": "scanners.industry_deep_dive",
        "create_macro_synthesis": "scanners.macro_synthesis",
        "AgentState": "states",
        "InvestDebateState": "states",
        "RiskDebateState": "states",
        "FinalDecision": "final_decision",
        "FinancialSituationMemory": "utils.memory",
    },
)


def __getattr__(name: str) -> Any:
    return _LOAD(name)
