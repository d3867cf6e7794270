"""The builders write what the acceptance cases mean, so the cases may rely on them."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.build.home import AGENT, S1, A, Home, R, U, image, think, txt, use
from tests.build.program import InProcess


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().split(b"\n") if line]


def test_the_shorthand_is_the_printed_line() -> None:
    """Key order and spacing count: cases compare sizes and offsets."""
    envelope = (
        '"timestamp":"2026-03-01T10:00:00.000Z","sessionId":"aaaaaaaa-1111-4222-8333-000000000001"'
        ',"cwd":"/work/demo","version":"2.1.0","gitBranch":"main"'
    )

    assert U("u1", "-", "10:00:00", "t") == (
        '{"type":"user","uuid":"u1","parentUuid":null,' + envelope + ","
        '"message":{"role":"user","content":"t"}}'
    )
    assert A("a1", "u1", "10:00:00", txt("é")) == (
        '{"type":"assistant","uuid":"a1","parentUuid":"u1",' + envelope + ","
        '"message":{"role":"assistant","id":"m-a1","model":"model-x",'
        '"content":[{"type":"text","text":"é"}]}}'
    )
    assert R("r1", "a1", "10:00:00", "t1", "no", err=True, tur={"a": 1}) == (
        '{"type":"user","uuid":"r1","parentUuid":"a1",' + envelope + ","
        '"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1",'
        '"content":"no","is_error":true}]},"toolUseResult":{"a":1}}'
    )


def test_records_chain_by_themselves(home: Home) -> None:
    """Each record's parent is the record before it; queue lines stand outside the chain."""
    main = home.transcript(S1)
    main.user("hi", uuid="u1").queue("enqueue", "later").assistant(txt("yo"), uuid="a1")
    main.assistant(use("t1", "Bash", command="ls")).result("t1", "out", parent=None)

    lines = read_lines(main.path)

    assert [line.get("parentUuid") for line in lines] == [None, None, "u1", "a1", None]
    assert [line["timestamp"][11:19] for line in lines] == [
        f"10:00:0{second}" for second in range(5)
    ]


def test_a_file_grows_between_two_looks(home: Home) -> None:
    """Every call is on disk when it returns, and the bytes before it are as they were."""
    main = home.transcript().user("one")
    before = main.path.read_bytes()
    main.raw(b"\xff\x00 not json").raw("cut", newline=False)

    assert main.path.read_bytes() == before + b"\xff\x00 not json\ncut"


def test_a_child_lies_where_the_runtime_puts_it(home: Home) -> None:
    """Three places are real: below the session, in a workflow run, beside the session."""
    main = home.transcript()
    project = home.projects / "-work-demo"
    main.child().user("a").assistant(think("b"), image())
    main.child(workflow="wf_x-1")
    main.child("0123abcd", beside=True)
    main.meta(toolUseId="t1").journal("wf_x-1", {"type": "started"}).manifest("wf_x-1")

    below = sorted(str(path.relative_to(project)) for path in project.rglob("*.*"))

    assert below == sorted(
        [
            f"{S1}.jsonl",
            f"{S1}/subagents/agent-{AGENT}.jsonl",
            f"{S1}/subagents/agent-{AGENT}.meta.json",
            f"{S1}/subagents/workflows/wf_x-1/agent-{AGENT}.jsonl",
            f"{S1}/subagents/workflows/wf_x-1/journal.jsonl",
            f"{S1}/workflows/wf_x-1.json",
            "agent-0123abcd.jsonl",
        ]
    )
    assert {line["agentId"] for line in read_lines(main.child().path)} == {AGENT}


def test_a_program_in_process_has_streams_of_its_own(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Bytes and text keep their order, and nothing reaches the tests' own streams."""

    def main(arguments: list[str]) -> int:
        print("text", *arguments, os.environ.get("EXTRA"))
        sys.stdout.buffer.write(b'{"type":"hit","text":"\xc3\xa9"}\n')
        print(sys.stdin.read(), file=sys.stderr)
        sys.exit("a reason")

    result = InProcess("asz", main)("one", Path("two"), stdin="in", env={"EXTRA": "set"})

    assert result.stdout == 'text one two set\n{"type":"hit","text":"é"}\n'
    assert (result.exit_code, result.stderr) == (1, "in\na reason\n")
    assert capsys.readouterr() == ("", "")
