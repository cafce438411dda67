"""The compiled LangGraph graphs and what routes them."""
