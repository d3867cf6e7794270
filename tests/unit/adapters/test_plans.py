from sessionizer.adapters.claude_code_local.plans import find_slugs


def test_slugs_come_in_order_of_first_appearance() -> None:
    """And each once."""
    body = b'{"slug":"b-plan"}\n{"x":1,"slug":"a-plan"}\n{"slug":"b-plan"}\n'
    assert find_slugs(body, known=()) == ("b-plan", "a-plan")
    assert find_slugs(body, known=("b-plan",)) == ("a-plan",)


def test_a_slug_deeper_in_a_line_is_somebody_elses() -> None:
    """A tool's input or a quoted line may hold the same key."""
    body = b'{"input":{"slug":"inner"},"text":"\\"slug\\":\\"quoted\\""}\n'
    assert find_slugs(body, known=()) == ()


def test_a_name_that_leads_elsewhere_is_no_slug() -> None:
    """It becomes part of a path."""
    body = b'{"slug":"../../etc"}\n{"slug":"a/b"}\n{"slug":""}\n{"slug":".x"}\n'
    assert find_slugs(body, known=()) == ()


def test_a_damaged_line_still_names_its_plan() -> None:
    """A plan more is kept rather than one lost."""
    assert find_slugs(b'{"slug":"torn-plan","message":{"con', known=()) == ("torn-plan",)
