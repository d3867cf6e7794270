"""`csift search`."""
