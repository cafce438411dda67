"""Parts of a company in a question: which it has, lists of them, what is left out, what one is of the whole."""
