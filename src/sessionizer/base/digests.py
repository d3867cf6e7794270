"""SHA-256 digests as lower-case hex."""

import hashlib

SHORT_DIGITS = 12


def sha256_hex(body: bytes | memoryview) -> str:
    """All 64 hex digits."""
    return hashlib.sha256(body).hexdigest()


def short_sha256(body: bytes | memoryview) -> str:
    """The first 12 hex digits: enough to tell records apart, not to prove them."""
    return hashlib.sha256(body).hexdigest()[:SHORT_DIGITS]
