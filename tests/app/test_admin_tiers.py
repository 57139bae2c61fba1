"""Authors name the readers of each tier, in a draft and after launch."""

import re

import pytest
from django.urls import reverse

from surveys.authoring.checks.survey import lint_survey
from surveys.features.tiers.models import Tier
from surveys.models import Survey
from tests.app.author_posts import page, sign_in
from tests.app.visible_text import visible_text
from tests.builders import launched, make_survey, make_user
from tests.tiers import TIERS

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
FIELD = {"app_label": "surveys", "model_name": "tier", "field_name": "readers"}


@pytest.fixture
def rita():
    return make_user("rita")


def find(client, name):
    answer = client.get(reverse("admin:autocomplete"), {**FIELD, "term": name})
    assert answer.status_code == 200
    return [person["text"] for person in answer.json()["results"]]


def posted(client, survey):
    """Return what the browser posts of the change page, as it is shown."""
    context = client.get(page(survey)).context
    forms = [context["adminform"].form]
    for inline in context["inline_admin_formsets"]:
        forms += [inline.formset.management_form, *inline.formset.forms]
    values = {field.html_name: field.value() for form in forms for field in form}
    return {name: _as_posted(value) for name, value in values.items() if value not in (None, False)}


def _as_posted(value):
    if isinstance(value, (list, tuple)):
        return [str(getattr(each, "pk", each)) for each in value]
    return str(value)


def readers_field(data, tier):
    """The name of the field with the readers of a tier."""
    (prefix,) = [
        name.removesuffix("-id")
        for name, value in data.items()
        if re.fullmatch(r"tiers[\w-]*-\d+-id", name) and value == str(tier.pk)
    ]
    return f"{prefix}-readers"


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
    text = visible_text(client.get(page(survey)).content.decode())
    assert "Who reads which tier" in text
    assert all(tier.name in text for tier in tiers)
    find(client, "rita")
    data = posted(client, survey)
    data[readers_field(data, tiers[1])] = [str(rita.pk)]
    # A changed name beside it is no field of this form.
    data[readers_field(data, tiers[1]).replace("readers", "name")] = "Everybody"
    answer = client.post(page(survey), data)
    assert answer.status_code == 302, answer.content.decode()[:2000]
    assert readers_of(survey) == [[], ["rita"], []]
    assert [tier.name for tier in survey.tiers.order_by("position")] == [t.name for t in tiers]
    data = posted(client, survey)
    assert data[readers_field(data, tiers[1])] == [str(rita.pk)]
    data[readers_field(data, tiers[1])] = []
    assert client.post(page(survey), data).status_code == 302
    assert readers_of(survey) == [[], [], []]


def test_readers_may_be_named_in_a_draft(client, rita):
    survey = make_survey(tiers=TIERS)
    client = sign_in(client)
    find(client, "rita")
    data = posted(client, survey)
    data[readers_field(data, survey.tiers.get(position=2))] = [str(rita.pk)]
    answer = client.post(page(survey), data)
    assert answer.status_code == 302, visible_text(answer.content.decode())[:2000]
    assert readers_of(survey) == [[], [], ["rita"]]


@pytest.mark.parametrize("value", ["999999", "x", "-1", "1 OR 1=1"])
def test_a_reader_who_was_not_found_before_is_refused(client, value):
    make_user("hidden")
    survey = launched(tiers=TIERS).survey
    client = sign_in(client)
    data = posted(client, survey)
    data[readers_field(data, survey.tiers.first())] = [value]
    assert client.post(page(survey), data).status_code == 200
    assert readers_of(survey) == [[], [], []]


def test_another_author_names_nobody(client, rita):
    survey = launched(tiers=TIERS).survey
    owners = sign_in(client)
    data = posted(owners, survey)
    data[readers_field(data, survey.tiers.first())] = [str(rita.pk)]
    client.force_login(make_user("other", author=True))
    find(client, "rita")
    assert client.post(page(survey), data).status_code in (302, 403, 404)
    assert readers_of(survey) == [[], [], []]


def test_researchers_beside_tiers_are_an_error_that_says_where_they_belong(client, rita):
    survey = launched(tiers=TIERS).survey
    client = sign_in(client)
    find(client, "rita")
    data = {**posted(client, survey), "researchers": [str(rita.pk)]}
    answer = client.post(page(survey), data)
    assert answer.status_code == 200
    assert "Name these people as readers of a tier" in visible_text(answer.content.decode())
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
    assert "Who reads which tier" not in client.get(page(survey)).content.decode()


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
