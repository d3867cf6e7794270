"""Parts of the benchmark runner.

Read `comparisons` first: what is compared with what, as data.
"""
