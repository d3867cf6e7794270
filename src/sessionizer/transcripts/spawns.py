"""Which agent a tool's call started: from the sidecars of a session's agents."""

# ruff: noqa: PTH123

from collections.abc import Iterable, Mapping

from msgspec import Struct

from sessionizer.claude_code.records import Record, decode_record
from sessionizer.transcripts.files import AgentSidecar


class SidecarFacts(Struct, frozen=True, kw_only=True):
    """What a sidecar says about its agent. Empty text where it says nothing."""

    agent_id: str
    tool_use_id: str = ""
    name: str = ""
    parent_agent_id: str = ""


class SpawnIndex(Struct, frozen=True, kw_only=True):
    """Links from a call to the agent it started.

    Attributes:
        by_call: Id of the tool use to id of the agent; the first agent that claims it.
        by_name: Name of a teammate to its id, where only one agent has it.
    """

    by_call: Mapping[str, str] = {}
    by_name: Mapping[str, str] = {}


def read_sidecars(sidecars: Iterable[AgentSidecar]) -> tuple[SidecarFacts, ...]:
    """Read sidecars; one that cannot be read says nothing."""
    found = []
    for sidecar in sidecars:
        record = _read(sidecar.path)
        if record is not None:
            found.append(
                SidecarFacts(
                    agent_id=sidecar.agent_id,
                    tool_use_id=record.tool_use_id or "",
                    name=record.name or "",
                    parent_agent_id=record.parent_agent_id or "",
                )
            )
    return tuple(found)


def index_spawns(sidecars: Iterable[SidecarFacts]) -> SpawnIndex:
    """Join sidecars to an index. A name that two agents share names neither."""
    by_call: dict[str, str] = {}
    names: dict[str, set[str]] = {}
    for sidecar in sidecars:
        if sidecar.tool_use_id:
            by_call.setdefault(sidecar.tool_use_id, sidecar.agent_id)
        if sidecar.name:
            names.setdefault(sidecar.name, set()).add(sidecar.agent_id)
    by_name = {name: next(iter(ids)) for name, ids in names.items() if len(ids) == 1}
    return SpawnIndex(by_call=by_call, by_name=by_name)


def _read(path: str) -> Record | None:
    try:
        with open(path, "rb") as file:
            return decode_record(file.read().strip()).record
    except OSError:
        return None
