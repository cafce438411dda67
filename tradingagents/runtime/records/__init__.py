"""What the record of a run is made of."""
