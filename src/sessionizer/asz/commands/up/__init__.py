"""`asz up`."""
