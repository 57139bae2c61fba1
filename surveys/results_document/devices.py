"""The devices of a question in its results, and how near they are to the best possible ones."""

from typing import TypeAlias

from surveys.parameters import Table
from surveys.results_document.parts import Part, Told


class UsedDevice(Part, frozen=True, kw_only=True):
    """A device with what came in: the sender's wave is `source`, empty for the newest.

    `shows`: of cards the answers on each. `counts`: how often each report came in; None where too
    few people used it. `margin`: of a device that covers several questions.
    """

    id: Told[str]
    option: Told[int | None]
    family: Told[str]
    epsilon: Told[str | None]
    delta: Told[str | None]
    table: Told[Table]
    shows: Told[tuple[tuple[int, ...], ...] | None]
    source: Told[str]
    stratum: Told[str]
    n: Told[int]
    counts: tuple[int, ...] | None = None
    margin: Told[bool]

    @property
    def key(self) -> tuple[str, str, str]:
        """The key that no other device has in results over several launches."""
        return self.source, self.id, self.stratum


def _kind(name: str) -> str:
    """The value of the key `kind`, by which certificates are told apart."""
    return name.removesuffix("Certificate").lower()


class MinimaxCertificate(Part, frozen=True, kw_only=True, tag_field="kind", tag=_kind):
    """The squared error of a device in the worst case, beside the least that any has."""

    variance: Told[float]
    least: Told[float]
    excess: Told[float]
    card_size: Told[int]
    cards: Told[int]


class ErrorAtEstimate(Part, frozen=True, kw_only=True):
    """The error of a searched device at the shares that are estimated now, and its bound."""

    distribution: tuple[float, ...]
    privacy: float
    worst_posterior: float
    error: float
    least_error: float
    gap: float


class SearchedCertificate(Part, frozen=True, kw_only=True, tag_field="kind", tag=_kind):
    """The error of a searched device at the shares that were guessed, and its bound."""

    method: Told[str]
    prior: Told[tuple[str, ...]]
    respondents: Told[int]
    privacy: Told[str]
    worst_posterior: Told[str | None]
    epsilon: Told[str | None]
    least_error: Told[str]
    error: Told[float]
    gap: Told[float]
    at_estimate: ErrorAtEstimate | None = None


Certificate: TypeAlias = MinimaxCertificate | SearchedCertificate
