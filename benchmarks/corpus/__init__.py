"""Parts of the corpus generator, standard library only.

Read `documented` first (the shares and counts to reproduce), then `workshop`, then
`transcript`, `conversation` and `sessions`.
"""
