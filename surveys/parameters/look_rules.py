"""The rules that a look sets for the table of a device: what its reports are to a person."""

from collections.abc import Iterator, Sequence

from surveys.parameters.cards import is_deck
from surveys.parameters.document import BITS, CARDS, Device
from surveys.parameters.tables import Bits, Table
from surveys.parameters.types import Problem


def problems_of_look(device: Device, steps: Sequence[Table], field: str) -> Iterator[Problem]:
    """`steps`: the tables of the device, of a chain all of them."""
    if device.look == BITS and not isinstance(device.table, Bits):
        yield "bad_bits", f"{field}.table", "a bit for each answer, where it is shown as that"
    if device.look == CARDS and not all(map(is_deck, steps)):
        yield "bad_cards", f"{field}.table", "cards must show equally many answers, none more often"
