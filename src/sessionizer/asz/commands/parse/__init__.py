"""`asz parse`."""
