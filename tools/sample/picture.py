"""A tiny picture, made here: a tide curve of 48 by 24 points in one colour."""

import base64
import struct
import zlib
from math import cos, pi

WIDTH, HEIGHT = 48, 24


def tide_curve() -> str:
    """A PNG as base64. Stored without compression, so every zlib makes the same bytes."""
    rows = bytearray()
    for y in range(HEIGHT):
        rows.append(0)
        for x in range(WIDTH):
            water = HEIGHT / 2 + 0.25 + 8 * cos(2 * pi * x / WIDTH * 2)
            rows.append(60 if y >= water else 235)
    head = struct.pack(">IIBBBBB", WIDTH, HEIGHT, 8, 0, 0, 0, 0)
    body = zlib.compress(bytes(rows), 0)
    parts = _part(b"IHDR", head) + _part(b"IDAT", body) + _part(b"IEND", b"")
    return base64.b64encode(b"\x89PNG\r\n\x1a\n" + parts).decode()


def _part(kind: bytes, body: bytes) -> bytes:
    checksum = zlib.crc32(kind + body)
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", checksum)
