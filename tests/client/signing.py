"""Signatures as the program minisign makes them, without it."""

import base64
import hashlib
from dataclasses import dataclass, field

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey


@dataclass
class Signer:
    number: bytes = b"\x01\x02\x03\x04\x05\x06\x07\x08"
    private: Ed25519PrivateKey = field(default_factory=Ed25519PrivateKey.generate)

    @property
    def public(self):
        return _text(b"Ed" + self.number + self.private.public_key().public_bytes_raw())

    @property
    def public_file(self):
        return f"untrusted comment: a key of a test\n{self.public}\n"

    def signature(self, content, comment="timestamp:1 file:list.json hashed"):
        raw = self.private.sign(hashlib.blake2b(content).digest())
        lines = [
            "untrusted comment: signed in a test",
            _text(b"ED" + self.number + raw),
            f"trusted comment: {comment}",
            _text(self.private.sign(raw + comment.encode())),
        ]
        return "\n".join(lines) + "\n"


def _text(raw):
    return base64.b64encode(raw).decode()
