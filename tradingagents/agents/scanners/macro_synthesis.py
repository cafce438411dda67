"""Macro synthesis: weighs the four reports into macro context, themes and stocks; writes `macro_scan_summary` (JSON)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.agents.scanners.candidates import NoSummary
from tradingagents.agents.spec import ReportSection, SynthesisAgent
from tradingagents.offline.brief import ObjectRule
from tradingagents.offline.scan.synthesis import NO_CANDIDATE, macro_synthesis

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

    from tradingagents.agents.builders.node import Node

__all__ = ["PROMPT", "SPEC", "NoSummary", "create_macro_synthesis"]

PROMPT = """
You have the last word of the scan. Weigh the four reports into one view of the market: where the economy stands, which themes
run through it, and which stocks a team of analysts should study next. A pick is a stock worth studying, up or down; it is no
recommendation to buy.

Take picks only from the table of candidates above, by the ticker as it stands there, each at most once, best first; its last
column names the tools that gave each. Of a company's share classes one stands there. Prefer stocks that several findings point to;
put first what moved for a reason that was read, and spread them over more than one sector unless the evidence lies in one. For
each give the stance (buy_candidate, short_candidate, or watch), the angle, the conviction, the rationale with
its figures as they were read, catalysts and risks that stand in the reports, and one to three facts with the tool or report each
comes from. Conviction is high only where several independent findings agree. What the reports do not tell is not known: leave a
list empty rather than fill it.

Picks asked: {asked}
"""
SPEC = SynthesisAgent(
    name="Macro Synthesis",
    phase="synthesis",
    tier="deep",
    output_key="macro_scan_summary",
    prompt=PROMPT,
    input_phases=("scanners", "industries"),
    sections=(ReportSection("macro_scan_summary", "Market scan", "market scan", "0_scan/market_scan.md"),),
    offline=ObjectRule(macro_synthesis, NO_CANDIDATE),
)
"""Its section stands in the reports of a run that the scan handed over to."""


def create_macro_synthesis(llm: BaseChatModel) -> Node:
    """Return the macro synthesis.

    Its node raises NoData where nothing that was read names a stock, and NoSummary where the model twice gave no summary
    that names as many different candidates as asked.
    """
    from tradingagents.agents.builders.synthesis import synthesis_agent

    return synthesis_agent(SPEC, llm)
