"""Flags that every command of `asz` accepts."""

from sessionizer.cli.flags import Arguments, Flag, some_text

CONFIG = Flag(
    "--config",
    "FILE",
    some_text,
    help="Configuration file. Without it: ./asz.yaml, then asz.yaml in the user's "
    "configuration directory, then the built-in defaults.",
)
ROOT = Flag(
    "--root",
    "DIR",
    some_text,
    help="Storage root; overrides the configuration. Default: the user's data directory.",
)
CLAUDE_HOME = Flag(
    "--claude-home",
    "DIR",
    some_text,
    help="Home of Claude Code to collect from. Without it: $CLAUDE_CONFIG_DIR, then ~/.claude, "
    "then $XDG_CONFIG_HOME/claude.",
)
SHARED = (CONFIG, ROOT, CLAUDE_HOME)


class SharedArguments(Arguments):
    """The attributes that the shared flags fill."""

    config: str | None
    root: str | None
    claude_home: str | None
