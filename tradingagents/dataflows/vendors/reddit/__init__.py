"""Reddit, over its public JSON."""

from tradingagents.dataflows.vendors.reddit.vendor import RedditVendor

__all__ = ["RedditVendor"]
