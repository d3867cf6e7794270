"""Steps with their texts: the tree of one talk, and the steps that lie in no talk."""

from collections.abc import Iterable
from typing import Final

from msgspec import Raw, Struct, structs

from sessionizer.landing.record import Row
from sessionizer.model import kinds
from sessionizer.model.nodes import Node, Reference, Relation
from sessionizer.views.evidence import Evidence
from sessionizer.views.facts import Facts
from sessionizer.views.names import Names
from sessionizer.views.native import NativeWords
from sessionizer.views.outline import Outline, Position, is_step
from sessionizer.views.texts import (
    MEDIA_TOTAL_BYTES,
    PREVIEW,
    Limits,
    Media,
    OwnText,
    ResultText,
    own_text,
    result_text,
    returned_text,
)

MAX_LEVELS: Final = 12
TOOLS: Final = frozenset({kinds.TOOL, kinds.AGENT_CALL})
# A call is a container: its words are those of the steps below it.
_WORDLESS: Final = frozenset({kinds.LLM_CALL})


class Edge(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A relation as one of its ends sees it; `dir` is `out` at its start, else `in`."""

    type: str
    other: str
    dir: str
    quality: str
    via: str = ""


class Opened(Struct, frozen=True, kw_only=True):
    """A stream that a step started, and how well that is known."""

    stream: str
    label: str
    talk: str
    quality: str


class TreeNode(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A node as the page shows it; field by field in docs/formats/page-json.md.

    Attributes:
        at: Milliseconds since 1970, 0 when no time is known.
    """

    id: str
    kind: str
    parent: str = ""
    stream: str = ""
    at: int
    ref: Reference | None = None
    refs: tuple[Reference, ...] = ()
    attrs: dict[str, object] = {}
    text: str = ""
    name: str = ""
    failed: bool | None = None
    state: str = ""
    bytes: int = 0
    result: str = ""
    result_state: str = ""
    result_bytes: int = 0
    duration_ms: int | None = None
    duration_measured_by: str = ""
    request_to_result_ms: int | None = None
    request_to_result_join: str = ""
    media: tuple[Media, ...] = ()
    input: Raw | None = None
    structured: Raw | None = None
    opens: tuple[Opened, ...] = ()
    usage_state: str = ""
    tokens: dict[str, int] = {}
    children: tuple["TreeNode", ...] = ()
    edges: tuple[Edge, ...] = ()


class Scene(Struct, frozen=True, kw_only=True):
    """What steps are shown from, and how much of their words."""

    outline: Outline
    facts: Facts
    names: Names
    words: NativeWords
    limits: Limits = PREVIEW


class Trees(Struct, frozen=True):
    """Everything that happened: a tree per talk, and the steps in no talk."""

    talks: tuple[TreeNode, ...]
    outside: tuple[TreeNode, ...]


class _Words(Struct):
    """What was read of one step so far."""

    own: OwnText | None = None
    results: dict[int, ResultText] = {}


def build_talk(scene: Scene, evidence: Evidence, talk: Node) -> TreeNode:
    """The tree below `talk`, at most twelve levels deep, `talk` itself included."""
    below = [placed.node for placed in scene.outline.steps[talk.id]]
    contents = _read_contents(scene, evidence, below)
    return _tree(scene, contents, talk, 0, {talk.id})


def build_trees(scene: Scene, evidence: Evidence) -> Trees:
    """All talks and what lies outside of them, each landed file being read once."""
    outline = scene.outline
    inside = (placed.node for talk in outline.talks for placed in outline.steps[talk.id])
    contents = _read_contents(scene, evidence, (*inside, *outline.outside))
    return Trees(
        talks=tuple(_tree(scene, contents, talk, 0, {talk.id}) for talk in outline.talks),
        outside=tuple(_node(scene, contents, step) for step in outline.outside),
    )


def build_outside(scene: Scene, evidence: Evidence) -> tuple[TreeNode, ...]:
    """The steps in no talk, in display order, without children."""
    steps = scene.outline.outside
    contents = _read_contents(scene, evidence, steps)
    return tuple(_node(scene, contents, step) for step in steps)


def _tree(
    scene: Scene, contents: dict[str, TreeNode], node: Node, level: int, seen: set[str]
) -> TreeNode:
    children = []
    if level < MAX_LEVELS:
        for child in scene.outline.children.get(node.id, ()):
            if child.id not in seen:
                seen.add(child.id)
                children.append(_tree(scene, contents, child, level + 1, seen))
    return structs.replace(_node(scene, contents, node), children=tuple(children))


def _node(scene: Scene, contents: dict[str, TreeNode], node: Node) -> TreeNode:
    known = contents.get(node.id)
    return _bare(scene, node) if known is None else known


def _bare(scene: Scene, node: Node) -> TreeNode:
    """A node without what its records say."""
    tokens = node.attrs.get("tokens")
    usage_state = node.attrs.get("usage_state")
    return TreeNode(
        id=node.id,
        kind=node.kind,
        parent=node.parent or "",
        stream=node.stream or "",
        at=_time_of(scene, node.ref),
        ref=node.ref,
        refs=node.refs,
        attrs=node.attrs,
        opens=_opens(scene, node),
        usage_state=usage_state if isinstance(usage_state, str) else "",
        tokens=tokens if isinstance(tokens, dict) else {},
        edges=_edges(scene.outline, node),
    )


def _read_contents(scene: Scene, evidence: Evidence, steps: Iterable[Node]) -> dict[str, TreeNode]:
    """Every step with its words, each landed file being read once."""
    spoken = [step for step in steps if step.kind not in _WORDLESS and step.ref is not None]
    wanted: dict[Position, list[tuple[Node, int]]] = {}
    for step in spoken:
        for number, ref in enumerate(_references(step)):
            wanted.setdefault(scene.outline.position(ref), []).append((step, number))
    read: dict[str, _Words] = {step.id: _Words(results={}) for step in spoken}
    for position, row in evidence.iter_rows(wanted):
        for step, number in wanted[position]:
            _read_words(read[step.id], row, step, number, scene)
    room = MEDIA_TOTAL_BYTES
    contents = {}
    for step in spoken:
        node, room = _fit_media(_spoken(scene, step, read[step.id]), room)
        contents[step.id] = node
    return contents


def _references(step: Node) -> tuple[Reference, ...]:
    """Where a step's words stand: its own place first, then where its result may be."""
    own = () if step.ref is None else (step.ref,)
    has_result = step.kind in TOOLS or step.kind == kinds.AGENT_OUTPUT
    return (*own, *step.refs[1:]) if has_result else own


def _read_words(read: _Words, row: Row, step: Node, number: int, scene: Scene) -> None:
    if number == 0:
        read.own = own_text(row, step, scene.words, scene.limits)
        return
    if step.kind == kinds.AGENT_OUTPUT:
        result = returned_text(row, scene.words, scene.limits)
    else:
        result = result_text(row, step.refs[number].block, scene.words, scene.limits)
    if result is not None:
        read.results[number] = result


def _spoken(scene: Scene, step: Node, read: _Words) -> TreeNode:
    """`step` with its words. A record that cannot be read leaves the state `unavailable`."""
    own = read.own or OwnText(state=kinds.UNAVAILABLE)
    result = read.results[min(read.results)] if read.results else ResultText()
    attribute = step.attrs.get("name")
    given = attribute if step.kind in TOOLS and isinstance(attribute, str) else ""
    name = own.name or given
    duration = own.duration_ms
    if step.kind in TOOLS and duration is None:
        duration = result.durations.get(name)
    between = _request_to_result(scene, step)
    return structs.replace(
        _bare(scene, step),
        text=own.text,
        name=name,
        failed=result.failed if own.failed is None else own.failed,
        state=own.state,
        bytes=own.bytes,
        result=result.text,
        result_state=result.state,
        result_bytes=result.bytes,
        duration_ms=duration,
        duration_measured_by="" if duration is None else kinds.OBSERVED_REPLAYABLE,
        request_to_result_ms=between,
        request_to_result_join="" if between is None else kinds.EXACT_UNIQUE,
        media=own.media,
        input=own.input,
        structured=result.structured,
    )


def _request_to_result(scene: Scene, step: Node) -> int | None:
    """Milliseconds between two records, which is not how long the tool ran."""
    if step.kind not in TOOLS or step.attrs.get("result_join") != kinds.EXACT_UNIQUE:
        return None
    if len(step.refs) < 2:
        return None
    asked, answered = _time_of(scene, step.refs[0]), _time_of(scene, step.refs[1])
    return answered - asked if asked and answered >= asked else None


def _fit_media(node: TreeNode, room: int) -> tuple[TreeNode, int]:
    """`node` with as many pictures in place as there is `room` for, and what is left of it."""
    if not node.media:
        return node, room
    kept = []
    for media in node.media:
        size = 0 if media.data is None else len(bytes(media.data))
        if size > room:
            kept.append(structs.replace(media, data=None))
        else:
            kept.append(media)
            room -= size
    return structs.replace(node, media=tuple(kept)), room


def _opens(scene: Scene, node: Node) -> tuple[Opened, ...]:
    outline = scene.outline
    found = []
    for relation in outline.related(node.id, kinds.STARTS) if is_step(node) else ():
        stream = outline.nodes.get(relation.target)
        if stream is None:
            continue
        name = stream.stream or ""
        found.append(
            Opened(
                stream=name,
                label=scene.names.of_stream(name).label,
                talk=outline.first_talk.get(name, ""),
                quality=relation.quality,
            )
        )
    return tuple(found)


def _edges(outline: Outline, node: Node) -> tuple[Edge, ...]:
    outgoing = (_edge(one, one.target, "out") for one in outline.outgoing.get(node.id, ()))
    incoming = (_edge(one, one.source, "in") for one in outline.incoming.get(node.id, ()))
    return (*outgoing, *incoming)


def _edge(relation: Relation, other: str, direction: str) -> Edge:
    return Edge(
        type=relation.type,
        other=other,
        dir=direction,
        quality=relation.quality,
        via=relation.via or "",
    )


def _time_of(scene: Scene, ref: Reference | None) -> int:
    return 0 if ref is None else scene.facts.time_at(scene.outline.position(ref))
