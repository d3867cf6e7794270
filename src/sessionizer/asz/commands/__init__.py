"""One folder per command of `asz`: command, query, text, rows."""
