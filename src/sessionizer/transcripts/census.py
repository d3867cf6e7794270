"""Count matching records along one axis. Pure."""

from collections.abc import Iterable

from msgspec import Struct

from sessionizer.transcripts.exchanges import Exchange, Hit
from sessionizer.transcripts.taxonomy import ORDER

AXES = (
    "label",
    "tool",
    "turn",
    "session",
    "pairing",
    "model",
    "attachment",
    "version",
    "result",
)
DRAFT = "draft"


class Census(Struct, frozen=True, kw_only=True):
    """Counts by key.

    Attributes:
        axis: What was counted by.
        rows: Key and number of records, in the order in which they are shown.
        records: All matching records.
        excluded: Records without a value on the axis.
    """

    axis: str
    rows: tuple[tuple[str, int], ...]
    records: int
    excluded: int


class CensusTaker:
    """Takes exchanges one by one.

    Args:
        axis: One of `AXES`.
        labels: The leaves that may be counted.
    """

    def __init__(self, axis: str, labels: frozenset[str]) -> None:
        self.axis = axis
        self.labels = labels
        self.records = 0
        self.excluded = 0
        self._counts: dict[tuple[str, int | None, str], int] = {}
        self._sessions: set[str] = set()
        self._seen: set[int] = set()

    def add(self, exchange: Exchange) -> None:
        """Count an exchange's records; hits of one record, and copies of it, count once."""
        self._sessions.add(exchange.session_id)
        records: dict[tuple[int | None, int | None, int], list[Hit]] = {}
        for hit in exchange.hits:
            records.setdefault((hit.line, hit.glued, hit.carried), []).append(hit)
        for hits in records.values():
            digests = {hit.digest for hit in hits}
            if 0 not in digests and digests <= self._seen:
                continue
            self._seen |= digests
            self.records += 1
            keys = list(self._keys(exchange, hits))
            self.excluded += not keys
            for key in keys:
                self._counts[key] = self._counts.get(key, 0) + 1

    def finish(self) -> Census:
        """The counts in their order: the most first; turns by transcript and number."""
        several = len(self._sessions) > 1
        if self.axis == "turn":
            ordered = sorted(self._counts, key=_turn_order)
        else:
            ordered = sorted(self._counts, key=lambda key: (-self._counts[key], key[2]))
        rows: dict[str, int] = {}
        for key in ordered:
            session, turn, text = key
            name = text
            if self.axis == "turn" and turn is not None:
                name = f"{session}·t{turn}" if several else f"t{turn}"
            rows[name] = rows.get(name, 0) + self._counts[key]
        return Census(
            axis=self.axis,
            rows=tuple(rows.items()),
            records=self.records,
            excluded=self.excluded,
        )

    def _keys(self, exchange: Exchange, hits: list[Hit]) -> Iterable[tuple[str, int | None, str]]:
        """What a record counts under: session, turn and text; several only for labels."""
        if self.axis == "label":
            for label in hits[0].labels:
                if label in self.labels:
                    yield ("", None, label)
            return
        if self.axis == "turn":
            if exchange.turn is None:
                yield ("", None, DRAFT)
            else:
                yield (exchange.session_id, exchange.turn, "")
            return
        value = next((found for hit in hits if (found := _value(hit, self.axis))), None)
        if value is not None:
            yield ("", None, value)


def _turn_order(key: tuple[str, int | None, str]) -> tuple[bool, str, int]:
    session, turn, _ = key
    return (turn is None, session, turn or 0)


def _value(hit: Hit, axis: str) -> str | None:
    if axis == "tool":
        return hit.tool_name
    if axis == "session":
        return hit.session_id
    if axis == "pairing":
        return hit.pairing
    if axis == "model":
        return hit.model
    if axis == "attachment":
        return hit.attachment
    if axis == "version":
        return hit.version
    return None if hit.is_error is None else "error" if hit.is_error else "ok"


def count_labels(exchanges: Iterable[Exchange]) -> tuple[int, dict[str, int]]:
    """How many records match, and under which of all labels, the most frequent first."""
    taker = CensusTaker("label", frozenset(ORDER))
    for exchange in exchanges:
        taker.add(exchange)
    census = taker.finish()
    ordered = sorted(census.rows, key=lambda row: (-row[1], ORDER[row[0]]))
    return census.records, dict(ordered)
