"""Every kind and every device can be tried with all others; what cannot fails by itself."""

import pytest

from surveys.devices import DIRECT, FAMILIES
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.kinds import KINDS, categories
from surveys.kinds.one_answer import OneAnswer
from tests.app.contract.age_in_bands import AgeInBands
from tests.app.contract.cases import CASES, FITTING, TROUBLES, list_cases, register_for_cases
from tests.app.contract.worded import worded

with register_for_cases():
    NAMES = [*KINDS, *FAMILIES, DIRECT.name, *PHYSICAL_DEVICES]


@pytest.mark.parametrize("name", NAMES)
def test_it_can_be_tried_with_all_others(name):
    assert TROUBLES.get(name, []) == []


def test_answers_that_are_no_options_are_tried():
    """One more than the limits that were written, and none of these."""
    ours = [case for case in FITTING if case.kind.name == AgeInBands.name]
    assert len({case.device.name for case in ours}) > 3
    for case in ours:
        draft = case.draft()
        assert len(categories(draft)) == len(draft.options) + 1 + case.refusal
        assert not {*categories(draft)} & {*draft.options}


class Unready(OneAnswer):
    """Its answers cannot be computed from what an author has written."""

    name = "unready"
    label = worded("Unready", "Unfertig")
    control = "list"

    def answer_labels(self, draft):
        return [str(1 / int(option)) for option in draft.options]


def test_a_kind_that_cannot_be_tried_stops_no_other():
    KINDS.add(Unready())
    try:
        cases, troubles = list_cases()
    finally:
        KINDS.remove(Unready.name)
    names = [str(case) for case in cases if case.kind.name != Unready.name]
    assert names == [str(case) for case in CASES]
    first = troubles[Unready.name][0]
    assert "invalid literal for int() with base 10: 'Bus'" in first
    assert "(test_cases.py, <listcomp>)" in first or "(test_cases.py, answer_labels)" in first
