"""Tables of HTML filings: grids, columns with periods, units, and which primary statement a table is."""
