"""Renderers of documents: Markdown and HTML."""
