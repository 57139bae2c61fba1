"""One variable of the environment: what it may be, what it is by default, what documents it.

A group of variables is a class whose attributes they are (see site.py); `Environment` in
environment.py has the values. Nothing here loads Django beyond its exception.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, overload

from django.core.exceptions import ImproperlyConfigured

if TYPE_CHECKING:
    from config.environment.environment import Environment

T = TypeVar("T")

# Where a value comes from.
GIVEN, FROM_FILE, KEPT, DEFAULT = "environment", "file", "kept in var/", "default"
FILE = "_FILE"


class RuleError(ValueError):
    """A value that breaks a rule; the text says what follows the variable's name."""


@dataclass(frozen=True)
class Reading(Generic[T]):
    """A value, where it comes from, and how it was written."""

    value: T
    origin: str
    written: str


@dataclass
class Variable(Generic[T]):
    """A variable; as an attribute of an environment it is the value.

    `default` is written as an operator would write it, or computed from the environment.
    """

    text: str
    parse: Callable[[str], T]
    # What a value has to be, after "it must be".
    rule: str
    default: str | Callable[["Environment"], str]
    # The default in words, where it is computed or is no more than nothing.
    default_words: str = ""
    # The value is shown to nobody, and may be given as a file.
    secret: bool = False
    # What of a secret may be shown, such as a URL without its password.
    mask: Callable[[str], str] | None = None
    # What `make run` sets where nothing else is set, if that differs from the default.
    under_make_run: str | None = None
    # What `make run` does otherwise, in words.
    make_run_words: str = ""
    # Looks at the value beside others; raises RuleError.
    beside: Callable[["Environment", T], T] | None = None
    # The file in the data folder in which one is kept, so that commands work beside `make run`.
    kept_in: str = ""
    # Reads either file, where a value of several lines is written otherwise there.
    parse_file: Callable[[str], T] | None = None
    # The value where problems are collected and there is no default.
    stand_in: str = ""
    name: str = field(default="", init=False)

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, environment: None, owner: type) -> Self: ...
    @overload
    def __get__(self, environment: "Environment", owner: type) -> T: ...
    def __get__(self, environment: "Environment | None", owner: type) -> Self | T:
        return self if environment is None else environment.reading(self).value

    def read(self, environment: "Environment") -> Reading[T]:
        """Raises ImproperlyConfigured with one line, which shows no secret."""
        written, origin = self._written(environment)
        try:
            in_file = self.parse_file if origin in (FROM_FILE, KEPT) else None
            value = (in_file or self.parse)(written)
            if self.beside:
                value = self.beside(environment, value)
        except RuleError as error:
            raise ImproperlyConfigured(f"{self.name} {error}") from error
        except ValueError as error:
            raise ImproperlyConfigured(self._complaint(written)) from error
        return Reading(value, origin, written)

    def default_text(self, environment: "Environment") -> str:
        return self.default if isinstance(self.default, str) else self.default(environment)

    def _written(self, environment: "Environment") -> tuple[str, str]:
        given = environment.given.get(self.name, "").strip()
        file = environment.given.get(self.name + FILE, "").strip() if self.secret else ""
        if given and file:
            raise ImproperlyConfigured(
                f"{self.name} and {self.name}{FILE} are both set; set one of them."
            )
        if file:
            return contents(self.name + FILE, Path(file)), FROM_FILE
        if given:
            return given, GIVEN
        kept = self.kept_file(environment)
        if kept and os.path.lexists(kept):
            return contents(self.name, kept).strip(), KEPT
        return self.default_text(environment), DEFAULT

    def kept_file(self, environment: "Environment") -> Path | None:
        return environment.CANDOR_DATA_DIR / self.kept_in if self.kept_in else None

    def _complaint(self, written: str) -> str:
        if self.secret:
            return f"{self.name} cannot be read; it must be {self.rule} (its value is not shown)."
        return f"{self.name} is {written!r}; it must be {self.rule}."


def contents(name: str, path: Path) -> str:
    """What stands in a file that a variable names, without the line break at its end."""
    try:
        text = path.read_bytes().decode()
    except OSError as error:
        raise ImproperlyConfigured(f"{name}: cannot read {path}: {error.strerror}.") from error
    except UnicodeDecodeError:
        # Not "from": that error quotes what stands in the file.
        raise ImproperlyConfigured(f"{name}: {path} is no text in UTF-8.") from None
    text = text.removesuffix("\n").removesuffix("\r")
    if not text.strip():
        raise ImproperlyConfigured(f"{name}: {path} is empty.")
    return text


def variables_of(group: type) -> Mapping[str, Variable[Any]]:
    """The variables of a group, in the order in which they are declared."""
    return {name: each for name, each in vars(group).items() if isinstance(each, Variable)}
