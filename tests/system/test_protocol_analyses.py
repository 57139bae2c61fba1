"""Section 14 of docs/protocol.md: analyses and margins, by a client that knows that page."""

from copy import deepcopy

from candor import respondent as client

from surveys.parameters import Analysis, Margin, Predictor, Weighting, check, read
from tests.system.protocol_page import EXAMPLES, PAGE, PARAMETERS, keys_below
from tests.vectors.broken_analyses import BROKEN_ANALYSES

SECTION = PAGE.partition("## 14. Analyses, margins and control items")[2]


def test_the_page_names_the_codes_of_these_breaches():
    codes = {code for _, code, _ in BROKEN_ANALYSES.values()}
    shapes = {"bad_text", "bad_number", "bad_choice", "missing_key", "unknown_key"}
    shapes |= {"not_a_list", "not_an_object", "not_a_boolean", "not_a_decimal"}
    assert {code for code in codes - shapes if f"`{code}`" not in SECTION} == set()


def test_the_tables_of_the_page_have_the_keys_of_the_types():
    assert keys_below("**An analysis** is a model") == set(Analysis.__struct_fields__)
    assert keys_below("A predictor:") == set(Predictor.__struct_fields__)
    assert keys_below("**The margins.**") == set(Margin.__struct_fields__)
    assert Weighting.__struct_fields__ == ("margins",)


def test_the_example_of_the_page_is_taken_by_both():
    """With the questions of its first example, kept together."""
    served = {**deepcopy(PARAMETERS), "linkage": "together", **EXAMPLES["declared"]}
    signed = served | {"digest": client.digest_of(served)}
    assert client.check(signed) == signed
    assert check(read(signed)).analyses[0].questions == ("drug", "shift", "paid")
