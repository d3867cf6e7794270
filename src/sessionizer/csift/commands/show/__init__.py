"""`csift show`."""
