"""Files under the home folder: run folders, their index, costs, exports, and atomic writes."""
