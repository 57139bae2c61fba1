"""Figures of draft questions, cached by what they depend on."""

from surveys.devices.remembered import Remembered
from surveys.drafts import Draft
from surveys.registry import Registry


class Named:
    def __init__(self, name):
        self.name = name


def counted():
    calls = []

    @Remembered
    def figures(draft, people):
        calls.append((draft, people))
        return len(calls)

    return figures, calls


def test_questions_that_differ_in_their_words_share_their_figures():
    figures, calls = counted()
    first = figures(Draft(name="a", options=("x", "y")), 10)
    assert figures(Draft(name="b", options=("v", "w")), 10) == first
    assert len(calls) == 1


def test_another_number_of_options_or_people_is_computed():
    figures, calls = counted()
    for draft, people in [(Draft(), 10), (Draft(options=("x",)), 10), (Draft(), 11)]:
        figures(draft, people)
    assert len(calls) == 3


def test_what_another_registry_held_is_computed_again():
    figures, calls = counted()
    figures(Draft(), 10)
    registry = Registry(Named("one"))
    figures(Draft(), 10)
    registry.remove("one")
    figures(Draft(), 10)
    figures(Draft(), 10)
    assert len(calls) == 3
