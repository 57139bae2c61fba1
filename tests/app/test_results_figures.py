"""Figures are small, say what the table says, and carry no markup of the author's."""

import itertools
import json

import plotly.graph_objects as go
import pytest
from django.utils import translation
from msgspec.structs import replace

from surveys import numbers
from surveys.models import Survey
from surveys.results.document import results_document
from surveys.results.figures.palette import COLOURS
from surveys.results.figures.questions import question_figure, results_figures
from surveys.results.release import release_of
from surveys.results.tables.figures import table_figures
from surveys.results.tables.presentation import table_view
from surveys.results.tables.randomized_groups import UNKNOWN_SHARE
from tests.builders import launched
from tests.released import RICH, rich

pytestmark = pytest.mark.django_db


def document(counts, **question):
    launch = launched(questions=[question], slug=f"survey-{Survey.objects.count()}")
    return results_document(launch.parameters, launch.digest, {("q1", "page"): counts}, sum(counts))


def traces(figure, mode):
    return [trace for trace in figure["data"] if trace["mode"] == mode]


def test_marks_stand_where_the_numbers_are():
    (question,) = document([600, 400]).questions
    figure = question_figure(question, [0.7, 0.3])
    rows = question.categories
    wide, narrow = traces(figure, "lines")
    assert wide["line"]["width"] < narrow["line"]["width"]
    for trace, key in ((wide, "interval"), (narrow, "interval_50")):
        expected = [end for row in rows for end in (*getattr(row, key), None)]
        assert trace["x"] == [
            None if e is None else pytest.approx(100 * e, abs=1e-3) for e in expected
        ]
    reported, truth, estimate = traces(figure, "markers")
    assert reported["x"] == [60, 40]
    assert truth["x"] == [70, 30]
    assert estimate["x"] == pytest.approx([100 * row.estimate for row in rows], abs=1e-3)
    assert reported["marker"]["symbol"] == "diamond-open"
    assert estimate["marker"]["color"] == COLOURS["accent"]
    assert reported["marker"]["color"] == COLOURS["chance"]


def test_rows_stand_in_the_order_of_the_answers_and_do_not_overlap():
    options = ["Short", "A label that is long enough to need two lines on a phone", "Third"]
    (question,) = document([50, 30, 20], kind="single_choice", options=options).questions
    figure = question_figure(question, None)
    marks = traces(figure, "markers")[-1]["y"]
    assert marks == sorted(marks)
    assert min(b - a for a, b in itertools.pairwise(marks)) >= 40
    low, high = figure["layout"]["yaxis"]["range"]
    assert high == 0
    assert marks[-1] < low


def test_a_direct_question_has_no_mark_of_chance():
    (question,) = document([60, 40], randomized=False).questions
    figure = question_figure(question, None)
    assert len(traces(figure, "markers")) == 1
    assert COLOURS["chance"] not in json.dumps(figure)


def test_the_axis_is_0_to_100_and_reaches_further_only_when_it_must():
    (question,) = document([6000, 4000]).questions
    figure = question_figure(question, None)
    assert figure["layout"]["xaxis"]["range"] == [0, 100]
    assert not figure["layout"].get("shapes")

    (question,) = document([1, 29]).questions
    figure = question_figure(question, None)
    low, high = figure["layout"]["xaxis"]["range"]
    assert low < 0
    assert high > 100
    assert all(low <= x <= high for x in traces(figure, "lines")[0]["x"] if x is not None)
    assert len(figure["layout"]["shapes"]) == 2  # the parts where no true share can lie


@pytest.mark.parametrize("counts", [[1, 0], [0, 1], [5, 0]])
def test_few_reports_make_a_figure_all_the_same(counts):
    (question,) = document(counts).questions
    json.dumps(question_figure(question, None), allow_nan=False)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
def test_plotly_knows_everything_in_a_figure_and_changes_nothing(language):
    """Its classes refuse what they do not know, add a template, and leave out an empty list."""
    launch = rich(200, 40)
    with translation.override(language):
        figures = results_figures(release_of(launch).content, {"drug": [0.5, 0.4, 0.1]})
    assert len(figures) == len(RICH) + 2
    for figure in figures.values():
        checked = go.Figure(figure).to_plotly_json()
        checked["layout"].pop("template", None)
        layout = {name: value for name, value in figure["layout"].items() if value != []}
        assert checked == {**figure, "layout": layout}


def test_texts_are_escaped_for_plotly_which_reads_tags():
    hostile = '<a href="https://example.org">click</a> & more'
    (question,) = document(
        [5, 6], kind="single_choice", text=hostile, options=[hostile, "other"]
    ).questions
    text = json.dumps(question_figure(question, None))
    assert "<a" not in text
    assert "&lt;a href" in text


def test_figures_are_small():
    question = {"kind": "single_choice", "options": [f"Option {n}" for n in range(50)]}
    size = len(json.dumps(results_figures(document(list(range(10, 60)), **question), None)))
    assert size < 40_000
    size = len(json.dumps(results_figures(document([60, 40]), None), separators=(",", ":")))
    assert size < 4_000


def test_numbers_in_figures_are_localized():
    results = document([6000, 4000])
    english = json.dumps(results_figures(results, None))
    with translation.override("de"):
        german = json.dumps(results_figures(results, None))
    assert "10,000 report" in english
    assert "10.000" in german


# --- tables -------------------------------------------------------------------------------------


def table_document(counts, labels=("Few", "Many"), outcomes=("No", "Yes"), group=None):
    launch = launched(
        linkage="together",
        cross_tables=[["q1", "q2"]],
        slug=f"survey-{Survey.objects.count()}",
        questions=[
            {"kind": "single_choice", "options": list(outcomes), "text": "Ever <b>?"},
            {"kind": "single_choice", "options": list(labels), "randomized": False} | (group or {}),
        ],
    )
    flat = [count for row in counts for count in row]
    tallies = {("q1,q2", "page,page"): flat}
    (table,) = results_document(launch.parameters, launch.digest, tallies, sum(flat)).tables
    return table


def test_the_heat_map_has_the_number_of_every_cell():
    table = table_document([[60, 80], [50, 30]])
    figure = table_figures(table)["q1,q2:heat"]
    (trace,) = figure["data"]
    cells = [row for row in trace["z"] if None not in row]
    assert cells == [
        [pytest.approx(100 * cell.estimate, abs=1e-3) for cell in row] for row in table.cells
    ]
    assert [words for words in trace["text"] if words[0]] == [
        [numbers.percent(cell.estimate, 0) for cell in row] for row in table.cells
    ]
    texts = [text["text"] for text in figure["layout"]["annotations"]]
    assert texts == ["No", "Yes", "Few", "Many"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["Never", "Rarely", "Sometimes", "Often", "Always"], "Sometimes"),
        (["Never", "Rarely", "Extraordinarily", "Often", "Always"], "Extraord<br>inarily"),
    ],
)
def test_an_ordinary_word_over_a_column_is_not_broken(words, text):
    figure = table_figures(table_document([[20, 30]] * 5, outcomes=words))["q1,q2:heat"]
    assert figure["layout"]["annotations"][2]["text"] == text


def luminance(colour):
    parts = [int(colour[index : index + 2], 16) / 255 for index in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.03928 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_scale_survives_greyscale_and_its_words_stay_readable():
    """One hue from light to dark: luminance falls all the way, and ink keeps 7:1 at its end."""
    (trace,) = table_figures(table_document([[60, 80], [50, 30]]))["q1,q2:heat"]["data"]
    (start, cold), (end, hot) = trace["colorscale"]
    assert (start, end) == (0, 1)
    assert luminance(cold) > 1.5 * luminance(hot)
    assert (luminance(hot) + 0.05) / (luminance(COLOURS["ink"]) + 0.05) >= 7


def test_groups_are_compared_in_the_order_of_the_answers():
    table = table_document([[60, 80], [50, 30]])
    figure = table_figures(table)["q1,q2:groups"]
    estimate = traces(figure, "markers")[-1]
    # With two answers the second is shown: the first is the rest.
    assert estimate["x"] == [
        pytest.approx(100 * row[1].estimate, abs=1e-3) for row in table.conditional
    ]
    wide = traces(figure, "lines")[0]
    assert len([x for x in wide["x"] if x is not None]) == 4
    assert estimate["y"] == sorted(estimate["y"])


def test_three_answers_are_three_blocks_of_groups():
    table = table_document([[60, 80], [50, 30], [20, 40]], outcomes=("a", "b", "c"))
    figure = table_figures(table)["q1,q2:groups"]
    assert len(traces(figure, "markers")[-1]["x"]) == 6
    words = [text["text"] for text in figure["layout"]["annotations"]]
    assert [word for word in words if word in "abc"] == ["a", "b", "c"]


def test_a_share_that_nobody_can_tell_has_no_mark():
    table = table_document([[60, 80], [50, 30]])
    row = (UNKNOWN_SHARE,) * 2
    figure = table_figures(replace(table, conditional=(row, *table.conditional[1:])))[
        "q1,q2:groups"
    ]
    assert len(traces(figure, "markers")[-1]["x"]) == 1
    json.dumps(figure, allow_nan=False)


def test_a_group_that_may_be_of_nobody_is_anything_and_has_no_dot():
    """12 of 35 report a scrambled group that 25 % of the others report too."""
    group = {"options": ["Few", "Many"], "randomized": True, "epsilon": "1.1"}
    table = table_document([[20, 6], [3, 6]], group=group)
    assert [cell.estimate for cell in table.conditional[1]] == [None, None]
    figure = table_figures(table)["q1,q2:groups"]
    assert len(traces(figure, "markers")[-1]["x"]) == 1
    words = " ".join(text["text"] for text in figure["layout"]["annotations"])
    assert "–  [anything]" in words
    view = table_view(table)
    assert [(cell.estimate, cell.interval) for cell in view.rows[1].conditional_shares] == [
        ("–", "anything")
    ] * 2
    assert {(row.value, row.interval) for row in view.differences} == {("–", "–")}
    assert any("hardly above zero" in note for note in view.notes)
    with translation.override("de"):
        assert table_view(table).rows[1].conditional_shares[0].interval == "alles möglich"


def test_an_odds_ratio_that_nobody_can_tell_has_no_interval_and_says_why():
    group = {"kind": "yes_no", "options": [], "randomized": True, "epsilon": "1.1"}
    view = table_view(table_document([[60, 40], [0, 48]], group=group))
    (row,) = (row for row in view.measures if row.name == "Odds ratio")
    assert (row.error, row.interval) == ("–", "–")
    assert any("how far the odds ratio" in note for note in view.notes)


def test_figures_of_tables_are_escaped_and_small():
    labels = [f"Group <i>{n}" for n in range(8)]
    outcomes = [f"Answer <b>{n}" for n in range(6)]
    table = table_document([[30] * 8] * 6, labels, outcomes)
    text = json.dumps(table_figures(table))
    assert "<b>" not in text
    assert "<i>" not in text
    assert len(text) < 40_000
