"""`asz verify`."""
