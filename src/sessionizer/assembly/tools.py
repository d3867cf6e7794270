"""Stage 4: join the request of a tool use with its result, by id and nothing else.

Two results for one request are not chosen from. A result in an internal agent's stream
whose request stands elsewhere is an echo of another conversation, not a result.
"""

from collections.abc import Iterable

from msgspec import Struct

from sessionizer.assembly.calls import Calls
from sessionizer.assembly.places import reference_to, reference_to_part
from sessionizer.assembly.streams import Stream, Streams
from sessionizer.index.entry import Entry, Position
from sessionizer.index.lookup import Site
from sessionizer.model.ids import make_id, unresolved_id
from sessionizer.model.kinds import (
    AGENT_CALL,
    AVAILABLE,
    EXACT_AMBIGUOUS,
    EXACT_UNIQUE,
    INTERNAL,
    TOOL,
    UNAVAILABLE,
    UNRESOLVED,
)
from sessionizer.model.nodes import Node, Unresolved


class Tool(Struct, frozen=True, kw_only=True, gc=False):
    """One tool use that was requested.

    Attributes:
        tool: Its id.
        stream: Stream of the request.
        prompt: Digest of the prompt it was called with; empty without one.
        results: Every result found; one is a join, several are a doubt.
        manifest: What a launched batch says about itself.
    """

    tool: str
    stream: str
    name: str
    prompt: str
    request: Site
    results: tuple[Site, ...]
    manifest: Entry | None

    @property
    def id(self) -> str:
        """Its node."""
        return make_id("tool", self.tool)

    @property
    def result(self) -> Site | None:
        """The result, when there is exactly one."""
        return self.results[0] if len(self.results) == 1 else None


class Tools(Struct, frozen=True, kw_only=True):
    """The result of stage 4.

    Attributes:
        by_id: Tools by tool id, in order of their requests, `main` first.
        unrequested: Results whose request never landed, first one per tool id.
        unrequested_rows: Positions of all such results.
        echoed_rows: Positions of results in internal streams that answer another stream.
    """

    by_id: dict[str, Tool]
    unrequested: dict[str, Site]
    unrequested_rows: frozenset[Position]
    echoed_rows: frozenset[Position]


def join_tools(streams: Streams) -> Tools:
    """Join requests and results over all streams."""
    requests: dict[str, tuple[str, Site]] = {}
    results: dict[str, list[Site]] = {}
    echoed: set[Position] = set()
    for stream in streams.main_first:
        own = _requested_in(stream) if stream.role == INTERNAL else None
        for entry in stream.entries:
            for number, block in enumerate(entry.blocks):
                if not block.tool:
                    continue
                if block.kind == "tool_use":
                    requests.setdefault(block.tool, (stream.name, Site(entry, number)))
                elif own is not None and block.tool not in own:
                    echoed.add(entry.position)
                else:
                    results.setdefault(block.tool, []).append(Site(entry, number))
    manifests = _manifests(streams.unplaced)
    return Tools(
        by_id={
            tool: _tool(tool, name, request, tuple(results.get(tool, ())), manifests)
            for tool, (name, request) in requests.items()
        },
        unrequested={tool: sites[0] for tool, sites in results.items() if tool not in requests},
        unrequested_rows=frozenset(
            site.entry.position
            for tool, sites in results.items()
            if tool not in requests
            for site in sites
        ),
        echoed_rows=frozenset(echoed),
    )


def tool_nodes(
    tools: Tools,
    calls: Calls,
    containers: dict[Position, str],
    starters: frozenset[str],
) -> Iterable[Node]:
    """Yield a node per tool; those in `starters` (tool ids) started a child."""
    for tool in tools.by_id.values():
        request, result = tool.request.entry, tool.result
        references = [reference_to_part(tool.request)]
        if result is not None:
            references.append(reference_to_part(result))
        if tool.manifest is not None:
            references.append(reference_to(tool.manifest))
        attrs: dict[str, object] = {
            "name": tool.name,
            "timing": UNAVAILABLE,
            "result": AVAILABLE if result is not None else UNAVAILABLE,
            "result_join": _result_join(tool),
        }
        if tool.manifest is not None and tool.manifest.label:
            attrs["launched"] = tool.manifest.label
        yield Node(
            id=tool.id,
            kind=AGENT_CALL if tool.tool in starters else TOOL,
            parent=calls.call_of.get(request.position) or containers[request.position],
            stream=tool.stream,
            ref=references[0],
            refs=tuple(references),
            attrs=attrs,
        )


def tool_gaps(tools: Tools) -> Iterable[Unresolved]:
    """Yield what is missing or in doubt about tools."""
    for tool_id in tools.unrequested:
        yield Unresolved(
            id=unresolved_id("tool_use", tool_id),
            kind="tool_use",
            ref=tool_id,
            reason="a result arrived for a request that was never landed",
        )
    for tool in tools.by_id.values():
        if tool.result is not None:
            continue
        several = "several results carry this tool-use id"
        yield Unresolved(
            id=unresolved_id("tool_result", tool.tool),
            kind="tool_result",
            ref=tool.tool,
            reason=several if tool.results else "no result landed for this tool use",
        )


def _result_join(tool: Tool) -> str:
    if tool.result:
        return EXACT_UNIQUE
    return EXACT_AMBIGUOUS if tool.results else UNRESOLVED


def _tool(
    tool: str,
    stream_name: str,
    request: Site,
    results: tuple[Site, ...],
    manifests: dict[str, Entry],
) -> Tool:
    block = request.entry.blocks[request.block]
    batch = results[0].entry.batch if len(results) == 1 else ""
    return Tool(
        tool=tool,
        stream=stream_name,
        name=block.name,
        prompt=block.prompt,
        request=request,
        results=results,
        manifest=manifests.get(batch) if batch else None,
    )


def _requested_in(stream: Stream) -> frozenset[str]:
    return frozenset(
        block.tool
        for entry in stream.entries
        for block in entry.blocks
        if block.kind == "tool_use" and block.tool
    )


def _manifests(unplaced: tuple[Entry, ...]) -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for entry in unplaced:
        if entry.kind == "manifest" and entry.batch:
            found.setdefault(entry.batch, entry)
    return found
