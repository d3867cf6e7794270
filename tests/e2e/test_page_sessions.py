"""The page of a conversation that tells of two sessions."""

from pathlib import Path

from sessionizer.asz.parsing import Parser
from sessionizer.model.nodes import Entities, Node, Reference
from sessionizer.rounds.input_digest import Evidence
from sessionizer.rounds.publish import publish_round
from tests.build.home import S1, S2, Home
from tests.build.reading import Root


def test_positions_name_their_session(home: Home, tmp_path: Path) -> None:
    """Both sessions have a file 1; texts, times and records come from the right one."""
    home.transcript(S1).user("first", promptId="p1", at="10:00:00")
    home.transcript(S2).user("second", promptId="p2", at="11:00:00")
    root = Root(home, tmp_path / "root")
    root.archive.collect()
    nodes = []
    for session, stream, scope in ((S1, "main", None), (S2, f"{S2}:main", S2)):
        ref = Reference(1, 1, session=scope)
        nodes += [
            Node(
                id=f"stream/{stream}", kind="stream", stream=stream, ref=ref, attrs={"role": "main"}
            ),
            Node(id=f"talk/{stream}/p", kind="talk", stream=stream, ref=ref),
            Node(
                id=f"input/{session}",
                kind="message.external",
                parent=f"talk/{stream}/p",
                stream=stream,
                ref=ref,
            ),
        ]
    publish_round(
        root.conversation("both"),
        entities=Entities(nodes=tuple(sorted(nodes, key=lambda node: node.id))),
        session=S1,
        conversation="both",
        through_seq=1,
        landed_digests=(),
        dialect="claude-code/1",
        summary=None,
        more=(Evidence(session=S2, through_seq=1),),
    )
    reader = root.reader()

    overview = reader.json("/api/c/both")
    nodes_of_second = reader.talk("both", f"talk/{S2}:main/p")

    assert overview["sessions"] == [S1, S2]
    assert [(talk["label"], talk["child"]) for talk in overview["talks"]] == [
        ("first", False),
        ("second", False),
    ]
    assert overview["talks"][1]["from"] - overview["talks"][0]["from"] == 3_600_000
    assert nodes_of_second[f"input/{S2}"]["text"] == "second"
    assert nodes_of_second[f"input/{S2}"]["ref"] == {"seq": 1, "row": 1, "session": S2}
    second = reader.json(f"/api/c/both/record/1/1?session={S2}")
    assert second["record"]["parts"][0]["text"] == "second"
    assert reader.json("/api/c/both/record/1/1")["record"]["parts"][0]["text"] == "first"
    row = reader.json("/api/conversations")[0]
    assert (row["id"], row["to"] - row["from"]) == ("both", 3_600_000)


def test_a_conversation_that_goes_on_elsewhere_says_where(home: Home, tmp_path: Path) -> None:
    """Whoever adds up the rows would count its talks twice."""
    home.transcript(S1).human("p1", "first")
    home.transcript(S2).human("p2", "second")
    root = Root(home, tmp_path / "root")
    root.update()
    tuple(Parser(root.zone, {"both": (S1, S2)}).parse(now_ns=1))

    rows = {
        row["id"]: row.get("continued_in", "") for row in root.reader().json("/api/conversations")
    }

    assert rows == {S1: "both", S2: "both", "both": ""}
