"""Authors name the readers of each tier, in a draft and after launch."""

import re

import pytest
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.features.tiers.models import Tier
from surveys.models import Survey
from tests.app.author_posts import page, sign_in, write_settings
from tests.app.posted_fields import Fields
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user
from tests.tiers import TIERS

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]
FIELD = {"app_label": "surveys", "model_name": "tier", "field_name": "readers"}


@pytest.fixture
def rita():
    return make_user("rita")


def find(client, name):
    answer = client.get(reverse("admin:autocomplete"), {**FIELD, "term": name})
    assert answer.status_code == 200
    return [person["text"] for person in answer.json()["results"]]


def name_readers(client, survey, position, *people, **options):
    """Type into the page of readers, as it is shown, who reads one tier."""
    address = page(survey, "tier_readers")
    typed = Fields(client.get(address).text, "data-typed").posted
    typed[f"readers_{survey.tiers.get(position=position).pk}"] = [*people]
    return client.post(address, typed, **options)


def readers_of(survey):
    rows = survey.tiers.order_by("position")
    return [list(row.readers.values_list("username", flat=True)) for row in rows]


def test_readers_are_found_by_a_whole_name_only(client, rita):
    client = sign_in(client)
    assert find(client, "rita") == ["rita"]
    assert find(client, "rit") == []


def test_an_outsider_finds_nobody(client, rita):
    client.force_login(make_user("outsider"))
    assert client.get(reverse("admin:autocomplete"), {**FIELD, "term": "rita"}).status_code in (
        302,
        403,
    )


def test_readers_change_after_the_launch_and_the_tiers_do_not(client, rita):
    survey = launched(tiers=TIERS).survey
    client = sign_in(client)
    tiers = list(survey.tiers.order_by("position"))
    assert page(survey, "tier_readers") in client.get(page(survey)).text
    text = visible_text(client.get(page(survey, "tier_readers")).text)
    assert all(tier.name in text for tier in tiers)
    find(client, "rita")
    assert name_readers(client, survey, 1, rita.pk).status_code == 302
    assert readers_of(survey) == [[], ["rita"], []]
    assert [tier.name for tier in survey.tiers.order_by("position")] == [t.name for t in tiers]
    shown = Fields(client.get(page(survey, "tier_readers")).text, "data-typed").posted
    assert shown[f"readers_{tiers[1].pk}"] == [str(rita.pk)]
    assert name_readers(client, survey, 1).status_code == 302
    assert readers_of(survey) == [[], [], []]


def test_readers_may_be_named_in_a_draft(client, rita):
    survey = make_survey(tiers=TIERS)
    client = sign_in(client)
    find(client, "rita")
    assert name_readers(client, survey, 2, rita.pk).status_code == 302
    assert readers_of(survey) == [[], [], ["rita"]]


@pytest.mark.parametrize("value", ["999999", "x", "-1", "1 OR 1=1"])
def test_a_reader_who_was_not_found_before_is_refused(client, value):
    make_user("hidden")
    survey = launched(tiers=TIERS).survey
    assert name_readers(sign_in(client), survey, 0, value).status_code == 200
    assert readers_of(survey) == [[], [], []]


def test_another_author_names_nobody(client, rita):
    survey = launched(tiers=TIERS).survey
    tier = survey.tiers.first()
    client.force_login(make_user("other", author=True))
    find(client, "rita")
    address = page(survey, "tier_readers")
    assert client.get(address).status_code == 404
    assert client.post(address, {f"readers_{tier.pk}": rita.pk}).status_code == 404
    assert readers_of(survey) == [[], [], []]


def test_readers_that_two_pages_have_changed_are_asked_about(client, rita):
    survey = make_survey(tiers=TIERS)
    tier, other = survey.tiers.order_by("position")[:2]
    anna = make_user("anna")
    client = sign_in(client)
    find(client, "rita")
    find(client, "anna")
    address = page(survey, "tier_readers")
    here = Fields(client.get(address).text, "data-typed").posted
    name_readers(client, survey, 0, rita.pk)
    name = f"readers_{tier.pk}"
    refused = client.post(address, {**here, name: [anna.pk]})
    assert [each.key for each in refused.context["conflicts"]] == [name]
    assert readers_of(survey) == [["rita"], [], []]
    # What only this page has changed is stored, and the other change stays.
    client.post(address, {**here, f"readers_{other.pk}": [anna.pk]})
    assert readers_of(survey) == [["rita"], ["anna"], []]


def test_researchers_beside_tiers_are_an_error_that_says_where_they_belong(client, rita):
    survey = launched(tiers=TIERS).survey
    client = sign_in(client)
    find(client, "rita")
    answer = write_settings(client, survey, researchers=[rita.pk])
    assert "Name these people as readers of a tier" in answer["errors"]["researchers"][0]
    assert not survey.researchers.exists()


def test_researchers_beside_tiers_stop_a_launch(rita):
    survey = make_survey(tiers=TIERS)
    assert "researchers_beside_tiers" not in {finding.code for finding in lint_survey(survey)}
    survey.researchers.add(rita)
    (finding,) = [
        finding for finding in lint_survey(survey) if finding.code == "researchers_beside_tiers"
    ]
    assert finding.blocks
    assert "readers of a tier" in finding.message


def test_a_survey_without_tiers_has_no_readers_to_name(client):
    survey = launched().survey
    client = sign_in(client)
    assert page(survey, "tier_readers") not in client.get(page(survey)).text
    assert client.get(page(survey, "tier_readers")).url == page(survey)


def test_the_test_fill_shows_the_chosen_tier(client):
    survey = make_survey(tiers=TIERS)
    client = sign_in(client)
    address = reverse("admin:survey_trial", args=[survey.pk])
    assert "Our own team" in visible_text(client.get(address).content.decode())
    widths = []
    for tier in range(3):
        shares = {"respondents": "1000", "q1-0": "80", "q1-1": "20", "readers": str(tier)}
        text = visible_text(client.post(address, shares).content.decode())
        epsilon = re.search(r"ε (\d[\d.]*)", text)
        widths.append(epsilon[1])
    assert widths == ["0.25", "0.5", "1"]
    wrong = {"respondents": "1000", "q1-0": "80", "q1-1": "20", "readers": "7"}
    assert client.post(address, wrong).status_code == 200


def test_a_deleted_survey_takes_its_readers_along(rita):
    survey = make_survey(tiers=TIERS)
    survey.tiers.first().readers.add(rita)
    Survey.objects.filter(pk=survey.pk).delete()
    assert not Tier.readers.through.objects.exists()
    assert type(rita).objects.filter(pk=rita.pk).exists()
