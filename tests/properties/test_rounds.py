"""Laws of rounds: exact codec, no unnoticed change, fold equals assembly, no growth at rest."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessionizer.base.errors import SessionizerError
from sessionizer.model.ids import id_sort_key, relation_id, unresolved_id
from sessionizer.model.kinds import QUALITIES, RELATION_TYPES, STEP_KINDS, STRUCTURE_KINDS
from sessionizer.model.nodes import Entities, Node, Reference, Relation, Unresolved
from sessionizer.rounds.chain import read_chain
from sessionizer.rounds.delta import diff_entities
from sessionizer.rounds.fold import Folded, fold_rounds
from sessionizer.rounds.frames import Header
from sessionizer.rounds.round import CheckedRound, Round, decode_round, encode_round
from tests.build.rounds import SESSION, publish

# Everything JSON text can hold; surrogates are no text.
TEXT = st.text(st.characters(exclude_categories=("Cs",)), max_size=12)
NAME = st.text(st.characters(exclude_categories=("Cs",)), min_size=1, max_size=4)
# Few names, so that drafts share ids.
SHORT = st.sampled_from(["a", "b", "c/d", "c_d", "é", "\U0001f600", "<&>"])
REFERENCE = st.builds(
    Reference,
    st.integers(1, 3),
    st.integers(1, 9),
    st.none() | st.integers(0, 3),
)
VALUE = st.recursive(
    st.booleans() | st.integers(-(2**70), 2**70) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
NODE = st.builds(
    lambda name, kind, **fields: Node(id=f"{kind}/{name}", kind=kind, **fields),
    SHORT,
    st.sampled_from([*STRUCTURE_KINDS, *STEP_KINDS]),
    parent=st.none() | NAME,
    stream=st.none() | NAME,
    ref=st.none() | REFERENCE,
    refs=st.lists(REFERENCE, max_size=3).map(tuple),
    attrs=st.dictionaries(TEXT, VALUE, max_size=3),
)
RELATION = st.builds(
    lambda kind, source, target, **fields: Relation(
        id=relation_id(kind, source, target), type=kind, source=source, target=target, **fields
    ),
    st.sampled_from(RELATION_TYPES),
    SHORT,
    SHORT,
    quality=st.sampled_from(QUALITIES),
    via=st.none() | NAME,
    evidence=st.lists(REFERENCE, max_size=2).map(tuple),
)
UNRESOLVED = st.builds(
    lambda kind, ref, reason: Unresolved(
        id=unresolved_id(kind, ref), kind=kind, ref=ref, reason=reason
    ),
    st.sampled_from(["tool_use", "tool_result"]),
    SHORT,
    st.none() | NAME,
)


def unique(entity: st.SearchStrategy) -> st.SearchStrategy:
    """Entities as an assembly gives them: unique by id, sorted by its bytes."""
    return st.lists(entity, max_size=6, unique_by=lambda one: one.id).map(
        lambda found: tuple(sorted(found, key=lambda one: id_sort_key(one.id)))
    )


ENTITIES = st.builds(
    Entities, nodes=unique(NODE), relations=unique(RELATION), unresolved=unique(UNRESOLVED)
)


def next_round(folded: Folded, entities: Entities) -> CheckedRound:
    """The round that turns `folded` into `entities`, encoded and read again."""
    delta = diff_entities(entities, folded)
    header = Header(
        schema="sf/1",
        conversation="c",
        session="s",
        round=folded.round + 1,
        previous=folded.digest,
        from_seq=folded.through_seq + 1,
        through_seq=folded.through_seq + 3,
        input_digest="d",
        parser="v2",
        policy="p",
    )
    draft = Round(
        header=header,
        nodes=delta.nodes,
        relations=delta.relations,
        unresolved=delta.unresolved,
    )
    encoded = encode_round(draft)
    checked = decode_round(encoded.body, name="r")
    assert checked.round == draft
    assert encode_round(checked.round) == encoded
    return checked


@given(st.lists(ENTITIES, max_size=4))
def test_folding_all_differences_gives_the_last_assembly(assemblies: list[Entities]) -> None:
    """Whatever an assembly says after another, the chain follows; and the codec is exact."""
    folded = Folded()
    rounds = []
    for entities in assemblies:
        checked = next_round(folded, entities)
        rounds.append(checked)
        folded = fold_rounds([checked], folded)
        assert folded.entities == entities
        assert not diff_entities(entities, folded)
    assert fold_rounds(rounds) == folded


@given(ENTITIES, st.data())
def test_any_changed_byte_is_refused(entities: Entities, data: st.DataObject) -> None:
    """Every byte of a round is covered, also those of its last line."""
    delta = diff_entities(entities, Folded())
    checked = next_round(Folded(), entities)
    body = encode_round(checked.round).body
    commit = body.rindex(b"\n", 0, -1)
    at = data.draw(st.integers(0, len(body) - 1) | st.integers(commit, len(body) - 1))
    changed = body[:at] + bytes([body[at] ^ data.draw(st.integers(1, 255))]) + body[at + 1 :]

    with pytest.raises(SessionizerError):
        decode_round(changed, name="r")
    assert delta.counts == checked.round.counts


@given(ENTITIES, st.data())
def test_any_cut_is_refused(entities: Entities, data: st.DataObject) -> None:
    """A crash while writing, a full disk: no beginning of a round is a round."""
    body = encode_round(next_round(Folded(), entities).round).body
    at = data.draw(st.integers(0, len(body) - 1))

    with pytest.raises(SessionizerError, match="truncated"):
        decode_round(body[:at], name="r")


@given(st.binary(max_size=200) | TEXT.map(str.encode))
def test_no_bytes_crash_the_reader(body: bytes) -> None:
    """A round file is input like any other."""
    with pytest.raises(SessionizerError):
        decode_round(body, name="r")


@given(st.lists(ENTITIES, min_size=1, max_size=3))
def test_publishing_twice_is_publishing_once(assemblies: list[Entities]) -> None:
    """A watch loop at rest must not grow the chain; two roots get the same bytes."""
    chains = []
    for repeats in (1, 2):
        with tempfile.TemporaryDirectory() as root:
            directory = Path(root) / SESSION
            for number, entities in enumerate(assemblies, start=1):
                for _ in range(repeats):
                    publish(directory, entities, 3 * number)
            assert read_chain(directory).folded.entities == assemblies[-1]
            chains.append(
                {path.name: path.read_bytes() for path in (directory / "rounds").iterdir()}
            )
    assert chains[0] == chains[1]
    assert len(chains[0]) == len(assemblies)
