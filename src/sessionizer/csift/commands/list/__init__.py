"""`csift list`."""
