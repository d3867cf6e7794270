"""Let contestants take turns, and keep the times of those that did their work."""

from collections.abc import Callable, Sequence

from msgspec import Struct

from benchmarks.measuring.comparison import Contestant


class Turn(Struct, frozen=True, kw_only=True):
    """One turn of one contestant.

    Attributes:
        seconds: Wall time of its steps.
        peak_bytes: Largest resident set of any step; None where the system does not tell.
        failure: Why it does not count, one line; None when it does.
    """

    seconds: float
    peak_bytes: int | None = None
    failure: str | None = None


class Result(Struct, frozen=True, kw_only=True):
    """What became of a contestant.

    Attributes:
        state: `measured`, `failed` or `skipped`.
        reason: Why it was not measured, one line.
        seconds: One time per turn, in order; empty unless it was measured.
        peak_bytes: Largest over all turns.
    """

    name: str
    state: str
    reason: str = ""
    seconds: tuple[float, ...] = ()
    peak_bytes: int | None = None


class Skipped(Exception):  # noqa: N818 - a state, not an error
    """The contestant does not exist here; the message says what is missing."""


class Failed(Exception):  # noqa: N818 - a state, not an error
    """The contestant did not do its work; the message is one line."""


def take_turns(
    contestants: Sequence[Contestant],
    rounds: int,
    prepare: Callable[[Contestant], None],
    take: Callable[[Contestant], Turn],
) -> tuple[Result, ...]:
    """Measure `contestants` in the order A B C A B C, `rounds` times; results in their order.

    `prepare` gets a contestant ready and lets it run once untimed, which also warms the cache
    of files; it raises `Skipped` or `Failed`. `take` runs a contestant once.

    A contestant that fails in any turn has failed, and none of its times is kept.
    """
    out: dict[str, Result] = {}
    for contestant in contestants:
        try:
            prepare(contestant)
        except Skipped as error:
            out[contestant.name] = Result(name=contestant.name, state="skipped", reason=str(error))
        except Failed as error:
            out[contestant.name] = Result(name=contestant.name, state="failed", reason=str(error))
    turns: dict[str, list[Turn]] = {
        contestant.name: [] for contestant in contestants if contestant.name not in out
    }
    for number in range(1, rounds + 1):
        for contestant in contestants:
            if contestant.name in out:
                continue
            turn = take(contestant)
            turns[contestant.name].append(turn)
            if turn.failure is not None:
                reason = f"turn {number}: {turn.failure}"
                out[contestant.name] = Result(name=contestant.name, state="failed", reason=reason)
    for name, taken in turns.items():
        out.setdefault(name, _measured(name, taken))
    return tuple(out[contestant.name] for contestant in contestants)


def _measured(name: str, turns: Sequence[Turn]) -> Result:
    peaks = [turn.peak_bytes for turn in turns if turn.peak_bytes is not None]
    return Result(
        name=name,
        state="measured",
        seconds=tuple(turn.seconds for turn in turns),
        peak_bytes=max(peaks, default=None),
    )
