"""The contract on names: whatever an author can choose is called something in every language."""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import ClassVar

import pytest
from django import forms
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy

from surveys.devices import DIRECT, FAMILIES
from surveys.devices.joint import JOINT_FAMILIES
from surveys.devices.joint_margin import JOINT_MARGIN
from surveys.devices.physical.registry import PHYSICAL_DEVICES, PHYSICAL_FAMILIES
from surveys.kinds import KINDS
from tests.app.contract.cases import register_for_cases
from tests.app.contract.translated import problems_of
from tests.app.contract.worded import worded

with register_for_cases():
    CHOSEN = [*FAMILIES.values(), *PHYSICAL_DEVICES.values(), JOINT_MARGIN]
    ASKED = list(KINDS.values())
# Named by readers of results alone.
SERVED = [*PHYSICAL_FAMILIES.values(), *JOINT_FAMILIES, DIRECT]


def name_of(thing):
    return thing.name


@pytest.mark.parametrize("device", CHOSEN, ids=name_of)
def test_a_device_has_its_name_and_its_needs_in_german(device):
    assert problems_of(device, ("label", "needs")) == []


@pytest.mark.parametrize("kind", ASKED, ids=name_of)
def test_a_kind_has_its_name_in_german(kind):
    assert problems_of(kind, ("label",)) == []


@pytest.mark.parametrize("family", SERVED, ids=name_of)
def test_a_served_device_has_its_description_in_german(family):
    assert problems_of(family) == []


# --- the check itself ---------------------------------------------------------------------------


@dataclass
class Consent:
    summary: Promise
    number: int = 3


LEFT_OUT = gettext_lazy("Nobody has ever translated this text")
GOOD = worded("A device", "Ein Verfahren")


@pytest.mark.parametrize(
    ("texts", "names"),
    [
        ({"label": "A device"}, ["label"]),
        ({"label": LEFT_OUT}, ["label"]),
        ({"label": GOOD, "needs": "It takes yes or no."}, ["needs"]),
        ({"label": GOOD, "description": LEFT_OUT}, ["description"]),
        ({"label": GOOD, "short_label": str(GOOD)}, ["short_label"]),
        ({"label": GOOD, "relaxation": Consent(LEFT_OUT)}, ["relaxation.summary"]),
        ({}, ["label"]),
        ({"label": GOOD, "description": "", "short_label": None}, []),
    ],
)
def test_a_text_that_is_not_translated_is_named(texts, names):
    problems = problems_of(SimpleNamespace(**texts), ("label",))
    assert [problem.partition(":")[0] for problem in problems] == names


def test_a_setting_that_is_not_translated_is_named():
    class Family:
        label = GOOD
        choices: ClassVar = [("few", LEFT_OUT), (3, "3")]

        def setting_fields(self):
            plain = forms.CharField(label="Plain", help_text=LEFT_OUT)
            return {"much": plain, "many": forms.ChoiceField(label=GOOD, choices=self.choices)}

    problems = [problem.partition(":")[0] for problem in problems_of(Family())]
    assert problems == ["much.label", "much.help_text", "many.few"]
