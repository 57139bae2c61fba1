"""Help below a distressing question and the quick exit: what is set, frozen, refused and shown."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.authoring.definition_changes import changes_between
from surveys.authoring.draft_parameters import draft_parameters
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.features.support.links import linked
from surveys.features.support.settings import has_box, support_of
from surveys.models import Survey
from surveys.parameters import ParametersError, check, digest_of, read, to_json
from surveys.services.definitions import import_definition
from surveys.services.launches import launch_survey
from surveys.services.transitions import close_survey
from tests.app.author_posts import errors_of_new, page, saved, sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner
from tests.vectors.broken_documents import signed
from tests.waves import coded_launch, next_wave

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
HELP = "Call 116 006.\n\nhttps://help.example"
SUPPORTED = {"help_text": HELP, "quick_exit": True}
QUESTIONS = [{"help_box": True}, {"text": "B?"}]
FROZEN = {"text": HELP, "after": ["q1"], "exit": "https://en.wikipedia.org/"}


def codes(survey):
    return {finding.code: finding.blocks for finding in lint_survey(survey)}


def section(survey):
    return to_json(draft_parameters(survey=survey)).get("support")


# --- the document ---------------------------------------------------------------------------------


def test_a_survey_without_it_has_no_key_of_it():
    assert "support" not in launched().document
    ticked = make_survey(slug="ticked", exit_address="https://harmless.example/")
    assert section(ticked) is None


def test_what_is_frozen_is_read_back_under_the_same_digest():
    launch = launched(questions=QUESTIONS, **SUPPORTED)
    assert launch.document["support"] == FROZEN
    assert digest_of(check(read(launch.document))) == launch.digest


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"exit": "http://harmless.example/"}, "bad_address"),
        ({"after": ["q9"]}, "unknown_question"),
        ({"text": ""}, "bad_support"),
        ({"more": 1}, "shape"),
    ],
)
def test_a_changed_section_is_refused(changes, code):
    document = to_json(draft_parameters(survey=make_survey(questions=QUESTIONS, **SUPPORTED)))
    with pytest.raises(ParametersError) as refused:
        check(read(signed(document | {"support": FROZEN | changes})))
    assert refused.value.code == code


def test_the_exit_leads_to_a_page_in_the_language_of_the_survey():
    german = make_survey(language="de", quick_exit=True)
    assert section(german) == {"text": "", "after": [], "exit": "https://de.wikipedia.org/"}
    own = make_survey(slug="own", quick_exit=True, exit_address="https://www.weather.example/")
    assert section(own)["exit"] == "https://www.weather.example/"


def test_it_goes_from_wave_to_wave_and_into_a_clone(client):
    launch = coded_launch(questions=QUESTIONS, **SUPPORTED)
    second = next_wave(launch, q1="1.5")
    assert (second.wave, second.document["support"]) == (2, FROZEN)
    sign_in(client).post(page(launch.survey, "clone"))
    clone = Survey.objects.exclude(pk=launch.survey.pk).get()
    assert (support_of(clone).text, support_of(clone).quick_exit) == (HELP, True)
    assert [has_box(question) for question in clone.questions.all()] == [True, False]


# --- the launch -----------------------------------------------------------------------------------


def test_a_tick_without_a_text_and_an_exit_without_https_stand_in_the_way():
    assert codes(make_survey(questions=QUESTIONS))["empty_support"] is True
    plain = {"quick_exit": True, "exit_address": "http://harmless.example/"}
    assert codes(make_survey(slug="plain", **plain))["exit_address"] is True
    assert (
        codes(make_survey(slug="off", exit_address="nowhere"))
        .keys()
        .isdisjoint({"exit_address", "empty_support"})
    )


def test_what_a_template_leaves_open_in_the_help_is_named():
    survey = make_survey(help_text="Call [your helpline].")
    (finding,) = [each for each in lint_survey(survey) if each.code == "placeholder"]
    assert "[your helpline]" in finding.message
    assert not finding.blocks


def test_the_page_of_the_launch_says_what_freezes(client):
    survey = make_survey(questions=QUESTIONS, **SUPPORTED)
    shown = visible_text(sign_in(client).get(page(survey, "launch")).text)
    for words in ("Help for respondents", "Call 116 006.", "https://en.wikipedia.org/"):
        assert words in shown
    assert "The box with help stands below" in shown


# --- the author's page ----------------------------------------------------------------------------


@pytest.mark.slow
def test_an_author_types_it_and_reads_it_again(client):
    typed = {"help_text_for_respondents": HELP, "quick_exit": "on"}
    address = {"exit_address": "https://en.wikipedia.org/"}
    survey = saved(client, {"help_box": "on"}, {}, **typed, **address)
    assert section(survey) == FROZEN
    # The usual address is that of the language, whichever that becomes.
    assert support_of(survey).address == ""
    shown = client.get(page(survey, "settings")).text
    assert HELP in shown.replace("\r", "")
    assert 'value="https://en.wikipedia.org/"' in shown
    launch_survey(survey=survey, actor=None)
    launched_page = visible_text(client.get(page(survey)).text)
    for words in ("Help for respondents", "Quick exit", "The quick exit leads to"):
        assert words in launched_page


def test_an_address_without_https_is_refused_beside_its_field(client):
    typed = {"quick_exit": "on", "exit_address": "www.weather.example"}
    assert errors_of_new(client, **typed)["exit_address"] == [
        "Write an address that begins with https://, without spaces."
    ]
    assert not support_of(Survey.objects.get()).quick_exit


def test_a_definition_has_all_of_it_and_the_history_its_changes():
    survey = make_survey(questions=QUESTIONS, **SUPPORTED)
    definition = read_definition(written(definition_of(survey)))
    again = import_definition(definition=definition, owner=owner()).survey
    assert section(again) == FROZEN
    plain = make_survey(slug="plain", questions=[{}, {"text": "B?"}])
    labels = {x.label: x.after for x in changes_between(definition_of(plain), definition)}
    assert "Call 116 006." in labels["Help and a quick exit"]
    assert any(label.endswith(", Help and a quick exit") for label in labels)


# --- the respondent's pages -----------------------------------------------------------------------


@pytest.mark.parametrize("state", ["open", "closed", "in hand", "not offered"])
def test_every_page_of_the_survey_has_help_and_the_exit(state):
    coins = {"physical_device": "two_coins", "epsilon": "1.1"}
    physical = coins if state == "in hand" else {}
    launch = launched(questions=[{"help_box": True, **physical}], **SUPPORTED)
    if state == "closed":
        close_survey(survey=launch.survey, actor=None)
    name = "physical" if state in ("in hand", "not offered") else "respond"
    html = Client().get(reverse(name, args=[launch.survey.slug])).text
    (link,) = re.findall(r'<a [^>]*id="quick-exit"[^>]*>', html)
    for attribute in ('target="_top"', "noreferrer", 'referrerpolicy="no-referrer"'):
        assert attribute in link
    assert '<a href="tel:116006" dir="ltr">116 006</a>' in html
    scripts = re.findall(r'<script type="module" src="[^"]*support/exit[^"]*"', html)
    assert len(scripts) == (state == "open")


def test_the_preview_of_a_draft_has_them(client):
    survey = make_survey(questions=QUESTIONS, **SUPPORTED)
    html = sign_in(client).get(page(survey, "preview")).text
    assert 'data-digests=""' in html
    assert '<template id="support-box">' in html


LINES = {
    "Call 116 006.": {"116 006": "tel:116006"},
    "+49 (0)30 123 456-7": {"+49 (0)30 123 456-7": "tel:+49301234567"},
    "(0800) 111 0 111 24/7": {"(0800) 111 0 111": "tel:08001110111"},
    "116 123 (24 h), or 112": {"116 123": "tel:116123", "112": "tel:112"},
    "Mo to Fr, 9-17, 08:00 to 17:30": {},
    "In 2023-2024 there were 10115 of 7": {},
    "mail4567890@x.example, a1234567": {},
    "See https://help.example/a?b=1&c=2.": {
        "https://help.example/a?b=1&amp;c=2": "https://help.example/a?b=1&amp;c=2"
    },
    "http://help.example javascript:alert(1)": {},
    "https://x.example/1234567890": {
        "https://x.example/1234567890": "https://x.example/1234567890"
    },
}


@pytest.mark.parametrize("line", LINES)
def test_telephones_and_https_become_links_and_nothing_else_does(line):
    html = linked(line)
    found = re.findall(r'<a href="([^"]*)"[^>]*>(.*?)</a>', html)
    assert {text: href for href, text in found} == LINES[line]


def test_markup_in_a_text_is_text():
    html = linked('<b>116 006</b> "https://x.example/<i>"')
    assert "<b>" not in html
    assert "<i>" not in html
    assert 'href="https://x.example/"' in html
