"""Ground without domain words: errors, files, locks, canonical JSON, digests, text, time.

Read `errors` first. Every package may import this one; it imports only the standard
library and msgspec.
"""
