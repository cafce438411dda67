"""Answers to questions about filings by rule, without a language model: figures from cells, and quoted sentences."""

from tradingagents.offline.filings.answers import answer_from_documents
from tradingagents.offline.filings.models import CitedSentence, ExtractiveAnswer

__all__ = ["CitedSentence", "ExtractiveAnswer", "answer_from_documents"]
