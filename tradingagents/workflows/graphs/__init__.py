"""The LangGraph graphs, compiled from the roster of agents, one file each."""
