"""From a draft to an estimate, without a browser and without a broker."""

import pytest

from surveys.models import ReportSet, Result, Submission
from surveys.services.results import refresh_results
from tests.builders import launched, response, sent
from tests.devices import devices_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.each_database]


def test_reports_become_an_estimate(client):
    launch = launched()
    for number in range(40):
        answer = sent(client, launch, response(launch, reports={"q1": int(number < 10)}))
        assert answer.status_code == 201, answer.content

    refresh_results(launch_id=launch.pk)

    assert not Submission.objects.exists()
    assert ReportSet.objects.count() == 40
    content = Result.objects.get(launch=launch).content
    (question,) = content["questions"]
    assert question["n"] == 40
    assert [row["reported"] for row in question["categories"]] == [30, 10]
    # Warner's estimator at p = e/(1+e): (share - (1-p)) / (2p-1), here with the served integers.
    (device,) = devices_of(launch)
    retention = device["columns"][1][1] / device["denominator"]
    assert question["categories"][1]["estimate"] == pytest.approx(
        (0.25 - (1 - retention)) / (2 * retention - 1), abs=1e-12
    )
