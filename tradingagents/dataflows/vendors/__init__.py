"""One file per vendor; each ends in the row types of `dataflows.models`."""
