"""The neutral words: kinds, nodes, relations, qualities. Values only.

Read `nodes` first. Knows no coding agent and touches no file.
"""
