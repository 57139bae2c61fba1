"""The frozen parameters on the server: one reader, the rules, and the schema of the types."""

import copy
import json
import re
from pathlib import Path

import jsonschema
import pytest
from msgspec.structs import replace

from surveys.parameters import ParametersError, Product, check, digest_of, read, to_json
from surveys.parameters.schema import schema
from tests.builders import launched
from tests.devices import dense
from tests.released import QUESTIONS
from tests.vectors.every_breach import BESIDE_THE_DIGEST, broken, cases
from tests.vectors.make_wire_vectors import document, uniform, wire_vectors

DOCS = Path(__file__).resolve().parents[2] / "docs"
VALIDATOR = jsonschema.Draft202012Validator(schema())
SIGNED = [case["document"] for case in wire_vectors()["digests"]]
# A format or a key is not told from another misshapen field.
SHAPES = {
    "unknown_format", "unknown_key", "missing_key", "bad_text", "bad_number", "bad_choice", "empty",
    "not_a_decimal", "not_an_object", "not_a_list", "not_a_boolean", "bad_name", "bad_labels",
    "bad_table", "bad_option", "bad_digest", "unknown_form", "wrong_length",
    "not_an_integer", "bad_code",
}  # fmt: skip


@pytest.mark.parametrize("signed", SIGNED, ids=lambda signed: signed["digest"][7:15])
def test_what_is_read_is_written_again_under_the_same_digest(signed):
    parameters = check(read(signed))
    assert digest_of(parameters) == signed["digest"]
    outside = {key: signed[key] for key in ("digest", "translations") if key in signed}
    assert {**to_json(parameters), **outside} == signed
    VALIDATOR.validate(signed)


@pytest.mark.django_db
def test_the_example_of_the_protocol_and_a_launch_fit_the_schema():
    page = (DOCS / "protocol.md").read_text(encoding="utf-8")
    example = json.loads(re.search(r"```json parameters\n(.*?)\n```", page, re.DOTALL)[1])
    launch = launched(questions=QUESTIONS, budget=6)
    for signed in (example, launch.document):
        VALIDATOR.validate(signed)
        check(read(signed))
    assert read(launch.document) == launch.parameters
    launch.refresh_from_db()
    assert read(launch.document) == launch.parameters


@pytest.mark.parametrize("case", cases(BESIDE_THE_DIGEST))
def test_a_broken_document_is_refused_with_the_code_of_the_browser(case):
    frozen, code, field = broken(case)
    with pytest.raises(ParametersError) as error:
        check(read(frozen))
    error_found = error.value
    if error_found.code == "shape":
        assert code in SHAPES
        assert not VALIDATOR.is_valid({**frozen, "digest": "sha256:" + "0" * 64})
    else:
        assert (error_found.code, error_found.field) == (code, field)
    assert error_found.rule


def test_a_device_over_two_questions_is_refused_at_the_door():
    """Seen before: its first answers were published as those of both questions."""
    frozen = document()
    pair = {**frozen["devices"][0], "questions": ["smokes", "party"], "epsilon": "2"}
    pair["table"] = {"form": "product", "parts": [uniform(2, 3, 1), uniform(3, 2, 1)]}
    frozen["devices"][:2] = [pair]
    with pytest.raises(ParametersError) as error:
        check(read(frozen))
    assert (error.value.code, error.value.field) == (
        "several_questions",
        "devices.0.questions",
    )


@pytest.mark.parametrize(
    ("table", "epsilon", "satisfied"),
    [
        ({"form": "product", "parts": [uniform(2, 3, 1), uniform(2, 3, 1)]}, "2.1973", True),
        ({"form": "product", "parts": [uniform(2, 3, 1), uniform(2, 3, 1)]}, "2.1972", False),
        ({"form": "product", "parts": [uniform(2, 3, 1), dense([[2, 2], [2, 2]])]}, "1.0987", True),
        ({"form": "product", "parts": [uniform(2, 1, 0), uniform(2, 3, 1)]}, "8", False),
        ({"form": "bits", "bits": 4, "denominator": 4, "one": 2, "zero": 1}, "1.0987", True),
        ({"form": "bits", "bits": 4, "denominator": 4, "one": 2, "zero": 1}, "1.0986", False),
        ({"form": "bits", "bits": 4, "denominator": 4, "one": 1, "zero": 2}, "1.0986", False),
        ({"form": "bits", "bits": 4, "denominator": 4, "one": 4, "zero": 1}, "8", False),
    ],
)
def test_epsilon_of_every_form_is_decided_from_its_integers(table, epsilon, satisfied):
    """ln 9 = 2.19722 for two devices of ln 3; 2/4 against 1/4 and 3/4 against 2/4 make ln 3."""
    frozen = document()
    frozen["devices"][0] |= {"table": table, "epsilon": epsilon}
    frozen["epsilon"] = "20"
    frozen["questions"][0]["reason"] = frozen["reason"] = "A test."
    size = 4 if table["form"] == "bits" or len(table["parts"]) == 2 else 0
    frozen["questions"][0] |= {
        "categories": [f"Answer {number}" for number in range(size)],
        "control": "list",
    }
    if satisfied:
        check(read(frozen))
        return
    with pytest.raises(ParametersError) as error:
        check(read(frozen))
    assert error.value.code == "too_revealing"


@pytest.mark.django_db
def test_nothing_of_a_launch_can_be_changed():
    parameters = launched().parameters
    with pytest.raises(AttributeError):
        parameters.title = "Another"
    with pytest.raises(AttributeError):
        parameters.devices[0].table.kept = 1
    assert hash(parameters) == hash(copy.deepcopy(parameters))
    assert replace(parameters, title="Another") != parameters
    assert not isinstance(parameters.devices[0].table, Product)
