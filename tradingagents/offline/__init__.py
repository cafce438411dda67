"""Offline analysts: a chat model that answers every role by stated quantitative rules, without a language model."""

from tradingagents.offline.model import OfflineChatModel

__all__ = ["OfflineChatModel"]
