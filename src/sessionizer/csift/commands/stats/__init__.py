"""`csift stats`."""
