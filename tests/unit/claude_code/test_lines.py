r"""Lines end at `\n` and nowhere else."""

import io

import pytest

from sessionizer.claude_code import lines
from sessionizer.claude_code.lines import Line, iter_file_lines, iter_lines, trimmed


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1c", "\r"])
def test_only_a_newline_ends_a_line(separator: str) -> None:
    """The others occur inside JSON strings, or before the newline (BR-51)."""
    body = f'{{"a":"x{separator}y"}}'.encode()

    assert [line.body for line in iter_lines(body + b"\n")] == [body]


def test_blank_lines_count_and_a_last_line_needs_no_newline() -> None:
    """Numbers are those that an editor shows."""
    assert list(iter_lines(b"\na\r\n\nb")) == [
        Line(1, 0, b""),
        Line(2, 1, b"a\r"),
        Line(3, 4, b""),
        Line(4, 5, b"b"),
    ]


def test_a_window_goes_on_counting_where_it_begins() -> None:
    assert list(iter_lines(b"x\ny\n", offset=100, number=7)) == [
        Line(7, 100, b"x"),
        Line(8, 102, b"y"),
    ]


def test_nothing_has_no_lines() -> None:
    assert list(iter_lines(b"")) == []
    assert list(iter_file_lines(io.BytesIO(b""))) == []


def test_one_carriage_return_belongs_to_a_windows_line_end() -> None:
    assert trimmed(b"x\r") == b"x"
    assert trimmed(b"x\r\r") == b"x\r"
    assert trimmed(b"x") == b"x"


def test_a_line_longer_than_the_buffer_comes_out_whole() -> None:
    long = b"x" * (lines.BUFFER_BYTES * 2 + 5)

    found = list(iter_file_lines(io.BytesIO(b"a\n" + long + b"\nb")))

    assert found == [
        Line(1, 0, b"a"),
        Line(2, 2, long),
        Line(3, len(long) + 3, b"b"),
    ]
