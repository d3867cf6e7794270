"""Records that also stand in another session, and which session they belong to.

A forked or continued session begins with copies of an older one. The table tells, for one
session, what is not its own; it is made from all sessions of a root, so assembly stays a
function of one session and this table.
"""

from msgspec import Struct


class Inherited(Struct, frozen=True):
    """An older session this one has records of: how many, and how sure that is."""

    session: str
    records: int
    quality: str


class Inheritance(Struct, frozen=True, kw_only=True):
    """What one session shares with others.

    Attributes:
        owners: The older sessions, by session id.
        record_owners: Owner by record id, for records that another session owns.
        call_owners: Owner by call key, for calls that another session owns.
        elsewhere: Ids of records that are named here as continued and stand elsewhere only.
    """

    owners: tuple[Inherited, ...] = ()
    record_owners: dict[str, str] = {}
    call_owners: dict[str, str] = {}
    elsewhere: frozenset[str] = frozenset()

    def owner_of_record(self, record: str) -> str:
        """The session that owns a record; empty when it is this one."""
        return self.record_owners.get(record, "") if record else ""

    def owner_of_call(self, key: str) -> str:
        """The session that owns a call; empty when it is this one."""
        return self.call_owners.get(key, "") if key else ""


NONE = Inheritance()
