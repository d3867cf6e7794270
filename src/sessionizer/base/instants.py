"""Instants: RFC 3339 text to integers and back. Inside the program a time is an integer."""

import re
from datetime import UTC, datetime
from functools import lru_cache

NANOSECONDS = 1_000_000_000
_MILLISECOND = 1_000_000

_RFC3339 = re.compile(
    r"(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))",
    re.ASCII,
)
_SECONDS = {f"{second:02d}": second * NANOSECONDS for second in range(61)}
_MILLISECONDS = {f"{number:03d}": number * _MILLISECOND for number in range(1000)}


def parse_instant_ns(text: str) -> int | None:
    """Nanoseconds since 1970 of an RFC 3339 instant; None when `text` is not one.

    A value without a zone is not an instant. Fraction digits beyond nine are cut. A leap
    second (`:60`) reads as the second after.
    """
    # Agents write milliseconds and `Z`, and their records come many to a minute.
    second_ns = _SECONDS.get(text[17:19])
    fraction_ns = _MILLISECONDS.get(text[20:23])
    if second_ns is None or fraction_ns is None or text[19] != "." or text[23:] != "Z":
        return _parse_any(text)
    minute_ns = _parse_minute(text[:17])
    return None if minute_ns is None else minute_ns + second_ns + fraction_ns


@lru_cache(maxsize=4096)
def _parse_minute(text: str) -> int | None:
    """Nanoseconds since 1970 of an instant that is cut behind its minutes."""
    return _parse_any(f"{text}00Z")


def _parse_any(text: str) -> int | None:
    match = _RFC3339.fullmatch(text)
    if match is None:
        return None
    year, month, day, hour, minute, second = (int(part) for part in match.groups()[:6])
    fraction, sign, zone_hours, zone_minutes = match.groups()[6:]
    if hour > 23 or minute > 59 or second > 60:
        return None
    try:
        midnight = datetime(year, month, day, tzinfo=UTC)
    except ValueError:
        return None
    seconds = int(midnight.timestamp()) + hour * 3600 + minute * 60 + second
    if sign:
        if int(zone_hours) > 23 or int(zone_minutes) > 59:
            return None
        offset = int(zone_hours) * 3600 + int(zone_minutes) * 60
        seconds -= offset if sign == "+" else -offset
    return seconds * NANOSECONDS + int((fraction or "").ljust(9, "0")[:9])


def format_instant_ns(instant_ns: int) -> str:
    """RFC 3339 UTC with `Z`, up to nine fraction digits, trailing zeros trimmed."""
    seconds, fraction = divmod(instant_ns, NANOSECONDS)
    text = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    digits = f"{fraction:09d}".rstrip("0")
    return f"{text}.{digits}Z" if digits else f"{text}Z"


def milliseconds(instant_ns: int) -> int:
    """Milliseconds since 1970, rounded down."""
    return instant_ns // _MILLISECOND
