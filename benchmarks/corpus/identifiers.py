"""Identifiers in the shapes the runtime writes them, drawn from a seeded source."""

from base64 import b64encode
from random import Random


class Identifiers:
    """Makes identifiers; each call gives a new one."""

    def __init__(self, random: Random) -> None:
        self._random = random

    def hexadecimal(self, digits: int) -> str:
        """Lower-case hex digits."""
        return f"{self._random.getrandbits(4 * digits):0{digits}x}"

    def uuid(self) -> str:
        """A version 4 uuid."""
        h = self.hexadecimal(32)
        return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:]}"

    def message(self) -> str:
        """A provider's message id."""
        return f"msg_01{self._mixed(22)}"

    def request(self) -> str:
        """A provider's request id."""
        return f"req_011C{self._mixed(20)}"

    def tool_use(self) -> str:
        """The id of one tool use."""
        return f"toolu_01{self._mixed(22)}"

    def agent(self) -> str:
        """The id of a child agent, newer form."""
        return f"a{self.hexadecimal(16)}"

    def run(self) -> str:
        """The id of a workflow run."""
        return f"wf_{self.hexadecimal(8)}-{self.hexadecimal(3)}"

    def _mixed(self, length: int) -> str:
        drawn = self._random.randbytes(length)
        return b64encode(drawn, altchars=b"Aa")[:length].decode("ascii")
