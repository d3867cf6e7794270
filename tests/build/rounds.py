"""Chains of rounds: the acceptance conversation, and small drafts that a test varies."""

from pathlib import Path
from typing import Any

from sessionizer.base.digests import sha256_hex
from sessionizer.model.nodes import Entities, Node, Reference, Relation, Unresolved
from sessionizer.rounds.interpretation import Interpretation
from sessionizer.rounds.publish import Published, publish_round
from sessionizer.rounds.round import EncodedRound

SESSION = "11111111-1111-4111-8111-111111111111"
POLICY = "v1+idle=10m0s"
V1 = Interpretation("v1", POLICY, "")
# The landed files of cases F1 and F3.
F1_DIGEST = "ecedc087faf85ecfe32bb1a64647010805999ba2e901530824707ab35436ec2f"
F3_DIGEST = "90a1b52636ff87f06c5a98e2661b587623a9a56078f1247c7cd195ae6a64f651"

_RUN = "run/talk_main_p1/p1"
_SESSION_NODE = f"session/{SESSION}"


def at(seq: int, row: int, block: int | None = None) -> Reference:
    """A position."""
    return Reference(seq, row, block)


def entities(
    *nodes: Node, relations: tuple[Relation, ...] = (), unresolved: tuple[Unresolved, ...] = ()
) -> Entities:
    """Entities in the order they are given."""
    return Entities(nodes=nodes, relations=relations, unresolved=unresolved)


def node(node_id: str, **fields: Any) -> Node:
    """A node of kind `tool` unless `fields` says otherwise."""
    return Node(**{"id": node_id, "kind": "tool", **fields})


def digest_of(seq: int) -> str:
    """An invented file digest for landed file `seq`."""
    return sha256_hex(f"landed file {seq}".encode())


def landed(through_seq: int) -> tuple[tuple[int, str], ...]:
    """Invented landed files 1 to `through_seq`."""
    return tuple((seq, digest_of(seq)) for seq in range(1, through_seq + 1))


def publish(directory: Path, assembled: Entities, through_seq: int, **fields: Any) -> Published:
    """Publish `assembled` over invented landed files; `fields` replaces any argument."""
    given: dict[str, Any] = {
        "entities": assembled,
        "session": SESSION,
        "conversation": directory.name,
        "through_seq": through_seq,
        "landed_digests": landed(through_seq),
        "dialect": "claude-code/1",
        "summary": None,
    }
    return publish_round(directory, **{**given, **fields})


def write_round(directory: Path, number: int, encoded: EncodedRound) -> Path:
    """Put the bytes of a round where a reader finds them, under their right name."""
    rounds = directory / "rounds"
    rounds.mkdir(parents=True, exist_ok=True)
    path = rounds / f"r{number:06d}-{encoded.digest[:12]}.sf"
    path.write_bytes(encoded.body)
    return path


def f2_entities() -> Entities:
    """The structure of case F2, as parser `v1` assembles it from the landed file of F1."""
    usage = {"usage": "observed_replayable", "usage_from": "last_fragment_in_line_order"}
    gates = ["activity_boundary", "lateness_watermark"]
    main = {"stream": "main"}
    return Entities(
        nodes=(
            Node(
                id="call/msg_1",
                kind="llm.call",
                parent=_RUN,
                ref=at(1, 2),
                refs=(at(1, 2), at(1, 3)),
                attrs={"usage_at": {"seq": 1, "row": 3}, "fragments": 2, **usage},
                **main,
            ),
            Node(
                id="call/msg_2",
                kind="llm.call",
                parent=_RUN,
                ref=at(1, 5),
                refs=(at(1, 5),),
                attrs={"usage_at": {"seq": 1, "row": 5}, "fragments": 1, **usage},
                **main,
            ),
            Node(
                id="epoch/main/0",
                kind="epoch",
                parent="stream/main",
                ref=at(1, 1),
                attrs={"reset": "none", "records": 6},
                **main,
            ),
            Node(id="input/1/1", kind="message.external", parent=_RUN, ref=at(1, 1), **main),
            Node(
                id="msg/1/5:0",
                kind="message.assistant",
                parent="call/msg_2",
                ref=at(1, 5, 0),
                **main,
            ),
            Node(
                id=_RUN,
                kind="run",
                parent="talk/main/p1",
                ref=at(1, 1),
                attrs={"trigger": "external"},
                **main,
            ),
            Node(
                id="segment/at_1_1",
                kind="segment",
                parent=_SESSION_NODE,
                ref=at(1, 1),
                attrs={"talks": 1, "state": "open", "gates_unmet": gates, "committable": False},
            ),
            Node(id=_SESSION_NODE, kind="session", attrs={"conversation": SESSION}),
            Node(
                id="stream/main",
                kind="stream",
                parent=_SESSION_NODE,
                ref=at(1, 1),
                attrs={"role": "main", "records": 6},
                **main,
            ),
            Node(
                id="talk/main/p1",
                kind="talk",
                parent="epoch/main/0",
                ref=at(1, 1),
                attrs={"trigger": "external", "runs": 1, "loops": 1},
                **main,
            ),
            Node(id="think/1/2:0", kind="thinking", parent="call/msg_1", ref=at(1, 2, 0), **main),
            Node(
                id="tool/toolu_1",
                kind="tool",
                parent="call/msg_1",
                ref=at(1, 3, 0),
                refs=(at(1, 3, 0), at(1, 4, 0)),
                attrs={
                    "name": "Bash",
                    "timing": "unavailable",
                    "result": "available",
                    "result_join": "exact_unique",
                },
                **main,
            ),
            Node(
                id="turn/1/6",
                kind="turn.duration",
                parent=_RUN,
                ref=at(1, 6),
                attrs={"measured_by": "observed_replayable"},
                **main,
            ),
        ),
        relations=(
            Relation(
                id="rel/in_segment/talk_main_p1/segment_at_1_1",
                type="in_segment",
                source="talk/main/p1",
                target="segment/at_1_1",
                quality="exact_unique",
                via="activity window",
                evidence=(at(1, 1),),
            ),
        ),
    )
