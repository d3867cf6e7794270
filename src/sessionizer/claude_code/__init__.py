"""The dialect: the one package that knows what Claude Code writes, and where.

Read `discovery` first, then `records`. Imported by `adapters`, `transcripts` and what
lies above them; never by the neutral packages.
"""
