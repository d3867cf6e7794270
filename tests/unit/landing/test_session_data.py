from pathlib import Path

import pytest
from msgspec import Raw

from sessionizer.base.digests import sha256_hex
from sessionizer.landing.errors import DamagedFileError
from sessionizer.landing.record import Part, Row
from sessionizer.landing.session_data import (
    digest_of_file,
    encode_header,
    encode_landed,
    read_header,
    read_landed,
    read_row,
)
from tests.build.landed import line_rows, make_header


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A landed file of three rows."""
    path = tmp_path / "transcript-20260102T030500.123456789Z-000001.sd"
    path.write_bytes(encode_landed(make_header(1), line_rows(b"one\ntwo\nthree\n")))
    return path


def rewrite(path: Path, old: bytes, new: bytes) -> None:
    body = path.read_bytes()
    assert old in body
    path.write_bytes(body.replace(old, new))


def close(path: Path, records: int) -> None:
    """Give the file a closing line that fits its bytes and says `records`."""
    kept = path.read_bytes().rpartition(b'{"t":"end"')[0]
    end = b'{"t":"end","records":%d,"digest":"%s"}\n' % (records, sha256_hex(kept).encode())
    path.write_bytes(kept + end)


def test_what_was_written_is_read_back(path: Path) -> None:
    """Header, rows and digest of a whole file."""
    landed = read_landed(path)

    assert landed.header == make_header(1)
    assert landed.rows == line_rows(b"one\ntwo\nthree\n")
    assert landed.digest == sha256_hex(path.read_bytes()) == digest_of_file(path)
    assert read_header(path) == make_header(1)


def test_the_header_states_its_version_first() -> None:
    """Both envelope keys are written although they never vary."""
    text = encode_header(make_header(7, gen=2))

    assert text.startswith(b'{"h":1,"schema":"sd/1","seq":7,"at":"')
    assert text.endswith(b'"stream":"main","gen":2}')


def test_strings_escape_only_what_json_requires(tmp_path: Path) -> None:
    """Angle brackets, ampersands and line separators stand for themselves."""
    text = '"\\\b\f\n\r\t\x01\x7f<>&\u2028\u2029é'
    row = Row(
        ord=1, off=0, sha="0" * 12, bytes=1, origin="agent", parts=(Part(k="text", text=text),)
    )
    path = tmp_path / "x-S-000001.sd"
    path.write_bytes(encode_landed(make_header(1), [row]))

    line = path.read_bytes().split(b"\n")[1]
    assert (r'"text":"\"\\\b\f\n\r\t\u0001' + '\x7f<>&\u2028\u2029é"').encode() in line
    assert read_landed(path).rows[0].parts[0].text == text


def test_data_keeps_the_spelling_of_the_source(tmp_path: Path) -> None:
    """Numbers are never numbers of ours: digits, exponents and repeated keys stay."""
    spelled = rb'{"b":1.0,"a":1e3,"n":12345678901234567890123,"b":"\u00e9"}'
    row = Row(
        ord=1,
        off=0,
        sha="0" * 12,
        bytes=1,
        origin="agent",
        parts=(Part(k="data", data=Raw(spelled)),),
    )
    path = tmp_path / "x-S-000001.sd"
    path.write_bytes(encode_landed(make_header(1), [row]))

    assert bytes(read_landed(path).rows[0].parts[0].data) == spelled


def test_a_file_without_records_is_never_written() -> None:
    """An empty delta says nothing."""
    with pytest.raises(ValueError, match="at least one row"):
        encode_landed(make_header(1), [])


def test_one_row_is_read_without_the_rest(path: Path) -> None:
    """Random access stops behind the row and does not look at the closing line."""
    rewrite(path, b'"digest":"', b'"digest":"0')

    assert read_row(path, 2) == (make_header(1), line_rows(b"one\ntwo\nthree\n")[1])
    with pytest.raises(DamagedFileError, match="no row 4, only 3"):
        read_row(path, 4)


def test_a_file_without_its_last_line_is_incomplete(path: Path) -> None:
    """F5: the closing line is the only proof that nothing is missing."""
    path.write_bytes(path.read_bytes().rpartition(b'{"t":"end"')[0])

    with pytest.raises(DamagedFileError, match=r"no closing line.*incomplete"):
        read_landed(path)
    with pytest.raises(DamagedFileError, match=r"no closing line.*incomplete"):
        read_row(path, 4)


def test_a_changed_record_is_noticed(path: Path) -> None:
    """F5: the digest covers every byte before the closing line."""
    rewrite(path, b'"text":"two"', b'"text":"tow"')

    with pytest.raises(DamagedFileError, match="digest"):
        read_landed(path)


def test_a_wrong_count_is_noticed_with_both_numbers(path: Path) -> None:
    """F5: a digest that fits does not excuse a count that does not."""
    close(path, records=2)

    with pytest.raises(DamagedFileError, match=r"2 records.*3"):
        read_landed(path)


def test_bytes_behind_the_closing_line_are_refused(path: Path) -> None:
    """The closing line is the last one."""
    path.write_bytes(path.read_bytes() + b"x")

    with pytest.raises(DamagedFileError, match="1 bytes follow"):
        read_landed(path)


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        (b'"h":1', b'"h":2', "h is 2"),
        (b'"h":1,', b"", "h is absent"),
        (b'"schema":"sd/1"', b'"schema":"sd/2"', 'schema is "sd/2"'),
        (b'"kind":"transcript",', b"", "kind"),
        (b'"session":"11111111-1111-4111-8111-111111111111"', b'"session":""', "empty session"),
        (b'"dialect":"plain/1",', b"", "dialect"),
        (b'"src":"-home', b'"src":1,"x":"-home', "src"),
    ],
)
def test_a_header_that_lacks_something_says_what(
    path: Path, old: bytes, new: bytes, named: str
) -> None:
    """A file of another version, or of none, is refused by its header."""
    rewrite(path, old, new)

    with pytest.raises(DamagedFileError, match=named):
        read_landed(path)


def test_unknown_keys_are_ignored(path: Path) -> None:
    """Files of a later minor version stay readable."""
    rewrite(path, b'"stream":"main"', b'"stream":"main","later":[1]')
    rewrite(path, b'{"ord":2', b'{"later":{},"ord":2')
    close(path, records=3)

    assert read_landed(path).rows == line_rows(b"one\ntwo\nthree\n")


@pytest.mark.parametrize("junk", [b"", b"\n", b"\xff\xfe", b"[]\n", b'{"h":1}\n', b"null\n"])
def test_any_junk_is_an_error_of_ours(tmp_path: Path, junk: bytes) -> None:
    """Whatever stands in the file, the message is one line and names it."""
    path = tmp_path / "transcript-S-000001.sd"
    path.write_bytes(junk)

    with pytest.raises(DamagedFileError, match=r"transcript-S-000001\.sd"):
        read_landed(path)


def test_a_lone_surrogate_stays_in_the_file_and_reads_as_a_replacement(path: Path) -> None:
    """F9: structure stands as the source spelled it, also what is no text."""
    spelled = Raw(rb'{"command":"a\ud800b"}')
    row = Row(ord=1, off=0, sha="0" * 12, bytes=9, parts=(Part(k="call", data=spelled),))
    path.write_bytes(encode_landed(make_header(1), (row,)))

    (read,) = read_landed(path).rows

    assert rb"a\ud800b" in path.read_bytes()
    assert bytes(read.parts[0].data) == rb'{"command":"a\ufffdb"}'
    assert read_row(path, 1)[1] == read
