"""What a session's other files tell about one of its transcripts, read once per session."""

from sessionizer.transcripts.files import Catalogue, TranscriptFile
from sessionizer.transcripts.search_file import Family
from sessionizer.transcripts.spawns import index_spawns, read_sidecars


class Families:
    """Families by session, read when first asked for."""

    def __init__(self, catalogue: Catalogue) -> None:
        self._catalogue = catalogue
        self._known: dict[str, Family] = {}
        self._agents: dict[str, set[str]] = {}
        for file in catalogue.files:
            if file.is_subagent:
                self._agents.setdefault(file.parent_session_id, set()).add(file.session_id)

    def of(self, file: TranscriptFile) -> Family:
        """The family of a file."""
        session = file.parent_session_id
        if session not in self._known:
            sidecars = read_sidecars(self._catalogue.sidecars.get(session, ()))
            self._known[session] = Family(
                spawns=index_spawns(sidecars),
                agents_with_files=frozenset(self._agents.get(session, ())),
            )
        return self._known[session]
