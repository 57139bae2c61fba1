"""Results, analyses, statistics of the crowd and searches by programs: as on the pages."""

import pytest

from surveys import jobs
from surveys.exports.analysis import FILES
from surveys.models import AnalysisFit, DesignSearch, Job, Launch, ReleaseFile, RowDownload, Survey
from surveys.services.analysis_fits import fitted_values
from surveys.services.bundles import WITH_ROWS
from surveys.services.printed_summaries import SUMMARY
from surveys.services.results import refresh_results
from surveys.services.table_files import TABLE
from tests.app.calling import Program
from tests.builders import launched, make_survey, make_user, owner, sent
from tests.released import QUESTIONS as RELEASED
from tests.released import released, rich, varied

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
QUESTIONS = [
    {"name": "drug", "text": "Drugs?"},
    {"name": "stress", "text": "Stress?", "kind": "yes_no"},
    {"name": "shift", "text": "Night shift?", "randomized": False},
]


@pytest.fixture
def answered(client):
    launch = launched(
        linkage="together", questions=QUESTIONS, release_threshold=20, release_batch=5
    )
    for _person in range(40):
        assert sent(client, launch).status_code == 201
    refresh_results(launch_id=launch.pk)
    return launch


def analysis(**changes):
    return {
        "name": "Who",
        "outcome": "drug",
        "event": [1],
        "link": "logit",
        "predictors": [{"question": "stress", "scored": False}],
        "weighted": False,
        **changes,
    }


def test_results_are_the_file_of_the_page(answered, client):
    program, at = Program(owner()), f"surveys/{answered.survey_id}"
    client.force_login(owner())
    page = client.get(f"/s/{answered.survey.slug}/results/results.json")
    assert program.get(f"{at}/results").json() == page.json()
    status = program.get(f"{at}/status").json()
    assert status["released"]
    assert status["responses"] == page.json()["responses"] == 35
    # Nothing moves with a single response.
    before = program.get(f"{at}/status").content
    sent(client, answered)
    assert program.get(f"{at}/status").content == before


def test_below_the_threshold_an_author_is_told_no_count_by_a_program(client):
    launch = launched(release_threshold=20, release_batch=5)
    program, at = Program(owner()), f"surveys/{launch.survey_id}/status"
    empty = program.get(at).json()
    for _person in range(12):
        sent(client, launch)
    refresh_results(launch_id=launch.pk)
    assert Launch.objects.get().aggregated > 0
    assert program.get(at).json() == empty
    assert (empty["released"], empty["responses"]) == (False, 0)


def test_an_analysis_is_asked_for_by_the_rules_of_the_form(answered):
    program, at = Program(owner()), f"surveys/{answered.survey_id}/analyses"
    asked = program.post(at, analysis())
    assert asked.status_code == 200
    assert (asked.json()["number"], asked.json()["state"]) == (1, "waiting")
    assert program.post(at, analysis(name="Another name")).json()["number"] == 1
    for changes, field in (
        ({"outcome": "nothing"}, "outcome"),
        ({"predictors": [{"question": "drug", "scored": False}]}, "outcome"),
        ({"event": [7]}, "event"),
        ({"event": []}, "event"),
        ({"name": ""}, "name"),
    ):
        answer = program.post(at, analysis(**changes))
        assert answer.status_code == 422, changes
        assert field in [each["field"] for each in answer.json()["errors"]], answer.json()
    assert AnalysisFit.objects.count() == 1
    assert [each["number"] for each in program.get(at).json()["items"]] == [1]
    assert program.get(f"{at}/1").json()["analysis"] == analysis()
    assert program.post(f"{at}/1/again").status_code == 200
    assert program.call("DELETE", f"{at}/1").status_code == 204
    assert program.get(f"{at}/1").status_code == 404


def test_a_statistic_of_the_crowd_is_that_of_its_page(answered):
    program, at = Program(owner()), f"surveys/{answered.survey_id}/crowd"
    found = program.get(f"{at}/share?answer1=drug:1")
    assert found.status_code == 200
    (value,) = found.json()["values"]
    assert value["label"]
    assert value["estimate"] < 0.5
    assert (found.json()["n"], found.json()["level"]) == (35, 0.95)
    assert program.get(f"{at}/nothing").status_code == 422
    broken = program.get(f"{at}/share?answer1=drug:9").json()["errors"]
    assert broken[0]["field"] == "answer1"
    assert broken[0]["value"] == "drug:9"


def test_nothing_is_computed_below_the_threshold():
    launch = launched(linkage="together", release_threshold=20, release_batch=5)
    program, at = Program(owner()), f"surveys/{launch.survey_id}"
    for path in ("results", "crowd/share", "analyses", "analyses/1"):
        answer = program.get(f"{at}/{path}")
        assert answer.status_code in (403, 404), path
    assert program.post(f"{at}/analyses", analysis()).json()["code"] == "below_threshold"


def test_a_search_is_started_by_the_rules_of_the_form_and_adopted():
    survey = make_survey()
    program, at = Program(owner()), f"surveys/{survey.pk}/questions/q1/searches"
    started = program.post(at, {"guess": ["90", "10"], "delta": "95", "seed": 3})
    assert started.status_code == 201
    assert started.json()["request"]["prior"] == ["0.9", "0.1"]
    assert started.json()["request"]["methods"] == ["certified", "local"]
    assert program.post(at, {}).json()["code"] == "wrong_state"
    one = f"{at}/{started.json()['id']}"
    assert program.call("DELETE", one).status_code == 409
    assert program.post(f"{one}/adopt", {"method": "local", "index": 0}).status_code == 409
    assert program.post(f"{one}/stop").json()["state"] == "cancelled"
    adopted = program.post(f"{one}/adopt", {"method": "local", "index": 0})
    assert (adopted.status_code, adopted.json()["code"]) == (409, "unfit_member")
    assert not survey.revisions.exists()
    for order, field in (
        ({"guess": ["90"]}, "guess"),
        ({"guess": ["90", "20"]}, "guess[0]"),
        ({"guess": ["100", "0"]}, "guess[1]"),
        ({"delta": "1"}, "delta"),
        ({"methods": ["magic"]}, "methods"),
        ({"n": 1}, "n"),
    ):
        answer = program.post(at, order)
        assert answer.status_code == 422, order
        assert field in [each["field"] for each in answer.json()["errors"]], answer.json()
    assert [each["id"] for each in program.get(at).json()["items"]] == [started.json()["id"]]
    assert program.call("DELETE", one).status_code == 204
    assert not DesignSearch.objects.exists()
    assert program.get(f"surveys/{survey.pk}/questions/none/searches").status_code == 404


@pytest.mark.slow
def test_files_are_those_of_the_page_and_rows_need_their_scope(answered, client):
    program, at = Program(owner()), f"surveys/{answered.survey_id}"
    client.force_login(owner())
    items = program.get(f"{at}/files").json()["items"]
    assert {"estimates.csv", "reports.csv", "reports.sav"} <= {each["name"] for each in items}
    for name in ("estimates.csv", "reports.csv", "codes.json"):
        (facts,) = [each for each in items if each["name"] == name] or [{}]
        if not facts:
            continue
        page = client.get(f"/s/{answered.survey.slug}/results/{name}")
        file = program.get(facts["address"].removeprefix("/api/v1/"))
        assert file.getvalue() == page.getvalue()
        assert file["Content-Disposition"] == page["Content-Disposition"]
        again = program.get(facts["address"].removeprefix("/api/v1/"), If_None_Match=file["ETag"])
        assert again.status_code == 304
    assert program.call("HEAD", f"{at}/rows/reports.csv").status_code == 200
    without = Program(owner(), ["results:read"])
    assert without.get(f"{at}/rows/reports.csv").json()["code"] == "scope"
    # No way round by the other address.
    assert without.get(f"{at}/files/reports.csv").status_code == 404
    assert RowDownload.objects.count() == 2
    public = make_user("public", author=True)
    Survey.objects.update(results_public=True)
    assert Program(public).get(f"{at}/files/estimates.csv").status_code == 200
    assert Program(public).get(f"{at}/rows/reports.csv").status_code == 404
    names = [x["name"] for x in Program(public).get(f"{at}/files").json()["items"]]
    assert "reports.csv" not in names


def test_a_long_file_is_made_by_a_worker(answered, settings):
    settings.ROWS_AT_ONCE = 10
    program, at = Program(owner()), f"surveys/{answered.survey_id}/rows/reports.csv"
    first = program.get(at)
    assert (first.status_code, first.json()["state"]) == (202, "queued")
    assert int(first["Retry-After"]) > 0
    assert not RowDownload.objects.exists()
    jobs.run(TABLE.job, ReleaseFile.objects.get().pk)
    made = program.get(at)
    assert made.status_code == 200
    assert made.getvalue().count(b"\n") == 36
    assert RowDownload.objects.count() == 1
    assert program.post(f"{at}/again").status_code == 202


def test_bundles_are_made_by_a_worker_with_reports_or_without(answered):
    at = f"surveys/{answered.survey_id}/bundle"
    without = Program(owner(), ["results:read"])
    assert without.get(f"{at}/rows").json()["code"] == "scope"
    program = Program(owner())
    for path in (at, f"{at}/rows"):
        assert program.get(path).status_code == 202
    assert {row.variant for row in ReleaseFile.objects.all()} == {"", WITH_ROWS}
    public = make_user("public", author=True)
    Survey.objects.update(results_public=True)
    assert Program(public).get(at).status_code == 202
    assert Program(public).get(f"{at}/rows").status_code == 404


@pytest.mark.slow
def test_a_summary_is_printed_by_a_worker_and_sent_as_the_page_sends_it(answered, client):
    program, at = Program(owner()), f"surveys/{answered.survey_id}/files"
    first = program.get(f"{at}/summary.pdf")
    assert (first.status_code, first.json()["name"]) == (202, "summary.pdf")
    jobs.run(SUMMARY.job, ReleaseFile.objects.get().pk)
    made = program.get(f"{at}/summary.pdf")
    assert (made.status_code, made["Content-Type"]) == (200, "application/pdf")
    client.force_login(owner())
    page = client.get(f"/s/{answered.survey.slug}/results/summary.pdf")
    content = made.getvalue()
    assert content == page.getvalue()
    assert content.startswith(b"%PDF")
    assert program.post(f"{at}/summary.pdf/again").status_code == 202
    # What no worker makes cannot be asked for.
    for name in ("estimates.csv", "parameters.json", "nothing.csv", "reports.csv"):
        assert program.post(f"{at}/{name}/again").status_code == 404


@pytest.mark.slow
def test_every_file_of_the_page_of_results_is_the_same_file(client):
    """Of a survey with tables that have small cells, which are held back at both doors alike."""
    launch = rich(60)
    program, at = Program(owner()), f"surveys/{launch.survey_id}"
    client.force_login(owner())
    files = program.get(f"{at}/files").json()["items"]
    chosen = [each for each in files if each["name"].endswith((".csv", ".json", ".html"))]
    assert len(chosen) > 12
    for each in chosen:
        page = client.get(f"/s/{launch.survey.slug}/results/{each['name']}")
        file = program.get(each["address"].removeprefix("/api/v1/"))
        assert (file.status_code, page.status_code) == (200, 200), each
        assert file.content == page.content, each
        assert file["Content-Disposition"] == page["Content-Disposition"]
    # No question of it has a searched device.
    assert "certificate.json" not in [each["name"] for each in files]
    assert program.get(f"{at}/files/certificate.json").status_code == 404


@pytest.mark.slow
def test_an_analysis_is_a_file_in_every_format_of_its_page(client):
    launch = released(varied(60), questions=RELEASED, linkage="together")
    program, at = Program(owner()), f"surveys/{launch.survey_id}/analyses"
    predictors = [{"question": "absence", "scored": False}]
    number = program.post(at, analysis(predictors=predictors)).json()["number"]
    assert program.get(f"{at}/{number}/files/analysis.csv").status_code == 404
    fit = AnalysisFit.objects.get()
    AnalysisFit.objects.filter(pk=fit.pk).update(**fitted_values(fit))
    client.force_login(owner())
    base = f"/s/{launch.survey.slug}/results/analyses/{number}"
    for ending in FILES:
        file = program.get(f"{at}/{number}/files/analysis.{ending}")
        page = client.get(f"{base}/analysis.{ending}")
        assert file.status_code == 200
        assert file.getvalue() == page.getvalue()
        assert file["Content-Disposition"] == page["Content-Disposition"]
    assert program.get(f"{at}/{number}/files/analysis.exe").status_code == 422


def test_a_bundle_that_could_not_be_made_is_asked_for_again(answered):
    program, at = Program(owner()), f"surveys/{answered.survey_id}/bundle"
    for path in (at, f"{at}/rows"):
        assert program.get(path).status_code == 202
        Job.objects.update(state=Job.State.FAILED, message="No room.")
        refused = program.get(path)
        assert refused.json()["code"] == "not_made"
        again = program.post(f"{path}/again")
        assert (again.status_code, again.json()["state"]) == (202, "queued")
    public = make_user("public", author=True)
    Survey.objects.update(results_public=True)
    assert Program(public).post(f"{at}/again").status_code == 202
    assert Program(public).post(f"{at}/rows/again").status_code == 404
