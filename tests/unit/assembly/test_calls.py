"""Provider calls and what their tokens are worth."""

import pytest

from sessionizer.assembly.usage import Tokens, fold_usage
from sessionizer.landing.record import Row, Usage
from tests.build.drawing import assembled, ids, node, spell_all
from tests.build.rows import Landing, agent, call, human, result, user


def usage_of(*rows: Row) -> tuple[str, int]:
    folded = fold_usage(Landing().main(*rows).entries)
    return folded.state, folded.tokens.output


def said(size: int, tokens: int | None, *, finished: bool = False) -> Row:
    usage = None if tokens is None else Usage(output=tokens)
    return agent("a1", "-", "", "m1", "x" * size, finished=finished, usage=usage)


@pytest.mark.parametrize(
    ("size", "tokens", "finished", "state"),
    [
        (12, 5, True, "reported"),
        (12, 5, False, "partial"),
        (64, 8, False, "partial"),
        (65, 8, False, "stub"),
        (65, 8, True, "stub"),
        (9_000, 9, True, "reported"),
        (8, 0, False, "partial"),
        (9, 0, False, "stub"),
        (9_000, None, True, "absent"),
    ],
)
def test_the_state_of_a_calls_usage(
    size: int, tokens: int | None, finished: bool, state: str
) -> None:
    """R32: eight tokens can not stand for more than 64 bytes of text."""
    assert usage_of(said(size, tokens, finished=finished))[0] == state


def test_what_was_spoken_adds_up_over_fragments_and_tokens_do_not() -> None:
    """Equal numbers on all fragments prove nothing about their text."""
    assert usage_of(said(40, 8), said(40, 8), said(40, 8)) == ("stub", 8)


def test_each_counter_has_its_own_largest_value() -> None:
    """Placeholders of 0 do not hide what an earlier fragment stated."""
    first = agent("a1", "-", "", "m1", usage=Usage(input=10, output=1, cache_read=7))
    last = agent("a2", "-", "", "m1", usage=Usage(input=0, output=25, cache_write=3))

    tokens = fold_usage(Landing().main(first, last).entries).tokens

    assert tokens == Tokens(input=10, output=25, cache_read=7, cache_write=3)


def test_a_call_in_two_streams_is_two_nodes_and_one_sum() -> None:
    """R31: `main` has the plain id, whichever landed first; the better usage is counted."""
    landing = (
        Landing()
        .child("c1", agent("a1", "-", "10:00:01", "m1", "Hi", usage=Usage(output=9), finished=True))
        .main(agent("a2", "-", "10:00:00", "m1", "Hi", usage=Usage(output=4)))
    )

    whole = assembled(landing)

    assert ids(whole, "llm.call") == ["call/m1", "call/m1/c1"]
    assert node(whole, "call/m1").stream == "main"
    assert node(whole, "call/m1/c1").attrs["same_call"] == "call/m1"
    assert whole.summary.tokens == Tokens(output=9)


def test_a_record_without_a_key_is_a_call_of_its_own() -> None:
    """Its text is not lost."""
    whole = assembled(
        Landing().main(agent("a1", "-", "", "", "Hi"), agent("a2", "-", "", "", "Ho"))
    )

    assert ids(whole, "llm.call") == ["call/1/1", "call/1/2"]
    assert ids(whole, "message.assistant") == ["msg/1/1:0", "msg/1/2:0"]


def test_parallel_calls_are_one_call_though_results_stand_between() -> None:
    """The second fragment follows the result of the first."""
    landing = Landing().main(
        human("u1", "-", "10:00:00", "p1"),
        agent("a1", "u1", "10:00:01", "m1", call("t1")),
        user("r1", "a1", "10:00:02", "p1", result("t1")),
        agent("a2", "a1", "10:00:03", "m1", call("t2")),
    )

    assert spell_all(node(assembled(landing), "call/m1").refs) == "1/2,1/4"


def test_a_slash_in_an_identifier_does_not_split_an_id() -> None:
    """F7: inside a part it becomes an underscore."""
    landing = Landing().main(
        human("u1", "-", "10:00:00", "a/b"),
        agent("a1", "u1", "10:00:01", "m/1", call("t/1"), call("srvtoolu_1")),
    )

    whole = assembled(landing)

    assert ids(whole, "talk", "run", "llm.call", "tool") == [
        "call/m_1",
        "run/talk_main_a_b/a_b",
        "talk/main/a_b",
        "tool/srvtoolu_1",
        "tool/t_1",
    ]
    assert [gap.id for gap in whole.entities.unresolved] == [
        "unres/tool_result/srvtoolu_1",
        "unres/tool_result/t_1",
    ]
