"""A grid of documents and questions: each cell a cited value, a quotation, absent, or a conflict."""
