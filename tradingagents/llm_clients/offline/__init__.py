"""Offline analysts: a chat model that answers every role by stated quantitative rules, without a language model."""

from tradingagents.llm_clients.offline.model import OfflineChatModel

__all__ = ["OfflineChatModel"]
