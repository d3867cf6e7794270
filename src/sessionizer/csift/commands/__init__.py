"""One folder per command of `csift`: command, query, text, rows."""
