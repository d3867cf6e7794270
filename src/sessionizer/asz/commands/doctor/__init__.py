"""`asz doctor`."""
