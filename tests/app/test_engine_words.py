"""Refusals of the engine are told by their codes: in an author's words, and in their language."""

import ast
from pathlib import Path

import pytest
from django.utils import translation

from rr_engine import EngineError
from rr_engine.errors import ERROR_CODES
from surveys.engine_words import SENTENCES, refusal, refusal_words
from tests.app.layers import tree_of

SURVEYS = Path(__file__).resolve().parents[2] / "surveys"


def test_every_sentence_is_of_a_code_of_the_engine():
    assert set(SENTENCES) <= set(ERROR_CODES)


@pytest.mark.parametrize("code", [*SENTENCES, "not_a_whole_number"])
def test_an_error_is_said_in_the_readers_language(code):
    error = EngineError("epsilon", -1, "be above 0", code)
    english = refusal(error)
    assert english == refusal(code)
    assert "must be above 0" not in english
    with translation.override("de"):
        assert refusal_words(english) != english


def test_a_limit_is_told_with_the_sentence():
    sentence = refusal(EngineError("prior", 15, "be short", "too_many_categories", 14))
    assert refusal_words(sentence) == "There are too many answers for this device. The limit is 14."
    assert refusal_words(
        refusal(EngineError("delta", 0, "be more", "below_largest_share", 1 / 3))
    ).endswith("The limit is 0.333333.")
    assert refusal_words("") == ""


def test_an_error_without_a_code_is_said_as_well():
    assert refusal(KeyError("x")) == refusal("")


def messages_read(tree):
    """Return the lines in which the text or the parts of a caught engine error are read."""
    names = []
    for handler in ast.walk(tree):
        if not isinstance(handler, ast.ExceptHandler) or "EngineError" not in ast.dump(
            handler.type or ast.Constant(0)
        ):
            continue
        for node in ast.walk(handler):
            text = isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("str", "repr")
            read = text and any(getattr(part, "id", "") == handler.name for part in node.args)
            parts = isinstance(node, ast.Attribute) and node.attr in ("args", "rule")
            mixed = isinstance(node, ast.BinOp) and getattr(node.right, "id", "") == handler.name
            is_name = isinstance(node, ast.FormattedValue) and (
                getattr(node.value, "id", "") == handler.name
            )
            if handler.name and (read or parts or mixed or is_name):
                names.append(node.lineno)
    return names


@pytest.mark.slow
def test_nobody_reads_a_message_of_the_engine():
    paths = sorted(SURVEYS.rglob("*.py"))
    assert len(paths) > 100
    assert not [path for path in paths if messages_read(tree_of(path))]


def test_a_message_that_is_read_is_found():
    for line in ("return str(error)", "x = 'no: %s' % error", "y = error.rule", "z = f'{error}'"):
        code = f"try:\n    run()\nexcept EngineError as error:\n    {line}\n"
        code = "def f():\n    " + code.replace("\n", "\n    ")
        assert messages_read(ast.parse(code))
