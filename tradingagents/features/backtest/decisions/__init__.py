"""How decisions are made and stored: beside the graph or through it, in this process, in several, or on a cluster."""
