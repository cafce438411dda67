"""The generated reference pages: one module each, every one a function that returns the page's Markdown."""
