"""The order in which nodes are shown. It proves nothing about cause."""

from sessionizer.model.ids import id_sort_key
from sessionizer.model.nodes import Node

OrderKey = tuple[int, int, int, int, int, bytes]


def node_order(node: Node, sessions: tuple[str, ...] = ()) -> OrderKey:
    """Sort key: nodes with a position first, by position, whole records before parts, then id.

    `sessions` is the order of a conversation's sessions; positions of other sessions come
    after those of the first.
    """
    ref = node.ref
    if ref is None:
        return (1, 0, 0, 0, 0, id_sort_key(node.id))
    rank = 0 if ref.session is None or ref.session not in sessions else sessions.index(ref.session)
    block = -1 if ref.block is None else ref.block
    return (0, rank, ref.seq, ref.row, block, id_sort_key(node.id))
