"""Lay out a corpus: projects, sessions of several sizes and ages, and what each one holds."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from benchmarks.corpus.children import LARGEST_RUN, write_agent_call, write_workflow_call
from benchmarks.corpus.conversation import write_companions, write_turn
from benchmarks.corpus.documented import MAIN_SHARE_OF_RECORDS
from benchmarks.corpus.old_layouts import write_old_session
from benchmarks.corpus.transcript import FIRST, MIDDLE, NEW, Era, Session, Transcript
from benchmarks.corpus.workshop import Workshop

FIRST_DAY = 1_780_272_000_000
"""2026-06-01T00:00:00Z in milliseconds; nothing depends on the day of the run."""

OLD_DAYS = 300
DAY = 86_400_000
SESSIONS_PER_PROJECT = 4
CALLS_PER_TURN = 3.7
BYTES_PER_CHILD = 230_000
LINES_PER_CHILD = 82
SIZE_SKEW = 0.9
"""The session of rank r (from 1) weighs r ** -SIZE_SKEW: the largest of 62 holds a sixth."""

OLD_SESSION_WEIGHT = 0.04
CLOSING_TURNS = 200
PLACES = ("/home/dev/{}", "/home/dev/work/{}.v2", "/home/dev/my {}", "C:\\Users\\dev\\{}")


class Plan(NamedTuple):
    """One session to write: its generation, and its weight in the size of the corpus."""

    era: Era
    weight: float


def plan_sessions(shop: Workshop, count: int) -> list[Plan]:
    """`count` sessions in shuffled order; from four on some are old, the last one never."""
    middle, first = count // 12 + (count >= 4), count // 24 + (count >= 4)
    new = count - middle - first
    plans = [
        *(Plan(NEW, rank**-SIZE_SKEW) for rank in range(1, new + 1)),
        *(Plan(MIDDLE, OLD_SESSION_WEIGHT) for _ in range(middle)),
        *(Plan(FIRST, OLD_SESSION_WEIGHT) for _ in range(first)),
    ]
    last = plans.pop(0)
    shop.random.shuffle(plans)
    return [*plans, last]


def write_corpus(shop: Workshop, home: Path, count: int) -> None:
    """Write `count` sessions below `home`/projects, together about the size the shop was told."""
    plans = plan_sessions(shop, count)
    ledger = shop.ledger
    cwds = list(_iter_cwds(shop, count))
    for index, plan in enumerate(plans):
        left = max(0, ledger.target_bytes - ledger.all_bytes)
        budget = int(left * plan.weight / sum(later.weight for later in plans[index:]))
        cwd = cwds[index]
        day = index if plan.era is NEW else index - OLD_DAYS
        session = Session(
            id=shop.ids.uuid(),
            project=home / "projects" / encode_cwd(cwd),
            cwd=cwd,
            branch="main",
            slug=f"{shop.word()}-{shop.word()}-{shop.word()}",
            era=plan.era,
        )
        path = session.project / f"{session.id}.jsonl"
        with Transcript(shop, session, path, FIRST_DAY + day * DAY) as main:
            if plan.era is NEW:
                _write_session(main, budget, closes=index == count - 1)
            else:
                write_old_session(main, budget)
        ledger.tally["old_layout_sessions"] += plan.era is not NEW


def encode_cwd(cwd: str) -> str:
    """The name of a project's directory: every UTF-16 unit but A-Z, a-z, 0-9 becomes `-`."""
    units = cwd.encode("utf-16-le")
    characters = (int.from_bytes(units[at : at + 2], "little") for at in range(0, len(units), 2))
    return "".join(chr(c) if c < 128 and chr(c).isalnum() else "-" for c in characters)


def _iter_cwds(shop: Workshop, count: int) -> Iterator[str]:
    projects = [
        PLACES[number % len(PLACES)].format(f"{shop.word()}_{shop.word()}")
        for number in range(1 + count // SESSIONS_PER_PROJECT)
    ]
    for index in range(count):
        yield projects[index % len(projects)]


def _write_session(main: Transcript, budget: int, *, closes: bool) -> None:
    """Write turns and children until `budget` bytes are there.

    The last session of a corpus `closes` it: it goes on until everything planned was made.
    """
    shop = main.shop
    ledger = shop.ledger
    end = ledger.all_bytes + budget
    children_before = _child_lines(main)
    size = _next_size(main, budget)
    delegations = 0
    while ledger.all_bytes < end:
        _write_turn(main)
        owed = main.lines * (1 / MAIN_SHARE_OF_RECORDS - 1)
        missing = owed - (_child_lines(main) - children_before)
        if missing < size * LINES_PER_CHILD * 0.6 or ledger.all_bytes >= end:
            continue
        # Two of three delegations are runs; that gives the documented share of their children.
        if delegations % 3 == 1:
            write_agent_call(main)
        else:
            write_workflow_call(main, size)
        write_companions(main)
        size = _next_size(main, budget)
        delegations += 1
    if closes:
        _close(main)


def _next_size(main: Transcript, budget: int) -> int:
    """Children of the next run: 6 to 23, fewer when the session has no room for three runs."""
    room = max(1, budget // (3 * BYTES_PER_CHILD))
    return min(main.shop.random.randrange(6, LARGEST_RUN), room)


def _write_turn(main: Transcript) -> None:
    shop = main.shop
    prompt = shop.write_prose(shop.size(500, 1.0, "text"))
    write_turn(main, prompt, "human", 1 + int(shop.random.expovariate(1 / CALLS_PER_TURN)))


def _close(main: Transcript) -> None:
    for _ in range(CLOSING_TURNS):
        if not set(main.shop.schedule.leftover()) - {"replay", "nested"}:
            return
        _write_turn(main)


def _child_lines(main: Transcript) -> int:
    return main.shop.ledger.lines - main.shop.ledger.tally["main_lines"]
