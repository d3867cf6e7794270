"""The adapter for Claude Code's files on this machine: sources, conversion, collection.

Read `sources` first, then `convert`, then `collect`.
"""
