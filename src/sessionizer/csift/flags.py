"""Flags that several commands of `csift` share, each described once."""

from sessionizer.cli.flags import Arguments, Flag, some_text
from sessionizer.csift.colour import COLOR

CLAUDE_HOME = Flag(
    "--claude-home",
    "DIR",
    some_text,
    help="Home of Claude Code to read. Without it: $CLAUDE_CONFIG_DIR, then ~/.claude, then "
    "$XDG_CONFIG_HOME/claude.",
)
SHARED = (CLAUDE_HOME, COLOR)

FORMAT = Flag(
    "--format",
    "F",
    choices=("text", "json"),
    default="text",
    help="Text for people, or JSON: one object per line, a header first, a summary last.",
)
NO_SUBAGENTS = Flag(
    "--no-subagents",
    conflicts=("--subagents",),
    help="Read top-level transcripts only, not those of their subagents.",
)
SUBAGENTS = Flag(
    "--subagents",
    conflicts=("--no-subagents",),
    help="Read subagent transcripts too. This is the default.",
)
SPAN = (NO_SUBAGENTS, SUBAGENTS)
SINCE = Flag(
    "--since",
    "WHEN",
    help="Only what happened at or after WHEN: 2h, 3d, 2026-03-01, 2026-03-01T10:00, or an "
    "instant with Z or an offset. A record without a time is never inside a window.",
)
UNTIL = Flag("--until", "WHEN", help="Only what happened at or before WHEN.")
WINDOW = (SINCE, UNTIL)
SESSIONS_FROM = Flag(
    "--sessions-from",
    "FILE",
    help="Read more targets from FILE (- is standard input): session and agent ids separated "
    "by white space. An empty list is an empty scope, never everything.",
)


class SharedArguments(Arguments):
    """The attributes that the shared flags fill."""

    claude_home: str | None
    color: str
