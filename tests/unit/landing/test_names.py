import pytest

from sessionizer.landing.errors import BadNameError
from sessionizer.landing.names import (
    LandedName,
    check_component,
    file_key,
    format_stamp,
    generation_directory,
    landed_stem,
    parse_generation,
    parse_landed_name,
    parse_raw_name,
)


def test_a_stamp_has_nine_fraction_digits() -> None:
    """A clock that yields less is padded, so that names sort and have one length."""
    assert format_stamp(1_767_323_100_123_456_789) == "20260102T030500.123456789Z"
    assert format_stamp(1_767_323_100_000_000_000) == "20260102T030500.000000000Z"


def test_a_sequence_number_is_padded_to_six_digits_and_grows_wider() -> None:
    """Order is by number, never by text, so width may grow."""
    assert landed_stem("meta", "S", 7) == "meta-S-000007"
    assert landed_stem("meta", "S", 1_234_567) == "meta-S-1234567"


def test_a_landed_name_gives_its_number_and_dialect() -> None:
    """Both the file as it landed and a later dialect of it belong to one stem."""
    plain = parse_landed_name("transcript-20260102T030500.123456789Z-000001.sd")
    later = parse_landed_name("transcript-20260102T030500.123456789Z-000001.d2.sd")

    assert plain == LandedName(
        stem="transcript-20260102T030500.123456789Z-000001", prefix="transcript", seq=1
    )
    assert later is not None and plain is not None
    assert (later.stem, later.seq, later.dialect_generation) == (plain.stem, 1, 2)


@pytest.mark.parametrize(
    "name",
    [
        "transcript.cursor",
        "transcript-20260102T030500.123456789Z-00001.sd",
        "transcript-000001.sd.tmp",
        ".tmp-abc",
        "transcript-S-000001.raw.zst",
    ],
)
def test_other_names_are_no_landed_files(name: str) -> None:
    """Five digits, cursors, temporaries and raw files are something else."""
    assert parse_landed_name(name) is None


def test_a_raw_name_has_the_stem_of_its_session_data() -> None:
    """The two files of a delta are found by their stem."""
    raw = parse_raw_name("meta-S-000012.raw.zst")
    assert raw is not None
    assert (raw.stem, raw.seq, raw.prefix) == ("meta-S-000012", 12, "meta")
    assert parse_raw_name("meta-S-000012.sd") is None


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", ".hidden", "-x", "a" * 129, "a\n", "é"])
def test_a_name_that_is_no_plain_component_is_refused(name: str) -> None:
    """An id becomes part of a path, so it can not lead anywhere else."""
    with pytest.raises(BadNameError, match="session id"):
        check_component("session id", name)


def test_ids_keep_their_case() -> None:
    """Ids are compared byte for byte."""
    assert check_component("session id", "AbC.d_e-9") == "AbC.d_e-9"


@pytest.mark.parametrize(
    ("name", "key"),
    [
        (b"b1.txt", "b1.txt"),
        (b"ab@v2", "ab%40v2"),
        (b".env", "%2Eenv"),
        (b"a b", "a%20b"),
        ("é".encode(), "%C3%A9"),
        (b"100%", "100%25"),
        (b"..", "%2E."),
    ],
)
def test_a_file_key_is_plain_and_tells_names_apart(name: bytes, key: str) -> None:
    """A kept file's name becomes a directory."""
    assert file_key(name) == key


def test_a_long_file_key_is_cut_and_stays_distinct() -> None:
    """Two long names with one beginning do not share a directory."""
    one, other = file_key(b"x" * 150 + b"1"), file_key(b"x" * 150 + b"2")
    assert one != other
    assert len(one) == 120 + 1 + 12
    assert len(file_key(b"x" * 150)) == 150


def test_generations_are_named_after_the_first() -> None:
    """`@` stands in no stream name, so the suffix is never part of one."""
    assert generation_directory("streams/main", 1) == "streams/main"
    assert generation_directory("streams/main", 2) == "streams/main@2"
    assert parse_generation("streams/main@12") == ("streams/main", 12)
    assert parse_generation("streams/main") == ("streams/main", 1)
