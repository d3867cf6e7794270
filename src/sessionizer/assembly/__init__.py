"""Eight pure stages from index entries to a conversation's structure.

Read `pipeline` first. Touches no file, clock or environment.
"""
