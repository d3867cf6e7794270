"""The invented project of the main session: a small web service for tide tables."""

from collections import Counter
from math import cos, pi

ROOT = "/home/dev/tidebook"

HARMONICS = '''"""Tide heights from the harmonic constituents of a port."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from math import cos, radians

from tidebook.astro import equilibrium_argument, node_factor


@dataclass(frozen=True)
class Constituent:
    """One line of a port's table. `phase` is a lag in degrees."""

    name: str
    amplitude: float
    phase: float
    speed: float


def local_phase(constituent: Constituent, longitude: float) -> float:
    """The lag at the port's own meridian, from the lag at Greenwich."""
    return constituent.phase - longitude * constituent.speed / 15.0


def height(
    constituents: Sequence[Constituent], longitude: float, datum: float, at: datetime
) -> float:
    """Metres above chart datum at a time in UTC."""
    total = datum
    for constituent in constituents:
        factor, shift = node_factor(constituent.name, at)
        argument = equilibrium_argument(constituent.name, at) + shift
        lag = local_phase(constituent, longitude)
        total += factor * constituent.amplitude * cos(radians(argument - lag))
    return total
'''

PORTS = '''"""Ports and their tables, one TOML file each."""

import tomllib
from dataclasses import dataclass
from pathlib import Path

from tidebook.harmonics import Constituent

FOLDER = Path(__file__).parent.parent / "data" / "ports"


@dataclass(frozen=True)
class Port:
    """A place with a tide table."""

    name: str
    longitude: float
    datum: float
    source: str
    constituents: tuple[Constituent, ...]


def load_port(slug: str) -> Port:
    """Read `data/ports/<slug>.toml`."""
    with (FOLDER / f"{slug}.toml").open("rb") as file:
        table = tomllib.load(file)
    return Port(
        name=table["name"],
        longitude=table["longitude"],
        datum=table["datum"],
        source=table["source"],
        constituents=tuple(Constituent(**row) for row in table["constituent"]),
    )
'''

WEB = '''"""The pages: one per port, one per day."""

from datetime import date

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse
from starlette.routing import Route

from tidebook.notices import read_notices
from tidebook.pages import render_day
from tidebook.ports import load_port


async def show_day(request: Request) -> HTMLResponse:
    """The table of one port and day, with the harbour office's notices above it."""
    port = load_port(request.path_params["port"])
    day = date.fromisoformat(request.path_params["day"])
    notices = "".join(f"<p class=notice>{text}</p>" for text in read_notices(port, day))
    return HTMLResponse(render_day(port, day, before=notices))


app = Starlette(routes=[Route("/{port}/{day}", show_day)])
'''

KELMOUTH = """name = "Kelmouth"
longitude = -2.97
datum = 4.12
source = "Almanac 2026, table B"

[[constituent]]
name = "M2"
amplitude = 2.481
phase = 318.4
speed = 28.9841042

[[constituent]]
name = "S2"
amplitude = 0.797
phase = 2.1
speed = 30.0

[[constituent]]
name = "N2"
amplitude = 0.472
phase = 294.6
speed = 28.4397295

[[constituent]]
name = "K1"
amplitude = 0.114
phase = 188.3
speed = 15.0410686
"""

SANDNESS = """name = "Sandness"
longitude = -0.41
datum = 3.05
source = "Almanac 2026, table B"

[[constituent]]
name = "M2"
amplitude = 1.902
phase = 301.7
speed = 28.9841042
"""

TEST_HARMONICS = """from datetime import UTC, datetime

import pytest

from tidebook.harmonics import Constituent, local_phase

M2 = Constituent("M2", 2.481, 318.4, 28.9841042)


def test_greenwich_needs_no_shift() -> None:
    assert local_phase(M2, 0.0) == 318.4


def test_a_western_port_lags_behind_greenwich() -> None:
    assert local_phase(M2, -2.97) == pytest.approx(324.14, abs=0.01)


def test_a_day_has_two_high_waters(kelmouth_day: list[datetime]) -> None:
    assert [at.astimezone(UTC).strftime("%H:%M") for at in kelmouth_day] == ["02:51", "15:14"]
"""

FILES = {
    "tidebook/harmonics.py": HARMONICS,
    "tidebook/ports.py": PORTS,
    "tidebook/web.py": WEB,
    "data/ports/kelmouth.toml": KELMOUTH,
    "data/ports/sandness.toml": SANDNESS,
    "tests/test_harmonics.py": TEST_HARMONICS,
}

SPRINGS = '''"""Spring and neap tides: which days of a month to mark in the table."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Literal

Mark = Literal["springs", "neaps"]

# The tide answers the moon late; on this coast by about a day and a half.
AGE_OF_TIDE = timedelta(days=1, hours=12)


def mark_days(ranges: Sequence[tuple[date, float]]) -> dict[date, Mark]:
    """The days whose range is a local extreme, by the computed heights themselves.

    `ranges` holds one day's largest rise or fall in metres per entry, in order of days. The
    first and the last day are never marked: nothing is known beyond them.
    """
    marks: dict[date, Mark] = {}
    for before, (day, size), after in zip(ranges, ranges[1:], ranges[2:]):
        if size > before[1] and size >= after[1]:
            marks[day] = "springs"
        if size < before[1] and size <= after[1]:
            marks[day] = "neaps"
    return marks
'''

PLAN = """# Mark spring and neap tides in the day tables

## What the reader gets
A small word beside the date, `springs` or `neaps`, on the day of the largest and the smallest
range. No colours: the tables are printed in black.

## How
1. `tidebook/springs.py`: `mark_days(ranges)` looks for local extremes of the daily range. It
   uses our own heights, so it needs no moon tables and stays right where the tide is late.
2. `tidebook/pages.py` prints the mark after the date.
3. Tests: one synthetic month with known extremes, and Kelmouth against the almanac of August.

## Not now
Equinoctial springs get no word of their own. Two ports without a full month stay unmarked.
"""

PORT_NAMES = (
    "Kelmouth",
    "Sandness",
    "Orrin Quay",
    "Black Skerry",
    "Whitwater",
    "Tarn Haven",
    "Long Reach",
    "Saltmarket",
    "Inver Cove",
    "Easter Bar",
    "Gannet Rock",
    "Mill Pool",
    "Northgate",
    "Strand End",
)


def gauge_log() -> str:
    """A long comparison of predictions with gauges, 28 lines per port."""
    lines = []
    for index, port in enumerate(PORT_NAMES):
        for hour in range(28):
            predicted = 4.1 + (2.2 + index / 10) * cos(2 * pi * (hour - index / 3) / 12.42)
            gauge = predicted + 0.03 * cos(hour * 1.7 + index)
            difference = round(gauge, 2) - round(predicted, 2)
            day, clock = divmod(hour, 24)
            lines.append(
                f"{port:<13} 2026-09-{8 + day:02}T{clock:02}:00Z  predicted {predicted:5.2f}"
                f"  gauge {gauge:5.2f}  difference {difference:+.2f}"
            )
        lines.append("")
    return "\n".join(lines)


def count_differences(log: str) -> str:
    """How often each difference occurs, as `sort | uniq -c` prints it."""
    found = Counter(line.rsplit(" ", 1)[1] for line in log.split("\n") if line)
    return "".join(f"{count:>7} {size}\n" for size, count in sorted(found.items()))


WORKFLOW_SCRIPT = """export const meta = {
  name: 'check-port-tables',
  description: 'Compare every port table with its source for the lag convention',
  phases: [{ title: 'Check' }],
}

const groups = [
  ['kelmouth', 'sandness', 'orrin-quay', 'black-skerry', 'whitwater'],
  ['tarn-haven', 'long-reach', 'saltmarket', 'inver-cove', 'easter-bar'],
  ['gannet-rock', 'mill-pool', 'northgate', 'strand-end'],
]

const verdict = {
  type: 'object',
  properties: {
    wrong: { type: 'array', items: { type: 'string' } },
    note: { type: 'string' },
  },
  required: ['wrong', 'note'],
}

phase('Check')
const found = await parallel(groups.map((ports, i) => () =>
  agent(
    `Compare the tables of ${ports.join(', ')} with their sources. Name each port whose ` +
      'lags are local. Change nothing.',
    { label: `group ${i + 1}`, phase: 'Check', schema: verdict },
  )))

return { wrong: found.filter(Boolean).flatMap(v => v.wrong) }
"""
