"""A small search: its request, and its draft question."""

from surveys.models import Question
from tests.builders import make_survey

REQUEST = {
    "format": 1,
    "labels": ["a", "b", "c"],
    "prior": ["0.5", "0.3", "0.2"],
    "origin": {"kind": "typed"},
    "n": 1000,
    "delta": "0.8",
    "epsilon": "1",
    "methods": ["certified"],
    "generations": 20,
    "levels": 4,
    "seed": 0,
}


def searched_question() -> Question:
    choice = {"kind": "single_choice", "options": REQUEST["labels"]}
    return make_survey(questions=[choice]).questions.get()
