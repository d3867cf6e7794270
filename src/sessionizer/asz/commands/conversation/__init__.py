"""`asz conversation`."""
