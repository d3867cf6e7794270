"""The structure of the bundled sample, byte for byte as it was when the rules were settled.

A change here changes rounds that are published: the rules of assembly are then new ones, and
`rounds.interpretation.PARSER` says so. When only the sample itself was changed, put in what
the test finds.
"""

from pathlib import Path

from sessionizer.assembly.inheritance import NONE, share_records, survey_session
from sessionizer.assembly.pipeline import assemble
from sessionizer.base.canonical import encode_canonical
from sessionizer.base.digests import short_sha256
from sessionizer.index.session_index import load_index
from sessionizer.rounds.frames import (
    adopt_summary,
    node_frame,
    relation_frame,
    unresolved_frame,
)
from tests.build.collecting import Archive

SETTLED = {
    "0b6d2f17-48ce-4a05-b7f3-91c6e5a8d204": "37 nodes, 4 relations, 0 gaps, 6caed847f20b",
    "5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4": "237 nodes, 32 relations, 1 gaps, 97ea14229ccc",
    "c93e7a40-15bd-4f62-8d7e-6b04f2a1c8d9": "32 nodes, 5 relations, 0 gaps, 7264d988cb94",
}


def test_the_sample_gives_the_same_bytes_as_ever(sample: Path, tmp_path: Path) -> None:
    """One session per conversation: nothing of what several need may show."""
    archive = Archive(sample / "projects", tmp_path / "root")
    archive.collect(flush_tails=True)
    indexes = {session: load_index(archive.zone, session) for session in SETTLED}
    tables = share_records(survey_session(one, index.entries) for one, index in indexes.items())
    found = {}
    for session, index in indexes.items():
        whole = assemble(
            index.entries,
            session=session,
            conversation=session,
            through=index.indexed_seq,
            inheritance=tables.get(session, NONE),
        )
        nodes, relations = whole.entities.nodes, whole.entities.relations
        gaps = whole.entities.unresolved
        frames = [node_frame(one, 1) for one in nodes]
        frames += [relation_frame(one, 1) for one in relations]
        frames += [unresolved_frame(one, 1) for one in gaps]
        body = b"\n".join(map(encode_canonical, [*frames, adopt_summary(whole.summary)]))
        found[session] = (
            f"{len(nodes)} nodes, {len(relations)} relations, {len(gaps)} gaps, "
            f"{short_sha256(body)}"
        )

    assert found == SETTLED
