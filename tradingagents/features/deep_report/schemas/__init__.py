"""Records of deep reports: theses, falsifiers, changes."""
