"""Both entrances of one survey end in one estimate, each by the table of its own device."""

import json
import uuid
from decimal import Decimal
from urllib.parse import urlencode

import pytest
from django.urls import reverse

import rr_engine
from surveys.models import Survey
from surveys.parameters.exact import channel_of
from surveys.responses import tallies
from surveys.services.results import refresh_results
from tests.builders import launched

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

COINS = {"name": "drug", "epsilon": Decimal("1.1"), "physical_device": "two_coins"}


@pytest.fixture
def launch():
    return launched(slug="work", questions=[COINS])


def by_hand(client, launch, letter: str) -> None:
    hidden = {"digest": launch.digest, "submission": str(uuid.uuid4())}
    body = urlencode({**hidden, "report-drug": letter})
    address = reverse("physical", args=["work"])
    kind = "application/x-www-form-urlencoded"
    assert client.post(address, body, content_type=kind).status_code == 201


def by_page(client, launch, code: int) -> None:
    body = {"digest": launch.digest, "submission": str(uuid.uuid4()), "reports": {"drug": code}}
    address = reverse("responses", args=["work"])
    answer = client.post(address, json.dumps(body), content_type="application/json")
    assert answer.status_code == 201


def designs_and_counts(client, launch) -> tuple[list[rr_engine.DesignMatrix], list[list[int]]]:
    """One in five is Yes: of 100 with two coins 20 * 3/4 + 80 * 1/4 = 35 choose B.

    The page keeps 75.03 % at epsilon 1.1, so that 35 is its expected count too (34.98).
    """
    for number in range(100):
        by_hand(client, launch, "AB"[number < 35])
        by_page(client, launch, int(number < 35))
    tallies.aggregate_waiting(launch.pk)
    _, counts = tallies.snapshot(launch.pk)
    (question,) = launch.parameters.questions
    devices = launch.parameters.devices
    assert [device.stratum for device in devices] == ["page", "physical"]
    designs = [channel_of(device, question) for device in devices]
    return designs, [counts[device.key] for device in devices]


def test_the_physical_stratum_alone_is_estimated_by_its_own_table(client, launch):
    designs, counts = designs_and_counts(client, launch)
    assert counts == [[65, 35], [65, 35]]
    single_estimate = rr_engine.estimate(designs[1], counts[1])
    assert single_estimate.proportions == pytest.approx([0.8, 0.2], abs=1e-12)


def test_both_strata_pooled_are_between_the_two_and_surer_than_either(client, launch):
    designs, counts = designs_and_counts(client, launch)
    single_estimate = [rr_engine.estimate(*each) for each in zip(designs, counts, strict=True)]
    pooled_estimate = rr_engine.estimate_strata(designs, counts)
    low, high = sorted(estimate.proportions[1] for estimate in single_estimate)
    assert pooled_estimate.n == 200
    assert low <= pooled_estimate.proportions[1] <= high
    assert pooled_estimate.proportions[1] == pytest.approx(0.2, abs=0.001)
    assert pooled_estimate.standard_errors[1] < min(
        each.standard_errors[1] for each in single_estimate
    )
    # Nearly the same device, twice the people: the error of 200, not of 100.
    assert pooled_estimate.standard_errors[1] * 2**0.5 == pytest.approx(
        single_estimate[1].standard_errors[1], rel=0.01
    )


def test_the_published_results_are_the_pooled_ones(client, launch):
    designs, counts = designs_and_counts(client, launch)
    Survey.objects.update(results_public=True)
    refresh_results(launch_id=launch.pk)
    published = client.get(reverse("results-json", args=["work"])).json()
    (question,) = published["questions"]
    pooled_estimate = rr_engine.estimate_strata(designs, counts)
    assert question["n"] == 200
    assert [row["estimate"] for row in question["categories"]] == list(pooled_estimate.proportions)


def test_the_wrong_table_would_show(client):
    """Counted as if the page had drawn them, a coarser device's letters give another share."""
    die = {"name": "drug", "epsilon": Decimal("1.1"), "physical_device": "die"}
    launch = launched(slug="work", questions=[die])
    (question,) = launch.parameters.questions
    page, physical = (channel_of(device, question) for device in launch.parameters.devices)
    # 4 of 6 keep, 2 of 6 change: of 300 at a fifth Yes, 60 * 4/6 + 240 * 2/6 = 120.
    assert rr_engine.estimate(physical, [180, 120]).proportions[1] == pytest.approx(0.2, abs=1e-12)
    assert rr_engine.estimate(page, [180, 120]).proportions[1] > 0.29
