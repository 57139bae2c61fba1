"""Whatever is sent to be put into an arm, or from one, gets a clear answer and leaves nothing."""

import json

import pytest
from django.test import Client
from django.urls import reverse

from surveys.models import Receipt, Submission
from tests.app.test_hostile_input import JSON_VALUES, NO_REQUESTS, VALUES
from tests.arms import arms_launch, ask, response_in, seeded_id, send

pytestmark = pytest.mark.django_db

ID = str(seeded_id(0))
# Nearly ids: by case, hyphens, version, other scripts, and what surrounds them.
NEARLY = (
    *(ID.upper(), ID.replace("-", ""), f"{{{ID}}}", f" {ID}", f"{ID}\n", f"urn:uuid:{ID}"),
    *("6fa459ea-ee8a-11ee-894e-db77e160355e", ID[:-1] + "٣", ID[:-1] + "\ud800", ID[:-1]),
)
BODIES = (
    *NO_REQUESTS,
    b"[" * 60_000,
    *(b'{"digest": NaN}', b'{"submission": 1e999}', f'{{"submission": "{ID}"}}'.encode("utf-16")),
    *(f'{{"submission": "{ID}", "submission": "{ID}"}}'.encode(), b'{"digest": "' + b"0" * 60_000),
)


@pytest.fixture
def client() -> Client:
    return Client(raise_request_exception=False)


@pytest.fixture
def launch():
    return arms_launch()


@pytest.mark.slow
def test_every_body_of_a_request_for_an_arm_is_answered(client, launch):
    good = {"digest": launch.digest, "submission": ID}
    values = (*JSON_VALUES, *NEARLY, *VALUES[:30])
    bodies = [*BODIES, *values, *({**good, name: x} for name in good for x in values)]
    bodies += [{**good, "arm": "direct"}, {**good, "code": None}, {"submission": ID}]
    answers = [ask(client, launch, body) for body in bodies]
    assert {answer.status_code for answer in answers} == {422}
    assert all("arm" not in answer.json() for answer in answers)
    assert ask(client, launch, b" " * 65_537).status_code == 413
    assert ask(client, launch, good).json().keys() == {"arm"}


@pytest.mark.parametrize("slug", ["nowhere", "x" * 200, "health\x00", "%FC", "é"])
def test_every_address_of_an_arm_is_answered(client, launch, slug):
    for address in (f"/s/{slug}/arm/", f"/s/{slug}/arm"):
        body = json.dumps({"digest": launch.digest, "submission": ID})
        answer = client.post(address, body, content_type="application/json")
        assert answer.status_code in (301, 400, 404)


def test_every_stratum_of_a_response_is_answered(client, launch):
    direct = response_in(launch, "direct")
    named = [{"drug": value} for value in (*JSON_VALUES, *VALUES[:30])]
    named += [{"drug": "direct", name: "direct"} for name in ("mood", "region", "x", "")]
    for strata in (*JSON_VALUES, *named):
        answer = send(client, launch, {**direct, "strata": strata})
        assert answer.status_code == 422, strata
    assert not Submission.objects.exists()
    assert not Receipt.objects.exists()
    assert send(client, launch, direct).status_code == 201


def test_other_methods_are_refused(client, launch):
    for method in ("get", "put", "patch", "delete", "head", "options"):
        assert getattr(client, method)(reverse("arm", args=["health"])).status_code == 405
