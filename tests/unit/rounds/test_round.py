"""One round to bytes and back: the acceptance bytes, and every check of a reader."""

import re
from pathlib import Path

import pytest

from sessionizer.base.digests import sha256_hex
from sessionizer.rounds.errors import RefusedRoundError
from sessionizer.rounds.frames import (
    Header,
    Inherited,
    NodeFrame,
    SessionRange,
    Summary,
    Tokens,
    node_tombstone,
    relation_tombstone,
)
from sessionizer.rounds.round import Round, decode_round, encode_round
from tests.build.rounds import at

F2 = Path(__file__).with_name("r000001-07c925618c53.sf").read_bytes()
F2_BODY = F2[: F2.index(b'{"t":"commit"')]


def committed(body: bytes, *, nodes: int = 13, relations: int = 1, unresolved: int = 0) -> bytes:
    """`body` with a commit line that fits its bytes."""
    counts = f'{{"nodes":{nodes},"relations":{relations},"unresolved":{unresolved}}}'
    return body + f'{{"t":"commit","digest":"{sha256_hex(body)}","counts":{counts}}}\n'.encode()


def refusal(body: bytes) -> str:
    with pytest.raises(RefusedRoundError) as refused:
        decode_round(body, name="r000001-000000000000.sf")
    assert "r000001-000000000000.sf" in str(refused.value)
    return refused.value.problem


def header(**fields: object) -> Header:
    given = {
        "schema": "sf/1",
        "conversation": "c",
        "session": "s",
        "round": 1,
        "from_seq": 1,
        "through_seq": 1,
        "input_digest": "d",
        "parser": "v2",
        "policy": "p",
    }
    return Header(**{**given, **fields})


def test_the_acceptance_round_decodes_and_encodes_to_its_bytes() -> None:
    """F2: 3248 bytes, and a digest that stands in the file's name."""
    checked = decode_round(F2, name="f2")

    assert len(F2) == 3248
    assert checked.digest == "07c925618c53b99df1092e09218993df09df54ab496f834b7548fd10e9ac13fd"
    assert encode_round(checked.round).body == F2


def test_tombstones_have_exactly_these_keys() -> None:
    """A reader must not take an absent kind for an empty one."""
    node = node_tombstone("tool/t7", 4)
    relation = relation_tombstone("rel/starts/tool_t7/stream_a1", 4)
    round_ = Round(
        header=header(round=4, previous="p", from_seq=9, through_seq=9),
        nodes=(node,),
        relations=(relation,),
    )

    lines = encode_round(round_).body.split(b"\n")

    assert lines[1] == b'{"t":"node","id":"tool/t7","revision":4,"tombstone":true,"kind":""}'
    assert lines[2] == (
        b'{"t":"relation","id":"rel/starts/tool_t7/stream_a1","revision":4,'
        b'"tombstone":true,"type":"","from":"","to":"","quality":""}'
    )


def test_the_keys_of_the_newer_header_follow_policy_in_this_order() -> None:
    """Byte-equal rounds need one key order."""
    summary = Summary(
        title="<b>",
        title_by="custom",
        ask=at(1, 1),
        first="2026-01-02T03:04:05Z",
        last="2026-01-02T03:04:09.1Z",
        records=6,
        talks=1,
        tokens=Tokens(input=50, output=30, cache_read=10),
        at_least=2,
    )
    round_ = Round(
        header=header(
            dialect="claude-code/1",
            inherits=(Inherited("s0", 3, "exact_unique"),),
            sessions=(SessionRange("s", 1, 1), SessionRange("s2", 1, 0)),
            summary=summary,
        )
    )

    line = encode_round(round_).body.split(b"\n")[0]

    assert line.endswith(
        b'"policy":"p","dialect":"claude-code/1",'
        b'"inherits":[{"session":"s0","records":3,"quality":"exact_unique"}],'
        b'"sessions":[{"session":"s","from_seq":1,"through_seq":1},'
        b'{"session":"s2","from_seq":1,"through_seq":0}],'
        b'"summary":{"title":"\\u003cb\\u003e","title_by":"custom","ask":{"seq":1,"row":1},'
        b'"first":"2026-01-02T03:04:05Z","last":"2026-01-02T03:04:09.1Z","records":6,"talks":1,'
        b'"tokens":{"in":50,"out":30,"cache_read":10},"at_least":2}}'
    )


def test_frames_are_sorted_by_the_bytes_of_their_ids() -> None:
    """UTF-8 order differs from UTF-16 order, and from alphabets."""
    ids = ["tool/\U0001f600", "tool/\uffff", "tool/Z", "tool/a"]
    frames = tuple(NodeFrame(id=name, revision=1, kind="tool") for name in ids)

    checked = decode_round(encode_round(Round(header=header(), nodes=frames)).body, name="r")

    assert [frame.id for frame in checked.round.nodes] == [ids[2], ids[3], ids[1], ids[0]]


def test_blank_lines_count_for_the_digest_and_for_nothing_else() -> None:
    """A file that somebody's editor touched is refused; one written so is not."""
    spaced = F2_BODY.replace(b'{"t":"relation"', b' \n\n{"t":"relation"')

    assert decode_round(committed(spaced), name="r").round == decode_round(F2, name="r").round
    assert "digest" in refusal(spaced + F2[len(F2_BODY) :])


def test_unknown_keys_are_ignored() -> None:
    """A later minor version may add one."""
    body = F2_BODY.replace(b'"kind":"epoch"', b'"kind":"epoch","later":[{}]')

    assert len(decode_round(committed(body), name="r").round.nodes) == 13


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (b'"schema":"sf/1"', b'"schema":"sf/2"', "schema"),
        (b'"parser":"v1",', b"", "parser"),
        (b'"parser":"v1"', b'"parser":""', "parser"),
        (b'"policy":"v1+idle=10m0s"', b'"policy":""', "policy"),
        (b'"round":1,', b'"round":0,', "count from 1"),
        (b'"round":1,', b'"round":2,', "previous"),
        (b'"round":1,', b'"round":1,"previous":"ab",', "previous"),
        (b'"from_seq":1,"through_seq":1', b'"from_seq":3,"through_seq":1', "3.*1"),
        (b'"from_seq":1,"through_seq":1', b'"from_seq":0,"through_seq":1', "0.*1"),
        (b'{"t":"header"', b'{"t":"node"', "header|node"),
        (b'{"t":"node","id":"epoch/main/0"', b'{"t":"edge","id":"epoch/main/0"', "edge"),
        (b'"id":"epoch/main/0"', b'"id":""', "''"),
        (b'"id":"epoch/main/0"', b'"id":"call/msg_1"', "call/msg_1.*twice"),
        (b'"epoch/main/0","revision":1', b'"epoch/main/0","revision":2', "2.*1"),
        (b'"kind":"epoch"', b'"kind":""', "epoch/main/0"),
        (b'"kind":"epoch",', b"", "epoch/main/0.*kind"),
        (b'"from":"talk/main/p1"', b'"from":""', "rel/in_segment/talk_main_p1/segment_at_1_1"),
        (b'"ref":{"seq":1,"row":6}', b'"ref":{"seq":5,"row":6}', "5/6"),
        (b'"ref":{"seq":1,"row":6}', b'"ref":{"seq":1,"row":0}', "1/0"),
        (b'"evidence":[{"seq":1', b'"evidence":[{"seq":2', "2/1"),
        (b'"refs":[{"seq":1,"row":5}]', b'"refs":[{"seq":0,"row":5}]', "0/5"),
        (b'"ref":{"seq":1,"row":6}', b'"ref":{"seq":1,"row":6,"session":"x"}', "1/6.*x"),
    ],
)
def test_a_reader_refuses_a_broken_rule_and_says_which(old: bytes, new: bytes, words: str) -> None:
    """F5: also when the digest was made to fit."""
    assert old in F2_BODY

    problem = refusal(committed(F2_BODY.replace(old, new, 1)))

    assert re.search(words, problem)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (F2_BODY, "truncated"),
        (F2[:-1], "truncated"),
        (F2[:-40], "truncated"),
        (b"", "truncated"),
        (F2 + b"\n", "after"),
        (F2 + F2, "after"),
        (F2.replace(b'"talks":1', b'"talks":2'), "digest"),
        (F2.replace(b'"nodes":13', b'"nodes":12'), "12.*13"),
        (committed(F2_BODY + F2_BODY.split(b"\n")[0] + b"\n"), "header"),
        (committed(F2_BODY.split(b"\n", 1)[1]), "header"),
        (committed(F2_BODY + b"[" * 100_000 + b"\n"), "not a frame"),
        (committed(F2_BODY + b'{"t":"node","id":"\xff"}\n'), "not a frame"),
        (committed(F2_BODY + b"[1]\n"), "without a type"),
        (b"\xef\xbb\xbf" + F2, "not a frame"),
    ],
)
def test_a_damaged_file_is_refused(body: bytes, words: str) -> None:
    """F5: whatever is left of a round is not read as one."""
    assert re.search(words, refusal(body))


def test_an_unresolved_entry_must_have_a_known_state() -> None:
    """An entry that is neither open nor done would never be shown."""
    line = b'{"t":"unresolved","id":"unres/x/y","revision":1,"kind":"x","state":"maybe"}\n'

    assert "maybe" in refusal(committed(F2_BODY + line, unresolved=1))


def test_a_reference_is_held_against_the_range_of_its_own_session() -> None:
    """Sequence numbers are counted per session."""
    two = (SessionRange("s", 1, 1), SessionRange("s2", 1, 7))
    near, far = at(1, 1), at(8, 1)
    inside = NodeFrame(id="tool/a", revision=1, kind="tool", ref=near)
    other = NodeFrame(
        id="tool/b", revision=1, kind="tool", ref=type(near)(seq=7, row=1, session="s2")
    )
    beyond = NodeFrame(
        id="tool/c", revision=1, kind="tool", ref=type(far)(seq=8, row=1, session="s2")
    )

    good = encode_round(Round(header=header(sessions=two), nodes=(inside, other))).body
    bad = encode_round(Round(header=header(sessions=two), nodes=(inside, beyond))).body

    assert len(decode_round(good, name="r").round.nodes) == 2
    assert "8/1" in refusal(bad)


def test_the_list_of_sessions_begins_with_the_header_s_own() -> None:
    """Two statements about one range must agree."""
    two = (SessionRange("s2", 1, 1), SessionRange("s", 1, 1))

    assert "sessions" in refusal(encode_round(Round(header=header(sessions=two))).body)
