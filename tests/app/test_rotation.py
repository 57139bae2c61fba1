"""A new secret on two hosts, one after the other, in the order of docs/operating.md.

Two hosts are two settings of one database: each request is answered under those of its host.
"""

import re
import uuid
from itertools import pairwise
from pathlib import Path

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from surveys.features.arms.assignment import assigned_arm
from surveys.features.roster.links import member_of
from tests.arms import arms_launch, response_in, send
from tests.builders import PASSWORD, make_user
from tests.rosters import launched_network, links_of
from tests.waves import ASKED, coded_launch, look_up, new_code, post

pytestmark = [pytest.mark.django_db, pytest.mark.any_database, pytest.mark.slow]
OLD, NEW = "the old secret, which is long enough to be one", "the new secret, just as long as that"
PAGE = Path(__file__).resolve().parents[2] / "docs" / "operating.md"


def steps() -> list[tuple[str, tuple[str, ...]]]:
    """The rows of the page's table: the secret and the former ones, after each step."""
    secrets = {"old": OLD, "new": NEW, "": ""}
    rows = re.findall(
        r"^\| (?:at first|\d\..*?) \| (\w*) ?\| ?(\w*) ?\|$", PAGE.read_text(), re.MULTILINE
    )
    return [(secrets[key], tuple(filter(None, [secrets[also]]))) for key, also in rows]


def on(host):
    key, former = host
    return override_settings(SECRET_KEY=key, SECRET_KEY_FALLBACKS=list(former))


def pairs_of_hosts():
    """Every state of two hosts on the way: the first takes a step, then the second."""
    begin, *_ = steps()
    yield begin, begin
    for before, after in pairwise(steps()):
        yield after, before
        yield after, after


def is_signed_in(client):
    return client.get(reverse("account")).status_code == 200


def sign_in(host):
    client = Client()
    with on(host):
        client.post(reverse("login"), {"username": "author", "password": PASSWORD})
        assert is_signed_in(client)
    return client


def test_the_table_has_the_steps():
    assert steps() == [(OLD, ()), (OLD, (NEW,)), (NEW, (OLD,)), (NEW, ())]


def test_nobody_is_signed_out_whichever_host_answers():
    make_user("author", author=True)
    clients = [sign_in(steps()[0])]
    for first, second in pairs_of_hosts():
        # Those who signed in before, and on either host now, meet both in turn.
        clients += [sign_in(first), sign_in(second)]
        for host in (first, second, first):
            with on(host):
                assert all(map(is_signed_in, clients))


def test_what_one_host_stores_the_other_finds():
    """Return codes, personal links and arms, for as long as the old secret stays."""
    coded = coded_launch(slug="coded", release_batch=1)
    armed = arms_launch(slug="arms")
    network = launched_network(slug="network").survey
    reports = {question["name"]: 0 for question in ASKED}
    arm = armed.parameters.arms[0].stratum
    codes, links = [], []
    for first, second in list(pairs_of_hosts())[:-2]:
        for one, other in ((first, second), (second, first)):
            codes.append(new_code())
            with on(one):
                assert post(Client(), coded, codes[-1], reports).status_code == 201
                links = list(links_of(network).values())
                body = response_in(armed, arm, submission=new_id_in(armed, arm))
            with on(other):
                assert all(look_up(Client(), coded, code).status_code == 200 for code in codes)
                assert all(member_of(network.pk, link) for link in links)
                assert send(Client(), armed, body).status_code == 201


def new_id_in(launch, arm):
    """A submission id that nobody has used, which this host puts into an arm."""
    ids = iter(uuid.uuid4, None)
    arms = launch.parameters.arms
    return str(next(each for each in ids if assigned_arm(launch.digest, each, arms) == arm))


def test_another_order_signs_out_both_ways():
    """So the first step is not to be left out."""
    make_user("author", author=True)
    begin, second = (OLD, ()), (NEW, (OLD,))
    client = sign_in(begin)
    with on(second):
        assert is_signed_in(client)
    with on(begin):
        assert not is_signed_in(client)
