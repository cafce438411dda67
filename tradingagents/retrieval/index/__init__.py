"""Lexical, statement-aware search over the pages of documents."""
