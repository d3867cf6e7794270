"""Laws of what `csift verbatim` chooses and cuts."""

from hypothesis import given
from hypothesis import strategies as st

from sessionizer.csift.commands.verbatim.budget import Costs, choose
from sessionizer.csift.commands.verbatim.layout import cap_body
from sessionizer.csift.commands.verbatim.slices import slice_lines

LINES = st.lists(st.text(st.characters(exclude_characters="\n"), max_size=40), max_size=30)


@given(LINES, st.integers(1, 50))
def test_chunks_join_to_the_document_and_none_is_too_wide(lines: list[str], width: int) -> None:
    chunks = list(slice_lines(lines, width))

    assert "".join(chunks) == "".join(f"{line}\n" for line in lines)
    assert all(0 < len(chunk) <= width for chunk in chunks)


@given(st.lists(st.text("ab", max_size=8), max_size=20), st.integers(9, 30))
def test_lines_that_fit_are_never_cut(lines: list[str], width: int) -> None:
    assert all(chunk.endswith("\n") for chunk in slice_lines(lines, width))


@given(st.text(max_size=300), st.integers(2, 100), st.sampled_from([0.60, 0.66]))
def test_a_body_keeps_its_ends_and_counts_the_rest(text: str, cap: int, share: float) -> None:
    body = cap_body(text, cap, share)

    if len(text) <= cap:
        assert body.text == text
        return
    head, _, rest = body.text.partition(f" … [+{body.elided_chars} chars")
    tail = rest.partition("] … ")[2]
    assert text.startswith(head)
    assert text.endswith(tail)
    assert len(head) + len(tail) == cap
    assert len(text) == cap + body.elided_chars


@st.composite
def candidates(draw: st.DrawFn) -> list[Costs]:
    """Newest first; summaries after a unit never become fewer towards older ones."""
    found = []
    compactions = 0
    for _ in range(draw(st.integers(0, 12))):
        compactions += draw(st.integers(0, 1))
        user, agent = draw(st.integers(0, 90)), draw(st.integers(0, 90))
        found.append(
            Costs(
                user=user,
                agent=agent,
                both=user + agent,
                is_round_trip=bool(user and agent) and draw(st.booleans()),
                is_flagged=compactions == 0 and draw(st.booleans()),
                compactions=compactions,
            )
        )
    return found


@given(candidates(), st.integers(-50, 600), st.floats(0.01, 0.99), st.integers(1, 60))
def test_no_choice_exceeds_what_is_available(
    units: list[Costs], available: int, fraction: float, boundary: int
) -> None:
    boundaries = [boundary] * 12

    choice = choose(
        len(units),
        units.__getitem__,
        available=available,
        fraction=fraction,
        boundary_costs=boundaries,
    )

    spent = 0
    for number, (user, agent) in choice.sides.items():
        one = units[number]
        spent += one.both if user and agent else one.user if user else one.agent
        assert (not user or one.user) and (not agent or one.agent)
    compactions = [units[number].compactions for number in choice.sides]
    crossed = max(compactions) - min(compactions) if compactions else 0
    assert choice.used == spent + crossed * boundary
    assert choice.used <= max(available, 0)


@given(candidates(), st.integers(0, 600), st.integers(1, 60))
def test_what_was_left_out_would_not_have_fitted(
    units: list[Costs], available: int, boundary: int
) -> None:
    """The walk passes over what is too large; nothing that still fits is forgotten."""
    choice = choose(
        len(units),
        units.__getitem__,
        available=available,
        fraction=0.5,
        boundary_costs=[boundary] * 12,
    )

    for number, one in enumerate(units):
        cheapest = min((cost for cost in (one.user, one.agent) if cost), default=0)
        if number in choice.sides or not cheapest or available - choice.used < 16:
            continue
        newest = min(choice.newest, one.compactions) if choice.sides else one.compactions
        oldest = max(choice.oldest, one.compactions) if choice.sides else one.compactions
        before = choice.oldest - choice.newest
        assert choice.used + cheapest + (oldest - newest - before) * boundary > available
