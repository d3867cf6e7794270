"""Conversion of one piece of a source into one row; `..convert` is the way in.

Read `rows` first, then `readings`, then `content` and `blocks`. Everything here is pure, and
for the adapter alone.
"""
