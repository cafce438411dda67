"""A vendor's new answer against its last good one to the same question, and against a second vendor's."""
