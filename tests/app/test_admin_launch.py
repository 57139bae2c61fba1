"""Launching, previewing and sharing from the admin."""

from decimal import Decimal

import pytest

from surveys.models import Launch
from surveys.services.launches import parameters_to_serve
from tests.app.author_posts import page, sign_in
from tests.builders import launched, make_survey

pytestmark = pytest.mark.django_db


def test_the_page_lists_what_freezes_and_the_digest_to_be(client):
    survey = make_survey()
    html = sign_in(client).get(page(survey, "launch")).text
    assert parameters_to_serve(survey=survey).digest in html
    for text in (
        "A short survey.",
        "Taking part is voluntary.",
        "survey@example.org",
        "1 of 3 used",
    ):
        assert text in html
    assert not Launch.objects.exists()


def launch(client, survey, digest=None):
    digest = parameters_to_serve(survey=survey).digest if digest is None else digest
    return sign_in(client).post(page(survey, "launch"), {"digest": digest})


def test_launching_freezes_what_the_page_showed(client):
    survey = make_survey()
    digest = parameters_to_serve(survey=survey).digest
    response = launch(client, survey, digest)
    assert response.url == page(survey, "share")
    survey.refresh_from_db()
    assert survey.state == "open"
    assert survey.current_launch().digest == digest
    assert survey.transitions.get().actor == survey.owner


def test_an_edit_in_another_window_is_not_frozen_unseen(client):
    survey = make_survey()
    digest = parameters_to_serve(survey=survey).digest
    survey.questions.update(text="Something else?")
    response = launch(client, survey, digest)
    assert "Read it again" in response.text
    assert "Something else?" in response.text
    assert not Launch.objects.exists()
    survey.refresh_from_db()
    assert survey.is_draft


def test_over_the_budget_is_refused(client):
    survey = make_survey(budget=Decimal(1), questions=[{}, {}])
    html = sign_in(client).get(page(survey, "launch")).text
    assert "above the budget" in html
    assert "Launch and freeze" not in html
    response = launch(client, survey, "sha256:any")
    assert response.status_code == 200
    assert not Launch.objects.exists()


def test_a_second_click_is_told_and_harmless(client):
    survey = make_survey()
    digest = parameters_to_serve(survey=survey).digest
    launch(client, survey, digest)
    response = launch(client, survey, digest)
    assert response.status_code == 302
    assert Launch.objects.count() == 1


def test_an_empty_survey_cannot_be_launched_tried_or_previewed(client):
    survey = make_survey(questions=[])
    assert "Add at least one question." in sign_in(client).get(page(survey, "launch")).text
    for name in ("preview", "trial"):
        response = client.get(page(survey, name), follow=True)
        assert response.redirect_chain[-1][0] == page(survey)
        assert "Add at least one question." in response.text


@pytest.mark.parametrize("build", [make_survey, lambda: launched().survey])
def test_a_preview_shows_the_form_and_stores_nothing(client, build):
    survey = build()
    response = sign_in(client).get(page(survey, "preview"))
    assert response.status_code == 200
    assert "Have you ever used a drug at work?" in response.text
    assert Launch.objects.count() == (0 if survey.is_draft else 1)


def test_a_draft_has_nothing_to_share(client):
    survey = make_survey()
    assert sign_in(client).get(page(survey, "share")).url == page(survey)


def test_sharing_gives_whole_links_and_code_that_holds_any_title(client):
    survey = launched(title='5 > 3 & "so on"').survey
    html = sign_in(client).get(page(survey, "share")).text
    assert 'value="http://testserver/s/health/"' in html
    assert 'value="http://testserver/s/health/results/"' in html
    # Escaped twice: once for the code, once for the page that shows the code.
    assert "title=&quot;5 &amp;gt; 3 &amp;amp; &amp;quot;so on&amp;quot;&quot;" in html
    assert "No site may embed the form yet" in html


def test_the_qr_code_is_an_image_without_style(client):
    response = sign_in(client).get(page(launched().survey, "qr"))
    assert response["Content-Type"] == "image/svg+xml"
    assert b"<svg" in response.content
    assert b"style" not in response.content
    download = client.get(response.wsgi_request.path + "?download")
    assert download["Content-Disposition"] == 'attachment; filename="health-qr.svg"'
