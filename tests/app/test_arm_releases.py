"""Two releases differ by a whole batch of the people who are asked directly, or by none of them."""

import random

import pytest

from surveys.features.arms.assignment import assigned_arm
from surveys.features.arms.presentation import arms_view
from surveys.models import Result
from surveys.responses.tallies import audit
from surveys.results.held_back import hold_back
from surveys.results_document.document import read_results
from surveys.services.results import refresh_results
from tests.arm_reports import DRUG, THEFT, arm_of, arms_survey, entry_of, in_arm, store
from tests.arms import seeded_id, send
from tests.builders import response
from tests.plain import content_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# The batches of the survey, and of the people who are asked directly.
BATCH, DIRECT_BATCH = 5, 20
QUESTIONS = [{**DRUG, "split_epsilon": None}, THEFT]
DEVICE = ("drug", "direct")


@pytest.fixture
def launch():
    """Closed, so that all who have come enter where they make a batch."""
    launch = arms_survey(
        questions=QUESTIONS, cross_tables=[], release_batch=BATCH, release_threshold=3
    )
    launch.survey.state = "closed"
    launch.survey.save()
    return launch


def of(arm, count, yes):
    people = in_arm(arm, count, yes)
    return [(arm, {name: reports[name] for name in ("drug", "theft")}) for arm, reports in people]


def direct_counts(launch):
    return entry_of(launch)["devices"][1]["counts"]


def test_fewer_than_a_batch_of_them_wait(launch):
    store(launch, [*of("page", 20, 9), *of("direct", 21, 1)])
    assert direct_counts(launch) == [20, 1]
    store(launch, [*of("page", 5, 2), *of("direct", 19, 3)])
    direct = arm_of(launch, "direct")
    assert direct_counts(launch) == [20, 1]
    assert (direct["n"], direct["waiting"], direct["asked"]) == (21, 19, 21)
    assert entry_of(launch)["n"] == 25
    store(launch, [*of("page", 5, 2), *of("direct", 1, 1)])
    direct = arm_of(launch, "direct")
    assert direct_counts(launch) == [36, 5]
    assert (direct["n"], direct["waiting"], direct["asked"]) == (41, 0, 41)
    assert audit(launch.pk)[1] == []


def test_the_first_of_them_wait_for_a_batch_too(launch):
    store(launch, [*of("page", 20, 9), *of("direct", 19, 1)])
    direct = arm_of(launch, "direct")
    assert (direct_counts(launch), direct["n"], direct["waiting"]) == ([0, 0], 0, 19)
    drug = read_results(launch.results.get().content).questions[0]
    view = arms_view(drug, launch.parameters)
    assert "19 more have answered it and count once a whole batch" in " ".join(
        view.comparisons[0].lines
    )


def test_computing_again_shows_no_more(launch):
    store(launch, [*of("page", 20, 9), *of("direct", 21, 1)])
    store(launch, [*of("page", 5, 2), *of("direct", 4, 3)])
    before = Result.objects.get(launch=launch).content
    Result.objects.filter(launch=launch).update(content={**before, "format": 1})
    refresh_results(launch_id=launch.pk)
    assert Result.objects.get(launch=launch).content == before


def test_no_two_releases_differ_by_a_few_direct_answers(launch):
    """Whatever comes in whatever order: what is added are the answers of a batch, or none."""
    choice, before, changes = random.Random(20261123), [0, 0], 0
    for _ in range(40):
        count = choice.randrange(9)
        people = [*of("page", choice.randrange(6), 2), *of("direct", count, choice.randrange(4))]
        store(launch, people)
        if content_of(launch) is None:
            continue
        after = direct_counts(launch) or [0, 0]
        added = [now - then for now, then in zip(after, before, strict=True)]
        assert added == [0, 0] or (min(added) >= 0 and sum(added) >= DIRECT_BATCH)
        changes, before = changes + (added != [0, 0]), after
    assert changes >= 5


def test_what_comes_through_the_server_is_counted_in_its_arm(client):
    """Forty in each arm; of those asked directly every second person leaves the question out."""
    launch = arms_survey(questions=QUESTIONS, cross_tables=[])
    parameters, sent = launch.parameters, {"page": 0, "direct": 0}
    for submission in map(seeded_id, range(1000)):
        arm = assigned_arm(launch.digest, submission, parameters.arms)
        if sent[arm] == 40:
            continue
        reports = {"drug": int(sent[arm] < 4), "theft": 0}
        if arm == "direct" and sent[arm] % 2:
            del reports["drug"]
        strata = {name: "direct" for name in reports if name == "drug" and arm == "direct"}
        body = response(launch, submission=str(submission), reports=reports, strata=strata)
        assert send(client, launch, body).status_code == 201
        sent[arm] += 1
    refresh_results(launch_id=launch.pk)
    page, direct = entry_of(launch)["devices"]
    assert (sent, page["counts"], direct["counts"]) == (
        {"page": 40, "direct": 40},
        [36, 4],
        [18, 2],
    )
    assert (arm_of(launch, "direct")["asked"], entry_of(launch)["n"]) == (40, 40)


def test_a_batch_of_one_holds_nothing_back(launch):
    tallies = {DEVICE: [5, 2], ("drug", "page"): [3, 1]}
    published = {
        "questions": [{"devices": [{"id": "drug", "stratum": "direct", "counts": [5, 1]}]}]
    }
    assert hold_back(launch.parameters, tallies, published, 1) == (tallies, {})
    shown, waiting = hold_back(launch.parameters, tallies, published, 2)
    assert (shown, waiting) == ({**tallies, DEVICE: [5, 1]}, {DEVICE: 1})
    assert hold_back(launch.parameters, tallies, {"format": 0}, 7) == (tallies, {})
    assert hold_back(launch.parameters, tallies, {}, 8)[0][DEVICE] == [0, 0]
