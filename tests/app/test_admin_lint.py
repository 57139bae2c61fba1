"""The statements of the authors' pages before a launch."""

from decimal import Decimal

import pytest

import rr_engine
from surveys.authoring.checks.survey import lint_survey
from surveys.devices import FAMILIES
from surveys.features.roster.reading import RosterRow
from surveys.services.launches import launch_survey
from tests.app.author_posts import page, sign_in
from tests.builders import launched, make_survey, make_user
from tests.rosters import rostered

pytestmark = pytest.mark.django_db


def codes(survey, *, blocking):
    return {finding.code for finding in lint_survey(survey) if finding.blocks == blocking}


# A survey by personal link, whose roster comes beside it.
NETWORK = {"mode": "personal", "linkage": "together", "release_threshold": 5, "planned_n": 12}


def rows(count, start=0):
    """People of a roster by the numbers in their codes."""
    return [RosterRow(f"p{n}", f"Person {n}", "") for n in range(start, start + count)]


def plain(**values):
    """A draft without findings."""
    return make_survey(**{"release_threshold": 20, "release_batch": 5, **values})


@pytest.mark.parametrize(
    ("values", "code"),
    [
        ({}, None),
        ({"release_batch": 1}, "batch_of_one"),
        ({"release_batch": 20}, None),
        ({"release_batch": 21}, "batch_above_threshold"),
        ({"release_batch": 900, "planned_n": 800}, "batch_above_planned"),
        ({"questions": [{"required": False}]}, "optional_sensitive"),
        # The defaults of a new question: whoever declines can do so under the device.
        ({"questions": [{"required": False, "prefer_not": True}]}, None),
        ({"questions": [{}, {"required": False, "randomized": False}]}, None),
    ],
)
def test_what_epsilon_does_not_cover_is_told_and_blocks_nothing(values, code):
    survey = plain(**values)
    assert codes(survey, blocking=False) == ({code} if code else set())
    assert not codes(survey, blocking=True)


def test_other_surveys_are_named_where_the_same_people_are_asked():
    """An open link reaches nobody knows whom: no survey of its author is warned of for that."""
    launched(slug="first", title="First", questions=[{}])
    assert codes(plain(), blocking=False) == set()

    rostered(slug="web", title="Web", roster=rows(12))
    others = rows(12)[:10] + rows(12, start=40)[10:]
    rostered(slug="web-2", title="Web 2", roster=others)
    rostered(slug="demo", title="Simulated", roster=rows(12), simulated_truth={})
    make_survey(slug="web-draft", title="Still a draft", roster=rows(12), **NETWORK)
    colleague = make_user("colleague", author=True)
    rostered(slug="web-3", title="Theirs", roster=rows(12), owned_by=colleague)
    again = make_survey(slug="again", roster=rows(12), **NETWORK)
    found = message(again, "asked_elsewhere")
    assert (
        "12 people on this roster were asked sensitive questions before: “Web”, “Web 2”." in found
    )
    one = make_survey(slug="one", roster=rows(12, start=51), **NETWORK)
    assert "1 person on this roster was asked" in message(one, "asked_elsewhere")
    none = make_survey(slug="none", roster=rows(12, start=80), **NETWORK)
    assert "asked_elsewhere" not in codes(none, blocking=False)


def test_a_device_with_infinite_epsilon_stops_the_launch(monkeypatch):
    """A constructor that sends the answer itself, as a future kind of device might by mistake."""
    family = FAMILIES["k_rr"]
    monkeypatch.setattr(
        family, "channel", lambda draft: rr_engine.designs.direct(family.truths(draft))
    )
    assert codes(make_survey(), blocking=True) == {"infinite_epsilon"}


def test_a_survey_without_a_sensitive_question_is_questioned():
    survey = plain(questions=[{"randomized": False}])
    assert codes(survey, blocking=False) == {"nothing_sensitive"}
    assert not codes(survey, blocking=True)


def test_labels_are_compared_in_the_respondents_language():
    """“Lieber nicht angeben” or not: the refusal is a category in the language of the survey."""
    from django.utils import translation
    from django.utils.translation import gettext

    with translation.override("de"):
        refusal = gettext("Prefer not to say")
    question = {"kind": "single_choice", "options": ["A", refusal], "prefer_not": True}
    survey = make_survey(language="de", questions=[question])
    assert codes(survey, blocking=True) == {"same_option"}


def several(**values):
    return {"kind": "multiple_choice", "options": ["A", "B"], "design": "per_option", **values}


def message(survey, code):
    (text,) = [finding.message for finding in lint_survey(survey) if finding.code == code]
    return text


@pytest.mark.parametrize(
    "question",
    [
        several(design="k_rr"),
        several(design="whole_set", options=list("ABCDEF")),
        {"design": "whole_set"},
        {"design": "laplace", "prefer_not": True},
        {"design": "no such device"},
    ],
)
def test_a_device_of_another_kind_stops_the_launch_and_says_which_fit(question):
    survey = make_survey(questions=[question])
    assert codes(survey, blocking=True) == {"no_device"}
    assert "Choose “" in message(survey, "no_device")


@pytest.mark.parametrize(
    "parameters",
    [{}, {"delta": "0.01"}]
    + [{"delta": delta, "prevalence": "0.01"} for delta in ("much", "NaN", "Infinity", "-1")],
)
def test_a_rare_trait_without_its_numbers_stops_the_launch(parameters):
    question = {"design": "optimal_binary", "design_parameters": parameters}
    assert "no_device" in codes(make_survey(questions=[question]), blocking=True)


def rare(delta="0.01", prevalence="0.002"):
    return {
        "design": "optimal_binary",
        "design_parameters": {"delta": delta, "prevalence": prevalence},
    }


def test_an_accepted_delta_is_a_warning_with_the_people_it_reveals():
    """10,000 respondents, 20 of them with the trait, each revealed with probability 0.01."""
    survey = make_survey(planned_n=10_000, questions=[rare()])
    assert codes(survey, blocking=True) == set()
    text = message(survey, "delta")
    assert "of 10,000 respondents 0.2 are expected to be revealed outright" in text
    assert "if 0.2 of 100 answer Yes" in text


def test_a_delta_that_buys_nothing_is_said():
    """Above pi* = 0.0077 (Holohan 2017, eps = 1, delta = 0.01) the symmetric device is best."""
    text = message(make_survey(questions=[rare(prevalence="0.1")]), "delta")
    assert "nobody is revealed" in text


def test_a_delta_for_a_common_trait_stops_the_launch():
    """Its proving code would be one that only a No can send."""
    survey = make_survey(questions=[rare(delta="0.05", prevalence="0.995")])
    assert codes(survey, blocking=True) == {"common_trait"}


def test_a_physical_randomizer_that_nobody_can_reach_is_said():
    required, optional = {"name": "b"}, {"name": "b", "required": False}
    physical = {"name": "a", "physical_device": "die", "epsilon": Decimal(2)}
    survey = make_survey(questions=[physical, required])
    assert "no_physical_form" in codes(survey, blocking=False)
    assert "b must be answered" in message(survey, "no_physical_form")
    offered = make_survey(slug="offered", questions=[physical, optional])
    assert "no_physical_form" not in codes(offered, blocking=False)
    without = make_survey(slug="without", questions=[required])
    assert "no_physical_form" not in codes(without, blocking=False)


def test_deltas_of_several_questions_add_up():
    survey = make_survey(questions=[rare(), rare(delta="0.025")])
    assert "0.035 in all" in message(survey, "total_delta")
    assert "up to 35 are revealed" in message(survey, "total_delta")
    assert "total_delta" not in codes(make_survey(slug="one", questions=[rare()]), blocking=False)


def test_deltas_may_add_up_to_a_tenth_and_no_more():
    """Seen before: twelve questions with the largest delta, published as a probability of 1.2."""
    survey = make_survey(slug="most", questions=[rare(delta="0.07"), rare(delta="0.03")])
    assert codes(survey, blocking=True) == set()
    launch_survey(survey=survey, actor=None)
    above = make_survey(questions=[rare(delta="0.07"), rare(delta="0.030001")])
    assert codes(above, blocking=True) == {"over_delta"}
    text = message(above, "over_delta")
    assert "add up to 0.100001" in text
    assert "at most 0.1 is allowed" in text
    assert "total_delta" not in codes(above, blocking=False)


def test_no_single_delta_is_above_what_the_form_takes():
    survey = make_survey(questions=[rare(delta="0.2", prevalence="0.3")])
    assert codes(survey, blocking=True) == {"over_delta"}


@pytest.mark.parametrize(
    "question",
    [
        {"physical_device": "die", "epsilon": Decimal("0.3")},
        {"physical_device": "no such device"},
        several(physical_device="die"),
        {"kind": "scale", "options": ["A", "B", "C"], "physical_device": "crosswise_digit"},
    ],
)
def test_a_physical_randomizer_that_cannot_serve_stops_the_launch(question):
    assert codes(make_survey(questions=[question]), blocking=True) >= {"physical_device"}


def test_an_option_cannot_be_called_like_a_question():
    survey = make_survey(questions=[several(name="a"), {"name": "a_2"}])
    assert codes(survey, blocking=True) == {"same_id"}
    assert "called “a_2”" in message(survey, "same_id")


def test_the_refusal_is_an_option_too():
    questions = [several(name="a", prefer_not=True), {"name": "a_3"}]
    assert codes(make_survey(questions=questions), blocking=True) == {"same_id"}


@pytest.mark.parametrize(
    "first",
    [several(name="a", design="whole_set"), {"name": "a", "kind": "scale", "options": list("ABC")}],
)
def test_a_device_over_all_options_takes_no_name_of_an_option(first):
    """Its device is called "a", so a question "a_1" is another one; so it is in a launch."""
    survey = make_survey(questions=[first, {"name": "a_1"}])
    assert codes(survey, blocking=True) == set()
    devices = launch_survey(survey=survey, actor=None).parameters.devices
    assert [device.id for device in devices] == ["a", "a_1"]


def test_many_options_share_one_epsilon_and_its_cost_is_said():
    question = several(options=[str(index) for index in range(20)])
    assert "imprecise" in codes(make_survey(questions=[question]), blocking=False)


def test_a_margin_beyond_all_shares_is_not_said_in_points():
    scale = {"kind": "scale", "options": list("ABCDE"), "design": "laplace", "epsilon": 1}
    text = message(make_survey(questions=[scale], planned_n=100), "imprecise")
    assert "nothing will be known of some shares: the margin is over 100 points" in text
    assert "±" not in text


def test_tables_of_answers_kept_apart_stop_the_launch():
    survey = make_survey(cross_tables=[["q1", "q2"]], questions=[{}, {}])
    assert "tables_apart" in codes(survey, blocking=True)


@pytest.mark.parametrize(
    "tables",
    [[["q1", "q3"]], [["q1", "q1"]], [["q1", "q2"], ["q1", "q2"]], [["q1", "q2"]] * 21],
)
def test_a_table_that_cannot_be_stops_the_launch(tables):
    survey = make_survey(linkage="together", cross_tables=tables, questions=[{}, {}])
    assert "bad_table" in codes(survey, blocking=True)


def test_a_table_with_too_few_people_in_its_cells_is_a_warning():
    """Effective share 0.089 each at epsilon 1: 500 people are worth 4 in 4 cells."""
    pair = {"linkage": "together", "cross_tables": [["q1", "q2"]], "questions": [{}, {}]}
    text = message(make_survey(**pair), "thin_table")
    assert "4 cells" in text
    assert "of 500 respondents are worth about 4 direct ones" in text
    enough = make_survey(slug="enough", planned_n=6000, **pair)
    assert "thin_table" not in codes(enough, blocking=False)


def test_the_page_names_the_question_and_says_what_stops(client):
    survey = make_survey(budget=Decimal(1), questions=[{}, {"text": " ", "epsilon": Decimal("7")}])
    assert sign_in(client).get(page(survey)).text.count("Stops the launch") == 1
    html = client.get(page(survey, "launch")).text
    assert "q2: The question has no text." in html
    assert "above the budget" in html


def test_a_draft_that_is_fine_says_so(client):
    survey = plain()
    assert "Stops the launch" not in sign_in(client).get(page(survey)).text
    assert "Nothing stands in the way of a launch." in client.get(page(survey, "launch")).text


def test_what_a_template_leaves_open_is_told():
    question = {"text": "Did you?", "help_text": "Help: [your helpline], [opening hours]."}
    survey = plain(questions=[question, {}], consent="By [your institution]. [x] [sic")
    told = [each.message for each in lint_survey(survey) if each.code == "placeholder"]
    assert told == [
        "Write what stands for these square brackets: [your institution].",
        "q1: Write what stands for these square brackets: [your helpline], [opening hours].",
    ]
    assert codes(plain(slug="done", questions=[{}]), blocking=False) == set()
