"""A whole release of a small survey: no difference of what it publishes is about a few people.

What anybody may read is fetched through the site, and everything is subtracted from everything
else: how many people, and how many gave each answer to a direct question.
"""

import csv
import io
import json
from itertools import permutations

import numpy as np
import pytest
from django.urls import reverse

from surveys.exports.crowd import released_crowd
from surveys.models import AnalysisFit, WeightedShares
from surveys.parameters.analyses import analyses_of_json
from surveys.services.analysis_fits import ask_analysis, fitted_values
from surveys.services.results import refresh_results
from surveys.services.weighted_results import weighted_values
from tests.analyses import margins
from tests.app.programs import run_python
from tests.app.test_docs import DOCS, fenced_block
from tests.builders import launched, owner
from tests.plain import content_of
from tests.released import answer, as_researcher

pytestmark = pytest.mark.django_db

THRESHOLD = 20
QUESTIONS = [
    {"name": "drug", "required": False, "epsilon": "0.5", "prefer_not": True},
    {"name": "bribe", "required": False, "epsilon": "0.5"},
    {
        "name": "mood",
        "required": False,
        "kind": "scale",
        "options": ["Low", "High"],
        "epsilon": "1",
    },
    {
        "name": "region",
        "kind": "single_choice",
        "options": ["North", "South"],
        "randomized": False,
        "text": "Where do you live?",
    },
    {
        "name": "size",
        "kind": "single_choice",
        "options": ["Small", "Middle", "Large"],
        "randomized": False,
        "required": False,
        "text": "How large is your firm?",
    },
]
SIZES = {"drug": 3, "bribe": 2, "mood": 2, "region": 2, "size": 3}
DIRECT = ("region", "size")
TABLES = [["drug", "region"], ["bribe", "region"], ["mood", "size"], ["region", "size"]]


def rows_of(rng, count):
    """Draw what so many people send: some leave a question out, some everything from one on."""
    names, rows = list(SIZES), []
    rate, leaving = rng.choice([0.01, 0.05, 0.25]), rng.choice([0, 0.03, 0.3])
    for _ in range(count):
        first = rng.integers(1, len(names)) if rng.random() < leaving else len(names)
        rows.append(
            {
                name: int(rng.integers(SIZES[name]))
                for place, name in enumerate(names)
                if name == "region" or (place < first and rng.random() >= rate)
            }
        )
    return rows


def analysis_of(outcome, *predictors):
    (analysis,) = analyses_of_json(
        [
            {
                "name": outcome,
                "outcome": outcome,
                "event": [1],
                "link": "logit",
                "predictors": [{"question": name, "scored": False} for name in predictors],
                "weighted": False,
            }
        ]
    )
    return analysis


def released_with_everything(rows):
    """Tables, weights, and a fit of each question by each direct one."""
    launch = launched(
        questions=QUESTIONS,
        linkage="together",
        cross_tables=TABLES,
        weighting=margins("0.6", "0.4"),
        release_threshold=THRESHOLD,
        results_public=True,
        budget="9",
    )
    answer(launch, rows)
    refresh_results(launch_id=launch.pk)
    launch.refresh_from_db()
    for outcome in SIZES:
        for name in DIRECT:
            if name != outcome:
                analysis = analysis_of(outcome, name)
                ask_analysis(launch=launch, step=0, analysis=analysis, user=owner())
    for model, values in ((AnalysisFit, fitted_values), (WeightedShares, weighted_values)):
        for fit in model.objects.filter(launch=launch):
            model.objects.filter(pk=fit.pk).update(**values(fit))
    return launch


def published(client, launch):
    """Return what a stranger gets: the results, and the numbers of each fit and of the weights."""
    results = json.loads(client.get(reverse("results-json", args=["health"])).content)
    fits = []
    for fit in AnalysisFit.objects.filter(launch=launch):
        found = client.get(reverse("analysis-json", args=["health", fit.number]))
        if found.status_code == 200:
            fits.append(json.loads(b"".join(found.streaming_content))["fit"])
    weighted = WeightedShares.objects.get(launch=launch).content
    return results, fits, weighted


def histograms_of(results):
    """How many gave each answer to a direct question, wherever that can be computed."""
    found = {name: [] for name in DIRECT}
    for question in results["questions"]:
        if question["id"] in DIRECT and question["n"]:
            found[question["id"]].append(np.array(question["devices"][0]["counts"]))
    for table in results["tables"]:
        for side in ("outcome", "group"):
            name = table[side]
            if name in DIRECT and "margins" in table:
                shares = [row["estimate"] for row in table["margins"][side]]
                people = np.rint(np.array(shares) * table["n"]).astype(int)
                labels = dict(zip(table[f"{side}_labels"], people, strict=True))
                own = next(each for each in results["questions"] if each["id"] == name)["labels"]
                # Answers that were put together are no histogram of all.
                if set(own) <= labels.keys():
                    found[name].append(np.array([labels[label] for label in own]))
    return found


def rows_of_file(client):
    """Return what each person has sent, as those whom the author names read it."""
    client.force_login(owner())
    text = client.get(reverse("reports-csv", args=["health"])).getvalue().decode()
    client.logout()
    return list(csv.DictReader(io.StringIO(text)))


def who(rows, *names, base=True):
    """The people who have sent a report to these questions, and are in joint numbers at all."""
    return {
        number
        for number, row in enumerate(rows)
        if all(row[name] for name in names) and (row["in.tables"] == "1" or not base)
    }


def joint_sets(rows, results, fits, weighted):
    """Whom each joint number is about; how many they are is what was published of it."""
    for table in results["tables"]:
        if table.get("margins"):
            people = who(rows, table["outcome"], table["group"])
            assert len(people) == table["n"]
            yield people
    for fit in fits:
        people = who(rows, fit["outcome"]["id"])
        assert len(people) == fit["n"]
        yield people
    for name, found in (weighted.get("questions") or {}).items():
        if found is not None:
            people = who(rows, name)
            assert len(people) == found["n"]
            yield people
    if weighted:
        assert len(who(rows)) == weighted["n"]
        yield who(rows)


def check(client, launch):
    results, fits, weighted = published(client, launch)
    rows = rows_of_file(client)
    joint = list(joint_sets(rows, results, fits, weighted))
    for one, other in permutations(joint, 2):
        assert not 0 < len(one - other) < THRESHOLD
    for question in results["questions"]:
        if question["n"]:
            alone = who(rows, question["id"], base=False)
            assert len(alone) == question["n"]
            for each in joint:
                assert not 0 < len(alone - (each & alone)) < THRESHOLD
    # The same by numbers alone: a question less a table of it.
    for histograms in histograms_of(results).values():
        whole = histograms[0] if histograms else None
        for part in histograms[1:]:
            assert (whole >= part).all()
            assert not 0 < (whole - part).sum() < THRESHOLD
    return results, fits


def one_skips():
    """Return what 120 people send, one of whom leaves a scrambled question out."""
    rng = np.random.default_rng(7)
    rows = [{name: int(rng.integers(size)) for name, size in SIZES.items()} for _ in range(120)]
    del rows[60]["bribe"]
    return rows


@pytest.mark.slow
def test_one_who_leaves_a_scrambled_question_out_is_in_no_difference(client):
    launch = released_with_everything(one_skips())
    results, fits = check(client, launch)
    # With the one who skips, as many as the threshold are in no table and no model.
    assert results["left_out"] == {"people": THRESHOLD + 1, "withheld": False}
    assert {table["n"] for table in results["tables"]} == {120 - 1 - THRESHOLD}
    assert {fit["n"] for fit in fits} == {120 - 1 - THRESHOLD}
    # The two of direct answers alone have rare combinations.
    assert len(fits) >= len(DIRECT) * 3
    # The crowd knows the same people of every two questions.
    assert {pair.n for pair in released_crowd(launch).distribution.pairs.values()} == {99}
    html = client.get(reverse("results", args=["health"])).content.decode()
    assert "no difference of two numbers is about a few" in html


@pytest.mark.slow
def test_where_no_base_is_left_nothing_about_several_answers_is_shown(client):
    """Seventeen leave out one question, seventeen another, and three none."""
    rng = np.random.default_rng(11)
    rows = [{name: int(rng.integers(size)) for name, size in SIZES.items()} for _ in range(37)]
    for number, row in enumerate(rows[3:]):
        del row["bribe" if number % 2 else "mood"]
    launch = released_with_everything(rows)
    results, fits = check(client, launch)
    assert results["left_out"] == {"people": 37, "withheld": True}
    assert {tuple(table["notes"]) for table in results["tables"]} == {("few_left_out",)}
    assert fits == []
    assert not released_crowd(launch).distribution.pairs
    html = client.get(reverse("results", args=["health"])).content.decode()
    assert "Too few people are alike in which questions they answered" in html


@pytest.mark.slow
@pytest.mark.any_database
def test_the_program_of_the_guide_leaves_out_the_same_people(client, tmp_path):
    launch = released_with_everything(one_skips())
    files = []
    for name in ("results-parameters", "reports-csv"):
        answer = as_researcher(client, launch).get(reverse(name, args=["health"]))
        files.append(tmp_path / name)
        files[-1].write_bytes(b"".join(answer) if answer.streaming else answer.content)
    program = fenced_block(DOCS / "guide" / "researchers.md", "python recompute")
    printed = {row["id"]: row for row in map(json.loads, run_python(program, *files).splitlines())}
    shown = [table for table in content_of(launch)["tables"] if table["cells"]]
    assert len(shown) >= 3
    for table in shown:
        cells = [[cell["estimate"] for cell in row] for row in table["cells"]]
        assert np.array(printed[table["id"]]["cells"]) == pytest.approx(np.array(cells))


@pytest.mark.slow
@pytest.mark.any_database
@pytest.mark.parametrize("seed", range(6))
def test_no_difference_of_a_release_is_about_a_few(client, seed):
    rng = np.random.default_rng(seed)
    check(client, released_with_everything(rows_of(rng, int(rng.integers(50, 260)))))
