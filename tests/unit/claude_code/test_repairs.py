"""What is mended before a line is decoded, and what that costs."""

import pytest

from sessionizer.claude_code.repairs import (
    Utf8,
    escape_controls,
    replace_bad_utf8,
    strip_damage,
)


def test_a_byte_order_mark_is_skipped_at_the_start_of_a_file_only() -> None:
    """It is no damage, so nothing counts as repaired (BR-54)."""
    assert strip_damage(b"\xef\xbb\xbf{}", first_line=True) == (b"{}", False)
    assert strip_damage(b"\xef\xbb\xbf{}", first_line=False) == (b"\xef\xbb\xbf{}", False)


@pytest.mark.parametrize("body", [b"\0\0\0{}", b"{}\0\0", b"\0 {} \0\r", b"\xef\xbb\xbf\0{}"])
def test_nuls_around_a_line_are_taken_off_and_said(body: bytes) -> None:
    """A crash leaves runs of NULs beside a whole record (BR-52)."""
    assert strip_damage(body, first_line=True) == (b"{}", True)


def test_nuls_inside_a_line_stay() -> None:
    """They are part of a string, or break the line; either way they are no frame around it."""
    assert strip_damage(b' {"a":"\0"} ', first_line=True) == (b' {"a":"\0"} ', False)


def test_a_line_of_nuls_is_nothing() -> None:
    assert strip_damage(b"\0\0", first_line=False) == (b"", True)


@pytest.mark.parametrize(
    ("body", "mended", "replaced"),
    [
        (b"plain", "plain", 0),
        ("\u4e2d\U0001f600".encode(), "\u4e2d\U0001f600", 0),
        (b"a\xff\xfeb", "a\ufffd\ufffdb", 2),
        (b"a\xe4\xb8", "a\ufffd", 2),  # a character cut in the middle is one sequence
        (b"\xed\xa0\x80", "\ufffd\ufffd\ufffd", 3),  # a surrogate written as UTF-8
        (b"\xef\xbf\xbd\xff", "\ufffd\ufffd", 1),  # the first one stood there before
        (b'"\xe4"', '"\ufffd"', 1),  # a quote is never part of a broken character
    ],
)
def test_bytes_that_are_no_utf8_are_replaced_and_counted(
    body: bytes, mended: str, replaced: int
) -> None:
    assert replace_bad_utf8(body) == Utf8(mended.encode(), replaced)


def test_bare_controls_are_escaped_inside_strings_only() -> None:
    """Between tokens a tab is white space; in a string it is text that lost its escape."""
    assert escape_controls(b'\t{"a":\t"x\ty\x00"}\r') == b'\t{"a":\t"x\\u0009y\\u0000"}\r'
