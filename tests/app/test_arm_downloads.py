"""The downloads of a survey with arms give its numbers again, in one run of all programs."""

import json

import pytest
from django.urls import reverse

from surveys.models import AnalysisFit
from surveys.services.analysis_fits import fitted_values
from tests.app.kept import kept_once
from tests.app.programs import run_python
from tests.app.test_arm_pooling import ANALYSES
from tests.app.test_docs import DOCS, fenced_block
from tests.app.test_downloads_reproduce import tallies_of_file
from tests.arm_reports import arms_survey, everybody, store
from tests.plain import results_document
from tests.released import as_researcher

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

# One interpreter runs all programs, each as if it were called with its files.
RUN_ALL = """
import runpy
import sys

_name, parameters, reports, results, recompute, arms, analysis = sys.argv
for call in ([recompute, parameters, reports], [arms, results], [analysis, parameters, reports]):
    sys.argv = call
    runpy.run_path(call[0])
    print("----")
"""
# One by the recoded answers, and one of them, both without the people who gave the rare one.
TABLES = [["drug", "size"], ["size", "absence"]]
FILES = ("results-parameters", "reports-csv", "results-json")
GUIDE = DOCS / "guide" / "researchers.md"


def downloaded(client, launch, name, *arguments):
    answer = as_researcher(client, launch).get(reverse(name, args=[launch.survey.slug, *arguments]))
    assert answer.status_code == 200, name
    return answer.getvalue() if answer.streaming else answer.content


@kept_once
def kept():
    """Four people, all of whom are asked directly, work where many do: that answer is recoded."""
    people = everybody()
    rare = [number for number, (arm, _) in enumerate(people) if arm == "direct"][:4]
    for number, (_arm, reports) in enumerate(people):
        reports["size"] = 2 if number in rare else reports["size"] % 2
    analyses = [{**ANALYSES[0], "weighted": False}]
    launch = store(arms_survey(analyses=analyses, cross_tables=TABLES), people)
    fit = launch.analysis_fits.get()
    AnalysisFit.objects.filter(pk=fit.pk).update(**fitted_values(fit))
    return launch


def test_the_programs_of_the_guide_give_every_number(client, tmp_path, launch):
    files = [tmp_path / name for name in FILES]
    for file in files:
        file.write_bytes(downloaded(client, launch, file.name))
    programs = [fenced_block(GUIDE, "python recompute"), fenced_block(GUIDE, "python arms")]
    programs.append(downloaded(client, launch, "analysis-py", 1).decode())
    paths = [tmp_path / f"{number}.py" for number in range(3)]
    for path, program in zip(paths, programs, strict=True):
        path.write_text(program, encoding="utf-8")
    printed = run_python(RUN_ALL, *files, *paths).split("----\n")
    recomputed, arms, coefficients = (
        list(map(json.loads, part.splitlines())) for part in printed[:3]
    )
    document = json.loads(files[2].read_text(encoding="utf-8"))
    check_estimates({line["id"]: line for line in recomputed}, document)
    check_arms(arms, document)
    rows = launch.analysis_fits.get().content["coefficients"]
    for line, row in zip(coefficients, rows, strict=True):
        assert line["estimate"] == pytest.approx(row["estimate"], rel=1e-6, abs=1e-9)


def check_estimates(lines, document):
    for question in document["questions"]:
        same = lines[question["id"]]
        assert same["n"] == question["n"]
        for key in ("estimate", "standard_error", "interval", "maximum_likelihood", "fakes"):
            assert same[key] == [row[key] for row in question["categories"]], key
    for table in document["tables"]:
        same = lines[table["id"]]
        assert same["cells"] == [[cell["estimate"] for cell in row] for row in table["cells"]]
        assert same["p_value"] == table["independence"]["p_value"]
    by_size, of_size = document["tables"]
    assert by_size["group_labels"] == of_size["outcome_labels"] == ["Few", "Some + Many"]


def check_arms(lines, document):
    arms = [
        (question["id"], arm)
        for question in document["questions"]
        for arm in question.get("arms", ())
    ]
    assert len(arms) == 5
    for line, (name, arm) in zip(lines, arms, strict=True):
        assert (line["id"], line["stratum"]) == (name, arm["stratum"])
        assert line["estimate"] == [row["estimate"] for row in arm["categories"]]
        assert line["share_interval"] == [row["interval"] for row in arm["categories"]]
        found = arm["comparison"]
        if found is None:
            assert "difference" not in line
            continue
        for key in ("difference", "interval", "p_value"):
            assert line[key] == [row[key] for row in found["differences"]], key
        if found["homogeneity"]:
            assert line["homogeneity"] == found["p_value"] == found["homogeneity"]["p_value"]
            assert line["cheating"] == found["cheating"]["share"]


def test_reports_and_the_counts_of_arms_give_the_whole_document(client, launch):
    """Only `arms` and its counts need what the file of reports has not: single direct answers."""
    parameters, document = (
        json.loads(downloaded(client, launch, name))
        for name in ("results-parameters", "results-json")
    )
    counts = tallies_of_file(downloaded(client, launch, "reports-csv").decode(), parameters)
    for question in document["questions"]:
        for device in question["devices"]:
            if device["stratum"] == "direct":
                assert sum(counts[device["id"], "direct"]) == 0
                counts[device["id"], "direct"] = device["counts"]
    again = results_document(launch.parameters, document["digest"], counts, document["responses"])
    assert json.loads(json.dumps(again)) == document
