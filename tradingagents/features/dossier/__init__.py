"""A dossier: a finished run with all that it rests on, in one file that another machine recomputes."""
