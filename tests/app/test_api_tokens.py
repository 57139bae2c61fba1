"""Tokens for programs: shown once, stored as hashes, never more than their account."""

from datetime import timedelta

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from surveys.models import ApiToken
from surveys.models.api_token import Scope
from surveys.services.api_tokens import MOST_IN_USE, PREFIX, make_token, revoke_token, token_with
from tests.app.calling import Program
from tests.builders import make_survey, make_user, owner

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
PAGE = "admin:survey_tokens"


def made(client, **values):
    answer = client.post(
        reverse(PAGE), {"name": "Nightly", "scopes": ["results:read"], "days": "30", **values}
    )
    return answer.content.decode()


def test_a_token_is_shown_once_and_stored_as_a_hash(client):
    client.force_login(make_user("ann", author=True))
    page = made(client)
    token = ApiToken.objects.get()
    secret = PREFIX + page.partition(PREFIX)[2][:43]
    assert token_with(secret) == token
    assert token.tail == secret[-4:]
    assert token.scopes == ["results:read"]
    assert timedelta(days=29) < token.expires_at - timezone.now() <= timedelta(days=30)
    stored = " ".join(map(str, ApiToken.objects.values_list().get()))
    assert secret not in stored
    again = client.get(reverse(PAGE)).content.decode()
    assert secret not in again
    assert "Nightly" in again


def test_what_is_wrong_with_a_new_token_is_said(client):
    client.force_login(make_user("ann", author=True))
    for values in ({"name": ""}, {"scopes": []}, {"scopes": ["all"]}, {"days": "9999"}):
        assert PREFIX not in made(client, **values)
    assert not ApiToken.objects.exists()


def test_the_list_says_what_each_is_for_in_the_order_of_the_form(client):
    client.force_login(make_user("ann", author=True))
    page = made(client, scopes=["webhooks", "surveys:read"])
    read, told = (str(Scope(scope).label) for scope in ("surveys:read", "webhooks"))
    assert f"{read}; {told}" in page
    page = made(client, name="All", scopes=Scope.values)
    assert "Everything that a token can be for" in page


def test_a_form_that_is_sent_twice_makes_one_token(client):
    """Such as by loading the page again on which the new token is shown."""
    client.force_login(make_user("ann", author=True))
    assert PREFIX in made(client, name="Nightly")
    again = made(client, name="Nightly")
    assert PREFIX not in again
    assert "A token that is called “Nightly” is in use already." in again
    assert ApiToken.objects.count() == 1
    # Somebody else's has the name, and so may a void one.
    client.force_login(owner())
    assert PREFIX in made(client, name="Nightly")
    revoke_token(token=ApiToken.objects.get(user=owner()))
    assert PREFIX in made(client, name="Nightly")


def test_only_who_uses_the_desk_has_tokens_and_each_their_own(client):
    client.force_login(make_user("bo"))
    assert client.get(reverse(PAGE)).status_code in (302, 403)
    client.force_login(make_user("ann", author=True))
    token, _secret = make_token(user=owner(), name="Of the owner", scopes=[], days=7)
    assert "Of the owner" not in client.get(reverse(PAGE)).content.decode()
    address = reverse("admin:survey_token_revoke", args=[token.pk])
    assert client.post(address).status_code == 404
    assert client.get(address).status_code == 405
    client.force_login(owner())
    client.post(address)
    assert ApiToken.objects.get().revoked_at is not None


def test_a_void_token_opens_nothing():
    survey, program = make_survey(), Program(owner())
    address = f"surveys/{survey.pk}"
    assert program.get(address).status_code == 200
    for change in (
        {"expires_at": timezone.now()},
        {"revoked_at": timezone.now()},
    ):
        before = ApiToken.objects.values(*change).get()
        ApiToken.objects.update(**change)
        answer = program.get(address)
        assert answer.status_code == 401
        assert answer["WWW-Authenticate"].startswith("Bearer")
        assert answer["Content-Type"] == "application/problem+json"
        ApiToken.objects.update(**before)
    assert program.get(address).status_code == 200


def test_the_account_is_looked_at_at_each_request():
    survey, user = make_survey(), owner()
    program = Program(user)
    user.groups.clear()
    assert program.get(f"surveys/{survey.pk}").json()["code"] == "no_author"
    assert program.post("surveys", {}).status_code == 422
    user.is_active = False
    user.save()
    assert program.get(f"surveys/{survey.pk}").status_code == 401


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer x", "Basic YTpi", f"Bearer {PREFIX}{'a' * 43}", "Bearer \xff"]
)
def test_what_is_no_token_is_refused(header):
    answer = Program().get("token", Authorization=header)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")


def test_no_cookie_stands_for_a_token(client):
    client.force_login(owner())
    assert client.get("/api/v1/surveys").status_code == 401
    assert Program(owner()).get("surveys").cookies == {}


def test_a_use_is_kept_to_the_day():
    program = Program(owner())
    assert ApiToken.objects.get().last_used_on is None
    program.get("token")
    assert ApiToken.objects.get().last_used_on == timezone.localdate()
    assert program.get("token").json()["last_used_on"] == timezone.localdate().isoformat()


def test_there_are_at_most_so_many(client):
    client.force_login(owner())
    for number in range(MOST_IN_USE):
        make_token(user=owner(), name=f"t{number}", scopes=[Scope.LAUNCH], days=7)
    made(client)
    assert ApiToken.objects.count() == MOST_IN_USE


def test_a_token_has_so_many_requests_and_is_told_how_many(settings):
    settings.API_RATE = "3/minute"
    one, other = Program(owner()), Program(owner())
    answers = [one.get("token") for _number in range(4)]
    assert [each.status_code for each in answers] == [200, 200, 200, 429]
    assert [each["RateLimit"].split(";")[1] for each in answers] == ["r=2", "r=1", "r=0", "r=0"]
    assert answers[0]["RateLimit-Policy"] == '"token";q=3;w=60'
    assert 0 < int(answers[3]["Retry-After"]) <= 60
    assert other.get("token").status_code == 200


def test_a_network_without_a_token_has_few_tries(settings):
    settings.THROTTLE_EXEMPT, settings.API_REFUSED_RATE = [], "2/minute"
    assert [Program().get("token").status_code for _number in range(3)] == [401, 401, 429]
    # Not for whoever has a token.
    assert Program(owner()).get("token").status_code == 200


def test_an_operator_makes_tokens_that_are_told_apart(capsys):
    owner()
    for _time in range(2):
        call_command("candor", "token", "owner", "--scope", "results:read")
    secrets = capsys.readouterr().out.split()
    assert [token_with(secret).scopes for secret in secrets] == [["results:read"]] * 2
    names = list(ApiToken.objects.values_list("name", flat=True))
    assert len({*names}) == 2
    assert all(name.startswith("made by the operator, 2") for name in names)
    call_command("candor", "token", "owner", "--name", "Nightly")
    with pytest.raises(CommandError, match="“Nightly” is in use already"):
        call_command("candor", "token", "owner", "--name", "Nightly")
