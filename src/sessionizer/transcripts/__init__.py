"""The search side's view of live transcripts: targets, turns, labels, texts, scanning.

Read `resolve` first. May import `landing.archive` and nothing else of the collector.
"""
