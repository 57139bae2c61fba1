"""Times on pages: each names its zone."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse
from django.utils import timezone, translation

from surveys.forms.fields.moments import MomentField
from surveys.models import Result
from surveys.moments import moment_text
from tests.app.author_posts import page, sign_in
from tests.app.search_cases import made
from tests.builders import launched, make_survey
from tests.released import released

WINTER = datetime(2026, 11, 22, 14, 30, tzinfo=UTC)


@pytest.fixture
def in_berlin(settings):
    settings.TIME_ZONE = "Europe/Berlin"
    with timezone.override("Europe/Berlin"):
        yield


def test_the_zone_of_the_season_is_named(in_berlin):
    assert moment_text(WINTER) == "Nov. 22, 2026, 3:30 p.m. (CET)"
    summer = moment_text(WINTER - timedelta(days=150), "SHORT_DATETIME_FORMAT")
    assert summer == "06/25/2026 4:30 p.m. (CEST)"
    with translation.override("de"):
        assert moment_text(WINTER) == "22. November 2026 15:30 (CET)"


@pytest.mark.parametrize(
    ("zone", "missing", "doubled"),
    [
        ("Europe/Berlin", "2026-03-29T02:30", "2026-10-25T02:30"),
        ("America/New_York", "2026-03-08T02:30", "2026-11-01T01:30"),
    ],
)
def test_an_hour_that_the_clock_change_skips_or_doubles_is_refused_by_name(zone, missing, doubled):
    """It is never shifted to a neighbour that nobody has typed."""
    with timezone.override(zone):
        for typed in (missing, doubled):
            with pytest.raises(ValidationError, match=f"{zone}; it may be ambiguous or it may not"):
                MomentField().clean(typed)
        for typed in (missing, doubled):
            day_before = datetime.fromisoformat(typed) - timedelta(days=1)
            read = MomentField().clean(day_before.isoformat(timespec="minutes"))
            assert read == day_before.replace(tzinfo=ZoneInfo(zone))


def test_a_zone_without_an_abbreviation_is_named_by_its_offset():
    with timezone.override("Asia/Tashkent"):
        assert moment_text(WINTER).endswith("7:30 p.m. (+05)")


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["results", "summary-html"])
def test_results_say_in_which_zone_they_were_computed(client, name):
    launch = released([{"q1": 0}] * 6, results_public=True)
    Result.objects.update(computed_at=WINTER)
    response = client.get(reverse(name, args=[launch.survey.slug]))
    assert "Nov. 22, 2026, 2:30 p.m. (UTC)</time>" in response.content.decode()


@pytest.mark.django_db
def test_the_list_of_surveys_names_the_zone_of_opening_and_closing(client):
    survey = launched(closes_at=timezone.now() + timedelta(days=3)).survey
    response = sign_in(client).get(reverse("admin:surveys_survey_changelist"))
    assert moment_text(survey.closes_at, "SHORT_DATETIME_FORMAT") in response.content.decode()


@pytest.mark.slow
@pytest.mark.django_db
def test_the_workbench_names_the_zone_of_its_searches(client):
    question = make_survey(questions=[{}]).questions.get()
    search = made(question)
    address = reverse(
        "admin:survey_workbench", args=[search.question.survey_id, search.question_id]
    )
    response = sign_in(client).get(address)
    assert moment_text(search.created_at) in response.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["opens_at", "closes_at"])
def test_the_form_says_in_which_zone_its_times_are_read(client, name):
    response = sign_in(client).get(page(make_survey(), "settings"))
    field = response.context["typed_form"][name]
    assert "Time zone: UTC." in str(field.help_text)
    assert str(field.help_text) in response.content.decode()
