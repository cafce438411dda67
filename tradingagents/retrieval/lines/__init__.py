"""Lines over spans: questions for figures of several years, companies, parts or tables, read and answered by rule."""
