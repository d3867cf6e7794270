"""What the parts of the main session share: its transcript, its project, its further files."""

from typing import Any

from sample import ids, tidebook
from sample.transcript import NEW, Clock, Transcript, Use, sum_calls
from sample.workspace import Answer, Workspace

SESSION = "5f0c8a52-7d1e-4b39-9c64-2a8e31d0b7f4"
PROJECT = "-home-dev-tidebook"
SLUG = "steady-ringing-buoy"
MODEL = "claude-opus-5"
CHILD_MODEL = "claude-sonnet-5"
SMALL_MODEL = "claude-haiku-4-5-20251001"

HOME = "/home/dev/.claude"
FOLDER = f"{HOME}/projects/{PROJECT}/{SESSION}"
TASKS = f"/tmp/claude-1000/{PROJECT}/{SESSION}/tasks"  # noqa: S108 - words of the story
PLAN_FILE = f"{HOME}/plans/{SLUG}.md"

RUN = "wf_7c41d2e9-b35"
REVIEWER = "a" + ids.hex_of("agent/reviewer", 16)
READER = "a" + ids.hex_of("agent/reader", 16)
CHECKERS = tuple("a" + ids.hex_of(f"agent/checker-{number}", 16) for number in (1, 2, 3))

# Dollars for a million tokens: invented, so that the totals look like totals.
_PRICES = {MODEL: (6.0, 30.0), CHILD_MODEL: (3.0, 15.0), SMALL_MODEL: (1.0, 5.0)}


def bash(
    label: str,
    command: str,
    description: str,
    answer: Answer | None,
    seconds: float = 0.4,
    **more: Any,
) -> Use:
    """Run a command."""
    given = {"command": command, "description": description, **more}
    return Use(label, "Bash", given, answer, seconds)


class Story:
    """The main session while it is written. `files` are paths below the home."""

    def __init__(self) -> None:
        self.clock = Clock("2026-09-08T09:12:04+00:00")
        self.work = Workspace(tidebook.ROOT, tidebook.FILES)
        self.files: dict[str, str] = {}
        self.children: list[Transcript] = []
        self.typed: list[tuple[str, int]] = []
        self.lines_added = 0
        self.lines_removed = 0
        self.main = Transcript(
            "main",
            SESSION,
            self.clock,
            era=NEW,
            cwd=tidebook.ROOT,
            branch="fix/phase-reference",
            model=MODEL,
            slug=SLUG,
        )

    def type(self, label: str, words: str, content: Any = None, **late: Any) -> str:
        """A person types a prompt: a user record, and a line of the shared history."""
        self.typed.append((words, self.clock.millis()))
        return self.main.human(label, words if content is None else content, **late)

    def read(self, label: str, name: str, offset: int = 1, limit: int | None = None) -> Use:
        """Read a file of the project, whole or a part."""
        path = f"{tidebook.ROOT}/{name}"
        given: dict[str, Any] = {"file_path": path}
        if limit is not None:
            given |= {"offset": offset, "limit": limit}
        return Use(label, "Read", given, self.work.read(path, offset, limit), 0.05)

    def grep(self, label: str, pattern: str, below: str = "") -> Use:
        """Search the project."""
        given: dict[str, Any] = {"pattern": pattern}
        given["path"] = f"{tidebook.ROOT}/{below}".rstrip("/")
        given |= {"output_mode": "content", "-n": True}
        return Use(label, "Grep", given, self.work.grep(pattern, below), 0.2)

    def edit(self, label: str, name: str, old: str, new: str) -> Use:
        """Change a file of the project."""
        path = f"{tidebook.ROOT}/{name}"
        given = {"file_path": path, "old_string": old, "new_string": new, "replace_all": False}
        answer = self.work.edit(path, old, new)
        for hunk in answer.structured["structuredPatch"]:
            self.lines_added += sum(line.startswith("+") for line in hunk["lines"])
            self.lines_removed += sum(line.startswith("-") for line in hunk["lines"])
        return Use(label, "Edit", given, answer, 0.1)

    def write(self, label: str, name: str, text: str) -> Use:
        """Create a file of the project."""
        path = f"{tidebook.ROOT}/{name}"
        self.lines_added += text.count("\n")
        answer = self.work.write(path, text)
        return Use(label, "Write", {"file_path": path, "content": text}, answer, 0.1)

    def child(
        self, name: str, agent_id: str, *, start: str, model: str = CHILD_MODEL, stub: bool = False
    ) -> Transcript:
        """A child transcript with a clock of its own; it repeats the promptId of its parent."""
        child = Transcript(
            name,
            SESSION,
            Clock(start),
            era=NEW,
            cwd=tidebook.ROOT,
            branch="fix/phase-reference",
            model=model,
            slug=SLUG,
            agent_id=agent_id,
            context=9_000,
            stub_usage=stub,
        )
        child.prompt_id = self.main.prompt_id
        self.children.append(child)
        return child

    def snapshot(self, message: str) -> None:
        """A file-history-snapshot line: which kept version stands for each changed file."""
        backups = {
            name: {**backup, "backupTime": self.clock.stamp()}
            for name, backup in self.work.tracked.items()
        }
        self.main.bare(
            "file-history-snapshot",
            messageId=message,
            snapshot={
                "messageId": message,
                "trackedFileBackups": backups,
                "timestamp": self.clock.stamp(),
            },
            isSnapshotUpdate=bool(backups),
        )

    def title(self, kind: str, words: str) -> None:
        """An ai-title or custom-title line."""
        key = {"ai-title": "aiTitle", "custom-title": "customTitle"}[kind]
        self.main.bare(kind, **{key: words}, sessionId=SESSION)

    def last_prompt(self, words: str) -> None:
        """A last-prompt line; the text is cut at 200 characters, as the runtime does."""
        shown = words if len(words) <= 200 else words[:200] + "…"
        self.main.bare("last-prompt", lastPrompt=shown, leafUuid=self.main.last, sessionId=SESSION)

    def cost_state(self) -> None:
        """The program's own totals: our calls, the children's, and the small model's titles."""
        calls = [call for part in (self.main, *self.children) for call in part.calls]
        sums = sum_calls(calls)
        sums.pop("<synthetic>", None)
        sums[SMALL_MODEL] = {"given": 1_912, "out": 74, "read": 0, "write": 0}
        usage = {}
        for model, of in sums.items():
            given, out = _PRICES[model]
            cost = (of["given"] * given + of["out"] * out) / 1e6
            cost += (of["write"] * given * 1.25 + of["read"] * given * 0.1) / 1e6
            usage[model] = {
                "inputTokens": of["given"],
                "outputTokens": of["out"],
                "thinkingTokens": of["out"] // 4,
                "cacheReadInputTokens": of["read"],
                "cacheCreationInputTokens": of["write"],
                "webSearchRequests": 0,
                "costUSD": round(cost, 4),
            }
        spent = self.clock.millis() - 1_788_858_724_000
        self.main.bare(
            "cost-state",
            sessionId=SESSION,
            totalCostUSD=round(sum(part["costUSD"] for part in usage.values()), 4),
            totalAPIDuration=len(calls) * 6_200,
            totalAPIDurationWithoutRetries=len(calls) * 6_100,
            totalToolDuration=len(calls) * 900,
            totalLinesAdded=self.lines_added,
            totalLinesRemoved=self.lines_removed,
            totalDuration=spent,
            startTime=1_788_858_724_000,
            modelUsage=usage,
            hasUnknownModelCost=False,
        )
