"""Patterns: one parser of RE2's syntax, the engines behind it, and what every match must hold.

Read `pattern.compile` first.
"""
