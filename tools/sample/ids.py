"""Ids that look like the real ones and are the same in every run: hashes of a name."""

import base64
import hashlib
import uuid

_BASE58 = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def digest_of(name: str) -> bytes:
    """32 bytes that depend on `name` alone."""
    return hashlib.sha256(f"sample:{name}".encode()).digest()


def uuid_of(name: str) -> str:
    """A version 4 uuid."""
    return str(uuid.UUID(bytes=digest_of(name)[:16], version=4))


def base58_of(name: str, length: int) -> str:
    """`length` letters and digits, as in message, request and tool ids."""
    number = int.from_bytes(digest_of(name) + digest_of(f"{name}/more"), "big")
    out = []
    for _ in range(length):
        number, index = divmod(number, len(_BASE58))
        out.append(_BASE58[index])
    return "".join(out)


def message_id(name: str) -> str:
    """`msg_01...`, the id of one answer of the model."""
    return f"msg_01{base58_of('message/' + name, 22)}"


def request_id(name: str) -> str:
    """`req_011C...`."""
    return f"req_011C{base58_of('request/' + name, 20)}"


def tool_id(name: str) -> str:
    """`toolu_01...`."""
    return f"toolu_01{base58_of('tool/' + name, 22)}"


def hex_of(name: str, length: int) -> str:
    """`length` hex digits."""
    return digest_of(f"hex/{name}").hex()[:length]


def signature_of(name: str) -> str:
    """Base64 without meaning, as long as a short thinking signature."""
    body = b"\x12" + b"".join(digest_of(f"signature/{name}/{part}") for part in range(4))
    return base64.b64encode(body).decode()


def narration_signature() -> str:
    """A signature whose fields 2, 1 and 8 name the block a narration."""
    return base64.b64encode(bytes.fromhex("120d0a0b4209") + b"narration").decode()
