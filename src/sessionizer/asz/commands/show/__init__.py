"""`asz show`."""
