"""The digest over the evidence of a round, chained to that of the round before. Pure."""

import hashlib
from collections.abc import Iterable

from msgspec import Struct


class Evidence(Struct, frozen=True, kw_only=True):
    """Landed files of one session.

    Attributes:
        through_seq: The last sequence number that counts; numbers may have holes.
        landed: `(seq, digest of the whole file)`; files the chain covers already may stand
            in it, and ones beyond `through_seq`.
    """

    session: str
    through_seq: int
    landed: tuple[tuple[int, str], ...] = ()

    def digests(self, from_seq: int) -> list[str]:
        """File digests from `from_seq` through `through_seq`, sorted as text."""
        return sorted(digest for seq, digest in self.landed if from_seq <= seq <= self.through_seq)


def chain_input_digest(previous: str, covered: Iterable[tuple[str, Iterable[str]]]) -> str:
    """The next input digest, 64 hex digits.

    Args:
        previous: Input digest of the round before; empty for round 1.
        covered: Per session in list order its id and its new file digests, sorted. The id is
            part of the digest only when there is more than one session.
    """
    sessions = [(session, list(digests)) for session, digests in covered]
    total = hashlib.sha256(previous.encode())
    for session, digests in sessions:
        if len(sessions) > 1:
            total.update(b"\x01" + session.encode())
        for digest in digests:
            total.update(b"\x00" + digest.encode())
    return total.hexdigest()
