"""Fingerprints of the prompts: what a run card needs so that two runs can be told to have asked the same."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import lru_cache

from tradingagents.agents.analysts import (
    fundamentals_analyst,
    market_analyst,
    news_analyst,
    social_media_analyst,
)
from tradingagents.agents.debates import RISK_ANSWERING, RISK_OPENING
from tradingagents.agents.managers import research_manager, risk_manager
from tradingagents.agents.prompting import PREAMBLE, SCAN_DESK, TRADING_DESK
from tradingagents.agents.researchers import bear_researcher, bull_researcher
from tradingagents.agents.risk_mgmt import aggressive_debator, conservative_debator, neutral_debator
from tradingagents.agents.scanners import (
    geopolitical_scanner,
    industry_deep_dive,
    macro_synthesis,
    market_movers_scanner,
    sector_scanner,
)
from tradingagents.agents.trader import trader

_ONE_PROMPT = (
    market_analyst,
    social_media_analyst,
    news_analyst,
    fundamentals_analyst,
    research_manager,
    trader,
    risk_manager,
    geopolitical_scanner,
    market_movers_scanner,
    sector_scanner,
    industry_deep_dive,
    macro_synthesis,
)


@lru_cache(maxsize=1)
def prompt_hashes() -> Mapping[str, str]:
    """Return the SHA-256 of every agent's prompt template, and of the desk's preamble, by agent."""
    prompts = {
        "Desk": PREAMBLE + TRADING_DESK + SCAN_DESK,
        **{module.AGENT: module.PROMPT for module in _ONE_PROMPT},
        **{module.AGENT: module.OPENING + module.ANSWERING for module in (bull_researcher, bear_researcher)},
        **{
            module.AGENT: module.STANCE + RISK_OPENING + RISK_ANSWERING
            for module in (aggressive_debator, conservative_debator, neutral_debator)
        },
    }
    return {agent: hashlib.sha256(prompt.encode()).hexdigest() for agent, prompt in prompts.items()}
