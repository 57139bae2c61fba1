"""An export alone gives every number again, to the last digit."""

import csv
import io
import json

import pytest
from django.urls import reverse

from surveys.engine_bridge import results_document
from surveys.wire import digest
from tests.released import QUESTIONS, released, varied

pytestmark = pytest.mark.django_db


def download(client, launch, name):
    response = client.get(reverse(name, args=[launch.survey.slug]))
    assert response.status_code == 200
    return (response.getvalue() if response.streaming else response.content).decode()


def counted(text, parameters):
    """The tallies, from the file's text and the parameters only."""
    devices = {device["id"]: device for device in parameters["devices"]}
    counts = {(d["id"], d["stratum"]): [0] * len(d["reports"]) for d in parameters["devices"]}
    for row in csv.DictReader(io.StringIO(text)):
        if "question" in row:
            device = devices[row["question"]]
            assert device["reports"][int(row["code"])] == row["report"]
            counts[row["question"], row["stratum"]][int(row["code"])] += 1
            continue
        for name, code in row.items():
            if code:
                counts[name, devices[name]["stratum"]][int(code)] += 1
    return counts


@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_reports_and_parameters_give_the_results_to_the_last_digit(client, linkage):
    launch = released(varied(500), linkage=linkage, results_public=True, questions=QUESTIONS)
    parameters = json.loads(download(client, launch, "results-parameters"))
    served = json.loads(download(client, launch, "results-json"))

    assert digest(parameters) == parameters["digest"] == served["digest"]
    counts = counted(download(client, launch, "reports-csv"), parameters)
    again = results_document(parameters, parameters["digest"], counts, served["responses"])
    assert json.loads(json.dumps(again)) == served


@pytest.mark.parametrize("linkage", ["together", "apart"])
def test_the_engine_alone_gives_them_too(client, linkage):
    """Without any of the application: integers in, numpy out."""
    import rr_engine

    launch = released(varied(200), linkage=linkage, results_public=True, questions=QUESTIONS)
    parameters = json.loads(download(client, launch, "results-parameters"))
    counts = counted(download(client, launch, "reports-csv"), parameters)
    served = json.loads(download(client, launch, "results-json"))
    for device, question in zip(parameters["devices"], served["questions"], strict=True):
        integers = list(zip(*device["columns"], strict=True))
        design = rr_engine.DesignMatrix.from_integers(integers, device["denominator"])
        estimate = rr_engine.estimate(design, counts[device["id"], "page"])
        constrained = rr_engine.estimate(design, counts[device["id"], "page"], method="mle")
        rows = question["categories"]
        assert [row["estimate"] for row in rows] == estimate.proportions.tolist()
        assert [row["standard_error"] for row in rows] == estimate.standard_errors.tolist()
        assert [row["interval"] for row in rows] == estimate.interval(method="default").tolist()
        assert [row["constrained"] for row in rows] == constrained.proportions.tolist()
