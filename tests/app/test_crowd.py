"""Compute on the crowd: the page, its numbers against the results, and the synthetic data."""

import csv
import io
import json
import re
from decimal import Decimal

import numpy as np
import pytest
from django.urls import reverse

import rr_engine
from surveys import jobs
from surveys.authoring.planning.simulation import simulated_respondents, simulated_responses
from surveys.exports.crowd import released_crowd
from surveys.forms.crowd import CrowdForm
from surveys.models import Job, ReleaseFile, RowDownload
from surveys.results.crowd.distribution import seed_of
from surveys.results.crowd.statistics import STATISTICS, compute, questions_of
from surveys.results.release import release_of
from surveys.services.responses import record_response
from surveys.services.results import refresh_results
from surveys.services.table_files import TABLE
from tests.app.calling import Program
from tests.app.kept import kept_once
from tests.app.test_downloads_reproduce import launch_with_cards
from tests.builders import launched, response
from tests.devices import devices_of
from tests.plain import content_of
from tests.released import answer, grouped_rows, released, rich, with_groups

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]

OF_EACH = {
    "share": {"answer1": "drug:1", "answer2": "size:0"},
    "table": {"outcome": "drug", "given": "size"},
    "mean": {"question": "stress"},
    "variance": {"question": "stress"},
    "quantile": {"question": "stress", "chance": "0.25"},
    "correlation": {"question": "drug", "second": "stress"},
    "regression": {"question": "stress", "by1": "drug"},
}

REFUSED = [
    ("magic", {}),
    ("mean", {"question": "size"}),
    ("mean", {"question": "took"}),
    ("mean", {"question": "<b>"}),
    ("mean", {"question": "stress", "where1": "stress:9"}),
    ("mean", {"question": "stress", "where1": "stress"}),
    ("quantile", {"question": "stress", "chance": "2"}),
    ("quantile", {"question": "stress"}),
    ("share", {"answer2": "drug:1"}),
    ("share", {"answer1": "drug:-1"}),
    ("table", {"outcome": "drug", "given": "drug"}),
    ("correlation", {"question": "drug", "second": "drug"}),
    ("regression", {"question": "drug", "by1": "stress", "by2": "stress"}),
    ("regression", {"question": "drug", "by1": "drug"}),
]


def address(launch, name="results-crowd"):
    return reverse(name, args=[launch.survey.slug])


def page(client, launch, statistic, **chosen):
    return client.get(address(launch), {"statistic": statistic, **chosen})


def text(answer):
    """The words of the part of a page that has the values."""
    html = answer.content.decode()
    part = html[html.index('id="found"') : html.index('id="synthetic"')]
    return " ".join(re.sub(r"<[^>]+>", " ", part).split())


def value_of(launch, statistic, **chosen):
    return compute(released_crowd(launch), statistic, chosen)


kept = kept_once(lambda: rich(60, slug="kept"))


# --- the page -----------------------------------------------------------------------------------


def test_every_statistic_has_a_page(client, launch):
    offered = client.get(address(launch)).content.decode()
    for statistic in STATISTICS:
        assert f"?statistic={statistic}" in offered
        for where in ({}, {"where1": "drug:0", "where2": "drug:1"}):
            answer = page(client, launch, statistic, **OF_EACH[statistic], **where)
            assert answer.status_code == 200
            assert "95 % interval" in text(answer)
            # Shares and means of one or two questions have closed forms.
            related = questions_of({**OF_EACH[statistic], **where})
            linear = statistic in ("share", "table", "mean") and len(related) < 3
            assert ("199 surveys" in text(answer)) == (not linear)
            assert ("tables of every two" in text(answer)) == (len(related) > 2)
            assert "Every two of these questions were measured" in answer.content.decode()


def test_a_survey_that_has_none_says_so(client):
    questions = [
        {
            "name": "took",
            "kind": "multiple_choice",
            "design": "whole_set",
            "options": ["Pills", "Drinks"],
        }
    ]
    launch = launched(release_threshold=1, results_public=True, questions=questions)
    assert "Too few responses" in client.get(address(launch)).content.decode()
    answer(launch, [{"took": 1}, {"took": 2}])
    refresh_results(launch_id=launch.pk)
    assert "nothing to compute on" in client.get(address(launch)).content.decode()
    assert client.get(address(launch, "synthetic-csv")).status_code == 404
    assert address(launch) not in client.get(address(launch, "results")).content.decode()


def test_only_statistics_that_the_questions_allow_are_offered(client):
    launch = released([{"q1": number % 2} for number in range(9)], results_public=True)
    html = client.get(address(launch)).content.decode()
    assert set(re.findall(r"\?statistic=(\w+)", html)) == {"share", "mean", "variance", "quantile"}
    assert "Left out" not in html
    assert page(client, launch, "correlation", question="q1", second="q1").status_code == 400


def test_the_results_page_leads_to_it_and_back(client, launch):
    assert f'href="{address(launch)}"' in client.get(address(launch, "results")).content.decode()
    assert f'href="{address(launch, "results")}"' in client.get(address(launch)).content.decode()


def test_what_is_no_choice_is_refused_with_a_word(client, launch):
    for statistic, chosen in REFUSED:
        answer = page(client, launch, statistic, **chosen)
        html = answer.content.decode()
        assert answer.status_code == 400, (statistic, chosen)
        assert 'role="alert"' in html
        assert "<b>" not in html
        assert 'id="found"' not in html


def test_german_pages_have_no_english(client, launch):
    answer = client.get(
        address(launch), {"statistic": "variance", "question": "stress"}, HTTP_ACCEPT_LANGUAGE="de"
    )
    html = answer.content.decode()
    assert "Mit der Gesamtheit rechnen" in html
    assert "Startwert" in html
    assert "Compute" not in html


# --- caching, and the same numbers for everybody ------------------------------------------------


def test_the_same_address_has_the_same_numbers_until_more_responses_are_released(client, launch):
    first, again = (page(client, launch, "variance", question="stress") for _ in range(2))
    assert first.content == again.content
    headers = {"HTTP_IF_NONE_MATCH": first["ETag"]}
    chosen = {"statistic": "variance", "question": "stress"}
    assert client.get(address(launch), chosen, **headers).status_code == 304
    other = {**chosen, "question": "drug"}
    assert client.get(address(launch), other, **headers).status_code == 200
    german = client.get(address(launch), chosen, HTTP_ACCEPT_LANGUAGE="de", **headers)
    assert german.status_code == 200
    client.force_login(launch.survey.owner)
    assert client.get(address(launch), chosen, **headers).status_code == 200
    release = release_of(launch)
    assert seed_of(release) == seed_of(release_of(launch))
    assert text(first).count(str(seed_of(release))) == 1


def test_nothing_is_computed_where_the_reader_has_it(client, monkeypatch, launch):
    etag = page(client, launch, "mean", question="stress")["ETag"]
    monkeypatch.setattr("surveys.views.crowd.released_crowd", None)
    answer = client.get(
        address(launch), {"statistic": "mean", "question": "stress"}, HTTP_IF_NONE_MATCH=etag
    )
    assert answer.status_code == 304


# --- what it rests on ---------------------------------------------------------------------------


def test_shares_and_means_are_those_of_the_results():
    launch = rich(60, physical=40)
    questions = {each["id"]: each for each in content_of(launch)["questions"]}
    for index, row in enumerate(questions["drug"]["categories"]):
        found = value_of(launch, "share", answer1=f"drug:{index}")
        assert found.values[0] == pytest.approx(row["estimate"])
        assert found.standard_errors[0] == pytest.approx(row["standard_error"])
        assert found.interval()[0] == pytest.approx(row["interval"])
    mean = value_of(launch, "mean", question="stress")
    assert mean.values[0] == pytest.approx(questions["stress"]["mean"]["value"])
    assert value_of(launch, "share", answer1="drug:0").n == 100


def test_what_is_held_back_is_not_in_the_crowd(client):
    """A stratum and a question of too few people are left out, as they are in the results."""
    launch = rich(60, physical=3)
    crowd = released_crowd(launch)
    assert value_of(launch, "share", answer1="drug:0").n == 60
    assert {question.id for question in crowd.questions} == {"drug", "stress", "size"}
    assert "Left out: took, saw. A crowd takes" in client.get(address(launch)).content.decode()
    few = released(
        [{"q1": 1}] * 6 + [{"q1": 0, "q2": 1}] * 2,
        slug="few",
        questions=[{"name": "q1"}, {"name": "q2", "required": False}],
    )
    assert [question.id for question in released_crowd(few).questions] == ["q1"]
    assert [question.id for question in released_crowd(few).left_out] == ["q2"]
    assert few.parameters.release_threshold == 5


def test_a_group_is_one_cluster_and_its_questions_are_related():
    launch = with_groups(120)
    crowd = released_crowd(launch)
    assert [component.names for component in crowd.distribution.components] == [
        ("team",),
        ("drug", "drink", "stress"),
        ("shift",),
    ]
    device = next(d for d in launch.parameters.devices if d.id == "group_2")
    channel = rr_engine.channels.JointChannel(
        device.table.shape, device.table.weights, device.table.denominator
    )
    counts = np.zeros(device.table.shape, dtype=int)
    for row in grouped_rows(120):
        counts[tuple(row["group_2"])] += 1
    joint = rr_engine.estimate(channel, counts.ravel()).proportions.reshape(device.table.shape)
    found = value_of(launch, "share", answer1="drug:1", answer2="drink:1")
    assert found.values[0] == pytest.approx(joint[1, 1].sum())
    related = value_of(launch, "correlation", question="drug", second="stress")
    assert related.note("independent_by_assumption") is None


def test_a_correlation_that_was_not_measured_is_refused(client):
    """A group is sent in one piece, where everything else of a person is kept apart."""
    launch = with_groups(120)
    apart = page(client, launch, "correlation", question="drug", second="team")
    assert apart.status_code == 400
    assert "team and drug were not measured together" in apart.content.decode()
    assert 'id="found"' not in apart.content.decode()
    assert page(client, launch, "correlation", question="drug", second="stress").status_code == 200
    assert "<li>drug, drink, stress</li>" in apart.content.decode()


def test_two_devices_of_one_question_need_not_have_as_many_reports(client):
    launch = launch_with_cards(60, linkage="together")
    launch.refresh_from_db()
    sizes = {
        device["stratum"]: len(device["reports"])
        for device in devices_of(launch)
        if device["id"] == "reason"
    }
    assert sizes == {"page": 28, "physical": 8}
    assert value_of(launch, "share", answer1="reason:1", answer2="size:1").n == 460
    assert page(client, launch, "share", answer1="reason:1").status_code == 200


def test_results_that_lag_behind_a_group_ask_to_come_back(client):
    launch = with_groups(60)
    type(launch).objects.filter(pk=launch.pk).update(revision=launch.revision + 1)
    answer = page(client, launch, "mean", question="stress")
    assert answer.status_code == 503
    assert answer["Retry-After"] == "5"
    assert "computed anew" in answer.content.decode()
    assert "ETag" not in answer


# --- the form -----------------------------------------------------------------------------------


def test_answers_to_one_question_are_alternatives(launch):
    both = value_of(launch, "share", answer1="drug:0", answer2="drug:2")
    each = [value_of(launch, "share", answer1=f"drug:{index}") for index in (0, 2)]
    assert both.values[0] == pytest.approx(sum(one.values[0] for one in each))


def test_every_field_is_labelled_and_offers_what_it_takes(launch):
    crowd = released_crowd(launch)
    for name, statistic in STATISTICS.items():
        form = CrowdForm(None, crowd=crowd, statistic=name)
        assert tuple(form.fields) == statistic.fields
        assert all(field.label for field in form.fields.values())
        assert CrowdForm(OF_EACH[name], crowd=crowd, statistic=name).is_valid()


# --- synthetic data -----------------------------------------------------------------------------


def rows(client, launch):
    answer = client.get(address(launch, "synthetic-csv"))
    assert re.search(
        r'filename="health-[0-9a-f]{8}-n\d+-synthetic\.csv"', answer["Content-Disposition"]
    )
    return list(csv.reader(io.StringIO(answer.getvalue().decode())))


def test_the_file_is_labelled_and_the_same_each_time(client):
    launch = with_groups(90)
    head, *people = rows(client, launch)
    assert head == ["synthetic_person", "drug", "drink", "stress"]
    assert [row[0] for row in people] == [str(number) for number in range(1, 91)]
    assert people == rows(client, launch)[1:]
    labels = json.loads(client.get(address(launch, "synthetic-codebook-json")).getvalue())
    assert labels["label"] == (
        "Synthetic data: no row is anybody's answers (block 1 of 3, questions that were measured "
        "together)"
    )
    drink = next(column for column in labels["columns"] if column["name"] == "drink")
    assert [value["label"] for value in drink["values"]] == ["Tea", "Wine", "Gin"]


def test_batches_of_rows_are_draws_of_their_own(client, monkeypatch):
    monkeypatch.setattr("surveys.results.crowd.distribution.AT_ONCE", 30)
    launch = with_groups(90)
    people = np.array(rows(client, launch)[1:], dtype=int)[:, 1:]
    assert len(people) == 90
    assert not (people[:30] == people[30:60]).all()


def test_the_file_has_the_fitted_distribution(client, monkeypatch):
    monkeypatch.setattr("surveys.results.crowd.distribution.synthetic_size", lambda _crowd: 20_000)
    launch = with_groups(90)
    people = np.array(rows(client, launch)[1:], dtype=int)
    fitted = released_crowd(launch).distribution.margin(["drug", "drink"])
    seen = np.zeros(fitted.shape)
    np.add.at(seen, (people[:, 1], people[:, 2]), 1 / len(people))
    assert np.abs(seen - fitted).max() <= 4.5 * np.sqrt(0.25 / len(people))


def test_many_people_who_were_made_up_are_a_file_that_a_worker_makes(client, settings):
    launch = with_groups(90)
    client.force_login(launch.survey.owner)
    at = address(launch, "synthetic-csv")
    at_once = {block: client.get(at, {"block": block}).getvalue() for block in ("1", "2", "3")}
    settings.ROWS_AT_ONCE = 10
    for block, content in at_once.items():
        waiting = client.get(at, {"block": block})["Location"]
        page = client.get(waiting)
        assert "It has 90 people who were made up" in page.text
        job = Job.objects.get(state=Job.State.QUEUED)
        jobs.run(TABLE.job, job.subject)
        assert "The file is ready" in client.get(waiting).text
        assert client.get(at, {"block": block}).getvalue() == content
    assert len({*at_once.values()}) == 3
    # A block that is not there has no row and no job.
    assert client.get(at, {"block": "4"}).status_code == 404
    assert {row.variant for row in ReleaseFile.objects.all()} == {"", "2", "3"}
    program = Program(launch.survey.owner)
    for block, content in at_once.items():
        made = program.get(f"surveys/{launch.survey_id}/files/synthetic.csv?block={block}")
        assert made.getvalue() == content
    refused = program.get(f"surveys/{launch.survey_id}/files/synthetic.csv?block=4")
    assert refused.status_code == 404
    again = program.post(f"surveys/{launch.survey_id}/files/synthetic.csv/again?block=2")
    assert (again.status_code, again.json()["state"]) == (202, "queued")
    # Nobody's answers are in it, so it is for everybody who sees the results.
    assert not RowDownload.objects.exists()
    assert client.get(address(launch, "synthetic-codebook-json")).status_code == 200


# --- a pilot ------------------------------------------------------------------------------------


def test_the_pairs_of_a_pilot_are_clusters_that_share_questions(client):
    questions = [
        {"text": "Do you drink?", "epsilon": Decimal(1)},
        {"text": "Do you smoke?", "epsilon": Decimal("1.2")},
        {
            "kind": "single_choice",
            "text": "Which?",
            "options": ["Tea", "Wine", "Pills"],
            "epsilon": Decimal("1.5"),
        },
    ]
    launch = launched(
        questions=questions, budget=Decimal(3), pilot=True, release_threshold=5, results_public=True
    )
    truth = {"q1": [0.5, 0.5], "q2": [0.8, 0.2], "q3": [0.5, 0.3, 0.2]}
    people = simulated_respondents(launch.parameters, truth, 150, seed=1)
    source = np.random.default_rng(2).bytes
    for sent in simulated_responses(launch.parameters, people, random_bytes=source):
        body = response(launch, reports=sent["reports"], strata=sent["strata"])
        record_response(launch=launch, body=json.dumps(body).encode())
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    (component,) = released_crowd(launch).distribution.components
    assert [cluster.names for cluster in component.clusters] == [
        ("q1", "q2"),
        ("q1", "q3"),
        ("q2", "q3"),
    ]
    assert sum(cluster.estimate.n for cluster in component.clusters) == 150
    found = value_of(launch, "correlation", question="q1", second="q2")
    assert found.note("independent_by_assumption") is None
    assert found.repetitions == 199
    three = page(client, launch, "share", answer1="q1:1", answer2="q2:0", answer3="q3:0")
    assert three.status_code == 200
    assert "tables of every two" in text(three)
