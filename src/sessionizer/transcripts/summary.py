"""What `csift list` says about one transcript. Values only, without msgspec or typing."""

from sessionizer.base.plain import Plain

EXCERPT = 200  # characters of a message that a list shows


class Preview(Plain):
    """One message in short: when, and its beginning in one line."""

    __slots__ = ("excerpt", "timestamp")
    timestamp: str | None
    excerpt: str

    def __init__(self, timestamp: str | None, excerpt: str) -> None:
        self._set(timestamp=timestamp, excerpt=excerpt)


class Summary(Plain):
    """What the two ends of a transcript tell.

    Attributes:
        cwd: The first one stated; None without.
        version_first, version_last, branch_first, branch_last: As stated at both ends.
        first_user, last_user, last_agent: None when there is none in the windows.
        last_user_unread, last_agent_unread: Whether the search for it stopped at its limit.
        skipped_lines: Malformed lines among those read.
        boundary: Of a clone: the uuid of the reset it begins with; None otherwise.
        custom_title, ai_title: The last one of each kind in the windows.
        leaf_titles: Titles that name a record, which may be another file's: (uuid, title).
        uuids: Records seen in the windows.
    """

    __slots__ = (
        "ai_title",
        "boundary",
        "branch_first",
        "branch_last",
        "custom_title",
        "cwd",
        "first_user",
        "last_agent",
        "last_agent_unread",
        "last_user",
        "last_user_unread",
        "leaf_titles",
        "skipped_lines",
        "uuids",
        "version_first",
        "version_last",
    )
    cwd: str | None
    version_first: str | None
    version_last: str | None
    branch_first: str | None
    branch_last: str | None
    first_user: Preview | None
    last_user: Preview | None
    last_agent: Preview | None
    last_user_unread: bool
    last_agent_unread: bool
    skipped_lines: int
    boundary: str | None
    custom_title: str | None
    ai_title: str | None
    leaf_titles: tuple[tuple[str, str], ...]
    uuids: frozenset[str]

    def __init__(self, **fields: object) -> None:
        self._set(**fields)

    @property
    def previews(self) -> tuple[Preview, ...]:
        """The previews that there are."""
        found = (self.first_user, self.last_user, self.last_agent)
        return tuple(preview for preview in found if preview is not None)
