"""What a committee reads under a link for review: all that is frozen, and nothing of answers."""

import re
from decimal import Decimal

import pytest
from django.urls import reverse

from surveys import numbers
from surveys.models import ReviewLink, Survey
from surveys.parameters import PAGE
from surveys.services.review_links import (
    MOST_IN_USE,
    make_review_link,
    revoke_review_link,
    survey_under_review,
)
from surveys.services.transitions import close_survey, delete_survey
from tests import rosters
from tests.app.author_posts import page, sign_in
from tests.app.composed import LAUNCHES
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user, owner, sent

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]


def page_of(client, survey) -> str:
    secret = make_review_link(survey=survey, name="Committee", author=owner())
    return client.get(reverse("review", args=[secret])).text


def read(client, survey) -> str:
    return visible_text(page_of(client, survey))


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.slow
@pytest.mark.parametrize("name", LAUNCHES)
def test_all_that_is_frozen_stands_on_the_page(client, name):
    launch = LAUNCHES[name]()
    parameters, html = launch.parameters, page_of(client, launch.survey)
    text = visible_text(html)
    for code in (launch.digest, *(question.id for question in parameters.questions)):
        assert f">{code}</code>" in html
    told = [parameters.title, parameters.introduction, parameters.consent, parameters.contact]
    for question in parameters.questions:
        told += [question.text, question.help, question.reason, *question.categories]
    for device in parameters.devices:
        told += device.instructions
    missing = [each for each in told if words(each) not in text]
    assert missing == []
    for question in parameters.questions:
        alone = [
            Decimal(device.epsilon)
            for device in parameters.devices
            if device.questions == (question.id,) and device.epsilon and device.stratum == PAGE
        ]
        if alone:
            assert f"epsilon {numbers.epsilon(sum(alone))}." in text, question
    assert f"{parameters.release_threshold} response" in text


def test_each_question_says_what_it_gives_away_and_how_exact_it_will_be(client):
    launch = launched(questions=[{"text": "Did you?"}, {"text": "Where?", "randomized": False}])
    text = read(client, launch.survey)
    assert "Of 100 people" in text
    assert "Suppose a guess at a real answer is right 50 times in 100" in text
    assert "With 500 respondents the result will be exact to ± 8.8 points." in text
    assert text.count("This answer is sent as it is.") == 1
    assert "Not stored: real answers to sensitive questions" in text


def test_a_draft_is_read_too_and_says_what_is_not_finished(client):
    survey = make_survey(questions=[{"text": "Did you?"}])
    text = read(client, survey)
    assert "This survey is a draft" in text
    assert "Did you?" in text
    survey.questions.update(text="")
    assert "It is not finished" in read(client, Survey.objects.get())


def test_no_answer_and_no_member_is_shown(client):
    launch = rosters.launched_network(rosters.roster_rows(12))
    text = read(client, launch.survey)
    assert not [row.name for row in rosters.roster_rows(12) if row.name in text]
    plain = launched(slug="plain")
    before = read(client, plain.survey)
    sent(client, plain)
    assert read(client, plain.survey) == before


def test_a_link_is_for_one_survey_until_it_is_revoked(client):
    survey = launched().survey
    secret = make_review_link(survey=survey, name="Committee", author=owner())
    address = reverse("review", args=[secret])
    answer = client.get(address)
    assert (answer.status_code, answer["X-Robots-Tag"]) == (200, "noindex, nofollow")
    assert "no-store" in answer["Cache-Control"]
    assert client.post(address).status_code == 405
    link = ReviewLink.objects.get()
    assert secret not in link.key_hash
    assert survey_under_review(secret) == survey
    assert client.get(reverse("review", args=[f"{secret}x"])).status_code == 404
    revoke_review_link(link=link)
    first = ReviewLink.objects.get().revoked_at
    revoke_review_link(link=link)
    assert ReviewLink.objects.get().revoked_at == first
    assert client.get(address).status_code == 404


def test_a_deleted_survey_has_no_page(client):
    survey = launched().survey
    secret = make_review_link(survey=survey, name="Committee", author=owner())
    close_survey(survey=survey, actor=None)
    delete_survey(survey=Survey.objects.get(), actor=None)
    assert client.get(reverse("review", args=[secret])).status_code == 404


@pytest.mark.slow
def test_an_author_makes_links_sees_them_and_revokes_them(client):
    survey = make_survey(questions=[{}])
    sign_in(client)
    answer = client.post(page(survey, "review"), {"name": " Ethics  committee "})
    assert "It is shown this once" in visible_text(answer.text)
    made = re.search(r'value="http://testserver(/review/[^"]+/)"', answer.text)[1]
    assert "Did" in visible_text(client.get(made).text) or client.get(made).status_code == 200
    shown = visible_text(client.get(page(survey, "review")).text)
    assert "Ethics committee" in shown
    assert made not in client.get(page(survey, "review")).text
    link = ReviewLink.objects.get()
    url = f"{page(survey, 'review')}{link.pk}/revoke/"
    assert "The link of “Ethics committee” is void." in visible_text(
        client.post(url, follow=True).text
    )
    assert client.get(made).status_code == 404
    assert "This field is required." in visible_text(
        client.post(page(survey, "review"), {"name": " "}).text
    )


def test_there_are_only_so_many_and_nobody_revokes_those_of_another_survey(client):
    survey, other = make_survey(questions=[{}]), make_survey(slug="other", questions=[{}])
    for number in range(MOST_IN_USE):
        make_review_link(survey=survey, name=f"{number}", author=owner())
    sign_in(client)
    answer = client.post(page(survey, "review"), {"name": "One more"}, follow=True)
    assert "There are 20 links in use already." in visible_text(answer.text)
    assert survey.review_links.count() == MOST_IN_USE
    link = survey.review_links.first()
    assert client.post(f"{page(other, 'review')}{link.pk}/revoke/").status_code == 404
    client.force_login(make_user("stranger", author=True))
    assert client.get(page(survey, "review")).status_code in (302, 404)
