"""How respondents are told apart: not at all, or in a way that a feature offers to authors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from surveys.models import Receipt
    from surveys.responses.envelope import ParsedSubmission

# The symbols of keys that people read and type: Crockford's base 32, without I, L, O and U.
ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


@dataclass(frozen=True, slots=True)
class OwnKey:
    """The key of a response that tells its sender from others: that of no other survey has one.

    `name`: in the body, for ever. `words`: what it holds, in refusals. `fits`: whether a value has
    the form of one.
    """

    name: str
    words: str
    fits: Callable[[object], bool]


class Store(Protocol):
    """Store a response whose sender is told from others, with its receipt.

    Raises AlreadyAnsweredError and UnknownSenderError, and IntegrityError where there is a response
    with the same id.
    """

    def __call__(
        self,
        *,
        launch_id: int,
        parsed: "ParsedSubmission",
        receipt: "Receipt",
        content: dict[str, Any],
    ) -> None: ...


@dataclass(frozen=True, slots=True)
class Sending:
    """How an author sends each person a link of their own, instead of one for everybody.

    `page`: the name of the page for it, and `label`: of its button. `words`: on the page “Share”.
    `launched`: what is read after the launch, above that page.
    """

    page: str
    label: "StrOrPromise"
    words: "StrOrPromise"
    launched: "StrOrPromise"


@dataclass(frozen=True, slots=True)
class Mode:
    """A way in which respondents are told apart, and by which a survey uses a feature.

    `value`: what documents call it, for ever. `key`: what a response has because of it, and
    `store`: how one is stored. `label`: among the choices of an author; `help`: what stands below
    all of them about this one. `no_members`: how a survey gets to know people whom it asks about
    each other, if it can. `sending`: None where all get one link. `columns`: what the file of
    reports says of the sender of a row: names of values of a content, each with the type and what
    it means.
    """

    value: str
    key: OwnKey
    store: Store
    label: "StrOrPromise"
    help: "StrOrPromise" = ""
    no_members: "StrOrPromise" = ""
    sending: Sending | None = None
    columns: "tuple[tuple[str, str, StrOrPromise], ...]" = ()
