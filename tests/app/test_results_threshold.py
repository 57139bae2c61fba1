"""Below the release threshold no result is released; the author sees the count."""

import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from surveys.models import Launch, Result
from surveys.results_document.document import FORMAT
from surveys.services.results import lagging_launches, refresh_results
from surveys.services.transitions import close_survey
from tests.builders import launched, make_user
from tests.plain import content_of
from tests.released import QUESTIONS, answer, as_researcher, released, rich, varied

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NUMBERS = ("results-figures", "results-json", "reports-csv", "summary-html", "estimates-csv")
NUMBERS += ("reports-codebook-json", "estimates-codebook-json", "summary-pdf")


def get(client, launch, name, **headers):
    if name.startswith("reports"):
        as_researcher(client, launch)
    return client.get(reverse(name, args=[launch.survey.slug]), headers=headers)


def tables_drawn(client, launch):
    figures = get(client, launch, "results-figures").json()["figures"]
    return [key for key in figures if "," in key]


def launch_below_threshold(**values):
    """Nine responses under a threshold of ten, computed and stored by the worker."""
    values = {"release_threshold": 10, "results_public": True, "questions": QUESTIONS, **values}
    launch = released(varied(9), **values)
    assert Result.objects.get(launch=launch).responses == 9
    return launch


@pytest.mark.parametrize("by", ["the author", "anybody"])
def test_below_the_threshold_the_page_has_at_most_the_count(client, by):
    launch = launch_below_threshold()
    if by == "the author":
        client.force_login(launch.survey.owner)
    html = get(client, launch, "results").content.decode()
    assert "Too few responses" in html
    assert bool(re.search(r">9</strong> received", html)) == (by == "the author")
    assert bool(re.search(r"\b9\b", html)) == (by == "the author")
    assert 'class="figure"' not in html
    assert "<table" not in html
    for word in ("drug", "Estimate</th>", "outside 0"):
        assert word not in html


@pytest.mark.parametrize("name", NUMBERS)
def test_below_the_threshold_files_are_refused_with_the_rule(client, name):
    response = get(client, launch_below_threshold(), name)
    assert response.status_code == 403
    (error,) = response.json()["errors"]
    assert error["code"] == "below_threshold"
    assert "10" in error["message"]


OF_ALL = {
    "state", "in_results", "threshold", "batch", "released", "computed_at", "revision", "stamp",
}  # fmt: skip
OF_THE_AUTHOR = OF_ALL | {"received", "pooled", "due", "behind"}


def test_below_the_threshold_the_status_tells_the_author_counts_only(client):
    launch = launch_below_threshold()
    client.force_login(launch.survey.owner)
    body = get(client, launch, "results-status").json()
    assert (body["received"], body["in_results"]) == (9, 9)
    assert (body["released"], body["computed_at"]) == (False, None)
    assert set(body) == OF_THE_AUTHOR


def test_below_the_threshold_others_cannot_tell_nobody_from_many(client):
    """Page, status and their ETag, byte for byte, from the first response to the ninth."""
    launch = launched(release_threshold=10, results_public=True, questions=QUESTIONS)
    as_researcher(client, launch)
    contents = set()
    for row in [None, *varied(9)]:
        answer(launch, [row] if row else [])
        for aggregates in (False, True):
            if aggregates:
                refresh_results(launch_id=launch.pk)
            status = get(client, launch, "results-status")
            page = get(client, launch, "results")
            refusals = [get(client, launch, name).content for name in NUMBERS]
            contents.add((status.content, status["ETag"], page.content, *refusals))
    assert len(contents) == 1
    assert set(status.json()) == OF_ALL
    assert (status.json()["in_results"], status.json()["computed_at"]) == (0, None)


@pytest.mark.parametrize("role", ["anonymous", "researcher", "other author"])
def test_above_the_threshold_others_see_what_is_in_the_results_only(client, role):
    launch = released(
        varied(30),
        release_threshold=10, release_batch=5, results_public=True, questions=QUESTIONS,
    )  # fmt: skip
    if role != "anonymous":
        client.force_login(make_user("somebody", author=role == "other author"))
    if role == "researcher":
        launch.survey.researchers.add(User.objects.get(username="somebody"))
    before = [get(client, launch, name) for name in ("results-status", "results-figures")]
    for arrivals in (1, 8):
        answer(launch, varied(arrivals))
        after = [get(client, launch, name) for name in ("results-status", "results-figures")]
        assert [page.content for page in after] == [page.content for page in before]
        assert after[0]["ETag"] == before[0]["ETag"]
        assert "received" not in get(client, launch, "results").content.decode()
    assert before[0].json()["in_results"] == 25
    client.force_login(launch.survey.owner)
    assert get(client, launch, "results-status").json()["received"] == 39


def test_the_summary_is_a_file_for_others_also_when_the_author_takes_it(client):
    launch = released(
        varied(30),
        release_threshold=10, release_batch=5, results_public=True, questions=QUESTIONS,
    )  # fmt: skip
    summaries = [get(client, launch, "summary-html").content]
    client.force_login(launch.survey.owner)
    answer(launch, varied(3))
    summaries.append(get(client, launch, "summary-html").content)
    assert summaries[0] == summaries[1]


def test_at_the_threshold_everything_is_released(client):
    launch = launch_below_threshold()
    answer(launch, varied(1))
    refresh_results(launch_id=launch.pk)
    # The printed summary is made first: see test_printed_summary.py.
    expected = dict.fromkeys((*NUMBERS, "results"), 200) | {"summary-pdf": 302}
    assert {name: get(client, launch, name).status_code for name in expected} == expected
    assert 'class="figure"' in get(client, launch, "results").content.decode()


def test_an_older_result_below_the_threshold_stays_closed_while_more_is_aggregated(client):
    """The tallies are ahead: what is stored as a result still rests on nine people."""
    launch = launch_below_threshold()
    Launch.objects.filter(pk=launch.pk).update(aggregated=30)
    assert get(client, launch, "results-json").status_code == 403
    launch.refresh_from_db()
    assert content_of(launch) is None


def test_responses_in_the_pool_do_not_count_towards_the_threshold(client):
    launch = released(
        varied(12),
        release_threshold=10, release_batch=5, results_public=True, questions=QUESTIONS,
    )  # fmt: skip
    client.force_login(launch.survey.owner)
    html = get(client, launch, "results").content.decode()
    assert launch.aggregated == 7
    assert re.search(r">12</strong> received", html)
    assert "5 responses wait" in html
    assert get(client, launch, "results-json").status_code == 403

    close_survey(survey=launch.survey, actor=None)
    refresh_results(launch_id=launch.pk)
    assert get(client, launch, "results-json").json()["responses"] == 12


def test_a_question_that_too_few_answered_shows_its_count_only(client):
    """Twelve people took part, four of them answered the optional question."""
    rows = varied(12)
    for number, row in enumerate(rows):
        row.pop("bribe", None)
        row |= {"bribe": 1} if number < 4 else {}
    launch = released(rows, release_threshold=10, results_public=True, questions=QUESTIONS)

    questions = {q["id"]: q for q in get(client, launch, "results-json").json()["questions"]}
    assert questions["drug"]["categories"]
    assert (questions["bribe"]["n"], questions["bribe"]["suppressed"]) == (0, 4)
    assert questions["bribe"]["categories"] == []
    assert questions["bribe"]["notes"] == ["below_threshold"]
    assert "effective_n" not in questions["bribe"]
    assert [device["counts"] for device in questions["bribe"]["devices"]] == [None]
    figures = get(client, launch, "results-figures").json()["figures"]
    assert set(figures) == {"drug", "absence", "permanent"}
    rows = get(client, launch, "reports-csv").content.decode().splitlines()
    assert not any(row.startswith("bribe") for row in rows)
    assert len(rows) == 1 + 3 * 12
    summary = get(client, launch, "summary-html").content.decode()
    assert "Fewer people than the release threshold" in summary


def test_a_device_that_too_few_used_shows_on_no_page_and_in_no_file(client):
    with_few, without = rich(40, 19), rich(40, slug="without")
    for name in ("results-json", "results-figures"):
        suppressed, none = get(client, with_few, name).json(), get(client, without, name).json()
        if name == "results-figures":
            for key, figure in none["figures"].items():
                # The figures that differ are of other questions, which the 19 answered as everybody
                # did.
                assert not key.startswith("drug") or suppressed["figures"][key] == figure
            continue
        question, same = suppressed["questions"][0], none["questions"][0]
        assert question["categories"] == same["categories"]
        assert question["devices"][1]["counts"] is None
    html = get(client, with_few, "results").content.decode()
    assert "19 held back (their device was used by too few)" in html
    assert "left out here and in the downloads" in html


def test_a_cross_table_of_too_few_shows_its_count_only(client):
    """Forty people took part; fifteen of them answered both questions."""
    questions = [{"name": "drug"}, {"name": "size", "randomized": False, "required": False}]
    rows = [{"drug": n % 2, **({"size": n % 2} if n < 15 else {})} for n in range(40)]
    launch = released(
        rows,
        questions=questions, release_threshold=20, results_public=True,
        linkage="together", cross_tables=[["drug", "size"]],
    )  # fmt: skip
    (table,) = get(client, launch, "results-json").json()["tables"]
    assert (table["n"], table["suppressed"], table["cells"]) == (0, 15, [])
    html = get(client, launch, "results").content.decode()
    assert "Fewer people than the release threshold have answered both questions" in html
    assert "figure-drug-by-size" not in html
    assert not tables_drawn(client, launch)


def test_the_downloads_say_what_an_empty_cell_and_the_second_column_of_a_device_are(client):
    launch = rich(40, 19)
    html = get(as_researcher(client, launch), launch, "results").content.decode()
    assert "a negative number says why else there is no report" in html
    assert "the column that ends in “.stratum” says which" in html


def test_a_stored_result_that_shows_too_much_is_not_released(client):
    """The document leaves out what is too small; the release does not rely on that."""
    launch = rich(90)
    content = Result.objects.get(launch=launch).content
    assert content["tables"][0]["cells"]
    content["tables"][0]["n"] = content["questions"][1]["n"] = 19
    Result.objects.filter(launch=launch).update(content=content)
    released_now = get(client, launch, "results-json").json()
    table, question = released_now["tables"][0], released_now["questions"][1]
    assert (table["n"], table["suppressed"], table["cells"]) == (0, 19, [])
    assert (question["n"], question["suppressed"], question["categories"]) == (0, 19, [])
    assert {"conditional", "differences", "association"}.isdisjoint(table)
    assert [device["counts"] for device in question["devices"]] == [None, None]
    assert not tables_drawn(client, launch)
    header = get(client, launch, "reports-csv").getvalue().decode().splitlines()[0]
    assert "took" not in header


@pytest.mark.parametrize("older", range(1, FORMAT))
def test_a_result_of_an_older_format_waits_for_the_worker(client, older):
    """Those of format 2 show small answers to direct questions in tables."""
    launch = rich(40)
    content = Result.objects.get(launch=launch).content
    Result.objects.filter(launch=launch).update(content={**content, "format": older})
    assert get(client, launch, "results-json").status_code == 403
    assert "first results are being computed" in get(client, launch, "results").content.decode()
    assert list(lagging_launches()) == [launch.pk]
    refresh_results(launch_id=launch.pk)
    assert list(lagging_launches()) == []
    assert get(client, launch, "results-json").json()["format"] == FORMAT
