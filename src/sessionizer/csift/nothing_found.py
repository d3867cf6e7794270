"""What a list of no sessions says. Kept free of msgspec: `csift list` starts without it."""


def nothing_found(unread: int) -> str:
    """Deny no more than was looked at.

    Args:
        unread: Files and directories that could not be read.
    """
    return "no sessions found in what could be read" if unread else "no sessions found"
