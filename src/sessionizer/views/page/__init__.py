"""The local page: a small read-only server and its static files.

Read `application` first.
"""
