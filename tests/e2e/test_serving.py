"""The page on a real port: addresses, live events, and how it ends."""

import os
import signal
import socket
import subprocess
import sys
import textwrap
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from sessionizer.views.errors import AddressError, NoConversationsError, OpenAddressError
from sessionizer.views.page.serve import Served, serve
from tests.build.home import S1, Home, txt
from tests.build.reading import Root

WAIT_S = 20


@pytest.fixture
def root(home: Home, tmp_path: Path) -> Root:
    """A root with one conversation."""
    home.transcript().user("first", promptId="p1").assistant(txt("one"))
    found = Root(home, tmp_path / "root")
    found.update()
    return found


@contextmanager
def serving(root: Path, **options: object) -> Iterator[Served]:
    """The page on a free port of this machine, until the block ends."""
    told: list[Served] = []
    ready, stop = threading.Event(), threading.Event()
    thread = threading.Thread(
        target=serve,
        args=(root,),
        kwargs={
            "port": 0,
            "announce": told.append,
            "ready": ready.set,
            "stop": stop,
            **options,
        },
    )
    thread.start()
    assert ready.wait(WAIT_S)
    try:
        yield told[0]
    finally:
        stop.set()
        thread.join(WAIT_S)
        assert not thread.is_alive()


def test_the_page_is_announced_and_answers(root: Root) -> None:
    """Where it is, is known before it answers."""
    with serving(root.path) as served:
        assert served.conversations == 1
        assert not served.is_open
        assert served.url.startswith("http://127.0.0.1:")
        answer = httpx.get(f"{served.url}/api/conversations", trust_env=False)

    assert [row["id"] for row in answer.json()] == [S1]
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "server" not in answer.headers


def test_a_note_is_told_with_everything_that_is_served(root: Root) -> None:
    """The page shows it above the list; without one there is nothing to show."""
    with serving(root.path, note="Sample data: invented") as served:
        noted = httpx.get(f"{served.url}/api/about", trust_env=False)

    assert noted.json() == {"note": "Sample data: invented"}
    assert root.reader().json("/api/about") == {"note": ""}


def test_a_new_round_is_told_to_who_listens(home: Home, root: Root) -> None:
    """V7: first the newest round, then every later one; ending the page ends the answer."""
    with serving(root.path) as served:
        url = f"{served.url}/api/c/{S1}/events"
        with httpx.stream("GET", url, trust_env=False, timeout=WAIT_S) as answer:
            assert answer.headers["content-type"].startswith("text/event-stream")
            lines = answer.iter_lines()
            first = [next(lines) for _ in range(3)]
            home.transcript().user("second", promptId="p2")
            root.update()
            second = [next(lines) for _ in range(3)]

    assert first[0] == second[0] == "event: round"
    assert '"rounds":1' in first[1]
    assert '"rounds":2' in second[1]


def test_a_listener_that_waits_does_not_keep_the_page_alive(root: Root) -> None:
    """Ctrl-c must not wait for every open tab."""
    with serving(root.path) as served:
        host, port = served.url.removeprefix("http://").split(":")
        connection = socket.create_connection((host, int(port)), timeout=WAIT_S)
        request = f"GET /api/c/{S1}/events HTTP/1.1\r\nHost: {host}\r\n\r\n"
        connection.sendall(request.encode())
        assert connection.recv(20).startswith(b"HTTP/1.1 200")
    connection.close()


@pytest.mark.parametrize(
    "bytes_sent",
    [
        b"\x00\xff\xfe garbage\r\n\r\n",
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /%ff%00/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET //evil.example/x HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
        b"CONNECT evil.example:443 HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /api/c/" + b"a" * 5000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_nonsense_on_the_port_is_refused_and_the_page_goes_on(
    root: Root, bytes_sent: bytes, capfd: pytest.CaptureFixture[str]
) -> None:
    """Nothing of it reaches the terminal, and nothing is answered with a defect."""
    with serving(root.path) as served:
        host, port = served.url.removeprefix("http://").split(":")
        with socket.create_connection((host, int(port)), timeout=WAIT_S) as connection:
            connection.sendall(bytes_sent)
            status = connection.recv(100)
        assert httpx.get(f"{served.url}/", trust_env=False).status_code == 200

    assert status.split(b" ")[1].startswith(b"4")
    assert capfd.readouterr() == ("", "")


def test_a_taken_address_is_an_error_that_names_it(root: Root) -> None:
    """Two pages can not share a port."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]

        with pytest.raises(AddressError, match=f"127.0.0.1:{port}"):
            serve(root.path, port=port, announce=pytest.fail)


@pytest.mark.parametrize(
    ("host", "port"), [("no.such.host.invalid", 0), ("127.0.0.1", 70_000), ("203.0.113.7", 0)]
)
def test_an_address_that_can_not_be_bound_is_an_error(root: Root, host: str, port: int) -> None:
    """A misspelt name, a number beyond the ports, an address of another machine."""
    with pytest.raises(AddressError, match=f"{host}:{port}"):
        serve(root.path, host=host, port=port, token="x", announce=pytest.fail)


def test_without_a_conversation_there_is_nothing_to_serve(tmp_path: Path) -> None:
    """Unless the caller is about to make one."""
    with pytest.raises(NoConversationsError) as refused:
        serve(tmp_path, announce=pytest.fail)

    for words in (str(tmp_path), "no conversations", "asz parse"):
        assert words in str(refused.value)
    with serving(tmp_path, allow_empty=True) as served:
        assert httpx.get(f"{served.url}/api/conversations", trust_env=False).json() == []


def test_an_open_address_needs_a_token(root: Root) -> None:
    """Everything kept would be readable from other machines."""
    with pytest.raises(OpenAddressError):
        serve(root.path, host="0.0.0.0", announce=pytest.fail)


def test_the_announced_address_of_an_open_page_lets_its_reader_in(root: Root) -> None:
    """And nobody without it."""
    with serving(root.path, host="0.0.0.0", token="t0ken") as served:
        assert served.is_open
        port = served.url.split("/?")[0].rpartition(":")[2]
        base = f"http://127.0.0.1:{port}"
        with httpx.Client(trust_env=False, follow_redirects=True) as reader:
            assert reader.get(f"{base}/api/conversations").status_code == 401
            assert reader.get(f"{base}/api/conversations?token=t0ken").status_code == 200
            assert reader.get(f"{base}/api/conversations").status_code == 200
    assert served.url.endswith("/?token=t0ken")


def test_the_page_answers_on_ipv6(root: Root) -> None:
    """Its address stands in brackets."""
    if not socket.has_ipv6:
        pytest.skip("this machine has no IPv6")
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no ::1")
    with serving(root.path, host="::1") as served:
        assert served.url.startswith("http://[::1]:")
        assert httpx.get(f"{served.url}/", trust_env=False).status_code == 200


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX systems")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_page_in_good_order(root: Root, number: signal.Signals) -> None:
    """Ending it is what the reader asked for: exit 0, no traceback."""
    program = textwrap.dedent("""
        import sys
        from pathlib import Path
        from sessionizer.views.page.serve import serve
        serve(Path(sys.argv[1]), port=0, announce=lambda served: None,
              ready=lambda: print("ready", flush=True))
        print("ended")
    """)
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(root.path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"

    process.send_signal(number)
    out, err = process.communicate(timeout=WAIT_S)

    assert (process.returncode, out, err) == (0, "ended\n", "")
