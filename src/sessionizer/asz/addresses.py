"""Where the page is served: what the user typed, as host and port."""

from msgspec import Struct

from sessionizer.base.errors import UsageError
from sessionizer.views.page.serve import DEFAULT_HOST, DEFAULT_PORT

_ALL_INTERFACES = "0.0.0.0"  # noqa: S104 - only when typed, and then a token is needed


class Address(Struct, frozen=True):
    """A host to bind and a port; port 0 takes a free one."""

    host: str = DEFAULT_HOST
    port: int = DEFAULT_PORT


def parse_address(text: str) -> Address:
    """Read `8787`, `:8787` (every interface), `localhost:8787` or `[::1]:8787`.

    Raises:
        UsageError: The text is none of these.
    """
    if text.isascii() and text.isdigit():
        return Address(port=_port(text, text))
    host, colon, port = text.rpartition(":")
    if not colon or (":" in host and not host.startswith("[")):
        raise UsageError(f"{text!r} is no address; write a port, host:port or [ipv6]:port")
    return Address(host or _ALL_INTERFACES, _port(port, text))


def port_number(text: str) -> int:
    """A port, 0 to 65535.

    Raises:
        ValueError: `text` is none.
    """
    if text.isascii() and text.isdigit() and len(text) < 6 and int(text) < 65_536:
        return int(text)
    raise ValueError(f"expected a port from 0 to 65535, found {text!r}")


def _port(digits: str, text: str) -> int:
    try:
        return port_number(digits)
    except ValueError as error:
        raise UsageError(f"{text!r} has no port from 0 to 65535") from error
