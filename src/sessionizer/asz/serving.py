"""What is said when the page is served."""

from sessionizer.base.text import visible
from sessionizer.cli.context import Context
from sessionizer.views.page.serve import Served


def announce(served: Served, context: Context) -> None:
    """What is served, and where; a warning when other machines can reach it."""
    if served.is_open:
        context.warn("everything kept is readable by whoever reaches this address with the token")
    context.write(
        (
            f"reading : {visible(str(served.root))}",
            f"serving : {served.conversations} conversation(s)",
            "",
            f"  {served.url}",
            "",
        )
    )
    context.say("ctrl-c to stop")
