"""Who asks: what the site says, what a launch freezes of it, and what the program says itself."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from surveys.authoring.draft_parameters import draft_parameters
from surveys.definitions import definition_of, read_definition
from surveys.definitions.writing import written
from surveys.features.privacy_notice.models import SiteNotice
from surveys.parameters import check, digest_of, read, to_json
from surveys.services.definitions import import_definition
from surveys.services.launches import launch_survey
from surveys.services.review_links import make_review_link
from tests.app.author_posts import page, saved, sign_in, write_settings
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user, owner
from tests.rosters import launched_network
from tests.waves import coded_launch, next_wave

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
TEXTS = {
    "host": "University of Ghent, servers in Ghent.",
    "law": "Consent, article 6(1)(a) GDPR.",
    "retention": "Ten years after the study.",
    "withdrawal": "Write to us before you press Send.",
}
ROLE = {
    "kind": "single_choice",
    "text": "What is your role?",
    "options": list("abcdef"),
    "randomized": False,
}
AGE = {**ROLE, "text": "How old are you?", "options": [str(each) for each in range(20, 60, 4)]}
KEYS = [*TEXTS]


def site_says(language="en", **texts):
    values = texts or TEXTS
    return SiteNotice.objects.update_or_create(language=language, defaults=values)[0]


def frozen(document):
    return {key: document[key] for key in KEYS if key in document}


def read_by_respondents(survey):
    html = Client().get(f"/s/{survey.slug}/").text
    _before, _summary, folded = html.partition("Who asks</summary>")
    return visible_text(folded.partition("</details>")[0])


# --- what is frozen -------------------------------------------------------------------------------


def test_a_site_that_says_nothing_changes_no_document():
    assert frozen(launched().document) == {}


def test_what_the_site_says_is_frozen_under_the_digest():
    without = launched(slug="before")
    site_says()
    launch = launched()
    assert frozen(launch.document) == TEXTS
    assert digest_of(check(read(launch.document))) == launch.digest
    # A launch of before stays as it was.
    assert digest_of(check(read(without.document))) == without.digest


def test_it_is_said_in_the_language_of_the_survey():
    site_says()
    site_says("de", host="Universität Gent")
    assert frozen(to_json(draft_parameters(survey=make_survey(language="de")))) == {
        "host": "Universität Gent"
    }


@pytest.mark.slow
def test_a_survey_says_some_of_it_otherwise(client):
    site_says()
    survey = saved(client, {}, notice_retention="Until the thesis is defended.")
    assert frozen(to_json(draft_parameters(survey=survey))) == {
        **TEXTS,
        "retention": "Until the thesis is defended.",
    }
    assert write_settings(client, survey, notice_retention="")["errors"] == {}
    survey.refresh_from_db()
    assert frozen(to_json(draft_parameters(survey=survey))) == TEXTS


def test_a_later_wave_keeps_it_and_shows_what_is_said_since():
    site_says()
    first = coded_launch()
    site_says(host="A foundation.")
    later = next_wave(first, q1="1.5")
    assert frozen(later.document) == frozen(first.document) == TEXTS
    told = " ".join(read_by_respondents(first.survey).split())
    assert "Since this survey began, the site says: A foundation." in told


def test_a_definition_has_what_the_survey_says_and_not_what_the_site_says():
    site_says()
    survey = make_survey(features={"privacy_notice": {"law": "Our own rules."}})
    definition = read_definition(written(definition_of(survey)))
    assert TEXTS["host"] not in written(definition).decode()
    again = import_definition(definition=definition, owner=owner()).survey
    assert frozen(to_json(draft_parameters(survey=again)))["law"] == "Our own rules."


# --- what is read ---------------------------------------------------------------------------------


def test_respondents_read_it_folded_before_the_first_question():
    site_says()
    told = read_by_respondents(launched(release_threshold=30).survey)
    for text in TEXTS.values():
        assert text in told
    assert "Nobody by name" in told
    assert "Nothing is shown before 30 people have answered." in told
    assert "No name leads to your answers" in told
    assert "single you out" not in told


def test_without_a_word_of_the_site_the_program_says_what_it_knows():
    told = read_by_respondents(launched().survey)
    assert "What can be withdrawn" in told
    assert "Who runs this site" not in told


def test_what_the_site_says_since_the_launch_stands_beside_what_was_frozen():
    notice = site_says()
    own = {"privacy_notice": {"law": "Our own rules."}}
    survey = launched(features=own).survey
    notice.host, notice.law = "A foundation.", "Another law."
    notice.save()
    told = read_by_respondents(survey)
    assert TEXTS["host"] in told
    assert "Since this survey began, the site says: A foundation." in " ".join(told.split())
    assert "Our own rules." in told
    assert "Another law." not in told


def test_who_comes_back_reads_what_the_code_can_do():
    told = read_by_respondents(coded_launch().survey)
    assert "a later answer under your return code takes the place of this one" in told
    assert "No name leads to" not in told


def test_who_is_on_a_list_reads_who_knows_of_it():
    told = read_by_respondents(launched_network(slug="staff").survey)
    assert "The survey’s author, and whoever may download the answers." in told
    assert "The author can delete the list of names" in told
    assert "Nobody by name" not in told


def test_direct_answers_that_single_out_are_named():
    survey = launched(questions=[{}, ROLE, AGE], planned_n=200, linkage="together").survey
    told = read_by_respondents(survey)
    assert "Together they can single you out" in told
    assert "What is your role? How old are you?" in " ".join(told.split())
    apart = launched(slug="apart", questions=[{}, ROLE, AGE], planned_n=50).survey
    told = read_by_respondents(apart)
    assert "It can single you out" in told
    assert "How old are you?" in told
    assert "What is your role?" not in told


def test_the_form_without_javascript_and_a_committee_have_it():
    site_says()
    coins = {"physical_device": "two_coins", "epsilon": "1.1"}
    survey = launched(questions=[coins]).survey
    assert TEXTS["law"] in Client().get(reverse("physical", args=[survey.slug])).text
    draft = make_survey(slug="draft")
    for each in (survey, draft):
        secret = make_review_link(survey=each, name="Ethics", author=owner())
        told = visible_text(Client().get(reverse("review", args=[secret])).text)
        assert "Who asks, as respondents read it" in told
        assert TEXTS["retention"] in told
        assert "What can be withdrawn" in told


def test_the_page_of_the_launch_says_what_freezes(client):
    site_says()
    shown = visible_text(sign_in(client).get(page(make_survey(), "launch")).text)
    assert "Who runs this site" in shown
    assert TEXTS["host"] in shown


# --- who may write it -----------------------------------------------------------------------------


def test_the_site_is_written_about_by_those_who_may(client):
    address = reverse("admin:surveys_sitenotice_add")
    assert sign_in(client).get(address).status_code == 403
    editor = make_user("editor", author=True)
    permissions = Permission.objects.filter(content_type__model="sitenotice")
    editor.user_permissions.add(*permissions)
    for user in (editor, make_user("admin", superuser=True)):
        SiteNotice.objects.all().delete()
        client.force_login(user)
        answer = client.post(address, {"language": "en", **TEXTS})
        assert answer.status_code == 302, answer.text
        assert frozen(to_json(draft_parameters(survey=make_survey(slug=user.username)))) == TEXTS
        again = client.post(address, {"language": "en", **TEXTS})
        assert again.status_code == 200
        assert client.post(address, {"language": "xx", **TEXTS}).status_code == 200
    assert SiteNotice.objects.count() == 1
    changes = client.get(reverse("admin:surveys_sitenotice_changelist"))
    assert "English" in changes.text


def test_a_launched_survey_keeps_it(client):
    site_says()
    survey = make_survey()
    launch = launch_survey(survey=survey, actor=None)
    SiteNotice.objects.all().delete()
    launch.refresh_from_db()
    assert frozen(launch.document) == TEXTS
    assert TEXTS["host"] in read_by_respondents(survey)
