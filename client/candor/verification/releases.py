"""The list of a release, who signed it, and whether the files of a page are in it."""

import json
import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from candor.errors import CandorError
from candor.verification.findings import Findings
from candor.verification.minisign import (
    BadSignatureError,
    PublicKey,
    read_key,
    read_signature,
    verify,
)

FORMAT = "candor-scripts/1"
CHANGED = "+changes"
_HASH = re.compile(r"[0-9a-f]{64}")
# The public keys of the maintainers, as in docs/releases/README.md. None is made yet.
KNOWN_KEYS: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """A release's list: the SHA-256 of each file by its name."""

    version: str
    files: dict[str, str]
    content: bytes

    @property
    def fingerprint(self) -> str:
        """That of all scripts, which a page shows the beginning of."""
        scripts = sorted((name, own) for name, own in self.files.items() if name.startswith("js/"))
        lines = "".join(f"{own}  {name}\n" for name, own in scripts)
        return sha256(lines.encode()).hexdigest()


def read_list(content: bytes) -> Listed:
    """Raises CandorError."""
    try:
        document: Any = json.loads(content)
        listed = Listed(document["version"], dict(document["files"]), content)
        is_list = document["format"] == FORMAT and isinstance(listed.version, str)
        if is_list and all(_HASH.fullmatch(own) for own in listed.files.values()):
            return listed
    except (ValueError, KeyError, TypeError):
        pass
    raise CandorError(f"list: it is none of the format {FORMAT}")


def check_signature(
    listed: Listed, signature: str | None, keys: list[PublicKey], findings: Findings
) -> None:
    """Whether somebody known has signed a list; `keys`: given, or those that are built in."""
    named = f"The list of release {listed.version}"
    if signature is None:
        findings.unknown("signature", f"{named} has no signature beside it, so anybody made it.")
        return
    try:
        read = read_signature(signature)
        own = [key for key in keys if key.name == read.key]
        if not own and not keys:
            findings.unknown(
                "signature",
                f"{named} is signed with the key {read.key}, which this program does not know."
                " Name the maintainers' key with --key.",
            )
            return
        verify(listed.content, read, own[0] if own else keys[0])
    except BadSignatureError as error:
        findings.wrong("signature", f"The signature of the list is false: {error}.")
        return
    findings.right("signature", f"{named} is signed with the key {read.key} ({read.comment}).")


def known_keys() -> list[PublicKey]:
    return [read_key(each) for each in KNOWN_KEYS]
