"""Choosing a question's devices: every rule at the field that mends it, and nothing lost."""

import re
from decimal import Decimal

import pytest

from surveys.devices import FAMILIES, default_family, draft_design
from surveys.devices.physical.registry import PHYSICAL_DEVICES
from surveys.drafts import Draft
from surveys.features.tables.settings import tables_of
from surveys.forms.question import QuestionForm
from surveys.services.definitions import clone_survey
from tests.app.author_posts import (
    QUESTION,
    composed,
    errors_of_new,
    opened,
    saved,
    sign_in,
    typed_form,
)
from tests.builders import make_survey, owner

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]
PLAIN = {**QUESTION, "name": "q1"}
RARE = {
    "design": "optimal_binary",
    "delta": "0.01",
    "prevalence": "0.002",
    "delta_understood": "on",
}


def several(count=3, **values):
    options = "\n".join(f"Option {index}" for index in range(count))
    return {"kind": "multiple_choice", "options": options, **values}


def scale(**values):
    return {"kind": "scale", "options": "Never\nOnce\nOften", **values}


@pytest.mark.parametrize(
    ("question", "design"),
    [({}, "k_rr"), (scale(), "k_rr"), (several(), "per_option"), (several(6), "per_option")],
)
def test_a_question_without_a_choice_gets_the_first_device_that_fits(client, question, design):
    row = saved(client, question).questions.get()
    assert row.design == design
    assert draft_design(row).epsilon <= float(row.epsilon)


@pytest.mark.parametrize(
    "question",
    [
        {"design": "laplace"},
        scale(design="laplace"),
        several(design="whole_set"),
        several(5, design="whole_set"),
        {"physical_device": "die", "epsilon": "2"},
    ],
)
def test_a_device_that_fits_is_kept(client, question):
    row = saved(client, question).questions.get()
    for name in {"design", "physical_device"} & question.keys():
        assert getattr(row, name) == question[name]


@pytest.mark.parametrize(
    ("question", "says"),
    [
        (several(design="k_rr"), "questions with one answer"),
        (several(6, design="whole_set"), "5 options at most"),
        ({"design": "per_option"}, "takes multiple choice"),
        ({"design": "whole_set"}, "takes multiple choice"),
        (scale(design="laplace", prefer_not="on"), "without “prefer not to say”"),
        ({"kind": "single_choice", "options": "A\nB", "design": "laplace"}, "need an order"),
        ({**RARE, "prefer_not": "on"}, "It takes yes or no"),
        (scale(**RARE), "It takes yes or no"),
    ],
)
def test_a_device_that_does_not_fit_is_refused_in_an_import_with_what_it_needs(question, says):
    errors = QuestionForm({**PLAIN, **question}).errors
    assert set(errors) == {"design"}
    (message,) = errors["design"]
    assert says in message
    assert "Choose “" in message


@pytest.mark.parametrize(
    "question",
    [several(design="laplace"), {"design": "per_option"}, scale(design="laplace", prefer_not="on")],
)
def test_a_device_that_does_not_fit_gives_way_and_its_author_is_told(client, question):
    survey, errors = composed(client, question)
    assert errors == {}
    row = survey.questions.get()
    assert row.design == default_family(Draft.of(row)).name
    form = typed_form(row, **question)
    assert "does not fit any more" in form.replaced
    assert str(FAMILIES[row.design].label) in form.replaced


def test_nothing_typed_is_lost_on_a_mistake(client):
    typed = {**RARE, "delta": "0.5", "physical_device": "die", "epsilon": "2"}
    survey, errors = composed(client, typed)
    assert "0.delta" in errors
    html = opened(client, survey.questions.get()).text
    assert 'name="delta" value="0.5"' in html
    assert 'name="prevalence" value="0.002"' in html
    assert '<option value="die" selected>' in html
    assert re.search(r'<details class="relaxed" data-design="optimal_binary" open>', html)


def test_an_unknown_device_is_none(client):
    survey, errors = composed(client, {"design": "telepathy", "physical_device": "crystal"})
    assert set(errors) == {"0.physical_device"}
    assert survey.questions.get().design == "k_rr"


def test_the_rare_trait_device_is_stored_in_strings_and_keeps_its_promise(client):
    row = saved(client, RARE).questions.get()
    assert row.design_parameters == {"delta": "0.01", "prevalence": "0.002"}
    design = draft_design(row)
    assert design.delta_at_most("1", "0.01")
    # Holohan 2017: at 0.2 % the one-sided device is the best one, which proves a delta share.
    assert design.integers[1, 0] == 0


@pytest.mark.parametrize(
    ("changes", "field", "says"),
    [
        ({"delta_understood": None}, "delta_understood", "Tick this"),
        ({"delta": ""}, "delta", "Give a delta"),
        ({"delta": "0"}, "delta", "above 0 and at most 0.1"),
        ({"delta": "-0.01"}, "delta", "above 0 and at most 0.1"),
        ({"delta": "0.11"}, "delta", "above 0 and at most 0.1"),
        ({"delta": "a few"}, "delta", "Enter a number"),
        ({"delta": "0.0000001"}, "delta", "6 decimal places"),
        ({"prevalence": ""}, "prevalence", "Guess how common"),
        ({"prevalence": "1"}, "prevalence", "between 0 and 1"),
        ({"prevalence": "0"}, "prevalence", "between 0 and 1"),
        ({"prevalence": "0.51"}, "prevalence", "Turn the question round"),
    ],
)
def test_delta_is_behind_its_warning_and_within_its_range(client, changes, field, says):
    question = {name: value for name, value in {**RARE, **changes}.items() if value is not None}
    errors = errors_of_new(client, question)
    assert set(errors) == {f"0.{field}"}
    assert says in " ".join(errors[f"0.{field}"])


def test_what_is_written_beside_an_unused_delta_does_not_matter(client):
    row = saved(client, {"delta": "nonsense", "prevalence": "7", "design": "k_rr"}).questions.get()
    assert row.design_parameters == {}


def test_the_warning_says_what_delta_means_before_the_device_can_be_chosen(client):
    html = opened(sign_in(client), make_survey().questions.get()).text
    disclosure = html[html.index('class="relaxed"') :]
    assert disclosure.index("of 1,000 people with the trait up to 10 are revealed") < (
        disclosure.index('value="optimal_binary"')
    )
    assert not re.search(r'<details class="relaxed"[^>]* open>', html)


@pytest.mark.parametrize(
    ("question", "says"),
    [
        ({"physical_device": "die", "epsilon": "0.3"}, "cannot keep an epsilon of 0.3"),
        (several(physical_device="die"), "does not fit this kind"),
        (scale(physical_device="crosswise_digit"), "does not fit this kind"),
    ],
)
def test_a_physical_randomizer_that_is_too_weak_or_does_not_fit_is_refused(client, question, says):
    errors = errors_of_new(client, question)
    assert set(errors) == {"0.physical_device"}
    assert says in errors["0.physical_device"][0]


def test_a_way_out_is_named(client):
    """0.05 is below all: 3 outcomes of 100 left for the truth are the strongest of any."""
    (message,) = errors_of_new(client, {"physical_device": "die", "epsilon": "0.01"})[
        "0.physical_device"
    ]
    assert "The smallest epsilon that any of them keeps here is" in message


def test_a_direct_question_has_no_devices_to_complain_of(client):
    direct = several(randomized="False", design="k_rr", physical_device="die")
    row = saved(client, direct).questions.get()
    assert (row.design, row.physical_device, row.epsilon) == ("per_option", "", None)


def test_a_clone_keeps_devices_and_tables():
    survey = make_survey(
        linkage="together",
        population="fixed",
        cross_tables=[["q1", "q2"]],
        questions=[
            {"design": "laplace", "physical_device": "die", "epsilon": Decimal(2)},
            {
                "design": "optimal_binary",
                "design_parameters": {"delta": "0.01", "prevalence": "0.002"},
            },
        ],
    )
    names = ("design", "physical_device", "design_parameters", "epsilon")
    before = list(survey.questions.values(*names))
    copy = clone_survey(survey=survey, owner=owner())
    assert list(copy.questions.values(*names)) == before
    assert (tables_of(copy), copy.population) == ((("q1", "q2"),), "fixed")


WRONG_LISTS = ("", "Coin", "Coin\nDie\ncoin")
LISTED_KINDS = ("single_choice", "scale", "multiple_choice")
DESIGNS = ("k_rr", "cards", "laplace", "per_option", "whole_set")


@pytest.mark.parametrize(
    ("kind", "options", "design"),
    [
        # Each pair of two of these three, once.
        (LISTED_KINDS[(row + column) % 3], options, design)
        for row, design in enumerate(DESIGNS)
        for column, options in enumerate(WRONG_LISTS)
    ],
)
def test_a_list_that_is_wrong_has_one_error_and_no_second_about_devices(
    client, kind, options, design
):
    values = {"kind": kind, "options": options, "design": design, "physical_device": "die"}
    errors = errors_of_new(client, values)
    assert {name: len(messages) for name, messages in errors.items()} == {"0.options": 1}


SHAPES = [
    {},
    {"prefer_not": "on"},
    *({"kind": "single_choice", "options": "\n".join("abcdefgh"[:size])} for size in (2, 4, 5, 8)),
    {"kind": "multiple_choice", "options": "a\nb", "design": "per_option"},
]


def offered_devices(form):
    """The physical randomizers that the page lets an author choose, without any script."""
    options = re.findall(r"<option ([^>]*)>", str(form["physical_device"]))
    return {
        re.search(r'value="(\w*)"', option)[1] for option in options if "disabled" not in option
    } - {""}


@pytest.mark.parametrize("epsilon", ["0.2", "0.7", "1", "1.4", "2.5"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_what_is_offered_is_accepted_and_nothing_else_is(epsilon, shape):
    plain = {**PLAIN, "epsilon": epsilon, **shape}
    accepted = {
        name
        for name in PHYSICAL_DEVICES
        if QuestionForm({**plain, "physical_device": name}).is_valid()
    }
    posted = QuestionForm(plain)
    posted.is_valid()
    assert offered_devices(posted) == accepted
    assert offered_devices(QuestionForm(instance=posted.instance)) == accepted


def test_a_new_question_is_offered_what_fits_its_defaults():
    starts = {**PLAIN, "prefer_not": "on", "required": ""}
    accepted = {
        name
        for name in PHYSICAL_DEVICES
        if QuestionForm({**starts, "physical_device": name}).is_valid()
    }
    assert offered_devices(QuestionForm()) == accepted
    assert "two_dice" in accepted


def test_what_was_chosen_and_does_not_fit_stays_beside_its_error():
    form = QuestionForm({**PLAIN, "epsilon": "0.2", "physical_device": "die"})
    assert not form.is_valid()
    assert "die" in offered_devices(form)
