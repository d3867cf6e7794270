"""Short names of transcripts for people, each of which works as a target. Pure."""

from collections.abc import Iterable

from sessionizer.claude_code.ids import is_session_id
from sessionizer.transcripts.targets import is_agent_shaped

SHORT, LONGER = 8, 12
_HEX = frozenset("0123456789abcdefABCDEF")


class Handles:
    """The shortest token of each id in scope that still tells it from the others."""

    def __init__(self, ids: Iterable[str]) -> None:
        self._tokens: dict[str, str] = {}
        distinct = sorted(set(ids))
        for length in (SHORT, LONGER):
            seen: dict[str, int] = {}
            for one in distinct:
                seen[one[:length]] = seen.get(one[:length], 0) + 1
            for one in distinct:
                if one not in self._tokens and _is_cuttable(one) and seen[one[:length]] == 1:
                    self._tokens[one] = one[:length]

    def token(self, one: str) -> str:
        """What to print for an id; unknown and odd ones stay whole."""
        return self._tokens.get(one, one)


def _is_cuttable(one: str) -> bool:
    return is_session_id(one) or (_HEX.issuperset(one) and is_agent_shaped(one))
