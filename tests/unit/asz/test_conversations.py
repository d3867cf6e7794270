"""Which sessions make up which conversation."""

from sessionizer.asz.conversations import Plan, plan_conversations


def reasons(plan: Plan) -> dict[str, str]:
    return {one.conversation: str(one.error) for one in plan.refused}


def test_each_session_is_a_conversation_of_its_own() -> None:
    """Whether its chain exists or not."""
    plan = plan_conversations(("a", "b"), {"a": ("a",)}, {})

    assert plan.members == {"a": ("a",), "b": ("b",)}
    assert plan.refused == ()


def test_the_list_of_the_newest_round_holds() -> None:
    """Nobody has to say it again, and the order stays."""
    plan = plan_conversations(("a", "b", "c"), {"x": ("b", "a")}, {})

    assert plan.members == {"x": ("b", "a"), "c": ("c",)}
    assert plan.holding(("a", "c", "b")) == ("x", "c")


def test_a_list_only_grows() -> None:
    """What it holds stays where it is; what is new comes after it."""
    plan = plan_conversations(("a", "b", "c"), {"x": ("b", "a")}, {"x": ("c", "a")})

    assert plan.members == {"x": ("b", "a", "c")}


def test_a_session_that_is_alone_in_its_own_conversation_is_free() -> None:
    """That one began before anybody asked."""
    plan = plan_conversations(("a", "b"), {"a": ("a",), "b": ("b",)}, {"x": ("a", "b")})

    assert plan.members == {"x": ("a", "b")}


def test_a_conversation_of_one_session_under_another_name_holds_it() -> None:
    """Its chain would otherwise go on in two places."""
    plan = plan_conversations(("a",), {"x": ("a",)}, {"y": ("a",)})

    assert plan.members == {"x": ("a",)}
    assert reasons(plan) == {"y": "conversation y: session a is part of conversation x"}


def test_two_lists_may_not_share_a_session() -> None:
    """The first one has it; the rest of the other list is not built without it."""
    plan = plan_conversations(("a", "b"), {}, {"x": ("a",), "y": ("b", "a")})

    assert plan.members == {"x": ("a",), "b": ("b",)}
    assert list(reasons(plan)) == ["y"]


def test_what_has_not_landed_joins_later() -> None:
    """A list of nothing that landed is no conversation yet."""
    plan = plan_conversations(("b",), {}, {"x": ("a", "b"), "y": ("c",)})

    assert plan.members == {"x": ("b",)}
    assert plan.missing(("a", "b", "c")) == ("a", "c")


def test_the_id_of_a_session_names_a_conversation_that_begins_with_it() -> None:
    """Its own chain goes on; no other may lie in its place."""
    own = plan_conversations(("a", "b"), {"a": ("a",)}, {"a": ("a", "b")})
    other = plan_conversations(("a", "b", "c"), {}, {"a": ("b", "a"), "c": ("b",)})

    assert own.members == {"a": ("a", "b")}
    assert list(reasons(other)) == ["a", "c"]
    assert other.members == {"a": ("a",), "b": ("b",), "c": ("c",)}


def test_a_session_whose_id_is_a_conversations_name_is_refused() -> None:
    """It landed after the conversation got that name. Nothing is written into its chain."""
    plan = plan_conversations(("a", "b"), {"b": ("a",)}, {})

    assert plan.members == {"b": ("a",)}
    assert reasons(plan) == {"b": "conversation b: that is the id of another session"}
    assert plan.missing(("b",)) == ()
