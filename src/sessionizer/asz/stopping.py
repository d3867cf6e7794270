"""Stop in good order on ctrl-c or a termination signal."""

import signal
import threading
from types import FrameType, TracebackType


class Stop:
    """While the block runs, the first signal asks to stop; a second one interrupts at once."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._before: dict[int, object] = {}

    def is_requested(self) -> bool:
        """Whether somebody asked to stop."""
        return self._event.is_set()

    def wait(self, pause_ms: int) -> bool:
        """Wait for a pause to pass; true as soon as somebody asks to stop."""
        return self._event.wait(pause_ms / 1000)

    def request(self) -> None:
        """Ask to stop."""
        self._event.set()

    def __enter__(self) -> "Stop":
        """Take the signals, where this thread may."""
        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                self._before[number] = signal.signal(number, self._on_signal)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the signals back."""
        for number, before in self._before.items():
            signal.signal(number, before)  # type: ignore[arg-type]

    def _on_signal(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002
        if self._event.is_set():
            raise KeyboardInterrupt
        self._event.set()
