"""What a session's other files tell about one of its transcripts."""

# ruff: noqa: PTH123

import re
from collections.abc import Mapping

from sessionizer.transcripts.files import Catalogue, TranscriptFile
from sessionizer.transcripts.spawns import SpawnIndex, index_spawns, read_sidecars

_UUID = re.compile(rb'"uuid"\s*:\s*"([^"\\]+)"')


class Family:
    """What is known of a session beside one of its files; read when it is asked for.

    Attributes:
        spawns: Which call started which agent.
        agents_with_files: Agents that have a transcript.
        main: The session's own transcripts.
    """

    def __init__(
        self,
        spawns: SpawnIndex | None = None,
        agents: Mapping[str, str] | None = None,
        main: tuple[TranscriptFile, ...] = (),
    ) -> None:
        self.spawns = spawns or SpawnIndex()
        self._agents = dict(agents or {})
        self._uuids: dict[str, frozenset[str]] = {}
        self.agents_with_files = frozenset(self._agents)
        self.main = main

    def is_filed(self, agent: str, uuid: str) -> bool:
        """Whether a record of an agent stands in that agent's own file."""
        if agent not in self._agents:
            return False
        if agent not in self._uuids:
            self._uuids[agent] = _read_uuids(self._agents[agent])
        return uuid in self._uuids[agent]


class Families:
    """Families by session, each read when a file of it is first asked for."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[str, Family] = {}
        self._members: dict[str, list[TranscriptFile]] = {}
        for file in catalogue.files:
            self._members.setdefault(file.parent_session_id, []).append(file)

    def of(self, file: TranscriptFile) -> Family:
        """The family of a file."""
        session = file.parent_session_id
        if session not in self._known:
            members = self._members.get(session, [])
            self._known[session] = Family(
                spawns=index_spawns(read_sidecars(self._catalogue.sidecars.get(session, ()))),
                agents={one.session_id: one.path for one in members if one.is_subagent},
                main=tuple(one for one in members if not one.is_subagent),
            )
        return self._known[session]


def _read_uuids(path: str) -> frozenset[str]:
    try:
        with open(path, "rb") as file:
            return frozenset(
                found.decode("utf-8", "replace") for line in file for found in _UUID.findall(line)
            )
    except OSError:
        return frozenset()
