"""Benchmarks: a corpus generator, and a runner of paired comparisons. See README.md."""
