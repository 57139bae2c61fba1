"""Questions for some people only, on the form without scripts: words, letters, blanks, refusals."""

import re
from collections import Counter
from decimal import Decimal
from fractions import Fraction
from itertools import product

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from surveys.authoring.checks.survey import lint_survey
from surveys.features.filters.section import filters_of
from surveys.forms.physical import PhysicalForm
from surveys.models import Submission
from surveys.parameters.tables import columns_of
from tests.app.test_physical_devices import outcomes_of, read_outcomes
from tests.app.test_physical_form import Controls, assert_refused, filled, text_of
from tests.app.test_recomputed import PROGRAMS, assert_all_the_same, download_all, recompute
from tests.builders import launched, make_survey
from tests.filtered import question
from tests.unchanged.people import fill

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("launch")]

DIRECT = {"randomized": False, "epsilon": None}
WORK = question("work", text="Are you in paid work?", **DIRECT)
TOOLS = question("tools", kind="multiple_choice", options=["Saw", "Drill"], **DIRECT)
NIGHTS = question("nights", only_if="work = Yes", **DIRECT)
DRUG = question("drug", epsilon=Decimal("1.1"), physical_device="two_coins")
OFTEN = question(
    "often",
    only_if="drug = Yes",
    kind="scale",
    options=["Once", "Some times", "Often"],
    epsilon=Decimal("1.5"),
    physical_device="two_dice",
)
DRIVEN = question(
    "driven",
    only_if="often = Some times | Often",
    epsilon=Decimal(2),
    physical_device="die",
)
STOLEN = {
    **question("stolen", epsilon=Decimal("1.1"), physical_device="two_coins"),
    "features": {"filters": {"only_if": "work = Yes and tools = Saw | Drill", "unasked": True}},
}
ASKED = [WORK, TOOLS, NIGHTS, DRUG, OFTEN, DRIVEN, STOLEN]
LETTERS = {"report-drug": "A", "report-often": "D", "report-driven": "C"}
AT_WORK = {
    **LETTERS,
    "report-work": "B",
    "report-tools": "tools_1",
    "report-nights": "A",
    "report-stolen": "B",
}
OUT_OF_WORK = {
    **LETTERS,
    "report-work": "A",
    "report-tools": "none",
    "report-nights": ".",
    "report-stolen": ".",
}


@pytest.fixture
def launch():
    return launched(slug="work", budget=Decimal(9), questions=ASKED, linkage="together")


def load(slug="work"):
    return Client().get(reverse("physical", args=[slug]))


def post(launch, answers):
    return Client().post(
        reverse("physical", args=[launch.survey.slug]),
        "&".join(f"{name}={value}" for name, value in filled(launch, answers).items()),
        content_type="application/x-www-form-urlencoded",
    )


def shown(page):
    """The names and values of the controls, with those that the browser insists on."""
    controls = [each for each in Controls(page.content.decode()).inputs if "name" in each]
    values: dict[str, list[str]] = {}
    for each in controls:
        values.setdefault(each["name"], []).append(each.get("value", ""))
    return values, {each["name"] for each in controls if "required" in each}


def errors_of(answer):
    """The message at each question, by its field."""
    found = re.findall(r'id="(report-\w+)-error">(.*?)</p>', answer.content.decode())
    return dict(found)


# --- what stands on the form ----------------------------------------------------------------------


def test_each_question_says_for_whom_it_is():
    text = text_of(load())
    letter = "If it is not for you, go through the steps with “Does not apply” as your real answer."
    for words in (
        "This question is for you if the answer to “Are you in paid work?” is “Yes”. "
        "If it is not for you, leave it out.",
        f"This question is for you if the answer to “Drug?” is “Yes”. {letter}",
        f"This question is for you if the answer to “Often?” is “Some times” or “Often”. {letter}",
        "This question is for you if the answer to “Are you in paid work?” is “Yes”, and the "
        "answer to “Tools?” is “Saw” or “Drill”. If it is not for you, leave it out.",
    ):
        assert words in text
    assert text.count("Not for everybody") == 4
    assert text.count("Send a letter also where a question with steps is not for you") == 1
    assert "D for “Does not apply”" in text
    assert "C for “Does not apply”" in text


def test_whoever_a_scrambled_question_is_not_for_has_no_other_controls():
    """Letters for every answer and no blank, which the browser itself does not let through."""
    values, insisted = shown(load())
    assert values["report-often"] == ["A", "B", "C", "D"]
    assert values["report-driven"] == ["A", "B", "C"]
    assert insisted == {"report-often", "report-driven"}
    # Those that everybody may know of can be left out, in as many bytes as each letter takes.
    assert values["report-nights"] == values["report-stolen"] == ["A", "B", "."]
    assert "novalidate" not in load().content.decode()


@pytest.mark.parametrize(
    ("language", "whom"),
    [("de", "Diese Frage ist für Sie, wenn gilt"), ("he", "השאלה מיועדת לכם אם")],
)
def test_it_says_so_in_the_surveys_language(language, whom):
    with translation.override(language):
        yes = translation.gettext("Yes")
        left_out = translation.gettext("If it is not for you, leave it out.")
    only_if = {"features": {"filters": {"only_if": f"work = {yes}"}}}
    questions = [WORK, NIGHTS | only_if, DRUG]
    launched(slug="other", questions=questions, language=language)
    text = text_of(load("other"))
    assert whom in text
    assert left_out in text
    assert not re.search(r"This question is for you|Not for everybody|leave it out", text)


# --- what is taken and what is refused ------------------------------------------------------------


def test_whoever_it_is_for_answers_and_others_leave_out_what_everybody_knows(launch):
    assert post(launch, AT_WORK).status_code == 201
    assert post(launch, OUT_OF_WORK).status_code == 201
    letters = {"drug": 0, "often": 3, "driven": 2}
    direct = {"work": 1, "tools_1": 1, "tools_2": 0, "nights": 0}
    assert sorted((each.content["reports"] for each in Submission.objects.all()), key=len) == [
        {**letters, "work": 0, "tools_1": 0, "tools_2": 0},
        {**letters, **direct, "stolen": 1},
    ]


@pytest.mark.parametrize(
    ("change", "field", "words"),
    [
        ({"report-work": "A"}, "report-nights", "“Yes”. Your other answers say it is not:"),
        ({"report-tools": "none"}, "report-stolen", "“Drill”. Your other answers say it is not:"),
        ({"report-nights": "."}, "report-nights", "“Yes”. Your other answers say it is:"),
        ({"report-stolen": ""}, "report-stolen", "“Drill”. Your other answers say it is:"),
    ],
)
def test_what_the_other_answers_do_not_fit_is_said_at_the_question(launch, change, field, words):
    answer = post(launch, AT_WORK | change)
    assert_refused(answer, 422, words)
    errors = errors_of(answer)
    assert words in errors[field]
    assert errors.keys() <= {"report-nights", "report-stolen"}
    # Nothing of what was chosen is lost.
    html = answer.content.decode()
    checked = {each["name"]: each["value"] for each in Controls(html).inputs if "checked" in each}
    chosen = {name: value for name, value in (AT_WORK | change).items() if value}
    assert checked.items() >= chosen.items()


def test_of_a_question_that_rests_on_a_missing_answer_nothing_is_said_yet(launch):
    answer = post(launch, {name: AT_WORK[name] for name in AT_WORK if name != "report-work"})
    assert_refused(answer, 422)
    assert errors_of(answer) == {"report-work": "Choose an answer."}


@pytest.mark.parametrize("field", ["report-often", "report-driven"])
@pytest.mark.parametrize("value", ["", "."])
def test_of_a_scrambled_question_nothing_blank_is_taken(launch, field, value):
    answer = post(launch, AT_WORK | {field: value})
    assert_refused(answer, 422, "Choose a letter.")
    assert errors_of(answer) == {field: "Choose a letter."}


# --- what a letter says ---------------------------------------------------------------------------


def sent_by(steps, labels, truth, outcomes):
    """How many outcomes lead whoever has a true answer to each letter, as the steps say."""
    counts: Counter[str] = Counter()
    for step in steps:
        if ": " not in step:
            continue
        condition, command = step.split(": ", 1)
        named = re.findall(r"\b([A-Z]) for “(.*?)”", command)
        letter = {label: letter for letter, label in named}.get(labels[truth])
        letter = letter or command.rstrip(".")[-1]
        counts[letter] += len(read_outcomes(condition, outcomes))
    return counts


def test_the_letters_have_exactly_the_law_that_is_declared(launch):
    """By enumeration of what coins and dice show, for all real answers of a person.

    Whoever a question is not for follows the steps with “does not apply”.
    """
    parameters = launch.parameters
    asked = {x.question.id: x for x in PhysicalForm(parameters).form_questions if x.by_letter}
    devices = {"drug": "two_coins", "often": "two_dice", "driven": "die"}
    filters = {each.question: each for each in filters_of(parameters)}
    laws = {}
    for said in product(*(range(parameters.question(name).answer_count) for name in devices)):
        real: dict[str, int] = {}
        for name, answer in zip(devices, said, strict=True):
            found = asked[name].question
            is_for_them = name not in filters or filters[name].holds(real)
            real[name] = answer if is_for_them else found.inapplicable
            outcomes = outcomes_of(devices[name], "en")
            counts = sent_by(asked[name].steps, found.categories, real[name], outcomes)
            assert [*counts] == [*asked[name].letters]
            table = asked[name].devices[0].table
            column = [Fraction(n, table.denominator) for n in columns_of(table)[real[name]]]
            assert [Fraction(n, len(outcomes)) for n in counts.values()] == column
            laws[name, real[name]] = column
    # Whoever it is not for may send any letter, as everybody may.
    assert {truth for name, truth in laws if name == "often"} == {0, 1, 2, 3}
    assert all(chance > 0 for column in laws.values() for chance in column)


@pytest.mark.slow
def test_the_programs_compute_what_dice_and_browsers_have_sent(launch, tmp_path):
    """With the shares of those whom a question is for, over both ways to answer."""
    plain = [{**each, "features": {}} if each is STOLEN else each for each in ASKED]
    values = {"release_threshold": 5, "results_public": True, "linkage": "together"}
    launch = launched(slug="both", budget=Decimal(9), questions=plain, **values)
    fill(launch, 120, physical=0.5)
    download_all(launch, tmp_path)
    for ending in PROGRAMS:
        assert_all_the_same(tmp_path, ending, recompute(tmp_path, ending))
    (estimates,) = tmp_path.glob("*-estimates.csv")
    assert estimates.read_text(encoding="utf-8").count(",asked,") == 5


# --- what the form leaves out ---------------------------------------------------------------------

PAGE_ONLY = question("caught", required=False)
BEHIND = question("fined", only_if="caught = Yes", epsilon=Decimal(2), physical_device="die")
FURTHER = question("paid", only_if="fined = Yes", epsilon=Decimal(2), physical_device="die")


def test_where_nobody_can_say_whom_a_question_is_for_there_is_no_form():
    questions = [DRUG, PAGE_ONLY, BEHIND, FURTHER]
    launched(slug="less", budget=Decimal(9), questions=questions)
    page = load("less")
    assert page.status_code == 404
    assert "Only the page can scramble the answers to: Caught? Fined? Paid?" in text_of(page)
    survey = make_survey(slug="draft", questions=questions, budget=Decimal(9))
    (finding,) = [each for each in lint_survey(survey) if each.code == "no_physical_form"]
    assert "fined, paid must be answered, and whom that is for depends on a" in finding.message


def test_what_a_link_says_is_known_on_the_form():
    batch = {
        **question("batch", kind="single_choice", options=["First", "Not given"], **DIRECT),
        "features": {"link_values": {"values": "a"}},
    }
    of_first = {"only_if": "batch = First"}
    questions = [
        batch,
        DRUG,
        NIGHTS | {"features": {"filters": of_first}},
        DRIVEN | {"features": {"filters": of_first}},
        DRIVEN | {"name": "ill", "features": {"filters": {"only_if": "batch = Not given"}}},
    ]
    launch = launched(slug="links", budget=Decimal(9), questions=questions)
    values, _insisted = shown(load("links"))
    assert {*values} == {"digest", "submission", "report-drug", "report-driven", "report-ill"}
    text = text_of(load("links"))
    assert (
        text.count("Not for everybody This question is for nobody who answers on this form.") == 1
    )
    assert text.count("Not for everybody") == 1
    sent = {"report-drug": "A", "report-driven": "C", "report-ill": "B"}
    assert post(launch, sent).status_code == 201


# --- what an author is told -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("device", "words"),
    [
        ("crosswise_digit", "does not take “does not apply” as one more answer"),
        ("crosswise_birthday", "Ask it of everybody, or choose another device. These do: A coin"),
    ],
)
def test_two_opposites_leave_no_place_for_a_third_answer(device, words):
    asked = DRIVEN | {"physical_device": device, "features": {"filters": {"only_if": "drug = Yes"}}}
    survey = make_survey(questions=[DRUG, asked], budget=Decimal(9))
    (finding,) = [each for each in lint_survey(survey) if each.code == "physical_device"]
    assert finding.blocks
    assert words in finding.message
