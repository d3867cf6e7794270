"""The files of an invented project, and what the agent's file tools answer about them.

The tools work on real contents: a later Read shows what an earlier Edit made, and a patch is
the difference of two texts. A replay of the transcript gives exactly `Workspace.text`.
"""

import difflib
import hashlib
import re
from typing import Any, NamedTuple

from sample import ids


class Answer(NamedTuple):
    """What comes back for a tool use: the block's content, the structured result, the state."""

    content: Any
    structured: Any = None
    failed: bool | None = None


class Backup(NamedTuple):
    """One kept version of a file, as `file-history/<session>/<name>`."""

    name: str
    text: str


class Workspace:
    """Project files by absolute path, with the backups made before each change."""

    def __init__(self, root: str, files: dict[str, str]) -> None:
        self.root = root
        self.files = {f"{root}/{name}": text for name, text in files.items()}
        self.backups: list[Backup] = []
        self.tracked: dict[str, dict[str, Any]] = {}

    def text(self, name: str) -> str:
        """The present content of a file, named relative to the root."""
        return self.files[f"{self.root}/{name}"]

    def read(self, path: str, offset: int = 1, limit: int | None = None) -> Answer:
        """The lines of a file with their numbers, as the Read tool shows them."""
        text = self.files[path]
        lines = text.split("\n")
        shown = lines[offset - 1 :][:limit] if limit else lines[offset - 1 :]
        numbered = "\n".join(f"{offset + at:>6}→{line}" for at, line in enumerate(shown))
        file = {
            "filePath": path,
            "content": "\n".join(shown),
            "numLines": len(shown),
            "startLine": offset,
            "totalLines": len(lines),
        }
        return Answer(numbered, {"type": "text", "file": file})

    def grep(self, pattern: str, below: str = "") -> Answer:
        """Matching lines of all files below a folder, as Grep in content mode shows them."""
        found = [
            f"{path.removeprefix(self.root + '/')}:{number}:{line}"
            for path, text in sorted(self.files.items())
            if path.startswith(f"{self.root}/{below}")
            for number, line in enumerate(text.split("\n"), 1)
            if re.search(pattern, line)
        ]
        content = "\n".join(found) or "No matches found"
        structured = {
            "mode": "content",
            "numFiles": 0,
            "filenames": [],
            "content": content if found else "",
            "numLines": len(found),
            "totalLines": len(found),
        }
        return Answer(content, structured)

    def write(self, path: str, text: str) -> Answer:
        """Create a file."""
        if path in self.files:
            raise ValueError(f"{path} exists: the story writes only new files")
        self._keep(path, None)
        self.files[path] = text
        structured: dict[str, Any] = {
            "type": "create",
            "filePath": path,
            "content": text,
            "structuredPatch": [],
            "originalFile": None,
        }
        return Answer(f"File created successfully at: {path}", structured)

    def edit(self, path: str, old: str, new: str) -> Answer:
        """Replace the one occurrence of `old`."""
        before = self.files[path]
        if before.count(old) != 1:
            raise ValueError(f"{path} holds the text to replace {before.count(old)} times")
        self._keep(path, before)
        after = before.replace(old, new)
        self.files[path] = after
        structured = {
            "filePath": path,
            "oldString": old,
            "newString": new,
            "originalFile": before,
            "structuredPatch": _hunks(before, after),
            "userModified": False,
            "replaceAll": False,
        }
        return Answer(f"The file {path} has been updated successfully.", structured)

    def _keep(self, path: str, before: str | None) -> None:
        """Note a version of `path` as it is before a change; a new file has no content yet."""
        name = path.removeprefix(f"{self.root}/")
        version = self.tracked[name]["version"] + 1 if name in self.tracked else 1
        backup = None
        if before is not None:
            backup = f"{hashlib.sha256(path.encode()).hexdigest()[:16]}@v{version}"
            self.backups.append(Backup(backup, before))
        self.tracked[name] = {"backupFileName": backup, "version": version}


def _hunks(before: str, after: str) -> list[dict[str, Any]]:
    """The unified difference as the edit tools store it: hunks with three lines of context."""
    hunks: list[dict[str, Any]] = []
    lines = list(difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm=""))
    for line in lines[2:]:
        head = re.fullmatch(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@", line)
        if head:
            old, old_count, new, new_count = head.groups()
            hunks.append(
                {
                    "oldStart": int(old),
                    "oldLines": int(old_count or 1),
                    "newStart": int(new),
                    "newLines": int(new_count or 1),
                    "lines": [],
                }
            )
        else:
            hunks[-1]["lines"].append(line)
    return hunks


def shell(stdout: str = "", stderr: str = "", *, code: int = 0) -> Answer:
    """What a command printed; another code than 0 is a failed tool use."""
    if code:
        said = f"Exit code {code}\n{stdout}{stderr}".rstrip("\n")
        return Answer(said, f"Error: {said}", failed=True)
    structured = {
        "stdout": stdout.rstrip("\n"),
        "stderr": stderr.rstrip("\n"),
        "interrupted": False,
        "isImage": False,
        "noOutputExpected": False,
    }
    shown = "\n".join(part for part in (stdout.rstrip("\n"), stderr.rstrip("\n")) if part)
    return Answer(shown, structured, failed=False)


def background(task: str, output: str) -> Answer:
    """The acknowledgement of a command started in the background."""
    started = shell()
    said = f"Command running in background with ID: {task}. Output is being written to: {output}."
    return started._replace(
        content=said, structured={**started.structured, "backgroundTaskId": task}
    )


def background_task_id(name: str) -> str:
    """`b` and eight letters or digits."""
    return "b" + ids.base58_of(f"task/{name}", 8).lower()
