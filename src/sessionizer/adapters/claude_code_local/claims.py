"""Which generation of a place each source lands in, and which sources are refused. Pure.

Two sources that map to one place are never interleaved. The one that already lands there
keeps it; among new ones the first by path does.
Source: docs/formats/storage.md, "Generations" and "Claimed twice".
"""

from collections.abc import Iterable, Mapping

from msgspec import Struct
from msgspec.structs import replace

from sessionizer.adapters.claude_code_local.sources import Source
from sessionizer.landing.cursor import stored_source
from sessionizer.landing.record import PREFIX_OF_KIND

# (directory of the first generation, prefix): what one cursor stands for.
Place = tuple[str, str]


class Claim(Struct, frozen=True, kw_only=True):
    """What a source gets.

    Attributes:
        generation: The generation it lands in, from 1; None when it is refused.
        owner: The source that holds the place, when this one is refused.
    """

    source: Source
    generation: int | None
    owner: Source | None = None


def place_of(source: Source) -> Place:
    """Where a source lands, in its first generation."""
    return source.directory, PREFIX_OF_KIND[source.kind]


def unify_case(sources: Iterable[Source], existing: Iterable[str]) -> tuple[Source, ...]:
    """Spell directories that differ in case as one, for a disk on which they are one.

    The spelling of an existing directory wins, then the first one.
    """
    spellings = {directory.casefold(): directory for directory in existing}
    return tuple(
        replace(
            source,
            directory=spellings.setdefault(source.directory.casefold(), source.directory),
        )
        for source in sources
    )


def assign_claims(
    sources: Iterable[Source], generations: Mapping[Place, tuple[str, ...]]
) -> tuple[Claim, ...]:
    """Give each source, in the order given, its generation.

    Args:
        sources: The sources of one session, by path.
        generations: Per place the `source` of each generation's cursor, from generation 1.
    """
    groups: dict[Place, list[Source]] = {}
    for source in sources:
        groups.setdefault(place_of(source), []).append(source)
    return tuple(
        claim
        for place, claimants in groups.items()
        for claim in _assign_place(claimants, generations.get(place, ()))
    )


def _assign_place(claimants: list[Source], generations: tuple[str, ...]) -> list[Claim]:
    held = {name: number for number, name in enumerate(generations, start=1)}
    holders = [source for source in claimants if stored_source(source.src) in held]
    owner = holders[0] if holders else claimants[0]
    claims = []
    for source in claimants:
        generation = held.get(stored_source(source.src))
        if generation is None and source is owner:
            # Nobody that is still there holds the place: the source moved, or is the first.
            generation = max(len(generations), 1)
        refused = generation is None
        claims.append(Claim(source=source, generation=generation, owner=owner if refused else None))
    return claims
