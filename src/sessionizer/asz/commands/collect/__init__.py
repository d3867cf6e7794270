"""`asz collect`."""
