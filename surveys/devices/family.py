"""The base class of a family of devices, put together from what each of three readers needs.

`BuiltFamily` is for whoever freezes a document, `ToldFamily` for whoever puts figures into words,
`ChosenFamily` for the page of an author. The rest of the app asks these objects and compares no
family's name. docs/extending.md says how another one is added.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from django import forms
from django.utils.functional import Promise

from surveys.devices.built_family import BuiltFamily, Settings
from surveys.devices.told_family import ToldFamily
from surveys.drafts import Draft


@dataclass(frozen=True, slots=True)
class DeviceFinding:
    """A launch check's finding on a draft's device; one that `blocks` stops the launch."""

    code: str
    message: str
    blocks: bool


class ChosenFamily:
    """The part of a family for authors: what they choose, set beside epsilon, and have to know.

    `label`, `needs`: what an author chooses, and what it takes, said where it was chosen for a
    question that it does not fit. `short_label`: in a figure beside others; its label where it has
    none. `rival`: it becomes the default where it is clearly more accurate than the usual device.
    """

    name: str
    label: Promise
    needs: Promise
    short_label: Promise | None = None
    rival = False

    def needs_words(self) -> str:
        return str(self.needs)

    def setting_fields(self) -> dict[str, forms.Field]:
        """The fields of its settings on the author's page, by their names in `settings`.

        Families that have a setting of the same name share it. A field's `initial` stands where
        nothing is stored.
        """
        return {}

    def setting_problems(self, values: Settings) -> dict[str, str]:
        """Return what is wrong with settings beyond their fields' form; empty where nothing is."""
        return {}

    def setting_note(self, values: Settings) -> str:
        """Return what these settings mean for the people who are asked, in words."""
        return ""

    def findings(self, draft: Draft, planned_n: int) -> Iterator[DeviceFinding]:
        """Yield what an author should know, or change, before a launch with this device."""
        yield from ()

    def planning_error(self, draft: Draft) -> float | None:
        """The error by which it is compared with others where results are no shares of answers."""
        return None

    def planning_prior(self, draft: Draft) -> list[float] | None:
        """The guessed shares stored with the question; every device is judged by them."""
        return None

    def planning_share(self, draft: Draft) -> float | None:
        """The guessed share of the focal answer, where only that one was guessed."""
        return None

    def weighting_prior(self, draft: Draft) -> list[float] | None:
        """The shares by which results will weight its reports; None for equal shares."""
        return None


class Family(BuiltFamily, ToldFamily, ChosenFamily):
    """A family of devices that an author can choose and the page draws for."""
