"""What a verification found."""

from msgspec import Struct

from sessionizer.landing.verify import SessionCheck
from sessionizer.rounds.verify import ChainReport


class Verification(Struct, frozen=True, kw_only=True):
    """The checks of every session and of every generation of every chain."""

    sessions: tuple[SessionCheck, ...]
    chains: tuple[ChainReport, ...]

    @property
    def problems(self) -> int:
        """How many; a broken chain is one."""
        landed = sum(len(check.problems) for check in self.sessions)
        return landed + sum(chain.problem is not None for chain in self.chains)
