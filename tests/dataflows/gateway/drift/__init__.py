"""New answers of vendors against their last good ones."""
