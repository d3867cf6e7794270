"""Session Flow: immutable rounds, linked by digest, and their fold.

Read `frames` first, then `chain`. Knows nothing of landed files but their digests.
"""
