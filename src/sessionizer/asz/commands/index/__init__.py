"""`asz index`."""
