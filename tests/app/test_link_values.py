"""Values from the link: what is frozen and refused, what is sent and shown, and the links."""

from copy import deepcopy
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.disclosure_risk import risk_of_document
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.exceptions import InvalidSubmissionError
from surveys.features.link_values.section import NAME
from surveys.features.link_values.settings import typed_values
from surveys.models import Submission
from surveys.parameters import to_json
from surveys.services.definitions import import_definition
from tests.app.author_posts import page
from tests.app.contract.combined import BATCH
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner
from tests.filtered import question
from tests.released import answer

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]

WAVE = {
    **deepcopy(BATCH),
    "name": "wave",
    "text": "Wave",
    "options": ["One", "Other"],
    "features": {"link_values": {"values": "1"}},
}
DRUG = question("drug", text="A drug, in {batch|your batch}?")
HOURS = question("hours", only_if="batch = Second", randomized=False, epsilon=None)


def refused(*questions, **values):
    survey = make_survey(questions=questions, budget=9, **values)
    return [x.message for x in lint_survey(survey) if x.code == "link_values" and x.blocks]


def of_link(values, **others):
    return {**BATCH, "features": {"link_values": {"values": values}}, **others}


def test_a_launch_freezes_a_direct_question_that_the_link_answers():
    parameters = launched(questions=[BATCH, WAVE, DRUG], budget=9).parameters

    assert to_json(parameters)[NAME] == [
        {"question": "batch", "values": ["a", "b-2"]},
        {"question": "wave", "values": ["1"]},
    ]
    batch = parameters.question("batch")
    assert (batch.randomized, batch.categories) == (False, ("First", "Second", "Not given"))
    # It counts as a direct answer among what singles people out.
    risk = risk_of_document(parameters, planned_n=20)
    assert risk is not None
    assert set(risk.names) >= {"batch"}


@pytest.mark.parametrize(
    ("questions", "words"),
    [
        ([DRUG | {"text": "A drug?"}, BATCH], "before all that people are asked"),
        ([BATCH], "there is nothing to ask"),
        ([of_link("a, b", randomized=True), DRUG], "Ask this directly"),
        ([of_link("a, b", prefer_not=True), DRUG], "which nobody refuses"),
        ([of_link("1, 2", kind="scale"), DRUG], "a choice with options"),
        ([of_link("a, b, c"), DRUG], "3 values for 3 options"),
        ([of_link("a, a"), DRUG], "Look at “a”"),
        ([of_link("a b, c"), DRUG], "Look at “a b”"),
        ([of_link("a,"), DRUG], "Look at “”"),
    ],
)
def test_what_a_link_cannot_answer_is_refused(questions, words):
    found = refused(*questions)
    assert any(words in message for message in found), found


def test_a_definition_has_the_values():
    survey = make_survey(questions=[BATCH, DRUG], budget=9)
    definition = read_definition(written(definition_of(survey)))
    copy = import_definition(definition=definition, owner=owner()).survey
    assert [*map(typed_values, copy.questions.order_by("position"))] == ["a, b-2", ""]


def test_the_page_says_beforehand_what_links_say_and_counts_no_question(client: Client):
    launched(questions=[BATCH, DRUG], budget=9)
    served = client.get(reverse("respond", args=["health"])).text
    told = visible_text(served)
    assert "Your link says this, and it is sent and stored as it is, with your answers:" in told
    # The last answer until a script has read the link.
    assert '<span data-given="batch" hidden>First</span>' in served
    assert '<span data-given="batch">Not given</span>' in served
    assert "Scrambled answers, except" not in told


def test_a_filter_on_it_is_checked_from_the_reports():
    launch = launched(questions=[BATCH, DRUG, HOURS], budget=9)
    answer(launch, [{"batch": 1, "drug": 0, "hours": 1}])
    with pytest.raises(InvalidSubmissionError):
        answer(launch, [{"batch": 0, "drug": 0, "hours": 1}])
    assert Submission.objects.count() == 1


def test_the_form_without_a_script_asks_nothing_of_it_and_sends_that_nothing_is_known(
    client: Client,
):
    launch = launched(questions=[BATCH, {**DRUG, "physical_device": "die"}], budget=9)
    address = reverse("physical", args=["health"])
    form = client.get(address)
    told = visible_text(form.text)
    assert "What your link says does not reach this form" in told
    assert "A drug, in your batch?" in told
    assert 'name="report-batch"' not in form.text
    fields = form.context["form"]
    posted = {
        "digest": launch.digest,
        "submission": fields.initial["submission"],
        "report-drug": "A",
    }
    body = urlencode(posted)
    stored = client.post(address, body, content_type="application/x-www-form-urlencoded")
    assert stored.status_code == 201, stored.text
    assert Submission.objects.get().content["reports"]["batch"] == 2
    assert "Panel batch" in visible_text(stored.text)


def test_an_author_gets_a_link_for_each_choice_of_values(client: Client):
    launch = launched(questions=[BATCH, WAVE, DRUG], budget=9)
    client.force_login(owner())
    shared = client.get(page(launch.survey, "share")).text
    links = [f"http://testserver/s/health/#batch={batch}&amp;wave=1" for batch in ("a", "b-2")]
    assert all(f'value="{link}"' in shared for link in links), shared
    assert "Panel batch: First, Wave: One" in visible_text(shared)
    code = reverse("admin:survey_qr", args=[launch.survey.pk])
    assert client.get(f"{code}?link=1").headers["Content-Type"] == "image/svg+xml"
    assert client.get(f"{code}?link=0").content != client.get(f"{code}?link=1").content
    assert client.get(f"{code}?link=2").status_code == 404
    assert client.get(f"{code}?link=x").status_code == 404
