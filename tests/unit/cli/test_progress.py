"""The progress line: late, rare, gone at the end, and never where no terminal is."""

import io
import sys
from collections.abc import Callable

import pytest

from sessionizer.cli.context import Context
from sessionizer.cli.progress import DELAY_SECONDS, Progress


class _Stream:
    def __init__(self, *, is_terminal: bool) -> None:
        self.buffer = io.BytesIO()
        self._is_terminal = is_terminal

    def isatty(self) -> bool:
        return self._is_terminal


def written(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[Progress, list[float]], None], *, tty: bool
) -> bytes:
    stream = _Stream(is_terminal=tty)
    monkeypatch.setattr(sys, "stdout", stream)
    clock = [0.0]
    with Progress(Context("asz"), now=lambda: clock[0]) as progress:
        work(progress, clock)
    return stream.buffer.getvalue()


def long_work(progress: Progress, clock: list[float]) -> None:
    for step in range(4):
        clock[0] = step * DELAY_SECONDS
        progress.show(f"{10 - 3 * step} left")


def test_the_line_is_rewritten_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shorter line covers the longer one before it."""
    assert written(monkeypatch, long_work, tty=True) == (b"\r7 left\r4 left\r1 left\r      \r")


def test_what_ends_soon_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def short_work(progress: Progress, clock: list[float]) -> None:
        clock[0] = DELAY_SECONDS / 2
        progress.show("1 of 2")

    assert written(monkeypatch, short_work, tty=True) == b""


def test_the_line_changes_a_few_times_a_second_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    def busy_work(progress: Progress, clock: list[float]) -> None:
        for step in range(1_000):
            clock[0] = DELAY_SECONDS + step / 1_000
            progress.show("working")

    assert written(monkeypatch, busy_work, tty=True).count(b"working") == 5


def test_what_is_no_terminal_gets_data_only(monkeypatch: pytest.MonkeyPatch) -> None:
    assert written(monkeypatch, long_work, tty=False) == b""
