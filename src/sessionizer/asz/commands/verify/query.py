"""What a verification found."""

from msgspec import Struct

from sessionizer.assembly.coverage import Coverage
from sessionizer.landing.verify import SessionCheck
from sessionizer.landing.verify_sources import SourceCheck
from sessionizer.rounds.verify import ChainReport


class SessionCoverage(Struct, frozen=True):
    """The account of one session's records; None when its records can not be read."""

    session: str
    coverage: Coverage | None


class Verification(Struct, frozen=True, kw_only=True):
    """The checks of every session and of every generation of every chain.

    Attributes:
        sources: By session, when the sources were asked for; else None.
        coverage: By session, when accounts were asked for; else None.
    """

    sessions: tuple[SessionCheck, ...]
    chains: tuple[ChainReport, ...]
    sources: tuple[tuple[str, SourceCheck], ...] | None = None
    coverage: tuple[SessionCoverage, ...] | None = None

    @property
    def problems(self) -> int:
        """How many; a broken chain is one."""
        landed = sum(len(check.problems) for check in self.sessions)
        differing = sum(len(check.problems) for _, check in self.sources or ())
        return landed + differing + sum(chain.problem is not None for chain in self.chains)

    @property
    def unaccounted(self) -> int:
        """Records that fit no account, and sessions that have none."""
        found = self.coverage or ()
        return sum(1 if one.coverage is None else len(one.coverage.unaccounted) for one in found)
