from sessionizer.adapters.claude_code_local.history import split_views

A = b'{"display":"one","sessionId":"aaaaaaaa-1111-4222-8333-000000000001"}\n'
A2 = b'{"sessionId":"aaaaaaaa-1111-4222-8333-000000000001","display":"two"}\n'
B = b'{"display":"b","sessionId":"aaaaaaaa-1111-4222-8333-000000000002"}\n'
NONE = b'{"display":"nobody"}\n'


def test_each_session_gets_exactly_its_lines() -> None:
    """In file order, newlines included; what names nobody is counted."""
    views = split_views(A + B + NONE + A2, mtime_ns=5)

    assert views.of_session == {
        "aaaaaaaa-1111-4222-8333-000000000001": A + A2,
        "aaaaaaaa-1111-4222-8333-000000000002": B,
    }
    assert views.line_counts == {
        "aaaaaaaa-1111-4222-8333-000000000001": 2,
        "aaaaaaaa-1111-4222-8333-000000000002": 1,
    }
    assert views.unnamed == 1


def test_an_id_in_the_text_of_a_prompt_is_no_owner() -> None:
    """Only the key of the line itself counts."""
    quoted = b'{"display":"{\\"sessionId\\":\\"x\\"}","project":"/p"}\n'
    nested = b'{"pasted":{"sessionId":"x"}}\n'
    broken = b'{"sessionId":"x"\n\n'
    views = split_views(quoted + nested + broken, mtime_ns=0)

    assert views.of_session == {}
    assert views.unnamed == 4
