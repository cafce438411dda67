"""Results about one company: statements, ratios, peers, news, posts, insiders, filings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tradingagents.lazy_names import lazy_names

if TYPE_CHECKING:
    from tradingagents.analytics.company.business import gross_profit_doubt
    from tradingagents.analytics.company.cross_check import compare
    from tradingagents.analytics.company.filings import FilingList, InsiderSummary, filing_list, insider_summary
    from tradingagents.analytics.company.financials import Financials
    from tradingagents.analytics.company.fundamentals import Fundamentals
    from tradingagents.analytics.company.metric_names import known_label, metric_label, metric_named
    from tradingagents.analytics.company.multiples import Multiples
    from tradingagents.analytics.company.news import (
        MarketDigest,
        NewsDigest,
        TopicDigest,
        company_digest,
        market_digest,
        topic_digest,
    )
    from tradingagents.analytics.company.news_ranking import (
        Ranking,
        rank_company_news,
        rank_market_news,
        rank_topic_news,
    )
    from tradingagents.analytics.company.peers import PeerComparison, PeerMultiples, peer_comparison
    from tradingagents.analytics.company.share_counts import earnings_per_share, latest_shares
    from tradingagents.analytics.company.social import SocialSentiment, social_sentiment
    from tradingagents.analytics.company.statements import StatementTable, statement_table
    from tradingagents.analytics.company.trailing import Trailing
    from tradingagents.analytics.company.ttm import TTMAnalysis

__all__ = [
    "FilingList",
    "Financials",
    "Fundamentals",
    "InsiderSummary",
    "MarketDigest",
    "Multiples",
    "NewsDigest",
    "PeerComparison",
    "PeerMultiples",
    "Ranking",
    "SocialSentiment",
    "StatementTable",
    "TTMAnalysis",
    "TopicDigest",
    "Trailing",
    "company_digest",
    "compare",
    "earnings_per_share",
    "filing_list",
    "gross_profit_doubt",
    "insider_summary",
    "known_label",
    "latest_shares",
    "market_digest",
    "metric_label",
    "metric_named",
    "peer_comparison",
    "rank_company_news",
    "rank_market_news",
    "rank_topic_news",
    "social_sentiment",
    "statement_table",
    "topic_digest",
]

__getattr__ = lazy_names(
    __name__,
    {
        "FilingList": "filings",
        "Financials": "financials",
        "Fundamentals": "fundamentals",
        "InsiderSummary": "filings",
        "MarketDigest": "news",
        "Multiples": "multiples",
        "NewsDigest": "news",
        "PeerComparison": "peers",
        "PeerMultiples": "peers",
        "Ranking": "news_ranking",
        "SocialSentiment": "social",
        "StatementTable": "statements",
        "TTMAnalysis": "ttm",
        "TopicDigest": "news",
        "Trailing": "trailing",
        "company_digest": "news",
        "compare": "cross_check",
        "earnings_per_share": "share_counts",
        "filing_list": "filings",
        "gross_profit_doubt": "business",
        "insider_summary": "filings",
        "known_label": "metric_names",
        "latest_shares": "share_counts",
        "market_digest": "news",
        "metric_label": "metric_names",
        "metric_named": "metric_names",
        "peer_comparison": "peers",
        "rank_company_news": "news_ranking",
        "rank_market_news": "news_ranking",
        "rank_topic_news": "news_ranking",
        "social_sentiment": "social",
        "statement_table": "statements",
        "topic_digest": "news",
    },
)
