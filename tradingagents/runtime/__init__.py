"""Services a run needs, the executor that takes it through its graph, and what it leaves behind."""
