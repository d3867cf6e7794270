"""The structure that a reader walks: order, containment, and what hangs nowhere."""

from hypothesis import given
from hypothesis import strategies as st

from sessionizer.model.nodes import Node, Reference
from sessionizer.rounds.fold import Folded
from sessionizer.rounds.frames import SessionRange
from sessionizer.views.outline import build_outline


def folded(*nodes: Node, sessions: tuple[str, ...] = ("s",)) -> Folded:
    ranges = tuple(SessionRange(session, 1, 9) for session in sessions)
    return Folded(nodes={node.id: node for node in nodes}, session=sessions[0], sessions=ranges)


def at(seq: int, row: int, block: int | None = None, session: str | None = None) -> Reference:
    return Reference(seq, row, block, session)


def test_children_stand_in_display_order() -> None:
    """By position; a whole record before its parts; ids last; no position after all others."""
    talk = Node(id="talk", kind="talk", stream="main")
    nodes = [
        Node(id="e", kind="tool", parent="talk"),
        Node(id="d", kind="tool", parent="talk", ref=at(2, 1)),
        Node(id="c", kind="tool", parent="talk", ref=at(1, 10)),
        Node(id="b", kind="tool", parent="talk", ref=at(1, 2, 0)),
        Node(id="a2", kind="tool", parent="talk", ref=at(1, 2)),
        Node(id="a1", kind="tool", parent="talk", ref=at(1, 2)),
    ]

    outline = build_outline(folded(talk, *nodes))

    assert [node.id for node in outline.children["talk"]] == ["a1", "a2", "b", "c", "d", "e"]


def test_positions_of_a_further_session_follow_those_of_the_first() -> None:
    """Sequence numbers of two sessions do not compare."""
    first = Node(id="z", kind="talk", stream="main", ref=at(9, 1))
    second = Node(id="a", kind="talk", stream="s2:main", ref=at(1, 1, session="s2"))

    outline = build_outline(folded(second, first, sessions=("s", "s2")))

    assert [talk.id for talk in outline.talks] == ["z", "a"]
    assert outline.position(at(1, 1, session="s2")) == ("s2", 1, 1)
    assert outline.position(at(1, 1, session="s")) == outline.position(at(1, 1)) == ("", 1, 1)


def test_main_streams_come_first() -> None:
    """A child may land before its parent."""
    main = Node(
        id="stream/main", kind="stream", stream="main", ref=at(2, 1), attrs={"role": "main"}
    )
    child = Node(id="stream/a", kind="stream", stream="a", ref=at(1, 1), attrs={"role": "child"})

    assert [one.id for one in build_outline(folded(child, main)).streams] == [
        "stream/main",
        "stream/a",
    ]


def test_what_lies_in_no_talk_is_outside() -> None:
    """Also when its parent is not there."""
    talk = Node(id="talk", kind="talk")
    run = Node(id="run", kind="run", parent="talk")
    inside = Node(id="in", kind="tool", parent="run")
    lost = Node(id="lost", kind="tool", parent="gone")
    reset = Node(id="reset", kind="epoch.boundary", parent="epoch")
    epoch = Node(id="epoch", kind="epoch")

    outline = build_outline(folded(talk, run, inside, lost, reset, epoch))

    assert [(placed.node.id, placed.depth) for placed in outline.steps["talk"]] == [("in", 2)]
    assert outline.talk_of == {"talk": "talk", "run": "talk", "in": "talk"}
    assert [node.id for node in outline.outside] == ["lost", "reset"]


@given(st.lists(st.tuples(st.integers(0, 8), st.integers(0, 8), st.booleans()), max_size=12))
def test_parents_that_lead_in_a_circle_end(edges: list[tuple[int, int, bool]]) -> None:
    """A chain is checked for its digests, not for its sense."""
    nodes = [
        Node(id=str(child), kind="talk" if is_talk else "tool", parent=str(parent))
        for child, parent, is_talk in edges
    ]

    outline = build_outline(folded(*nodes))

    for below in outline.steps.values():
        assert len({placed.node.id for placed in below}) == len(below)
    shown = {placed.node.id for below in outline.steps.values() for placed in below}
    steps = {node_id for node_id, node in outline.nodes.items() if node.kind == "tool"}
    assert shown | {node.id for node in outline.outside} == steps
