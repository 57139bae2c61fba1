"""A new secret in three steps, in the order in which no machine meets what it cannot read.

docs/operating.md has the table of the steps. A secret that is made here begins with its moment, so
that of two secrets everybody can tell which one is newer; the rest of it is random.
"""

import os
import re
import secrets
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from surveys.exceptions import SurveyError

_MOMENT = "%Y%m%dT%H%M%S%fZ"
_DATED = re.compile(r"(\d{8}T\d{12}Z)\.")
_BYTES = 64


class RotationError(SurveyError):
    """A step that cannot be taken now."""

    code = "rotation"


@dataclass(frozen=True, slots=True)
class Secrets:
    """The secret under which everything is written, and the others that are read, newest first."""

    key: str
    others: tuple[str, ...]

    @property
    def is_dated(self) -> bool:
        """Whether the secret in force was made here, so that its moment is known."""
        return _made_at(self.key) is not None

    @property
    def step(self) -> int:
        """The step of a rotation that was taken last; 0 where none is under way."""
        if not self.others:
            return 0
        return 1 if _is_newer(self.others[0], self.key) else 2


def secrets_in_force() -> Secrets:
    others = (each for each in settings.SECRET_KEY_FALLBACKS if each != settings.SECRET_KEY)
    return Secrets(settings.SECRET_KEY, tuple(dict.fromkeys(others)))


def after_step(step: int, now: Secrets) -> Secrets:
    """Return the secrets once a step has been taken; raises RotationError out of order."""
    allowed = {1: (0, 2), 2: (1,), 3: (2,)}[step]
    if now.step not in allowed:
        raise RotationError(_out_of_order(step, now.step))
    if step == 1:
        return Secrets(now.key, (_newer_than(now.key), *now.others))
    if step == 2:
        newest, *former = now.others
        return Secrets(newest, (now.key, *former))
    if not now.is_dated:
        raise RotationError(
            "Which secret is newer cannot be told, because the one in force was not made by this"
            " command: leave out the former ones yourself."
        )
    return Secrets(now.key, ())


def _out_of_order(step: int, last: int) -> str:
    following = {
        0: "No rotation is under way, and step 1 comes first.",
        1: "Step 1 was taken last: once every machine has its secrets, step 2 comes next.",
        2: "Step 2 was taken last: step 3 comes next, or step 1 of another rotation.",
    }
    return f"Step {step} cannot be taken now. {following[last]}"


def _newer_than(secret: str) -> str:
    """A new secret, which is the newer one on a machine whose clock was put back, too."""
    moment, before = timezone.now(), _made_at(secret)
    if before is not None:
        moment = max(moment, before + timedelta(microseconds=1))
    return f"{moment:{_MOMENT}}.{secrets.token_urlsafe(_BYTES)}"


def _made_at(secret: str) -> datetime | None:
    dated = _DATED.match(secret)
    with suppress(ValueError):
        return datetime.strptime(dated[1], _MOMENT).replace(tzinfo=UTC) if dated else None
    return None


def _is_newer(secret: str, other: str) -> bool:
    made, earlier = _made_at(secret), _made_at(other)
    return made is not None and (earlier is None or made > earlier)


# --- in files -------------------------------------------------------------------------------------


def written_since() -> datetime | None:
    """Since when the file of the secret has the one in force; None where it is in no file.

    A copy of the file may be younger: then more is thought to be cut off than is.
    """
    files = settings.SECRET_KEY_FILES
    if files is None or not files[0].exists():
        return None
    return datetime.fromtimestamp(files[0].stat().st_mtime, UTC)


def write(after: Secrets, files: tuple[Path, ...]) -> None:
    """Write both files; whenever this is killed, they have every secret that was in force."""
    key_file, others_file = files
    if not key_file.exists():
        raise RotationError(f"There is no secret in {key_file} that another could follow.")
    now = secrets_in_force()
    if after.key != now.key:
        _replace(others_file, [after.key, *after.others], like=key_file)
        _replace(key_file, [after.key], like=key_file)
    _replace(others_file, after.others, like=key_file)


def _replace(path: Path, lines: Sequence[str], *, like: Path) -> None:
    """Give a file these lines, or its former ones if this fails; it has the owner of another.

    Without a line there is no file: an empty one would be no file of secrets.
    """
    partial = path.with_name(f"{path.name}.partial")
    owner = like.stat()
    try:
        if not lines:
            path.unlink(missing_ok=True)
            return
        partial.unlink(missing_ok=True)
        handle = os.open(partial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            os.fchown(handle, owner.st_uid, owner.st_gid)
            file.write("".join(f"{line}\n" for line in lines))
            file.flush()
            os.fsync(handle)
        partial.replace(path)
    except OSError as error:
        raise RotationError(f"Cannot write {path}: {error.strerror}.") from error
