"""The acceptance cases of assembly, P5 to P13, from rows as conversion makes them."""

from sessionizer.landing.record import Usage
from tests.build.drawing import assembled, edges, gaps, ids, node, spell, spell_all
from tests.build.rows import (
    SESSION,
    Landing,
    agent,
    call,
    document,
    human,
    note,
    reset,
    result,
    row,
    text,
    user,
)

A = "a1111111111111111"
J = "a2222222222222222"
K = "a3333333333333333"


# ------------------------------------------------------------------ P5 delegation


def delegation() -> Landing:
    return Landing().main(
        human("u1", "-", "10:00:00", "p1", "Delegate it"),
        agent("a1", "u1", "10:00:05", "m1", call("t1", "Agent"), finished=True),
        user("r1", "a1", "10:00:06", "p1", result("t1"), child=A, flags=("launch_ack",)),
        agent("a2", "r1", "10:00:08", "m2", "Started", finished=True),
        note("n1", "a2", "10:01:00", "p2", tool="t1", child=A),
        agent("a3", "n1", "10:01:05", "m3", "It is done", finished=True),
    )


def with_child() -> Landing:
    return (
        delegation()
        .child(
            A,
            user("c1", "-", "10:00:10", "p1", "look"),
            agent("c2", "c1", "10:00:40", "m9", "Found", finished=True),
        )
        .sidecar(A, tool="t1", label="Look around")
    )


def test_p5_a_child_that_has_not_landed_is_a_gap() -> None:
    """Round 1: the call is a plain tool, and both witnesses of the child wait for it."""
    first = assembled(delegation())

    assert ids(first) == [
        "ack/1/3",
        "call/m1",
        "call/m2",
        "call/m3",
        "epoch/main/0",
        "input/1/1",
        "msg/1/4:0",
        "msg/1/6:0",
        "notify/1/5",
        "run/talk_main_p1/p1",
        "run/talk_main_p1/p2",
        "segment/at_1_1",
        f"session/{SESSION}",
        "stream/main",
        "talk/main/p1",
        "tool/t1",
    ]
    assert gaps(first) == [f"unres/child_stream/{A}", f"unres/notified_child/{A}"]
    assert edges(first) == [
        "rel/in_segment/talk_main_p1/segment_at_1_1 exact_unique | activity window | 1/1"
    ]
    assert (first.statistics.steps, first.statistics.spawns) == (6, 0)
    assert first.statistics.notify_unmatched == 1


def test_p5_a_notification_opens_a_run_in_the_same_talk() -> None:
    """Nobody typed anything: the child's end sets a new loop going."""
    first = assembled(delegation())

    talk = node(first, "talk/main/p1")
    assert talk.attrs == {"loops": 2, "runs": 2, "trigger": "external"}
    assert node(first, "run/talk_main_p1/p1").attrs == {"trigger": "external"}
    assert node(first, "run/talk_main_p1/p2").attrs == {"trigger": "notification"}
    assert spell(node(first, "run/talk_main_p1/p2").ref) == "1/5"
    assert node(first, "call/m3").parent == "run/talk_main_p1/p2"


def test_p5_the_tool_keeps_both_its_ends() -> None:
    """The launch acknowledgement is the tool's result record, and a step of its own."""
    tool = node(assembled(delegation()), "tool/t1")

    assert (tool.kind, tool.parent) == ("tool", "call/m1")
    assert spell_all(tool.refs) == "1/2:0,1/3:0"


def test_p5_the_segment_stays_open_while_a_child_is_missing() -> None:
    """Nothing says that the window is closed before the child has landed."""
    segment = node(assembled(delegation()), "segment/at_1_1")

    assert segment.attrs["gates_unmet"] == [
        "activity_boundary",
        "no_crossing_open_operation",
        "lateness_watermark",
    ]


def test_p5_the_child_closes_both_gaps() -> None:
    """Round 2: nodes that are new or changed, and every edge to the child."""
    second = assembled(with_child())

    assert [found for found in ids(second) if found not in ids(assembled(delegation()))] == [
        "call/m9",
        f"epoch/{A}/0",
        "msg/2/2:0",
        f"output/{A}",
        f"run/talk_{A}/p1",
        f"stream/{A}",
        f"talk/{A}",
    ]
    assert gaps(second) == []
    assert edges(second) == [
        f"rel/ends_with/stream_{A}/output_{A} exact_unique"
        " | the last response in the child stream, and what it returned | 2/2",
        f"rel/in_segment/talk_{A}/segment_at_1_1 strong_inference"
        " | inside the window of the talk that delegated it | 2/1",
        "rel/in_segment/talk_main_p1/segment_at_1_1 exact_unique | activity window | 1/1",
        f"rel/reports/notify_1_5/stream_{A} exact_unique | task id on the notification | 1/5",
        f"rel/starts/tool_t1/stream_{A} exact_unique | parent tool result | 1/3",
    ]
    assert node(second, "tool/t1").kind == "agent.call"
    assert node(second, "segment/at_1_1").attrs["gates_unmet"] == [
        "activity_boundary",
        "lateness_watermark",
    ]


def test_p5_the_child_has_one_talk_whose_trigger_nobody_states() -> None:
    """A child's runs repeat the parent's ids and are other runs."""
    second = assembled(with_child())

    assert node(second, f"stream/{A}").attrs == {
        "records": 3,
        "role": "child",
        "label": "Look around",
    }
    assert node(second, f"talk/{A}").attrs["trigger"] == "unknown"
    output = node(second, f"output/{A}")
    assert (output.parent, spell_all(output.refs)) == (f"run/talk_{A}/p1", "2/2")
    assert output.attrs == {"returned_value": "unavailable"}


def test_p5_the_delegated_prompt_is_no_step() -> None:
    """Nobody typed it: it is a call's input, and the account says so."""
    second = assembled(with_child())

    assert not [found for found in ids(second, "message.external") if found.startswith("input/2")]
    # The first record of the stream is held by the stream itself.
    assert second.coverage.counts == {"node": 8, "sidecar": 1}


# ------------------------------------------------------------------ P6 workflow

BATCH = "wf_abc-1"


def workflow() -> Landing:
    return (
        Landing()
        .main(
            human("u1", "-", "10:00:00", "p1"),
            agent("a1", "u1", "10:00:01", "m1", call("t1", "Workflow")),
            user("r1", "a1", "10:00:02", "p1", result("t1"), batch=BATCH, flags=("launch_ack",)),
        )
        .child(
            J,
            user("w1", "-", "10:00:03", "p1", "go"),
            agent("w2", "w1", "10:00:04", "m7", "Clean", finished=True),
        )
        .journal(
            BATCH,
            row("", "-", "", document("{}"), child=J, batch=BATCH),
            row("", "-", "", document("{}"), child=K, batch=BATCH),
            row("", "-", "", document("{}"), child=J, batch=BATCH, flags=("child_result",)),
        )
        .manifest(BATCH, "sweep")
    )


def test_p6_the_journal_joins_the_batch_to_its_children() -> None:
    """The launch names the batch only; the journal names children of the batch."""
    whole = assembled(workflow())

    assert edges(whole, "starts") == [
        f"rel/starts/tool_t1/stream_{J} strong_inference | run journal | 3/1"
    ]
    tool = node(whole, "tool/t1")
    assert tool.kind == "agent.call"
    assert spell_all(tool.refs) == "1/2:0,1/3:0,4/1"
    assert tool.attrs["launched"] == "sweep"
    assert gaps(whole) == [f"unres/child_stream/{K}"]


def test_p6_the_output_is_the_last_response_and_what_was_returned() -> None:
    """Both are evidence: one of the stream, one of the journal."""
    output = node(assembled(workflow()), f"output/{J}")

    assert spell_all(output.refs) == "2/2,3/3"
    assert output.attrs == {"returned_value": "observed_replayable"}


def test_p6_a_call_without_usage_and_end_states_neither() -> None:
    """Nothing is presented as 0 that was not observed."""
    call_node = node(assembled(workflow()), "call/m1")

    assert call_node.attrs == {
        "fragments": 1,
        "stop_reason": "unavailable",
        "usage": "unavailable",
        "usage_from": "largest_per_counter",
        "usage_state": "absent",
    }


def test_p6_without_the_launch_the_batch_is_a_gap() -> None:
    """The journal alone does not say which call it was."""
    landing = workflow()
    landing.entries = [entry for entry in landing.entries if entry.seq > 1]

    whole = assembled(landing)

    assert edges(whole, "starts") == []
    assert gaps(whole) == [
        f"unres/child_stream/{K}",
        f"unres/spawn_call/{BATCH}",
        f"unres/spawn_of_child/{J}",
    ]


def test_a_child_of_which_only_the_journal_tells_a_result_has_an_output() -> None:
    """Its transcript holds no response: the output lies in the child's talk."""
    landing = (
        Landing()
        .child(J, user("w1", "-", "10:00:03", "p1", "go"))
        .journal(
            BATCH, row("", "-", "", document("{}"), child=J, batch=BATCH, flags=("child_result",))
        )
    )

    output = node(assembled(landing), f"output/{J}")

    assert (output.parent, spell_all(output.refs)) == (f"talk/{J}", "2/1")


# ------------------------------------------------------------------ P7 nesting, forks


def test_p7_a_sidecar_names_the_parent_agent() -> None:
    """No tool is known, so the edge goes from stream to stream."""
    landing = (
        Landing()
        .child(A, user("c1", "-", "10:00:00", "p1", "look"))
        .child(K, user("k1", "-", "10:00:01", "p1", "deeper"))
        .sidecar(K, label="Deeper", started_by=A)
    )

    whole = assembled(landing)

    assert edges(whole, "starts") == [
        f"rel/starts/stream_{A}/stream_{K} exact_unique | child sidecar | 3/1"
    ]
    assert gaps(whole) == [f"unres/spawn_of_child/{A}"]


def test_p7_a_parent_agent_that_has_not_landed_is_a_gap() -> None:
    """The child is then an orphan as well."""
    landing = (
        Landing()
        .child(K, user("k1", "-", "10:00:01", "p1", "deeper"))
        .sidecar(K, label="Deeper", started_by="P")
    )

    assert gaps(assembled(landing)) == ["unres/spawn_call/P", f"unres/spawn_of_child/{K}"]


def test_p7_a_sidecar_that_names_nobody_hides_no_other_witness() -> None:
    """It gives no edge of its own; the journal's edge stays."""
    whole = assembled(workflow().sidecar(J))

    assert edges(whole, "starts") == [
        f"rel/starts/tool_t1/stream_{J} strong_inference | run journal | 3/1"
    ]


def test_p7_a_fork_is_found_through_its_own_result() -> None:
    """Its record names a child and no call, but holds the result block of one."""
    landing = (
        Landing()
        .main(
            human("u1", "-", "10:00:00", "p1"),
            agent("a1", "u1", "10:00:01", "m1", call("t1", "Skill")),
            user("r1", "a1", "10:00:02", "p1", result("t1"), child=K),
        )
        .child(K, user("k1", "-", "10:00:01", "p1", "deeper"))
    )

    whole = assembled(landing)

    assert edges(whole, "starts") == [
        f"rel/starts/tool_t1/stream_{K} exact_unique | parent tool result | 1/3"
    ]
    assert node(whole, "tool/t1").kind == "agent.call"
    assert ids(whole, "agent.launch_ack") == []


# ------------------------------------------------------------------ P8 reset


def after_reset(continues: str = "a1") -> Landing:
    return Landing().main(
        human("u1", "-", "12:00:00", "p1", "first"),
        agent("a1", "u1", "12:00:05", "m1", "One"),
        reset("b1", "12:10:00", continues),
        user("k1", "b1", "12:09:59", "p1", "Summary", flags=("reset_summary",)),
        human("u2", "k1", "12:30:00", "p2", "second"),
        agent("a2", "u2", "12:30:05", "e1", "Two", finished=True, flags=("synthetic",)),
        row("", "-", "", document('{"type":"ai-title"}'), label="Two things"),
    )


def test_p8_a_reset_opens_an_epoch() -> None:
    """The boundary and the summary lie in the epoch they open."""
    whole = assembled(after_reset())

    assert node(whole, "epoch/main/0").attrs == {"records": 2, "reset": "none"}
    second = node(whole, "epoch/main/b1")
    assert second.attrs == {
        "records": 5,
        "reset": "observed_replayable",
        "continues_from": "a1",
    }
    assert spell_all(second.refs) == "1/3"
    assert node(whole, "boundary/1/3").parent == "epoch/main/b1"
    assert node(whole, "summary/1/4").parent == "epoch/main/b1"
    assert [edge.split(" ")[0] for edge in edges(whole, "follows", "summarizes")] == [
        "rel/follows/epoch_main_b1/epoch_main_0",
        "rel/summarizes/summary_1_4/boundary_1_3",
    ]


def test_p8_a_talk_belongs_to_the_epoch_in_which_it_began() -> None:
    """Row 4 belongs to the first run, though it lies behind the reset."""
    whole = assembled(after_reset())

    assert node(whole, "talk/main/p1").parent == "epoch/main/0"
    assert node(whole, "talk/main/p2").parent == "epoch/main/b1"


def test_p8_the_gap_between_segments_counts_from_the_summary() -> None:
    """It is the last record of the first talk, at 12:09:59: 20 minutes before the next."""
    whole = assembled(after_reset())

    first, last = node(whole, "segment/at_1_1"), node(whole, "segment/at_1_5")
    assert first.attrs == {
        "committable": True,
        "gates_unmet": [],
        "state": "candidate",
        "talks": 1,
    }
    assert last.attrs["state"] == "open"


def test_p8_a_message_of_the_client_is_synthetic() -> None:
    """It is not what the agent said."""
    whole = assembled(after_reset())

    assert node(whole, "msg/1/6:0").kind == "message.synthetic"
    assert node(whole, "msg/1/2:0").kind == "message.assistant"


def test_p8_the_last_title_names_the_session() -> None:
    """A line with a label and no id is a title."""
    session = node(assembled(after_reset()), f"session/{SESSION}")

    assert session.attrs == {
        "conversation": SESSION,
        "title": "Two things",
        "title_by": "runtime",
        "title_from": "observed_replayable",
    }


def test_p8_a_reset_may_name_a_record_nobody_has() -> None:
    """Then where it goes on from stays open."""
    assert gaps(assembled(after_reset("zz"))) == ["unres/epoch_continuation/zz"]
    assert gaps(assembled(after_reset())) == []


# ------------------------------------------------------------------ P9 replay, missing partners


def replay(third: str = "r1", at: str = "10:00:03") -> Landing:
    return Landing().main(
        human("u1", "-", "10:00:00", "p1"),
        agent("a1", "u1", "10:00:01", "m1", call("t1")),
        agent("a2", "a1", "10:00:02", "m1", call("t2")),
        user("r1", "a1", "10:00:03", "p1", result("t1")),
        user(third, "a1", at, "p1", result("t1")),
        user("r2", "-", "10:00:04", "p1", result("t9")),
    )


def test_p9_a_replayed_record_counts_once() -> None:
    """The first stays; the second changes nothing."""
    whole = assembled(replay())

    assert (whole.statistics.entries, whole.statistics.duplicates) == (5, 1)
    assert spell_all(node(whole, "call/m1").refs) == "1/2,1/3"
    assert spell_all(node(whole, "tool/t1").refs) == "1/2:0,1/4:0"
    assert node(whole, "tool/t1").attrs["result_join"] == "exact_unique"
    assert node(whole, "tool/t2").attrs["result_join"] == "unresolved"


def test_p9_what_misses_its_partner_is_said() -> None:
    """A request without result, and a result without request, which gets no node."""
    whole = assembled(replay())

    assert gaps(whole) == ["unres/tool_result/t2", "unres/tool_use/t9"]
    assert ids(whole, "tool") == ["tool/t1", "tool/t2"]
    assert whole.coverage.counts == {"copy": 1, "node": 4, "result_without_request": 1}


def test_p9_of_two_results_none_is_chosen() -> None:
    """Another id makes the second record a second result."""
    whole = assembled(replay("r9", "10:00:05"))

    tool = node(whole, "tool/t1")
    assert (tool.attrs["result"], tool.attrs["result_join"]) == (
        "unavailable",
        "exact_ambiguous",
    )
    assert spell_all(tool.refs) == "1/2:0"
    reasons = {gap.id: gap.reason for gap in whole.entities.unresolved}
    assert reasons["unres/tool_result/t1"] == "several results carry this tool-use id"
    assert whole.coverage.counts["ambiguous_result"] == 2


# ------------------------------------------------------------------ P10 talks


def talks() -> Landing:
    return Landing().main(
        row("i1", "-", "09:00:00", text("skills"), flags=("injected",)),
        human("u1", "i1", "09:00:01", "p1"),
        agent("a1", "u1", "09:00:02", "m1", call("t1")),
        row(
            "q1",
            "a1",
            "09:00:03",
            document('{"type":"queued_command","prompt":"also test"}'),
            trigger="external",
            flags=("external_input",),
        ),
        user("r1", "a1", "09:00:04", "p1", result("t1")),
        agent("a2", "r1", "09:00:05", "m2", "Done", finished=True),
        note("n1", "a2", "09:01:00", "p2"),
        agent("a3", "n1", "09:01:02", "m3", "Seen", finished=True),
        user("l1", "a3", "09:02:00", "p3", text("/model", name="/model"), flags=("command",)),
        user("s1", "l1", "09:03:00", "p4", "tick", trigger="unknown"),
        agent("a4", "s1", "09:03:02", "m4", "Ticked", finished=True),
        human("u5", "a4", "09:20:00", "p5"),
    )


def test_p10_what_starts_a_talk() -> None:
    """A person's input, and a run of which no record states a trigger; nothing else."""
    whole = assembled(talks())

    assert {found: node(whole, found).attrs["trigger"] for found in ids(whole, "talk")} == {
        "talk/main/p1": "external",
        "talk/main/p3": "unknown",
        "talk/main/p5": "external",
    }
    assert {found: node(whole, found).attrs["trigger"] for found in ids(whole, "run")} == {
        "run/talk_main_p1/p1": "external",
        "run/talk_main_p1/p2": "notification",
        "run/talk_main_p3/p3": "unknown",
        "run/talk_main_p3/p4": "unknown",
        "run/talk_main_p5/p5": "external",
    }


def test_p10_where_each_record_lies() -> None:
    """What comes before any run lies in the epoch; a queued message in the run it met."""
    whole = assembled(talks())

    assert node(whole, "inject/1/1").parent == "epoch/main/0"
    assert node(whole, "input/1/4").parent == "run/talk_main_p1/p1"
    assert node(whole, "notify/1/7").parent == "run/talk_main_p1/p2"
    assert node(whole, "command/1/9").parent == "run/talk_main_p3/p3"
    assert node(whole, "call/m4").parent == "run/talk_main_p3/p4"


def test_p10_steps_and_segments() -> None:
    """Ten steps, since a typed command is one; two windows."""
    whole = assembled(talks())

    assert whole.statistics.steps == 10
    assert node(whole, "segment/at_1_2").attrs["talks"] == 2
    assert node(whole, "segment/at_1_2").attrs["state"] == "candidate"
    assert node(whole, "segment/at_1_12").attrs["state"] == "open"


# ------------------------------------------------------------------ P11 usage


def fragments(*ends: bool) -> Landing:
    shown = ("Short", "words", "here")
    return Landing().main(
        human("u1", "-", "10:00:00", "p1"),
        *(
            agent(
                f"a{number}",
                "u1",
                "10:00:01",
                "m1",
                words,
                finished=end,
                usage=Usage(output=tokens),
            )
            for number, (words, tokens, end) in enumerate(zip(shown, (1, 7, 9), ends, strict=True))
        ),
    )


def test_p11_the_largest_value_counts() -> None:
    """Fragments repeat a running total; the one with a stop reason need not be the last."""
    call_node = node(assembled(fragments(False, True, False)), "call/m1")

    assert call_node.attrs == {
        "fragments": 3,
        "tokens": {"out": 9},
        "usage": "observed_replayable",
        "usage_from": "largest_per_counter",
        "usage_state": "reported",
    }


def test_p11_without_a_stop_reason_the_numbers_are_partial() -> None:
    """They are shown all the same, as at least."""
    whole = assembled(fragments(False, False, False))

    attrs = node(whole, "call/m1").attrs
    assert (attrs["tokens"], attrs["usage_state"]) == ({"out": 9}, "partial")
    assert attrs["stop_reason"] == "unavailable"
    assert whole.summary.at_least == 1


# ------------------------------------------------------------------ P13 older transcript


def test_p13_a_transcript_without_run_ids_has_talks() -> None:
    """Each prompt is its own run; everything else reaches it through its parents."""

    def prompt(record: str, parent: str, at: str, words: str) -> object:
        return user(
            record,
            parent,
            at,
            record,
            words,
            trigger="external",
            flags=("external_input", "by_shape"),
        )

    landing = Landing().main(
        prompt("u1", "-", "10:00:00", "Fix it"),
        agent("a1", "u1", "10:00:01", "m1", call("t1")),
        user("r1", "a1", "10:00:02", "", result("t1")),
        agent("a2", "r1", "10:00:03", "m2", "Fixed", finished=True),
        user("i1", "a2", "10:00:04", "", "[Request interrupted by user]"),
        prompt("u2", "i1", "10:00:05", "Now test"),
    )

    whole = assembled(landing)

    assert ids(whole, "talk") == ["talk/main/u1", "talk/main/u2"]
    assert node(whole, "talk/main/u1").attrs["quality"] == "strong_inference"
    assert node(whole, "call/m2").parent == "run/talk_main_u1/u1"
    assert whole.coverage.counts == {"node": 5, "runtime_text": 1}
