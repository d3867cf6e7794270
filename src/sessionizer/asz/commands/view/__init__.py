"""`asz view`."""
