"""Renderers of reports: Markdown and HTML."""
