"""Every page: a strict policy, no third party, no cookie for respondents."""

import re

import pytest
from django.urls import reverse

from tests.builders import launched

pytestmark = pytest.mark.django_db
ORIGIN = re.compile(r"""(?:src|href|action)=["'](https?:)?//(?!testserver)""")


@pytest.fixture(params=["home", "login", "respond", "check", "results"])
def page(request, client):
    launch = launched(results_public=True)
    arguments = [launch.survey.slug] if request.param in ("respond", "results") else []
    return client.get(reverse(request.param, args=arguments))


def test_the_policy_allows_this_site_and_nothing_inline(page):
    assert page.status_code == 200
    policy = page["Content-Security-Policy"]
    assert "script-src 'self'" in policy
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy


def test_pages_name_no_other_site_and_carry_no_inline_code(page):
    html = page.content.decode()
    assert not ORIGIN.search(html)
    assert not re.search(r"<style|\sstyle=|\son[a-z]+=", html)
    for tag in re.findall(r"<script[^>]*>", html):
        assert "src=" in tag or 'type="application/json"' in tag


def test_headers_that_keep_a_page_to_itself(page):
    assert page["Referrer-Policy"] == "same-origin"
    assert page["X-Content-Type-Options"] == "nosniff"
    assert page["Cross-Origin-Opener-Policy"] == "same-origin"
    assert page["X-Frame-Options"] == "DENY"


def test_respondents_get_no_cookie(client):
    launch = launched()
    for name in ("respond", "parameters"):
        client.get(reverse(name, args=[launch.survey.slug]))
    client.get(reverse("check"))
    client.get(reverse("javascript-catalog", args=["en"]))
    assert not client.cookies
