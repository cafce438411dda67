"""The runs of a home folder: their folders, index, rows, costs, exports and ledgers."""
