"""Kept bytes and Session Data: write-once files, cursors, the storage root.

Read `record` first, then `zone`. Only `index`, `adapters`, `views` and `asz` may
import it (`transcripts` only `landing.archive`).
"""
