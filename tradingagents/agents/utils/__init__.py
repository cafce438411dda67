"""Import paths of the public predecessor for what lives elsewhere here: thin re-exports, nothing else."""
