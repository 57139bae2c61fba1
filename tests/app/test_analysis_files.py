"""The files of an analysis: coefficients, a table for a paper, all numbers, and a program."""

import csv
import io
import json

import pytest
from django.urls import reverse

from surveys.exports.formats.latex import escaped
from tests.app.test_analysis_fits import DECLARED, QUESTIONS, people, survey_of
from tests.app.test_analysis_pages import fitted

pytestmark = pytest.mark.django_db


def file_of(client, launch, ending, number=1):
    answer = client.get(reverse(f"analysis-{ending}", args=[launch.survey.slug, number]))
    assert answer.status_code == 200
    assert f"analysis-{number}-" in answer["Content-Disposition"]
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
    assert "Where do you live?: South & " in table
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
    questions[2]["options"] = ["North", "=1+1", "50 % \\input{x} & #1_^~"]
    questions[2]["text"] = "Where?"
    launch = survey_of(people(120), questions=questions, results_public=True)
    fitted(launch.analysis_fits.get())
    rows = list(csv.DictReader(io.StringIO(file_of(client, launch, "csv"))))
    assert rows[1]["level"] == "'=1+1"
    table = file_of(client, launch, "tex")
    line = next(line for line in table.splitlines() if "50" in line)
    assert r"50 \% \textbackslash{}input\{x\} \& \#1\_\textasciicircum{}\textasciitilde{}" in line
    # Each line has as many cells as the others.
    cells = [line.replace(r"\&", "").count("&") for line in table.splitlines() if "&" in line]
    assert set(cells) == {5}


def test_no_text_ends_a_row_or_begins_a_command():
    assert escaped("a\nb\\\\[2]") == r"a b\textbackslash{}\textbackslash{}{[}2{]}"
    assert escaped(None) == ""
