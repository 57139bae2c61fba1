"""Results of questions that are sent together, pooled over the waves of a survey."""

import csv
import io
import json
from itertools import product

import numpy as np
import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from surveys.authoring.planning.simulation import (
    simulated_respondents,
    simulated_responses,
    simulated_returns,
)
from surveys.exports.crowd import released_crowd
from surveys.models import Tally
from surveys.parameters import joint_of_all
from surveys.responses.counting import count
from surveys.results.crowd.statistics import compute
from surveys.results.launch_strata import Source
from surveys.results.release import release_of
from surveys.services.results import refresh_results
from tests.app.kept import kept_once
from tests.app.test_coded_groups import SHAPE, grouped_launch, in_results
from tests.app.test_downloads_reproduce import download, program_and_page
from tests.app.visible_text import visible_text
from tests.plain import content_of, results_document
from tests.waves import new_code, next_wave, post

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# With a question that is sent as it is, and with one whose report is relaxed.
TABLES = [["drink", "shift"], ["team", "drink"]]


def sent_by(number):
    """Return what somebody sends, again in every wave for the group."""
    report = [number * number % 2, number // 2 * number % 3, number // 3 % 4]
    return {"team": number % 2, "group_2": report, "shift": number // 5 % 2}


def send(client, launch, codes, people):
    for person in people:
        assert post(client, launch, codes[person], sent_by(person)).status_code == 201


def two_waves(client, *, first=60, back=25, new=15, **values):
    """Launch two waves: `back` of `first` people come back to the second one, with `new` ones."""
    values = {"release_threshold": 10, "results_public": True, **values}
    launch = grouped_launch(**values)
    codes = [new_code() for _ in range(first + new)]
    send(client, launch, codes, range(first))
    in_results(launch)
    later = next_wave(launch, team="2")
    send(client, later, codes, [*range(back), *range(first, first + new)])
    in_results(later)
    return later


kept = kept_once(lambda: two_waves(Client(), slug="kept", cross_tables=TABLES))


def cells_of(people):
    cells = np.zeros(SHAPE, dtype=int)
    for person in people:
        cells[tuple(sent_by(person)["group_2"])] += 1
    return cells


def reported(group):
    cells = np.zeros(SHAPE, dtype=int)
    for cell in group["cells"]:
        cells[tuple(cell["codes"])] = cell["reported"]
    return cells


def numbers_of(group):
    return {
        key: group[key] for key in ("cells", "n", "not_above_zero", "table", "epsilon", "labels")
    }


def test_the_results_are_those_of_one_wave_that_all_had_answered(client, launch):
    (group,) = content_of(launch)["groups"]
    assert group["strata"] == [
        {"source": "", "stratum": "page", "n": 40},
        {"source": "1", "stratum": "page", "n": 35},
    ]
    assert (group["n"], group["suppressed"]) == (75, 0)
    assert (reported(group) == cells_of(range(75))).all()
    # As one wave with the same people.
    codes = [new_code() for _ in range(75)]
    once = grouped_launch(slug="once", release_threshold=10)
    send(client, once, codes, range(75))
    (alone,) = in_results(once)["groups"]
    assert numbers_of(group) == numbers_of(alone)
    for pair, same in zip(group["pairs"], alone["pairs"], strict=True):
        assert {**pair, "strata": []} == {**same, "strata": []}
        assert [stratum["n"] for stratum in pair["strata"]] == [40, 35]


def test_each_question_pools_the_same_people(launch):
    content = content_of(launch)
    for place, name in enumerate(("drug", "drink", "stress")):
        question = next(each for each in content["questions"] if each["id"] == name)
        assert (question["n"], question["in_group"]) == (75, "group_2")
        counts = {device["source"]: device["counts"] for device in question["devices"]}
        others = tuple(axis for axis in range(3) if axis != place)
        back = [*range(25), *range(60, 75)]
        assert counts[""] == cells_of(back).sum(axis=others).tolist()
        assert counts["1"] == cells_of(range(25, 60)).sum(axis=others).tolist()
        assert all(device["margin"] for device in question["devices"])


def test_a_wave_that_few_have_left_is_in_no_number(client):
    later = two_waves(client, first=60, back=53, new=0)
    release = release_of(later)
    (group,) = content_of(later)["groups"]
    assert (group["n"], group["suppressed"]) == (53, 7)
    assert "stratum_suppressed" in group["notes"]
    assert (reported(group) == cells_of(range(53))).all()
    assert {("1", "group_2", "page"), ("1", "drug", "page")} <= release.suppressed
    assert ("", "group_2", "page") not in release.suppressed
    for pair in group["pairs"]:
        assert (pair["n"], pair["suppressed"]) == (53, 7)
    rows = list(csv.DictReader(io.StringIO(download(client, later, "combinations-csv"))))
    assert {row["n"] for row in rows} == {"53"}
    people = list(csv.DictReader(io.StringIO(download(client, later, "reports-csv"))))
    assert sum(row["drink"] not in ("", "-1") for row in people) == 53
    assert released_crowd(later).distribution.margin(["drink"]).sum() == pytest.approx(1)


def test_below_the_threshold_in_every_wave_there_is_the_number_only(client):
    later = two_waves(client, first=16, back=8, new=0, release_threshold=10)
    (group,) = content_of(later)["groups"]
    assert (group["n"], group["suppressed"], group["notes"]) == (0, 16, ["group_below_threshold"])
    assert group["cells"] == group["pairs"] == []
    assert download(client, later, "combinations-csv").count("\n") == 1
    assert released_crowd(later).questions == ()


@pytest.mark.any_database
@pytest.mark.slow
def test_the_files_and_the_program_of_the_guide_give_the_same(client, tmp_path, launch):
    lines, document = program_and_page(client, launch, tmp_path)
    (group,) = document["groups"]
    estimates = {tuple(cell["codes"]): cell for cell in group["cells"]}
    joint = lines["group_2"]
    assert joint["n"] == 75
    for cell in product(*map(range, SHAPE)):
        assert np.array(joint["estimate"])[cell] == estimates[cell]["estimate"]
        assert np.array(joint["interval"])[cell].tolist() == estimates[cell]["interval"]
    for pair in (*group["pairs"], *document["tables"]):
        assert lines[pair["id"]]["cells"] == [
            [cell["estimate"] for cell in row] for row in pair["cells"]
        ]
    for question in document["questions"]:
        rows = [row["estimate"] for row in question["categories"]]
        assert lines[question["id"]]["estimate"] == rows
    text = download(client, launch, "combinations-csv")
    for row in csv.DictReader(io.StringIO(text)):
        cell = estimates[tuple(map(int, row["codes"].split()))]
        assert (float(row["estimate"]), int(row["reported"])) == (
            cell["estimate"],
            cell["reported"],
        )
    people = list(csv.DictReader(io.StringIO(download(client, launch, "reports-csv"))))
    assert list(people[0]) == [
        *("wave", "epsilon", "team", "drug", "drink", "stress", "shift", "in.tables")
    ]
    assert sorted((int(row["wave"]), float(row["epsilon"])) for row in people) == sorted(
        [(1, 4.9)] * 35 + [(2, 5.9)] * 40
    )
    seen = np.zeros(SHAPE, dtype=int)
    for row in people:
        seen[int(row["drug"]), int(row["drink"]), int(row["stress"])] += 1
    assert (seen == cells_of(range(75))).all()


def test_the_crowd_has_the_reports_of_all_waves(client, launch):
    crowd = released_crowd(launch)
    found = compute(crowd, "table", {"outcome": "drink", "given": "drug"})
    once = grouped_launch(slug="once", release_threshold=10)
    send(client, once, [new_code() for _ in range(75)], range(75))
    in_results(once)
    same = compute(released_crowd(once), "table", {"outcome": "drink", "given": "drug"})
    assert np.allclose(found.values, same.values, atol=1e-12)
    (device,) = joint_of_all(launch.parameters)
    (cluster,) = [
        cluster
        for component in crowd.distribution.components
        for cluster in component.clusters
        if cluster.names == device.questions
    ]
    assert cluster.estimate.n == 75


def test_a_cross_table_with_a_question_of_a_group_pools_the_waves(launch):
    for table in content_of(launch)["tables"]:
        assert (table["n"], table["suppressed"]) == (75, 0)
        assert [stratum["n"] for stratum in table["strata"]] == [40, 35]


def test_a_recount_finds_nothing_amiss_in_any_wave(capsys, launch):
    call_command("candor", "recount", launch.survey.slug)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(": ")[2] for line in lines] == [
        "35 responses, all tallies agree",
        "40 responses, all tallies agree",
    ]
    tally = Tally.objects.get(launch=launch, table="drink")
    tally.counts[0] += 1
    tally.save()
    with pytest.raises(CommandError):
        call_command("candor", "recount", launch.survey.slug)
    assert "drink/page differs" in capsys.readouterr().out
    assert not refresh_results(launch_id=launch.pk)


def test_the_page_of_the_results_says_how_many_reported_in_all_waves(client, launch):
    shown = visible_text(client.get(f"/s/{launch.survey.slug}/results/").text)
    assert "drug × drink × stress n = 75 ε = 3.9 24 combinations" in " ".join(shown.split())
    assert "n = 75 who answered both" in " ".join(shown.split())
    document = json.loads(download(client, launch, "results-json"))
    assert [source["responses"] for source in document["sources"]] == [40, 35]


TRUTH = {
    "team": [0.5, 0.5],
    "drug": [0.8, 0.2],
    "drink": [0.5, 0.3, 0.2],
    "stress": [0.4, 0.3, 0.2, 0.1],
    "shift": [0.7, 0.3],
}


def test_simulated_people_who_come_back_are_estimated_without_a_bias():
    """The first 600 of 1,500 people answer both waves: their last reports and those of the rest."""
    first = grouped_launch(release_threshold=1)
    later = next_wave(first, team="2")
    people = simulated_respondents(first.parameters, TRUTH, 1_500, seed=3)
    source = np.random.default_rng(4).bytes
    before = simulated_responses(first.parameters, people, random_bytes=source)
    returns = simulated_returns(
        later.parameters, people, before[:600], first.wave, random_bytes=source
    )
    for sent, again in zip(before, returns, strict=False):
        assert again["reports"]["group_2"] == sent["reports"]["group_2"]
    left = Source(first.parameters.devices, count(before[600:], first.parameters), "1", people=900)
    counts = count(returns, later.parameters)
    content = results_document(later.parameters, later.digest, counts, 1_500, others=[left])
    (group,) = content["groups"]
    assert group["n"] == 1_500
    for cell in group["cells"]:
        names = ("drug", "drink", "stress")
        share = np.prod([TRUTH[x][code] for x, code in zip(names, cell["codes"], strict=True)])
        # Five standard errors.
        assert cell["estimate"] == pytest.approx(share, abs=5 * cell["standard_error"])
    for question in content["questions"]:
        for row, share in zip(question["categories"], TRUTH[question["id"]], strict=True):
            assert row["estimate"] == pytest.approx(share, abs=5 * row["standard_error"])
