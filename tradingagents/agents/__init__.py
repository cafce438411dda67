"""The agents: one file each; their three shapes are in `shapes`."""
