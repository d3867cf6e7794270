"""`asz sources`."""
