"""What a run will cost, told before it begins: no model is asked, nothing is written."""
