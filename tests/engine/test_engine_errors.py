import ast
import pickle
import re
from pathlib import Path

import pytest

import rr_engine
from rr_engine import ERROR_CODES, EngineError, EpsilonError, k_rr, warner
from tests.engine.engine_cases import refusal

ROOT = Path(__file__).resolve().parents[2]
CLASSES = {
    name
    for name in dir(rr_engine)
    if isinstance(getattr(rr_engine, name), type)
    and issubclass(getattr(rr_engine, name), EngineError)
}


def catch(path):
    """Return (line, code) of every engine error that a file makes; None where it has no literal."""
    found = []
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else None
            name = node.func.id if isinstance(node.func, ast.Name) else name
            if name in CLASSES:
                code = node.args[3] if len(node.args) > 3 else None
                found.append((node.lineno, getattr(code, "value", None)))
    return found


def test_names_argument_value_and_rule():
    with pytest.raises(EpsilonError) as caught:
        k_rr(3, -1)
    error = caught.value
    assert (error.argument, error.value) == ("epsilon", -1)
    assert str(error) == f"epsilon must {error.rule}; got -1"


def test_is_a_value_error_and_survives_pickling():
    error = pickle.loads(pickle.dumps(EngineError("n", -1, "be at least 0", "out_of_range")))
    assert isinstance(error, ValueError)
    assert (error.argument, error.value, error.rule) == ("n", -1, "be at least 0")
    assert (error.code, error.limit) == ("out_of_range", None)


def test_a_huge_value_is_cut_in_the_message():
    assert len(str(EngineError("counts", list(range(100_000)), "be short", "not_counts"))) < 200


@pytest.mark.parametrize("package", ["rr_engine", "surveys"])
def test_every_error_that_is_raised_has_a_known_code(package):
    for path in (ROOT / package).rglob("*.py"):
        for line, code in catch(path):
            assert code in ERROR_CODES, f"{path.name}:{line}"


def test_every_code_is_raised_somewhere_and_means_one_thing():
    used = {code for path in (ROOT / "rr_engine").rglob("*.py") for _, code in catch(path)}
    assert used == set(ERROR_CODES)
    assert len(set(ERROR_CODES.values())) == len(ERROR_CODES)
    assert all(re.fullmatch("[a-z0-9]+(_[a-z0-9]+)*", code) for code in ERROR_CODES)


def test_the_page_of_errors_lists_the_codes_as_they_are():
    page = (ROOT / "docs" / "methods" / "errors.md").read_text().split("## Codes")[1]
    listed = dict(re.findall(r"^\| `([a-z0-9_]+)` \| (.*) \|$", page, re.MULTILINE))
    assert listed == ERROR_CODES
    assert list(listed) == sorted(listed)


def test_the_code_tells_what_the_words_say():
    cases = [
        (lambda: k_rr(3, -1), "not_an_epsilon"),
        (lambda: warner(2), "not_a_probability"),
        (lambda: rr_engine.estimate(k_rr(3, 1), [1, 2]), "counts_do_not_fit"),
        (lambda: rr_engine.estimate(warner(0.5), [1, 2]), "not_identifiable"),
    ]
    for make, code in cases:
        assert refusal(make).code == code


def test_a_limit_is_a_number_that_a_program_can_use():
    caught = refusal(rr_engine.search_designs, [0.5, 0.3, 0.2], 100, delta=0.4)
    assert (caught.code, caught.limit) == ("below_largest_share", 0.5)
    again = pickle.loads(pickle.dumps(caught))
    assert (again.code, again.limit) == ("below_largest_share", 0.5)
