"""Next waves and pilots by programs, by the services of their pages."""

import pytest

from surveys.features.pilots.models import DependenceRun
from surveys.models import Launch, Survey
from tests.app.calling import Program
from tests.app.pilots import PLANTED, answered, pilot_launch, planted_run
from tests.builders import owner
from tests.waves import coded_launch

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]


def test_a_wave_is_looked_at_and_then_launched_once():
    launch = coded_launch()
    program, at = Program(owner()), f"surveys/{launch.survey_id}/waves"
    listed = program.get(at).json()
    assert [each["wave"] for each in listed["items"]] == [1]
    assert {name: float(value) for name, value in listed["questions"].items()} == {
        **{"drug": 1, "absence": 0.5}
    }
    checks = program.post(f"{at}/checks", {"epsilons": {"drug": "2"}}).json()
    assert (checks["ready"], float(checks["before"]), float(checks["after"])) == (True, 1.5, 2.5)
    assert Launch.objects.count() == 1
    order = {"epsilons": {"drug": "2"}, "digest": checks["digest"]}
    assert program.post(at, {**order, "digest": "sha256:0"}).json()["code"] == "changed"
    made = program.post(at, order, Idempotency_Key="w")
    assert (made.status_code, made.json()["wave"]) == (201, 2)
    assert program.post(at, order, Idempotency_Key="w").json() == made.json()
    assert Launch.objects.get(wave=2).digest == checks["digest"]
    assert [each["wave"] for each in program.get(at).json()["items"]] == [1, 2]


@pytest.mark.parametrize(
    ("epsilons", "field", "words"),
    [
        ({"drug": "0.5"}, "epsilons.drug", "Not below 1"),
        ({"drug": "9"}, "epsilons.drug", "less than or equal to 8"),
        ({"nothing": "1"}, "epsilons.nothing", "a scrambled question"),
        ({"permanent": "1"}, "epsilons.permanent", "a scrambled question"),
    ],
)
def test_an_epsilon_is_refused_by_the_rules_of_the_form(epsilons, field, words):
    launch = coded_launch()
    at = f"surveys/{launch.survey_id}/waves/checks"
    (error,) = Program(owner()).post(at, {"epsilons": epsilons}).json()["errors"]
    assert error["field"] == field
    assert words in error["rule"]


def test_a_budget_that_is_used_up_is_a_problem_of_the_wave():
    launch = coded_launch()
    program, at = Program(owner()), f"surveys/{launch.survey_id}/waves"
    checks = program.post(f"{at}/checks", {"epsilons": {"drug": "2.6"}}).json()
    assert (checks["ready"], checks["digest"], checks["after"]) == (False, None, None)
    assert "add up to 3.1" in checks["problems"][0]


def test_a_pilot_is_estimated_and_ends_in_a_main_survey():
    launch = answered(pilot_launch(release_threshold=5, planned_n=300), 150)
    program, at = Program(owner()), f"surveys/{launch.survey_id}"
    order = {"total": "6", "planned_n": 1000}
    assert program.post(f"{at}/main-survey", order).status_code == 404
    started = program.post(f"{at}/dependence")
    assert (started.status_code, started.json()["state"]) == (201, "queued")
    one = started["Location"].removeprefix("/api/v1/")
    assert program.post(f"{one}/stop").json()["state"] == "cancelled"
    DependenceRun.objects.all().delete()
    run = planted_run(launch)
    listed = program.get(f"{at}/dependence").json()["items"]
    assert [(each["id"], each["content"]) for each in listed] == [(run.pk, None)]
    found = program.get(f"{at}/dependence/{run.pk}").json()
    assert len(found["content"]["pairs"]) == 10
    for clusters in ([["q1"]], [["q1", "q1"], ["q2", "q3", "q4", "q5"]], [["where"]]):
        wrong = program.post(f"{at}/main-survey", {**order, "clusters": clusters})
        assert wrong.json()["errors"][0]["field"] == "clusters"
    made = program.post(f"{at}/main-survey", {**order, "clusters": PLANTED})
    assert made.status_code == 201, made.content
    survey = Survey.objects.get(pk=made.json()["id"])
    assert made["Location"] == f"/api/v1/surveys/{survey.pk}"
    groups = {}
    for question in survey.questions.exclude(group=None):
        groups.setdefault(question.group, []).append(question.name)
    assert sorted(map(sorted, groups.values())) == sorted(map(sorted, PLANTED))
    proposed = program.post(f"{at}/main-survey", order)
    assert proposed.status_code == 201
    assert Survey.objects.count() == 3
