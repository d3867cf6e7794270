"""`csift verbatim`."""
