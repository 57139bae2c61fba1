"""Figures are small, say what the table says, and carry no markup of the author's."""

import itertools
import json

import pytest
from django.utils import translation

from surveys.engine_bridge import results_document
from surveys.models import Survey
from surveys.reports import numbers
from surveys.reports.figures import question_figure, results_figures
from surveys.reports.palette import COLOURS
from tests.builders import launched

pytestmark = pytest.mark.django_db


def document(counts, **question):
    launch = launched(questions=[question], slug=f"survey-{Survey.objects.count()}")
    return results_document(launch.parameters, launch.digest, {("q1", "page"): counts}, sum(counts))


def traces(figure, mode):
    return [trace for trace in figure["data"] if trace["mode"] == mode]


def test_marks_stand_where_the_numbers_are():
    (question,) = document([600, 400])["questions"]
    figure = question_figure(question, [0.7, 0.3])
    rows = question["categories"]
    wide, narrow = traces(figure, "lines")
    assert wide["line"]["width"] < narrow["line"]["width"]
    for trace, key in ((wide, "interval"), (narrow, "interval_50")):
        expected = [end for row in rows for end in (*row[key], None)]
        assert trace["x"] == [
            None if e is None else pytest.approx(100 * e, abs=1e-3) for e in expected
        ]
    reported, truth, estimate = traces(figure, "markers")
    assert reported["x"] == [60, 40]
    assert truth["x"] == [70, 30]
    assert estimate["x"] == pytest.approx([100 * row["estimate"] for row in rows], abs=1e-3)
    assert reported["marker"]["symbol"] == "diamond-open"
    assert estimate["marker"]["color"] == COLOURS["accent"]
    assert reported["marker"]["color"] == COLOURS["chance"]


def test_rows_stand_in_the_order_of_the_answers_and_do_not_overlap():
    options = ["Short", "A label that is long enough to need two lines on a phone", "Third"]
    (question,) = document([50, 30, 20], kind="single_choice", options=options)["questions"]
    figure = question_figure(question, None)
    marks = traces(figure, "markers")[-1]["y"]
    assert marks == sorted(marks)
    assert min(b - a for a, b in itertools.pairwise(marks)) >= 40
    low, high = figure["layout"]["yaxis"]["range"]
    assert high == 0
    assert marks[-1] < low


def test_a_direct_question_has_no_mark_of_chance():
    (question,) = document([60, 40], randomized=False)["questions"]
    figure = question_figure(question, None)
    assert len(traces(figure, "markers")) == 1
    assert COLOURS["chance"] not in json.dumps(figure)


def test_the_axis_is_0_to_100_and_reaches_further_only_when_it_must():
    (question,) = document([6000, 4000])["questions"]
    figure = question_figure(question, None)
    assert figure["layout"]["xaxis"]["range"] == [0, 100]
    assert not figure["layout"].get("shapes")

    (question,) = document([1, 29])["questions"]
    figure = question_figure(question, None)
    low, high = figure["layout"]["xaxis"]["range"]
    assert low < 0
    assert high > 100
    assert all(low <= x <= high for x in traces(figure, "lines")[0]["x"] if x is not None)
    assert len(figure["layout"]["shapes"]) == 2  # the parts where no true share can lie


@pytest.mark.parametrize("counts", [[1, 0], [0, 1], [5, 0]])
def test_few_reports_make_a_figure_all_the_same(counts):
    (question,) = document(counts)["questions"]
    json.dumps(question_figure(question, None), allow_nan=False)


def test_texts_are_escaped_for_plotly_which_reads_tags():
    hostile = '<a href="https://example.org">click</a> & more'
    (question,) = document([5, 6], kind="single_choice", text=hostile, options=[hostile, "other"])[
        "questions"
    ]
    text = json.dumps(question_figure(question, None))
    assert "<a" not in text
    assert "&lt;a href" in text


def test_figures_are_small():
    question = {"kind": "single_choice", "options": [f"Option {n}" for n in range(50)]}
    size = len(json.dumps(results_figures(document(list(range(10, 60)), **question), None)["en"]))
    assert size < 40_000
    size = len(json.dumps(results_figures(document([60, 40]), None)["en"], separators=(",", ":")))
    assert size < 4_000


def test_numbers_in_figures_are_localized():
    figures = results_figures(document([6000, 4000]), None)
    assert set(figures) == {"en", "de"}
    english, german = (json.dumps(figures[name]) for name in ("en", "de"))
    assert "10,000 report" in english
    assert "10.000" in german


@pytest.mark.parametrize(
    ("interval", "digits"),
    [([0.1, 0.2], 1), ([0.1, 0.2999], 1), ([0.1, 0.3], 0), ([None, 0.3], 0)],
)
def test_no_more_digits_than_the_interval_carries(interval, digits):
    assert numbers.digits_for(interval) == digits


@pytest.mark.parametrize(
    ("share", "digits", "english", "german"),
    [
        (0.3412, 1, "34.1\u00a0%", "34,1\u00a0%"),
        (-0.0213, 1, "−2.1\u00a0%", "−2,1\u00a0%"),
        (-0.0001, 1, "0.0\u00a0%", "0,0\u00a0%"),
        (1.07, 0, "107\u00a0%", "107\u00a0%"),
        (None, 1, "–", "–"),
    ],
)
def test_shares_are_written_as_percent(share, digits, english, german):
    for language, expected in (("en", english), ("de", german)):
        with translation.override(language):
            assert numbers.percent(share, digits) == expected
