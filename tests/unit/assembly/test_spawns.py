"""Children that no record names, and edges told more than once."""

from sessionizer.assembly.relations import merge_relations, relate
from sessionizer.model.nodes import Reference
from tests.build.drawing import assembled, edges, gaps, node
from tests.build.rows import Landing, agent, call, document, human, note, result, row, user


def asking(*prompts: str) -> Landing:
    return Landing().main(
        human("u1", "-", "10:00:00", "p1"),
        *(
            agent(f"a{number}", "u1", "10:00:01", f"m{number}", call(f"t{number}", "Task", prompt))
            for number, prompt in enumerate(prompts, start=1)
        ),
    )


def answering(landing: Landing, name: str, prompt: str) -> Landing:
    return landing.child(name, user(f"{name}-1", "-", "10:00:02", "", prompt))


def test_one_call_with_the_childs_first_words_is_its_likely_start() -> None:
    """R36: an inference, and said to be one."""
    whole = assembled(answering(asking("look", "listen"), "c1", " look "))

    assert edges(whole, "starts") == [
        "rel/starts/tool_t1/stream_c1 strong_inference | equal prompt | 2/1"
    ]
    assert node(whole, "tool/t1").kind == "agent.call"
    assert node(whole, "tool/t2").kind == "tool"
    assert (whole.statistics.spawns, whole.statistics.spawns_resolved) == (1, 1)
    assert [gap for gap in gaps(whole) if "spawn" in gap] == []


def test_of_several_calls_with_the_same_prompt_none_is_chosen() -> None:
    """An edge from each, and the question stays open."""
    whole = assembled(answering(asking("look", "look"), "c1", "look"))

    assert edges(whole, "starts") == [
        "rel/starts/tool_t1/stream_c1 exact_ambiguous | equal prompt | 2/1",
        "rel/starts/tool_t2/stream_c1 exact_ambiguous | equal prompt | 2/1",
    ]
    reasons = {gap.id: gap.reason for gap in whole.entities.unresolved}
    assert reasons["unres/spawn_of_child/c1"] == "several calls have the same prompt"
    assert whole.statistics.children_orphan == 1


def test_a_call_that_is_known_to_have_started_another_child_is_no_candidate() -> None:
    """The exact witness of one child clears the doubt about the other."""
    landing = asking("look", "look")
    landing.main(user("r1", "a1", "10:00:09", "p1", result("t1"), child="c1"))
    answering(answering(landing, "c1", "look"), "c2", "look")

    assert edges(assembled(landing), "starts") == [
        "rel/starts/tool_t1/stream_c1 exact_unique | parent tool result | 2/1",
        "rel/starts/tool_t2/stream_c2 strong_inference | equal prompt | 4/1",
    ]


def test_a_child_nobody_asked_for_is_an_orphan() -> None:
    """Other words prove nothing."""
    whole = assembled(answering(asking("look"), "c1", "listen"))

    assert edges(whole, "starts") == []
    assert "unres/spawn_of_child/c1" in gaps(whole)
    assert whole.statistics.children_orphan == 1


def test_a_side_chain_is_matched_with_a_call_of_main() -> None:
    """Old builds name no agent at all."""
    landing = asking("look").main(user("s1", "-", "10:00:02", "", "look", flags=("sidechain",)))

    assert edges(assembled(landing), "starts") == [
        "rel/starts/tool_t1/stream_side-s1 strong_inference | equal prompt | 2/1"
    ]


def test_a_notification_alone_joins_a_call_and_a_child() -> None:
    """It names both; the call must have landed."""
    landing = answering(asking("x"), "c1", "y").main(
        note("n1", "-", "10:05:00", "p2", tool="t1", child="c1")
    )

    assert edges(assembled(landing), "starts") == [
        "rel/starts/tool_t1/stream_c1 exact_unique | completion notification | 3/1"
    ]


def test_a_notification_of_a_call_reports_on_every_child_of_it() -> None:
    """Which of them ended is an inference."""
    landing = answering(asking("look"), "c1", "look").main(
        note("n1", "-", "10:05:00", "p2", tool="t1")
    )

    assert edges(assembled(landing), "reports") == [
        "rel/reports/notify_3_1/stream_c1 strong_inference"
        " | the call the notification completes | 3/1"
    ]


def test_a_child_that_names_a_call_nobody_landed_leaves_the_call_open() -> None:
    """A result alone is not a request."""
    landing = Landing().main(user("r1", "-", "10:00:00", "p1", result("t1"), child="c1"))
    answering(landing, "c1", "look")

    assert gaps(assembled(landing)) == [
        "unres/spawn_call/t1",
        "unres/spawn_of_child/c1",
        "unres/tool_use/t1",
    ]


def test_the_same_edge_told_twice_keeps_the_better_ground() -> None:
    """F19: and the evidence of both, each position once."""
    weak = relate(
        "starts",
        "a",
        "b",
        quality="strong_inference",
        via="run journal",
        evidence=[Reference(1, 1)],
    )
    exact = relate(
        "starts", "a", "b", quality="exact_unique", via="child sidecar", evidence=[Reference(2, 1)]
    )

    (merged,) = merge_relations((weak, exact, weak))

    assert (merged.quality, merged.via) == ("exact_unique", "child sidecar")
    assert merged.evidence == (Reference(1, 1), Reference(2, 1))


def test_a_conflict_stays_and_names_both_grounds() -> None:
    """No later observation settles it."""
    torn = relate("starts", "a", "b", quality="conflict", via="one")
    exact = relate("starts", "a", "b", quality="exact_unique", via="other")

    (merged,) = merge_relations((torn, exact))

    assert (merged.quality, merged.via) == ("conflict", "one; other")


def test_a_batch_and_a_result_that_agree_are_one_edge() -> None:
    """The journal's statement adds evidence to the better one."""
    landing = asking("x").main(
        user("r1", "a1", "10:00:03", "p1", result("t1"), child="c1", batch="wf")
    )
    answering(landing, "c1", "y").journal("wf", row("", "-", "", document("{}"), child="c1"))

    assert edges(assembled(landing), "starts") == [
        "rel/starts/tool_t1/stream_c1 exact_unique | parent tool result | 2/1,4/1"
    ]
