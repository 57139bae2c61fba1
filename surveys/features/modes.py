"""How respondents are told apart: not at all, or in a way that a feature offers to authors."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

    from surveys.models import Receipt, Survey
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
    all of them about this one. `columns`: what the file of reports says of the sender of a row:
    names of values of a content, each with the type and what it means. `sending`: None where all
    get one link. `member_count`: how many people a draft knows and asks about each other, where it
    can; `no_members`: how an author lets it know some.
    """

    value: str
    key: OwnKey
    store: Store
    label: "StrOrPromise"
    help: "StrOrPromise" = ""
    columns: "tuple[tuple[str, str, StrOrPromise], ...]" = ()
    sending: Sending | None = None
    member_count: "Callable[[Survey], int] | None" = None
    no_members: "StrOrPromise" = ""
