"""Derived look-ups over landed records: identifiers and shape, no text.

Read `entry` first. May be deleted at any time; it is rebuilt from landed files.
"""
