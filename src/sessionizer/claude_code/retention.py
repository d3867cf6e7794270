"""When Claude Code deletes its files: what its settings say.

At its start the runtime removes files that were not written for `cleanupPeriodDays` days, by the
file's own time. A settings file of a project, or one that an administrator placed, may say
otherwise; only the home's own is read here.

Source: docs/formats/transcript.md, "Deletion".
"""

from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

DEFAULT_DAYS: Final = 30
SETTINGS_NAME: Final = "settings.json"
_MOST_DAYS: Final = 1_000_000


class _Settings(Struct, frozen=True, rename="camel"):
    cleanup_period_days: object = None


_SETTINGS: Final = msgspec.json.Decoder(_Settings)


class Retention(Struct, frozen=True, kw_only=True):
    """How long files stay.

    Attributes:
        days: After so many days without a write.
        is_stated: Whether the settings say so; otherwise it is the runtime's default.
        problem: Why the settings could not be followed; empty when they could.
    """

    days: int = DEFAULT_DAYS
    is_stated: bool = False
    problem: str = ""


def read_retention(home: Path) -> Retention:
    """What the settings of a home say; the default where they say nothing."""
    path = home / SETTINGS_NAME
    try:
        if path.exists() and not path.is_file():  # a pipe would be waited for without end
            return Retention(problem=f"{SETTINGS_NAME} is not a regular file")
        body = path.read_bytes()
    except FileNotFoundError:
        return Retention()
    except OSError as error:
        return Retention(problem=f"{SETTINGS_NAME}: {error.strerror or error}")
    return parse_retention(body)


def parse_retention(body: bytes) -> Retention:
    """What the text of a settings file says."""
    try:
        days = _SETTINGS.decode(body).cleanup_period_days
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        return Retention(problem=f"{SETTINGS_NAME} is no JSON object: {error}")
    if days is None:
        return Retention()
    if isinstance(days, bool) or not isinstance(days, int) or not 0 < days <= _MOST_DAYS:
        return Retention(problem=f"{SETTINGS_NAME}: cleanupPeriodDays is {days!r}")
    return Retention(days=days, is_stated=True)
