"""Points in time as a user writes them, and as they are shown."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from sessionizer.base.instants import parse_instant_ns
from sessionizer.transcripts.errors import WhenError
from sessionizer.transcripts.when import Window, format_local, local_iso, parse_when

NOW = datetime(2026, 3, 31, 12, 0, 0, tzinfo=UTC)
SYDNEY = ZoneInfo("Australia/Sydney")


def when(text: str, zone: ZoneInfo | None = None, now: datetime = NOW) -> int:
    return parse_when(text, now=now, zone=zone)


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("90s", "2026-03-31T11:58:30Z"),
        ("30m", "2026-03-31T11:30:00Z"),
        ("2h", "2026-03-31T10:00:00Z"),
        ("-2h", "2026-03-31T10:00:00Z"),
        ("3d", "2026-03-28T12:00:00Z"),
        ("2w", "2026-03-17T12:00:00Z"),
        ("1mo", "2026-02-28T12:00:00Z"),
        ("1y", "2025-03-31T12:00:00Z"),
        ("2026-03-01", "2026-03-01T00:00:00Z"),
        ("2026-03-01T10:00", "2026-03-01T10:00:00Z"),
        ("2026-03-01 10:00:05.25", "2026-03-01T10:00:05.25Z"),
        ("2026-03-01T10:00:05Z", "2026-03-01T10:00:05Z"),
        ("2026-03-01T10:00Z", "2026-03-01T10:00:00Z"),
        ("2026-03-01 10:00:05+05:30", "2026-03-01T04:30:05Z"),
        ("2026-03-01T10:00:05-0500", "2026-03-01T15:00:05Z"),
    ],
)
def test_forms(text: str, instant: str) -> None:
    assert when(text, ZoneInfo("UTC")) == parse_instant_ns(instant)


def test_days_keep_the_clock_over_a_change_of_time() -> None:
    """Sydney left summer time on 5 April 2026: three days ago was 73 hours ago."""
    now = datetime(2026, 4, 6, 2, 0, 0, tzinfo=UTC)  # noon in Sydney

    assert when("3d", SYDNEY, now) == parse_instant_ns("2026-04-03T01:00:00Z")
    assert when("72h", SYDNEY, now) == parse_instant_ns("2026-04-03T02:00:00Z")


def test_bare_times_are_local() -> None:
    assert when("2026-03-01T10:00", SYDNEY) == parse_instant_ns("2026-02-28T23:00:00Z")
    assert when("2026-03-01", SYDNEY) == parse_instant_ns("2026-02-28T13:00:00Z")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "now",
        "yesterday",
        "2026-02-30",
        "2026-03-01T25:00",
        "2026-03-01T05:00:00+99:00",
        "2026-13-01T05:00:00Z",
        "3x",
        "999999999y",
    ],
)
def test_what_is_no_point_in_time(text: str) -> None:
    """An offset that cannot be is never read as local time."""
    with pytest.raises(WhenError):
        when(text)


def test_a_window_holds_its_ends() -> None:
    window = Window(since=parse_instant_ns("2026-03-01T10:00:00Z"))

    assert window.admits("2026-03-01T10:00:00Z")
    assert not window.admits("2026-03-01T09:59:59.999Z")
    assert not window.admits("2026-03-01T11:00:00")
    assert not window.admits(None)
    assert Window().admits(None)


def test_times_as_text() -> None:
    stamp = "2026-03-01T10:00:00.123456Z"

    assert format_local(stamp, milliseconds=True) == "2026-03-01 10:00:00.123 UTC(UTC+0)"
    assert format_local(stamp, milliseconds=False) == "2026-03-01 10:00:00 UTC(UTC+0)"
    assert format_local(None, milliseconds=True) == "—"
    assert format_local("soon", milliseconds=True) == "soon (unparsed)"
    assert local_iso(stamp) == "2026-03-01T10:00:00+00:00"
    assert local_iso("2026-03-01T10:00:00") is None
