"""In every mode crowd, cross-table and synthetic data tell the same of planted associations.

300 random surveys are compared in tests/engine/test_crowd_pairs.py, without a database.
"""

import uuid
from decimal import Decimal
from itertools import combinations

import numpy as np
import pytest
from django.urls import reverse

from surveys.authoring.planning.simulation import (
    ConditionalTruth,
    simulated_respondents,
    simulated_responses,
)
from surveys.exports.crowd import released_crowd
from surveys.models import Submission
from surveys.responses.pair_counts import ALL_PAIRS, all_pairs
from surveys.responses.tallies import audit
from surveys.results.crowd.pairs import APART, FEW, KNOWN
from surveys.services.results import refresh_results
from tests.app.pilots import answered, pilot_launch
from tests.builders import launched
from tests.plain import content_of
from tests.waves import next_wave

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

QUESTIONS = (
    {"name": "drug", "prefer_not": True, "epsilon": Decimal("2")},
    {
        "name": "stress",
        "kind": "scale",
        "text": "How much does your work weigh on you?",
        "options": ["Low", "Middle", "High"],
        "epsilon": Decimal("1.5"),
    },
    {
        "name": "size",
        "kind": "single_choice",
        "text": "How many people work there?",
        "options": ["Few", "Some", "Many"],
        "randomized": False,
    },
)
TABLES = [["drug", "size"], ["stress", "size"]]
TRUTH = {"drug": [0.55, 0.35, 0.1], "stress": [0.4, 0.3, 0.3], "size": [0.4, 0.35, 0.25]}
PLANTED = {
    "drug": ConditionalTruth(("size",), [[0.8, 0.1, 0.1], [0.55, 0.35, 0.1], [0.15, 0.75, 0.1]]),
    "stress": ConditionalTruth(("drug",), [[0.7, 0.2, 0.1], [0.1, 0.2, 0.7], [0.3, 0.4, 0.3]]),
}
TOGETHER = {"linkage": "together", "cross_tables": TABLES}
TIERS = (("Public", "0.4"), ("Team", "0.7"), ("Board", "1"))
GROUP = {"group": 1, "epsilon": Decimal(2)}
MODES = {
    "open": TOGETHER,
    "codes": {**TOGETHER, "mode": "pseudonymous"},
    "tiers": {**TOGETHER, "tiers": TIERS},
    "arms": {**TOGETHER, "split_share": 30, "direct_share": 20},
    "group": {
        "linkage": "together",
        "cross_tables": TABLES,
        "questions": ({**QUESTIONS[0], **GROUP}, {**QUESTIONS[1], **GROUP}, QUESTIONS[2]),
    },
}
PEOPLE, MADE_UP = 900, 20_000


def launch_of(**values):
    given = {"questions": QUESTIONS, "budget": 8, "release_threshold": 20, "results_public": True}
    return launched(**{**given, **values})


def fill(launch, seed, people=PEOPLE):
    """Put people with these associations into the results."""
    source = np.random.default_rng(seed).bytes
    crowd = simulated_respondents(
        launch.parameters, TRUTH, people, seed, conditional_truths=PLANTED
    )
    sent = simulated_responses(launch.parameters, crowd, random_bytes=source)
    Submission.objects.bulk_create(
        Submission(pk=uuid.uuid4(), launch=launch, content=content) for content in sent
    )
    while refresh_results(launch_id=launch.pk):
        pass
    launch.refresh_from_db()
    return launch


def assert_agreement(launch, step=0):
    """Check each declared table to three standard errors, in the crowd and as made-up people."""
    crowd = released_crowd(launch, step)
    (block,) = crowd.blocks
    assert block == ("drug", "stress", "size")
    people = crowd.distribution.synthetic(MADE_UP, 1, block)
    tables = content_of(launch, step)["tables"]
    assert [table["id"] for table in tables] == ["drug,size", "stress,size"]
    for table in tables:
        first, second = block.index(table["outcome"]), block.index(table["group"])
        for i, row in enumerate(table["cells"]):
            for j, cell in enumerate(row):
                share, error = cell["estimate"], cell["standard_error"]
                found = crowd.distribution.share({table["outcome"]: [j], table["group"]: [i]})
                assert found.values[0] == pytest.approx(share, abs=3 * error)
                drawn = ((people[:, first] == j) & (people[:, second] == i)).mean()
                allowed = 3 * np.hypot(error, np.sqrt(drawn * (1 - drawn) / MADE_UP))
                assert drawn == pytest.approx(max(share, 0), abs=allowed)
    if step + 1 < len(launch.steps):
        return
    # The planted association is seen where reports are exact enough, and not in declared tables
    # alone.
    related = crowd.distribution.share({"drug": [1]}, where={"stress": [2]})
    apart = crowd.distribution.share({"drug": [1]}, where={"stress": [0]})
    errors = np.hypot(related.standard_errors[0], apart.standard_errors[0])
    assert related.values[0] - apart.values[0] > 3 * errors


@pytest.mark.parametrize("mode", MODES)
def test_what_was_measured_together_is_related_as_the_cross_tables_say(mode):
    launch = fill(launch_of(**MODES[mode]), seed=43)
    for step in launch.steps:
        assert_agreement(launch, step)
        assert audit(launch.pk, step)[1] == []


def test_waves_are_strata_of_one_crowd():
    launch = fill(launch_of(**MODES["codes"]), seed=44, people=500)
    later = next_wave(launch, drug="2.4")
    assert_agreement(fill(later, seed=45, people=500))
    strata = released_crowd(later).distribution.pairs[frozenset(("drug", "size"))].strata
    assert [n for _, n in strata] == [500, 500]


def test_where_answers_are_kept_apart_nothing_is_related(client):
    launch = fill(launch_of(), seed=46, people=100)
    assert all_pairs(launch.parameters) is None
    crowd = released_crowd(launch)
    assert crowd.blocks == (("drug",), ("stress",), ("size",))
    assert set(crowd.apart(["drug", "size", "stress"]).values()) == {APART}
    page = reverse("results-crowd", args=["health"])
    offered = client.get(page).content.decode()
    for statistic in ("table", "correlation", "regression"):
        assert f"?statistic={statistic}" not in offered
    both = {"statistic": "share", "answer1": "drug:1", "answer2": "size:0"}
    refused = client.get(page, both)
    assert refused.status_code == 400
    assert "drug and size were not measured together" in refused.content.decode()
    assert 'id="found"' not in refused.content.decode()
    heads = []
    for number in (1, 2, 3):
        file = client.get(reverse("synthetic-csv", args=["health"]), {"block": number})
        assert ("-block-" in file["Content-Disposition"]) == (number > 1)
        heads.append(file.getvalue().decode().splitlines()[0])
    assert heads == [f"synthetic_person,{name}" for name in ("drug", "stress", "size")]
    for number in ("4", "0", "x", "99999"):
        file = client.get(reverse("synthetic-csv", args=["health"]), {"block": number})
        assert file.status_code == 404


def test_a_pilot_relates_its_questions_by_their_pairs_and_to_others_by_the_same_people():
    launch = answered(pilot_launch(linkage="together"), 1500)
    crowd = released_crowd(launch)
    assert len(crowd.blocks) == 1
    assert crowd.blocks[0][-1] == "where"
    assert crowd.distribution.pairs.keys() == {
        frozenset((name, "where")) for name in crowd.blocks[0][:-1]
    }
    apart = answered(pilot_launch(slug="apart"), 300)
    assert [len(block) for block in released_crowd(apart).blocks] == [5, 1]


def direct(name, *options):
    asked = {"kind": "single_choice", "text": f"Which {name}?", "randomized": False}
    return {**asked, "name": name, "options": options, "required": False}


def with_answers(rows, **values):
    """A launch whose results have these reports: drug scrambled, place and age asked directly."""
    asked = [
        QUESTIONS[0],
        direct("place", "Here", "There", "Nowhere"),
        direct("age", "Young", "Old"),
    ]
    launch = launch_of(linkage="together", questions=asked, **values)
    Submission.objects.bulk_create(
        Submission(
            pk=uuid.uuid4(),
            launch=launch,
            content={"reports": row, "strata": dict.fromkeys(row, "page")},
        )
        for row in rows
    )
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    return launch


def test_rare_answers_that_are_known_are_put_together_as_in_tables(client):
    rows = [{"drug": n % 3, "place": n % 2, "age": n // 2 % 2} for n in range(160)]
    rows += [{"drug": 1, "place": 2, "age": 0}] * 3
    launch = with_answers(rows)
    crowd = released_crowd(launch)
    assert crowd.labels("place") in (("Here + Nowhere", "There"), ("Here", "There + Nowhere"))
    assert not crowd.withheld
    page = client.get(reverse("results-crowd", args=["health"])).content.decode()
    assert "Answers to place that few people gave are put together" in page
    file = client.get(reverse("synthetic-csv", args=["health"])).getvalue().decode()
    codes = {line.split(",")[2] for line in file.splitlines()[1:]}
    assert codes == {str(each[0]) for each in crowd.answers["place"].together}


def test_a_few_people_with_a_known_combination_are_in_no_pair(client):
    rows = [{"drug": n % 3, "place": n % 2, "age": n % 2} for n in range(120)]
    rows += [{"drug": 1, "place": 1, "age": 0}] * 4
    rows += [{"drug": 0, "place": 0}] * 30
    launch = with_answers(rows)
    crowd = released_crowd(launch)
    assert crowd.withheld == {frozenset(("place", "age")): KNOWN}
    # Both are in a file with what they were measured with, and in none together.
    assert crowd.blocks == (("drug", "place"), ("drug", "age"))
    answer = client.get(
        reverse("results-crowd", args=["health"]),
        {"statistic": "table", "outcome": "place", "given": "age"},
    )
    assert answer.status_code == 400
    assert "fewer people than the survey&#x27;s minimum have given" in answer.content.decode()


def test_a_pair_of_too_few_people_is_withheld():
    rows = [{"drug": n % 3, "place": n % 2} for n in range(60)]
    rows += [{"drug": n % 3, "age": n % 2} for n in range(60)]
    rows += [{"drug": 0, "place": n % 2, "age": n % 2} for n in range(7)]
    crowd = released_crowd(with_answers(rows))
    assert crowd.withheld == {frozenset(("place", "age")): FEW}


def test_a_pair_is_of_the_people_whom_all_joint_numbers_are_about():
    """One of 200 people has left the place out: with 20 others they are in no table and no pair."""
    rows = [{"drug": n % 3, "place": n % 2, "age": n // 2 % 2} for n in range(199)]
    launch = with_answers([*rows, {"drug": 1, "age": 0}], cross_tables=[["drug", "place"]])
    (table,) = content_of(launch)["tables"]
    crowd = released_crowd(launch)
    assert table["n"] == crowd.distribution.pairs[frozenset(("drug", "place"))].n == 179
    assert crowd.distribution.pairs[frozenset(("drug", "age"))].n == 179
    for i, j in np.ndindex(3, 2):
        share = crowd.distribution.share({"drug": [i], "place": [j]})
        cell = table["cells"][j][i]
        assert share.values[0] == pytest.approx(cell["estimate"], abs=3 * cell["standard_error"])
    assert crowd.distribution.share({"drug": [1]}).n == 200


def test_all_pairs_of_a_launch_are_one_tally_that_follows_the_people():
    launch = fill(launch_of(**TOGETHER), seed=47, people=200)
    (tally,) = launch.tallies.filter(table=ALL_PAIRS[0])
    space = all_pairs(launch.parameters)
    table = space.table(tally.counts)
    for first, second in combinations(space.places, 2):
        assert table[first.codes, second.codes].sum() == 200
    stored = [each.content["reports"] for each in launch.report_sets.all()]
    drug, size = space.by_device["drug", "page"], space.by_device["size", "page"]
    for i, j in np.ndindex(3, 3):
        together = sum(each["drug"] == i and each["size"] == j for each in stored)
        assert table[drug.start + i, size.start + j] == together
