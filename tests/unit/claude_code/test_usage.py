"""Token counters of one message."""

import pytest

from sessionizer.claude_code.usage import Usage, read_usage


def test_the_four_counters_are_read() -> None:
    raw = (
        b'{"input_tokens":1,"output_tokens":2,"cache_read_input_tokens":3,'
        b'"cache_creation_input_tokens":4,"service_tier":"standard"}'
    )

    assert read_usage(raw) == Usage(input=1, output=2, cache_read=3, cache_write=4)


def test_an_empty_object_is_a_usage_and_nothing_is_none() -> None:
    """An empty usage was written; an absent one was not."""
    assert read_usage(b"{}") == Usage()
    for absent in (b"", b"null", b"[]", b"5"):
        assert read_usage(absent) is None


@pytest.mark.parametrize("odd", [b'"7"', b"-1", b"1.5", b"null", b"[]", b"1" * 40, b"true"])
def test_a_counter_that_is_no_count_reads_as_absent(odd: bytes) -> None:
    raw = b'{"input_tokens":' + odd + b',"output_tokens":2}'

    assert read_usage(raw) == Usage(output=2)
