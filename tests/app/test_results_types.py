"""The typed documents of results: the same bytes once they are read and written, nothing unknown,
and of too few people what is told of them.
"""

import json

import msgspec
import pytest
from msgspec.structs import replace

from surveys.features import FEATURES as REGISTERED
from surveys.models import AnalysisFit, WeightedShares
from surveys.results_document.devices import ErrorAtEstimate, SearchedCertificate
from surveys.results_document.document import plain, read_results, result_types
from surveys.results_document.fits import read_fit
from surveys.results_document.tables import JointResults, TableResults
from surveys.results_document.weighted import read_weighted
from surveys.results_document.withholding import above_threshold
from tests.unchanged.listed import FEATURES

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
SURVEYS = [
    *("rich, few with a die", "a group", "arms", "arms, few in one", "network", "texts", "numbers"),
    *("control items", "cards, digits and a searched table", "few", "waves with a group", "tiers"),
    *("weights and an analysis", "analyses"),
]
READERS = ((AnalysisFit, read_fit), (WeightedShares, read_weighted))
# What no answer has a part in, besides how many people there are.
OF_A_QUESTION = (
    {"id", "text", "kind", "randomized", "labels", "epsilon", "delta", "n", "suppressed", "devices"}
    | {"certificate", "in_group"} | {"categories", "notes"}
)  # fmt: skip
OF_A_TABLE = (
    {"id", "outcome", "group", "outcome_text", "group_text", "outcome_labels", "group_labels"}
    | {"n", "suppressed", "strata"} | {"cells", "notes"}
)  # fmt: skip
OF_A_GROUP = (
    {"id", "stratum", "family", "epsilon", "strata", "questions", "texts", "labels", "table"}
    | {"combinations", "n", "suppressed"} | {"pairs", "cells", "notes"}
)  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("name", SURVEYS)
def test_what_is_stored_is_read_and_written_as_it_was(name):
    for launch in FEATURES[name]():
        for result in launch.results.all():
            assert json.dumps(plain(read_results(result.content))) == json.dumps(result.content)
        for model, read in READERS:
            for row in model.objects.filter(launch=launch):
                assert json.dumps(plain(read(row.content))) == json.dumps(row.content)


@pytest.mark.slow
def test_an_unknown_key_is_refused():
    (launch,) = FEATURES["a group"]()
    stored = launch.results.get().content
    assert read_results(stored).responses == 200
    for part in (stored, stored["questions"][0], stored["groups"][0]["pairs"][0]):
        part["guess"] = 1
        with pytest.raises(msgspec.ValidationError, match="guess"):
            read_results(stored)
        del part["guess"]


def test_a_feature_gives_the_type_of_what_it_adds():
    keys = {key for feature in REGISTERED.values() for key in feature.results.question_sections}
    assert keys >= {"arms", "control"}
    assert keys <= {*result_types().question.__struct_fields__}


SEARCHED = "cards, digits and a searched table"
AT_ESTIMATE = ErrorAtEstimate(
    distribution=(0.5, 0.5),
    privacy=0.4,
    worst_posterior=0.6,
    error=0.02,
    least_error=0.01,
    gap=0.01,
)


@pytest.mark.parametrize("name", ["a group", SEARCHED, "arms"])
@pytest.mark.slow
def test_of_too_few_people_only_what_no_answer_has_a_part_in_is_shown(name):
    (launch,) = FEATURES[name]()
    results = read_results(launch.results.get().content)
    parts = [(OF_A_QUESTION, part) for part in results.questions]
    parts += [(OF_A_TABLE, part) for part in results.all_tables]
    parts += [(OF_A_GROUP, part) for part in results.joint]
    # Whether shares are found that have an error depends on the answers that were drawn.
    searched = [
        (kept, replace(part, certificate=replace(part.certificate, at_estimate=AT_ESTIMATE)))
        for kept, part in parts
        if isinstance(getattr(part, "certificate", None), SearchedCertificate)
    ]
    assert bool(searched) == (name == SEARCHED)
    parts += searched
    for kept, part in parts:
        assert above_threshold(part, part.n) == part
        shown, whole = plain(above_threshold(part, part.n + 1)), plain(part)
        assert shown.keys() == kept
        assert (shown["n"], shown["suppressed"]) == (0, part.n + part.suppressed)
        assert shown["notes"] == (part.few,)
        assert [shown.get(key, ()) for key in ("categories", "cells", "pairs")] == [()] * 3
        assert all(device["counts"] is None for device in shown.get("devices", ()))
        assert (shown.get("certificate") or {}).get("at_estimate") is None
        for key in kept - {"n", "suppressed", "notes", "categories", "cells", "pairs"}:
            assert shown[key] == without_counts(whole[key]), key


def without_counts(value):
    """A value that is shown of few people, too, but for what the answers say in it."""
    if isinstance(value, tuple):
        return tuple(map(without_counts, value))
    if isinstance(value, dict):
        return {**value, **{name: None for name in ("counts", "at_estimate") if name in value}}
    return value


@pytest.mark.parametrize("kind", [TableResults, JointResults])
def test_every_field_is_told_or_has_something_to_stand_for_it(kind):
    of_people = {"n", "suppressed", "notes"}
    told = {name for name, hint in kind.__annotations__.items() if "told" in str(hint)}
    fields = msgspec.structs.fields(kind)
    assert {field.name for field in fields if field.required} - told == of_people
