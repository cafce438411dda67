"""What a model may remember of the days it is tested on, and whether its decisions follow the data or the name."""
