"""The command line of both programs: flag tables, parsing, output, the one exit.

Read `flags` first, then `program`. Only `asz` and `csift` import it.
"""
