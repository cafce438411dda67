"""Questions for lines read by rule: periods, qualifiers, functions, comparisons, measures, and words that are left."""
