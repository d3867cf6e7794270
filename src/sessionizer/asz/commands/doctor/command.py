"""`asz doctor`: what Claude Code will delete and when, and what of it is not kept."""

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from sessionizer.adapters.claude_code_local.standing import survey_home
from sessionizer.asz.collecting import adapter_config, sessions_elsewhere
from sessionizer.asz.commands.doctor import query, text
from sessionizer.asz.flags import SharedArguments
from sessionizer.asz.settings import Settings, Source, read_settings
from sessionizer.base.errors import SessionizerError
from sessionizer.claude_code.home import list_homes
from sessionizer.claude_code.retention import Retention, read_retention
from sessionizer.cli.context import Context
from sessionizer.landing.disk_use import measure_disk_use
from sessionizer.landing.zone import Zone

DESCRIPTION = """
Says what Claude Code will delete and when, judged as it judges: by the time of each file, against
cleanupPeriodDays of its settings. Beside it stands the last time that a record states, which is
what a person means by the age of a session. Then: what of it is not kept yet, what is kept and
gone from disk, which conflicts wait, how much disk the storage root takes, and which other homes
there are.

Reads only; changes nothing.
"""
POSITIONALS = ()
FLAGS = ()
EXAMPLES = (
    ("asz doctor", "Is everything safe?"),
    ("asz doctor --claude-home /mnt/backup/.claude", "The same for another home."),
)


class Args(SharedArguments):
    """What the user typed."""


def run(args: Args, context: Context) -> int:
    """Look, count, print."""
    settings = read_settings(args, context)
    zone = Zone(settings.root)
    now_ns = time.time_ns()
    found = query.Diagnosis(
        now_ns=now_ns,
        root=str(settings.root),
        root_exists=settings.root.is_dir(),
        disk=measure_disk_use(zone),
        kept_sessions=sum(zone.highest_seq(session) > 0 for session in zone.session_ids()),
        homes=tuple(
            query.examine(home, now_ns=now_ns) for home in _look_at_homes(settings.sources, zone)
        ),
        other_homes=_other_homes(settings, context),
    )
    context.write(text.render(found))
    return 0


def _look_at_homes(sources: Sequence[Source], zone: Zone) -> list[query.Home]:
    elsewhere = sessions_elsewhere(sources)
    return [
        _look_at(source, zone, others) for source, others in zip(sources, elsewhere, strict=True)
    ]


def _look_at(source: Source, zone: Zone, elsewhere: frozenset[str]) -> query.Home:
    config = adapter_config(source)
    standing, problem = None, ""
    try:
        standing = survey_home(config, zone, elsewhere=elsewhere)
    except (SessionizerError, OSError) as error:
        problem = str(error)
    return query.Home(
        source_root=str(source.projects_root),
        has_settings=config.home is not None,
        retention=Retention() if config.home is None else read_retention(config.home),
        standing=standing,
        problem=problem,
    )


def _other_homes(settings: Settings, context: Context) -> tuple[str, ...]:
    """Homes on this machine that are not among the sources of this run."""
    read = {os.path.realpath(source.projects_root) for source in settings.sources}
    homes = list_homes(environ=context.environ, platform=sys.platform, is_dir=os.path.isdir)
    return tuple(home for home in homes if os.path.realpath(Path(home) / "projects") not in read)
