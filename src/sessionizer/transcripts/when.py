"""Points in time as a user writes them, and how a time is shown.

The local zone is `$TZ`, else the system's. Inside, an instant is nanoseconds since 1970.
Kept free of msgspec and typing: `csift list` loads this module.
"""

import re
import time
from datetime import UTC, datetime, timedelta, tzinfo

from sessionizer.base.instants import NANOSECONDS, parse_instant_ns
from sessionizer.base.plain import Plain
from sessionizer.transcripts.errors import WhenError

MISSING = "—"
_FORMS = "2h, 3d, 2w, 1mo, 2026-03-01, 2026-03-01T10:00, or an instant with Z or an offset"
_AGO = re.compile(r"-?([0-9]{1,9})(s|mo|m|h|d|w|y)", re.ASCII)
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)", re.ASCII)
_LOCAL = re.compile(r"(\d{4})-(\d\d)-(\d\d)[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?", re.ASCII)
_INSTANT = re.compile(
    r"(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?([Zz]|[+-]\d\d:?\d\d)", re.ASCII
)
_LOOKS_ZONED = re.compile(r"\d[Tt ]\d.*(?:[Zz]|[+-]\d\d:?\d\d)$", re.ASCII)
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_WEEK_DAYS = 7
_MONTHS_A_YEAR = 12


class Window(Plain):
    """A stretch of time, both ends included, in nanoseconds; None is open.

    Attributes:
        since, until: The ends.
        since_text, until_text: As they were typed; None when not given.
    """

    __slots__ = ("since", "since_text", "until", "until_text")
    since: int | None
    until: int | None
    since_text: str | None
    until_text: str | None

    def __init__(
        self,
        *,
        since: int | None = None,
        until: int | None = None,
        since_text: str | None = None,
        until_text: str | None = None,
    ) -> None:
        self._set(since=since, until=until, since_text=since_text, until_text=until_text)

    @property
    def is_bounded(self) -> bool:
        """Whether any end was given."""
        return self.since is not None or self.until is not None

    def admits(self, timestamp: str | None) -> bool:
        """Whether a record's time lies inside. Without a time it is in no bounded window."""
        if not self.is_bounded:
            return True
        instant = parse_timestamp(timestamp)
        return instant is not None and self.holds(instant)

    def holds(self, instant_ns: int) -> bool:
        """Whether an instant lies inside."""
        return (self.since is None or instant_ns >= self.since) and (
            self.until is None or instant_ns <= self.until
        )


def parse_window(since: str | None, until: str | None) -> Window:
    """Read `--since` and `--until` against the present moment.

    Raises:
        WhenError: A value is no point in time, or the end lies before the start.
    """
    now = datetime.fromtimestamp(time.time(), UTC)
    window = Window(
        since=None if since is None else parse_when(since, now=now),
        until=None if until is None else parse_when(until, now=now),
        since_text=since,
        until_text=until,
    )
    if window.since is not None and window.until is not None and window.until < window.since:
        raise WhenError(f"--until {until} is before --since {since}")
    return window


def parse_when(text: str, *, now: datetime, zone: tzinfo | None = None) -> int:
    """The instant that `text` means, in nanoseconds.

    Args:
        text: As it was typed.
        now: The present moment, with a zone.
        zone: The local zone; None for the process's own.

    Raises:
        WhenError: It is no point in time.
    """
    spec = text.strip()
    try:
        found = _parse(spec, now, zone)
    except (ValueError, OverflowError) as error:
        raise WhenError(f"{text!r} is no point in time: {error}", hint=f"write {_FORMS}") from error
    if found is None:
        raise WhenError(f"{text!r} is no point in time", hint=f"write {_FORMS}")
    return found


def parse_timestamp(timestamp: str | None) -> int | None:
    """A record's time in nanoseconds; None when it has none, or one without a zone."""
    return None if timestamp is None else parse_instant_ns(timestamp)


def format_local(timestamp: str | None, *, milliseconds: bool) -> str:
    """`2026-03-01 10:00:00 UTC(UTC+0)` in the local zone; `—` for a missing time."""
    if timestamp is None:
        return MISSING
    instant = parse_timestamp(timestamp)
    local = None if instant is None else _local_time(instant)
    if instant is None or local is None:
        return f"{timestamp} (unparsed)"
    clock = local.strftime("%Y-%m-%d %H:%M:%S")
    if milliseconds:
        clock += f".{instant % NANOSECONDS // 1_000_000:03d}"
    name = local.tzname() or ""
    shown = name if name.isascii() and name.isalpha() else ""
    return f"{clock} {shown}({_spell_offset(local)})"


def local_iso(timestamp: str | None) -> str | None:
    """`2026-03-01T21:00:00+11:00`: a record's time in the local zone; None if it is no time."""
    instant = parse_timestamp(timestamp)
    local = None if instant is None else _local_time(instant)
    if local is None:
        return None
    return local.replace(microsecond=0).isoformat()


def _parse(spec: str, now: datetime, zone: tzinfo | None) -> int | None:
    if ago := _AGO.fullmatch(spec):
        return _subtract(int(ago[1]), ago[2], now, zone)
    if instant := _INSTANT.fullmatch(spec):
        date_text, clock, seconds, offset = instant.groups()
        offset = offset if len(offset) != len("+0000") else f"{offset[:3]}:{offset[3:]}"
        found = parse_instant_ns(f"{date_text}T{clock}{seconds or ':00'}{offset.upper()}")
        if found is None:
            raise ValueError("no such instant")
        return found
    if _LOOKS_ZONED.search(spec) and not _LOCAL.fullmatch(spec):
        raise ValueError("no such instant")
    if date := _DATE.fullmatch(spec):
        year, month, day = (int(part) for part in date.groups())
        return _nanoseconds(_with_zone(datetime(year, month, day), zone))
    if local := _LOCAL.fullmatch(spec):
        year, month, day, hour, minute, second = (int(part or 0) for part in local.groups()[:6])
        wall = datetime(year, month, day, hour, minute, second)
        return _nanoseconds(_with_zone(wall, zone)) + int((local[7] or "").ljust(9, "0"))
    return None


def _subtract(count: int, unit: str, now: datetime, zone: tzinfo | None) -> int:
    """Seconds to hours are lengths; days and more are steps of the local calendar."""
    if unit in _SECONDS:
        return _nanoseconds(now - timedelta(seconds=count * _SECONDS[unit]))
    wall = now.astimezone(zone).replace(tzinfo=None)
    if unit in ("d", "w"):
        wall -= timedelta(days=count * (_WEEK_DAYS if unit == "w" else 1))
    else:
        months = count * (_MONTHS_A_YEAR if unit == "y" else 1)
        year, month = divmod(wall.year * _MONTHS_A_YEAR + wall.month - 1 - months, _MONTHS_A_YEAR)
        wall = wall.replace(year=year, month=month + 1, day=_clamp_day(wall.day, year, month + 1))
    return _nanoseconds(_with_zone(wall, zone))


def _clamp_day(day: int, year: int, month: int) -> int:
    for last in range(day, 27, -1):
        try:
            datetime(year, month, last)
        except ValueError:
            continue
        return last
    return day


def _with_zone(wall: datetime, zone: tzinfo | None) -> datetime:
    return wall.astimezone() if zone is None else wall.replace(tzinfo=zone)


def _nanoseconds(moment: datetime) -> int:
    whole = int((moment.replace(microsecond=0) - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds())
    return whole * NANOSECONDS + moment.microsecond * 1000


def _local_time(instant_ns: int) -> datetime | None:
    try:
        return datetime.fromtimestamp(instant_ns // NANOSECONDS, UTC).astimezone()
    except (OverflowError, OSError, ValueError):
        return None


def _spell_offset(local: datetime) -> str:
    offset = local.utcoffset() or timedelta(0)
    minutes = int(offset.total_seconds() // 60)
    sign = "-" if minutes < 0 else "+"
    hours, rest = divmod(abs(minutes), 60)
    return f"UTC{sign}{hours}" if not rest else f"UTC{sign}{hours:02d}:{rest:02d}"
