"""Guesses at one account from everywhere are slowed, and its owner is not locked out by them."""

import io
import itertools

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from surveys import known_browsers
from surveys import throttle as limits
from tests.builders import PASSWORD, make_user

pytestmark = [pytest.mark.django_db, pytest.mark.each_database]
RATE = 5
_networks = itertools.count(1)


@pytest.fixture(autouse=True)
def count_attempts(settings):
    settings.THROTTLE_EXEMPT = []
    settings.LOGIN_RATE = "1000/minute"
    settings.LOGIN_ACCOUNT_RATE = f"{RATE}/hour"
    limits.throttle.cache_clear()
    yield settings
    limits.throttle.cache_clear()


@pytest.fixture
def owner():
    return make_user("wanda")


def sign_in(browser, name="wanda", password="wrong"):
    """Sign in from a new network, as an attacker has many."""
    number = next(_networks)
    address = f"198.51.{number // 250}.{number % 250}"
    form = {"username": name, "password": password}
    return browser.post(reverse("login"), form, REMOTE_ADDR=address)


def attack(name="wanda", tries=3 * RATE):
    return [sign_in(Client(), name).status_code for _ in range(tries)]


def known_browser():
    browser = Client()
    assert sign_in(browser, password=PASSWORD).status_code == 302
    return browser


def test_guesses_from_many_networks_are_counted_together(owner):
    assert attack() == [200] * RATE + [429] * (2 * RATE)
    assert sign_in(Client(), password=PASSWORD).status_code == 429


def test_another_account_is_not_affected(owner):
    make_user("other")
    attack()
    assert sign_in(Client(), "other", PASSWORD).status_code == 302


def test_the_owner_passes_in_a_browser_of_before(owner):
    browser = known_browser()
    attack()
    assert sign_in(browser, password=PASSWORD).status_code == 302


def test_a_browser_of_before_has_a_limit_of_its_own(owner):
    browser = known_browser()
    answers = [sign_in(browser).status_code for _ in range(RATE + 2)]
    assert answers == [200] * RATE + [429, 429]
    # It has used up no other account's attempts.
    assert sign_in(Client(), password=PASSWORD).status_code == 302


def test_success_in_a_browser_of_before_starts_its_count_anew(owner):
    browser = known_browser()
    for _ in range(3 * RATE):
        assert sign_in(browser, password=PASSWORD).status_code == 302


def test_success_elsewhere_does_not_give_strangers_new_tries(owner):
    attack(tries=RATE - 1)
    assert sign_in(Client(), password=PASSWORD).status_code == 302
    assert attack(tries=2) == [429, 429]


def test_the_cookie_of_one_account_is_none_for_another(owner):
    make_user("other")
    browser = Client()
    sign_in(browser, "other", PASSWORD)
    attack()
    assert sign_in(browser, password=PASSWORD).status_code == 429


@pytest.mark.parametrize("cookie", ["x", "", "a:b:c", "é", "x" * 5000])
@pytest.mark.slow
def test_a_forged_cookie_is_none(owner, cookie):
    attack()
    browser = Client()
    browser.cookies[known_browsers.COOKIE] = cookie
    assert sign_in(browser, password=PASSWORD).status_code == 429


def test_an_account_that_does_not_exist_behaves_the_same(owner):
    answers = {}
    for name in ("wanda", "nobody"):
        answers[name] = [sign_in(Client(), name) for _ in range(2 * RATE)]
    pairs = zip(*answers.values(), strict=True)
    for real, made_up in pairs:
        assert real.status_code == made_up.status_code
        assert set(real.cookies) == set(made_up.cookies)
        assert _without_token(real).replace("wanda", "nobody") == _without_token(made_up)


def _without_token(answer):
    lines = answer.text.splitlines()
    return "\n".join(line for line in lines if "csrfmiddlewaretoken" not in line)


@pytest.mark.parametrize(
    "names", [("wanda", " wanda "), ("wanda", "ｗａｎｄａ")], ids=["spaces", "wide letters"]
)
def test_ways_to_write_a_name_count_as_one(owner, names):
    spellings = itertools.cycle(names)
    answers = [sign_in(Client(), next(spellings)).status_code for _ in range(RATE + 1)]
    assert answers == [200] * RATE + [429]


@pytest.mark.parametrize("name", ["", "\x00", "x" * 100_000, "🐟", "%s"])
def test_odd_names_are_refused_like_any_other(name):
    assert set(attack(name)) == {200, 429}


def test_the_page_says_what_to_do(owner):
    attack()
    answer = sign_in(Client())
    assert answer["Retry-After"].isdecimal()
    assert "use a browser in which you have signed in before" in answer.text
    assert "minute" in answer.text
    german = Client(headers={"Accept-Language": "de"})
    assert "einem Browser" in sign_in(german).text


def test_the_cookie_goes_to_the_sign_in_alone_and_names_nobody(owner):
    cookie = known_browser().cookies[known_browsers.COOKIE]
    assert cookie["path"] == reverse("login")
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert "wanda" not in cookie.value


def test_nothing_that_is_counted_names_an_account(owner, monkeypatch):
    keys = []
    monkeypatch.setattr(limits.Throttle, "_hit", lambda self, key: keys.append(key) or True)
    sign_in(Client())
    assert len(keys) == 2
    assert all(len(key) == 32 and int(key, 16) for key in keys)


# --- a link for an owner without such a browser ---------------------------------------------------


def link_for(name):
    output = io.StringIO()
    call_command("candor", "sign-in-link", name, url="https://survey.example", stdout=output)
    return output.getvalue().splitlines()[0]


def test_a_link_lets_a_new_browser_in_with_the_password(owner):
    attack()
    link = link_for("wanda")
    assert link.startswith("https://survey.example/account/login/?")
    browser = Client()
    assert browser.get(link.removeprefix("https://survey.example")).url == reverse("login")
    assert sign_in(browser).status_code == 200
    assert sign_in(browser, password=PASSWORD).status_code == 302


def test_a_link_is_good_for_an_hour_and_one_account(owner, monkeypatch):
    make_user("other")
    attack()
    link = link_for("other").removeprefix("https://survey.example")
    browser = Client()
    browser.get(link)
    assert sign_in(browser, password=PASSWORD).status_code == 429
    monkeypatch.setattr(known_browsers, "LINK_SECONDS", -1)
    assert Client().get(link).status_code == 200


def test_there_is_no_link_for_nobody():
    with pytest.raises(CommandError, match="no account 'nobody'"):
        link_for("nobody")
