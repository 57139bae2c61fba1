"""Signatures of minisign (https://jedisct1.github.io/minisign/, "Signature format"), to be checked.

What signs is the program minisign itself: no private key is ever read here.
"""

import base64
import binascii
import hashlib
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from candor.errors import CandorError

# Ed25519, and Ed25519 over the BLAKE2b-512 hash of the file.
PLAIN, HASHED = b"Ed", b"ED"
OF_KEY, OF_SIGNATURE = 2 + 8 + 32, 2 + 8 + 64
TRUSTED = "trusted comment: "


class BadSignatureError(CandorError):
    """A signature that is not one of this file and key."""


@dataclass(frozen=True, slots=True)
class PublicKey:
    """`name`: the number by which minisign calls it."""

    name: str
    raw: bytes


@dataclass(frozen=True, slots=True)
class Signature:
    key: str
    raw: bytes
    comment: str
    of_comment: bytes


def read_key(text: str) -> PublicKey:
    """A public key: the content of its file, or its one line of Base64. Raises CandorError."""
    lines = [line.strip() for line in text.strip().splitlines()]
    raw = _decoded(lines[-1] if lines else "", OF_KEY)
    if raw is None or raw[:2] != PLAIN:
        raise CandorError(f"key: {text.strip()[:80]!r} is no public key of minisign")
    return PublicKey(_name(raw), raw[10:])


def read_signature(text: str) -> Signature:
    """Raises BadSignatureError."""
    lines = text.splitlines()
    parts = [*lines, "", "", "", ""][:4]
    raw, of_comment = _decoded(parts[1], OF_SIGNATURE), _decoded(parts[3], 64)
    if raw is None or of_comment is None or not parts[2].startswith(TRUSTED):
        raise BadSignatureError("it is no signature of minisign")
    if raw[:2] != HASHED:
        raise BadSignatureError("it is not made over a hash, as minisign does since version 0.10")
    return Signature(_name(raw), raw[10:], parts[2].removeprefix(TRUSTED), of_comment)


def verify(content: bytes, signature: Signature, key: PublicKey) -> None:
    """Raises BadSignatureError unless this key has signed this content, and the comment with it."""
    if signature.key != key.name:
        raise BadSignatureError(f"it is made with the key {signature.key}, not with {key.name}")
    public = Ed25519PublicKey.from_public_bytes(key.raw)
    signed = signature.raw + signature.comment.encode()
    try:
        public.verify(signature.raw, hashlib.blake2b(content).digest())
        public.verify(signature.of_comment, signed)
    except InvalidSignature as error:
        raise BadSignatureError(f"the key {key.name} has not signed this") from error


def _name(raw: bytes) -> str:
    return raw[2:10][::-1].hex().upper()


def _decoded(text: str, length: int) -> bytes | None:
    try:
        raw = base64.b64decode(text.strip(), validate=True)
    except (binascii.Error, ValueError):
        return None
    return raw if len(raw) == length else None
