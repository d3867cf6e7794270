"""A server of invented answers with the page's files and its strict policy."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import sessionizer.views.page

STATIC = Path(sessionizer.views.page.__file__).parent / "static"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


class PageServer:
    """Serves `answers` (JSON by path) until closed. A changed mapping is served at once.

    Attributes:
        asked: Paths of all requests, in order.
        failing: Paths that are answered with status 500 and this message.
    """

    def __init__(self, answers: dict[str, Any], *, port: int = 0) -> None:
        self.answers = answers
        self.asked: list[str] = []
        self.failing: dict[str, str] = {}
        self._closed = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", port), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stop serving."""
        self._closed.set()
        self._server.shutdown()
        self._server.server_close()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *_: object) -> None:
                """Say nothing."""

            def do_GET(self) -> None:
                path = unquote(urlsplit(self.path).path)
                outer.asked.append(path)
                if path.endswith("/events"):
                    self._events(path)
                elif path in outer.failing:
                    self._json({"error": outer.failing[path]}, status=500)
                elif path.startswith("/api/"):
                    answer = outer.answers.get(path)
                    known = path in outer.answers
                    self._json(
                        answer if known else {"error": f"nothing at {path}"}, 200 if known else 404
                    )
                elif path.startswith("/static/"):
                    self._file(STATIC / path.removeprefix("/static/"))
                else:
                    self._file(
                        STATIC / ("conversation.html" if path.startswith("/c/") else "index.html")
                    )

            def _events(self, path: str) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                head = path.removesuffix("/events") + "/head"
                told = None
                while not outer._closed.is_set():
                    now = outer.answers.get(head, {}).get("rounds")
                    line = (
                        f"event: round\ndata: {json.dumps({'rounds': now})}\n\n"
                        if now != told
                        else ": still here\n\n"
                    )
                    told = now
                    try:
                        self.wfile.write(line.encode())
                        self.wfile.flush()
                    except OSError:
                        return
                    time.sleep(0.2)

            def _json(self, answer: Any, status: int = 200) -> None:
                self._send(status, "application/json; charset=utf-8", json.dumps(answer).encode())

            def _file(self, path: Path) -> None:
                if path.is_file():
                    self._send(200, TYPES.get(path.suffix, "text/plain"), path.read_bytes())
                else:
                    self._send(404, "text/plain", b"not found")

            def _send(self, status: int, kind: str, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.send_header("Content-Security-Policy", POLICY)
                self.send_header("Cache-Control", "no-store")
                self.end_headers()
                try:
                    self.wfile.write(body)
                except OSError:
                    return

        return Handler
