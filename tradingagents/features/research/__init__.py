"""Research on a question: understand, plan, carry out, judge, answer with sources."""
