"""Limits per network: they hold, they forget, and they need no broker."""

import pytest
from django.urls import reverse

from surveys import throttle as module
from surveys.throttle import Throttle, client_address, network_of
from tests.builders import launched, sent


@pytest.fixture
def strict(settings):
    settings.THROTTLE_EXEMPT = []
    settings.SUBMIT_RATE = "3/minute"
    settings.LOGIN_RATE = "3/minute"
    module.throttle.cache_clear()
    yield settings
    module.throttle.cache_clear()


@pytest.mark.django_db
def test_too_many_responses_from_one_address_have_to_wait(client, strict):
    launch = launched()
    answers = [sent(client, launch) for _ in range(5)]
    assert [answer.status_code for answer in answers] == [201, 201, 201, 429, 429]
    assert 1 <= int(answers[-1]["Retry-After"]) <= 60
    assert answers[-1].json()["errors"][0]["code"] == "too_many"


@pytest.mark.django_db
def test_another_address_is_not_affected(client, strict):
    launch = launched()
    for _ in range(4):
        sent(client, launch)
    client.defaults["REMOTE_ADDR"] = "192.0.2.7"
    assert sent(client, launch).status_code == 201


@pytest.mark.django_db
def test_logins_are_limited(client, strict):
    for _ in range(3):
        assert client.post(reverse("login"), {"username": "x", "password": "y"}).status_code == 200
    answer = client.post(reverse("login"), {"username": "x", "password": "y"})
    assert answer.status_code == 429
    assert answer["Retry-After"]
    assert client.get(reverse("login")).status_code == 200


def test_no_address_is_kept_and_the_key_changes_with_the_window():
    throttle = Throttle("submit", "3/minute")
    keys = {throttle._key("192.0.2.7", window) for window in range(3)}
    assert len(keys) == 3
    assert not any("192" in key for key in keys)


@pytest.mark.parametrize(
    ("proxies", "forwarded", "expected"),
    [
        (0, "198.51.100.1", "127.0.0.1"),
        (1, "203.0.113.9, 198.51.100.1", "198.51.100.1"),
        (2, "203.0.113.9, 198.51.100.1", "203.0.113.9"),
        (2, "198.51.100.1", "127.0.0.1"),
        (1, "", "127.0.0.1"),
    ],
)
def test_only_trusted_proxies_are_believed(rf, settings, proxies, forwarded, expected):
    settings.TRUSTED_PROXIES = proxies
    request = rf.post("/", HTTP_X_FORWARDED_FOR=forwarded)
    assert client_address(request) == expected


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7/32"),
        (" 192.0.2.7 ", "192.0.2.7/32"),
        ("192.0.2.7:4711", "192.0.2.7/32"),
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
        ("::FFFF:c000:207", "192.0.2.7/32"),
        ("[::ffff:192.0.2.7]:4711", "192.0.2.7/32"),
        ("2001:db8:1:2::7", "2001:db8:1:2::/64"),
        ("2001:DB8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2::7]:4711", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("2001:db8:1:3::7", "2001:db8:1:3::/64"),
        ("", "unknown"),
        ("unknown", "unknown"),
        ("_hidden", "unknown"),
        ("192.0.2.999", "unknown"),
        ("1" * 5000, "unknown"),
        ("2001:db8::1::2", "unknown"),
        ("[", "unknown"),
        ("\x00", "unknown"),
        ("\udc80", "unknown"),
        ("１９２.0.2.7", "unknown"),
    ],
)
def test_what_counts_as_one_network(address, network):
    assert network_of(address) == network


@pytest.mark.django_db
def test_addresses_of_one_customer_count_as_one(client, strict):
    answers = []
    for number in range(25):
        client.defaults["REMOTE_ADDR"] = f"2001:db8:1:2::{number:x}"
        form = {"username": f"u{number}", "password": "y"}
        answers.append(client.post(reverse("login"), form).status_code)
    assert answers == [200] * 3 + [429] * 22
    client.defaults["REMOTE_ADDR"] = "2001:db8:1:3::1"
    form = {"username": "other", "password": "y"}
    assert client.post(reverse("login"), form).status_code == 200


@pytest.mark.django_db
def test_invented_addresses_count_as_one(client, strict):
    strict.TRUSTED_PROXIES = 1
    launch = launched()
    answers = []
    for number in range(5):
        client.defaults["HTTP_X_FORWARDED_FOR"] = f"made-up-{number}"
        answers.append(sent(client, launch).status_code)
    assert answers == [201, 201, 201, 429, 429]


@pytest.mark.parametrize(
    ("exempt", "address", "is_counted"),
    [
        ("127.0.0.1", "127.0.0.1", False),
        ("127.0.0.1", "::ffff:127.0.0.1", False),
        ("192.0.2.0/24", "192.0.2.200", False),
        ("2001:db8::/32", "2001:db8::5", False),
        ("2001:db8::/32", "192.0.2.200", True),
        ("127.0.0.1", "unknown", True),
    ],
)
def test_exempt_networks_are_not_counted(rf, settings, exempt, address, is_counted):
    settings.THROTTLE_EXEMPT = [exempt]
    throttle = Throttle("submit", "1/minute")
    waits = [throttle.wait_seconds(rf.post("/", REMOTE_ADDR=address)) for _ in range(2)]
    assert (waits[1] > 0) == is_counted


def test_a_window_ends_with_the_clock_and_says_how_long_that_is(monkeypatch):
    limit = Throttle("a purpose", "2/minute")
    monkeypatch.setattr(module, "clock", lambda: 1_800_000_659.9)
    assert [limit.wait_for("somebody") for _ in range(4)] == [0, 0, 1, 1]
    monkeypatch.setattr(module, "clock", lambda: 1_800_000_660.1)
    assert [limit.wait_for("somebody") for _ in range(3)] == [0, 0, 60]
