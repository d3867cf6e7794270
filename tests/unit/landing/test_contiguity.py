from sessionizer.landing.contiguity import check_contiguity
from sessionizer.landing.record import Row
from tests.build.landed import make_row


def row(ord_: int, off: int, size: int, *, sha: str = "", glued: int = 0) -> Row:
    return Row(
        ord=ord_, off=off, sha=sha or f"sha{ord_}.{glued}", bytes=size, glued=glued, origin="agent"
    )


def problems(*files: tuple[Row, ...]) -> tuple[str, ...]:
    return check_contiguity((f"f{number}", rows) for number, rows in enumerate(files, 1)).problems


def test_lines_that_join_are_fine() -> None:
    """F6: an offset is the one before, its length and a newline."""
    assert problems((row(1, 0, 10), row(2, 11, 20), row(3, 32, 5))) == ()
    assert problems((row(1, 0, 10),), (row(2, 11, 20),), (row(3, 32, 5),)) == ()


def test_a_missing_line_is_an_ord_gap() -> None:
    """F6."""
    (problem,) = problems((row(1, 0, 10), row(3, 32, 5)))
    assert problem.startswith("f1: ord gap")


def test_a_missing_byte_is_a_byte_gap() -> None:
    """F6."""
    (problem,) = problems((row(1, 0, 10), row(2, 12, 20)))
    assert problem.startswith("f1: byte gap")


def test_a_source_begins_at_its_first_line() -> None:
    """F6: nothing before the first landed record may be missing either."""
    (line,) = problems((row(4, 100, 7),))
    (offset,) = problems((row(1, 100, 7),))
    assert line.startswith("f1: ord gap")
    assert offset.startswith("f1: byte gap")


def test_a_record_that_landed_twice_is_counted() -> None:
    """F6: after the repeat contiguity goes on from the highest record."""
    found = check_contiguity(
        [
            ("a", (row(1, 0, 10), row(2, 11, 20))),
            ("b", (row(2, 11, 20), row(3, 32, 5))),
        ]
    )
    assert (found.rows, found.repeated, found.problems) == (4, 1, ())


def test_a_line_that_landed_with_other_bytes_was_rewritten() -> None:
    """F6."""
    (problem,) = problems((row(1, 0, 10), row(2, 11, 20)), (row(2, 11, 20, sha="other"),))
    assert problem.startswith("f2: rewritten")


def test_glued_objects_share_a_line_without_a_newline() -> None:
    """`{"a":1}{"b":2}` is line 1 twice; line 2 begins at byte 15."""
    assert problems((row(1, 0, 7), row(1, 7, 7, glued=2), row(2, 15, 3))) == ()
    (gap,) = problems((row(1, 0, 7), row(1, 8, 7, glued=2)))
    (skipped,) = problems((row(1, 0, 7), row(1, 7, 7, glued=3)))
    assert gap.startswith("f1: byte gap")
    assert skipped.startswith("f1: ord gap")


def test_carried_rows_lie_inside_the_row_before() -> None:
    """They repeat bytes of their host, so they take no part in contiguity."""
    host = make_row(b"x" * 50)
    inside = Row(ord=1, off=10, sha="s", bytes=20, carried=True, origin="agent")
    outside = Row(ord=1, off=40, sha="s", bytes=20, carried=True, origin="agent")

    assert problems((host, inside, inside, row(2, 51, 3))) == ()
    assert len(problems((host, outside))) == 1
    assert len(problems((inside,))) == 1
