"""A number in a range: what an author types, what is frozen, what results say, and later waves."""

import csv
import io
import json
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from django.urls import reverse
from msgspec.structs import replace

import rr_engine
from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.panel.number_words import number_words
from surveys.authoring.planning.simulation import (
    simulated_respondents,
    simulated_responses,
    simulated_survey,
)
from surveys.exports.formats import csv as csv_format
from surveys.exports.tables import codes, estimates
from surveys.forms.question import QuestionForm
from surveys.models import Question
from surveys.parameters import Linear, ParametersError, check, columns_of, from_json, to_json
from surveys.parameters.reading import read_back
from surveys.results.document import results_document
from surveys.results.kinds.number_figures import number_figure
from surveys.results.kinds.number_presentation import number_view
from surveys.results.release import release_of
from surveys.results_document.questions import QuestionResults
from tests.app.author_posts import page, sign_in
from tests.app.contract.wording import problems_in
from tests.app.visible_text import visible_text
from tests.browser.test_respond_number import AGE, HOURS, SCALE
from tests.builders import launched, make_survey
from tests.plain import as_json, checked
from tests.released import released
from tests.waves import coded_launch, next_wave

pytestmark = pytest.mark.django_db

TYPED = {
    "kind": "bounded_number",
    "text": "How many hours?",
    "position": "1",
    "name": "q1",
    "randomized": "True",
    "epsilon": "1",
    "design_follows": "on",
    "lower": "0",
    "upper": "60",
    "step": "0.5",
    "unit": "hours",
    "bins": "",
}
BINS = {**HOURS, "scale": {**SCALE, "bins": [0, 40, 80]}, "design": "k_rr"}


def form(**changes: str) -> QuestionForm:
    return QuestionForm({**TYPED, **changes}, instance=Question())


# --- what an author types ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "bins", "design"),
    [
        ({}, [], "one_bit"),
        ({"bins": "4"}, [0, 30, 60, 90], "k_rr"),
        ({"bins": "20 40"}, [0, 40, 80], "k_rr"),
        ({"bins": "0; 20,5; 40"}, [0, 41, 80], "k_rr"),
        ({"bins": "2", "lowest_alone": "on"}, [0, 1, 61], "k_rr"),
        ({"bins": "1", "lowest_alone": "on", "highest_alone": "on"}, [0, 1, 120], "k_rr"),
        ({"bins": "20 40", "highest_alone": "on"}, [0, 40, 80, 120], "k_rr"),
        ({"bins": "2", "prefer_not": "on"}, [0, 60], "k_rr"),
        ({"bins": "2", "randomized": "False"}, [0, 60], "k_rr"),
        ({"lower": "-1.50", "upper": "-0", "step": "0.75"}, [], "one_bit"),
    ],
)
def test_a_range_is_stored_as_it_will_be_frozen(changes, bins, design):
    typed = form(**changes)
    assert not typed.errors
    assert typed.instance.scale["bins"] == bins
    assert typed.cleaned_data["design"] == design
    if changes.get("lower"):
        assert typed.instance.scale["lower"] == "-1.5"
        assert typed.instance.scale["upper"] == "0"


@pytest.mark.parametrize(
    ("changes", "field", "words"),
    [
        ({"lower": ""}, "lower", "missing"),
        ({"upper": "-60"}, "upper", "above the lowest"),
        ({"step": "0"}, "step", "above 0"),
        ({"step": "0.7"}, "step", "No whole number of steps of 0.7"),
        ({"step": "0.001"}, "step", "60,000 steps"),
        ({"bins": "1"}, "bins", "2 to 50"),
        ({"bins": "51"}, "bins", "2 to 50"),
        ({"bins": "50", "lowest_alone": "on"}, "bins", "1 to 49"),
        ({"bins": "", "highest_alone": "on"}, "bins", "how the other values are cut"),
        ({"bins": "many"}, "bins", "not a number"),
        ({"bins": "nan 3"}, "bins", "not a number"),
        ({"bins": "20 20.25"}, "bins", "No bin can begin at 20.25"),
        ({"bins": "40 20"}, "bins", "from low to high"),
        ({"bins": "20 70"}, "bins", "No bin can begin at 70"),
        ({"prefer_not": "on"}, "bins", "a refusal is no number"),
        ({"randomized": "False"}, "bins", "single people out"),
        ({"unit": "h" * 31}, "unit", "30"),
    ],
)
def test_what_is_no_range_is_refused_at_its_field(changes, field, words):
    typed = form(**changes)
    assert list(typed.errors) == [field]
    assert words in str(typed.errors[field])


def test_another_kind_forgets_the_range():
    typed = form(kind="yes_no", lower="x", bins="y")
    assert not typed.errors
    assert typed.instance.scale is None


@pytest.mark.parametrize(
    ("bins", "shown"), [([], ""), ([0, 30, 60, 90], "4"), ([0, 30, 80], "0 15 40")]
)
def test_a_stored_range_is_shown_as_it_was_typed(bins, shown):
    stored = QuestionForm(instance=Question(kind="bounded_number", scale={**SCALE, "bins": bins}))
    assert stored["bins"].value() == shown
    assert stored["upper"].value() == "60"
    assert not stored["lowest_alone"].value()


@pytest.mark.parametrize("own", [("lowest_alone",), ("highest_alone",)])
def test_a_bin_of_its_own_is_frozen_drawn_and_estimated(own):
    """How many hours of overtime: most people have none, and the median is just that."""
    typed = form(bins="3", **dict.fromkeys(own, "on"))
    assert not typed.errors
    scale = typed.instance.scale
    shown = QuestionForm(instance=Question(kind="bounded_number", scale=scale))
    assert (shown["bins"].value(), shown[own[0]].value()) == ("3", True)
    launch = launched(questions=[{**BINS, "scale": scale}])
    (question,) = launch.parameters.questions
    lowest = own[0] == "lowest_alone"
    assert question.categories[0 if lowest else -1] == ("0 hours" if lowest else "60 hours")
    counts = [700, 100, 100, 100] if lowest else [100, 100, 100, 700]
    number = document(launch, counts)["number"]
    median = next(found for found in number["quantiles"] if found["chance"] == 0.5)
    assert median["interval"] == ([0, 0.25] if lowest else [59.75, 60])


def test_an_author_reads_which_device_is_better_and_by_how_much():
    survey = make_survey(questions=[HOURS])
    words = number_words(survey.questions.get(), 500)
    found = rr_engine.bounded.compare_number_devices(0, 60, "1", 500, steps=120)
    margin = 1.96 * found.devices[0].mean.standard_error
    assert f"one bit gives the mean to ± {margin:.1f} hours" in words
    assert f"best with {found.best_for_median.bins} bins" in words
    assert number_words(make_survey(slug="other").questions.get(), 500) == ""


def test_the_checks_before_launch_name_unsuitable_bins_and_a_wide_range():
    many = {**BINS, "scale": {**SCALE, "bins": list(range(0, 120, 3))}}
    best = rr_engine.bounded.compare_number_devices(0, 60, "1", 100, steps=120).best_for_median.bins
    starts = rr_engine.bounded.Bins.equal(0, 60, 120, best).starts
    good = {**BINS, "scale": {**SCALE, "bins": list(starts)}}
    survey = make_survey(questions=[HOURS, many, good], planned_n=100)
    found = {(finding.question, finding.code) for finding in lint_survey(survey)}
    assert ("q1", "wide_range") in found
    assert ("q2", "bins") in found
    assert not {("q1", "imprecise"), ("q3", "bins")} & found


def test_a_number_of_which_only_the_mean_is_known_is_not_crossed():
    survey = make_survey(
        questions=[HOURS, {"name": "team"}], linkage="together", cross_tables=[["q1", "team"]]
    )
    messages = [finding.message for finding in lint_survey(survey) if finding.code == "bad_table"]
    assert any("give it bins" in message for message in messages)


# --- what is frozen ------------------------------------------------------------------------------


def test_the_frozen_table_is_the_engines_device():
    (device,) = launched(questions=[HOURS]).parameters.devices
    assert isinstance(device.table, Linear)
    engine = rr_engine.bounded.MeanDevice.from_epsilon(120, "1")
    assert [list(column) for column in columns_of(device.table)] == [
        engine.column(step) for step in range(121)
    ]
    assert engine.epsilon_at_most(device.epsilon)


def test_the_categories_are_the_ends_or_the_bins_in_the_surveys_language():
    launch = launched(questions=[HOURS, BINS], language="de")
    hours, bins = launch.parameters.questions
    assert hours.categories == ("0 hours", "60 hours")
    assert bins.categories == ("0 bis 19,5 hours", "20 bis 39,5 hours", "40 bis 60 hours")
    assert bins.scale.bins == (0, 40, 80)
    assert from_json(json.dumps(to_json(launch.parameters))) == launch.parameters


# --- results -------------------------------------------------------------------------------------


def typed(launch: Any, counts: list[int], **changed: Any) -> QuestionResults:
    parameters = replace(launch.parameters, **changed)
    tallies = {("q1", "page"): counts}
    return results_document(parameters, launch.digest, tallies, sum(counts)).questions[0]


def document(launch: Any, counts: list[int], **changed: Any) -> Any:
    return as_json(typed(launch, counts, **changed))


@pytest.mark.parametrize("population", ["sample", "fixed"])
def test_the_mean_is_that_of_the_engine(population):
    entry = document(launched(questions=[HOURS]), [420, 580], population=population)
    device = rr_engine.bounded.MeanDevice.from_epsilon(120, "1")
    expected = rr_engine.bounded.mean_from_reports(device, [420, 580], 0, 60, population)
    mean = entry["number"]["mean"]
    assert entry["categories"] == []
    assert mean["estimate"] == pytest.approx(expected.value)
    assert mean["standard_error"] == pytest.approx(expected.standard_error)
    assert mean["interval"] == pytest.approx(expected.interval().tolist())
    assert (mean["reported"], mean["reported_share"]) == (580, 0.58)
    assert entry["number"]["quantiles"] == []
    assert ("spread_unknown" in entry["notes"]) == (population == "fixed")


def test_bins_give_shares_the_distribution_and_the_quartiles():
    entry = document(launched(questions=[BINS]), [500, 300, 200])
    design = rr_engine.k_rr(3, "1").quantized()
    found = rr_engine.estimate(design, [500, 300, 200])
    bins = rr_engine.bounded.Bins(0, 60, 120, (0, 40, 80))
    number = entry["number"]
    assert entry["categories"][0]["label"] == "0 to 19.5 hours"
    assert number["mean"]["estimate"] == pytest.approx(
        rr_engine.bounded.mean_from_bins(found, bins).value
    )
    assert number["distribution"]["boundaries"] == [0, 19.75, 39.75, 60]
    for quantile in number["quantiles"]:
        expected = rr_engine.bounded.quantile_from_bins(found, bins, quantile["chance"])
        assert quantile["estimate"] == pytest.approx(expected.value)
        assert quantile["interval"] == pytest.approx(expected.interval().tolist())
        assert quantile["even_interval"] == pytest.approx(expected.interval(method="even").tolist())
        assert set(quantile["interval"]) <= set(number["distribution"]["boundaries"])
    assert entry["mean"] is None


@pytest.mark.parametrize(
    ("epsilon", "counts", "told"), [("3", [20, 0], True), ("1", [30, 20], False)]
)
def test_a_page_says_where_too_few_reports_are_expected(epsilon, counts, told):
    """Chance makes less than one yes of 20 reports at epsilon 3."""
    question = {"text": "Yes?", "kind": "yes_no", "epsilon": Decimal(epsilon)}
    entry = document(launched(questions=[question]), counts)
    assert ("rare_reports" in entry["notes"]) == told
    low, high = entry["categories"][1]["interval"]
    assert high - low > 0.05


@pytest.mark.parametrize("counts", [[0, 1], [1000, 0], [0, 1000]])
def test_a_mean_beyond_the_range_is_shown_as_it_is(client, counts):
    entry = document(launched(questions=[HOURS]), counts)
    estimate = entry["number"]["mean"]["estimate"]
    assert not 0 <= estimate <= 60
    assert "mean_outside" in entry["notes"]
    assert not {"outside_range", "boundary"} & set(entry["notes"])


@pytest.mark.parametrize("counts", [[0, 0, 0, 50], [1, 0, 0, 0], [10, 0, 0, 900]])
def test_bins_that_next_to_nobody_is_in_have_numbers_or_none(counts):
    entry = document(launched(questions=[{**AGE, "epsilon": Decimal(2)}]), counts)
    for found in (entry["number"]["mean"], *entry["number"]["quantiles"]):
        assert all(end is None or np.isfinite(end) for end in found["interval"])


def test_the_results_page_and_the_downloads_tell_the_mean_and_the_quartiles(client):
    rows = [{"q1": number % 2, "q2": number % 4} for number in range(60)]
    launch = released(rows, questions=[HOURS, AGE], results_public=True)
    text = visible_text(client.get(f"/s/{launch.survey.slug}/results/").text)
    assert problems_in(text, "en") == []
    assert "The second code was sent in 50.0 % of the reports (30)." in text
    assert "Upper quartile" in text
    table = list(csv.DictReader(io.StringIO("".join(csv_format.pieces(estimates.table(launch))))))
    answers = [(row["question"], row["answer"]) for row in table if row["share_of"] == "number"]
    assert answers == [("q1", "mean"), ("q2", "mean"), ("q2", "p25"), ("q2", "p50"), ("q2", "p75")]
    book = list(csv.DictReader(io.StringIO("".join(csv_format.pieces(codes.table(launch))))))
    of_hours = [(row["report"], row["likeliest_from"]) for row in book if row["variable"] == "q1"]
    assert of_hours == [("A", "0 hours"), ("B", "60 hours")]


# --- simulation ----------------------------------------------------------------------------------


def test_simulated_people_give_back_the_mean_that_was_chosen():
    """Ten standard errors of 2,000 reports at epsilon 1 would be far beyond these four."""
    parameters = launched(questions=[HOURS]).parameters
    results = checked(simulated_survey(parameters, "", {"q1": [0.25, 0.75]}, 2000, seed=1).results)
    mean = results["questions"][0]["number"]["mean"]
    people = simulated_respondents(parameters, {"q1": [0.25, 0.75]}, 2000, 7)
    rows = simulated_responses(parameters, people, random_bytes=np.random.default_rng(8).bytes)
    ones = sum(row["reports"]["q1"] for row in rows)
    again = document(launched(questions=[HOURS], slug="again"), [2000 - ones, ones])
    assert abs(mean["estimate"] - 45) < 4 * mean["standard_error"]
    assert abs(again["number"]["mean"]["estimate"] - 45) < 4 * mean["standard_error"]


def test_the_true_mean_of_simulated_people_is_beside_the_estimate_and_in_its_figure(client):
    launch = released([{"q1": n % 2} for n in range(40)], results_public=True, questions=[HOURS])
    address = reverse("results", args=[launch.survey.slug])
    assert "imulated truth" not in client.get(address).text
    launch.survey.simulated_truth = {"q1": [0.3, 0.1]}
    launch.survey.save()
    text = visible_text(client.get(address).text)
    # A quarter of the way from 0 to 60.
    assert text.count("Simulated truth") == 1
    assert " 15" in text[text.index("Simulated truth") :]
    question = release_of(launch).content.questions[0]
    before, figure = (number_figure(question, truth) for truth in (None, [0.3, 0.1]))
    assert [trace["x"] for trace in figure["data"]].count([15.0]) == 1
    added = [text for text in figure["layout"]["annotations"] if text["text"] == "simulated truth"]
    assert [text["x"] for text in added] == [15.0]
    assert len(figure["data"]) == len(before["data"]) + 1


def test_of_bins_no_true_mean_is_known():
    launch = launched(questions=[BINS])
    entry = typed(launch, [20, 30, 10])
    view = number_view(entry, [0.2, 0.5, 0.3])
    assert (view.has_truth, {row.truth for row in view.rows}) == (False, {None})
    assert number_figure(entry, [0.2, 0.5, 0.3]) == number_figure(entry)


@pytest.mark.slow
def test_the_test_fill_shows_the_mean_in_its_units(client):
    survey = make_survey(questions=[HOURS, AGE])
    author = sign_in(client)
    fields = author.get(page(survey, "trial")).context["form"]
    data = {field.html_name: field.value() for field in fields} | {"respondents": "500"}
    text = visible_text(author.post(page(survey, "trial"), data).text)
    assert "30.0 hours" in text
    assert problems_in(text, "en") == []


# --- later waves ---------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", ["1", "1.7"])
def test_a_later_wave_relaxes_one_bit_or_keeps_it(epsilon):
    launch = coded_launch(questions=[HOURS, {"name": "drug"}], budget=6)
    following = next_wave(launch, q1=epsilon, drug="1.5")
    (device, _other) = check(read_back(following.parameters)).devices
    assert isinstance(device.table, Linear)
    assert device.epsilon == epsilon
    assert [earlier.wave for earlier in device.earlier] == [1]


def test_a_wave_that_does_not_fit_one_bit_is_refused():
    launch = coded_launch(questions=[HOURS, {"name": "drug"}], budget=6)
    parameters = next_wave(launch, q1="1.7", drug="1.5").parameters
    device = parameters.devices[0]
    wrong = replace(device.earlier[0].degradation, kept="1", other="0", denominator="1")
    earlier = (replace(device.earlier[0], degradation=wrong),)
    changed = (replace(device, earlier=earlier), *parameters.devices[1:])
    with pytest.raises(ParametersError) as error:
        check(replace(parameters, devices=changed))
    assert error.value.code == "not_relaxed"
