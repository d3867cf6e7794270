"""Plant small faults in assembly, one at a time, and see which test notices each.

Works on a copy of the repository; nothing here changes. Run without arguments to try every
fault, with words to try those whose name holds one of them, with `--write` to put the result
into docs/mutation-check.md. The exit code is 1 when a fault goes unnoticed.
"""

# ruff: noqa: E501 - a fault quotes the lines it changes as they stand there

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

REPOSITORY = Path(__file__).parent.parent
PAGE = REPOSITORY / "docs" / "mutation-check.md"
TESTS = (
    "tests/unit/assembly",
    "tests/unit/index",
    "tests/properties/test_assembly.py",
    "tests/properties/test_structure.py",
    "tests/e2e/test_asz_parse.py",
    "tests/e2e/test_asz_conversations.py",
)
# It pins whole outputs, so it would notice nearly everything, and say nothing about the rules.
LEFT_OUT = "tests/unit/assembly/test_sample_bytes.py"
TIMEOUT_SECONDS = 600


class Fault(Struct, frozen=True):
    """One deliberate mistake: the text `old` in a file becomes `new`. `old` stands there once."""

    name: str
    path: str
    old: str
    new: str


FAULTS = (
    # Canonical records.
    Fault(
        "the carried copy is kept",
        "index/copies.py",
        "    return (\n        entry.carried,\n",
        "    return (\n        not entry.carried,\n",
    ),
    Fault(
        "the copy of the later generation is kept",
        "index/copies.py",
        "        entry.carried,\n        entry.gen,\n        entry.stream != MAIN,\n        entry.stream,\n        entry.seq,",
        "        entry.carried,\n        -entry.gen,\n        entry.stream != MAIN,\n        entry.stream,\n        entry.seq,",
    ),
    Fault(
        "the copy of a child is kept before that of `main`",
        "index/copies.py",
        "        entry.gen,\n        entry.stream != MAIN,\n        entry.stream,\n        entry.seq,",
        "        entry.gen,\n        entry.stream == MAIN,\n        entry.stream,\n        entry.seq,",
    ),
    Fault(
        "every version of a snapshot counts",
        "index/copies.py",
        "is_newest = not entry.snapshot or newest_seq[_version_key(entry)] == entry.seq",
        "is_newest = True",
    ),
    Fault(
        "a record of an earlier session counts again",
        "index/copies.py",
        "            first = held.get(key)\n            if first is None:",
        "            first = held.get(key)\n            if first is None or first:",
    ),
    # Streams.
    Fault(
        "side chains stay in `main`",
        "assembly/streams.py",
        "name = _side_name(entry, lookup, roots) if _is_marked(entry) else entry.stream",
        "name = entry.stream",
    ),
    Fault(
        "internal agents are children",
        "assembly/streams.py",
        "    return INTERNAL if any(entry.role == INTERNAL for entry in entries) else CHILD",
        "    return CHILD",
    ),
    Fault(
        "of two children of a name in other sessions the first is taken",
        "assembly/streams.py",
        "return others[0] if len(others) == 1 else None",
        "return others[0] if others else None",
    ),
    # Calls and usage.
    Fault(
        "a call is grouped over all streams",
        "assembly/calls.py",
        "                else:\n                    homes[stream.name] = [entry]",
        "                else:\n                    next(iter(homes.values())).append(entry)",
    ),
    Fault(
        "of the same call the poorest usage counts",
        "assembly/calls.py",
        "counted = max(usages,",
        "counted = min(usages,",
    ),
    Fault(
        "output tokens are summed over fragments",
        "assembly/usage.py",
        "            if (count := entry.usage_out or 0) > output:\n                output = count\n",
        "            output += entry.usage_out or 0\n",
    ),
    Fault(
        "the last fragment's input tokens count",
        "assembly/usage.py",
        "            if (count := entry.usage_in or 0) > given:\n                given = count\n",
        "            given = entry.usage_in or 0\n",
    ),
    Fault(
        "placeholders pass for usage",
        "assembly/usage.py",
        "spoken > _BYTES_PER_TOKEN * max(output, 1)",
        "spoken > 1_000 * _BYTES_PER_TOKEN * max(output, 1)",
    ),
    Fault(
        "usage without a stop reason is reported",
        "assembly/usage.py",
        "state = USAGE_REPORTED if finished else USAGE_PARTIAL",
        "state = USAGE_REPORTED",
    ),
    # Tools.
    Fault(
        "of several results the first is chosen",
        "assembly/tools.py",
        "return self.results[0] if len(self.results) == 1 else None",
        "return self.results[0] if self.results else None",
    ),
    Fault(
        "an echo in an internal stream is a result",
        "assembly/tools.py",
        "elif own is not None and block.tool not in own:",
        "elif own is not None and not own and own:",
    ),
    Fault(
        "result and request are swapped",
        "assembly/tools.py",
        "            references.append(reference_to_part(result))",
        "            references.insert(0, reference_to_part(result))",
    ),
    # Spawns.
    Fault(
        "a journal is as good as an identifier",
        "assembly/spawns.py",
        "quality, via = STRONG_INFERENCE, _BY_JOURNAL",
        "quality, via = EXACT_UNIQUE, _BY_JOURNAL",
    ),
    Fault(
        "of several equal prompts one is believed",
        "assembly/spawns.py",
        "quality = STRONG_INFERENCE if len(matches) == 1 else EXACT_AMBIGUOUS",
        "quality = STRONG_INFERENCE",
    ),
    Fault(
        "a call that started another child is a candidate",
        "assembly/spawns.py",
        "if tool.prompt and tool.tool not in taken:",
        "if tool.prompt:",
    ),
    Fault(
        "a missing child is no gap",
        "assembly/spawns.py",
        "            gaps.append(_child_gap(spawn.child))\n",
        "",
    ),
    Fault(
        "the worse of two grounds wins",
        "assembly/relations.py",
        "QUALITIES.index(new.quality) < QUALITIES.index(known.quality)",
        "QUALITIES.index(new.quality) > QUALITIES.index(known.quality)",
    ),
    # Epochs.
    Fault(
        "an empty epoch stands before a reset at the head",
        "assembly/epochs.py",
        "starts = resets if resets[:1] == [0] else [0, *resets]",
        "starts = [0, *resets]",
    ),
    Fault(
        "the record of a reset lies in the epoch before",
        "assembly/epochs.py",
        "            entries=stream.entries[start:end],\n",
        "            entries=stream.entries[start + bool(number) : end + 1],\n",
    ),
    Fault(
        "a record that another session holds is missed",
        "assembly/epochs.py",
        " and record not in inheritance.elsewhere",
        "",
    ),
    # Talks.
    Fault(
        "nobody walks back to the run",
        "assembly/talks.py",
        "run = entry.run or lookup.run_of(entry)",
        "run = entry.run",
    ),
    Fault(
        "a notification starts a talk",
        "assembly/talks.py",
        "return EXTERNAL in self.triggers or not self.triggers",
        "return True",
    ),
    Fault(
        "a command typed locally starts none",
        "assembly/talks.py",
        "return EXTERNAL in self.triggers or not self.triggers",
        "return EXTERNAL in self.triggers",
    ),
    # Segments.
    Fault(
        "a gap as long as the idle gap cuts",
        "assembly/segments.py",
        "return talk.first_ns - before.last_ns > gap_ns",
        "return talk.first_ns - before.last_ns >= gap_ns",
    ),
    Fault(
        "the gate of lateness is missing",
        "assembly/segments.py",
        "            (LATENESS_WATERMARK, late),\n",
        "",
    ),
    Fault(
        "a missing child closes a window",
        "assembly/segments.py",
        "crossing = has_missing_child or _any_crossing",
        "crossing = _any_crossing",
    ),
    # Steps and the queue.
    Fault(
        "the first response of a child is its output",
        "assembly/steps.py",
        "for entry in reversed(stream.entries):",
        "for entry in stream.entries:",
    ),
    Fault(
        "a later record answers the newest queue line",
        "assembly/queue.py",
        "candidates.popleft()",
        "candidates.pop()",
    ),
    Fault(
        "the newest prompt leaves the queue first",
        "assembly/queue.py",
        "outcomes[waiting.pop(0).position] = DEQUEUED",
        "outcomes[waiting.pop().position] = DEQUEUED",
    ),
    # Inheritance, summary, accounts.
    Fault(
        "the youngest session owns a shared record",
        "assembly/inheritance.py",
        "return _Owner(dated[0][1], STRONG_INFERENCE)",
        "return _Owner(dated[-1][1], STRONG_INFERENCE)",
    ),
    Fault(
        "a conversation inherits from itself",
        "assembly/inheritance.py",
        "record: owner for record, owner in table.record_owners.items() if owner not in tables",
        "record: owner for record, owner in table.record_owners.items()",
    ),
    Fault(
        "inherited calls are spent again",
        "assembly/summary.py",
        "        if inheritance.owner_of_call(call.key):",
        "        if call.key is None:",
    ),
    Fault(
        "a custom title gives way to the runtime's",
        "assembly/titles.py",
        "    for kind in (_CUSTOM, _RUNTIME):",
        "    for kind in (_RUNTIME, _CUSTOM):",
    ),
    Fault(
        "a reference forgets its session",
        "assembly/places.py",
        "return Reference(entry.seq, entry.row, block, entry.session or None)",
        "return Reference(entry.seq, entry.row, block, None)",
    ),
    Fault(
        "delegated prompts have no account",
        "assembly/coverage.py",
        '    ("delegated_prompt", _is_user_in_child),\n    ("runtime_text", lambda entry: entry.kind == "user"),\n',
        '    ("runtime_text", lambda entry: entry.kind == "user" and not _is_user_in_child(entry)),\n',
    ),
    # Harder to see.
    Fault(
        "of two records with one id the last is found",
        "index/lookup.py",
        "                found.setdefault(entry.record, entry)",
        "                found[entry.record] = entry",
    ),
    Fault(
        "a walk remembers nothing of what it found",
        "index/lookup.py",
        "            runs[visited] = run",
        "            runs[visited] = runs[visited]",
    ),
    Fault(
        "children have the first word on calls",
        "assembly/streams.py",
        "key=lambda stream: not stream.is_main)",
        "key=lambda stream: stream.is_main)",
    ),
    Fault(
        "a fork's rest of a call is a call of its own",
        "assembly/calls.py",
        "elif (entry.session, entry.stream, entry.call) in begun:",
        "elif (entry.session, entry.stream, entry.call) in groups:",
    ),
    Fault(
        "an epoch is named after its position",
        "assembly/epochs.py",
        "return reset.record or place_name(reset)",
        "return place_name(reset)",
    ),
    Fault(
        "an acknowledgement is a notification too",
        "assembly/steps.py",
        "            elif entry.trigger == NOTIFICATION:\n                yield _step(",
        "            if entry.trigger == NOTIFICATION:\n                yield _step(",
    ),
    Fault(
        "an injected record is input of a person first",
        "assembly/steps.py",
        '        _Rule("external_input", "input", MESSAGE_EXTERNAL),\n'
        '        _Rule("injected", "inject", CONTEXT_INJECTION),\n',
        '        _Rule("injected", "inject", CONTEXT_INJECTION),\n'
        '        _Rule("external_input", "input", MESSAGE_EXTERNAL),\n',
    ),
    Fault(
        "records without a run stretch the talk",
        "assembly/talks.py",
        "                containers[entry.position] = current.id if current else epoch.id\n",
        "                containers[entry.position] = current.id if current else epoch.id\n"
        "                _ = current and current.take_time(entry.time_ns)\n",
    ),
    Fault(
        "a talk begun before a reset moves to the new epoch",
        "assembly/talks.py",
        "            else:\n                talk, run_id = known\n",
        "            else:\n                talk, run_id = known\n                talk.epoch = epoch.id\n",
    ),
    Fault(
        "what a reset names elsewhere is forgotten in a conversation of several",
        "assembly/inheritance.py",
        "elsewhere=frozenset().union(*(table.elsewhere for table in tables.values())),",
        "elsewhere=frozenset(),",
    ),
    Fault(
        "the name of a copy's session is not followed to its end",
        "assembly/inheritance.py",
        "    ends = {_follow(session, named) for session in named}",
        "    ends = set(named.values())",
    ),
    Fault(
        "a child talk lies in a window it did not begin in",
        "assembly/segments.py",
        "first_ns <= talk.first_ns <= last_ns",
        "talk.first_ns <= last_ns",
    ),
    Fault(
        "a notification that names a child reports on the call's children",
        "assembly/steps.py",
        "            children = () if named is None else (named.name,)",
        "            children = spawns.children_of.get(entry.tool, ())",
    ),
    Fault(
        "of several launches of a batch the last one counts",
        "assembly/spawns.py",
        'if entry.batch and entry.kind != "journal" and entry.batch not in found:',
        'if entry.batch and entry.kind != "journal":',
    ),
    Fault(
        "a call made by the client is the child's last response",
        "assembly/steps.py",
        'if entry.kind == "assistant" and "synthetic" not in entry.flags:',
        'if entry.kind == "assistant":',
    ),
)


class Outcome(Struct, frozen=True):
    """What noticed a fault: the first test that failed, or a timeout; empty when nothing did."""

    fault: Fault
    noticed_by: str
    seconds: float


def main() -> int:
    """Try the faults and say what noticed each."""
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    chosen = [fault for fault in FAULTS if not words or any(word in fault.name for word in words)]
    outcomes = []
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        copy = copy_repository(Path(folder))
        if failed := run_tests(copy):
            print(f"a test fails without any fault: {failed}", file=sys.stderr)
            return 2
        for fault in chosen:
            outcome = try_fault(copy, fault)
            print(f"{outcome.seconds:5.0f}s  {fault.name}: {outcome.noticed_by or 'UNNOTICED'}")
            sys.stdout.flush()
            outcomes.append(outcome)
    unnoticed = sum(not outcome.noticed_by for outcome in outcomes)
    print(f"{len(outcomes) - unnoticed} of {len(outcomes)} noticed")
    if "--write" in sys.argv[1:]:
        write_page(outcomes)
    return 1 if unnoticed else 0


def copy_repository(folder: Path) -> Path:
    """A tree to spoil."""
    for name in ("src", "tests", "tools", "docs"):
        ignored = shutil.ignore_patterns("__pycache__", "static")
        shutil.copytree(REPOSITORY / name, folder / name, ignore=ignored)
    shutil.copy(REPOSITORY / "pyproject.toml", folder)
    return folder


def try_fault(copy: Path, fault: Fault) -> Outcome:
    """Plant, test, take out again."""
    path = copy / "src" / "sessionizer" / fault.path
    sound = path.read_text(encoding="utf-8")
    if sound.count(fault.old) != 1:
        found = sound.count(fault.old)
        raise SystemExit(f"{fault.name}: its text stands {found} times in {fault.path}")
    path.write_text(sound.replace(fault.old, fault.new), encoding="utf-8")
    began = time.monotonic()
    try:
        noticed_by = run_tests(copy)
    finally:
        path.write_text(sound, encoding="utf-8")
    return Outcome(fault, noticed_by, time.monotonic() - began)


def run_tests(copy: Path) -> str:
    """The first test that fails in `copy`; empty when all pass."""
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop("SESSIONIZER_REAL_DATA", None)
    options = ("-x", "-q", "-p", "no:cacheprovider", f"--ignore={LEFT_OUT}")
    command = [sys.executable, "-m", "pytest", *options, *TESTS]
    try:
        done = subprocess.run(
            command,
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "the tests never end"
    failed = re.search(r"^(?:FAILED|ERROR) (\S+)", done.stdout, re.MULTILINE)
    if failed:
        return failed[1].removeprefix("tests/")
    return "" if done.returncode == 0 else "the tests do not start"


def write_page(outcomes: list[Outcome]) -> None:
    """Put the result between the marks of the page."""
    text = PAGE.read_text(encoding="utf-8")
    table = "\n".join(_rows(outcomes))
    marked = re.compile(r"(<!-- result -->\n).*?(<!-- end -->)", re.DOTALL)
    PAGE.write_text(marked.sub(lambda match: f"{match[1]}{table}\n{match[2]}", text), "utf-8")


def _rows(outcomes: list[Outcome]) -> Iterator[str]:
    noticed = sum(bool(outcome.noticed_by) for outcome in outcomes)
    yield f"{noticed} of {len(outcomes)} faults are noticed."
    yield ""
    yield "| module | fault | first test that fails |"
    yield "|---|---|---|"
    for outcome in outcomes:
        module = outcome.fault.path.removesuffix(".py")
        test = f"`{outcome.noticed_by.rpartition('::')[2]}`" if outcome.noticed_by else "**none**"
        yield f"| `{module}` | {outcome.fault.name} | {test} |"


if __name__ == "__main__":
    sys.exit(main())
