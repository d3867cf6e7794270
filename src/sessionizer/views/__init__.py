"""What a reader sees of a folded conversation: outline, texts, the page.

Read `outline` first.
"""
