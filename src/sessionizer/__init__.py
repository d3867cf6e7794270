"""sessionizer: keep, assemble, read and search what AI coding agents leave on disk.

Two programs, `asz` and `csift`, over one shared understanding of the files. Read
ARCHITECTURE.md first.
"""
