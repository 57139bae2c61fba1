"""The channels that families build, in the exact integers that a launch would freeze."""

import functools
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, Protocol

import rr_engine
from surveys.parameters import BITS
from surveys.parameters.exact import with_labels


class Buildable(Protocol):
    """A family as far as it is needed here; as an object it stays the same."""

    look: str
    names_answers: bool

    def __hash__(self) -> int: ...

    @property
    def relaxed(self) -> bool: ...

    def build(
        self, labels: list[str], epsilon: Decimal, settings: Mapping[str, Any]
    ) -> rr_engine.channels.Channel: ...


def exact_channel(
    family: Buildable, labels: Sequence[str], epsilon: Decimal, settings: Mapping[str, Any]
) -> rr_engine.channels.Channel:
    """One device of a family for these true answers; raises EngineError where there is none."""
    hashable = tuple((key, _hashable(value)) for key, value in settings.items())
    exact = _cached(family, len(labels), epsilon, hashable)
    if not isinstance(exact, rr_engine.DesignMatrix) or exact.categories == tuple(labels):
        return exact
    return with_labels(exact, labels)


# A table of 50 answers is some 100 kB, so these are at most 50 MB of a process.
@functools.lru_cache(maxsize=512)
def _cached(
    family: Buildable, size: int, epsilon: Decimal, settings: tuple[tuple[str, Any], ...]
) -> rr_engine.channels.Channel:
    """Cached, because a page asks for the same devices at every keystroke; a channel is immutable.

    A table does not depend on the labels of the answers, so questions that are alike share it.
    """
    channel = family.build([str(index) for index in range(size)], epsilon, dict(settings))
    reports, truths = channel.tally_size, channel.truth_size
    if family.names_answers and reports != truths:
        rule = f"be one for each of {truths} answers where they stand for them"
        raise rr_engine.errors.DesignError("reports", reports, rule, "labels_do_not_fit")
    _check_look(family, channel)
    if not isinstance(channel, rr_engine.DesignMatrix):
        return channel
    exact = channel.quantized(accept_infinite_epsilon=family.relaxed)
    return with_labels(exact, exact.categories)


def _check_look(family: Buildable, channel: rr_engine.channels.Channel) -> None:
    """A look of the page asks for each of these reports; of others nobody could send any."""
    bits = isinstance(channel, rr_engine.channels.BitChannel)
    codes = isinstance(channel, rr_engine.DesignMatrix) or (
        isinstance(channel, rr_engine.channels.UniformChannel) and len(channel.shape) == 1
    )
    if bits != (family.look == BITS) or not (bits or codes):
        rule = "have reports that its look asks for: codes, cards, or a bit for each answer"
        raise rr_engine.errors.ArgumentError("look", family.look, rule, "not_storable")


def _hashable(value: Any) -> Any:
    return tuple(map(_hashable, value)) if isinstance(value, list) else value
