"""The last screen in the frozen document: texts for each way in which somebody gets there, and
where a button leads from there; docs/protocol.md, section 28.

A panel's own id comes behind the # of the link and goes back to the panel alone: it is in no
request to this site. static/js/features/closing_page/rules.js has the twin of the rules.
"""

import re
from collections.abc import Iterator
from typing import Annotated, Final
from urllib.parse import urlsplit

import msgspec

from surveys.features.parts import DocumentPart
from surveys.parameters.document import Parameters
from surveys.parameters.types import Frozen, Problem, Told, ToldText

NAME: Final = "closing_page"
LONGEST_ADDRESS = 500
# Where the panel's id goes in an address: it is a value of the query or of the fragment.
ID: Final = "{id}"
# Only https and ASCII: what is shown of it is where it leads. The browser has the same pattern.
_ADDRESS = re.compile(
    r"https://[A-Za-z0-9.-]+(:[0-9]{1,5})?(/[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*(\{id\}[A-Za-z0-9._~:/?#@!$&'()*+,;=%-]*)?)?"
)
KEY = r"^[A-Za-z][A-Za-z0-9_-]{0,31}$"
Key = Annotated[str, msgspec.Meta(pattern=KEY)]


class Ending(Frozen, frozen=True):
    """`text`: what is said, empty for the client's own words. `address`: where the button leads,
    with `{id}` where the panel's id goes; None where there is no button.
    """

    text: Told
    address: str | None


class Panel(Frozen, frozen=True):
    """`name`: to whom the button leads. `key`: of its id in the fragment of the link."""

    name: ToldText
    key: Key


class ClosingPage(Frozen, frozen=True):
    """`complete`: of a response that is stored. `full`: of somebody of whose group enough people
    have answered. `screened`: of somebody whom the survey is not for. Of both nothing is sent.
    """

    panel: Panel | None
    complete: Ending
    full: Ending
    screened: Ending

    @property
    def endings(self) -> dict[str, Ending]:
        return {"complete": self.complete, "full": self.full, "screened": self.screened}

    @property
    def addresses(self) -> dict[str, str]:
        """Where the button leads, by how somebody gets to the end."""
        return {name: x.address for name, x in self.endings.items() if x.address is not None}

    @property
    def host(self) -> str:
        """Where all buttons lead, as people know it; empty without one."""
        return next((host_of(address) for address in self.addresses.values()), "")


def frozen_closing(parameters: Parameters) -> ClosingPage | None:
    """Return what a document says of the end; None where it says nothing."""
    return parameters.section(NAME) or None


def is_address(text: str) -> bool:
    """Whether a button may lead there: the id, if there is one, is in the query or the fragment."""
    before, has_id, _ = text.partition(ID)
    is_behind = not has_id or "?" in before or "#" in before
    return len(text) <= LONGEST_ADDRESS and is_behind and _ADDRESS.fullmatch(text) is not None


def host_of(address: str) -> str:
    return urlsplit(address).netloc.lower()


class ClosingPageInDocument(DocumentPart):
    optional_sections = {NAME: ClosingPage}

    def problems(self, parameters: Parameters) -> Iterator[Problem]:
        closing = frozen_closing(parameters)
        if closing is None:
            return
        if not any(x.text or x.address is not None for x in closing.endings.values()):
            yield "empty", NAME, "a text or an address"
        for name, address in closing.addresses.items():
            if not is_address(address):
                yield "bad_address", f"{NAME}.{name}.address", "an address with https://"
        if len({host_of(address) for address in closing.addresses.values()}) > 1:
            yield "bad_address", NAME, "addresses of one host"
        if (closing.panel is None) != (not closing.addresses):
            yield "bad_panel", f"{NAME}.panel", "there where a button leads somewhere"
