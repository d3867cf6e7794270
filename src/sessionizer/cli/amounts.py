"""Amounts as people read them."""

_UNITS = ("KB", "MB", "GB", "TB")


def format_bytes(size: int) -> str:
    """`12B`, `1.5MB`: factor 1024, one decimal."""
    if size < 1024:
        return f"{size}B"
    scaled, unit = float(size), -1
    while scaled >= 1024 and unit < len(_UNITS) - 1:
        scaled, unit = scaled / 1024, unit + 1
    return f"{scaled:.1f}{_UNITS[unit]}"
