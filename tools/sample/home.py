"""The whole home as paths and bytes."""

import json

from sample import agents, day_one, day_two, ids, older, tidebook
from sample.story import PROJECT, SESSION, Story


def build_home() -> dict[str, bytes]:
    """Every file of the sample by its path below the home; the same bytes in every run."""
    story = Story()
    day_one.tell_morning(story)
    day_one.tell_noon(story)
    day_one.tell_afternoon(story)
    day_two.tell_second_day(story)

    files = dict(story.files)
    files[f"projects/{PROJECT}/{SESSION}.jsonl"] = story.main.body()
    for child in story.children:
        files[agents.child_path(child.agent_id)] = child.body()
    for backup in story.work.backups:
        files[f"file-history/{SESSION}/{backup.name}"] = backup.text
    for task in _tasks():
        files[f"tasks/{SESSION}/{task['id']}.json"] = json.dumps(task, indent=2)
    files["history.jsonl"] = _history(story)

    old, old_files = older.tell_old_session()
    files |= old_files
    files[f"projects/{older.OLD_PROJECT}/{older.OLD_SESSION}.jsonl"] = old.body(final_newline=False)
    middle, beside = older.tell_middle_session()
    project = f"projects/{older.MIDDLE_PROJECT}"
    files[f"{project}/{older.MIDDLE_SESSION}.jsonl"] = middle.body()
    files[f"{project}/agent-{older.BESIDE_AGENT}.jsonl"] = beside.body()
    return {path: body.encode() for path, body in sorted(files.items())}


def _tasks() -> list[dict[str, object]]:
    common: dict[str, object] = {"blocks": [], "blockedBy": []}
    return [
        {
            "id": "1",
            "subject": "Say in each port file which lag it holds",
            "description": "A key `phase_reference`: `greenwich` (default) or `local`.",
            "activeForm": "Marking the port files",
            "status": "in_progress",
            **common,
        },
        {
            "id": "2",
            "subject": "Shift only lags that are Greenwich ones",
            "description": "Teach `local_phase` the reference, with a test for both.",
            "activeForm": "Teaching local_phase the reference",
            "status": "completed",
            **common,
        },
    ]


def _history(story: Story) -> str:
    """What was typed at the prompt in every session of the home; older lines name no session."""
    lines: list[dict[str, object]] = [
        {
            "display": "The total for the north cliff is 3 gulls short of my own count. Why?",
            "pastedContents": {},
            "timestamp": 1_758_181_212_000,
            "project": older.OLD_ROOT,
        }
    ]
    for words, millis in story.typed:
        pasted: dict[str, object] = {}
        if "gauge plot" in words:
            pasted["1"] = {
                "id": 1,
                "type": "image",
                "mediaType": "image/png",
                "contentHash": ids.hex_of("paste", 16),
            }
        lines.append(
            {
                "display": words,
                "pastedContents": pasted,
                "timestamp": millis,
                "project": tidebook.ROOT,
                "sessionId": SESSION,
            }
        )
    return "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n" for line in lines
    )
