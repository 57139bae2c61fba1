"""The last screen, and the way back to a panel: what is set, frozen, refused and shown."""

import uuid
from decimal import Decimal
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.features.closing_page.section import is_address
from surveys.features.closing_page.settings import closing_of
from surveys.models import Receipt
from surveys.parameters import check, digest_of, read
from surveys.services.definitions import import_definition
from tests.app.author_posts import errors_of_new, page, saved
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, owner
from tests.translations import launched_in

pytestmark = pytest.mark.django_db

END = "https://panel.example/end?outcome=1&id={id}"
PANEL = {
    "complete_text": "Thanks from all of us.",
    "complete_address": END,
    "full_address": "https://panel.example/full#{id}",
    "panel": "The Panel",
}


def ended(**values):
    return {"features": {"closing_page": values}}


def test_a_survey_without_words_of_its_own_has_no_key_of_it():
    assert "closing_page" not in launched(**ended(panel="The Panel")).document


def test_what_is_frozen_is_read_back_under_the_same_digest():
    launch = launched(**ended(**PANEL))
    assert launch.document["closing_page"] == {
        "panel": {"name": "The Panel", "key": "pid"},
        "complete": {"text": "Thanks from all of us.", "address": END},
        "full": {"text": "", "address": "https://panel.example/full#{id}"},
        "screened": {"text": "", "address": None},
    }
    assert digest_of(check(read(launch.document))) == launch.digest


def test_words_alone_need_no_panel():
    assert launched(**ended(complete_text="Thanks.")).document["closing_page"]["panel"] is None


@pytest.mark.parametrize(
    ("address", "fits"),
    [
        ("https://panel.example", True),
        ("https://panel.example/done", True),
        ("https://panel.example/?id={id}&o=1", True),
        ("https://panel.example/done#id={id}", True),
        ("http://panel.example/?id={id}", False),
        ("https://panel.example/{id}", False),
        ("https://panel.example/?a={id}&b={id}", False),
        ("https://panel.example/?id={ID}", False),
        ("https://me@panel.example/?id={id}", False),
        ("https://panel.example/?" + "a" * 500, False),
    ],
)
def test_an_address_has_the_id_in_its_query_or_fragment(address, fits):
    assert is_address(address) is fits


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"complete_address": "http://panel.example/", "panel": "P"}, "begins with https://"),
        ({"complete_address": END}, "Say to whom the button leads"),
        ({**PANEL, "full_address": "https://other.example/"}, "let all addresses have one host"),
        ({**PANEL, "key": "p=d"}, "Write a letter, then letters, digits"),
    ],
)
@pytest.mark.slow
def test_what_stands_against_it_is_said_at_its_field_and_before_the_launch(client, values, says):
    findings = [x for x in lint_survey(make_survey(**ended(**values))) if x.blocks]
    assert any(says in x.message for x in findings if x.code == "closing_page")
    typed = {f"closing_{name}": value for name, value in values.items()}
    assert any(says in text for texts in errors_of_new(client, **typed).values() for text in texts)


@pytest.mark.slow
def test_an_author_writes_it_and_reads_what_the_panel_learns(client):
    typed = {f"closing_{name}": value for name, value in PANEL.items()}
    survey = saved(client, {}, **typed)
    assert closing_of(survey).complete_address == END
    learns = "The panel then learns that somebody has come to this end, and when."
    assert learns in visible_text(client.get(page(survey, "settings")).text)
    shown = visible_text(client.get(page(survey, "launch")).text)
    assert END in shown
    assert "#pid=" in shown
    assert learns in shown


def test_a_definition_has_it():
    survey = make_survey(**ended(**PANEL))
    again = import_definition(
        definition=read_definition(written(definition_of(survey))), owner=owner()
    ).survey
    assert closing_of(again) == closing_of(survey)
    assert "closing_page" not in written(definition_of(make_survey(slug="plain"))).decode()


def test_respondents_read_of_the_way_back_before_they_begin():
    launch = launched(**ended(**PANEL))
    shown = visible_text(Client().get(reverse("respond", args=[launch.survey.slug])).text)
    assert "At the end a button leads to The Panel (panel.example). If you press it," in shown
    assert "this site never gets it" in shown
    assert "The Panel sees it if you press the button at the end." in shown
    plain = launched(slug="plain", **ended(complete_text="Thanks."))
    shown = visible_text(Client().get(reverse("respond", args=[plain.survey.slug])).text)
    assert "The way back" not in shown


def test_its_texts_are_translated_with_the_others():
    launch = launched_in("he", **ended(**PANEL))
    texts = launch.document["translations"]["he"]["texts"]
    assert texts["closing_page.complete.text"] == "⟦Thanks from all of us.⟧"
    assert texts["closing_page.panel.name"] == "⟦The Panel⟧"


@pytest.mark.parametrize(("address", "leads"), [(END, False), ("https://panel.example/done", True)])
def test_a_form_without_scripts_leads_back_only_where_no_id_is_needed(client, address, leads):
    question = {"physical_device": "die", "epsilon": Decimal(1)}
    launch = launched(questions=[question], **ended(**{**PANEL, "complete_address": address}))
    hidden = {"digest": launch.digest, "submission": str(uuid.uuid4())}
    body = urlencode({**hidden, "report-q1": "A"})
    url = reverse("physical", args=[launch.survey.slug])
    answered = client.post(url, body, content_type="application/x-www-form-urlencoded")
    assert answered.status_code == 201
    assert Receipt.objects.count() == 1
    shown = visible_text(answered.text)
    assert "Thanks from all of us." in shown
    assert (f'href="{address}"' in answered.text) is leads
    assert ("No button leads back to The Panel from here" in shown) is not leads
