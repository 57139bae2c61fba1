"""The files of an analysis: coefficients, a table for a paper, all numbers, and a program."""

import csv
import html
import io
import json

import pytest
from django.urls import reverse

from surveys.exports.formats.latex import escaped
from surveys.services.analysis_fits import fitted_values
from tests.app.programs import run_python
from tests.app.test_analysis_fits import DECLARED, QUESTIONS, people, survey_of
from tests.app.test_analysis_pages import fitted
from tests.released import as_researcher
from tests.tiers import address, fetch, filled

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]


def file_of(client, launch, ending, number=1):
    answer = client.get(reverse(f"analysis-{ending}", args=[launch.survey.slug, number]))
    assert answer.status_code == 200
    assert f"-analysis-{number}.{ending}" in answer["Content-Disposition"]
    return answer.getvalue().decode()


def test_the_files_have_the_numbers_of_the_fit(client):
    launch = survey_of(people(120), results_public=True)
    fit = fitted(launch.analysis_fits.get())
    rows = list(csv.DictReader(io.StringIO(file_of(client, launch, "csv"))))
    for row, wanted in zip(rows, fit.content["coefficients"], strict=True):
        assert float(row["estimate"]) == wanted["estimate"]
        assert [float(row["low"]), float(row["high"])] == wanted["interval"]
        assert row["name"] == wanted["name"]
        assert row["category"] == "Yes"
    document = json.loads(file_of(client, launch, "json"))
    assert document["fit"] == json.loads(json.dumps(fit.content))
    assert document["analysis"]["name"] == DECLARED["name"]
    table = file_of(client, launch, "tex")
    assert "\\begin{tabular}{lrrrrr}" in table
    assert table.count("\\\\\n") == 5
    assert "Where do you live? -- South & " in table
    assert "\N{MINUS SIGN}" not in table


def test_there_are_no_files_without_a_fit_or_for_strangers(client):
    launch = survey_of(people(30))
    names = [f"analysis-{ending}" for ending in ("csv", "tex", "json")]
    addresses = [reverse(name, args=[launch.survey.slug, 1]) for name in names]
    assert {client.get(address).status_code for address in addresses} == {302}
    client.force_login(launch.survey.owner)
    assert {client.get(address).status_code for address in addresses} == {404}


def test_odd_labels_harm_no_reader_of_the_files(client):
    questions = [dict(each) for each in QUESTIONS]
    questions[2]["options"] = ["North", "-5 to 0", "50 % \\input{x} & #1_^~"]
    questions[2]["text"] = "Where?"
    launch = survey_of(people(120), questions=questions, results_public=True)
    fitted(launch.analysis_fits.get())
    rows = list(csv.DictReader(io.StringIO(file_of(client, launch, "csv"))))
    assert rows[1]["level"] == "-5 to 0"
    table = file_of(client, launch, "tex")
    line = next(line for line in table.splitlines() if "50" in line)
    assert r"50 \% \textbackslash{}input\{x\} \& \#1\_\textasciicircum{}\textasciitilde{}" in line
    # Each line has as many cells as the others.
    cells = [line.replace(r"\&", "").count("&") for line in table.splitlines() if "&" in line]
    assert set(cells) == {5}


def test_no_text_ends_a_row_or_begins_a_command():
    assert escaped("a\nb\\\\[2]") == r"a b\textbackslash{}\textbackslash{}{[}2{]}"
    assert escaped(None) == ""


# --- the program ----------------------------------------------------------------------------------

BY_MOOD = {**DECLARED, "name": 'Moods"""\\', "link": "probit"}
BY_MOOD["predictors"] = [
    {"question": "mood", "scored": True},
    {"question": "region", "scored": False},
]
MOODS = {**DECLARED, "name": "Moods", "outcome": "mood", "event": []}
NONE = {**DECLARED, "name": "Nobody", "event": [0], "weighted": True}
LOW = {**DECLARED, "name": "Low", "outcome": "mood", "event": [0, 2], "link": "identity"}


# One interpreter runs all programs, as if each were called with the two files.
RUN_ALL = """
import runpy
import sys

_name, parameters, reports, *programs = sys.argv
for program in programs:
    sys.argv = [program, parameters, reports]
    runpy.run_path(program)
"""


def test_the_program_prints_the_coefficients_of_the_page(client, tmp_path):
    """Also where answers are rare and put together, and where people left a question out."""
    rows = people(160)
    for place, row in enumerate(rows):
        row["region"] = 2 if place < 4 else row["region"] % 2
    for row in rows[20:65]:
        del row["region"]
    margins = [{"question": "stress", "shares": ["0.5", "0.25", "0.25"]}]
    declared = [DECLARED, BY_MOOD, MOODS, NONE, LOW]
    weighting = {"margins": margins}
    launch = survey_of(rows, analyses=declared, weighting=weighting, results_public=True)
    files = []
    for name in ("results-parameters", "reports-csv"):
        answer = as_researcher(client, launch).get(reverse(name, args=[launch.survey.slug]))
        content = answer.getvalue() if answer.streaming else answer.content
        files.append(tmp_path / name)
        files[-1].write_bytes(content)
    fits = [fitted(fit) for fit in launch.analysis_fits.all()]
    assert [fit.refusal for fit in fits] == [""] * len(declared)
    assert fits[0].content["recoded"]["region"]
    programs = [tmp_path / f"{fit.number}.py" for fit in fits]
    for fit, program in zip(fits, programs, strict=True):
        program.write_text(file_of(client, launch, "py", fit.number), encoding="utf-8")
    lines = map(json.loads, run_python(RUN_ALL, *files, *programs).splitlines())
    rows = [row for fit in fits for row in fit.content["coefficients"]]
    for line, row in zip(lines, rows, strict=True):
        assert line["name"].endswith(row["name"])
        assert line["estimate"] == pytest.approx(row["estimate"], rel=1e-6, abs=1e-9)
        assert line["standard_error"] == pytest.approx(row["standard_error"], rel=1e-5)
    page = client.get(reverse("results-analysis", args=[launch.survey.slug, 2])).content.decode()
    assert html.escape("rr_engine.RRRegression(LINK).fit(") in page
    assert page.count("<pre") == 1


def test_no_is_the_event_where_the_analysis_says_so():
    other = {**DECLARED, "name": "Nobody", "event": [0]}
    launch = survey_of(people(120), analyses=[DECLARED, other])
    yes, no = (
        [row["estimate"] for row in fitted_values(fit)["content"]["coefficients"]]
        for fit in launch.analysis_fits.all()
    )
    assert no == pytest.approx([-estimate for estimate in yes])


def test_the_program_reads_the_files_of_a_tier(client, tmp_path):
    predictors = [{"question": "size", "scored": False}]
    declared = {**DECLARED, "predictors": predictors}
    launch = filled(90, analyses=[declared])
    client.force_login(launch.survey.owner)
    rows = [fitted(fit) for fit in launch.analysis_fits.filter(number=1)]
    assert [fit.step for fit in rows] == [0, 1, 2]
    files = []
    for name in ("results-parameters", "reports-csv"):
        files.append(tmp_path / name)
        files[-1].write_text(fetch(client, address(launch, name, 2)).text_read, encoding="utf-8")
    where = reverse("analysis-py", args=[launch.survey.slug, 1])
    program = fetch(client, f"{where}?tier=2").text_read
    found = [json.loads(line)["estimate"] for line in run_python(program, *files).splitlines()]
    assert found == pytest.approx([row["estimate"] for row in rows[1].content["coefficients"]])
    assert found != pytest.approx([row["estimate"] for row in rows[2].content["coefficients"]])
    page = fetch(client, reverse("results-analysis", args=[launch.survey.slug, 1]) + "?tier=2")
    assert f"{where}?tier=2" in page.text_read
